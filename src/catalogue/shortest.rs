//! The shortest solutions of a board, from the distances of its whole
//! signature in memory.
//!
//! All boards on shortest solutions, level by level: each level is the boards
//! one move nearer to the exit than the level before, with the number of ways
//! to reach them. No board is met on two levels.

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use crate::board::{Axis, Metric, Move};
use crate::random::split_mix;
use crate::space::edges::{EdgeMasks, EdgePair};
use crate::space::line::PlacementId;
use crate::space::{Blocks, MAX_SIZE, Position, Space, column_mask};
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

/// A board on the way of shortest solutions.
struct Met {
    number: u64,
    position: Position,
    /// How many ways lead to it.
    ways: u64,
    /// Those of them that differ in more than the order of their moves, each as the
    /// sum of the numbers of its moves, in order. Empty once a board had too many.
    sums: Vec<u64>,
}

/// A move: a change of one line.
#[derive(Clone, Copy)]
struct Change {
    /// Rows from the top, then columns from the left.
    line: usize,
    from: PlacementId,
    to: PlacementId,
}

/// In a line of seven cells the slides are never more than seven.
const MOST_MOVES: usize = MAX_SIZE * 2 * MAX_SIZE;

impl Distances<'_> {
    /// Finds the shortest solutions of a solvable board.
    pub fn shortest(&self, from: &Position) -> Result<Shortest, TableError> {
        let space = self.blocks.space();
        let number = self.blocks.number(from);
        let mut left = self.of(number);
        let mut walk = Walk::from(space, number, from);
        let mut level = vec![Met { number, position: *from, ways: 1, sums: vec![0] }];
        let mut nearer: Vec<Met> = Vec::new();
        // Where each board of `nearer` is.
        let mut places: FxHashMap<u64, u32> = FxHashMap::default();
        let (mut first_moves, mut are_counted) = (None, true);
        while left > 0 {
            left -= 1;
            for Met { number, position, ways, sums } in &level {
                let mut choices: ArrayVec<(Change, u64), MOST_MOVES> = ArrayVec::new();
                self.for_each_move(*number, position, |change, next| {
                    if self.of(next) == left {
                        choices.push((change, next));
                    }
                });
                if walk.at == *number && !walk.follow(space, &choices) {
                    let text = space.board(position).text();
                    return Err(TableError::damaged(format!("no move of {text} leads to distance {left}")));
                }
                for (change, next) in choices {
                    let place = *places.entry(next).or_insert_with(|| {
                        let position = change.played(space, position);
                        nearer.push(Met { number: next, position, ways: 0, sums: Vec::new() });
                        nearer.len() as u32 - 1
                    });
                    let met = &mut nearer[place as usize];
                    met.ways = met.ways.saturating_add(*ways);
                    if are_counted {
                        let mv = change.number(space);
                        met.sums.extend(sums.iter().map(|sum| sum.wrapping_add(mv)));
                    }
                }
            }
            if are_counted {
                for met in &mut nearer {
                    met.sums.sort_unstable();
                    met.sums.dedup();
                    // All that goes on from a board adds the same to each of these, so
                    // the whole has no fewer.
                    are_counted &= met.sums.len() < MOST_DIFFERENT;
                }
            }
            first_moves.get_or_insert(nearer.len() as u32);
            std::mem::swap(&mut level, &mut nearer);
            nearer.clear();
            places.clear();
        }
        let different = match are_counted {
            true => {
                let mut sums: Vec<u64> = level.iter().flat_map(|met| &met.sums).copied().collect();
                sums.sort_unstable();
                sums.dedup();
                sums.len().min(MOST_DIFFERENT)
            }
            false => MOST_DIFFERENT,
        };
        Ok(Shortest {
            solutions: level.iter().fold(0, |sum: u64, met| sum.saturating_add(met.ways)),
            different: different as u32,
            first_moves: first_moves.unwrap_or(0),
            forced: walk.forced,
            solution: walk.solution,
        })
    }

    /// The distance of a board of the signature.
    #[inline]
    fn of(&self, number: u64) -> u8 {
        // The solved boards come last and are not in the list.
        self.bytes.get(number as usize).copied().unwrap_or(0)
    }

    /// Calls `found` with every move of a board, and the number of the board after it.
    fn for_each_move(&self, number: u64, position: &Position, mut found: impl FnMut(Change, u64)) {
        let blocks = self.blocks;
        let space = blocks.space();
        let line = space.line();
        let size = space.size();
        let h = blocks.configuration(position);
        let taken = blocks.taken(h);
        let [_, mut in_rows] = space.walls();
        for (c, &id) in position.columns[..size].iter().enumerate() {
            in_rows |= space.taken_by(c, id);
        }
        for row in 0..size {
            let from = position.rows[row];
            for to in line.stops(column_mask(in_rows, row), from, Metric::Moves) {
                let mut rows = position.rows;
                rows[row] = to;
                let next = Position { rows, ..*position };
                found(Change { line: row, from, to }, blocks.number(&next));
            }
        }
        // A slide of a column changes one digit of the number.
        let mut stride = blocks.strip_len(h) as u64;
        for c in space.middle_columns().rev() {
            let (mask, from) = (column_mask(taken, c), position.columns[c]);
            let first = number - u64::from(line.digit(mask, from)) * stride;
            for to in line.stops(mask, from, Metric::Moves) {
                let next = first + u64::from(line.digit(mask, to)) * stride;
                found(Change { line: size + c, from, to }, next);
            }
            stride *= line.fitting(mask) as u64;
        }
        let masks = EdgeMasks::of(taken, size);
        let [left, right] = [position.columns[0], position.columns[size - 1]];
        let digit = |left, right| masks.digit(line, EdgePair { left, right }) as u64;
        let first = number - digit(left, right);
        for to in line.stops(masks.left, left, Metric::Moves) {
            found(Change { line: size, from: left, to }, first + digit(to, right));
        }
        for to in line.stops(masks.right, right, Metric::Moves) {
            found(Change { line: 2 * size - 1, from: right, to }, first + digit(left, to));
        }
    }
}

impl Change {
    fn played(self, space: &Space, position: &Position) -> Position {
        let mut next = *position;
        match self.line.checked_sub(space.size()) {
            Some(column) => next.columns[column] = self.to,
            None => next.rows[self.line] = self.to,
        }
        next
    }

    /// A number for the line, the cells that the move leaves and those that it
    /// enters. Within a line of a family no two vehicles can leave and enter the same
    /// cells.
    fn number(self, space: &Space) -> u64 {
        let [from, to] = [self.from, self.to].map(|id| space.line().placement(id).cells);
        split_mix((self.line as u64) << 16 | u64::from(from & !to) << 8 | u64::from(to & !from))
    }
}

/// The solution that follows the first move of each board that leads nearer.
struct Walk {
    /// The board it has come to.
    at: u64,
    /// For each line the numbers of its vehicles on the first board.
    vehicles: [ArrayVec<u8, 3>; 2 * MAX_SIZE],
    solution: Vec<Move>,
    forced: u32,
}

impl Walk {
    fn from(space: &Space, number: u64, position: &Position) -> Walk {
        let mut vehicles: [Vec<(u8, u8)>; 2 * MAX_SIZE] = Default::default();
        for (number, vehicle) in (0..).zip(space.board(position).vehicles()) {
            let line = usize::from(vehicle.line);
            let line = if vehicle.axis == Axis::Horizontal { line } else { space.size() + line };
            vehicles[line].push((vehicle.start, number));
        }
        let in_order = |mut vehicles: Vec<(u8, u8)>| {
            vehicles.sort_unstable();
            vehicles.into_iter().map(|(_, number)| number).collect()
        };
        Walk { at: number, vehicles: vehicles.map(in_order), solution: Vec::new(), forced: 0 }
    }

    /// Goes on by the first of the moves that lead nearer, in the order of
    /// [`Board::moves`](crate::board::Board::moves). False if there is none.
    fn follow(&mut self, space: &Space, choices: &[(Change, u64)]) -> bool {
        let moves = choices.iter().map(|&(change, next)| (self.mv(space, change), next));
        let in_order = |(mv, _): &(Move, u64)| (mv.vehicle, mv.delta > 0, mv.delta.unsigned_abs());
        let Some((mv, next)) = moves.min_by_key(in_order) else { return false };
        self.at = next;
        self.solution.push(mv);
        self.forced += u32::from(choices.len() == 1);
        true
    }

    fn mv(&self, space: &Space, change: Change) -> Move {
        let [from, to] = [change.from, change.to].map(|id| &space.line().placement(id).vehicles);
        let mut vehicles = from.iter().zip(to).enumerate();
        let (at, (from, to)) = vehicles.find(|(_, (from, to))| from != to).expect("a move changes the line");
        Move { vehicle: self.vehicles[change.line][at], delta: to.0 as i8 - from.0 as i8 }
    }
}
