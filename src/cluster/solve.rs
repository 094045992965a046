//! One board's shortest solution, and the worth of each of its moves.

use std::ops::ControlFlow;

use super::bounds::Bounds;
use super::family::{Family, Key, Slides, Via};
use super::search::Search;
use super::set::KeySet;
use super::{ClusterError, FIRST_ROOM};
use crate::board::{Board, Distance, Metric, Move};

/// A shortest way to solve a board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// Each move costs 1; in *steps* each is by one cell.
    pub moves: Vec<Move>,
    /// The number of moves.
    pub distance: u32,
}

impl Solution {
    pub(super) fn along(family: &Family, path: &[Key]) -> Solution {
        let moves: Vec<Move> =
            path.windows(2).map(|pair| family.slide_between(pair[0], pair[1]).mv()).collect();
        let distance = moves.len() as u32;
        Solution { moves, distance }
    }
}

/// A shortest solution of a board; `None` is a proof that there is none.
///
/// Searches forward from the board and stops at the first solved one, after
/// at most so many boards.
///
/// ```
/// use tailback::board::{Board, Metric};
/// use tailback::cluster::{DEFAULT_LIMIT, solve};
///
/// let board = Board::parse(
///     "..B...
///      ..B.CC
///      AAB..D
///      .....D
///      EE...D
///      ......",
/// )?;
/// let solution = solve(&board, Metric::Moves, DEFAULT_LIMIT)?.expect("it can be solved");
/// let moves: Vec<String> = solution.moves.iter().map(|&mv| board.notation(mv)).collect();
/// assert_eq!(moves, ["B+3", "D+1", "A+4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve<'b>(
    board: &Board,
    metric: Metric,
    bounds: impl Into<Bounds<'b>>,
) -> Result<Option<Solution>, ClusterError> {
    let bounds = bounds.into();
    let family = Family::new(board);
    if family.is_hopeless() {
        return Ok(None);
    }
    let slides = Slides::new(&family, metric);
    bounds.memory.in_turn(|| {
        let mut search = start(&slides, bounds, key_of(&family, board))?;
        let is_solved = first_goal(&family, &mut search)?;
        Ok(is_solved.then(|| Solution::along(&family, &search.path_to_newest())))
    })
}

/// A board's distance and that of each of its neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Rated {
    /// Of the board.
    pub distance: Distance,
    /// Every move that costs 1, with the distance *after* it; best first,
    /// equals in the order of [`Board::moves_in`].
    pub moves: Vec<(Move, Distance)>,
}

/// Rates a board and all its moves without exploring its whole cluster.
///
/// If the board is *d* from a goal, each neighbour is *d*−1, *d* or *d*+1
/// away, since every move can be undone. A way of length *d* or less from a
/// neighbour ends at most *d*+1 from the board. So it is enough to search
/// forward to level *d*+1, and then back from the goals found there.
///
/// ```
/// use tailback::board::{Board, Distance, Metric};
/// use tailback::cluster::{DEFAULT_LIMIT, rate};
///
/// let board = Board::parse("..B. AAB. .... ....")?;
/// let rated = rate(&board, Metric::Moves, DEFAULT_LIMIT)?;
/// assert_eq!(rated.distance, Distance::of(2));
/// let best = rated.moves[0];
/// assert_eq!((board.notation(best.0), best.1), ("B+2".to_string(), Distance::of(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate<'b>(board: &Board, metric: Metric, bounds: impl Into<Bounds<'b>>) -> Result<Rated, ClusterError> {
    let bounds = bounds.into();
    bounds.memory.in_turn(|| rate_in(board, metric, bounds))
}

fn rate_in(board: &Board, metric: Metric, bounds: Bounds) -> Result<Rated, ClusterError> {
    let family = Family::new(board);
    let moves = board.moves_in(metric);
    let none = || Rated {
        distance: Distance::UNSOLVABLE,
        moves: moves.iter().map(|&mv| (mv, Distance::UNSOLVABLE)).collect(),
    };
    if family.is_hopeless() {
        return Ok(none());
    }
    let slides = Slides::new(&family, metric);
    let mut search = start(&slides, bounds, key_of(&family, board))?;
    if !first_goal(&family, &mut search)? {
        return Ok(none());
    }
    let distance = search.depth();
    drop(search);

    // The first goal broke its level off: begin again and go one further.
    let mut search = start(&slides, bounds, key_of(&family, board))?;
    while search.depth() <= distance && !search.is_done() {
        let _ = search.next_level(|_, _| ControlFlow::Continue(()))?;
    }
    let Search { mut reserved, set, queue: mut goals, via, .. } = search;
    reserved.give_back::<Via>(via.capacity());
    drop(via);
    goals.retain(|&key| family.is_goal(key));
    let after: Vec<Key> = moves.iter().map(|&mv| key_after(&family, board, mv)).collect();
    let mut found = vec![distance as u32 + 1; moves.len()];
    let set = set.emptied(goals.len(), &mut reserved)?;
    let mut back = Search::from(&slides, bounds, reserved, set, goals)?;
    loop {
        let depth = back.depth();
        for (found, &key) in found.iter_mut().zip(&after) {
            if *found as usize > depth && back.set.find(key).is_some() {
                *found = depth as u32;
            }
        }
        if depth == distance {
            break;
        }
        let _ = back.next_level(|_, _| ControlFlow::Continue(()))?;
    }

    let mut moves: Vec<_> = moves.into_iter().zip(found.into_iter().map(Distance::of)).collect();
    moves.sort_by_key(|&(_, distance)| distance);
    Ok(Rated { distance: Distance::of(distance as u32), moves })
}

/// The key of a board after one of its own moves.
pub(super) fn key_after(family: &Family, board: &Board, mv: Move) -> Key {
    let mut board = board.clone();
    board.play_unchecked(mv);
    family.key(&board).expect("a move never leaves the family")
}

fn key_of(family: &Family, board: &Board) -> Key {
    family.key(board).expect("the family is made from it")
}

fn start<'a>(slides: &'a Slides, bounds: Bounds<'a>, key: Key) -> Result<Search<'a>, ClusterError> {
    let mut reserved = bounds.reserve();
    let mut queue = Vec::new();
    reserved.grow_to(&mut queue, FIRST_ROOM)?;
    queue.push(key);
    let set = KeySet::with_room(FIRST_ROOM, &mut reserved)?;
    Search::from(slides, bounds, reserved, set, queue)
}

/// Searches until a goal is the newest board, or everything is searched.
fn first_goal(family: &Family, search: &mut Search<'_>) -> Result<bool, ClusterError> {
    if family.is_goal(search.queue[0]) {
        return Ok(true);
    }
    while !search.is_done() {
        let stop = search.next_level(|_, key| match family.is_goal(key) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })?;
        if stop.is_break() {
            return Ok(true);
        }
    }
    Ok(false)
}
