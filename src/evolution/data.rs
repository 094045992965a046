//! The boards of an experiment.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::experiment::{Boards, Data};
use super::fitness::Labelled;
use crate::board::{Board, BoardError, Metric};
use crate::catalogue::Range;
use crate::cluster::{Bounds, Cluster};
use crate::dataset::hh_evolver::{Claimed, ReadError, Reader};
use crate::dataset::{Lot, SourceError, Tables, Wanted};
use crate::domains::rush_hour::{BoardNotation, PuzzleSet, SetError};
use crate::probe::{ProbeError, Prober};
use crate::progress::Observer;
use crate::random::Chance;
use crate::search::Named;
use crate::space::Space;
use crate::table::{Table, TableError};

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
    /// A dataset cannot be read.
    #[error("{}", .path.display())]
    Dataset {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ReadError,
    },
    /// A dataset has a header without what is needed.
    #[error(
        "{} has the columns {}: one must be called board, and one {metric} or h*",
        .path.display(),
        .found.join(", ")
    )]
    Columns {
        /// The file.
        path: PathBuf,
        /// The columns it has.
        found: Vec<String>,
        /// What distances count.
        metric: Metric,
    },
    /// A line has no exact distance.
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
    /// There is no such set.
    #[error("there is no set '{found}': the sets are {}", .names.join(", "))]
    NoSet {
        /// The name.
        found: String,
        /// Those that there are.
        names: Vec<&'static str>,
    },
    /// The distances are no range.
    #[error("'{found}' is no range of distances: write 25, 10..20 or 25..")]
    Distances {
        /// What was given.
        found: String,
    },
    /// A board cannot be solved.
    #[error("{board} cannot be solved: a training or test board needs a distance")]
    Unsolvable {
        /// The board.
        board: String,
    },
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Boards cannot be drawn.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A distance cannot be found.
    #[error(transparent)]
    Probe(#[from] ProbeError),
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
    /// The folder of the tables.
    pub tables: &'s Path,
    /// Knows distances.
    pub prober: &'s Prober,
    /// What they count.
    pub metric: Metric,
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
    prober: &Prober,
    metric: Metric,
    observer: &dyn Observer,
) -> Result<Vec<Labelled>, DataError> {
    let bounds = Bounds { observer, ..Bounds::default() };
    let label = |Named { name, puzzle: board, .. }: Named<Board>| {
        let distance = prober.session().distance(&board, metric, bounds)?.0;
        let unsolvable = || DataError::Unsolvable { board: format!("{name} of {}", set.name) };
        Ok(Labelled { distance: distance.ok_or_else(unsolvable)?, board })
    };
    set.iter().collect::<Vec<_>>().into_par_iter().map(label).collect()
}

impl Sources<'_> {
    /// Finds all boards of an experiment. No training board shares its family
    /// with a test board, or with one that is to be kept apart.
    pub fn load(&self, data: &Data) -> Result<Loaded, DataError> {
        let test = self.boards(data.test.get_ref())?;
        let mut train = self.boards(data.train.get_ref())?;
        let mut families: FxHashSet<u64> = test.iter().map(|labelled| labelled.board.family()).collect();
        for name in &data.apart {
            let set = self.set_or_file(name.get_ref())?;
            families.extend(set.iter().map(|named| named.puzzle.family()));
        }
        let before = train.len();
        train.retain(|labelled| !families.contains(&labelled.board.family()));
        if test.is_empty() {
            return Err(DataError::Empty { what: "test", all_apart: false });
        }
        if train.is_empty() {
            return Err(DataError::Empty { what: "train", all_apart: before > 0 });
        }
        Ok(Loaded { left_out: before - train.len(), train, test })
    }

    fn boards(&self, boards: &Boards) -> Result<Vec<Labelled>, DataError> {
        let mut found = match boards {
            Boards { file: Some(file), .. } if file.ends_with(".csv") => self.dataset(file)?,
            Boards { file: Some(file), only, .. } => {
                self.labelled(&chosen(self.set_or_file(file)?, only)?)?
            }
            Boards { set: Some(set), only, .. } => self.labelled(&chosen(built_in(set)?, only)?)?,
            drawn => self.drawn(drawn)?,
        };
        found.truncate(boards.most.unwrap_or(usize::MAX));
        match boards.around {
            Some(count) => self.around(&found, count, boards.seed),
            None => Ok(found),
        }
    }

    /// So many boards of the cluster of each, drawn by their distance first: the
    /// many that are in the middle say no more than the few at the ends.
    fn around(&self, boards: &[Labelled], count: usize, seed: u64) -> Result<Vec<Labelled>, DataError> {
        let of_cluster = |labelled: &Labelled| -> Result<Vec<Labelled>, DataError> {
            let bounds = Bounds { observer: self.observer, ..Bounds::default() };
            let cluster = Cluster::explore(&labelled.board, self.metric, bounds).map_err(ProbeError::from)?;
            let (horizontal, vertical) = labelled.board.order();
            let mut chance = Chance::of(&[seed, horizontal, vertical]);
            let mut levels = Vec::new();
            let mut first = 0;
            for boards in cluster.histogram() {
                levels.push((first, boards as usize));
                first += boards as usize;
            }
            let numbers: BTreeSet<usize> = (0..count)
                .map(|_| {
                    let &(first, boards) = chance.pick(&levels);
                    first + chance.below(boards)
                })
                .collect();
            let label = |number| {
                let (board, distance) = cluster.nth(number);
                let unsolvable = || DataError::Unsolvable { board: board.text() };
                Ok(Labelled { distance: distance.ok_or_else(unsolvable)?, board })
            };
            numbers.into_iter().map(label).collect()
        };
        let parts: Vec<Vec<Labelled>> = boards.par_iter().map(of_cluster).collect::<Result<_, _>>()?;
        Ok(parts.concat())
    }

    fn read(&self, file: &str) -> Result<(PathBuf, String), DataError> {
        let path = self.folder.join(file);
        match fs::read_to_string(&path) {
            Ok(text) => Ok((path, text)),
            Err(source) => Err(DataError::Io { path, source }),
        }
    }

    fn set_or_file(&self, name: &str) -> Result<PuzzleSet, DataError> {
        if let Ok(set) = built_in(name) {
            return Ok(set);
        }
        let (_, text) = self.read(name)?;
        Ok(PuzzleSet::parse(name, text, BoardNotation::default())?)
    }

    fn labelled(&self, set: &PuzzleSet) -> Result<Vec<Labelled>, DataError> {
        labelled(set, self.prober, self.metric, self.observer)
    }

    /// A CSV: with a header that names its columns, or HH-Evolver's.
    fn dataset(&self, file: &str) -> Result<Vec<Labelled>, DataError> {
        let (path, text) = self.read(file)?;
        let first = text.lines().next().unwrap_or("").trim_start_matches('\u{feff}');
        let names: Vec<String> =
            first.split(',').map(|name| name.trim().trim_matches('"').to_owned()).collect();
        let is_header = names.iter().any(|name| name == "board");
        let wrong = |line, problem| DataError::Line { path: path.clone(), line, problem };
        let labelled = |line, board: &str, claimed: &Claimed| {
            let board = Board::parse(board).map_err(|error: BoardError| wrong(line, error.to_string()))?;
            match claimed {
                Claimed::Distance(distance)
                    if distance.fract() == 0.0 && (0.0..=10_000.0).contains(distance) =>
                {
                    Ok(Labelled { board, distance: *distance as u32 })
                }
                Claimed::Distance(distance) => {
                    Err(wrong(line, format!("a distance is a whole number from 0 to 10000, not {distance}")))
                }
                Claimed::Unsolvable => {
                    Err(wrong(line, "the board cannot be solved: leave such boards out".to_owned()))
                }
                Claimed::NoAnswer => Err(wrong(
                    line,
                    "there is no distance (-1, NaN or nothing): leave the line out".to_owned(),
                )),
            }
        };
        if !is_header {
            let reader = Reader::new(text.as_bytes())
                .map_err(|source| DataError::Dataset { path: path.clone(), source })?;
            return reader
                .map(|instance| {
                    let (line, instance) =
                        instance.map_err(|source| DataError::Dataset { path: path.clone(), source })?;
                    labelled(line, &instance.board, &instance.claimed)
                })
                .collect();
        }
        let metric = self.metric.to_string();
        let place = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        let (Some(board), Some(distance)) = (place(&["board"]), place(&[&metric, "h*"])) else {
            return Err(DataError::Columns { path, found: names, metric: self.metric });
        };
        let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        rows.records()
            .map(|record| {
                let record = record.map_err(|error| {
                    let line = error.position().map_or(0, csv::Position::line);
                    wrong(line as usize, error.to_string())
                })?;
                let line = record.position().map_or(0, csv::Position::line) as usize;
                let field = |place: usize| record.get(place).unwrap_or("");
                let claimed = format!("-,{}", field(distance));
                let claimed = crate::dataset::hh_evolver::Instance::parse(&claimed)
                    .map_err(|error| wrong(line, error.to_string()))?;
                labelled(line, field(board), &claimed.claimed)
            })
            .collect()
    }

    fn drawn(&self, boards: &Boards) -> Result<Vec<Labelled>, DataError> {
        let size = boards.size.expect("it was looked at");
        let table = Table::open(self.tables, size, self.metric)?;
        let distances = match &boards.distances {
            None => None,
            Some(text) => {
                let range: Result<Range, _> = text.parse();
                Some(range.map_err(|_| DataError::Distances { found: text.clone() })?)
            }
        };
        let wanted = match (boards.draw, boards.per_distance) {
            (Some(count), _) => Wanted::Count(count),
            (_, Some(count)) => Wanted::PerDistance(count),
            (None, None) => unreachable!("it was looked at"),
        };
        let tables = [&table];
        let tables = Tables { by_metric: &tables };
        let lot = Lot { tables, wanted, distances, with_unsolvable: false, shape: None, seed: boards.seed };
        let space = Space::of_size(size).expect("there is a table of it");
        let drawn = lot.drawn(self.observer)?;
        let label = |drawn: &crate::dataset::Drawn| Labelled {
            board: space.board(&drawn.position),
            distance: drawn.distances[0].known().expect("unsolvable boards are not drawn"),
        };
        Ok(drawn.iter().map(label).collect())
    }
}

fn built_in(name: &str) -> Result<PuzzleSet, DataError> {
    PuzzleSet::named(name)
        .ok_or_else(|| DataError::NoSet { found: name.to_owned(), names: PuzzleSet::NAMES.to_vec() })
}

fn chosen(mut set: PuzzleSet, only: &Option<Vec<String>>) -> Result<PuzzleSet, DataError> {
    let Some(names) = only else { return Ok(set) };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match set.keep(&names) {
        None => Ok(set),
        Some(name) => Err(DataError::NoBoard { found: name.to_owned(), set: set.name }),
    }
}
