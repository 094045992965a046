//! The backward search: from all solved boards to every board that can reach
//! one.
//!
//! `edge_words` packs boards into machine words, `moves` holds all that is
//! known of moves beforehand, `part` cuts a signature into parts, `graph`
//! joins the words of a part by moves, `search` walks the graph level by
//! level, `isa` has the few operations that CPUs have instructions for. `docs/algorithm.md` tells the
//! whole story with the figures behind each choice.

mod edge_words;
mod graph;
mod isa;
mod moves;
mod part;
mod search;

pub use moves::MoveTables;
pub use search::{Code, Counted, Furthest, Solver};
