//! Games, judged move by move.

use std::sync::Arc;

use axum::extract::{Request, State};
use serde::Deserialize;

use super::{Answer, json, json_body};
use crate::answers::Game;
use crate::board::{Board, Move};
use crate::probe::{GradeError, read_moves};
use crate::serve::app::App;
use crate::serve::limits;
use crate::serve::params::Params;
use crate::serve::refusal::Refusal;

/// A game that was played.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    board: String,
    moves: Moves,
    metric: Option<String>,
    primary: Option<char>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    Text(String),
    List(Vec<String>),
}

/// The moves of a game, if they are not too many.
pub fn game(board: &Board, moves: &str) -> Result<Vec<Move>, Refusal> {
    let moves = read_moves(board, moves)?;
    match moves.len() <= limits::MOVES {
        true => Ok(moves),
        false => Err(Refusal::too_large(format!("a game has at most {} moves", limits::MOVES))),
    }
}

pub async fn grade(State(app): State<Arc<App>>, _: Params, request: Request) -> Answer {
    let played: Played = json_body(&app, request).await?;
    let metric = super::boards::metric(played.metric.as_deref())?;
    let board = app.board(&played.board, played.primary).await?;
    let moves = match played.moves {
        Moves::Text(text) => text,
        Moves::List(list) => list.join(" "),
    };
    let moves = game(&board, &moves)?;
    // A game is a look-up for every move of every board.
    let answer = app.ask_long(board, move |session, board, bounds| {
        match session.grade(board, &moves, metric, bounds) {
            Ok(grade) => Ok(Ok(Game::of(session, board, metric, &grade)?)),
            Err(GradeError::Probe(error)) => Err(error),
            Err(error) => Ok(Err(error)),
        }
    });
    Ok(json(&answer.await??))
}
