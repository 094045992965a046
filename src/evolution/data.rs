//! The boards of an experiment.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::experiment::{Boards, Experiment, MAX_BOARDS};
use super::fitness::Labelled;
use crate::board::{Board, Metric, Reader};
use crate::cluster::{Bounds, Cluster, ClusterError};
use crate::dataset::hh_evolver::{Claimed, Instance};
use crate::dataset::{Lot, SourceError, Tables, Wanted};
use crate::domains::rush_hour::{BoardNotation, PuzzleSet, SetError};
use crate::files::open_regular;
use crate::lists::{Entry, Options, Records};
use crate::probe::{ProbeError, Prober};
use crate::progress::Observer;
use crate::random::Chance;
use crate::search::Named;
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
    /// There is no such set.
    #[error("there is no set '{found}': the sets are {}", .names.join(", "))]
    NoSet {
        /// The name.
        found: String,
        /// Those that there are.
        names: Vec<&'static str>,
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
    /// There are more boards than fit into memory with all that is asked about them.
    #[error("these would be more than {MAX_BOARDS} boards, in train or in test: ask for fewer")]
    TooMany,
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
    pub fn load(&self, experiment: &Experiment) -> Result<Loaded, DataError> {
        let (data, metric) = (&experiment.data, experiment.metric);
        let test = self.boards(data.test.get_ref(), metric)?;
        let mut train = self.boards(data.train.get_ref(), metric)?;
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

    fn boards(&self, boards: &Boards, metric: Metric) -> Result<Vec<Labelled>, DataError> {
        let labelled = |set: &PuzzleSet| labelled(set, self.prober, metric, self.observer);
        let mut found = match boards {
            Boards { file: Some(file), .. } if boards.is_dataset() => self.dataset(file, metric)?,
            Boards { file: Some(file), only, .. } => labelled(&chosen(self.set_or_file(file)?, only)?)?,
            Boards { set: Some(set), only, .. } => labelled(&chosen(built_in(set)?, only)?)?,
            drawn => self.drawn(drawn, metric)?,
        };
        found.truncate(boards.most.unwrap_or(usize::MAX));
        if found.len().saturating_mul(boards.around.unwrap_or(1)) > MAX_BOARDS {
            return Err(DataError::TooMany);
        }
        match boards.around {
            Some(count) => self.around(&found, metric, count, boards.seed),
            None => Ok(found),
        }
    }

    /// So many boards of the cluster of each, drawn by their distance first: the
    /// many that are in the middle say no more than the few at the ends.
    fn around(
        &self,
        boards: &[Labelled],
        metric: Metric,
        count: usize,
        seed: u64,
    ) -> Result<Vec<Labelled>, DataError> {
        let of_cluster = |labelled: &Labelled| -> Result<Vec<Labelled>, DataError> {
            let bounds = Bounds { observer: self.observer, ..Bounds::default() };
            let cluster = Cluster::explore(&labelled.board, metric, bounds).map_err(ProbeError::from)?;
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
                if self.observer.wants_stop() {
                    return Err(ProbeError::from(ClusterError::Stopped).into());
                }
                let (board, distance) = cluster.nth(number);
                let unsolvable = || DataError::Unsolvable { board: board.text() };
                Ok(Labelled { distance: distance.ok_or_else(unsolvable)?, board })
            };
            numbers.into_iter().map(label).collect()
        };
        let parts: Vec<Vec<Labelled>> = boards.par_iter().map(of_cluster).collect::<Result<_, _>>()?;
        Ok(parts.concat())
    }

    fn open(&self, file: &str) -> Result<(PathBuf, File), DataError> {
        let path = self.folder.join(file);
        match open_regular(&path) {
            Ok(file) => Ok((path, file)),
            Err(source) => Err(DataError::Io { path, source }),
        }
    }

    fn set_or_file(&self, name: &str) -> Result<PuzzleSet, DataError> {
        if let Ok(set) = built_in(name) {
            return Ok(set);
        }
        let (path, file) = self.open(name)?;
        let text = io::read_to_string(file).map_err(|source| DataError::Io { path, source })?;
        Ok(PuzzleSet::parse(name, text, BoardNotation::default())?)
    }

    /// Boards with distances, which have to be right as far as a table knows.
    fn dataset(&self, file: &str, metric: Metric) -> Result<Vec<Labelled>, DataError> {
        let (path, input) = self.open(file)?;
        let io_error = |source| DataError::Io { path: path.clone(), source };
        let mut records = Records::new(input, Options { has_head: true, ..Options::default() });
        records.begin().map_err(io_error)?;
        let form = records.form().clone();
        let mut found = Vec::new();
        for record in records {
            if found.len() == MAX_BOARDS {
                return Err(DataError::TooMany);
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
            found.push((record.number, exact(&entry, distance).map_err(wrong)?));
        }
        let is_wrong = |session: &mut crate::probe::Session, (line, labelled): &(usize, Labelled)| {
            let Labelled { board, distance } = labelled;
            if session.needs_search(board, metric)? {
                return Ok(());
            }
            match session.distance(board, metric, Bounds::default())?.0 {
                Some(known) if known == *distance => Ok(()),
                known => Err(DataError::Line {
                    path: path.clone(),
                    line: *line,
                    problem: match known {
                        Some(known) => format!("the distance is {known}, not {distance}: correct the line"),
                        None => "the board cannot be solved: leave such boards out".to_owned(),
                    },
                }),
            }
        };
        let checked = found.par_iter().map_init(|| self.prober.session(), is_wrong);
        checked.find_first(Result::is_err).unwrap_or(Ok(()))?;
        Ok(found.into_iter().map(|(_, labelled)| labelled).collect())
    }

    fn drawn(&self, boards: &Boards, metric: Metric) -> Result<Vec<Labelled>, DataError> {
        let size = boards.size.expect("it was looked at");
        let table = Table::open(self.tables, size, metric)?;
        let wanted = match (boards.draw, boards.per_distance) {
            (Some(count), _) => Wanted::Count(count),
            (_, Some(count)) => Wanted::PerDistance(count),
            (None, None) => unreachable!("it was looked at"),
        };
        let tables = [&table];
        let tables = Tables { by_metric: &tables };
        let distances = boards.distances;
        let lot = Lot { tables, wanted, distances, with_unsolvable: false, shape: None, seed: boards.seed };
        if let Wanted::PerDistance(count) = wanted
            && lot.histogram().iter().map(|(_, boards)| count.min(*boards)).sum::<u64>() > MAX_BOARDS as u64
        {
            return Err(DataError::TooMany);
        }
        let drawn = lot.drawn(self.observer)?;
        let label = |drawn: &crate::dataset::Drawn| Labelled {
            board: table.space().board(&drawn.position),
            distance: drawn.distances[0].known().expect("unsolvable boards are not drawn"),
        };
        Ok(drawn.iter().map(label).collect())
    }
}

/// What stands in the column of the distances, or beside the board in a text.
fn distance_beside<'e>(entry: &'e Entry, metric: Metric) -> Option<&'e str> {
    let named = entry.value(&[&metric.to_string(), "h*"]);
    named.or_else(|| entry.after.first().or(entry.before.last()).copied())
}

/// A board with a distance that may be exact; or what is wrong with it.
fn exact(entry: &Entry, distance: &str) -> Result<Labelled, String> {
    let claim = Instance::of(&entry.board, distance, &[]).map_err(|error| error.to_string())?;
    let board = Reader::default().read(&entry.board).map_err(|unread| unread.error.to_string())?;
    match claim.claimed {
        Claimed::Distance(distance) if distance.fract() == 0.0 && (0.0..=10_000.0).contains(&distance) => {
            Ok(Labelled { board, distance: distance as u32 })
        }
        Claimed::Distance(distance) => {
            Err(format!("a distance is a whole number from 0 to 10000, not {distance}"))
        }
        Claimed::Unsolvable => Err("the board cannot be solved: leave such boards out".to_owned()),
        Claimed::NoAnswer => Err("there is no distance (-1, NaN or nothing): leave the line out".to_owned()),
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
