//! Building a table: the backward search in parallel, the file in order.
//!
//! Threads solve and pack signatures and append their records in order (see
//! [`crate::pipeline`]), so the bytes are the same whatever the number of
//! threads and however often the build was interrupted.

use std::fs::File;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Contents;
use super::format::{Header, file_name};
use super::packed::PackError;
use super::part::UnfinishedTable;
use super::solving::{Solved, Solving};
use super::{Table, TableError, VerifyError};
use crate::board::Metric;
use crate::files;
use crate::pipeline::{CHECKPOINT_EVERY, Jobs, NoThreads, Outcome, Pipeline, Sink};
use crate::progress::Observer;
use crate::space::{Space, SpaceError, SpaceId, Spaces};

/// The zstd level if none is given.
pub const DEFAULT_LEVEL: i32 = 4;
/// How long a lock that somebody else holds is waited for.
const PATIENCE: Duration = Duration::from_millis(400);

/// The zstd levels that there are.
pub(crate) const LEVELS: RangeInclusive<i32> = 1..=19;

/// What to build, and where.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// The folder of the tables.
    pub folder: PathBuf,
    /// The boards.
    pub space: SpaceId,
    /// What a distance counts.
    pub metric: Metric,
    /// How many threads to use.
    pub threads: usize,
    /// The zstd level, 1 to 19.
    pub level: i32,
    /// The time between two checkpoints: at most this much work is lost.
    pub checkpoint_every: Duration,
}

impl BuildOptions {
    /// A plan with the usual settings: all cores, the usual level.
    pub fn new(folder: impl Into<PathBuf>, space: impl Into<SpaceId>, metric: Metric) -> BuildOptions {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let (folder, space) = (folder.into(), space.into());
        BuildOptions {
            folder,
            space,
            metric,
            threads,
            level: DEFAULT_LEVEL,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }
}

/// What a build did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The table.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its boards.
    pub boards: u64,
    /// Boards of an earlier, interrupted run.
    pub resumed: u64,
    /// The zstd level of its frames.
    pub level: i32,
    /// The table was there already and nothing was done.
    pub already_built: bool,
}

/// Why a build did not end in a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no such space.
    #[error(transparent)]
    NoSpace(#[from] SpaceError),
    /// A wall keeps the primary from the exit wherever it stands.
    #[error("{0} has no board that could be solved: a wall closes the way of the primary")]
    Closed(Spaces),
    /// zstd knows no such level.
    #[error("the compression level is 1 to 19, not {0}")]
    Level(i32),
    /// Another process is at it.
    #[error("another build is running in {}", .folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The disk would run full.
    #[error("{} has {free} bytes free and this needs about {needed} bytes", .folder.display())]
    Space {
        /// The folder.
        folder: PathBuf,
        /// Free bytes.
        free: u64,
        /// Bytes needed.
        needed: u64,
    },
    /// The disk is full.
    #[error("{}: the disk is full", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder cannot be written to.
    #[error("cannot write to {}", .path.display())]
    NotWritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The observer wanted it.
    #[error("stopped")]
    Stopped,
    /// The system starts no threads.
    #[error("cannot start the threads")]
    Threads(#[from] NoThreads),
    /// zstd refused.
    #[error(transparent)]
    Compression(#[from] PackError),
    /// Something about the file.
    #[error(transparent)]
    Table(TableError),
}

impl From<TableError> for BuildError {
    fn from(error: TableError) -> BuildError {
        use std::io::ErrorKind::*;
        match error {
            TableError::Io { path, source } => match source.kind() {
                StorageFull | QuotaExceeded | FileTooLarge => BuildError::Full { path, source },
                PermissionDenied | ReadOnlyFilesystem | NotADirectory | IsADirectory => {
                    BuildError::NotWritable { path, source }
                }
                _ => BuildError::Table(TableError::Io { path, source }),
            },
            other => BuildError::Table(other),
        }
    }
}

impl BuildError {
    /// Why a file that may be a whole table is not.
    fn of_part(error: VerifyError) -> BuildError {
        match error {
            VerifyError::Table(error) => error.into(),
            VerifyError::Stopped => BuildError::Stopped,
            VerifyError::Law { .. } | VerifyError::Counts => unreachable!("no distance was looked at"),
        }
    }
}

/// Builds a table, or goes on with an interrupted build.
pub fn build(plan: &BuildOptions, observer: &dyn Observer) -> Result<Report, BuildError> {
    plan.space.check()?;
    let jobs = jobs_of(&plan.space.into())?;
    build_by(plan, &jobs, observer, |pipeline, records| {
        let space = Space::of(plan.space)?;
        pipeline.run(&Solving::new(&space, plan.metric, plan.level), records)
    })
}

/// Builds a table whose records come from somewhere, in order.
pub(crate) fn build_by<E: From<BuildError>>(
    plan: &BuildOptions,
    jobs: &Jobs,
    observer: &dyn Observer,
    fill: impl for<'j> FnOnce(&Pipeline, Records<'j>) -> Result<Outcome<Records<'j>>, E>,
) -> Result<Report, E> {
    let (part, _lock) = match open(plan, jobs, observer)? {
        Start::Built(report) => return Ok(report),
        Start::Unfinished { part, lock } => (part, lock),
    };
    let pipeline = Pipeline {
        threads: plan.threads,
        checkpoint_every: plan.checkpoint_every,
        ..Pipeline::new(jobs, observer)
    };
    let resumed = pipeline.boards(part.done());
    let Outcome::Finished(records) = fill(&pipeline, Records { part: *part, jobs })? else {
        return Err(BuildError::Stopped.into());
    };
    let finish = || {
        let path = records.part.finish()?;
        let table = Table::open(&plan.folder, plan.space, plan.metric)?;
        Ok::<_, TableError>(Report::new(path, table.header(), resumed, false))
    };
    Ok(finish().map_err(BuildError::from)?)
}

/// What a build finds.
enum Start {
    Built(Report),
    Unfinished { part: Box<UnfinishedTable>, lock: File },
}

fn open(plan: &BuildOptions, jobs: &Jobs, observer: &dyn Observer) -> Result<Start, BuildError> {
    if !LEVELS.contains(&plan.level) {
        return Err(BuildError::Level(plan.level));
    }
    let contents = Contents { space: plan.space, metric: plan.metric, level: plan.level };
    std::fs::create_dir_all(&plan.folder).map_err(|e| TableError::io(&plan.folder, e))?;
    let lock = lock(&plan.folder)?;

    let path = plan.folder.join(file_name(plan.space, plan.metric));
    let built =
        |table: Table| Start::Built(Report::new(path.clone(), table.header(), table.header().boards, true));
    match Table::open(&plan.folder, plan.space, plan.metric) {
        Ok(table) => return Ok(built(table)),
        Err(TableError::Missing { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    if UnfinishedTable::rescue(&plan.folder, &contents, observer).map_err(BuildError::of_part)? {
        return Ok(built(Table::open(&plan.folder, plan.space, plan.metric)?));
    }
    // What cannot be finished is not started.
    let there = UnfinishedTable::path_in(&plan.folder, &contents).metadata().map_or(0, |m| m.len());
    check_room(&plan.folder, needed(jobs.boards(), there))?;
    Ok(Start::Unfinished { part: Box::new(UnfinishedTable::open(&plan.folder, contents)?), lock })
}

impl Report {
    fn new(path: PathBuf, header: &Header, resumed: u64, already_built: bool) -> Report {
        let (bytes, boards, level) = (header.file_len, header.boards, header.contents.level);
        Report { path, bytes, boards, resumed, level, already_built }
    }
}

/// The jobs of some spaces, if there are any.
pub(crate) fn jobs_of(spaces: &Spaces) -> Result<Jobs, BuildError> {
    let jobs = Jobs::new(spaces)?;
    match jobs.is_empty() {
        true => Err(BuildError::Closed(spaces.clone())),
        false => Ok(jobs),
    }
}

/// Holds the folder for one build. The lock ends with the process, however it
/// ends.
pub(crate) fn lock(folder: &Path) -> Result<File, BuildError> {
    let path = folder.join(".build.lock");
    let locked = files::lock(&path, PATIENCE).map_err(|e| TableError::io(&path, e))?;
    locked.ok_or_else(|| BuildError::Busy { folder: folder.to_owned() })
}

/// Whether a folder has room for so many bytes.
pub(crate) fn check_room(folder: &Path, needed: u64) -> Result<(), BuildError> {
    let free = fs4::available_space(folder).map_err(|e| TableError::io(folder, e))?;
    if free < needed {
        return Err(BuildError::Space { folder: folder.to_owned(), free, needed });
    }
    Ok(())
}

/// How many bytes a table of so many boards still needs, some being there
/// already: a sixth of a bit a board, and the index of small tables besides. The 6×6
/// table in moves takes 0.106 bit; in steps it was 1.16 times as large in format 1.
pub(crate) fn needed(boards: u64, there: u64) -> u64 {
    (boards / 48 + (1 << 20)).saturating_sub(there)
}

/// Appends records to the unfinished table.
pub(crate) struct Records<'j> {
    part: UnfinishedTable,
    jobs: &'j Jobs,
}

impl Sink for Records<'_> {
    type Item = Solved;
    type Error = BuildError;

    fn done(&self) -> u32 {
        self.part.done()
    }

    fn append(&mut self, Solved { packed, histogram }: Solved) -> Result<(), BuildError> {
        let first = self.jobs.boards_before(self.part.done());
        Ok(self.part.append(&packed, &histogram, first)?)
    }

    fn checkpoint(&mut self) -> Result<(), BuildError> {
        Ok(self.part.checkpoint()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_needs_room_for_what_is_missing() {
        const MIB: u64 = 1 << 20;
        let six = 40_148_868_698;
        assert_eq!(needed(six, 0), six / 48 + MIB);
        assert!(needed(six, 0) > 531_322_144 * 116 / 100, "the table in steps");
        assert_eq!(needed(six, 100 * MIB), six / 48 - 99 * MIB);
        assert_eq!(needed(six, 2048 * MIB), 0);
    }

    #[test]
    fn a_folder_without_room_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        check_room(folder.path(), 1).expect("there is a byte");
        let refused = check_room(folder.path(), u64::MAX).expect_err("nobody has that much");
        assert!(matches!(refused, BuildError::Space { .. }), "{refused}");
        // Guards against "has 1 MiB free and this needs about 1 MiB".
        let close = BuildError::Space { folder: "db".into(), free: 1_212_522, needed: 1_212_523 };
        assert!(close.to_string().contains("has 1212522 bytes free and this needs about 1212523"), "{close}");
    }
}
