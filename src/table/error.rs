//! What can go wrong with a table file, and what to do about it.

use std::path::{Path, PathBuf};

use super::format::Contents;
use crate::board::Metric;

/// A table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no such file.
    #[error(
        "there is no table for {size}×{size} boards in {metric} ({} is missing); \
         build it with: tailback build --size {size} --metric {metric}, or say with --db where it is",
        .path.display()
    )]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
        /// The size asked for.
        size: usize,
        /// The metric asked for.
        metric: Metric,
    },
    /// The operating system refused.
    #[error("cannot use {} ({source}); check what it is and its permissions, or name another folder with --db",
        .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("this is not a Tailback table (it starts with {found:?}, a table with \"TAILBACK\"); {ANEW}")]
    Foreign {
        /// Its first bytes.
        found: String,
    },
    /// The file is a build that did not finish, under the name of a finished one.
    #[error("this table is not finished; give it back the ending .part and build on, or {ANEW}")]
    Unfinished,
    /// The file was written in another format.
    #[error("the table has format version {found}, this program reads version {expected}; {ANEW}")]
    Version {
        /// The file's version.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// The file follows other rules of what a board is.
    #[error("the table follows rules {found}, this program knows rules {expected}; {ANEW}")]
    Rules {
        /// The file's rules.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// The file is for other boards than its name says.
    #[error("the table is for {found}, not for {expected}: it was renamed or copied over another; {ANEW}")]
    Other {
        /// What the file holds.
        found: Contents,
        /// What was asked for.
        expected: Contents,
    },
    /// Bytes are missing or changed.
    #[error("the table is damaged: {what}; {ANEW}, or copy it anew")]
    Damaged {
        /// What does not fit.
        what: String,
    },
    /// An unfinished build was started with other settings.
    #[error(
        "{} is an unfinished build of {found}, and this one is of {asked}; \
         build with the same settings again, or delete that file to start anew",
        .path.display()
    )]
    OtherSettings {
        /// The unfinished file.
        path: PathBuf,
        /// Its contents, level and builder.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// An unfinished build cannot go on.
    #[error("{} is an unfinished build and damaged; delete that file and build again", .path.display())]
    DamagedPart {
        /// The unfinished file.
        path: PathBuf,
    },
}

/// The way out of most troubles.
const ANEW: &str = "delete the file and run `tailback build` again";

impl TableError {
    pub(crate) fn damaged(what: impl Into<String>) -> TableError {
        TableError::Damaged { what: what.into() }
    }

    pub(crate) fn io(path: &Path, source: std::io::Error) -> TableError {
        TableError::Io { path: path.to_owned(), source }
    }
}
