//! The shortest solutions of a board, from the distances of its whole
//! signature in memory.
//!
//! All boards on shortest solutions, level by level: each level is the boards
//! one move nearer to the exit than the level before, with the number of ways
//! to reach them. No board is met on two levels.

use rustc_hash::FxHashMap;

use crate::board::{Metric, Move};
use crate::space::{Blocks, Location, Position, Space, column_mask};
use crate::table::TableError;

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
    /// How many different first moves they have.
    pub first_moves: u32,
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
        let solution = self.walk(from)?;
        let (solutions, first_moves) = self.count(from, solution.len());
        Ok(Shortest { solutions, first_moves, solution })
    }

    fn walk(&self, from: &Position) -> Result<Vec<Move>, TableError> {
        let space = self.blocks.space();
        let mut board = space.board(from);
        let mut solution = Vec::new();
        for left in (0..self.of(from)).rev() {
            let moves = board.moves_in(Metric::Moves);
            let leads_nearer = |mv: &&Move| {
                let mut next = board.clone();
                next.play_unchecked(**mv);
                matches!(space.locate(&next), Ok(Location::Inside(p)) if self.of(&p) == left)
            };
            let mv = *moves.iter().find(leads_nearer).ok_or_else(|| {
                TableError::damaged(format!("no move of {} leads to distance {left}", board.text()))
            })?;
            board.play_unchecked(mv);
            solution.push(mv);
        }
        Ok(solution)
    }

    fn count(&self, from: &Position, distance: usize) -> (u64, u32) {
        let space = self.blocks.space();
        let mut level: FxHashMap<u32, (Position, u64)> = FxHashMap::default();
        level.insert(self.blocks.number(from), (*from, 1));
        let mut first_moves = 0;
        for left in (0..distance).rev() {
            let mut nearer: FxHashMap<u32, (Position, u64)> = FxHashMap::default();
            for (position, ways) in level.values() {
                for_each_move(space, position, |next| {
                    let number = self.blocks.number(&next);
                    if self.bytes.get(number as usize).copied().unwrap_or(0) as usize == left {
                        let (_, sum) = nearer.entry(number).or_insert((next, 0));
                        *sum = sum.saturating_add(*ways);
                    }
                });
            }
            if left + 1 == distance {
                first_moves = nearer.len() as u32;
            }
            level = nearer;
        }
        (level.values().fold(0, |sum, (_, ways)| sum.saturating_add(*ways)), first_moves)
    }
}

/// Calls `found` with every board one move away.
fn for_each_move(space: &Space, position: &Position, mut found: impl FnMut(Position)) {
    let line = space.line();
    let (mut in_columns, mut in_rows) = (0, 0);
    for i in 0..space.size() {
        in_columns |= space.taken_by(i, position.rows[i]);
        in_rows |= space.taken_by(i, position.columns[i]);
    }
    for i in 0..space.size() {
        for stop in line.stops(column_mask(in_rows, i), position.rows[i], Metric::Moves) {
            let mut next = *position;
            next.rows[i] = stop;
            found(next);
        }
        for stop in line.stops(column_mask(in_columns, i), position.columns[i], Metric::Moves) {
            let mut next = *position;
            next.columns[i] = stop;
            found(next);
        }
    }
}
