//! `tailback lookup`: the distance of a board and of every move.

use clap::Args;
use tailback::answers::Lookup as Answer;
use tailback::board::{Board, Distance};
use tailback::probe::{ProbeError, Rating, Session};
use tailback::render::terminal;

use crate::shared::boards::{Boards, Input};
use crate::shared::columns::{Column, Columns};
use crate::shared::{Global, Result, output};

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
    /// Say why for every unsolvable board of a list, too
    #[arg(long)]
    reasons: bool,
}

impl Lookup {
    pub fn run(&self, global: &Global) -> Result<()> {
        let board = match self.boards.input(global)? {
            Input::Many(input) => {
                return self.boards.batch(global, input, |session, board| match self.reasons {
                    true => self.explained(session, board),
                    false => self.answer(session, board),
                });
            }
            Input::One(board) => board,
        };
        let prober = self.boards.options.prober(global);
        let mut session = prober.session();
        if global.json {
            output::json(&self.explained(&mut session, &board)?)?;
        } else {
            let rating = session.rate(&board, self.boards.metric, self.boards.options.bounds())?;
            output::text(&self.in_words(&mut session, &board, &rating)?)?;
            self.boards.hint(&global.db(), &board, rating.source);
        }
        Ok(())
    }

    fn explained(&self, session: &mut Session, board: &Board) -> Result<Answer, ProbeError> {
        let mut answer = self.answer(session, board)?;
        answer.found.explain(session, board, self.boards.options.bounds())?;
        Ok(answer)
    }

    fn answer(&self, session: &mut Session, board: &Board) -> Result<Answer, ProbeError> {
        Answer::of(session, board, self.boards.metric, self.boards.options.bounds())
    }

    fn in_words(&self, session: &mut Session, board: &Board, rating: &Rating) -> Result<String> {
        let mut text = terminal::board(board, output::colour());
        text += &self.boards.sentence(session, board, (rating.distance, rating.source))?;
        if rating.moves.is_empty() {
            return Ok(text);
        }
        let rows = rating.moves.iter().map(|&(mv, after)| {
            let distance = after.known().map_or("-".to_owned(), |d| d.to_string());
            [board.notation(mv), distance, verdict(rating.distance, after), board.in_words(mv)]
        });
        let [mv, then] = ["move", "then"].map(Column::numbers);
        let columns = [mv, then, Column::words(""), Column::words("in words")];
        Ok(text + "\n" + &Columns::of(columns, rows).text(usize::MAX))
    }
}

/// What a move is worth. No move leads out of a solvable cluster or into one.
fn verdict(before: Distance, after: Distance) -> String {
    match (before.known(), after.known()) {
        (Some(before), Some(after)) if after < before => "best".to_owned(),
        (Some(before), Some(after)) => format!("loses {}", after + 1 - before),
        _ => "unsolvable".to_owned(),
    }
}
