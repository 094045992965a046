//! The shortest solutions of a board, from the distances of its whole
//! signature in memory.
//!
//! All boards on shortest solutions, level by level: each level is the boards
//! one move nearer to the exit than the level before, with the number of ways
//! to reach them. No board is met on two levels.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::{Metric, Move};
use crate::random::split_mix;
use crate::space::{Blocks, Location, Position, Space, column_mask};
use crate::table::TableError;

/// Solutions that differ in more than order are not counted beyond this.
pub const MOST_DIFFERENT: usize = 100;

/// A signature and the distances of its unsolved boards.
#[derive(Clone, Copy)]
pub struct Distances<'a> {
    /// The signature.
    pub blocks: &'a Blocks<'a>,
    /// One distance for every unsolved board.
    pub bytes: &'a [u8],
}

/// What is known of the shortest solutions of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortest {
    /// How many there are; the most that a `u64` holds if there are more.
    pub solutions: u64,
    /// How many differ in more than the order of their moves; not more than
    /// [`MOST_DIFFERENT`].
    pub different: u32,
    /// How many different first moves they have.
    pub first_moves: u32,
    /// How many moves of `solution` are the only one that leads nearer.
    pub forced: u32,
    /// The one that follows the first move of each board that leads nearer.
    pub solution: Vec<Move>,
}

impl Distances<'_> {
    /// The distance of a board of the signature.
    fn of(&self, position: &Position) -> u8 {
        // The solved boards come last and are not in the list.
        self.bytes.get(self.blocks.number(position) as usize).copied().unwrap_or(0)
    }

    /// Finds the shortest solutions of a solvable board.
    pub fn shortest(&self, from: &Position) -> Result<Shortest, TableError> {
        let (solution, forced) = self.walk(from)?;
        let (solutions, different, first_moves) = self.count(from, solution.len());
        Ok(Shortest { solutions, different, first_moves, forced, solution })
    }

    fn walk(&self, from: &Position) -> Result<(Vec<Move>, u32), TableError> {
        let space = self.blocks.space();
        let mut board = space.board(from);
        let mut solution = Vec::new();
        let mut forced = 0;
        for left in (0..self.of(from)).rev() {
            let moves = board.moves_in(Metric::Moves);
            let leads_nearer = |mv: &&Move| {
                let mut next = board.clone();
                next.play_unchecked(**mv);
                matches!(space.locate(&next), Ok(Location::Inside(p)) if self.of(&p) == left)
            };
            let mut nearer = moves.iter().filter(leads_nearer);
            let mv = *nearer.next().ok_or_else(|| {
                TableError::damaged(format!("no move of {} leads to distance {left}", board.text()))
            })?;
            forced += u32::from(nearer.next().is_none());
            board.play_unchecked(mv);
            solution.push(mv);
        }
        Ok((solution, forced))
    }

    fn count(&self, from: &Position, distance: usize) -> (u64, u32, u32) {
        let space = self.blocks.space();
        let mut level: FxHashMap<u64, Met> = FxHashMap::default();
        level.insert(self.blocks.number(from), Met { position: *from, ways: 1, sums: vec![0] });
        let mut first_moves = 0;
        for left in (0..distance).rev() {
            let mut nearer: FxHashMap<u64, Met> = FxHashMap::default();
            for Met { position, ways, sums } in level.values() {
                for_each_move(space, position, |next, line, from, to| {
                    let number = self.blocks.number(&next);
                    if self.bytes.get(number as usize).copied().unwrap_or(0) as usize == left {
                        let met =
                            nearer.entry(number).or_insert(Met { position: next, ways: 0, sums: Vec::new() });
                        met.ways = met.ways.saturating_add(*ways);
                        let mv = split_mix((line as u64) << 16 | u64::from(from) << 8 | u64::from(to));
                        met.sums.extend(sums.iter().map(|sum| sum.wrapping_add(mv)));
                    }
                });
            }
            for met in nearer.values_mut() {
                met.sums.sort_unstable();
                met.sums.dedup();
                // Whoever comes later adds to each of these: none of them gets lost.
                met.sums.truncate(MOST_DIFFERENT);
            }
            if left + 1 == distance {
                first_moves = nearer.len() as u32;
            }
            level = nearer;
        }
        let solutions = level.values().fold(0u64, |sum, met| sum.saturating_add(met.ways));
        let different: FxHashSet<u64> = level.values().flat_map(|met| &met.sums).copied().collect();
        (solutions, different.len().min(MOST_DIFFERENT) as u32, first_moves)
    }
}

/// A board on the way of shortest solutions.
struct Met {
    position: Position,
    /// How many ways lead to it.
    ways: u64,
    /// Those of them that differ in more than the order of their moves, each as the
    /// sum of the numbers of its moves.
    sums: Vec<u64>,
}

/// Calls `found` with every board one move away, and the move: its line, the cells
/// that it leaves and those that it enters. Within a line of a family no two
/// vehicles can leave and enter the same cells.
fn for_each_move(space: &Space, position: &Position, mut found: impl FnMut(Position, usize, u8, u8)) {
    let line = space.line();
    let [mut in_columns, mut in_rows] = space.walls();
    for i in 0..space.size() {
        in_columns |= space.taken_by(i, position.rows[i]);
        in_rows |= space.taken_by(i, position.columns[i]);
    }
    for i in 0..space.size() {
        for stop in line.stops(column_mask(in_rows, i), position.rows[i], Metric::Moves) {
            let mut next = *position;
            next.rows[i] = stop;
            let [from, to] = [position.rows[i], stop].map(|id| line.placement(id).cells);
            found(next, i, from & !to, to & !from);
        }
        for stop in line.stops(column_mask(in_columns, i), position.columns[i], Metric::Moves) {
            let mut next = *position;
            next.columns[i] = stop;
            let [from, to] = [position.columns[i], stop].map(|id| line.placement(id).cells);
            found(next, space.size() + i, from & !to, to & !from);
        }
    }
}
