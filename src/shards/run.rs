//! One shard done.

use std::error::Error;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::log::{Log, LogWriter, part_path};
use super::{Fault, Plan, Product, Shard, ShardError};
use crate::catalogue::surveying::Surveying;
use crate::files::{beside, create_regular, write_whole};
use crate::pipeline::{CHECKPOINT_EVERY, Jobs, Outcome, Pipeline, Record, Work};
use crate::progress::Observer;
use crate::space::Space;
use crate::table::build::{BuildError, check_room, jobs_of};
use crate::table::solving::Solving;

/// Somebody who looks whether a shard is in work holds it for a moment.
const PATIENCE: Duration = Duration::from_secs(2);

/// How to do a shard.
#[derive(Debug, Clone)]
pub struct Run<'p> {
    /// The plan.
    pub plan: &'p Plan,
    /// The number of the shard.
    pub number: u32,
    /// How many threads to use.
    pub threads: usize,
    /// The time between two checkpoints: at most this much work is lost.
    pub checkpoint_every: Duration,
}

/// A shard that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// Its file.
    pub path: PathBuf,
    /// The length of the file.
    pub bytes: u64,
    /// Its boards.
    pub boards: u64,
    /// Boards of an earlier, interrupted run.
    pub resumed: u64,
    /// It was there already and nothing was done.
    pub already_built: bool,
}

impl<'p> Run<'p> {
    /// With the usual settings: all cores.
    pub fn new(plan: &'p Plan, number: u32) -> Run<'p> {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        Run { plan, number, threads, checkpoint_every: CHECKPOINT_EVERY }
    }

    /// Does the shard, or goes on with it. Why it failed is told beside it, for
    /// [`Status`](super::Status).
    pub fn run(&self, observer: &dyn Observer) -> Result<Done, ShardError> {
        let shard = self.plan.shard(self.number)?;
        let finished = self.plan.shard_path(self.number);
        let done = self.attempt(shard, &finished, observer);
        match &done {
            // Somebody else is at it, or it goes on later.
            Err(ShardError::Busy { .. } | ShardError::Build(BuildError::Stopped)) => {}
            // The disk may be full: that the reason is not kept is no other error.
            Err(error) => drop(write_whole(&failed_path(&finished), reasons(error).as_bytes())),
            Ok(_) => drop(fs::remove_file(failed_path(&finished))),
        }
        done
    }

    fn attempt(&self, shard: &Shard, finished: &Path, observer: &dyn Observer) -> Result<Done, ShardError> {
        let folder = self.plan.folder();
        fs::create_dir_all(&folder).map_err(|e| ShardError::io(&folder, e))?;
        if self.is_done(shard, finished)? {
            return self.done(shard, shard.boards, true);
        }
        let part = part_path(finished);
        let file = create_regular(&part).map_err(|e| ShardError::io(&part, e))?;
        lock(&file, &part, self.number)?;
        // Another process may have finished it since: then this was its file.
        if self.is_done(shard, finished)? {
            return self.done(shard, shard.boards, true);
        }
        let product = self.plan.product();
        let jobs = jobs_of(&product.spaces())?;
        let boards = jobs.boards_before(shard.range().end) - jobs.boards_before(shard.first);
        if (self.plan.jobs(), self.plan.boards(), shard.boards) != (jobs.len(), jobs.boards(), boards) {
            return Err(ShardError::ChangedPlan { path: self.plan.path().to_owned() });
        }
        let there = file.metadata().map_or(0, |m| m.len());
        check_room(&folder, (shard.boards / 64 + (1 << 20)).saturating_sub(there))?;

        let space = Space::of_size(product.spaces().size()).expect("checked before");
        let resumed = match product {
            Product::Table { metric, level, .. } => {
                let work = Solving::new(&space, *metric, *level);
                self.fill(&work, &jobs, shard, file, finished, observer)?
            }
            Product::Catalogue(_) => {
                self.fill(&Surveying::by_search(&space), &jobs, shard, file, finished, observer)?
            }
        };
        self.done(shard, resumed, false)
    }

    /// Does what is missing; tells what was there.
    fn fill<W: Work<Item: Record>>(
        &self,
        work: &W,
        jobs: &Jobs,
        shard: &Shard,
        file: File,
        finished: &Path,
        observer: &dyn Observer,
    ) -> Result<u64, ShardError>
    where
        ShardError: From<W::Error>,
    {
        let log = LogWriter::<W::Item>::open(file, finished, self.plan, shard)?;
        let pipeline = Pipeline {
            range: shard.range(),
            threads: self.threads,
            checkpoint_every: self.checkpoint_every,
            ..Pipeline::new(jobs, observer)
        };
        let resumed = pipeline.boards(crate::pipeline::Sink::done(&log));
        match pipeline.run(work, log)? {
            Outcome::Finished(log) => log.finish(finished)?,
            Outcome::Stopped => return Err(BuildError::Stopped.into()),
        }
        Ok(resumed)
    }

    /// Is it there, and whole? A damaged one is removed, to be made again; what is
    /// something else is left.
    fn is_done(&self, shard: &Shard, finished: &Path) -> Result<bool, ShardError> {
        match Log::open(finished, self.plan, shard).and_then(Log::check) {
            Ok(true) => return Ok(true),
            Err(ShardError::InTheWay { fault: Fault::Missing, .. }) => return Ok(false),
            Ok(false) | Err(ShardError::InTheWay { fault: Fault::Damaged, .. }) => {}
            Err(error) => return Err(error),
        }
        fs::remove_file(finished).map_err(|e| ShardError::io(finished, e))?;
        Ok(false)
    }

    fn done(&self, shard: &Shard, resumed: u64, already_built: bool) -> Result<Done, ShardError> {
        let path = self.plan.shard_path(self.number);
        let bytes = path.metadata().map_err(|e| ShardError::io(&path, e))?.len();
        Ok(Done { path, bytes, boards: shard.boards, resumed, already_built })
    }
}

/// Where it is told why a shard failed.
pub fn failed_path(finished: &Path) -> PathBuf {
    beside(finished, ".failed")
}

/// An error and what led to it.
fn reasons(error: &ShardError) -> String {
    let mut told = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        told += &format!(": {source}");
        next = source.source();
    }
    told + "\n"
}

/// Holds the unfinished file of a shard. The lock ends with the process, however it
/// ends.
fn lock(file: &File, path: &Path, number: u32) -> Result<(), ShardError> {
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if started.elapsed() < PATIENCE => {
                std::thread::sleep(PATIENCE / 40);
            }
            Err(TryLockError::WouldBlock) => return Err(ShardError::Busy { number }),
            Err(TryLockError::Error(error)) => return Err(ShardError::io(path, error)),
        }
    }
}

/// Is some process at a shard?
pub fn is_locked(part: &Path) -> bool {
    File::open(part).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
