//! All shards put together.

use std::time::Instant;

use super::counts;
use super::log::Log;
use super::{CountedSpaces, Plan, Product, ShardError};
use crate::pipeline::{CHECKPOINT_EVERY, Outcome, Pipeline, Record, Sink};
use crate::progress::{Count, Observer, Progress};
use crate::table::build::{BuildError, jobs_of};
use crate::{catalogue, table};

/// What came of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    /// A table.
    Table(table::Report),
    /// A catalogue.
    Catalogue(catalogue::Report),
    /// Counts.
    Counts(Box<CountedSpaces>),
}

/// Checks that all shards are there, whole and of this plan, and writes what a
/// build on one machine would, byte for byte. What was written before an
/// interruption is not written again. Counts, which are small, are added up anew.
pub fn merge(plan: &Plan, observer: &dyn Observer) -> Result<Merged, ShardError> {
    let jobs = jobs_of(&plan.product().spaces())?;
    plan.must_fit(&jobs)?;
    check(plan, observer)?;
    let folder = plan.out();
    match plan.product() {
        Product::Table { space, metric, level } => {
            let to =
                table::BuildOptions { level: *level, ..table::BuildOptions::new(folder, *space, *metric) };
            let report = table::build::build_by(&to, &jobs, observer, |pipeline, records| {
                replay(plan, pipeline, records)
            })?;
            Ok(Merged::Table(report))
        }
        Product::Catalogue(spaces) => {
            let to = catalogue::BuildOptions::new(folder, spaces.clone());
            let report = catalogue::build::build_by(&to, &jobs, observer, |pipeline, rows| {
                replay(plan, pipeline, rows)
            })?;
            Ok(Merged::Catalogue(report))
        }
        Product::Counts { .. } => Ok(Merged::Counts(Box::new(counts::merge(plan, &jobs, observer)?))),
    }
}

/// Every shard's fault, before anything is written.
fn check(plan: &Plan, observer: &dyn Observer) -> Result<(), ShardError> {
    let shards = plan.shards().len() as u32;
    let count = Count::new(observer, "shards", shards.into());
    let mut faults = Vec::new();
    for shard in plan.shards() {
        if observer.wants_stop() {
            return Err(BuildError::Stopped.into());
        }
        match Log::open(plan, shard).and_then(|log| log.check(plan)) {
            Ok(()) => {}
            Err(ShardError::InTheWay { fault, .. }) => faults.push((shard.number, fault)),
            Err(error) => return Err(error),
        }
        count.add(1);
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(ShardError::Incomplete { faults, shards }),
    }
}

/// Hands all results that a sink does not have yet over to it.
fn replay<S>(plan: &Plan, pipeline: &Pipeline, mut sink: S) -> Result<Outcome<S>, ShardError>
where
    S: Sink<Item: Record>,
    ShardError: From<S::Error>,
{
    let before = pipeline.boards(sink.done());
    let mut checkpoint = Instant::now();
    for shard in plan.shards() {
        if shard.range().end <= sink.done() {
            continue;
        }
        for result in Log::open(plan, shard)?.results() {
            let (job, result) = result?;
            if job >= sink.done() {
                sink.append(result)?;
            }
            if checkpoint.elapsed() >= CHECKPOINT_EVERY {
                sink.checkpoint()?;
                checkpoint = Instant::now();
                if pipeline.observer.wants_stop() {
                    return Ok(Outcome::Stopped);
                }
            }
        }
        let done = pipeline.boards(sink.done());
        let total = Some(pipeline.jobs.boards());
        pipeline.observer.advanced(Progress { unit: "boards", done, before, total });
        if pipeline.observer.wants_stop() {
            sink.checkpoint()?;
            return Ok(Outcome::Stopped);
        }
    }
    Ok(Outcome::Finished(sink))
}
