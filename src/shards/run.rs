//! One shard done.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::counts::{CountedSignature, Counting};
use super::log::{Log, LogWriter, part_path};
use super::{Fault, Plan, Product, Shard, ShardError};
use crate::catalogue::surveying::{Surveying, tables_of_fewer_walls};
use crate::files::{self, beside, write_whole};
use crate::pipeline::{CHECKPOINT_EVERY, Jobs, Outcome, Pipeline, Record, Sink, Work};
use crate::progress::Observer;
use crate::space::Space;
use crate::table::build::{BuildError, check_room, needed};
use crate::table::solving::Solving;
use crate::table::with_reasons;

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
#[non_exhaustive]
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
            Err(error) => drop(write_whole(&failed_path(&finished), (with_reasons(error) + "\n").as_bytes())),
            Ok(_) => {}
        }
        done
    }

    fn attempt(&self, shard: &Shard, finished: &Path, observer: &dyn Observer) -> Result<Done, ShardError> {
        let folder = self.plan.folder();
        fs::create_dir_all(&folder).map_err(|e| ShardError::io(&folder, e))?;
        if self.is_whole(shard)? == Some(true) {
            return self.done(shard, shard.boards, true);
        }
        let part = part_path(finished);
        let locked = files::lock(&part, PATIENCE).map_err(|e| ShardError::io(&part, e))?;
        let file = locked.ok_or(ShardError::Busy { number: self.number })?;
        // From here on nobody else is at it.
        remove(&failed_path(finished))?;
        match self.is_whole(shard)? {
            // Another process has finished it since.
            Some(true) => {
                remove(&part)?;
                return self.done(shard, shard.boards, true);
            }
            Some(false) => remove(finished)?,
            None => {}
        }
        let product = self.plan.product();
        let jobs = Jobs::of_range(&product.spaces(), shard.range()).map_err(BuildError::from)?;
        self.plan.must_have(shard, &jobs)?;
        let there = file.metadata().map_or(0, |m| m.len());
        let needed = match product {
            Product::Counts { .. } => (u64::from(shard.jobs) * CountedSignature::BYTES).saturating_sub(there),
            _ => needed(shard.boards, there),
        };
        check_room(&folder, needed)?;

        let space = Space::of_size(product.spaces().size()).expect("checked before");
        let resumed = match product {
            Product::Table { metric, level, .. } => {
                let work = Solving::new(&space, *metric, *level);
                self.fill(&work, &jobs, shard, file, finished, observer)?
            }
            Product::Catalogue(_) => {
                let tables = tables_of_fewer_walls(&self.plan.out(), &product.spaces(), observer);
                self.fill(&Surveying::by_search(&space, tables), &jobs, shard, file, finished, observer)?
            }
            Product::Counts { metric, .. } => {
                let work = Counting::new(&space, *metric, observer);
                self.fill(&work, &jobs, shard, file, finished, observer)?
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
        let resumed = pipeline.boards(log.done());
        match pipeline.run(work, log)? {
            Outcome::Finished(log) => log.finish(finished)?,
            Outcome::Stopped => return Err(BuildError::Stopped.into()),
        }
        Ok(resumed)
    }

    /// Is it whole, if it is there? What is something else is an error.
    fn is_whole(&self, shard: &Shard) -> Result<Option<bool>, ShardError> {
        match Log::open(self.plan, shard).and_then(|log| log.check(self.plan)) {
            Ok(()) => Ok(Some(true)),
            Err(ShardError::InTheWay { fault: Fault::Missing, .. }) => Ok(None),
            Err(ShardError::InTheWay { fault: Fault::Damaged, .. }) => Ok(Some(false)),
            Err(error) => Err(error),
        }
    }

    fn done(&self, shard: &Shard, resumed: u64, already_built: bool) -> Result<Done, ShardError> {
        let path = self.plan.shard_path(self.number);
        let bytes = path.metadata().map_err(|e| ShardError::io(&path, e))?.len();
        Ok(Done { path, bytes, boards: shard.boards, resumed, already_built })
    }
}

/// The file that says why a shard failed.
pub fn failed_path(finished: &Path) -> PathBuf {
    beside(finished, ".failed")
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), ShardError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(ShardError::io(path, error)),
        _ => Ok(()),
    }
}
