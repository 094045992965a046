//! Sets of puzzles by name, or from files.

use std::io::Read;
use std::path::{Path, PathBuf};

use tailback::domains::rush_hour::{BoardNotation, PuzzleSet};

use super::{Failure, Result, batch, interrupt};

/// The largest set, in bytes.
const LARGEST: u64 = 64 << 20;

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

impl PuzzleSource {
    /// Reads them, or only those of some names, with commas between. The primary
    /// of a file is the car of this letter.
    pub fn some_puzzles(&self, primary: char, only: Option<&str>) -> Result<PuzzleSet> {
        let mut set = self.puzzles(primary)?;
        if let Some(names) = only {
            let names: Vec<&str> = names.split(',').map(str::trim).collect();
            if let Some(name) = set.keep(&names) {
                return Err(Failure::misused(format!("{} has no puzzle '{name}'", set.name)));
            }
        }
        Ok(set)
    }

    fn puzzles(&self, primary: char) -> Result<PuzzleSet> {
        match self {
            PuzzleSource::Named(name) => Ok(PuzzleSet::named(name).expect("the name was looked up")),
            PuzzleSource::File(path) => {
                let name =
                    if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() };
                Ok(PuzzleSet::parse(&name, text(batch::input(path)?)?, BoardNotation { primary })?)
            }
        }
    }
}

/// All of a set. What is no text will be no board either.
fn text(input: impl Read) -> Result<String> {
    let mut bytes = Vec::new();
    let read = input.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::from(error).about("cannot read the puzzles"))?;
    if interrupt::is_raised() {
        return Err(Failure::interrupted());
    }
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::misused("a set has at most 64 MB: take fewer puzzles"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
