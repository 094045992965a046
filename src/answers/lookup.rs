//! The distance of a board and of every move.

use serde::Serialize;

use super::BoardAnswer;
use crate::board::{Board, Distance, Metric};
use crate::cluster::Bounds;
use crate::probe::{ProbeError, Rating, Session};

/// The distance of a board and of every move.
#[derive(Serialize)]
#[non_exhaustive]
pub struct Lookup {
    /// Of the board.
    #[serde(flatten)]
    pub found: BoardAnswer,
    /// Every move, best first.
    pub choices: Vec<Choice>,
}

/// A move and what it is worth.
#[derive(Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// As it is written.
    pub r#move: String,
    /// After it.
    pub distance: Distance,
    /// By how much it is longer than a best one.
    pub loss: Option<u32>,
}

impl Lookup {
    /// Looks a board up.
    pub fn of(
        session: &mut Session,
        board: &Board,
        metric: Metric,
        bounds: Bounds,
    ) -> Result<Lookup, ProbeError> {
        let Rating { distance, source, moves } = session.rate(board, metric, bounds)?;
        let found = BoardAnswer::new(session, board, metric, (distance, source))?;
        // From a solved board every move loses what it leads away, and itself.
        let loss = |after: Distance| Some((after.known()? + 1).saturating_sub(distance.known()?));
        let choices = moves.iter().map(|&(mv, after)| Choice {
            r#move: board.notation(mv),
            distance: after,
            loss: loss(after),
        });
        Ok(Lookup { choices: choices.collect(), found })
    }
}
