//! Builds in shards: cut into pieces that any number of machines do, and put
//! together again.
//!
//! A [`Plan`] is a small text file: what is built, and which jobs of the
//! [pipeline](crate::pipeline) each shard has. A shard is the log of its jobs'
//! results, one file (`log`). Merging hands the logs, one after the other, to the
//! same code that a build on one machine hands its results to: so the bytes are
//! the same.
//!
//! All state is files in one folder, which all machines share: `.shard`
//! is whole, `.part` grows and is locked by the process that is at it, `.failed`
//! says why the last attempt ended. Nothing else is needed to know how far the
//! work is ([`Status`]), so anything that can start numbered tasks can drive it.

mod check;
mod counts;
mod error;
mod log;
mod merge;
mod plan;
mod puzzles;
mod run;
mod status;

pub use counts::CountedSpaces;
pub use error::{Fault, ShardError};
pub use merge::{Merged, merge};
pub use plan::{Plan, Product, Shard};
pub use puzzles::{Projected, PuzzlesSoFar, SpaceSoFar};
pub use run::{Done, Run};
pub use status::{State, Status};
