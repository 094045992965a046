//! What can go wrong while a dataset is written.

use std::io;
use std::path::{Path, PathBuf};

use crate::board::{Board, BoardError, Metric};
use crate::catalogue::CatalogueError;
use crate::probe::ProbeError;
use crate::table::{Table, TableError};

/// Why a dataset was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A board has no answer.
    #[error("{}{error}", .board.as_ref().map_or(String::new(), |board| format!("{board}: ")))]
    Probe {
        /// Which one, if it was somebody's choice.
        board: Option<String>,
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
    /// The rows do not fit the format.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// A puzzle cannot be read.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A puzzle is no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// There are fewer boards of some shape than are wanted.
    #[error("there are only {boards} such boards")]
    TooFewBoards {
        /// How many.
        boards: u64,
    },
    /// Somebody asked to stop.
    #[error("interrupted; no file was written")]
    Stopped,
}

impl ExportError {
    pub(super) fn of_table(table: &Table, error: TableError) -> ExportError {
        let contents = table.header().contents;
        ExportError::Probe {
            board: None,
            size: contents.space.size,
            metric: contents.metric,
            error: error.into(),
        }
    }

    pub(super) fn of_board(board: &Board, metric: Metric, error: ProbeError) -> ExportError {
        // A damaged table is no matter of the board, which is another in every run.
        let named = (!matches!(error, ProbeError::Table(_))).then(|| board.text());
        ExportError::Probe { board: named, size: board.size(), metric, error }
    }

    /// Of boards that nobody chose one by one.
    pub(super) fn of_cluster(board: &Board, metric: Metric, error: impl Into<ProbeError>) -> ExportError {
        ExportError::Probe { board: None, size: board.size(), metric, error: error.into() }
    }

    pub(super) fn io(path: &Path, error: io::Error) -> ExportError {
        ExportError::Io { path: path.to_owned(), error }
    }
}

/// What a dataset has and its format has no room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// Distances in more metrics than one.
    #[error("the format has one distance a board")]
    Metrics,
    /// Distances in another metric.
    #[error("the format counts moves")]
    OnlyMoves,
    /// Boards that cannot be solved.
    #[error("the format has no word for an unsolvable board")]
    Unsolvable,
    /// Columns of heuristics.
    #[error("the format has no columns for heuristics")]
    Heuristics,
    /// Columns of moves, families or clusters.
    #[error("the format has no columns for moves, families and clusters")]
    Extras,
    /// Instances of another puzzle than Rush Hour.
    #[error("the format is of boards of Rush Hour")]
    Instances,
    /// More rows than this.
    #[error("the format has at most {0} rows")]
    Rows(u64),
}

/// Why a name or a description cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeadError {
    /// It has more than one line.
    #[error("the {what} has a line break, but it must fit on one line of the file")]
    LineBreak {
        /// `name` or `description`.
        what: &'static str,
    },
    /// A reader with bounded memory would not take it.
    #[error("the {what} is too long: a line has at most {longest} bytes")]
    TooLong {
        /// `name` or `description`.
        what: &'static str,
        /// The most bytes of a line.
        longest: usize,
    },
}
