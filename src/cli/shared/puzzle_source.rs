//! Sets of puzzles by name, or from files.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use tailback::domains::rush_hour::{BoardNotation, PuzzleSet};
use tailback::search::near;

use super::{BoardReader, Failure, Result, batch};

/// No range of puzzles has more: a slip of the finger is no long wait.
const MOST_IN_RANGE: u32 = 100_000;

/// Where puzzles come from.
#[derive(Clone)]
pub enum PuzzleSource {
    /// A set of the program.
    Named(String),
    /// `-` is standard input.
    File(PathBuf),
}

/// For clap.
pub fn parse(text: &str) -> Result<PuzzleSource, String> {
    match text {
        _ if PuzzleSet::NAMES.contains(&text) => Ok(PuzzleSource::Named(text.to_owned())),
        _ if text == "-" || Path::new(text).exists() => Ok(PuzzleSource::File(text.into())),
        _ => {
            let sets = PuzzleSet::NAMES.join(", ");
            Err(format!("there is no file of this name, and the sets are {sets}"))
        }
    }
}

/// Names with commas between; `1..10` stands for the numbers from 1 to 10.
fn wanted(names: &str) -> Vec<String> {
    let numbers = |name: &str| -> Option<RangeInclusive<u32>> {
        let (first, last) = name.split_once("..")?;
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    let expand = |name: &str| match numbers(name) {
        Some(range) if range.end().saturating_sub(*range.start()) < MOST_IN_RANGE => {
            range.map(|number| number.to_string()).collect()
        }
        _ => vec![name.to_owned()],
    };
    names.split(',').map(str::trim).flat_map(expand).collect()
}

impl PuzzleSource {
    /// Reads them, or only those of some names, with commas between.
    pub fn some_puzzles(&self, reader: &BoardReader, only: Option<&str>) -> Result<PuzzleSet> {
        let mut set = self.puzzles(reader)?;
        if let Some(names) = only {
            let wanted = wanted(names);
            let all: Vec<String> = set.iter().map(|named| named.name).collect();
            if let Some(name) = set.keep(&wanted.iter().map(String::as_str).collect::<Vec<_>>()) {
                let near = near(name, all.iter().map(String::as_str));
                let meant = match near.is_empty() {
                    true => String::new(),
                    false => format!(": is {} meant?", near.join(" or ")),
                };
                return Err(Failure::misused(format!("{} has no puzzle '{name}'{meant}", set.name)));
            }
        }
        Ok(set)
    }

    fn puzzles(&self, reader: &BoardReader) -> Result<PuzzleSet> {
        match self {
            PuzzleSource::Named(name) => Ok(PuzzleSet::named(name).expect("the name was looked up")),
            PuzzleSource::File(path) => {
                let name =
                    if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() };
                let text = reader.names_and_boards(&name, batch::input(path)?)?;
                Ok(PuzzleSet::parse(&name, text, BoardNotation { reader: reader.reader })?)
            }
        }
    }
}
