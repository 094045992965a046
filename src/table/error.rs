//! What can go wrong with a table file.

use std::path::{Path, PathBuf};

use super::Contents;
use crate::board::Metric;
use crate::space::SpaceId;

/// A table cannot be used.
///
/// Where a file was opened by its path, the error carries that; a table in
/// memory has none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// There is no such file.
    #[error("there is no table for boards of {space} in {metric} ({} is missing)", .path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
        /// The boards asked for.
        space: SpaceId,
        /// The metric asked for.
        metric: Metric,
    },
    /// There is no folder of tables where one was named.
    #[error("there is no folder {}", .path.display())]
    NoFolder {
        /// Its name.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot use {}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{}this is not a Tailback table (it starts with {found:?}, a table with \"TAILBACK\")", at(.path))]
    Foreign {
        /// The file.
        path: Option<PathBuf>,
        /// Its first bytes.
        found: String,
    },
    /// The file is a build that did not finish, under the name of a finished one.
    #[error("{}this table is not finished", at(.path))]
    Unfinished {
        /// The file.
        path: Option<PathBuf>,
    },
    /// The file was written in another format.
    #[error("{}the table has format version {found}, this program reads version {expected}", at(.path))]
    Version {
        /// The file.
        path: Option<PathBuf>,
        /// The file's version.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// The file follows other rules of what a board is.
    #[error("{}the table follows rules {found}, this program knows rules {expected}", at(.path))]
    Rules {
        /// The file.
        path: Option<PathBuf>,
        /// The file's rules.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// The file is for other boards than its name says.
    #[error("{}the table is for {found}, not for {expected}: it was renamed or copied over another", at(.path))]
    Other {
        /// The file.
        path: Option<PathBuf>,
        /// What the file holds.
        found: Contents,
        /// What was asked for.
        expected: Contents,
    },
    /// A board is asked for that the table cannot have.
    #[error("a board of {found} is not in a table of boards of {expected}")]
    OtherSpace {
        /// The space of the board.
        found: SpaceId,
        /// That of the table.
        expected: SpaceId,
    },
    /// Bytes are missing or changed.
    #[error("{}the table is damaged: {what}", at(.path))]
    Damaged {
        /// The file.
        path: Option<PathBuf>,
        /// What does not fit.
        what: String,
    },
    /// A signature is surveyed in memory, and this one does not fit.
    #[error("a signature of {boards} boards is too large to survey")]
    TooLarge {
        /// Its boards.
        boards: u64,
    },
    /// An unfinished build was started with other settings.
    #[error("{} is an unfinished build of {found}, and this one is of {asked}", .path.display())]
    OtherSettings {
        /// The unfinished file.
        path: PathBuf,
        /// Its contents, level and builder.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// An unfinished build cannot go on.
    #[error("{} is an unfinished build and damaged", .path.display())]
    DamagedPart {
        /// The unfinished file.
        path: PathBuf,
    },
    /// What has the name of an unfinished build is something else.
    #[error("{} has the name of an unfinished build and is none that could go on: {found}", .path.display())]
    NoPart {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
}

/// The file, as the start of a message.
fn at(path: &Option<PathBuf>) -> String {
    path.as_ref().map_or(String::new(), |path| format!("{}: ", path.display()))
}

impl TableError {
    pub(crate) fn damaged(what: impl Into<String>) -> TableError {
        TableError::Damaged { path: None, what: what.into() }
    }

    pub(crate) fn io(path: &Path, source: std::io::Error) -> TableError {
        TableError::Io { path: path.to_owned(), source }
    }

    /// What is wrong, without the file.
    pub(super) fn bare(&self) -> String {
        match self {
            TableError::Foreign { found, .. } => format!("it starts with {found:?}"),
            TableError::Version { found, expected, .. } => {
                format!("it has format version {found}, not {expected}")
            }
            TableError::Rules { found, expected, .. } => format!("it follows rules {found}, not {expected}"),
            TableError::Damaged { what, .. } => format!("it is damaged: {what}"),
            other => other.to_string(),
        }
    }

    /// The same error about this file, if it is about none yet.
    pub(crate) fn in_file(mut self, name: Option<&Path>) -> TableError {
        match &mut self {
            TableError::Foreign { path, .. }
            | TableError::Unfinished { path }
            | TableError::Version { path, .. }
            | TableError::Rules { path, .. }
            | TableError::Other { path, .. }
            | TableError::Damaged { path, .. } => {
                if path.is_none() {
                    *path = name.map(Path::to_owned);
                }
            }
            TableError::Missing { .. }
            | TableError::NoFolder { .. }
            | TableError::Io { .. }
            | TableError::OtherSpace { .. }
            | TableError::TooLarge { .. }
            | TableError::OtherSettings { .. }
            | TableError::DamagedPart { .. }
            | TableError::NoPart { .. } => {}
        }
        self
    }
}

/// What an error says, and all its reasons.
pub fn with_reasons(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(reason) => format!("{error}: {}", with_reasons(reason)),
        None => error.to_string(),
    }
}
