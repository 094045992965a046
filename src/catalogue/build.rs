//! Building a catalogue from the table of moves.
//!
//! Each thread surveys one row signature after the other and works out all
//! that is told of its puzzles; the rows go into the database in order (see
//! [`crate::pipeline`]), so they are the same whatever the number of threads
//! and however often the build was interrupted.

use std::path::PathBuf;
use std::time::Duration;

use super::read::Catalogue;
use super::schema::part_path;
use super::survey::Surveyor;
use super::writer::Writer;
use super::{CatalogueError, Contents, Puzzle, Summary, file_name};
use crate::board::Metric;
use crate::pipeline::{Budget, CHECKPOINT_EVERY, DISTANCES, NoThreads, Outcome, Pipeline, Sink};
use crate::progress::Observer;
use crate::space::{SignatureId, Space};
use crate::table::{self, Table, TableError};

/// What to build, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The folder of the table and of the catalogue.
    pub folder: PathBuf,
    /// Rows and columns: 4, 5 or 6.
    pub size: usize,
    /// How many threads to use.
    pub threads: usize,
    /// The time between two checkpoints: at most this much work is lost.
    pub checkpoint_every: Duration,
}

impl Plan {
    /// A plan with the usual settings: all cores.
    pub fn new(folder: impl Into<PathBuf>, size: usize) -> Plan {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        Plan { folder: folder.into(), size, threads, checkpoint_every: CHECKPOINT_EVERY }
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
    let space = Space::of_size(plan.size).ok_or(table::BuildError::Size(plan.size))?;
    let table = match Table::open(&plan.folder, plan.size, Metric::Moves) {
        // Not even a folder to lock.
        Err(error @ TableError::Missing { .. }) if !plan.folder.is_dir() => return Err(error.into()),
        table => table,
    };
    let _lock = table::build::lock(&plan.folder)?;
    match Catalogue::open(&plan.folder, plan.size) {
        Ok(catalogue) if catalogue.contents() == Contents::Starter => {
            let found = "it is the starter, a choice of puzzles".to_owned();
            return Err(CatalogueError::Foreign { path: catalogue.path().to_owned(), found }.into());
        }
        Ok(catalogue) => {
            Writer::sweep(&plan.folder, plan.size)?;
            return Ok(Report::new(plan, &catalogue, space.boards(), true)?);
        }
        Err(CatalogueError::Missing { .. } | CatalogueError::Unfinished { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let table = table?;
    check_space(plan, &space)?;

    let (writer, state) = Writer::open(&plan.folder, plan.size)?;
    let rows = match state {
        None => Rows { writer, done: 0, summary: Summary::default() },
        Some(state) => {
            let known = read_state(&state).filter(|(done, _)| *done <= space.signatures());
            let (done, summary) = known.ok_or_else(|| CatalogueError::DamagedPart {
                path: part_path(&plan.folder, plan.size),
                what: "its progress is not as written".to_owned(),
            })?;
            Rows { writer, done, summary }
        }
    };
    let pipeline =
        Pipeline { space: &space, threads: plan.threads, checkpoint_every: plan.checkpoint_every, observer };
    let resumed = pipeline.first_rank(rows.done);
    let mut rows = fill(&table, &pipeline, rows)?;
    // Whoever is cut off from here on has only the last step to do again.
    rows.checkpoint()?;
    rows.writer.finish(&rows.summary)?;
    Ok(Report::new(plan, &Catalogue::open(&plan.folder, plan.size)?, resumed, false)?)
}

/// Refuses to start what cannot be finished.
fn check_space(plan: &Plan, space: &Space) -> Result<(), BuildError> {
    // The unfinished file and the finished one are there at the same time;
    // 6×6 takes 0.03 bit a board for each.
    let there = part_path(&plan.folder, plan.size).metadata().map_or(0, |m| m.len());
    let needed = (space.boards() / 100 + (1 << 20)).saturating_sub(there);
    Ok(table::build::check_room(&plan.folder, needed)?)
}

impl Report {
    fn new(
        plan: &Plan,
        catalogue: &Catalogue,
        resumed: u64,
        already_built: bool,
    ) -> Result<Report, CatalogueError> {
        let path = plan.folder.join(file_name(plan.size));
        let bytes = path.metadata().map_err(|e| CatalogueError::io(&path, e))?.len();
        let boards = catalogue.space().boards();
        Ok(Report { path, bytes, puzzles: catalogue.puzzles() as u64, boards, resumed, already_built })
    }
}

/// Surveys all signatures that are not in the rows yet.
fn fill(table: &Table, pipeline: &Pipeline, rows: Rows) -> Result<Rows, BuildError> {
    let budget = Budget::new(DISTANCES);
    let sizes = pipeline.space.sizes();
    let new_worker = || {
        let mut surveyor = Surveyor::new(table);
        let budget = &budget;
        Ok(move |id: SignatureId| {
            let size = sizes[id.0 as usize];
            // A node needs five bytes and stands for two to ten boards.
            let _held = budget.take(3 * size.boards as u64);
            let survey = surveyor.survey(id)?;
            let puzzles = survey.interesting.iter().map(|cluster| survey.puzzle(cluster));
            let puzzles = puzzles.collect::<Result<Vec<Puzzle>, TableError>>();
            let puzzles = puzzles.map_err(|error| error.in_file(table.path()))?;
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
