//! The language of heuristics: formulas over the building blocks of a puzzle.
//!
//! A puzzle brings a [`Vocabulary`]: what its building blocks are called and what
//! is known of them. A [`Heuristic`] is read from text, written, simplified and
//! evaluated here, for one state ([`Blocks`]) or for many at once ([`Columns`]);
//! what a block says of a state is the puzzle's business.
//!
//! Formulas calculate in fixed point, whole thousandths, so a
//! value does not depend on the machine or on the order of evaluation.

mod block;
pub mod columns;
mod evaluate;
mod heuristic;
mod names;
mod number;
mod read;
mod simplify;
mod write;

pub use block::{Block, Evolved, Facts, Kind, Vocabulary};
pub use columns::Columns;
pub use evaluate::Blocks;
pub use heuristic::{Heuristic, Named, Part, PartMut, Test};
pub use read::HeuristicError;
