//! A game, judged move by move.

use serde::Serialize;

use super::{BoardAnswer, written};
use crate::board::{Board, Distance, Metric};
use crate::probe::{Grade, GradedMove, ProbeError, Session};

/// A game, judged move by move.
#[derive(Serialize)]
#[non_exhaustive]
pub struct Game {
    /// Of the board it began with.
    #[serde(flatten)]
    pub found: BoardAnswer,
    /// Its moves.
    pub game: Vec<PlayedMove>,
    /// How many moves, or steps.
    pub played: u32,
    /// Of all moves.
    pub total_loss: Option<u32>,
    /// The number of the move, from 1.
    pub first_mistake: Option<usize>,
    /// Is it solved at the end?
    pub solved: bool,
    /// The move that solved it first.
    pub solved_at: Option<usize>,
    /// At the end.
    pub distance_left: Distance,
    /// The board at the end.
    pub end: String,
}

/// A move that was played.
#[derive(Serialize)]
#[non_exhaustive]
pub struct PlayedMove {
    /// As it is written.
    pub r#move: String,
    /// The distance before it.
    pub before: Distance,
    /// The distance after it.
    pub after: Distance,
    /// Did it lose nothing?
    pub optimal: Option<bool>,
    /// What it lost.
    pub loss: Option<u32>,
    /// The moves that lose nothing.
    pub best: Vec<String>,
}

impl Game {
    /// What was found out about a game that began with a board.
    pub fn of(
        session: &mut Session,
        board: &Board,
        metric: Metric,
        grade: &Grade,
    ) -> Result<Game, ProbeError> {
        let found = BoardAnswer::new(session, board, metric, (grade.distance, grade.source))?;
        let played = |graded: &GradedMove| PlayedMove {
            r#move: board.notation(graded.mv),
            before: graded.before,
            after: graded.after,
            optimal: graded.loss().map(|loss| loss == 0),
            loss: graded.loss(),
            best: written(board, &graded.best),
        };
        Ok(Game {
            found,
            game: grade.moves.iter().map(played).collect(),
            played: grade.played(),
            total_loss: grade.total_loss(),
            first_mistake: grade.first_mistake(),
            solved: grade.end.is_solved(),
            solved_at: grade.solved_at,
            distance_left: grade.distance_left,
            end: grade.end.text(),
        })
    }
}
