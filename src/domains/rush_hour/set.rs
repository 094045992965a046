//! Sets of boards to compare searches on: those that are part of the program,
//! and any text with a board a line.

use crate::board::{Board, BoardError, Reader};
use crate::search::{self, Notation};

/// Boards with names, in order.
pub type PuzzleSet = search::PuzzleSet<BoardNotation>;

/// The text is no set of boards.
pub type SetError = search::SetError<BoardError>;

/// How boards are written in sets.
///
/// A line is a board, a name and a board, or columns with tabs between, of
/// which the first two are a name and a board. A head of columns begins with
/// `name` and `board`.
///
/// ```
/// use tailback::domains::rush_hour::{BoardNotation, PuzzleSet};
///
/// let text = "# two\nsmall ..B.AAB.........\n..B. AAB. .x.. ....\n";
/// let set = PuzzleSet::parse("mine", text, BoardNotation::default())?;
/// let names: Vec<String> = set.iter().map(|named| named.name).collect();
/// assert_eq!(names, ["small", "3"]);
/// # Ok::<(), tailback::domains::rush_hour::SetError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BoardNotation {
    /// How boards are read.
    pub reader: Reader,
}

/// The sets that are part of the program: their names and texts.
pub static SETS: [(&str, &str); 4] = [
    ("jam", include_str!("sets/jam.tsv")),
    ("it3105", include_str!("sets/it3105.tsv")),
    ("hard8", include_str!("sets/hard8.tsv")),
    ("far8", include_str!("sets/far8.tsv")),
];

impl PuzzleSet {
    /// The sets that are part of the program.
    pub const NAMES: [&'static str; 4] = ["jam", "it3105", "hard8", "far8"];

    /// The set of the program with this name.
    pub fn named(name: &str) -> Option<PuzzleSet> {
        let (name, text) = SETS.into_iter().find(|(known, _)| *known == name)?;
        Some(PuzzleSet::parse(name, text, BoardNotation::default()).expect("it is part of the program"))
    }

    /// The 40 cards of the boxed game.
    pub fn jam() -> PuzzleSet {
        PuzzleSet::named("jam").expect("it is a set of the program")
    }
}

impl Notation for BoardNotation {
    type Puzzle = Board;
    type Error = BoardError;

    fn is_head(&self, line: &str) -> bool {
        line.split('\t').take(2).eq(["name", "board"])
    }

    fn read<'l>(&self, line: &'l str) -> Result<(Option<&'l str>, Board), BoardError> {
        let parse = |text: &str| self.reader.read(text).map_err(|unread| unread.error);
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
}

fn is_row(word: &str) -> bool {
    word.chars().all(|c| c == '.' || c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "..B.AAB.........";

    const NOTATION: BoardNotation = BoardNotation { reader: Reader { primary: None } };

    fn names(set: &PuzzleSet) -> Vec<String> {
        set.iter().map(|named| named.name).collect()
    }

    #[test]
    fn the_sets_of_the_program() {
        let (jam, course) = (PuzzleSet::jam(), PuzzleSet::named("it3105").unwrap());
        assert_eq!((jam.len(), course.len()), (40, 7));
        let numbered = (1..=40).map(|number| format!("Jam-{number}"));
        assert!(names(&jam).into_iter().eq(numbered));
        assert_eq!((names(&course)[0].as_str(), names(&course)[6].as_str()), ("easy-3", "expert-1"));
        assert_eq!((jam.name.as_str(), course.name.as_str()), ("jam", "it3105"));
        for name in PuzzleSet::NAMES {
            assert_eq!(PuzzleSet::named(name).unwrap().name, name);
        }
    }

    #[test]
    fn lines_of_every_form() {
        let text = format!(
            "\u{20}\n# a comment\nname\tboard\tmoves\n{SMALL}\r\none {SMALL}\n  two-2   ..B. AAB. .... ....\n\
             ..B. AAB. .... ....\nnumber three\t{SMALL}\t2\t4\n4 ooBo AABo oooo oooo\n..B.\tAAB.\t....\t....\n"
        );
        let mut set = PuzzleSet::parse("test", text, NOTATION).unwrap();
        assert_eq!(names(&set), ["4", "one", "two-2", "7", "number three", "4", "10"]);
        assert!(set.iter().all(|named| named.puzzle.text() == SMALL));
        assert_eq!(set.keep(&["4", "five", "two-2"]), Some("five"));
        assert_eq!(names(&set), ["4", "two-2", "4"]);
        let set = PuzzleSet::parse(
            "test",
            "a ..B.XXB.........",
            BoardNotation { reader: Reader::with_primary('X') },
        )
        .unwrap();
        assert_eq!(set.iter().next().unwrap().puzzle.primary().letter, 'X');
    }

    #[test]
    fn a_bad_line_is_named_with_what_is_wrong_with_its_board() {
        let error = |text: &str| PuzzleSet::parse("test", text, NOTATION).unwrap_err().to_string();
        for (line, cells) in [("AAB.", 4), ("one AAB.", 4), ("one\tAAB.\t7", 4)] {
            let error = error(&format!("{SMALL}\n\n{line}\n"));
            let (place, text) = (error.starts_with("test, line 3: "), format!("this text has {cells}"));
            assert!(place && error.ends_with(&text), "{line}: {error}");
        }
        for text in ["", "\n# nothing\n", "name\tboard\n"] {
            assert!(error(text).starts_with("test has no puzzle"), "{text:?}");
        }
    }
}
