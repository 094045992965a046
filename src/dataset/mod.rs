//! Datasets: boards labelled with their exact distance, h\*, for people who
//! evolve or learn heuristics.
//!
//! A [`Source`] gives the boards: drawn from a table, each as likely as any other
//! or so many at every distance ([`Lot`]), a whole cluster, the puzzles of a
//! catalogue, or anybody's. A [`Labeller`] puts distances and heuristics beside
//! each; an [`Export`] does so on all cores and writes the [`Row`]s in order into
//! one file, or into one for each part of a [`Split`] that shares no family with
//! another. How rows become bytes is a [`Format`]'s business. An [`Audit`] checks
//! what others have written.
//!
//! The same boards and the same seed give the same bytes, whatever the number
//! of threads, and memory does not grow with the number of rows.
//!
//! ```
//! use tailback::board::Metric;
//! use tailback::dataset::{Draw, Tables};
//! use tailback::table::{BuildOptions, Table, build};
//!
//! let folder = tempfile::tempdir()?;
//! build(&BuildOptions::new(folder.path(), 4, Metric::Moves), &())?;
//! let table = Table::open(folder.path(), 4, Metric::Moves)?;
//! let tables = [&table];
//! let mut draw = Draw::new(Tables { by_metric: &tables }, 10, 7, false);
//! let boards = draw.next_batch(&()).unwrap()?;
//! assert_eq!(boards.len(), 10);
//! assert!(boards.iter().all(|drawn| drawn.is_solvable()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod draw;
mod error;
mod export;
mod extra;
mod files;
mod formats;
mod item;
mod label;
mod last_move;
mod manifest;
mod output;
mod permutation;
mod phases;
mod row;
mod seen;
mod shape;
mod shares;
mod source;
mod split;
mod strata;
mod tables;

pub use audit::{
    Audit, Checked, Column, ColumnError, Fault, LargestError, Number, OtherMetric, Summary, WrongValue,
};
pub use draw::Draw;
pub use error::{ExportError, HeadError, Misfit};
pub use export::{Export, FileCounts, Totals};
pub use extra::{Extra, ExtraValue};
pub use files::Files;
pub use formats::{DataFile, Distances, Encoder, Format, csv, hh_evolver, parquet, pddl, rush};
pub use item::{Drawn, Given, Item};
pub use label::Labeller;
pub use last_move::last_move;
pub use manifest::{FileEntry, LICENCE, Manifest, Recipe};
pub use output::{Output, Written};
pub use permutation::Permutation;
pub use row::{About, Label, PerMetric, Row, Schema, Subject};
pub use seen::Repeats;
pub use shape::Shape;
pub use shares::{Shares, Uneven};
pub use source::{Lot, Source, SourceError, Wanted};
pub use split::{Split, SplitError};
pub use strata::{Strata, Stratum};
pub use tables::Tables;
