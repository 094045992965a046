//! Building a catalogue from the table of moves, or by searching for all
//! distances once more.
//!
//! Each thread surveys one row signature after the other and works out all
//! columns of its puzzles; the rows go into the database in order (see
//! [`crate::pipeline`]), so they are the same whatever the number of threads
//! and however often the build was interrupted.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use super::read::Catalogue;
use super::schema::part_path;
use super::surveying::{SurveyedSignature, Surveying, tables_of_fewer_walls};
use super::writer::Writer;
use super::{CatalogueError, Contents, Summary};
use crate::board::Metric;
use crate::pipeline::{CHECKPOINT_EVERY, Jobs, NoThreads, Outcome, Pipeline, Sink};
use crate::progress::Observer;
use crate::space::{Space, Spaces};
use crate::table::{self, Table, TableError};

/// What to build, and where.
#[derive(Debug, Clone)]
pub struct BuildOptions {
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

impl BuildOptions {
    /// A plan with the usual settings: all cores; from the table if it is for one
    /// space, otherwise by search.
    pub fn new(folder: impl Into<PathBuf>, spaces: impl Into<Spaces>) -> BuildOptions {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let spaces = spaces.into();
        let source = if spaces.single().is_some() { Source::Table } else { Source::Search };
        BuildOptions { folder: folder.into(), spaces, source, threads, checkpoint_every: CHECKPOINT_EVERY }
    }
}

/// What a build did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
pub fn build(plan: &BuildOptions, observer: &dyn Observer) -> Result<Report, BuildError> {
    let jobs = table::build::jobs_of(&plan.spaces)?;
    let table = match (plan.source, plan.spaces.single()) {
        (Source::Search, _) => None,
        (Source::Table, None) => return Err(BuildError::NoTable(plan.spaces.clone())),
        (Source::Table, Some(space)) => match Table::open(&plan.folder, space, Metric::Moves) {
            Ok(table) => Some(table),
            // A catalogue that is there, or cannot be made, needs none.
            Err(error) => match Catalogue::open(&plan.folder, plan.spaces.clone()) {
                Err(CatalogueError::Missing { .. } | CatalogueError::Unfinished { .. }) => {
                    return Err(error.into());
                }
                _ => None,
            },
        },
    };
    build_by(plan, &jobs, observer, |pipeline, rows| match &table {
        Some(table) => pipeline.run(&Surveying::of_table(table), rows),
        None => {
            let space = Space::of_size(plan.spaces.size()).expect("checked before");
            let tables = tables_of_fewer_walls(&plan.folder, &plan.spaces, observer);
            pipeline.run(&Surveying::by_search(&space, tables), rows)
        }
    })
}

/// Builds a catalogue whose rows come from somewhere, in order.
pub(crate) fn build_by<E: From<BuildError>>(
    plan: &BuildOptions,
    jobs: &Jobs,
    observer: &dyn Observer,
    fill: impl FnOnce(&Pipeline, Rows) -> Result<Outcome<Rows>, E>,
) -> Result<Report, E> {
    let (rows, _lock) = match open(plan, jobs)? {
        Start::Built(report) => return Ok(report),
        Start::Unfinished { rows, lock } => (rows, lock),
    };
    let pipeline = Pipeline {
        threads: plan.threads,
        checkpoint_every: plan.checkpoint_every,
        ..Pipeline::new(jobs, observer)
    };
    let resumed = pipeline.boards(rows.done);
    let Outcome::Finished(rows) = fill(&pipeline, *rows)? else {
        return Err(BuildError::from(table::BuildError::Stopped).into());
    };
    let finish = || {
        rows.writer.finish(&write_state(rows.done, &rows.summary), &rows.summary)?;
        let catalogue = Catalogue::open(&plan.folder, plan.spaces.clone())?;
        Ok::<_, BuildError>(Report::new(&catalogue, jobs, resumed, false)?)
    };
    Ok(finish()?)
}

/// What a build finds.
enum Start {
    Built(Report),
    Unfinished { rows: Box<Rows>, lock: File },
}

fn open(plan: &BuildOptions, jobs: &Jobs) -> Result<Start, BuildError> {
    std::fs::create_dir_all(&plan.folder).map_err(|e| TableError::io(&plan.folder, e))?;
    let lock = table::build::lock(&plan.folder)?;
    match Catalogue::open(&plan.folder, plan.spaces.clone()) {
        Ok(catalogue) if catalogue.contents() == Contents::Starter => {
            let found = "it is the starter, a choice of puzzles".to_owned();
            return Err(CatalogueError::Foreign { path: catalogue.path().to_owned(), found }.into());
        }
        Ok(catalogue) => {
            Writer::sweep(&plan.folder, &plan.spaces)?;
            return Ok(Start::Built(Report::new(&catalogue, jobs, jobs.boards(), true)?));
        }
        Err(CatalogueError::Missing { .. } | CatalogueError::Unfinished { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    // What cannot be finished is not started. The unfinished file and the finished
    // one are there at the same time; 6×6 takes 0.03 bit a board for each.
    let there = part_path(&plan.folder, &plan.spaces).metadata().map_or(0, |m| m.len());
    let needed = (jobs.boards() / 100 + (1 << 20)).saturating_sub(there);
    table::build::check_room(&plan.folder, needed)?;

    let (writer, state) = Writer::open(&plan.folder, plan.spaces.clone())?;
    let Some(state) = state else {
        let rows = Box::new(Rows { writer, done: 0, summary: Summary::default() });
        return Ok(Start::Unfinished { rows, lock });
    };
    let known = read_state(&state).filter(|(done, _)| *done <= jobs.len());
    let (done, summary) = known.ok_or_else(|| CatalogueError::DamagedPart {
        path: part_path(&plan.folder, &plan.spaces),
        what: "its progress is not as written".to_owned(),
    })?;
    Ok(Start::Unfinished { rows: Box::new(Rows { writer, done, summary }), lock })
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

/// The unfinished catalogue and how far it is.
pub(crate) struct Rows {
    writer: Writer,
    done: u32,
    summary: Summary,
}

impl Sink for Rows {
    type Item = SurveyedSignature;
    type Error = BuildError;

    fn done(&self) -> u32 {
        self.done
    }

    fn append(&mut self, found: SurveyedSignature) -> Result<(), BuildError> {
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
    summary.write(&mut state);
    state.extend(crc32fast::hash(&state).to_le_bytes());
    state
}

fn read_state(state: &[u8]) -> Option<(u32, Summary)> {
    let (state, checksum) = state.split_last_chunk()?;
    let (done, summary) = state.split_first_chunk()?;
    let is_whole = crc32fast::hash(state) == u32::from_le_bytes(*checksum);
    is_whole.then_some((u32::from_le_bytes(*done), Summary::read(summary)?))
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
