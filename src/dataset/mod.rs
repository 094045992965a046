//! Datasets: boards labelled with their exact distance, h\*, for people who
//! evolve or learn heuristics.

pub mod csv;
mod draw;
mod error;
mod export;
mod format;
pub mod hh_evolver;
mod item;
mod jsonl;
mod label;
mod last_move;
mod manifest;
mod number;
mod output;
pub mod parquet;
pub mod pddl;
mod permutation;
mod quotes;
mod row;
pub mod rush;
mod split;
mod strata;

pub use draw::{Draw, Tables};
pub use error::ExportError;
pub use export::{Counts, Export, Totals};
pub use format::{Form, Format, Page, Sheet};
pub use item::{Drawn, Given, Item};
pub use jsonl::Jsonl;
pub use label::Labeller;
pub use last_move::last_move;
pub use manifest::{FileEntry, LICENCE, Manifest, Recipe};
pub use output::{Folder, Output, Place, Written};
pub use permutation::Permutation;
pub use row::{About, Label, Row, Schema};
pub use split::{Split, SplitError};
pub use strata::{Strata, Stratum};
