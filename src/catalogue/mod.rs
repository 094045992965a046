//! The catalogue: every interesting puzzle of a space, in one SQLite file.
//!
//! [`survey`] finds the clusters of a row signature and the puzzles among
//! their hardest boards, `shortest` and a search in steps work out the
//! columns of each, and [`mod@build`] runs that over all signatures and hands the
//! rows to a [`Writer`]. [`Catalogue`] opens the file, [`Query`] asks it.
//! [`Features`] has the same of any board, on the spot.

pub mod build;
mod column;
mod difficulty;
mod error;
mod features;
mod finished;
mod numbers;
mod pack;
mod packed;
mod puzzle;
mod query;
mod read;
mod row;
mod rules;
mod sample;
mod schema;
mod shortest;
mod starter;
mod summary;
pub mod survey;
pub(crate) mod surveying;
mod value;
mod writer;

pub use build::{BuildError, BuildOptions, Report, Source, build};
pub(crate) use column::VERSION as SCHEMA;
pub use column::{Column, Declaration, Holds};
pub use difficulty::SolutionProfile;
pub use error::CatalogueError;
pub use features::Features;
pub use pack::{Level, Pack};
pub use puzzle::Puzzle;
pub use query::{
    Chosen, Inventory, InventoryError, MOST_SORTS, Puzzles, Query, Range, RangeError, Sort, SortError,
    Sorting,
};
pub use read::{Catalogue, STARTER_SIZE};
pub use rules::Rules;
pub(crate) use sample::ratio_of_sums;
pub use sample::{Projection, Sample, Sampling, Surveyed};
pub use schema::{Contents, KindError, file_name, kind_bits, kind_names, kind_text, kinds, spaces_of};
pub use starter::write_starter;
pub use summary::{ClusterCount, PuzzlesByMoves, RuleCounts, Summary, Totals};
pub use value::Value;
pub use writer::Writer;
