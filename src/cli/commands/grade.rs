//! `tailback grade`: what each move of a game was worth.

use clap::Args;
use serde::Serialize;
use serde_json::Value;
use tailback::answers::Game;
use tailback::board::Board;
use tailback::probe::{self, Session, read_moves};
use tailback::render::terminal;

use crate::shared::batch::{self, Line};
use crate::shared::boards::{Boards, Input};
use crate::shared::columns::{Column, Columns};
use crate::shared::{BoardReader, End, Failure, Global, Result, output};

const EXAMPLES: &str = "\
Examples:
  tailback grade BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo B+1 D-1 E+1
  tailback grade '..B. AAB. ..CC ....' 'C-1, C-1, B+2, A+2' --metric steps
  tailback grade --file games.jsonl > grades.jsonl

Boards and moves are written as for `tailback solve`. A move from distance d to
distance e loses e + 1 - d; in steps a slide of k cells loses e + k - d.

Of many games each line is a JSON object and gets one, in order:
  {\"id\": 7, \"board\": \"..B.AAB.........\", \"moves\": [\"B+1\", \"B+1\", \"A+2\"]}
The moves may also be one text. The id, any JSON value, may be left out.";

const SHAPE: &str = r#"a game is {"board": "…", "moves": ["B+2", …]} on one line"#;

/// Grade a game: what each move was worth, and where the first mistake is
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("board", |arg| {
        arg.index(1).help("The board, row by row; `-` reads one game a line from standard input")
    }),
    mut_arg("file", |arg| arg.help("Read one game a line from a file")),
)]
pub struct Grade {
    #[command(flatten)]
    boards: Boards,
    /// The moves, separated by spaces or commas
    #[arg(value_name = "MOVES", index = 2)]
    moves: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    /// The caller's own name of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Value>,
    #[serde(flatten)]
    game: Game,
}

/// A line that is no game, or a game without a grade.
#[derive(Serialize)]
struct BadGame {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Value>,
    error: String,
}

impl Grade {
    pub fn run(&self, global: &Global) -> Result<()> {
        let moves = self.moves.join(" ");
        let board = match self.boards.input(global)? {
            Input::Many(_) if !self.moves.is_empty() => {
                return Err(Failure::misused("the moves of many games stand in their lines, not here"));
            }
            Input::Many(input) => {
                let (prober, reader) =
                    (self.boards.options.prober(global), self.boards.options.reader(global));
                let reply = |session: &mut Session, line: &Line| self.reply(&reader, session, line);
                batch::reply(&prober, reader.records(input), ("game", "no grade"), reply)?;
                return Ok(());
            }
            Input::One(_) if moves.trim_matches([' ', ',']).is_empty() => {
                return Err(Failure::misused("there are no moves to grade: write them after the board"));
            }
            Input::One(board) => board,
        };
        let prober = self.boards.options.prober(global);
        let mut session = prober.session();
        let grade = self.graded(&mut session, &board, &moves)?;
        if global.json {
            output::json(&self.answer(&mut session, &board, &grade)?)?;
        } else {
            output::text(&self.in_words(&mut session, &board, &grade)?)?;
            self.boards.hint(&global.db(), &board, grade.source);
        }
        Ok(())
    }

    /// What is said of a line, and the end that an error leads to, as it would
    /// for this game alone; nothing if a signal stopped it.
    fn reply(
        &self,
        reader: &BoardReader,
        session: &mut Session,
        line: &Line,
    ) -> Option<(String, Option<End>)> {
        let game = read_game(line);
        let name = game.as_ref().ok().and_then(|game| game.get("name").or_else(|| game.get("id")).cloned());
        let answer = game.and_then(|game| {
            let board = reader.board(board_of(&game)?)?;
            let grade = self.graded(session, &board, &moves_of(&game)?)?;
            self.answer(session, &board, &grade)
        });
        match answer {
            Ok(game) => Some((output::to_json(&Answer { name, game }), None)),
            Err(error) if error.is_interrupted() => None,
            Err(error) => {
                let bad = BadGame { line: line.number(), name, error: error.text().to_owned() };
                Some((output::to_json(&bad), Some(error.end())))
            }
        }
    }

    fn graded(&self, session: &mut Session, board: &Board, moves: &str) -> Result<probe::Grade> {
        let moves = read_moves(board, moves)?;
        let bounds = self.boards.options.bounds();
        session.grade(board, &moves, self.boards.metric, bounds).map_err(Failure::from)
    }

    fn answer(&self, session: &mut Session, board: &Board, grade: &probe::Grade) -> Result<Game> {
        Ok(Game::of(session, board, self.boards.metric, grade)?)
    }

    fn in_words(&self, session: &mut Session, board: &Board, grade: &probe::Grade) -> Result<String> {
        let mut text = terminal::board(board, output::colour());
        text += &self.boards.sentence(session, board, (grade.distance, grade.source))?;
        let rows = grade.moves.iter().zip(1..).map(|(graded, number)| {
            let after = graded.after.known().map_or("-".to_owned(), |d| d.to_string());
            let verdict = match (graded.loss(), graded.best.first()) {
                (None, _) => "unsolvable".to_owned(),
                (Some(0), _) => "optimal".to_owned(),
                (Some(loss), Some(&best)) => format!("loses {loss}, better {}", board.in_words(best)),
                (Some(loss), None) => format!("loses {loss}, solved already"),
            };
            [number.to_string(), board.in_words(graded.mv), after, verdict]
        });
        let [number, then] = ["#", "then"].map(Column::numbers);
        let moves =
            Columns::of([number, Column::words("move"), then, Column::words("")], rows).text(usize::MAX);
        Ok(format!("{text}\n{moves}\n{}", self.summary(board, grade)))
    }

    fn summary(&self, board: &Board, grade: &probe::Grade) -> String {
        let counted = |n| output::counted(n, self.boards.metric);
        let (Some(distance), Some(left), Some(loss)) =
            (grade.distance.known(), grade.distance_left.known(), grade.total_loss())
        else {
            return "The board cannot be solved, so no move is a mistake.\n".to_owned();
        };
        let mut text = match grade.solved_at {
            None => "Not solved".to_owned(),
            Some(0) => "Solved from the start".to_owned(),
            Some(number) => format!("Solved by move {number}"),
        };
        match (grade.solved_at, left) {
            (None, left) => text += &format!(", {} left", counted(left)),
            (Some(number), 0) if number == grade.moves.len() => {}
            (Some(_), 0) => text += ", and the game went on",
            (Some(_), left) => text += &format!(", but not at the end, {} left", counted(left)),
        }
        text += &format!(". Played {}", counted(grade.played()));
        if let Some(mistake) = grade.first_mistake() {
            if left == 0 {
                text += &format!(" instead of {distance}");
            }
            let words = board.in_words(grade.moves[mistake - 1].mv);
            text += &format!(", lost {loss}. The first mistake is move {mistake}, {words}.\n");
        } else {
            text += ", lost none.\n";
        }
        text
    }
}

fn read_game(line: &Line) -> Result<Value> {
    serde_json::from_str(line.whole()?)
        .map_err(|error| Failure::misused(format!("this is no JSON (column {}): {SHAPE}", error.column())))
}

fn board_of(game: &Value) -> Result<&str> {
    game["board"].as_str().ok_or_else(|| Failure::misused(format!(r#"there is no text "board": {SHAPE}"#)))
}

/// The moves as one text, whether they are one or a list.
fn moves_of(game: &Value) -> Result<String> {
    let moves = match &game["moves"] {
        Value::Array(list) => list.iter().map(Value::as_str).collect::<Option<Vec<&str>>>(),
        text => text.as_str().map(|text| vec![text]),
    };
    let wrong = || Failure::misused(format!(r#"there is no text or list of texts "moves": {SHAPE}"#));
    Ok(moves.ok_or_else(wrong)?.join(" "))
}
