//! What commands about boards share: where boards come from, and what is said
//! of each.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tailback::board::{Board, Metric};
use tailback::probe::{ProbeError, Session, Source};
use tailback::space::{Location, Space};

use super::batch::{self, BadLine, Line, Lines};
use super::board_options::LONGEST;
use super::{BoardOptions, End, Failure, Global, Result, Stdin, interrupt, output};

#[derive(Args)]
pub struct Boards {
    /// The board, row by row; `-` reads one board a line from standard input
    #[arg(value_name = "BOARD", required_unless_present = "file", conflicts_with = "file")]
    board: Option<String>,
    /// Read one board a line from a file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
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

/// What is said of every board.
#[derive(Serialize)]
pub struct Found {
    board: String,
    size: usize,
    metric: Metric,
    /// None if a search was stopped.
    solvable: Option<bool>,
    distance: Option<u32>,
    source: Source,
    rank: Option<u64>,
}

/// The most boards of a page; more could hardly be told apart.
const PAGE: usize = 1000;

impl Boards {
    /// Opens the input, and listens to signals.
    pub fn input(&self) -> Result<Input> {
        interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
        match (&self.file, self.board.as_deref()) {
            (Some(path), _) => Ok(Input::Many(Box::new(batch::open(path)?))),
            (None, Some("-")) => Ok(Input::Many(Box::new(Stdin::open()))),
            (None, board) => Ok(Input::One(Box::new(self.options.board(board.unwrap_or_default())?))),
        }
    }

    /// What is said of every board. The rank is cheap with a table only.
    pub fn found(
        &self,
        session: &mut Session,
        board: &Board,
        distance: Option<u32>,
        source: Source,
    ) -> Result<Found, ProbeError> {
        let rank = if source == Source::Table { session.rank(board)?.map(|rank| rank.0) } else { None };
        let solvable = Some(distance.is_some());
        Ok(Found { source, rank, ..self.searched(board, solvable, distance) })
    }

    /// What a search says of a board.
    pub fn searched(&self, board: &Board, solvable: Option<bool>, distance: Option<u32>) -> Found {
        Found {
            board: board.text(),
            size: board.size(),
            metric: self.metric,
            solvable,
            distance,
            source: Source::Search,
            rank: None,
        }
    }

    /// Answers one board a line with one JSON object a line.
    pub fn batch<T: Serialize>(
        &self,
        global: &Global,
        input: impl Read,
        answer: impl Fn(&mut Session, &Board) -> Result<T, ProbeError> + Sync,
    ) -> Result<()> {
        let reply = |session: &mut Session, line: &Line| {
            let board = line.whole().and_then(|text| Ok(self.options.board(text)?));
            let (failure, end) = match board.map(|board| answer(session, &board)) {
                Ok(Ok(answer)) => return Some((output::to_json(&answer), None)),
                Ok(Err(error)) => {
                    let end = matches!(error, ProbeError::Table(_)).then_some(End::Failed);
                    (Failure::from(error), end)
                }
                Err(failure) => (failure, None),
            };
            (!failure.is_interrupted()).then(|| (output::to_json(&BadLine::new(line, &failure)), end))
        };
        let lack = ("board", "no answer because a table cannot be used");
        batch::reply(&self.options.prober(global), Lines::new(input, LONGEST), lack, reply)
    }

    /// The boards of a page: all of the input.
    pub fn page(&self, input: impl Read) -> Result<Vec<Board>> {
        let mut boards = Vec::new();
        for board in self.options.each_board(input) {
            boards.push(board?);
            if boards.len() > PAGE {
                return Err(Failure::misused("a page has at most 1,000 boards: draw the others on another"));
            }
        }
        if boards.is_empty() {
            return Err(Failure::misused("there is no board to draw: write one board a line"));
        }
        Ok(boards)
    }

    /// The distance in words.
    pub fn sentence(&self, board: &Board, distance: Option<u32>, source: Source) -> String {
        let from = match source {
            Source::Table => "from the table".to_owned(),
            Source::Rule => "by rule".to_owned(),
            Source::Search => match Space::of_size(board.size()).map(|space| space.locate(board)) {
                Some(Err(outside)) => format!("by search: {outside}"),
                _ => "by search".to_owned(),
            },
        };
        match distance {
            Some(0) => format!("Solved already ({from}).\n"),
            Some(distance) => format!("{} to the exit ({from}).\n", output::counted(distance, self.metric)),
            None if source == Source::Rule => {
                "Unsolvable (by rule): a vehicle right of the primary can never leave its row.\n".to_owned()
            }
            None => format!("Unsolvable ({from}).\n"),
        }
    }

    /// Tells people without a table that there could be one.
    pub fn hint(&self, folder: &Path, board: &Board, source: Source) {
        let in_space = Space::of_size(board.size())
            .is_some_and(|space| matches!(space.locate(board), Ok(Location::Inside(_))));
        if source == Source::Search && in_space && !self.options.no_table {
            output::note(&format!(
                "hint: {} has no table for this board, so it was searched; \
                 `tailback build --only table --size {} --metric {}` makes one",
                folder.display(),
                board.size(),
                self.metric
            ));
        }
    }
}
