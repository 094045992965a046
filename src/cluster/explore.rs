//! A whole cluster with the distance of each board.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::bounds::{Bounds, Reserved};
use super::family::{Family, Key, Slides, Via};
use super::flood::{ASK_EVERY, Flood};
use super::search::{BATCH_ROOM, Search};
use super::set::{KeySet, Put};
use super::solve::key_after;
use super::{ClusterError, Solution};
use crate::board::{Board, Distance, Metric, Move};
use crate::progress::Observer;

/// How many boards can be reached from a board, itself included; an error if
/// they are out of bounds.
///
/// The flood fill in bulk alone: no board is kept, so it takes a small part of
/// the time and memory of [`Cluster::explore`].
///
/// ```
/// use tailback::board::Board;
/// use tailback::cluster::{DEFAULT_LIMIT, size};
///
/// let board = Board::parse("..B. AAB. .... ....")?;
/// assert_eq!(size(&board, DEFAULT_LIMIT)?, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn size<'b>(board: &Board, bounds: impl Into<Bounds<'b>>) -> Result<u64, ClusterError> {
    let bounds = bounds.into();
    let family = Family::new(board);
    let key = family.key(board).expect("the family is made from it");
    bounds.memory.in_turn(|| Ok(Flood::fill(&family, key, bounds)?.count() as u64))
}

/// Every board that can be reached from one board, with its exact distance.
///
/// ```
/// use tailback::board::{Board, Distance, Metric};
/// use tailback::cluster::{Cluster, DEFAULT_LIMIT};
///
/// let board = Board::parse(
///     "..B.
///      AAB.
///      ....
///      ....",
/// )?;
/// let cluster = Cluster::explore(&board, Metric::Moves, DEFAULT_LIMIT)?;
/// assert_eq!(cluster.len(), 5);
/// assert_eq!(cluster.distance(&board), Some(Distance::of(2)));
/// assert_eq!(cluster.histogram(), [1, 2, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cluster {
    family: Family,
    metric: Metric,
    /// By rising distance.
    keys: Vec<Key>,
    /// Where each distance starts in `keys`, and the end; empty if unsolvable.
    levels: Vec<usize>,
    set: KeySet,
    /// Position in `keys` of each slot of `set`.
    position: Vec<u32>,
    /// The memory of all these lists.
    _reserved: Reserved,
}

impl Cluster {
    /// Explores the cluster of a board, if it is within the bounds. It has its
    /// part of the memory as long as it lives.
    ///
    /// First a flood fill in bulk, to find its goals, then a search back from
    /// all of them at once.
    pub fn explore<'b>(
        board: &Board,
        metric: Metric,
        bounds: impl Into<Bounds<'b>>,
    ) -> Result<Cluster, ClusterError> {
        let cluster = Cluster::explore_if(board, metric, bounds, |_| true)?;
        Ok(cluster.expect("it was to be explored"))
    }

    /// The same if the number of its boards, which is known first, is as wished.
    pub(crate) fn explore_if<'b>(
        board: &Board,
        metric: Metric,
        bounds: impl Into<Bounds<'b>>,
        is_wished: impl Fn(usize) -> bool,
    ) -> Result<Option<Cluster>, ClusterError> {
        let bounds = bounds.into();
        // Positions are 32 bits wide.
        let bounds = Bounds { boards: bounds.boards.min(u32::MAX as usize - 1), ..bounds };
        bounds.memory.in_turn(|| Cluster::explore_in(Family::new(board), board, metric, bounds, &is_wished))
    }

    fn explore_in(
        family: Family,
        board: &Board,
        metric: Metric,
        bounds: Bounds,
        is_wished: &dyn Fn(usize) -> bool,
    ) -> Result<Option<Cluster>, ClusterError> {
        let key = family.key(board).expect("the family is made from it");
        let flood = Flood::fill(&family, key, bounds)?;
        if !is_wished(flood.count()) {
            return Ok(None);
        }
        let count = flood.count();
        let mut reserved = bounds.reserve();
        // With room for all, so that no slot moves once it has a position.
        let mut set = KeySet::with_room(count + BATCH_ROOM, &mut reserved)?;
        let mut position: Vec<u32> = reserved.zeros(set.slots())?;
        let mut place = |key: Key, index: usize| {
            if let Put::New { slot } = set.put(key) {
                position[slot] = index as u32;
            }
        };
        let goals = flood.goals(&mut reserved)?;
        if goals.is_empty() {
            reserved.give_back::<Key>(goals.capacity());
            drop(goals);
            let keys = flood.boards(&mut reserved, |_| true)?;
            keys.iter().enumerate().for_each(|(index, &key)| place(key, index));
            let levels = Vec::new();
            return Ok(Some(Cluster { family, metric, keys, levels, set, position, _reserved: reserved }));
        }
        drop(flood);
        goals.iter().enumerate().for_each(|(index, &key)| place(key, index));

        let slides = Slides::new(&family, metric);
        let mut back = Search::from_all_goals(&slides, bounds, reserved, set, goals)?;
        let mut next = back.queue.len() as u32;
        while !back.is_done() {
            let _ = back.next_level(|slot, _| {
                position[slot] = next;
                next += 1;
                ControlFlow::Continue(())
            })?;
        }
        debug_assert_eq!(back.queue.len(), count);
        // The last level was empty.
        back.levels.pop();
        let Search { mut reserved, set, queue, via, levels, .. } = back;
        reserved.give_back::<Via>(via.capacity());
        Ok(Some(Cluster { family, metric, keys: queue, levels, set, position, _reserved: reserved }))
    }

    /// Boards in the cluster; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "no cluster is empty")]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// What the distances count.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Can its boards be solved? All or none: every move can be undone.
    pub fn is_solvable(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Is the board in this cluster?
    pub fn contains(&self, board: &Board) -> bool {
        let key = self.family.key(board);
        key.is_some_and(|key| self.set.find(key).is_some())
    }

    /// The distance of a board; `None` if it is not in this cluster.
    pub fn distance(&self, board: &Board) -> Option<Distance> {
        self.distance_of(self.family.key(board)?)
    }

    /// How many boards there are at each distance; empty if unsolvable.
    pub fn histogram(&self) -> Vec<u64> {
        let counts = self.levels.windows(2);
        counts.map(|pair| (pair[1] - pair[0]) as u64).collect()
    }

    /// The number of solved boards.
    pub fn goal_boards(&self) -> u64 {
        self.histogram().first().copied().unwrap_or(0)
    }

    /// The greatest distance.
    pub fn depth(&self) -> Distance {
        Distance::from(self.is_solvable().then(|| self.levels.len() as u32 - 2))
    }

    /// All boards by rising distance.
    pub fn boards(&self) -> impl Iterator<Item = (Board, Distance)> {
        (0..self.len()).map(|index| self.nth(index))
    }

    /// The board of this number below [`len`](Cluster::len), by rising
    /// distance, and its distance.
    pub fn nth(&self, index: usize) -> (Board, Distance) {
        (self.family.board_of(self.keys[index]), self.level(index))
    }

    /// The boards at the greatest distance, in board order; none if
    /// unsolvable.
    pub fn hardest(&self) -> Vec<Board> {
        let Some(depth) = self.depth().known() else {
            return Vec::new();
        };
        let keys = &self.keys[self.levels[depth as usize]..];
        let mut boards: Vec<Board> = keys.iter().map(|&key| self.family.board_of(key)).collect();
        boards.sort_by_key(Board::order);
        boards
    }

    /// Every move of a board that costs 1, with the distance *after* it; best
    /// first, equals in the order of [`Board::moves_in`]. Empty if the board
    /// is not in this cluster.
    pub fn rated_moves(&self, board: &Board) -> Vec<(Move, Distance)> {
        if !self.contains(board) {
            return Vec::new();
        }
        let after = |mv| {
            let found = self.distance_of(key_after(&self.family, board, mv));
            found.expect("a move never leaves the cluster")
        };
        let mut moves: Vec<_> = board.moves_in(self.metric).into_iter().map(|mv| (mv, after(mv))).collect();
        moves.sort_by_key(|&(_, distance)| distance);
        moves
    }

    /// A shortest solution: always the first best move of
    /// [`rated_moves`](Cluster::rated_moves). `None` if the board is
    /// unsolvable or not in this cluster.
    pub fn solution(&self, board: &Board) -> Option<Solution> {
        let distance = self.distance(board)?.known()?;
        let mut board = board.clone();
        let mut moves = Vec::with_capacity(distance as usize);
        for _ in 0..distance {
            let (best, _) = self.rated_moves(&board)[0];
            board.play_unchecked(best);
            moves.push(best);
        }
        Some(Solution { moves, distance })
    }

    /// How many different sequences of moves solve the board in the fewest
    /// moves: 1 for a solved board, 0 for one that is unsolvable or not in
    /// this cluster. Stops at `u128::MAX` if there are more.
    pub fn optimal_solutions(&self, board: &Board, observer: &dyn Observer) -> Result<u128, ClusterError> {
        let Some(distance) = self.distance(board).and_then(Distance::known) else {
            return Ok(0);
        };
        // Ways from the board to each board of one level, nearer and nearer.
        let mut ways = FxHashMap::default();
        ways.insert(board.clone(), 1u128);
        for nearer in (0..distance).rev() {
            let mut next = FxHashMap::default();
            for (number, (board, count)) in ways.into_iter().enumerate() {
                if number % ASK_EVERY == 0 && observer.wants_stop() {
                    return Err(ClusterError::Stopped);
                }
                for mv in board.moves_in(self.metric) {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    if self.distance(&after) == Some(Distance::of(nearer)) {
                        let ways = next.entry(after).or_insert(0u128);
                        *ways = ways.saturating_add(count);
                    }
                }
            }
            ways = next;
        }
        Ok(ways.values().fold(0, |sum, &count| sum.saturating_add(count)))
    }

    /// The boards that it is among.
    pub(crate) fn family(&self) -> &Family {
        &self.family
    }

    /// All boards as keys of the family, by rising distance.
    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The place of a key among all, if it is one of them.
    #[inline]
    pub(crate) fn position(&self, key: Key) -> Option<usize> {
        let slot = self.set.find(key)?;
        Some(self.position[slot] as usize)
    }

    /// The distance of a key of the family; `None` as for a board.
    #[inline]
    pub(crate) fn distance_of(&self, key: Key) -> Option<Distance> {
        Some(self.level(self.position(key)?))
    }

    fn level(&self, position: usize) -> Distance {
        let started = self.levels.partition_point(|&start| start <= position);
        Distance::from(started.checked_sub(1).map(|level| level as u32))
    }
}
