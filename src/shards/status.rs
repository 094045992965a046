//! How far a build in shards is.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::log::{Log, part_path};
use super::run::failed_path;
use super::{Fault, Plan, Shard, ShardError};
use crate::files::is_locked;
use crate::progress::{Count, Observer};
use crate::table::BuildError;

/// How far one shard is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Its file is there.
    Done,
    /// A process is at it.
    Running {
        /// Its jobs that are done.
        jobs: u32,
    },
    /// It was begun and goes on when it is started again.
    Interrupted {
        /// Its jobs that are done.
        jobs: u32,
    },
    /// It ended in an error; so it says.
    Failed(String),
    /// Nothing is there.
    Missing,
    /// There is a file in its place that cannot be used.
    Unusable(Fault),
}

/// How far all shards are.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Status {
    /// One for each shard.
    pub states: Vec<State>,
    /// Boards of shards that are done, and of the jobs that are done of others.
    pub boards: u64,
    /// The time until the last is done, if the others go on as the last ones did.
    pub eta: Option<Duration>,
    /// All are done, and what they are for is there.
    pub merged: bool,
}

/// The time left is guessed from so many shards that were done last.
const LATEST: usize = 64;

impl Status {
    /// Looks at the files of all shards; with `whole`, at every byte of them.
    pub fn of(plan: &Plan, whole: bool, observer: &dyn Observer) -> Result<Status, ShardError> {
        let count = Count::new(observer, "shards", plan.shards().len() as u64);
        let mut states = Vec::new();
        for shard in plan.shards() {
            if observer.wants_stop() {
                return Err(BuildError::Stopped.into());
            }
            states.push(state(plan, shard, whole)?);
            count.add(1);
        }
        let boards = plan.shards().iter().zip(&states).map(|(shard, state)| match state {
            State::Done => shard.boards,
            State::Running { jobs } | State::Interrupted { jobs } => {
                // Jobs of a shard differ: this is for people.
                (u128::from(shard.boards) * u128::from(*jobs) / u128::from(shard.jobs)) as u64
            }
            _ => 0,
        });
        let boards = boards.sum();
        let eta = eta(plan, &states, plan.boards() - boards);
        let merged = states.iter().all(|state| *state == State::Done) && plan.product_path().is_file();
        Ok(Status { states, boards, eta, merged })
    }

    /// The numbers of the shards in some states.
    pub fn numbers(&self, which: impl Fn(&State) -> bool) -> Vec<u32> {
        (1..).zip(&self.states).filter(|(_, state)| which(state)).map(|(number, _)| number).collect()
    }
}

fn state(plan: &Plan, shard: &Shard, whole: bool) -> Result<State, ShardError> {
    let finished = plan.shard_path(shard.number);
    if let Some(state) = finished_state(plan, shard, whole)? {
        return Ok(state);
    }
    let part = part_path(&finished);
    let jobs = match Log::unfinished(plan, shard) {
        Ok(log) => log.records().map_err(|e| ShardError::io(&part, e))?,
        // It may have got its name meanwhile.
        Err(ShardError::InTheWay { fault: Fault::Missing, .. }) => {
            if let Some(state) = finished_state(plan, shard, whole)? {
                return Ok(state);
            }
            return Ok(failure(&finished).unwrap_or(State::Missing));
        }
        Err(ShardError::InTheWay { fault: Fault::Damaged, .. }) => 0,
        Err(ShardError::InTheWay { fault, .. }) => return Ok(State::Unusable(fault)),
        Err(error) => return Err(error),
    };
    if is_locked(&part) {
        return Ok(State::Running { jobs });
    }
    Ok(failure(&finished).unwrap_or(State::Interrupted { jobs }))
}

/// The state of a shard whose file is there.
fn finished_state(plan: &Plan, shard: &Shard, whole: bool) -> Result<Option<State>, ShardError> {
    let log = Log::open(plan, shard);
    match log.and_then(|log| if whole { log.check(plan) } else { Ok(()) }) {
        Ok(()) => Ok(Some(State::Done)),
        Err(ShardError::InTheWay { fault: Fault::Missing, .. }) => Ok(None),
        Err(ShardError::InTheWay { fault, .. }) => Ok(Some(State::Unusable(fault))),
        Err(error) => Err(error),
    }
}

/// Why the last attempt ended, if it ended in an error.
fn failure(finished: &Path) -> Option<State> {
    let reason = fs::read_to_string(failed_path(finished)).ok()?;
    Some(State::Failed(reason.trim_end().to_owned()))
}

/// The time that is left at the speed of the last shards, if any is running.
fn eta(plan: &Plan, states: &[State], left: u64) -> Option<Duration> {
    if !states.iter().any(|state| matches!(state, State::Running { .. })) {
        return None;
    }
    let changed = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
    let done = plan.shards().iter().zip(states).filter(|(_, state)| **state == State::Done);
    let mut done: Vec<(SystemTime, u64)> = done
        .filter_map(|(shard, _)| Some((changed(&plan.shard_path(shard.number))?, shard.boards)))
        .collect();
    done.sort_unstable();
    let latest = &done[done.len().saturating_sub(LATEST)..];
    let ((first, _), others) = latest.split_first()?;
    let boards: u64 = others.iter().map(|(_, boards)| boards).sum();
    let seconds = SystemTime::now().duration_since(*first).ok()?.as_secs_f64();
    (boards > 0).then(|| Duration::try_from_secs_f64(seconds * left as f64 / boards as f64).ok())?
}
