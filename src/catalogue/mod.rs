//! The catalogue: every interesting puzzle of a space.

#![allow(missing_docs)]
mod puzzle;
pub mod shortest;
mod summary;
pub mod survey;

pub use puzzle::Puzzle;
pub use summary::{Counts, Summary};
