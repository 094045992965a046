//! `tailback lookup`: the distance of a board and of every move.

use clap::Args;
use serde::Serialize;
use tailback::board::Board;
use tailback::probe::{ProbeError, Rating, Session};
use tailback::render::terminal;

use crate::cli::shared::boards::{Boards, Found, Input};
use crate::cli::shared::columns::{Column, Columns};
use crate::cli::shared::{Global, Result, output};

const EXAMPLES: &str = "\
Examples:
  tailback lookup BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo
  tailback lookup '..B. AAB. .x.. ....' --metric steps
  tailback lookup --primary X 'YY..Z. ....Z. XX..Z. ...... ...... ......'
  tailback lookup - < boards.txt > answers.jsonl

A board is its cells row by row, rows apart or not: `.` or `o` empty, `x` a
wall, `A` the primary, other letters vehicles. Of many boards each line gets
one JSON object, in order; blank lines and lines with # are skipped. A move
is a letter and a number of cells: B+2 is right or down by two.";

/// Look up a board: its distance, and that of every move
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Lookup {
    #[command(flatten)]
    boards: Boards,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    found: Found,
    moves: Vec<RatedMove>,
}

#[derive(Serialize)]
struct RatedMove {
    r#move: String,
    distance: Option<u32>,
}

impl Lookup {
    pub fn run(&self, global: &Global) -> Result<()> {
        let board = match self.boards.input()? {
            Input::Many(input) => return self.boards.batch(global, input, |s, board| self.answer(s, board)),
            Input::One(board) => board,
        };
        let prober = self.boards.options.prober(global);
        let mut session = prober.session();
        if global.json {
            output::json(&self.answer(&mut session, &board)?)?;
        } else {
            let rating = session.rate(&board, self.boards.metric)?;
            output::text(&self.in_words(&board, &rating))?;
            self.boards.hint(&global.db, &board, rating.source);
        }
        Ok(())
    }

    fn answer(&self, session: &mut Session, board: &Board) -> Result<Answer, ProbeError> {
        let rating = session.rate(board, self.boards.metric)?;
        let found = self.boards.found(session, board, rating.distance, rating.source)?;
        let moves = rating
            .moves
            .iter()
            .map(|&(mv, distance)| RatedMove { r#move: board.notation(mv), distance })
            .collect();
        Ok(Answer { found, moves })
    }

    fn in_words(&self, board: &Board, rating: &Rating) -> String {
        let mut text = terminal::board(board, output::colour());
        text += &self.boards.sentence(board, rating.distance, rating.source);
        if rating.moves.is_empty() {
            return text;
        }
        let rows = rating.moves.iter().map(|&(mv, after)| {
            let distance = after.map_or("-".to_owned(), |d| d.to_string());
            [board.notation(mv), distance, verdict(rating.distance, after)]
        });
        let columns = [Column::numbers("move"), Column::numbers("then"), Column::words("")];
        text + "\n" + &Columns::of(columns, rows).text(usize::MAX)
    }
}

/// What a move is worth. No move leads out of a solvable cluster or into one.
fn verdict(before: Option<u32>, after: Option<u32>) -> String {
    match (before, after) {
        (Some(before), Some(after)) if after < before => "best".to_owned(),
        (Some(before), Some(after)) if after == before => "keeps".to_owned(),
        (Some(before), Some(after)) => format!("loses {}", after - before),
        _ => "unsolvable".to_owned(),
    }
}
