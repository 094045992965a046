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

use super::budget::Budget;
use super::format::{Contents, Directory, file_name};
use super::part::{Part, Record};
use super::strips::{Encoder, FrameEntry};
use super::{Table, TableError};
use crate::board::Metric;
use crate::retrograde::{EdgeWords, Solver};
use crate::space::{Blocks, SignatureId, Space};

/// The zstd level if none is given.
pub const DEFAULT_LEVEL: i32 = 6;
/// Boards whose distances may be in memory at once, one byte each. The largest
/// signature of 6×6 has 195 million.
pub(super) const BUDGET: u64 = 768 << 20;
/// A thread gives memory beyond this back before it takes a signature.
const MOST_KEPT: usize = 16 << 20;
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
    #[error("another build is running in {folder}; wait for it, or stop it and run this command again")]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The disk would run full.
    #[error(
        "{folder} has {free} MB free and the table needs about {needed} MB; \
         free some space or choose another folder with --db"
    )]
    Space {
        /// The folder.
        folder: PathBuf,
        /// Free megabytes.
        free: u64,
        /// Megabytes needed.
        needed: u64,
    },
    /// The disk is full.
    #[error(
        "{path}: the disk is full ({source}); free some space and run the same command again, it goes on from there"
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder cannot be written to.
    #[error("cannot write to {path} ({source}); choose another folder with --db")]
    NotWritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The observer wanted it.
    #[error("stopped; run the same command again and it goes on from there")]
    Stopped,
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

    let finished = plan.folder.join(file_name(plan.size, plan.metric));
    if finished.exists() {
        let header = Table::open(&plan.folder, plan.size, plan.metric)?.header().clone();
        return Ok(Report {
            path: finished,
            bytes: header.file_len,
            boards: header.boards,
            resumed: header.boards,
            already_built: true,
        });
    }
    check_space(&plan.folder, &contents, space)?;

    let part = Part::open(&plan.folder, contents)?;
    let resumed = first_rank(space, part.done());
    let part = Builder::new(space, plan, contents, observer, part).run()?;
    let path = part.finish()?;
    let table = Table::open(&plan.folder, plan.size, plan.metric)?;
    let (bytes, boards) = (table.header().file_len, table.header().boards);
    Ok(Report { path, bytes, boards, resumed, already_built: false })
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

/// Refuses to start what cannot be finished: a table takes up to 0.2 bit a
/// board, less what is there already.
fn check_space(folder: &Path, contents: &Contents, space: &Space) -> Result<(), BuildError> {
    let there = Part::path_in(folder, contents).metadata().map_or(0, |m| m.len());
    let needed = (space.boards() / 40 + (1 << 20)).saturating_sub(there) >> 20;
    let free = fs4::available_space(folder).map_err(|e| TableError::io(folder, e))? >> 20;
    if free < needed {
        return Err(BuildError::Space { folder: folder.to_owned(), free, needed });
    }
    Ok(())
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
    error: Option<TableError>,
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
            budget: Budget::new(BUDGET),
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
            .num_threads(self.plan.threads)
            .build()
            .map_err(|e| TableError::io(Path::new("threads"), std::io::Error::other(e)))?;
        pool.broadcast(|_| {
            if let Err(error) = self.work() {
                self.lock().error.get_or_insert(error);
                self.changed.notify_all();
            }
        });
        let mut state = self.state.into_inner().expect("no thread panicked");
        if let Some(error) = state.error {
            return Err(error.into());
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
    fn work(&self) -> Result<(), TableError> {
        let mut solver = Solver::new(self.space, &self.edge_words, self.contents.metric);
        let mut encoder =
            Encoder::new(self.contents.level).map_err(|e| TableError::io(Path::new("zstd"), e))?;
        let mut distances = Vec::new();
        while let Some(id) = self.take() {
            let blocks = Blocks::new(self.space, id);
            let _held = self.budget.take(blocks.unsolved_boards() as u64);
            distances.shrink_to(MOST_KEPT);
            let histogram = Box::new(*solver.solve(&blocks, &mut distances));
            let (frames, data) =
                pack(&blocks, &distances, &mut encoder).map_err(|e| TableError::io(Path::new("zstd"), e))?;
            let directory = Directory::write(id.0, &blocks, &frames);
            self.hand_over(id, Record { directory, data, histogram })?;
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
    fn hand_over(&self, id: SignatureId, record: Record) -> Result<(), TableError> {
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

/// Packs the distances of a signature into frames.
pub fn pack(
    blocks: &Blocks,
    distances: &[u8],
    encoder: &mut Encoder,
) -> std::io::Result<(Vec<FrameEntry>, Vec<u8>)> {
    for h in 0..blocks.unsolved() {
        let block = &distances[blocks.first(h) as usize..blocks.first(h + 1) as usize];
        for strip in block.chunks_exact(blocks.strip_len(h)) {
            encoder.push(strip)?;
        }
    }
    encoder.finish()
}
