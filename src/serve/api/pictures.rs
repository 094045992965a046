//! Boards as pictures.

use std::sync::Arc;

use axum::extract::State;

use super::{Answer, bytes};
use crate::render::picture::Picture;
use crate::render::png;
use crate::serve::app::App;
use crate::serve::params::Params;
use crate::serve::refusal::Refusal;

/// Pixels from left to right.
const WIDTH: u32 = 600;
/// A longer title would take more room than the board.
const TITLE: usize = 200;

pub async fn svg(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let title = params.text("title").to_owned();
    if title.chars().count() > TITLE {
        return Err(Refusal::unreadable(format!("title: it has at most {TITLE} characters")));
    }
    Ok(bytes("image/svg+xml", Picture { board: &board, title, letters: true }.draw().svg))
}

pub async fn png(State(app): State<Arc<App>>, params: Params) -> Answer {
    let board = app.board(params.text("board"), params.primary()).await?;
    let width: u32 = params.number("width").unwrap_or(WIDTH);
    let picture = app.long(move |_| {
        let drawing = Picture { board: &board, title: String::new(), letters: true }.draw();
        Ok(png::from_svg(&drawing.svg, width as f32 / drawing.width as f32)?)
    });
    Ok(bytes("image/png", picture.await?))
}
