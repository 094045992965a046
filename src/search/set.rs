//! Sets of puzzles to compare searches on: any text with a puzzle a line.
//!
//! A set is kept as its text and read again puzzle by puzzle, so a million
//! puzzles take little more room than the file they come from.

/// A puzzle with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named<P> {
    /// What it is called.
    pub name: String,
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
    lines: Vec<Entry>,
}

/// A line with a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
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
    /// and lines with `#` are left out, and so is a head.
    pub fn parse(
        name: &str,
        text: impl Into<String>,
        notation: N,
    ) -> Result<PuzzleSet<N>, SetError<N::Error>> {
        let mut set = PuzzleSet { name: name.to_owned(), notation, text: text.into(), lines: Vec::new() };
        let mut start = 0;
        for (index, line) in set.text.split_inclusive('\n').enumerate() {
            let (number, trimmed) = (index + 1, line.trim());
            if !(trimmed.is_empty() || trimmed.starts_with('#') || set.notation.is_head(trimmed)) {
                set.notation.read(trimmed).map_err(|error| SetError::Line {
                    set: name.to_owned(),
                    line: number,
                    error,
                })?;
                set.lines.push(Entry { number, start });
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

    /// The puzzles, read one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Named<N::Puzzle>> {
        self.lines.iter().map(|line| self.read(line))
    }

    /// Keeps only the puzzles of these names. Tells the first name that none has.
    pub fn keep<'n>(&mut self, names: &[&'n str]) -> Option<&'n str> {
        let mut missing = names.to_vec();
        let mut lines = std::mem::take(&mut self.lines);
        lines.retain(|line| {
            let Named { name, .. } = self.read(line);
            missing.retain(|missing| *missing != name);
            names.contains(&name.as_str())
        });
        self.lines = lines;
        missing.first().copied()
    }

    fn read(&self, line: &Entry) -> Named<N::Puzzle> {
        let text = self.text[line.start..].lines().next().unwrap_or_default();
        let Ok((name, puzzle)) = self.notation.read(text.trim()) else {
            unreachable!("every line was read before")
        };
        Named { name: name.map_or_else(|| line.number.to_string(), str::to_owned), puzzle }
    }
}
