//! As much help as one asks for.

use serde::Serialize;

use super::{BoardAnswer, written};
use crate::board::{Board, Metric};
use crate::cluster::Bounds;
use crate::probe::{ProbeError, Session};

/// How much is revealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    /// Which vehicle moves next.
    Vehicle,
    /// Where it moves.
    Move,
    /// All moves to the exit.
    Line,
}

/// Null where the board is solved or cannot be; what was not asked for is left out.
#[derive(Serialize)]
#[non_exhaustive]
pub struct Hint {
    /// Of the board.
    #[serde(flatten)]
    pub found: BoardAnswer,
    /// Which vehicle moves next.
    pub vehicle: Option<char>,
    /// The move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#move: Option<Option<String>>,
    /// The move in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Option<String>>,
    /// All moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

impl Hint {
    /// Of one shortest solution, so following it never loses a move.
    pub fn of(
        session: &mut Session,
        board: &Board,
        metric: Metric,
        degree: Degree,
        bounds: Bounds,
    ) -> Result<Hint, ProbeError> {
        let answer = session.solve(board, metric, bounds)?;
        let found = BoardAnswer::new(session, board, metric, (answer.distance, answer.source))?;
        let line = answer.solution.unwrap_or_default();
        let next = line.first().copied();
        let is_told = |least: Degree| degree >= least;
        Ok(Hint {
            found,
            vehicle: next.map(|mv| board.vehicles()[usize::from(mv.vehicle)].letter),
            r#move: is_told(Degree::Move).then(|| next.map(|mv| board.notation(mv))),
            words: is_told(Degree::Move).then(|| next.map(|mv| board.in_words(mv))),
            line: is_told(Degree::Line).then(|| written(board, &line)),
        })
    }
}
