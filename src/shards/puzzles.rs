//! The puzzles of the shards that are done, before all are.
//!
//! By them, all shards have about as many as there are boards for: the more walls, the
//! fewer puzzles a board, so shards are compared with those of as many walls alone. The
//! error is that of a ratio of sums over shards, which takes those that are done for
//! drawn by lot.

use super::log::Log;
use super::{Plan, Product, Shard, ShardError};
use crate::catalogue::surveying::Found;
use crate::catalogue::{PuzzlesByMoves, Rules, ratio_of_sums};
use crate::pipeline::Jobs;
use crate::progress::{Count, Observer};
use crate::space::SpaceId;
use crate::table::BuildError;

/// The puzzles of the shards that are done.
#[derive(Debug)]
pub struct PuzzlesSoFar {
    /// Those of each space, but for spaces of which nothing is done.
    pub spaces: Vec<SpaceSoFar>,
    kinds: Vec<Kind>,
}

/// The puzzles of a space, as far as its shards are done.
#[derive(Debug)]
pub struct SpaceSoFar {
    /// The space.
    pub space: SpaceId,
    /// How many signatures it has.
    pub signatures: u32,
    /// How many of them were surveyed.
    pub surveyed: u32,
    /// The puzzles of these.
    pub puzzles: PuzzlesByMoves,
}

/// The puzzles of all shards, told from those that are done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// How many.
    pub puzzles: f64,
    /// By how much that may be wrong: two standard errors.
    pub error: f64,
}

/// All shards whose first and last jobs are of spaces with so many walls. One that goes
/// from a number to the next is a kind by itself.
#[derive(Debug)]
struct Kind {
    walls: [u32; 2],
    shards: usize,
    boards: u64,
    /// The boards and the puzzles of those that are done.
    done: Vec<(u64, PuzzlesByMoves)>,
}

impl PuzzlesSoFar {
    /// Counts the puzzles of all shards that are whole, if the plan is of a catalogue.
    pub fn of(plan: &Plan, observer: &dyn Observer) -> Result<Option<PuzzlesSoFar>, ShardError> {
        let Product::Catalogue(spaces) = plan.product() else { return Ok(None) };
        // Their boards, which take longer to count, are of no use here.
        let jobs = Jobs::of_range(spaces, 0..0).map_err(BuildError::from)?;
        if jobs.len() != plan.jobs() {
            return Err(ShardError::ChangedPlan { path: plan.path().to_owned() });
        }
        let count = Count::new(observer, "shards", plan.shards().len() as u64);
        let mut so_far = PuzzlesSoFar { spaces: Vec::new(), kinds: Vec::new() };
        for shard in plan.shards() {
            let found = match of_shard(plan, shard, &jobs, observer) {
                Ok(found) => Some(found),
                // That it is missing or cannot be used is for its state to tell.
                Err(ShardError::InTheWay { .. }) => None,
                Err(error) => return Err(error),
            };
            so_far.add(shard, &jobs, found);
            count.add(1);
        }
        Ok(Some(so_far))
    }

    /// Adds the next shard, with its puzzles if it is done.
    fn add(&mut self, shard: &Shard, jobs: &Jobs, found: Option<Vec<SpaceSoFar>>) {
        let walls = [shard.first, shard.range().end - 1].map(|job| jobs.get(job).0.id().walls.count_ones());
        if self.kinds.last().is_none_or(|last| last.walls != walls) {
            self.kinds.push(Kind { walls, shards: 0, boards: 0, done: Vec::new() });
        }
        let kind = self.kinds.last_mut().expect("there is one now");
        kind.shards += 1;
        kind.boards += shard.boards;
        let Some(found) = found else { return };
        let mut puzzles = PuzzlesByMoves::default();
        found.iter().for_each(|of| puzzles += &of.puzzles);
        kind.done.push((shard.boards, puzzles));
        found.into_iter().for_each(|more| add(&mut self.spaces, more));
    }

    /// How many puzzles all shards have, if two of each kind are done, or all of it: of one
    /// of several nobody knows how much chance is in it.
    pub fn projected(&self, rules: Rules) -> Option<Projected> {
        let kinds = self.kinds.iter().map(|kind| kind.projected(rules)).collect::<Option<Vec<_>>>()?;
        let variance: f64 = kinds.iter().map(|of| of.error.powi(2)).sum();
        Some(Projected { puzzles: kinds.iter().map(|of| of.puzzles).sum(), error: variance.sqrt() })
    }
}

impl Kind {
    fn projected(&self, rules: Rules) -> Option<Projected> {
        let done = self.done.iter().map(|(boards, puzzles)| (*boards as f64, puzzles.total(rules) as f64));
        let done: Vec<(f64, f64)> = done.collect();
        if done.len() == self.shards {
            return Some(Projected { puzzles: done.iter().map(|of| of.1).sum(), error: 0.0 });
        }
        let (ratio, error) = ratio_of_sums(&done)?;
        let boards = self.boards as f64;
        // What is done is known: only the rest is left to chance.
        let left = 1.0 - done.len() as f64 / self.shards as f64;
        Some(Projected { puzzles: ratio * boards, error: 2.0 * error * boards * left.sqrt() })
    }
}

/// Adds what comes next in the order of the jobs.
fn add(all: &mut Vec<SpaceSoFar>, more: SpaceSoFar) {
    match all.last_mut().filter(|last| last.space == more.space) {
        Some(last) => {
            last.surveyed += more.surveyed;
            last.puzzles += &more.puzzles;
        }
        None => all.push(more),
    }
}

fn of_shard(
    plan: &Plan,
    shard: &Shard,
    jobs: &Jobs,
    observer: &dyn Observer,
) -> Result<Vec<SpaceSoFar>, ShardError> {
    let mut log = Log::open(&plan.shard_path(shard.number), plan, shard)?;
    let mut all = Vec::new();
    let mut job = shard.first;
    while let Some(found) = log.read::<Found>()? {
        if observer.wants_stop() {
            return Err(BuildError::Stopped.into());
        }
        let (space, _) = jobs.get(job);
        let mut puzzles = PuzzlesByMoves::default();
        found.puzzles.iter().for_each(|puzzle| puzzles.add(puzzle));
        add(&mut all, SpaceSoFar { space: space.id(), signatures: space.signatures(), surveyed: 1, puzzles });
        job += 1;
    }
    Ok(all)
}
