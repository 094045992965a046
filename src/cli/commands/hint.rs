//! `tailback hint`: as much help as one asks for.

use clap::Args;
use tailback::answers::{self, Degree};
use tailback::board::{Board, Move};
use tailback::probe::{Answer, ProbeError, Session};

use crate::shared::boards::{Boards, Input};
use crate::shared::{Global, Result, options, output};

const EXAMPLES: &str = "\
Examples:
  tailback hint BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo            which vehicle
  tailback hint --degree move BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo
  tailback hint --degree line 9247034717                        the whole way
  tailback hint --degree move - < boards.txt                    one JSON object a line

Every hint is of one shortest solution, so following it never loses a move.";

/// Help with a board: which vehicle, which move, or the whole line
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Hint {
    #[command(flatten)]
    boards: Boards,
    /// How much to reveal
    #[arg(long, default_value = "vehicle", value_parser = options::one_of(DEGREES))]
    degree: Degree,
}

const DEGREES: &[(&str, &str, Degree)] = &[
    ("vehicle", "Which vehicle moves next", Degree::Vehicle),
    ("move", "Where it moves", Degree::Move),
    ("line", "All moves to the exit", Degree::Line),
];

impl Hint {
    pub fn run(&self, global: &Global) -> Result<()> {
        let board = match self.boards.input(global)? {
            Input::Many(input) => return self.boards.batch(global, input, |s, board| self.told(s, board)),
            Input::One(board) => board,
        };
        let prober = self.boards.options.prober(global);
        let mut session = prober.session();
        if global.json {
            let told = self.told(&mut session, &board)?;
            return Ok(output::json(&told.explained(&mut session, &board, self.boards.options.bounds())?)?);
        }
        let answer = session.solve(&board, self.boards.metric, self.boards.options.bounds())?;
        let mut text = self.boards.sentence(&mut session, &board, (answer.distance, answer.source))?;
        text += &self.in_words(&board, &answer);
        output::text(&text)?;
        self.boards.hint(&global.db(), &board, answer.source);
        Ok(())
    }

    fn told(&self, session: &mut Session, board: &Board) -> Result<answers::Hint, ProbeError> {
        let bounds = self.boards.options.bounds();
        answers::Hint::of(session, board, self.boards.metric, self.degree, bounds)
    }

    fn in_words(&self, board: &Board, answer: &Answer) -> String {
        let line = answer.solution.as_deref().unwrap_or_default();
        let Some(&next) = line.first() else { return String::new() };
        match self.degree {
            Degree::Vehicle => format!("Move {}.\n", letter(board, next)),
            Degree::Move => format!("Move {}.\n", board.in_words(next)),
            Degree::Line => {
                let numbered = line
                    .iter()
                    .zip(1..)
                    .map(|(&mv, number)| format!("{number:>3}. {}\n", board.in_words(mv)));
                numbered.collect()
            }
        }
    }
}

fn letter(board: &Board, mv: Move) -> char {
    board.vehicles()[usize::from(mv.vehicle)].letter
}
