//! What is said of every board.

use serde::Serialize;

use crate::board::{Board, Distance, Metric};
use crate::cluster::Bounds;
use crate::probe::{ProbeError, Reason, Session, Source};

/// What is said of every board.
#[derive(Serialize)]
pub struct BoardAnswer {
    /// Its text.
    pub board: String,
    /// The letter of the red car.
    pub primary: char,
    /// Rows and columns.
    pub size: usize,
    /// What a distance counts.
    pub metric: Metric,
    /// None if a search was stopped.
    pub solvable: Option<bool>,
    /// None if it is not known.
    pub distance: Option<Distance>,
    /// Where the answer comes from.
    pub source: Source,
    /// The number of the board among all of its size, if a table knows it.
    pub id: Option<u64>,
    /// Why it is unsolvable, if it is and was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Because>,
}

/// Why a board is unsolvable.
#[derive(Serialize)]
#[non_exhaustive]
pub struct Because {
    /// These vehicles suffice for it.
    pub vehicles: Vec<String>,
    /// With these vehicles alone.
    pub board: String,
    /// Could it be solved without any one of them?
    pub minimal: bool,
    /// The same in words.
    pub text: String,
}

impl From<Reason> for Because {
    fn from(reason: Reason) -> Because {
        Because {
            vehicles: reason.vehicles.iter().map(char::to_string).collect(),
            board: reason.board.text(),
            minimal: reason.is_minimal,
            text: reason.to_string(),
        }
    }
}

impl BoardAnswer {
    /// What a session found. The rank is cheap with a table only.
    pub fn new(
        session: &mut Session,
        board: &Board,
        metric: Metric,
        (distance, source): (Distance, Source),
    ) -> Result<BoardAnswer, ProbeError> {
        let id = if source == Source::Table { session.rank(board)?.map(|rank| rank.0) } else { None };
        Ok(BoardAnswer {
            source,
            id,
            ..BoardAnswer::searched(board, metric, Some(distance.is_solvable()), Some(distance))
        })
    }

    /// What a search of the laboratory says of a board.
    pub fn searched(
        board: &Board,
        metric: Metric,
        solvable: Option<bool>,
        distance: Option<Distance>,
    ) -> BoardAnswer {
        BoardAnswer {
            board: board.text(),
            primary: board.primary().letter,
            size: board.size(),
            metric,
            solvable,
            distance,
            source: Source::Search,
            id: None,
            reason: None,
        }
    }

    /// Adds why an unsolvable board is.
    pub fn explain(
        &mut self,
        session: &mut Session,
        board: &Board,
        bounds: Bounds,
    ) -> Result<(), ProbeError> {
        if self.solvable == Some(false) {
            self.reason = session.reason(board, bounds)?.map(Because::from);
        }
        Ok(())
    }
}
