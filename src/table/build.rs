//! Building a table: the backward search in parallel, the file in order.
//!
//! Threads take signatures in order, solve and pack them, and hand the record
//! over; whoever brings the next one in order appends it. The bytes are
//! therefore the same whatever the number of threads and however often the
//! build was interrupted. Two bounds keep the memory small on any number of
//! threads: a budget for the distances in flight, and a limit on how far the
//! threads may run ahead of the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::budget::{Budget, DISTANCES};
use super::format::{Contents, Directory, Header, file_name};
use super::part::{Part, Record};
use super::strips::Encoder;
use super::{Table, TableError};
use crate::board::Metric;
use crate::retrograde::{EdgeWords, Solver};
use crate::space::{Blocks, SignatureId, Space};

/// The zstd level if none is given.
pub const DEFAULT_LEVEL: i32 = 6;
/// A thread keeps no more memory for distances than this between signatures.
const MOST_KEPT: usize = 8 << 20;
/// More threads are not started: each needs memory for its own graph.
const MOST_THREADS: usize = 128;
/// How many signatures the threads may be ahead of the file.
const AHEAD: u32 = 4096;
/// The usual time between two checkpoints.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// What to build, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The folder of the tables.
    pub folder: PathBuf,
    /// Rows and columns: 4, 5 or 6.
    pub size: usize,
    /// What a distance counts.
    pub metric: Metric,
    /// How many threads to use.
    pub threads: usize,
    /// The zstd level, 1 to 19.
    pub level: i32,
    /// The time between two checkpoints: at most this much work is lost.
    pub checkpoint_every: Duration,
}

impl Plan {
    /// A plan with the usual settings: all cores, the usual level.
    pub fn new(folder: impl Into<PathBuf>, size: usize, metric: Metric) -> Plan {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let folder = folder.into();
        Plan { folder, size, metric, threads, level: DEFAULT_LEVEL, checkpoint_every: CHECKPOINT_EVERY }
    }
}

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Boards in the file.
    pub boards: u64,
    /// Boards that were there when this run started.
    pub resumed: u64,
    /// All boards.
    pub total: u64,
}

/// Watches a build and may stop it.
pub trait Observer: Sync {
    /// Called often, from any thread.
    fn advanced(&self, progress: Progress) {
        let _ = progress;
    }

    /// Asked often; true ends the build at its next checkpoint.
    fn wants_stop(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}

/// What a build did.
#[derive(Debug, Clone, PartialEq, Eq)]
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
pub enum BuildError {
    /// The size has no table.
    #[error("boards of {0}×{0} cells have no table: build --size 4, 5 or 6")]
    Size(usize),
    /// zstd knows no such level.
    #[error("the compression level is 1 to 19, not {0}")]
    Level(i32),
    /// Another process is at it.
    #[error("another build is running in {}; wait for it, or stop it and run this command again", .folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The disk would run full.
    #[error(
        "{} has {free} MiB free and the table needs about {needed} MiB; \
         free some space or choose another folder with --db",
        .folder.display()
    )]
    Space {
        /// The folder.
        folder: PathBuf,
        /// Free mebibytes.
        free: u64,
        /// Mebibytes needed.
        needed: u64,
    },
    /// The disk is full.
    #[error(
        "{}: the disk is full ({source}); free some space and run the same command again, it goes on from there",
        .path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder cannot be written to.
    #[error("cannot write to {} ({source}); choose another folder with --db", .path.display())]
    NotWritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The observer wanted it.
    #[error("stopped; run the same command again and it goes on from there")]
    Stopped,
    /// The system starts no threads.
    #[error("cannot start the threads ({0}); try --threads 1")]
    Threads(rayon::ThreadPoolBuildError),
    /// zstd refused.
    #[error("cannot compress ({0}); there may be too little memory")]
    Compression(std::io::Error),
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

/// Builds a table, or goes on with an interrupted build.
pub fn build(plan: &Plan, observer: &dyn Observer) -> Result<Report, BuildError> {
    let space = Space::of_size(plan.size).ok_or(BuildError::Size(plan.size))?;
    if !(1..=19).contains(&plan.level) {
        return Err(BuildError::Level(plan.level));
    }
    let contents = Contents { size: plan.size, metric: plan.metric, level: plan.level };
    std::fs::create_dir_all(&plan.folder).map_err(|e| TableError::io(&plan.folder, e))?;
    let _lock = lock(&plan.folder)?;

    Part::rescue(&plan.folder, &contents)?;
    let path = plan.folder.join(file_name(plan.size, plan.metric));
    match Table::open(&plan.folder, plan.size, plan.metric) {
        Ok(table) => return Ok(Report::new(path, table.header(), table.header().boards, true)),
        Err(TableError::Missing { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    check_space(&plan.folder, &contents, space)?;

    let part = Part::open(&plan.folder, contents)?;
    let resumed = first_rank(space, part.done());
    let part = Builder::new(space, plan, contents, observer, part).run()?;
    let path = part.finish()?;
    let table = Table::open(&plan.folder, plan.size, plan.metric)?;
    Ok(Report::new(path, table.header(), resumed, false))
}

impl Report {
    fn new(path: PathBuf, header: &Header, resumed: u64, already_built: bool) -> Report {
        let (bytes, boards, level) = (header.file_len, header.boards, header.contents.level);
        Report { path, bytes, boards, resumed, level, already_built }
    }
}

/// Holds the folder for one build. The lock ends with the process, however it
/// ends.
fn lock(folder: &Path) -> Result<std::fs::File, BuildError> {
    let path = folder.join(".build.lock");
    let file = std::fs::File::create(&path).map_err(|e| TableError::io(&path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(BuildError::Busy { folder: folder.to_owned() }),
        Err(std::fs::TryLockError::Error(e)) => Err(TableError::io(&path, e).into()),
    }
}

/// Refuses to start what cannot be finished.
fn check_space(folder: &Path, contents: &Contents, space: &Space) -> Result<(), BuildError> {
    let there = Part::path_in(folder, contents).metadata().map_or(0, |m| m.len());
    let free = fs4::available_space(folder).map_err(|e| TableError::io(folder, e))?;
    match enough_space(space.boards(), there, free) {
        Ok(()) => Ok(()),
        Err(needed) => {
            Err(BuildError::Space { folder: folder.to_owned(), free: free >> 20, needed: needed >> 20 })
        }
    }
}

/// Whether a table of so many boards fits, some bytes of it being there
/// already; if not, how many bytes it needs. The 6×6 table in steps, the
/// largest, takes 0.114 bit a board, small tables have an index besides.
fn enough_space(boards: u64, there: u64, free: u64) -> Result<(), u64> {
    let needed = (boards / 64 + (1 << 20)).saturating_sub(there);
    if free < needed { Err(needed) } else { Ok(()) }
}

fn first_rank(space: &Space, signature: u32) -> u64 {
    space.sizes().get(signature as usize).map_or_else(|| space.boards(), |s| s.first)
}

/// The threads' common state.
struct Builder<'o> {
    space: &'static Space,
    plan: &'o Plan,
    contents: Contents,
    observer: &'o dyn Observer,
    edge_words: EdgeWords,
    resumed: u64,
    budget: Budget,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    part: Part,
    next: u32,
    waiting: BTreeMap<u32, Record>,
    checkpoint: Instant,
    stopped: bool,
    error: Option<BuildError>,
}

impl<'o> Builder<'o> {
    fn new(
        space: &'static Space,
        plan: &'o Plan,
        contents: Contents,
        observer: &'o dyn Observer,
        part: Part,
    ) -> Builder<'o> {
        let next = part.done();
        Builder {
            space,
            plan,
            contents,
            observer,
            edge_words: EdgeWords::new(space, contents.metric),
            resumed: first_rank(space, next),
            budget: Budget::new(DISTANCES),
            state: Mutex::new(State {
                part,
                next,
                waiting: BTreeMap::new(),
                checkpoint: Instant::now(),
                stopped: false,
                error: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn run(self) -> Result<Part, BuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.plan.threads.min(MOST_THREADS))
            .build()
            .map_err(BuildError::Threads)?;
        pool.broadcast(|_| {
            let _wake = WakeOthers(&self);
            if let Err(error) = self.work() {
                self.lock().error.get_or_insert(error);
            }
        });
        let mut state = self.state.into_inner().expect("no thread panicked");
        if let Some(error) = state.error {
            return Err(error);
        }
        if state.part.done() < self.space.signatures() {
            state.part.checkpoint()?;
            return Err(BuildError::Stopped);
        }
        Ok(state.part)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panicked")
    }

    /// One thread's work: signature after signature.
    fn work(&self) -> Result<(), BuildError> {
        let mut solver = Solver::new(self.space, &self.edge_words, self.contents.metric);
        let mut encoder = Encoder::new(self.contents.level).map_err(BuildError::Compression)?;
        let mut distances = Vec::new();
        while let Some(id) = self.take() {
            let blocks = Blocks::new(self.space, id);
            let _held = self.budget.take(blocks.unsolved_boards() as u64);
            let histogram = Box::new(*solver.solve(&blocks, &mut distances));
            let (frames, data) = encoder.pack(&blocks, &distances).map_err(BuildError::Compression)?;
            let directory = Directory::write(id.0, &blocks, &frames);
            self.hand_over(Record { directory, data, histogram }, id)?;
            distances.clear();
            distances.shrink_to(MOST_KEPT);
        }
        Ok(())
    }

    /// The next signature, unless the file is too far behind.
    fn take(&self) -> Option<SignatureId> {
        let mut state = self.lock();
        loop {
            state.stopped |= self.observer.wants_stop();
            if state.stopped || state.error.is_some() || state.next >= self.space.signatures() {
                return None;
            }
            if state.next - state.part.done() < AHEAD {
                state.next += 1;
                return Some(SignatureId(state.next - 1));
            }
            state = self.changed.wait(state).expect("no thread panicked");
        }
    }

    /// Appends all records that are next in order.
    fn hand_over(&self, record: Record, id: SignatureId) -> Result<(), TableError> {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.waiting.insert(id.0, record);
        while let Some(record) = state.waiting.remove(&state.part.done()) {
            let first = first_rank(self.space, state.part.done());
            state.part.append(&record, first)?;
        }
        if state.checkpoint.elapsed() >= self.plan.checkpoint_every {
            state.part.checkpoint()?;
            state.checkpoint = Instant::now();
        }
        let progress = Progress {
            boards: first_rank(self.space, state.part.done()),
            resumed: self.resumed,
            total: self.space.boards(),
        };
        drop(guard);
        self.changed.notify_all();
        self.observer.advanced(progress);
        Ok(())
    }
}

/// When a thread ends, also by a panic, the others must not wait for it.
struct WakeOthers<'b, 'o>(&'b Builder<'o>);

impl Drop for WakeOthers<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Ok(mut state) = self.0.state.lock()
        {
            state.stopped = true;
        }
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_needs_room_for_what_is_missing() {
        const GIB: u64 = 1 << 30;
        let six = 40_148_868_698;
        assert_eq!(enough_space(six, 0, GIB), Ok(()));
        assert_eq!(enough_space(six, 0, GIB / 4), Err(six / 64 + (1 << 20)));
        assert_eq!(enough_space(six, GIB / 2, GIB / 4), Ok(()));
        assert_eq!(enough_space(six, 2 * GIB, 0), Ok(()));
    }
}
