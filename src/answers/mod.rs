//! Answers about boards, games, searches, puzzles and experiments: the JSON of
//! the command line and of the HTTP API, defined once.
//!
//! Each answer is plain data with the names of `docs/schema.json`. Where it takes
//! a look-up to make one, it is made from a [`Session`](crate::probe::Session).

mod count;
#[cfg(feature = "evolution")]
mod experiment;
#[cfg(feature = "pictures")]
mod formula;
mod found;
mod game;
mod hint;
mod listing;
mod lookup;
#[cfg(feature = "pictures")]
mod pack;
mod puzzle;
#[cfg(all(feature = "evolution", feature = "pictures"))]
pub mod report;
mod searched;
mod solution;
mod tables;

pub use count::Count;
#[cfg(feature = "evolution")]
pub use experiment::{ExperimentSummary, RunSummary};
#[cfg(feature = "pictures")]
pub use formula::formula_tree;
pub use found::{Because, BoardAnswer};
pub use game::{Game, PlayedMove};
pub use hint::{Degree, Hint};
pub use listing::{ListForm, to_json};
pub use lookup::{Choice, Lookup};
#[cfg(feature = "pictures")]
pub use pack::{PackError, PackFolder, PackLevel};
pub use puzzle::{CellValue, Head, Matching, PuzzleObject};
pub use searched::Searched;
pub use solution::Solution;
pub use tables::TableSummary;

use crate::board::{Board, Move};

/// Moves as they are written.
pub fn written(board: &Board, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| board.notation(mv)).collect()
}
