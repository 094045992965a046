//! The boards of an experiment.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::experiment::{Boards, Experiment, MAX_BOARDS};
use crate::board::{Distance, Metric};
use crate::dataset::hh_evolver::{self, Claimed};
use crate::files::open_regular;
use crate::lists::{Entry, Options, Records};
use crate::progress::Observer;
use crate::puzzles::{
    Count, Draw, Instance, Labelled, Oracle, PuzzleError, PuzzleSet, SetError, Settings, named_set,
};
use crate::search::Named;

/// Why an experiment has no boards.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file cannot be read.
    #[error("cannot read {}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A dataset has a header without what is needed.
    #[error(
        "{} has beside the board {}: one column must be called board, and one {metric} or h*",
        .path.display(),
        if .found.is_empty() { "nothing".to_owned() } else { .found.join(", ") }
    )]
    Columns {
        /// The file.
        path: PathBuf,
        /// The other columns it has.
        found: Vec<String>,
        /// What distances count.
        metric: Metric,
    },
    /// A line has no exact distance, or a wrong one.
    #[error("{}, line {line}: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// It is no set of boards.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The puzzle has no such boards, or cannot tell their distances.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// A set has no board of this name.
    #[error("{set} has no board '{found}'")]
    NoBoard {
        /// The set.
        set: String,
        /// What it was asked for.
        found: String,
    },
    /// There is no board.
    #[error("{what} has no boards{}", if *.all_apart { ": the families of all are among those to keep apart" } else { "" })]
    Empty {
        /// `train` or `test`.
        what: &'static str,
        /// Were there some before families were kept apart?
        all_apart: bool,
    },
}

/// Where boards and distances come from.
pub struct Sources<'s> {
    /// The folder of the experiment, where its files are.
    pub folder: &'s Path,
    /// How its puzzle is opened.
    pub settings: &'s Settings,
    /// Is told how far it is.
    pub observer: &'s dyn Observer,
}

/// The boards to breed on, and those to try the best on.
pub struct Loaded {
    /// To breed on.
    pub train: Vec<Labelled>,
    /// To try the best on.
    pub test: Vec<Labelled>,
    /// Training boards that were left out because of their family.
    pub left_out: usize,
}

/// The boards of a set with their distances, which have to be found.
pub(super) fn labelled(
    set: &PuzzleSet,
    oracle: &dyn Oracle,
    observer: &dyn Observer,
) -> Result<Vec<Labelled>, DataError> {
    let label = |Named { name, puzzle: instance, .. }: Named<Arc<dyn Instance>>| {
        // It may have been read to be measured in another metric.
        let (_, instance) = oracle.read(&instance.text())?;
        let unsolvable = || PuzzleError::Unsolvable { instance: format!("{name} of {}", set.name) };
        match instance.distance(observer)? {
            Some(distance) => Ok(Labelled { distance: distance.known().ok_or_else(unsolvable)?, instance }),
            None => Err(PuzzleError::TooLarge { instance: format!("{name} of {}", set.name) }.into()),
        }
    };
    set.iter().collect::<Vec<_>>().into_par_iter().map(label).collect()
}

impl Sources<'_> {
    /// Finds all boards of an experiment. No training board shares its family
    /// with a test board, or with one that is to be kept apart.
    pub fn load(&self, experiment: &Experiment) -> Result<Loaded, DataError> {
        let (data, oracle) = (&experiment.data, experiment.open(self.settings)?);
        let test = self.boards(data.test.get_ref(), &oracle)?;
        let mut train = self.boards(data.train.get_ref(), &oracle)?;
        let mut families: FxHashSet<u64> = test.iter().map(|labelled| labelled.instance.group()).collect();
        for name in &data.apart {
            let set = self.set_or_file(name.get_ref(), &oracle)?;
            families.extend(set.iter().map(|named| named.puzzle.group()));
        }
        let before = train.len();
        train.retain(|labelled| !families.contains(&labelled.instance.group()));
        if test.is_empty() {
            return Err(DataError::Empty { what: "test", all_apart: false });
        }
        if train.is_empty() {
            return Err(DataError::Empty { what: "train", all_apart: before > 0 });
        }
        Ok(Loaded { left_out: before - train.len(), train, test })
    }

    fn boards(&self, boards: &Boards, oracle: &Arc<dyn Oracle>) -> Result<Vec<Labelled>, DataError> {
        let mut found = match boards {
            Boards { file: Some(file), .. } if boards.is_dataset() => self.dataset(file, &**oracle)?,
            Boards { file: Some(file), only, .. } => {
                labelled(&chosen(self.set_or_file(file, oracle)?, only)?, &**oracle, self.observer)?
            }
            Boards { set: Some(set), only, .. } => {
                labelled(&chosen(named_set(oracle, set)?, only)?, &**oracle, self.observer)?
            }
            drawn => oracle.draw(&draw(drawn), self.observer)?,
        };
        found.truncate(boards.most.unwrap_or(usize::MAX));
        if found.len().saturating_mul(boards.around.unwrap_or(1)) > MAX_BOARDS {
            return Err(PuzzleError::TooMany { most: MAX_BOARDS }.into());
        }
        match boards.around {
            Some(count) => {
                let around =
                    |labelled: &Labelled| labelled.instance.around(count, boards.seed, self.observer);
                let parts: Vec<Vec<Labelled>> = found.par_iter().map(around).collect::<Result<_, _>>()?;
                Ok(parts.concat())
            }
            None => Ok(found),
        }
    }

    fn open(&self, file: &str) -> Result<(PathBuf, File), DataError> {
        let path = self.folder.join(file);
        match open_regular(&path) {
            Ok(file) => Ok((path, file)),
            Err(source) => Err(DataError::Io { path, source }),
        }
    }

    fn set_or_file(&self, name: &str, oracle: &Arc<dyn Oracle>) -> Result<PuzzleSet, DataError> {
        if let Ok(set) = named_set(oracle, name) {
            return Ok(set);
        }
        let (path, file) = self.open(name)?;
        let text = io::read_to_string(file).map_err(|source| DataError::Io { path, source })?;
        Ok(PuzzleSet::parse(name, text, oracle)?)
    }

    /// Boards with distances, which have to be right as far as a table knows.
    fn dataset(&self, file: &str, oracle: &dyn Oracle) -> Result<Vec<Labelled>, DataError> {
        let metric = oracle.metric();
        let (path, input) = self.open(file)?;
        let io_error = |source| DataError::Io { path: path.clone(), source };
        let mut records = Records::new(input, Options { has_head: true, ..Options::default() });
        records.begin().map_err(io_error)?;
        let form = records.form().clone();
        let mut found = Vec::new();
        for record in records {
            if found.len() == MAX_BOARDS {
                return Err(PuzzleError::TooMany { most: MAX_BOARDS }.into());
            }
            let record = record.map_err(io_error)?;
            let wrong =
                |problem: String| DataError::Line { path: path.clone(), line: record.number, problem };
            let whole = record.whole().map_err(|error| wrong(error.to_string()))?;
            let entry = form.entry(whole).map_err(|error| wrong(error.to_string()))?;
            let Some(distance) = distance_beside(&entry, metric) else {
                let found = entry.values.iter().map(|(name, _)| name.to_string()).collect();
                return Err(DataError::Columns { path: path.clone(), found, metric });
            };
            found.push((record.number, exact(oracle, &entry, distance).map_err(wrong)?));
        }
        let check = |(line, labelled): &(usize, Labelled)| {
            let Labelled { instance, distance } = labelled;
            let problem = match instance.looked_up()? {
                Some(Distance::UNSOLVABLE) => "the board cannot be solved: leave such boards out".to_owned(),
                Some(known) if known != Distance::of(*distance) => {
                    format!("the distance is {known}, not {distance}: correct the line")
                }
                _ => return Ok(()),
            };
            Err(DataError::Line { path: path.clone(), line: *line, problem })
        };
        found.par_iter().map(check).find_first(Result::is_err).unwrap_or(Ok(()))?;
        Ok(found.into_iter().map(|(_, labelled)| labelled).collect())
    }
}

fn draw(boards: &Boards) -> Draw {
    let count = match (boards.draw, boards.per_distance) {
        (Some(count), _) => Count::All(count),
        (_, count) => Count::PerDistance(count.expect("it was looked at")),
    };
    let &Boards { size, distances, seed, .. } = boards;
    Draw { count, size, distances, seed, most: MAX_BOARDS }
}

/// What stands in the column of the distances, or beside the board in a text.
fn distance_beside<'e>(entry: &'e Entry, metric: Metric) -> Option<&'e str> {
    let named = entry.value(&[&metric.to_string(), "h*"]);
    named.or_else(|| entry.after.first().or(entry.before.last()).copied())
}

/// A board with a distance that may be exact; or what is wrong with it.
fn exact(oracle: &dyn Oracle, entry: &Entry, distance: &str) -> Result<Labelled, String> {
    let claim = hh_evolver::Instance::of(&entry.board, distance, &[]).map_err(|error| error.to_string())?;
    let (_, instance) = oracle.read(&entry.board).map_err(|error| error.to_string())?;
    match claim.claimed {
        Claimed::Distance(distance) if distance.fract() == 0.0 && (0.0..=10_000.0).contains(&distance) => {
            Ok(Labelled { instance, distance: distance as u32 })
        }
        Claimed::Distance(distance) => {
            Err(format!("a distance is a whole number from 0 to 10000, not {distance}"))
        }
        Claimed::Unsolvable => Err("the board cannot be solved: leave such boards out".to_owned()),
        Claimed::NoAnswer => Err("there is no distance (-1, NaN or nothing): leave the line out".to_owned()),
    }
}

fn chosen(mut set: PuzzleSet, only: &Option<Vec<String>>) -> Result<PuzzleSet, DataError> {
    let Some(names) = only else { return Ok(set) };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match set.keep(&names) {
        None => Ok(set),
        Some(name) => Err(DataError::NoBoard { found: name.to_owned(), set: set.name }),
    }
}
