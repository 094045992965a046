//! Sets of puzzles to compare searches on: two that are part of the program,
//! and any text with a board a line.

use crate::board::{Board, BoardError};

/// A board with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// What it is called.
    pub name: String,
    /// How it begins.
    pub board: Board,
}

/// Puzzles, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSet {
    /// What the set is called.
    pub name: String,
    /// At least one.
    pub puzzles: Vec<Puzzle>,
}

/// The text is no set of puzzles.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
    /// There is no line with a board.
    #[error("{set} has no puzzle: write one board a line, with a name before it if you like")]
    Empty {
        /// The set.
        set: String,
    },
}

impl PuzzleSet {
    /// The 40 cards of the boxed game.
    pub fn jam() -> PuzzleSet {
        PuzzleSet::parse("jam", include_str!("sets/jam.tsv"), 'A').expect("the file is part of the program")
    }

    /// Seven boards of the course IT3105 at NTNU.
    pub fn it3105() -> PuzzleSet {
        PuzzleSet::parse("it3105", include_str!("sets/it3105.tsv"), 'A')
            .expect("the file is part of the program")
    }

    /// Reads a set, with this letter for the primary.
    ///
    /// A line is a board, a name and a board, or columns with tabs between, of
    /// which the first two are a name and a board. A board without a name is
    /// called by the number of its line. Blank lines and lines with `#` are
    /// left out, and so is the head of the columns, `name` and `board`.
    ///
    /// ```
    /// use tailback::domains::rush_hour::PuzzleSet;
    ///
    /// let set = PuzzleSet::parse("mine", "# two\nsmall ..B.AAB.........\n..B. AAB. .x.. ....\n", 'A')?;
    /// let names: Vec<&str> = set.puzzles.iter().map(|puzzle| puzzle.name.as_str()).collect();
    /// assert_eq!(names, ["small", "3"]);
    /// # Ok::<(), tailback::domains::rush_hour::SetError>(())
    /// ```
    pub fn parse(name: &str, text: &str, primary: char) -> Result<PuzzleSet, SetError> {
        let mut puzzles = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') || is_head(line) {
                continue;
            }
            let number = index + 1;
            let puzzle = puzzle(number, line, primary).map_err(|error| SetError::Line {
                set: name.to_owned(),
                line: number,
                error,
            })?;
            puzzles.push(puzzle);
        }
        match puzzles.is_empty() {
            true => Err(SetError::Empty { set: name.to_owned() }),
            false => Ok(PuzzleSet { name: name.to_owned(), puzzles }),
        }
    }
}

fn is_head(line: &str) -> bool {
    line.split('\t').take(2).eq(["name", "board"])
}

fn puzzle(number: usize, line: &str, primary: char) -> Result<Puzzle, BoardError> {
    let whole = match Board::parse_with_primary(line, primary) {
        Ok(board) => return Ok(Puzzle { name: number.to_string(), board }),
        Err(error) => error,
    };
    let mut columns = line.split('\t');
    let (name, board) = match (columns.next(), columns.next()) {
        (Some(name), Some(board)) => (name.trim(), board),
        _ => line.split_once(char::is_whitespace).ok_or(whole.clone())?,
    };
    match Board::parse_with_primary(board, primary) {
        Ok(board) => Ok(Puzzle { name: name.to_owned(), board }),
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

    fn names(text: &str) -> Vec<String> {
        let set = PuzzleSet::parse("test", text, 'A').unwrap();
        assert!(set.puzzles.iter().all(|puzzle| puzzle.board.text() == SMALL));
        set.puzzles.into_iter().map(|puzzle| puzzle.name).collect()
    }

    #[test]
    fn the_sets_of_the_program() {
        let (jam, course) = (PuzzleSet::jam(), PuzzleSet::it3105());
        assert_eq!((jam.puzzles.len(), course.puzzles.len()), (40, 7));
        let numbered = (1..=40).map(|number| format!("Jam-{number}"));
        assert!(jam.puzzles.iter().map(|puzzle| puzzle.name.clone()).eq(numbered));
        assert_eq!(
            (course.puzzles[0].name.as_str(), course.puzzles[6].name.as_str()),
            ("easy-3", "expert-1")
        );
        assert_eq!((jam.name.as_str(), course.name.as_str()), ("jam", "it3105"));
    }

    #[test]
    fn lines_of_every_form() {
        let text = format!(
            "\u{20}\n# a comment\nname\tboard\tmoves\n{SMALL}\r\none {SMALL}\n  two-2   ..B. AAB. .... ....\n\
             ..B. AAB. .... ....\nnumber three\t{SMALL}\t2\t4\n4 ooBo AABo oooo oooo\n..B.\tAAB.\t....\t....\n"
        );
        assert_eq!(names(&text), ["4", "one", "two-2", "7", "number three", "4", "10"]);
        let set = PuzzleSet::parse("test", "a ..B.XXB.........", 'X').unwrap();
        assert_eq!(set.puzzles[0].board.primary().letter, 'X');
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
