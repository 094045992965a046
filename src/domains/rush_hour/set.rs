//! Sets of boards to compare searches on: two that are part of the program, and
//! any text with a board a line.
//!
//! A set is kept as its text and read again board by board, so a million boards
//! take little more room than the file they come from.

use crate::board::{Board, BoardError};
use crate::search::Named;

/// Boards with names, in order; at least one, unless all were left out.
///
/// A line is a board, a name and a board, or columns with tabs between, of
/// which the first two are a name and a board. A head of columns begins with
/// `name` and `board`. Empty lines and lines that begin with `#` are passed over.
///
/// ```
/// use tailback::domains::rush_hour::PuzzleSet;
///
/// let text = "# two\nsmall ..B.AAB.........\n..B. AAB. .x.. ....\n";
/// let set = PuzzleSet::parse("mine", text, 'A')?;
/// let names: Vec<String> = set.iter().map(|named| named.name).collect();
/// assert_eq!(names, ["small", "3"]);
/// # Ok::<(), tailback::domains::rush_hour::SetError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSet {
    /// What the set is called.
    pub name: String,
    primary: char,
    text: String,
    /// Of each line with a board: its number from 1, and where it begins.
    lines: Vec<(usize, usize)>,
}

/// The text is no set of boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// A line is neither a board nor a name and a board.
    #[error("{set}, line {line}: {error}")]
    Line {
        /// The set.
        set: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with its board.
        error: BoardError,
    },
    /// There is no board.
    #[error("{set} has no puzzle: write one puzzle a line, with a name before it if you like")]
    Empty {
        /// The set.
        set: String,
    },
}

impl PuzzleSet {
    /// The 40 cards of the boxed game.
    pub fn jam() -> PuzzleSet {
        PuzzleSet::built_in("jam", include_str!("sets/jam.tsv"))
    }

    /// Seven boards of the course IT3105 at NTNU.
    pub fn it3105() -> PuzzleSet {
        PuzzleSet::built_in("it3105", include_str!("sets/it3105.tsv"))
    }

    fn built_in(name: &str, text: &str) -> PuzzleSet {
        PuzzleSet::parse(name, text, 'A').expect("it is part of the program")
    }

    /// Reads a set, and every board once. The primary is the letter of the car
    /// that has to reach the right edge.
    pub fn parse(name: &str, text: impl Into<String>, primary: char) -> Result<PuzzleSet, SetError> {
        let mut set = PuzzleSet { name: name.to_owned(), primary, text: text.into(), lines: Vec::new() };
        let mut start = 0;
        for (index, line) in set.text.split_inclusive('\n').enumerate() {
            let trimmed = line.trim();
            let is_head = trimmed.split('\t').take(2).eq(["name", "board"]);
            if !(trimmed.is_empty() || trimmed.starts_with('#') || is_head) {
                let wrong = |error| SetError::Line { set: name.to_owned(), line: index + 1, error };
                read(trimmed, primary).map_err(wrong)?;
                set.lines.push((index + 1, start));
            }
            start += line.len();
        }
        match set.is_empty() {
            true => Err(SetError::Empty { set: set.name }),
            false => Ok(set),
        }
    }

    /// How many boards.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The boards, one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Named<Board>> {
        self.lines.iter().map(|&line| self.board(line))
    }

    /// Leaves out the boards whose names do not please.
    pub fn retain(&mut self, mut pleases: impl FnMut(&str) -> bool) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.retain(|&line| pleases(&self.board(line).name));
        self.lines = lines;
    }

    fn board(&self, (number, start): (usize, usize)) -> Named<Board> {
        let text = self.text[start..].lines().next().unwrap_or_default();
        let (name, puzzle) = read(text.trim(), self.primary).expect("every line was read before");
        Named { name: name.map_or_else(|| number.to_string(), str::to_owned), puzzle }
    }
}

/// The board of a line, and its name if it has one.
fn read(line: &str, primary: char) -> Result<(Option<&str>, Board), BoardError> {
    let parse = |text: &str| Board::parse_with_primary(text, primary);
    let whole = match parse(line) {
        Ok(board) => return Ok((None, board)),
        Err(error) => error,
    };
    let mut columns = line.split('\t');
    let (name, board) = match (columns.next(), columns.next()) {
        (Some(name), Some(board)) => (name.trim(), board),
        _ => line.split_once(char::is_whitespace).ok_or(whole.clone())?,
    };
    match parse(board) {
        Ok(board) => Ok((Some(name), board)),
        // Of a board in rows, the first row is no name.
        Err(_) if is_row(name) && board.split_whitespace().nth(1).is_some() => Err(whole),
        Err(error) => Err(error),
    }
}

fn is_row(word: &str) -> bool {
    word.chars().all(|c| c == '.' || c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "..B.AAB.........";

    fn names(set: &PuzzleSet) -> Vec<String> {
        set.iter().map(|named| named.name).collect()
    }

    #[test]
    fn the_sets_of_the_program() {
        let (jam, course) = (PuzzleSet::jam(), PuzzleSet::it3105());
        assert_eq!((jam.len(), course.len()), (40, 7));
        let numbered = (1..=40).map(|number| format!("Jam-{number}"));
        assert!(names(&jam).into_iter().eq(numbered));
        assert_eq!((names(&course)[0].as_str(), names(&course)[6].as_str()), ("easy-3", "expert-1"));
        assert_eq!((jam.name.as_str(), course.name.as_str()), ("jam", "it3105"));
    }

    #[test]
    fn lines_of_every_form() {
        let text = format!(
            "\u{20}\n# a comment\nname\tboard\tmoves\n{SMALL}\r\none {SMALL}\n  two-2   ..B. AAB. .... ....\n\
             ..B. AAB. .... ....\nnumber three\t{SMALL}\t2\t4\n4 ooBo AABo oooo oooo\n..B.\tAAB.\t....\t....\n"
        );
        let mut set = PuzzleSet::parse("test", text, 'A').unwrap();
        assert_eq!(names(&set), ["4", "one", "two-2", "7", "number three", "4", "10"]);
        assert!(set.iter().all(|named| named.puzzle.text() == SMALL));
        set.retain(|name| name == "4" || name == "two-2");
        assert_eq!(names(&set), ["4", "two-2", "4"]);
        let set = PuzzleSet::parse("test", "a ..B.XXB.........", 'X').unwrap();
        assert_eq!(set.iter().next().unwrap().puzzle.primary().letter, 'X');
    }

    #[test]
    fn a_bad_line_is_named_with_what_is_wrong_with_its_board() {
        let error = |text: &str| PuzzleSet::parse("test", text, 'A').unwrap_err().to_string();
        for (line, cells) in [
            ("AAB.", 4),
            ("one AAB.", 4),
            ("one-1 ..B. AAB. .... ...", 15),
            ("..B. AAB. .... ...", 15),
            ("one\tAAB.\t7", 4),
        ] {
            let error = error(&format!("{SMALL}\n\n{line}\n"));
            let (place, text) = (error.starts_with("test, line 3: "), format!("this text has {cells}"));
            assert!(place && error.ends_with(&text), "{line}: {error}");
        }
        for text in ["", "\n# nothing\n", "name\tboard\n"] {
            assert!(error(text).starts_with("test has no puzzle"), "{text:?}");
        }
    }
}
