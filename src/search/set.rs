//! Sets of puzzles to compare searches on: any text with a puzzle a line.
//!
//! A set is kept as its text and read again puzzle by puzzle, so a million
//! puzzles take little more room than the file they come from.

/// A puzzle with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named<P> {
    /// What it is called.
    pub name: String,
    /// What it is counted among, if the set says so.
    pub group: Option<String>,
    /// How it begins.
    pub puzzle: P,
}

/// How puzzles are written.
pub trait Notation {
    /// What is read.
    type Puzzle;
    /// Why a line is no puzzle.
    type Error;

    /// Is it a line that names columns?
    fn is_head(&self, line: &str) -> bool;

    /// The puzzle of a line, and its name if it has one.
    fn read<'l>(&self, line: &'l str) -> Result<(Option<&'l str>, Self::Puzzle), Self::Error>;
}

/// Puzzles, in order; at least one, unless all were left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSet<N> {
    /// What the set is called.
    pub name: String,
    notation: N,
    text: String,
    /// Which column names the group, from 0.
    group_column: Option<usize>,
    has_head: bool,
    lines: Vec<SetLine>,
}

/// Where a group stands if no head says so.
const GROUP: usize = 2;

/// A line with a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SetLine {
    /// From 1.
    number: usize,
    /// Where it begins in the text.
    start: usize,
}

/// The text is no set of puzzles.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError<E> {
    /// A line is neither a puzzle nor a name and a puzzle.
    #[error("{set}, line {line}: {error}")]
    Line {
        /// The set.
        set: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with its puzzle.
        error: E,
    },
    /// There is no line with a puzzle.
    #[error("{set} has no puzzle: write one puzzle a line, with a name before it if you like")]
    Empty {
        /// The set.
        set: String,
    },
}

impl<N: Notation> PuzzleSet<N> {
    /// Reads a set.
    ///
    /// A puzzle without a name is called by the number of its line. Blank lines
    /// and lines with `#` are left out, and so is a head. Of columns with tabs
    /// between, the one that the head calls `group` names the group of a puzzle;
    /// without a head it is the third one, unless that is a number.
    pub fn parse(
        name: &str,
        text: impl Into<String>,
        notation: N,
    ) -> Result<PuzzleSet<N>, SetError<N::Error>> {
        let mut set = PuzzleSet {
            name: name.to_owned(),
            notation,
            text: text.into(),
            group_column: Some(GROUP),
            has_head: false,
            lines: Vec::new(),
        };
        let mut start = 0;
        for (index, line) in set.text.split_inclusive('\n').enumerate() {
            let (number, trimmed) = (index + 1, line.trim());
            if set.notation.is_head(trimmed) {
                set.has_head = true;
                set.group_column = trimmed.split('\t').position(|column| column.trim() == "group");
            } else if !(trimmed.is_empty() || trimmed.starts_with('#')) {
                set.notation.read(trimmed).map_err(|error| SetError::Line {
                    set: name.to_owned(),
                    line: number,
                    error,
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

    /// How many puzzles there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Has any puzzle a group?
    pub fn has_groups(&self) -> bool {
        self.iter().any(|named| named.group.is_some())
    }

    /// The puzzles, read one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Named<N::Puzzle>> {
        self.lines.iter().map(|line| self.read(line))
    }

    /// Keeps only the puzzles of these names, in whatever case; a number stands for
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

    fn read(&self, line: &SetLine) -> Named<N::Puzzle> {
        let text = self.text[line.start..].lines().next().unwrap_or_default().trim();
        let Ok((name, puzzle)) = self.notation.read(text) else { unreachable!("every line was read before") };
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
