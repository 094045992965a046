//! The backward search: from all solved boards to every board that can reach
//! one.
//!
//! [`edge_words`] packs boards into machine words, [`graph`] joins the words
//! by moves, [`search`] walks the graph level by level, [`isa`] has the few
//! operations that CPUs have instructions for. `docs/algorithm.md` tells the
//! whole story with the figures behind each choice.

pub mod edge_words;
pub mod graph;
pub mod isa;
pub mod search;

pub use edge_words::EdgeWords;
pub use search::{Code, Solver};

/// The byte of a board that cannot be solved.
pub const UNSOLVABLE: u8 = u8::MAX;

/// How many boards have each distance; index [`UNSOLVABLE`] counts those that
/// have none.
pub type Histogram = [u64; 256];
