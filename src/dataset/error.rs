//! What can go wrong while a dataset is written.

use std::io;
use std::path::{Path, PathBuf};

use super::hh_evolver::HeadError;
use crate::board::Metric;
use crate::probe::ProbeError;
use crate::table::{Table, TableError};

/// Why a dataset was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A board has no answer.
    #[error("{error}")]
    Probe {
        /// The size of the board.
        size: usize,
        /// What was asked for.
        metric: Metric,
        /// Why.
        error: ProbeError,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The name or the description does not fit the form.
    #[error(transparent)]
    Head(#[from] HeadError),
    /// Somebody asked to stop.
    #[error("interrupted; nothing was written")]
    Stopped,
}

impl ExportError {
    pub(super) fn of_table<B: AsRef<[u8]>>(table: &Table<B>, error: TableError) -> ExportError {
        let contents = table.header().contents;
        ExportError::Probe { size: contents.size, metric: contents.metric, error: error.into() }
    }

    pub(super) fn io(path: &Path, error: io::Error) -> ExportError {
        ExportError::Io { path: path.to_owned(), error }
    }
}
