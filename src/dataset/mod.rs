//! Datasets: boards labelled with their exact distance, h\*, for people who
//! evolve or learn heuristics.
//!
//! Boards are drawn from a table, each as likely as any other ([`Draw`]) or so
//! many at every distance ([`Strata`]), or come from elsewhere ([`Item`]). A
//! [`Labeller`] puts distances and heuristics beside each; an [`Export`] does so
//! on all cores and writes the [`Row`]s in order into one file, or into one for
//! each part of a [`Split`] that shares no family with another. How rows become
//! bytes is a [`Format`]'s business.
//!
//! The same boards and the same seed give the same bytes, whatever the number
//! of threads, and memory does not grow with the number of rows.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use tailback::board::Metric;
//! use tailback::dataset::{Draw, Tables};
//! use tailback::table::{Plan, Table, build};
//!
//! let folder = tempfile::tempdir()?;
//! build(&Plan::new(folder.path(), 4, Metric::Moves), &())?;
//! let table = Table::open(folder.path(), 4, Metric::Moves)?;
//! let (tables, stop) = ([&table], AtomicBool::new(false));
//! let mut draw = Draw::new(Tables { by_metric: &tables }, 10, 7, false, &stop);
//! let boards = draw.next().unwrap()?;
//! assert_eq!(boards.len(), 10);
//! assert!(boards.iter().all(|drawn| drawn.is_solvable()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod problems;
mod quotes;
mod row;
pub mod rush;
mod split;
mod strata;
mod tables;

pub use draw::Draw;
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
pub use problems::Problems;
pub use row::{About, Label, Row, Schema};
pub use split::{Split, SplitError};
pub use strata::{Strata, Stratum};
pub use tables::Tables;
