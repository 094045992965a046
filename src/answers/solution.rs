//! One shortest solution.

use serde::Serialize;

use super::{BoardAnswer, Count, Searched, written};
use crate::board::{Board, Metric};
use crate::cluster::Bounds;
use crate::probe::{ProbeError, Session};

/// One shortest solution, or what a search by name found.
#[derive(Serialize)]
pub struct Solution {
    /// Of the board.
    #[serde(flatten)]
    pub found: BoardAnswer,
    /// The moves; none if there is no solution.
    pub solution: Option<Vec<String>>,
    /// If it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Searched>,
    /// If asked for; null if there were too many boards to count on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<Option<Count>>,
}

impl Solution {
    /// Solves a board, and counts its optimal solutions if that is asked for.
    pub fn of(
        session: &mut Session,
        board: &Board,
        metric: Metric,
        counts: bool,
        bounds: Bounds,
    ) -> Result<Solution, ProbeError> {
        let answer = session.solve(board, metric, bounds)?;
        let found = BoardAnswer::new(session, board, metric, (answer.distance, answer.source))?;
        let optimal_solutions = match counts.then(|| session.optimal_solutions(board, metric, bounds)) {
            None => None,
            Some(Ok(count)) => Some(Some(count.into())),
            // The solution stands, even if the whole cluster is past the limit.
            Some(Err(ProbeError::Cluster(_))) => Some(None),
            Some(Err(error)) => return Err(error),
        };
        let solution = answer.solution.map(|moves| written(board, &moves));
        Ok(Solution { found, solution, search: None, optimal_solutions })
    }
}
