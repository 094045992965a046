//! Building a catalogue from the table of moves, or by searching for all
//! distances once more.
//!
//! Each thread surveys one row signature after the other and works out all
//! that is told of its puzzles; the rows go into the database in order (see
//! [`crate::pipeline`]), so they are the same whatever the number of threads
//! and however often the build was interrupted.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use super::read::Catalogue;
use super::schema::part_path;
use super::survey::{Store, Surveyor};
use super::writer::Writer;
use super::{CatalogueError, Contents, Puzzle, Summary};
use crate::board::Metric;
use crate::pipeline::{Budget, CHECKPOINT_EVERY, DISTANCES, Jobs, NoThreads, Outcome, Pipeline, Sink};
use crate::progress::Observer;
use crate::retrograde::MoveTables;
use crate::space::{SignatureId, Space, Spaces};
use crate::table::{self, Table, TableError};

/// What to build, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The folder of the table and of the catalogue.
    pub folder: PathBuf,
    /// The boards.
    pub spaces: Spaces,
    /// Where the distances come from.
    pub source: Source,
    /// How many threads to use.
    pub threads: usize,
    /// The time between two checkpoints: at most this much work is lost.
    pub checkpoint_every: Duration,
}

/// Where the distances come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The table of moves in the folder. It takes one space.
    Table,
    /// The search, in memory: no table is needed, and none is written.
    Search,
}

impl Plan {
    /// A plan with the usual settings: all cores; from the table if it is for one
    /// space, otherwise by search.
    pub fn new(folder: impl Into<PathBuf>, spaces: impl Into<Spaces>) -> Plan {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let spaces = spaces.into();
        let source = if spaces.single().is_some() { Source::Table } else { Source::Search };
        Plan { folder: folder.into(), spaces, source, threads, checkpoint_every: CHECKPOINT_EVERY }
    }
}

/// What a build did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The catalogue.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its puzzles.
    pub puzzles: u64,
    /// The boards of its space.
    pub boards: u64,
    /// Boards of an earlier, interrupted run.
    pub resumed: u64,
    /// The catalogue was there already and nothing was done.
    pub already_built: bool,
}

/// Why a build did not end in a catalogue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The same as for a table: another build is running, it was stopped, …
    #[error(transparent)]
    Build(#[from] table::BuildError),
    /// The table of moves cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table is of one space.
    #[error("there is no table of {0}: a table is of one size and one set of walls")]
    NoTable(Spaces),
    /// Something about the catalogue.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
}

impl From<NoThreads> for BuildError {
    fn from(error: NoThreads) -> BuildError {
        BuildError::Build(error.into())
    }
}

/// Builds a catalogue, or goes on with an interrupted build.
pub fn build(plan: &Plan, observer: &dyn Observer) -> Result<Report, BuildError> {
    let jobs = Jobs::new(&plan.spaces).map_err(table::BuildError::from)?;
    if jobs.is_empty() {
        return Err(table::BuildError::Closed(plan.spaces.clone()).into());
    }
    let table = match (plan.source, plan.spaces.single()) {
        (Source::Search, _) => {
            std::fs::create_dir_all(&plan.folder).map_err(|e| TableError::io(&plan.folder, e))?;
            None
        }
        (Source::Table, None) => return Err(BuildError::NoTable(plan.spaces.clone())),
        (Source::Table, Some(space)) => match Table::open(&plan.folder, space, Metric::Moves) {
            // Not even a folder to lock.
            Err(error @ TableError::Missing { .. }) if !plan.folder.is_dir() => return Err(error.into()),
            table => Some(table),
        },
    };
    let _lock = table::build::lock(&plan.folder)?;
    match Catalogue::open(&plan.folder, plan.spaces.clone()) {
        Ok(catalogue) if catalogue.contents() == Contents::Starter => {
            let found = "it is the starter, a choice of puzzles".to_owned();
            return Err(CatalogueError::Foreign { path: catalogue.path().to_owned(), found }.into());
        }
        Ok(catalogue) => {
            Writer::sweep(&plan.folder, &plan.spaces)?;
            return Ok(Report::new(&catalogue, &jobs, jobs.boards(), true)?);
        }
        Err(CatalogueError::Missing { .. } | CatalogueError::Unfinished { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let table = table.transpose()?;
    check_space(plan, &jobs)?;

    let (writer, state) = Writer::open(&plan.folder, plan.spaces.clone())?;
    let rows = match state {
        None => Rows { writer, done: 0, summary: Summary::default() },
        Some(state) => {
            let known = read_state(&state).filter(|(done, _)| *done <= jobs.len());
            let (done, summary) = known.ok_or_else(|| CatalogueError::DamagedPart {
                path: part_path(&plan.folder, &plan.spaces),
                what: "its progress is not as written".to_owned(),
            })?;
            Rows { writer, done, summary }
        }
    };
    let pipeline = Pipeline {
        jobs: &jobs,
        range: jobs.all(),
        threads: plan.threads,
        checkpoint_every: plan.checkpoint_every,
        observer,
    };
    let resumed = pipeline.boards(rows.done);
    let mut rows = fill(plan, table.as_ref(), &pipeline, rows)?;
    // Whoever is cut off from here on has only the last step to do again.
    rows.checkpoint()?;
    rows.writer.finish(&rows.summary)?;
    Ok(Report::new(&Catalogue::open(&plan.folder, plan.spaces.clone())?, &jobs, resumed, false)?)
}

/// Refuses to start what cannot be finished.
fn check_space(plan: &Plan, jobs: &Jobs) -> Result<(), BuildError> {
    // The unfinished file and the finished one are there at the same time;
    // 6×6 takes 0.03 bit a board for each.
    let there = part_path(&plan.folder, &plan.spaces).metadata().map_or(0, |m| m.len());
    let needed = (jobs.boards() / 100 + (1 << 20)).saturating_sub(there);
    Ok(table::build::check_room(&plan.folder, needed)?)
}

impl Report {
    fn new(
        catalogue: &Catalogue,
        jobs: &Jobs,
        resumed: u64,
        already_built: bool,
    ) -> Result<Report, CatalogueError> {
        let path = catalogue.path().to_owned();
        let bytes = path.metadata().map_err(|e| CatalogueError::io(&path, e))?.len();
        let (puzzles, boards) = (catalogue.puzzles() as u64, jobs.boards());
        Ok(Report { path, bytes, puzzles, boards, resumed, already_built })
    }
}

/// Surveys all signatures that are not in the rows yet.
fn fill(plan: &Plan, table: Option<&Table>, pipeline: &Pipeline, rows: Rows) -> Result<Rows, BuildError> {
    let budget = Budget::new(DISTANCES);
    let space = Space::of_size(plan.spaces.size()).expect("checked before");
    let (tables, store) = (OnceLock::new(), Store::default());
    let new_worker = || {
        let mut surveyor = match table {
            Some(table) => Surveyor::new(table),
            None => {
                let tables = tables.get_or_init(|| MoveTables::new(&space, Metric::Moves));
                Surveyor::by_search(tables, &store)
            }
        };
        let budget = &budget;
        Ok(move |space: &Space, id: SignatureId| {
            let size = space.sizes()[id.0 as usize];
            // A node needs five bytes and stands for two to ten boards.
            let _held = budget.take(3 * size.boards as u64);
            let survey = surveyor.survey(space, id)?;
            let puzzles = survey.interesting.iter().map(|cluster| survey.puzzle(cluster));
            let puzzles = puzzles.collect::<Result<Vec<Puzzle>, TableError>>();
            let puzzles = puzzles.map_err(|error| error.in_file(table.and_then(Table::path)))?;
            Ok(Found { puzzles, summary: Box::new(survey.summary) })
        })
    };
    match pipeline.run(rows, new_worker)? {
        Outcome::Finished(rows) => Ok(rows),
        Outcome::Stopped => Err(table::BuildError::Stopped.into()),
    }
}

/// What one signature adds.
struct Found {
    puzzles: Vec<Puzzle>,
    summary: Box<Summary>,
}

/// The unfinished catalogue and how far it is.
struct Rows {
    writer: Writer,
    done: u32,
    summary: Summary,
}

impl Sink for Rows {
    type Item = Found;
    type Error = BuildError;

    fn done(&self) -> u32 {
        self.done
    }

    fn append(&mut self, found: Found) -> Result<(), BuildError> {
        self.writer.add(&found.puzzles)?;
        self.summary.add(&found.summary);
        self.done += 1;
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<(), BuildError> {
        Ok(self.writer.checkpoint(&write_state(self.done, &self.summary))?)
    }
}

/// How far a build is, as the unfinished file keeps it, and a checksum.
fn write_state(done: u32, summary: &Summary) -> Vec<u8> {
    let mut state = done.to_le_bytes().to_vec();
    state.extend(summary.numbers().flat_map(u64::to_le_bytes));
    state.extend(crc32fast::hash(&state).to_le_bytes());
    state
}

fn read_state(state: &[u8]) -> Option<(u32, Summary)> {
    let (state, checksum) = state.split_last_chunk()?;
    let (done, rest) = state.split_first_chunk()?;
    let (numbers, left) = rest.as_chunks();
    let summary = Summary::from_numbers(numbers.iter().map(|&bytes| u64::from_le_bytes(bytes)))?;
    let is_whole = left.is_empty() && crc32fast::hash(state) == u32::from_le_bytes(*checksum);
    is_whole.then_some((u32::from_le_bytes(*done), summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bit_of_the_state_may_change() {
        let mut summary = Summary::default();
        summary.classic.clusters[crate::board::Distance::from_byte(7)] = 1 << 40;
        let state = write_state(99, &summary);
        assert_eq!(read_state(&state), Some((99, summary)));
        for bit in 0..8 * state.len() {
            let mut changed = state.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(read_state(&changed), None, "bit {bit}");
        }
        assert_eq!(read_state(&state[1..]), None);
        assert_eq!(read_state(&[]), None);
    }
}
