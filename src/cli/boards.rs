//! What `lookup`, `solve` and `render` share: where boards come from, and how
//! many of them are answered at once.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::anyhow;
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use tailback::board::{Board, Metric};
use tailback::cluster;
use tailback::probe::{ProbeError, Prober, Session, Source};
use tailback::space::{Location, Space};
use tailback::table::TableError;

use super::{BadTable, Global, exit, in_file, output};

#[derive(Args)]
pub struct Boards {
    /// The board, row by row; `-` reads one board a line from standard input
    #[arg(value_name = "BOARD", required_unless_present = "file", conflicts_with = "file")]
    board: Option<String>,
    /// Read one board a line from a file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The letter of the car that has to reach the right edge
    #[arg(long, value_name = "L", default_value_t = 'A')]
    primary: char,
    /// What a distance counts
    #[arg(long, default_value = "moves", value_parser = super::metric())]
    pub metric: Metric,
    /// The most boards that a search may look at
    #[arg(long, value_name = "BOARDS", default_value_t = cluster::DEFAULT_LIMIT)]
    limit: usize,
    /// Search even if there is a table
    #[arg(long)]
    no_table: bool,
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
    solvable: bool,
    distance: Option<u32>,
    source: Source,
    rank: Option<u64>,
}

/// A line that is no board, or a board without an answer.
#[derive(Serialize)]
struct BadLine<'a> {
    line: usize,
    board: &'a str,
    error: String,
}

/// What one read of the input may bring.
const BUFFER: usize = 1 << 16;
/// The longest line, in bytes. The largest board has 64 cells, spaces aside.
const LONGEST: usize = 4 << 10;
/// What is quoted of a longer one, in characters.
const QUOTED: usize = 64;
/// The most boards of a page; more could hardly be told apart.
const PAGE: usize = 1000;

impl Boards {
    pub fn input(&self) -> anyhow::Result<Input> {
        match (&self.file, self.board.as_deref()) {
            (Some(path), _) => {
                let file =
                    File::open(path).map_err(|error| anyhow!("cannot read {}: {error}", path.display()))?;
                Ok(Input::Many(Box::new(file)))
            }
            (None, Some("-")) => Ok(Input::Many(Box::new(std::io::stdin()))),
            (None, board) => {
                let board = Board::parse_with_primary(board.unwrap_or_default(), self.primary)?;
                Ok(Input::One(Box::new(board)))
            }
        }
    }

    pub fn prober(&self, global: &Global) -> Prober {
        let prober = if self.no_table { Prober::without_tables() } else { Prober::new(&global.db) };
        prober.with_limit(self.limit)
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
        Ok(Found {
            board: board.text(),
            size: board.size(),
            metric: self.metric,
            solvable: distance.is_some(),
            distance,
            source,
            rank,
        })
    }

    /// Answers one board a line with one JSON object a line, in order and in
    /// parallel. What one read brings is answered before the next read, so
    /// memory stays small and a program that waits for an answer gets it.
    pub fn batch<T: Serialize>(
        &self,
        global: &Global,
        input: impl Read,
        answer: impl Fn(&mut Session, &Board) -> Result<T, ProbeError> + Sync,
    ) -> anyhow::Result<()> {
        let prober = self.prober(global);
        let sessions = Mutex::new(Vec::new());
        let unusable = AtomicUsize::new(0);
        let mut input = BufReader::with_capacity(BUFFER, input);
        let mut out = std::io::stdout();
        let mut number = 0;
        loop {
            let lines = read_lines(&mut input, &mut number)
                .map_err(|error| exit::Batch(format!("cannot read the boards: {error}")))?;
            if lines.is_empty() {
                break;
            }
            let answers: Vec<String> = lines
                .par_iter()
                .map_init(
                    || Lease::new(&sessions, || prober.session()),
                    |lease, line| {
                        let answered = self.answer_line(global, lease.session(), line, &answer);
                        answered.unwrap_or_else(|error| {
                            let is_table = error.is::<TableError>() || error.is::<BadTable>();
                            unusable.fetch_add(usize::from(is_table), Ordering::Relaxed);
                            let Line { number, text, .. } = line;
                            to_json(&BadLine { line: *number, board: text, error: error.to_string() })
                        })
                    },
                )
                .collect();
            for answer in answers {
                out.write_all(answer.as_bytes())?;
                out.write_all(b"\n")?;
            }
            out.flush()?;
        }
        let summary = match unusable.into_inner() {
            0 => return Ok(()),
            1 => "1 board has no answer because a table cannot be used; its line says why".to_owned(),
            n => format!("{n} boards have no answer because a table cannot be used; their lines say why"),
        };
        Err(exit::Batch(summary).into())
    }

    fn answer_line<T: Serialize>(
        &self,
        global: &Global,
        session: &mut Session,
        line: &Line,
        answer: impl Fn(&mut Session, &Board) -> Result<T, ProbeError>,
    ) -> anyhow::Result<String> {
        let board = self.parse(line)?;
        let answer = answer(session, &board).map_err(|error| self.explained(error, global, &board))?;
        Ok(to_json(&answer))
    }

    fn parse(&self, line: &Line) -> anyhow::Result<Board> {
        if line.is_cut {
            return Err(anyhow!("a line has at most {LONGEST} bytes, this one is longer: one board a line"));
        }
        Ok(Board::parse_with_primary(&line.text, self.primary)?)
    }

    /// The boards of a page: all of the input.
    pub fn page(&self, input: impl Read) -> anyhow::Result<Vec<Board>> {
        let mut input = BufReader::with_capacity(BUFFER, input);
        let mut number = 0;
        let mut boards = Vec::new();
        loop {
            let lines = read_lines(&mut input, &mut number)
                .map_err(|error| anyhow!("cannot read the boards: {error}"))?;
            if lines.is_empty() {
                break;
            }
            for line in &lines {
                boards.push(self.parse(line).map_err(|error| {
                    let message = format!("line {}: {error}", line.number);
                    anyhow::Error::from(exit::Usage("a line is no board")).context(message)
                })?);
            }
            if boards.len() > PAGE {
                return Err(exit::Usage("a page has at most 1,000 boards: draw the others on another").into());
            }
        }
        if boards.is_empty() {
            return Err(exit::Usage("there is no board to draw: write one board a line").into());
        }
        Ok(boards)
    }

    /// Says which table is meant.
    pub fn explained(&self, error: ProbeError, global: &Global, board: &Board) -> anyhow::Error {
        match error {
            ProbeError::Table(error) => in_file(error, global, board.size(), self.metric),
            error => error.into(),
        }
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
        if source == Source::Search && in_space && !self.no_table {
            output::note(&format!(
                "hint: {} has no table for this board, so it was searched; \
                 `tailback build --size {} --metric {}` makes one",
                folder.display(),
                board.size(),
                self.metric
            ));
        }
    }
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("answers are plain data")
}

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    number: usize,
    text: String,
    /// The line was too long, and this is its beginning.
    is_cut: bool,
}

/// The next lines: waits for one, and takes what has come with it. Empty at the
/// end only. Blank lines and comments are left out.
fn read_lines(input: &mut BufReader<impl Read>, number: &mut usize) -> std::io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    let mut bytes = Vec::new();
    while input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)? > 0 {
        *number += 1;
        let is_cut = bytes.len() > LONGEST && bytes.last() != Some(&b'\n');
        if is_cut {
            input.skip_until(b'\n')?;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if is_cut && !text.starts_with('#') {
            let text = text.chars().take(QUOTED).chain(['…']).collect();
            lines.push(Line { number: *number, text, is_cut });
        } else if !text.is_empty() && !text.starts_with('#') {
            lines.push(Line { number: *number, text: text.to_owned(), is_cut });
        }
        bytes.clear();
        if !lines.is_empty() && !input.buffer().contains(&b'\n') {
            break;
        }
    }
    Ok(lines)
}

/// A session from the pool, given back in the end, so that what it decoded
/// serves the next lines as well.
struct Lease<'a, 'p> {
    pool: &'a Mutex<Vec<Session<'p>>>,
    session: Option<Session<'p>>,
}

impl<'a, 'p> Lease<'a, 'p> {
    fn new(pool: &'a Mutex<Vec<Session<'p>>>, fresh: impl FnOnce() -> Session<'p>) -> Lease<'a, 'p> {
        let idle = pool.lock().expect("no thread panicked").pop();
        Lease { pool, session: Some(idle.unwrap_or_else(fresh)) }
    }

    fn session(&mut self) -> &mut Session<'p> {
        self.session.as_mut().expect("taken on drop only")
    }
}

impl Drop for Lease<'_, '_> {
    fn drop(&mut self) {
        if let Ok(mut pool) = self.pool.lock() {
            pool.extend(self.session.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        let mut input = BufReader::new("one\n\n# two\r\n three \r\nfour".as_bytes());
        let mut number = 0;
        let line = |number, text: &str| Line { number, text: text.to_owned(), is_cut: false };
        assert_eq!(read_lines(&mut input, &mut number).unwrap(), [line(1, "one"), line(4, "three")]);
        assert_eq!(read_lines(&mut input, &mut number).unwrap(), [line(5, "four")]);
        assert_eq!(read_lines(&mut input, &mut number).unwrap(), []);
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_is_whole() {
        let longest = "a".repeat(LONGEST);
        let text = format!("{longest}\n{longest}a\n#{longest}\nnext\n{longest}ä{longest}");
        // A buffer smaller than a line, too.
        for capacity in [100, BUFFER] {
            let mut input = BufReader::with_capacity(capacity, text.as_bytes());
            let mut number = 0;
            let mut lines = Vec::new();
            loop {
                let more = read_lines(&mut input, &mut number).unwrap();
                if more.is_empty() {
                    break;
                }
                lines.extend(more);
            }
            let cut = |number| Line { number, text: format!("{}…", "a".repeat(QUOTED)), is_cut: true };
            let whole = |number, text: &str| Line { number, text: text.to_owned(), is_cut: false };
            assert_eq!(lines, [whole(1, &longest), cut(2), whole(4, "next"), cut(5)]);
        }
    }
}
