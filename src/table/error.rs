//! What can go wrong with a table file, and what to do about it.

use std::path::PathBuf;

use crate::board::Metric;

/// A table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no such file.
    #[error(
        "there is no table for {size}×{size} boards in {metric} ({path} is missing); \
         build it with: tailback build --size {size} --metric {metric}"
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
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("this is not a Tailback table (it starts with {found:?}, a table with \"TAILBACK\")")]
    Foreign {
        /// Its first bytes.
        found: String,
    },
    /// The file is a build that did not finish.
    #[error("this table is not finished; run the same `tailback build` again and it goes on from there")]
    Unfinished,
    /// The file was written in another format.
    #[error(
        "the table has format version {found}, this program reads version {expected}; \
         rebuild it with `tailback build`, or use the release that wrote it"
    )]
    Version {
        /// The file's version.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// The file follows other rules of what a board is.
    #[error(
        "the table follows rules {found}, this program knows rules {expected}; rebuild it with `tailback build`"
    )]
    Rules {
        /// The file's rules.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// The file is for other boards than its name says.
    #[error("the table is for {found}, not for {expected}; it was renamed or copied over another")]
    Other {
        /// What the file holds.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// Bytes are missing or changed.
    #[error("the table is damaged: {what}; delete the file and run `tailback build` again, or copy it anew")]
    Damaged {
        /// What does not fit.
        what: String,
    },
}

impl TableError {
    pub(crate) fn damaged(what: impl Into<String>) -> TableError {
        TableError::Damaged { what: what.into() }
    }

    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> TableError {
        TableError::Io { path: path.to_owned(), source }
    }
}
