//! Why a build in shards does not go on.

use std::path::{Path, PathBuf};

use crate::pipeline::NoThreads;
use crate::table::{PackError, TableError};
use crate::{catalogue, table};

/// A plan or a shard cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The same as for a table: stopped, no room, the system refused, …
    #[error(transparent)]
    Build(#[from] table::BuildError),
    /// The same as for a catalogue.
    #[error(transparent)]
    Catalogue(catalogue::BuildError),
    /// There is no such plan.
    #[error("there is no plan {}", .path.display())]
    NoSuchPlan {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file is no plan of this version.
    #[error("{} is no plan that this program can follow: {what}", .path.display())]
    NoPlan {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// Somebody changed the plan.
    #[error("the plan {} was changed or is damaged", .path.display())]
    ChangedPlan {
        /// The file.
        path: PathBuf,
    },
    /// Another plan has this name.
    #[error("{} is another plan", .path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
    },
    /// The folder of its shards has the name of the plan with another ending.
    #[error("the name of a plan ends with .plan, not as {}", .path.display())]
    Name {
        /// The name.
        path: PathBuf,
    },
    /// So many shards cannot be made.
    #[error("{shards} shards cannot be made of it: 1 to {most} can")]
    TooMany {
        /// How many were wanted.
        shards: u32,
        /// How many there can be.
        most: u32,
    },
    /// The plan has no such shard.
    #[error("there is no shard {number}: the plan has shards 1 to {shards}")]
    NoShard {
        /// Its number.
        number: u32,
        /// How many there are.
        shards: u32,
    },
    /// Another process is at it.
    #[error("another process is at shard {number}")]
    Busy {
        /// Its number.
        number: u32,
    },
    /// A file in the place of a shard, which is not to be lost.
    #[error("{} cannot be used as shard {number}: {fault}", .path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
        /// The number of the shard.
        number: u32,
        /// What it is.
        fault: Fault,
    },
    /// Shards are missing or cannot be used.
    #[error("{}", told(.faults, *.shards))]
    Incomplete {
        /// Their numbers and what is wrong with them.
        faults: Vec<(u32, Fault)>,
        /// How many shards there are.
        shards: u32,
    },
}

/// Why a file is not the shard of a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is none.
    #[error("it is missing")]
    Missing,
    /// Its bytes are not what was written.
    #[error("it is damaged")]
    Damaged,
    /// It is something else.
    #[error("it is no shard")]
    NoShard,
    /// It was made by another version of the program.
    #[error("it was made by version {0}")]
    Version(String),
    /// It belongs to another plan.
    #[error("it is of another plan")]
    OtherPlan,
    /// It is there twice, under the name of another one.
    #[error("it is shard {0} under another name")]
    OtherShard(String),
}

/// The faults that are reported one by one.
const TOLD: usize = 5;

fn told(faults: &[(u32, Fault)], shards: u32) -> String {
    let list: Vec<String> =
        faults.iter().take(TOLD).map(|(number, fault)| format!("shard {number}: {fault}")).collect();
    let more = match faults.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("{} of {shards} shards cannot be merged: {}{more}", faults.len(), list.join("; "))
}

impl ShardError {
    pub(super) fn io(path: &Path, source: std::io::Error) -> ShardError {
        TableError::io(path, source).into()
    }
}

impl From<TableError> for ShardError {
    fn from(error: TableError) -> ShardError {
        ShardError::Build(error.into())
    }
}

impl From<PackError> for ShardError {
    fn from(error: PackError) -> ShardError {
        ShardError::Build(error.into())
    }
}

impl From<NoThreads> for ShardError {
    fn from(error: NoThreads) -> ShardError {
        ShardError::Build(error.into())
    }
}

impl From<catalogue::BuildError> for ShardError {
    fn from(error: catalogue::BuildError) -> ShardError {
        match error {
            catalogue::BuildError::Build(error) => error.into(),
            other => ShardError::Catalogue(other),
        }
    }
}
