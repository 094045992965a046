//! One file a command: read the options, ask the library, print.

pub mod build;
pub mod compare;
pub mod completions;
pub mod evolve;
pub mod export;
pub mod grade;
pub mod hardest;
pub mod heuristics;
pub mod hint;
pub mod import;
pub mod import_dataset;
pub mod lookup;
pub mod man;
pub mod merge;
pub mod pack;
pub mod plan;
pub mod puzzles;
pub mod render;
pub mod serve;
pub mod show;
pub mod solve;
pub mod stats;
pub mod status;
pub mod survey;
pub mod verify;
