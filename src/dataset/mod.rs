//! Datasets: boards labelled with their exact distance, h\*, for people who
//! evolve or learn heuristics.

mod row;

pub use row::{About, Label, Row, Schema};
