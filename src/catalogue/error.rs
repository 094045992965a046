//! What can go wrong with a catalogue.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::space::{SpaceError, Spaces};

/// A catalogue cannot be used or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// There is no such file.
    #[error("there is no catalogue of puzzles of {spaces} ({} is missing)", .path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
        /// The boards asked for.
        spaces: Spaces,
    },
    /// There is only the file of a build that did not finish.
    #[error("the catalogue of puzzles of {spaces} is not finished ({} is there)", .path.display())]
    Unfinished {
        /// The unfinished file.
        path: PathBuf,
        /// The boards asked for.
        spaces: Spaces,
    },
    /// There are no such boards.
    #[error(transparent)]
    NoSpace(#[from] SpaceError),
    /// The operating system refused.
    #[error("cannot use {}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// The disk is full.
    #[error("{}: the disk is full", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Another program writes to the file.
    #[error("{}: another program is writing to it", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Another program has begun to change the file and has not finished.
    #[error(
        "{} lies beside {}: another program is changing the catalogue or was cut off at it",
        .journal.display(),
        .path.display()
    )]
    Unsettled {
        /// The catalogue.
        path: PathBuf,
        /// What lies beside it.
        journal: PathBuf,
    },
    /// The file is something else.
    #[error("{}: this is not a complete Tailback catalogue ({found})", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// The file was written in another format.
    #[error(
        "{}: the catalogue has schema version {found}, which is {} than version {expected} of this program",
        .path.display(),
        if found < expected { "older" } else { "newer" }
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: i32,
        /// Ours.
        expected: i32,
    },
    /// The file follows other rules of what a board is.
    #[error("{}: the catalogue follows rules {found}, this program knows rules {expected}", .path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// The file's rules.
        found: String,
        /// Ours.
        expected: u32,
    },
    /// The file is for other boards than its name says.
    #[error(
        "{}: the catalogue is of {found}, not of {expected}: it was renamed or copied over another",
        .path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The boards of the file, as its name should tell them.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// Bytes are missing or changed.
    #[error("{}: the catalogue is damaged: {what}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// An unfinished build is by another version, or of something else.
    #[error(
        "{} is an unfinished catalogue of {found}, and this one is of {asked}",
        .path.display()
    )]
    OtherSettings {
        /// The unfinished file.
        path: PathBuf,
        /// What it is of.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// An unfinished build cannot go on.
    #[error("{} is an unfinished catalogue and damaged ({what})", .path.display())]
    DamagedPart {
        /// The unfinished file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// The observer wanted it.
    #[error("stopped")]
    Stopped,
    /// SQLite refused for another reason.
    #[error("{}: SQLite refused", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl CatalogueError {
    pub(super) fn io(path: &Path, source: std::io::Error) -> CatalogueError {
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                CatalogueError::Full { path: path.to_owned() }
            }
            _ => CatalogueError::Io { path: path.to_owned(), source },
        }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> CatalogueError {
        CatalogueError::Damaged { path: path.to_owned(), what: what.into() }
    }

    /// What an error of SQLite means for this file. A value that is missing
    /// or of the wrong type is damage: the schema does not allow it.
    pub(super) fn sqlite(path: &Path, source: rusqlite::Error) -> CatalogueError {
        use rusqlite::Error::*;
        let damaged = |source: rusqlite::Error| CatalogueError::damaged(path, source.to_string());
        match &source {
            QueryReturnedNoRows
            | FromSqlConversionFailure(..)
            | IntegralValueOutOfRange(..)
            | InvalidColumnType(..)
            | Utf8Error(..) => damaged(source),
            // A column is gone although the version is ours.
            SqlInputError { msg, .. } if msg.starts_with("no such") => damaged(source),
            SqliteFailure(error, message) => match error.code {
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => damaged(source),
                // A table is.
                ErrorCode::Unknown if message.as_deref().is_some_and(|m| m.starts_with("no such")) => {
                    damaged(source)
                }
                ErrorCode::OperationInterrupted => CatalogueError::Stopped,
                ErrorCode::DiskFull => CatalogueError::Full { path: path.to_owned() },
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                    CatalogueError::Busy { path: path.to_owned() }
                }
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::ReadOnly => {
                    CatalogueError::Io { path: path.to_owned(), source: std::io::Error::other(source) }
                }
                _ => CatalogueError::Sqlite { path: path.to_owned(), source: source.into() },
            },
            _ => CatalogueError::Sqlite { path: path.to_owned(), source: source.into() },
        }
    }

    /// The same error about a file that is not finished.
    pub(super) fn of_part(self) -> CatalogueError {
        match self {
            CatalogueError::Damaged { path, what } => CatalogueError::DamagedPart { path, what },
            other => other,
        }
    }
}
