//! The catalogue: every interesting puzzle of a space.

mod features;
mod puzzle;
pub mod shortest;
mod summary;
pub mod survey;

pub use features::Features;
pub use puzzle::Puzzle;
pub use summary::{Counts, Summary};
