//! The shortest solutions of a board, from the distances of its whole
//! signature in memory.
//!
//! All boards on shortest solutions, level by level: each level is the boards
//! one move nearer to the exit than the level before, with the number of ways
//! to reach them. No board is met on two levels.

use std::ops::Range;

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::numbers::{Numbered, Numbers};
use crate::board::{Board, Metric, Move};
use crate::cluster::below::{Floor, distance_below};
use crate::cluster::family::{FROM_NOWHERE, Family, Key, Shapes, Slide, Slides};
use crate::random::split_mix;
use crate::space::{Blocks, Position};
use crate::table::TableError;

/// Solutions that differ in more than order are not counted beyond this.
pub const MOST_DIFFERENT: usize = 100;

/// More than a board has.
const MOST_MOVES: usize = 128;

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
    /// The fewest steps that solve the board, along whatever solution.
    pub steps: u32,
}

/// What one board leaves for the next: the shapes of lines that were met.
#[derive(Debug, Default)]
pub struct Scratch {
    shapes: Shapes,
}

/// A board on the way of shortest solutions.
struct BoardOnPath {
    key: Key,
    place: Numbered,
    /// How many ways lead to it.
    ways: u64,
    /// The fewest steps that one of them takes.
    steps: u32,
    /// Where those of them that differ in more than the order of their moves are, each as
    /// the sum of the numbers of its moves. Nowhere once a board had too many.
    sums: Range<usize>,
}

impl Distances<'_> {
    /// Finds the shortest solutions of a solvable board, which is at `position`.
    pub fn shortest(
        &self,
        board: &Board,
        position: &Position,
        scratch: &mut Scratch,
    ) -> Result<Shortest, TableError> {
        let family = Family::with(board, &mut scratch.shapes);
        let mut numbers = Numbers::new(self.blocks, position, &family);
        let slides = Slides::new(&family, Metric::Moves);
        let first = family.key(board).expect("the family is made from it");
        let mut left = self.of(numbers.first());
        let mut walk = Walk { at: first, solution: Vec::new(), forced: 0 };
        let mut level =
            vec![BoardOnPath { key: first, place: numbers.first(), ways: 1, steps: 0, sums: 0..1 }];
        let mut nearer: Vec<BoardOnPath> = Vec::new();
        // Which of `nearer` each board is.
        let mut indexes: FxHashMap<Key, u32> = FxHashMap::default();
        let mut around: ArrayVec<(Key, Numbered), MOST_MOVES> = ArrayVec::new();
        let mut choices: Vec<(Slide, Key, Numbered)> = Vec::new();
        // The sums of all boards of the level; and of `nearer`, each with its board.
        let (mut sums_of_level, mut sums_of_nearer) = (vec![0], Vec::new());
        let (mut first_moves, mut are_counted) = (None, true);
        while left > 0 {
            left -= 1;
            for BoardOnPath { key, place, ways, steps, sums } in &level {
                around.clear();
                slides.for_each_new(*key, FROM_NOWHERE, |next, _| {
                    around.push((next, numbers.next(*place, *key, next)));
                });
                choices.clear();
                let are_nearer = around.iter().filter(|(_, place)| self.of(*place) == left);
                choices.extend(are_nearer.map(|&(next, at)| (family.slide_between(*key, next), next, at)));
                if walk.at == *key && !walk.follow(&choices) {
                    let text = family.board_of(*key).text();
                    return Err(TableError::damaged(format!("no move of {text} leads to distance {left}")));
                }
                for &(slide, next, place) in &choices {
                    let index = *indexes.entry(next).or_insert_with(|| {
                        nearer.push(BoardOnPath { key: next, place, ways: 0, steps: u32::MAX, sums: 0..0 });
                        nearer.len() as u32 - 1
                    });
                    let met = &mut nearer[index as usize];
                    met.ways = met.ways.saturating_add(*ways);
                    met.steps = met.steps.min(steps + u32::from(slide.delta.unsigned_abs()));
                    if are_counted {
                        let mv = number(slide.mv(), slide.start);
                        let sums = sums_of_level[sums.clone()].iter();
                        sums_of_nearer.extend(sums.map(|sum: &u64| (index, sum.wrapping_add(mv))));
                    }
                }
            }
            if are_counted {
                sums_of_nearer.sort_unstable();
                sums_of_nearer.dedup();
                sums_of_level.clear();
                for of_board in sums_of_nearer.chunk_by(|a, b| a.0 == b.0) {
                    let start = sums_of_level.len();
                    sums_of_level.extend(of_board.iter().map(|&(_, sum)| sum));
                    nearer[of_board[0].0 as usize].sums = start..sums_of_level.len();
                    // All that goes on from a board adds the same to each of these, so
                    // the whole has no fewer.
                    are_counted &= of_board.len() < MOST_DIFFERENT;
                }
                sums_of_nearer.clear();
            }
            first_moves.get_or_insert(nearer.len() as u32);
            std::mem::swap(&mut level, &mut nearer);
            nearer.clear();
            indexes.clear();
        }
        let different = match are_counted {
            true => {
                sums_of_level.sort_unstable();
                sums_of_level.dedup();
                sums_of_level.len().min(MOST_DIFFERENT)
            }
            false => MOST_DIFFERENT,
        };
        // No way has fewer steps than moves. So what has to be searched for a way of
        // fewer steps are the boards that are near enough in moves.
        let steps = level.iter().map(|met| met.steps).min().unwrap_or(0);
        let from = (first, numbers.first());
        let mut in_moves = InMoves { distances: *self, numbers };
        let fewer = distance_below(&family, from, Metric::Steps, steps, &mut in_moves);
        Ok(Shortest {
            solutions: level.iter().fold(0, |sum: u64, met| sum.saturating_add(met.ways)),
            different: different as u32,
            first_moves: first_moves.unwrap_or(0),
            forced: walk.forced,
            solution: walk.solution,
            steps: fewer.unwrap_or(steps),
        })
    }

    /// The distance of a board of the signature.
    #[inline]
    fn of(&self, place: Numbered) -> u8 {
        // The solved boards come last and are not in the list.
        self.bytes.get(place.number()).copied().unwrap_or(0)
    }
}

/// The distances in moves of the boards of a family: it takes no fewer steps.
struct InMoves<'a> {
    distances: Distances<'a>,
    numbers: Numbers<'a>,
}

impl Floor for InMoves<'_> {
    type Place = Numbered;

    #[inline]
    fn next(&mut self, place: Numbered, from: Key, to: Key) -> Numbered {
        self.numbers.next(place, from, to)
    }

    /// They are far from each other in memory, but no load waits for the one before.
    #[inline]
    fn at_least(&self, places: &[Numbered], distances: &mut [u8]) {
        for (distance, &place) in distances.iter_mut().zip(places) {
            *distance = self.distances.of(place);
        }
    }
}

/// A number for a move of a vehicle that stands at `start`. The sum of those of some
/// moves says which they are, not in what order.
pub fn number(mv: Move, start: u8) -> u64 {
    split_mix(u64::from(mv.vehicle) << 16 | u64::from(start) << 8 | u64::from(mv.delta as u8))
}

/// The solution that follows the first move of each board that leads nearer.
struct Walk {
    /// The board it has come to.
    at: Key,
    solution: Vec<Move>,
    forced: u32,
}

impl Walk {
    /// Goes on by the first of the moves that lead nearer, in the order of
    /// [`Board::moves`]. False if there is none.
    fn follow(&mut self, choices: &[(Slide, Key, Numbered)]) -> bool {
        let in_order =
            |(mv, ..): &&(Slide, Key, Numbered)| (mv.vehicle, mv.delta > 0, mv.delta.unsigned_abs());
        let Some(&(slide, next, _)) = choices.iter().min_by_key(in_order) else { return false };
        self.at = next;
        self.solution.push(slide.mv());
        self.forced += u32::from(choices.len() == 1);
        true
    }
}
