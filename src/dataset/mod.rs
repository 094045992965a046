//! Datasets: boards labelled with their exact distance, h\*, for people who
//! evolve or learn heuristics.

mod draw;
pub mod hh_evolver;
mod item;
mod label;
mod last_move;
mod number;
pub mod parquet;
pub mod pddl;
mod permutation;
mod row;
mod split;

pub use draw::{Draw, Tables};
pub use item::{Drawn, Given, Item};
pub use label::Labeller;
pub use last_move::last_move;
pub use permutation::Permutation;
pub use row::{About, Label, Row, Schema};
pub use split::{Split, SplitError};
