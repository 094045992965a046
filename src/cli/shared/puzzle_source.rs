//! Sets of puzzles by name, or from files.

use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tailback::puzzles::{Oracle, PUZZLES, PuzzleSet, named_set};
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

/// The names of the sets of all puzzles.
pub fn names() -> impl Iterator<Item = &'static str> {
    PUZZLES.iter().flat_map(|puzzle| puzzle.sets()).map(|(name, _)| *name)
}

/// For clap.
pub fn parse(text: &str) -> Result<PuzzleSource, String> {
    match text {
        _ if names().any(|name| name == text) => Ok(PuzzleSource::Named(text.to_owned())),
        _ if text == "-" || Path::new(text).exists() => Ok(PuzzleSource::File(text.into())),
        _ => {
            let sets = names().collect::<Vec<_>>().join(", ");
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
    pub fn some_puzzles(
        &self,
        oracle: &Arc<dyn Oracle>,
        reader: &BoardReader,
        only: Option<&str>,
    ) -> Result<PuzzleSet> {
        let mut set = self.puzzles(oracle, reader)?;
        if let Some(names) = only {
            let wanted = wanted(names);
            let all: Vec<String> = set.iter().map(|named| named.name).collect();
            if let Some(name) = set.keep(&wanted.iter().map(String::as_str).collect::<Vec<_>>()) {
                let near = near(name, all.iter().map(String::as_str));
                let meant = match near.is_empty() {
                    true => String::new(),
                    false => format!("; did you mean {}?", near.join(" or ")),
                };
                return Err(Failure::misused(format!("{} has no puzzle '{name}'{meant}", set.name)));
            }
        }
        Ok(set)
    }

    fn puzzles(&self, oracle: &Arc<dyn Oracle>, reader: &BoardReader) -> Result<PuzzleSet> {
        match self {
            PuzzleSource::Named(name) => named_set(oracle, name).map_err(Failure::misused),
            PuzzleSource::File(path) => {
                let name =
                    if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() };
                let mut text = String::new();
                match oracle.puzzle().has_boards() {
                    true => text = reader.names_and_boards(&name, batch::input(path)?)?,
                    false => {
                        let read = batch::input(path)?.read_to_string(&mut text);
                        read.map_err(|error| Failure::of(&error).about(format_args!("cannot read {name}")))?;
                    }
                }
                Ok(PuzzleSet::parse(&name, text, oracle)?)
            }
        }
    }
}
