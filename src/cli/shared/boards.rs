//! What commands about boards share: where boards come from, and what is said
//! of each.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use serde::Serialize;
use tailback::board::{Board, Distance, Metric};
use tailback::probe::{ProbeError, Session, Source};
use tailback::render::terminal;
use tailback::space::{Location, Space, SpaceId};

use super::batch::{self, BadLine, Line};
use super::board_reader::NamedBoard;
use super::{BoardOptions, End, Failure, Global, Result, Stdin, interrupt, output, walls};

#[derive(Args)]
pub struct Boards {
    /// The board in any usual form, or the number of a puzzle; `-` reads a list from standard input
    #[arg(value_name = "BOARD", required_unless_present = "file", conflicts_with = "file")]
    pub board: Option<String>,
    /// Read a list of boards: a board a line, a row a line, CSV, JSON lines, Parquet
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// What a distance counts
    #[arg(long, default_value = "moves", value_parser = super::options::metric())]
    pub metric: Metric,
    #[command(flatten)]
    pub options: BoardOptions,
}

/// Where boards come from.
pub enum Input {
    One(Box<Board>),
    Many(Box<dyn Read>),
}

/// The most boards that are drawn in one call.
const MOST: usize = 10_000;

impl Boards {
    /// Opens the input, and listens to signals.
    pub fn input(&self, global: &Global) -> Result<Input> {
        interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
        match (&self.file, self.board.as_deref()) {
            (Some(path), _) => Ok(Input::Many(Box::new(batch::open(path)?))),
            (None, Some("-")) => Ok(Input::Many(Box::new(Stdin::open()))),
            (None, board) => {
                let board = self.options.reader(global).argument(board.unwrap_or_default())?;
                Ok(Input::One(Box::new(board)))
            }
        }
    }

    /// Answers one board a line with one JSON object a line.
    pub fn batch<T: Serialize>(
        &self,
        global: &Global,
        input: impl Read,
        answer: impl Fn(&mut Session, &Board) -> Result<T, ProbeError> + Sync,
    ) -> Result<()> {
        let reader = self.options.reader(global);
        let unreadable = AtomicUsize::new(0);
        let reply = |session: &mut Session, line: &Line| {
            let (failure, end) = match reader.line(line).map(|board| answer(session, &board)) {
                Ok(Ok(answer)) => return Some((output::to_json(&answer), None)),
                Ok(Err(error)) => {
                    let end = matches!(error, ProbeError::Table(_)).then_some(End::Failed);
                    (Failure::from(error), end)
                }
                Err(failure) => {
                    unreadable.fetch_add(1, Ordering::Relaxed);
                    (failure, None)
                }
            };
            (!failure.is_interrupted()).then(|| (output::to_json(&BadLine::new(line, &failure)), end))
        };
        let lack = ("board", "no answer because a table cannot be used");
        let done = batch::reply(&self.options.prober(global), reader.records(input), lack, reply)?;
        match done > 0 && done == unreadable.into_inner() {
            true => {
                Err(Failure::misused("no line has a board that can be read; each says why").after_answers())
            }
            false => Ok(()),
        }
    }

    /// All boards of an input, with their names.
    pub fn all(&self, global: &Global, input: impl Read) -> Result<Vec<NamedBoard>> {
        let mut boards = Vec::new();
        for named in self.options.reader(global).each_named(None, input) {
            boards.push(named?);
            if boards.len() > MOST {
                return Err(Failure::misused("at most 10,000 boards are drawn in one call"));
            }
        }
        if boards.is_empty() {
            return Err(Failure::misused("there is no board to draw: write one board a line"));
        }
        Ok(boards)
    }

    /// The distance in words, and why there is none.
    pub fn sentence(
        &self,
        session: &mut Session,
        board: &Board,
        (distance, source): (Distance, Source),
    ) -> Result<String> {
        let from = match source {
            Source::Table => "from the table".to_owned(),
            Source::Rule => "by rule".to_owned(),
            Source::Search => match located(board) {
                Err(outside) if distance.is_solvable() => format!("by search: {outside}"),
                _ => "by search".to_owned(),
            },
        };
        let mut text = match distance.known() {
            Some(0) => format!("Solved already ({from}).\n"),
            Some(distance) => format!("{} to the exit ({from}).\n", output::counted(distance, self.metric)),
            None => match session.reason(board, self.options.bounds())? {
                None => format!("Unsolvable ({from}).\n"),
                Some(reason) if reason.board == *board => format!("Unsolvable ({from}): {reason}.\n"),
                Some(reason) => {
                    let drawn = terminal::board(&reason.board, output::colour());
                    format!("Unsolvable ({from}): {reason}. This is enough:\n{drawn}")
                }
            },
        };
        let primary = board.primary().letter;
        if primary != 'A' && self.options.primary.is_none() {
            text += &format!("The red car is {primary}.\n");
        }
        Ok(text)
    }

    /// Notes, for people without a table, that there could be one.
    pub fn hint(&self, folder: &Path, board: &Board, source: Source) {
        let in_space = matches!(located(board), Ok(Location::Inside(_)));
        if source == Source::Search && in_space && !self.options.no_table {
            output::note(&format!(
                "hint: {} has no table for this board, so it was searched; \
                 `tailback build --only table {} --metric {}` makes one",
                folder.display(),
                walls::options(SpaceId::of_board(board)),
                self.metric
            ));
        }
    }
}

/// Where a board is in its space, or why it is in none.
fn located(board: &Board) -> Result<Location, String> {
    let space = Space::tabulated(SpaceId::of_board(board)).map_err(|error| error.to_string())?;
    space.locate(board).map_err(|outside| outside.to_string())
}
