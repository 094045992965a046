//! Sets of instances to compare searches on: any text with an instance a line.
//!
//! A set is kept as its text and read again instance by instance, so a million
//! take little more room than the file they come from.

use std::fmt;
use std::sync::Arc;

use super::{Instance, Oracle, PuzzleError};
use crate::search::Named;

/// Instances with names, in order; at least one, unless all were left out.
///
/// A line is an instance, a name and an instance, or columns with tabs between, of
/// which the first two are a name and an instance. A head of columns begins with
/// `name` and `board` or `instance`.
///
/// ```
/// use tailback::puzzles::{self, PuzzleSet, Settings};
///
/// let oracle = puzzles::named("rush-hour")?.open(Settings::default())?;
/// let text = "# two\nsmall ..B.AAB.........\n..B. AAB. .x.. ....\n";
/// let set = PuzzleSet::parse("mine", text, &oracle)?;
/// let names: Vec<String> = set.iter().map(|named| named.name).collect();
/// assert_eq!(names, ["small", "3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PuzzleSet {
    /// What the set is called.
    pub name: String,
    oracle: Arc<dyn Oracle>,
    text: String,
    /// Which column names the group, from 0.
    group_column: Option<usize>,
    has_head: bool,
    lines: Vec<SetLine>,
}

/// Where a group stands if no head says so.
const GROUP: usize = 2;

/// A line with an instance.
#[derive(Clone, Copy)]
struct SetLine {
    /// From 1.
    number: usize,
    /// Where it begins in the text.
    start: usize,
}

/// The text is no set of instances.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// A line is neither an instance nor a name and an instance.
    #[error("{set}, line {line}: {error}")]
    Line {
        /// The set.
        set: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with its instance.
        error: Box<PuzzleError>,
    },
    /// There is no line with an instance.
    #[error("{set} has no puzzle: write one puzzle a line, with a name before it if you like")]
    Empty {
        /// The set.
        set: String,
    },
}

impl fmt::Debug for PuzzleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PuzzleSet({:?}, {} of {:?})", self.name, self.len(), self.oracle.puzzle())
    }
}

impl PuzzleSet {
    /// Reads a set.
    ///
    /// An instance without a name is called by the number of its line. Blank lines
    /// and lines with `#` are left out, and so is a head. Of columns with tabs
    /// between, the one that the head calls `group` names the group of an instance;
    /// without a head it is the third one, unless that is a number.
    pub fn parse(
        name: &str,
        text: impl Into<String>,
        oracle: &Arc<dyn Oracle>,
    ) -> Result<PuzzleSet, SetError> {
        let mut set = PuzzleSet {
            name: name.to_owned(),
            oracle: oracle.clone(),
            text: text.into(),
            group_column: Some(GROUP),
            has_head: false,
            lines: Vec::new(),
        };
        let mut start = 0;
        for (index, line) in set.text.split_inclusive('\n').enumerate() {
            let (number, trimmed) = (index + 1, line.trim());
            if is_head(trimmed) {
                set.has_head = true;
                set.group_column = trimmed.split('\t').position(|column| column.trim() == "group");
            } else if !(trimmed.is_empty() || trimmed.starts_with('#')) {
                oracle.read(trimmed).map_err(|error| SetError::Line {
                    set: name.to_owned(),
                    line: number,
                    error: error.into(),
                })?;
                set.lines.push(SetLine { number, start });
            }
            start += line.len();
        }
        match set.is_empty() {
            true => Err(SetError::Empty { set: set.name }),
            false => Ok(set),
        }
    }

    /// How many instances there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Has any instance a group?
    pub fn has_groups(&self) -> bool {
        self.iter().any(|named| named.group.is_some())
    }

    /// The instances, read one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Named<Arc<dyn Instance>>> {
        self.lines.iter().map(|line| self.read(line))
    }

    /// Keeps only the instances of these names, in whatever case; a number stands for
    /// all names that end in it, such as `Jam-7`, if it is none itself. Tells the
    /// first name that none has.
    pub fn keep<'n>(&mut self, names: &[&'n str]) -> Option<&'n str> {
        let all: Vec<String> = self.iter().map(|named| named.name).collect();
        let mut is_kept = vec![false; all.len()];
        let mut missing = None;
        for &wanted in names {
            let ends_in = |name: &str| name.rsplit_once('-').is_some_and(|(_, number)| number == wanted);
            let is_number = wanted.bytes().all(|byte| byte.is_ascii_digit());
            let meanings: [&dyn Fn(&str) -> bool; 3] =
                [&|name| name == wanted, &|name| name.eq_ignore_ascii_case(wanted), &|name| {
                    is_number && ends_in(name)
                }];
            let meaning = meanings.into_iter().find(|means| all.iter().any(|name| means(name)));
            match meaning {
                None => missing = missing.or(Some(wanted)),
                Some(means) => {
                    is_kept.iter_mut().zip(&all).for_each(|(is_kept, name)| *is_kept |= means(name));
                }
            }
        }
        let mut is_kept = is_kept.into_iter();
        self.lines.retain(|_| is_kept.next() == Some(true));
        missing
    }

    fn read(&self, line: &SetLine) -> Named<Arc<dyn Instance>> {
        let text = self.text[line.start..].lines().next().unwrap_or_default().trim();
        let Ok((name, puzzle)) = self.oracle.read(text) else { unreachable!("every line was read before") };
        let is_group = |group: &&str| {
            !group.is_empty() && (self.has_head || !group.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let column = self.group_column.filter(|_| name.is_some());
        let group = column.and_then(|column| text.split('\t').nth(column)).map(str::trim).filter(is_group);
        Named {
            name: name.map_or_else(|| line.number.to_string(), str::to_owned),
            group: group.map(str::to_owned),
            puzzle,
        }
    }
}

/// The set of the program with this name.
pub fn named_set(oracle: &Arc<dyn Oracle>, name: &str) -> Result<PuzzleSet, PuzzleError> {
    let sets = oracle.puzzle().sets();
    let Some((_, text)) = sets.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = sets.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return Err(PuzzleError::Text(format!("there is no set '{name}': the sets are {names}")));
    };
    Ok(PuzzleSet::parse(name, *text, oracle).expect("it is part of the program"))
}

/// Does a line name columns?
fn is_head(line: &str) -> bool {
    let mut columns = line.split('\t');
    columns.next() == Some("name") && matches!(columns.next(), Some("board" | "instance"))
}

#[cfg(test)]
mod tests {
    use super::super::{Puzzle, RushHour, Settings, named_set};
    use super::*;

    const SMALL: &str = "..B.AAB.........";

    fn oracle(primary: Option<char>) -> Arc<dyn Oracle> {
        RushHour.open(Settings { primary, ..Settings::default() }).unwrap()
    }

    fn parse(text: &str) -> Result<PuzzleSet, SetError> {
        PuzzleSet::parse("test", text, &oracle(None))
    }

    fn names(set: &PuzzleSet) -> Vec<String> {
        set.iter().map(|named| named.name).collect()
    }

    #[test]
    fn the_sets_of_the_program() {
        let set = |name: &str| named_set(&oracle(None), name).unwrap();
        let (jam, course) = (set("jam"), set("it3105"));
        assert_eq!((jam.len(), course.len()), (40, 7));
        let numbered = (1..=40).map(|number| format!("Jam-{number}"));
        assert!(names(&jam).into_iter().eq(numbered));
        assert_eq!((names(&course)[0].as_str(), names(&course)[6].as_str()), ("easy-3", "expert-1"));
        assert_eq!((jam.name.as_str(), course.name.as_str()), ("jam", "it3105"));
        for (name, _) in RushHour.sets() {
            assert_eq!(set(name).name, *name);
        }
    }

    #[test]
    fn lines_of_every_form() {
        let text = format!(
            "\u{20}\n# a comment\nname\tboard\tmoves\n{SMALL}\r\none {SMALL}\n  two-2   ..B. AAB. .... ....\n\
             ..B. AAB. .... ....\nnumber three\t{SMALL}\t2\t4\n4 ooBo AABo oooo oooo\n..B.\tAAB.\t....\t....\n"
        );
        let mut set = parse(&text).unwrap();
        assert_eq!(names(&set), ["4", "one", "two-2", "7", "number three", "4", "10"]);
        assert!(set.iter().all(|named| named.puzzle.text() == SMALL));
        assert_eq!(set.keep(&["4", "five", "two-2"]), Some("five"));
        assert_eq!(names(&set), ["4", "two-2", "4"]);
        let set = |primary| PuzzleSet::parse("test", "a ..B.XXB.........", &oracle(Some(primary)));
        assert!(set('X').is_ok() && set('B').is_err());
    }

    #[test]
    fn a_bad_line_is_named_with_what_is_wrong_with_its_board() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
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
