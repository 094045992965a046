//! The puzzles of the shards that are done, before all are.
//!
//! By them, all shards have about as many as there are boards for: the more walls, the
//! fewer puzzles a board, so boards are compared with those of as many walls alone. A
//! shard that goes from one number of walls to the next is split there. The error is that
//! of a ratio of sums over shards, which takes those that are done for a random sample; as
//! they may be few, it is widened by Student's t. Without that it held the truth in 78 to
//! 83 of 100 cases.

use std::ops::Range;

use super::log::Log;
use super::{Plan, Product, Shard, ShardError};
use crate::catalogue::surveying::SurveyedSignature;
use crate::catalogue::{PuzzlesByMoves, Rules, ratio_of_sums};
use crate::pipeline::Jobs;
use crate::progress::{Count, Observer};
use crate::space::{SpaceId, Spaces};
use crate::table::BuildError;

/// The puzzles of the shards that are done.
#[derive(Debug)]
pub struct PuzzlesSoFar {
    /// Those of each space, but for spaces of which nothing is done.
    pub spaces: Vec<SpaceSoFar>,
    strata: Vec<Stratum>,
}

/// The puzzles of a space, as far as its shards are done.
#[derive(Debug)]
#[non_exhaustive]
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

/// The puzzles of all shards, estimated from those that are done.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Projected {
    /// How many.
    pub puzzles: f64,
    /// By how much that may be wrong: half of a 95% interval.
    pub error: f64,
}

/// All boards with so many walls.
#[derive(Debug)]
struct Stratum {
    walls: u32,
    jobs: Range<u32>,
    boards: u64,
    /// How many shards have some of them.
    shards: usize,
    /// How many each shard that is done has, and their puzzles.
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
        let stratum = |(walls, jobs)| Stratum { walls, jobs, boards: 0, shards: 0, done: Vec::new() };
        let mut so_far = PuzzlesSoFar { spaces: Vec::new(), strata: jobs.by_walls().map(stratum).collect() };
        for shard in plan.shards() {
            let found = match of_shard(plan, shard, &jobs, observer) {
                Ok(found) => Some(found),
                // That it is missing or cannot be used is for its state to tell.
                Err(ShardError::InTheWay { .. }) => None,
                Err(error) => return Err(error),
            };
            so_far.add(shard, spaces, found)?;
            count.add(1);
        }
        Ok(Some(so_far))
    }

    /// Adds the next shard, with its puzzles if it is done.
    fn add(
        &mut self,
        shard: &Shard,
        spaces: &Spaces,
        found: Option<Vec<SpaceSoFar>>,
    ) -> Result<(), ShardError> {
        for stratum in &mut self.strata {
            let jobs = stratum.jobs.start.max(shard.first)..stratum.jobs.end.min(shard.range().end);
            if jobs.is_empty() {
                continue;
            }
            let boards = match jobs == shard.range() {
                true => shard.boards,
                false => {
                    let counted = Jobs::of_range(spaces, jobs.clone()).map_err(BuildError::from)?;
                    counted.boards_before(jobs.end) - counted.boards_before(jobs.start)
                }
            };
            stratum.shards += 1;
            stratum.boards += boards;
            if let Some(found) = &found {
                let mut puzzles = PuzzlesByMoves::default();
                let own = found.iter().filter(|of| of.space.walls.count_ones() == stratum.walls);
                own.for_each(|of| puzzles += &of.puzzles);
                stratum.done.push((boards, puzzles));
            }
        }
        found.into_iter().flatten().for_each(|more| add(&mut self.spaces, more));
        Ok(())
    }

    /// How many puzzles all shards have, if of each number of walls two shards are done, or
    /// all: of one of several nobody knows how much chance is in it.
    pub fn projected(&self, rules: Rules) -> Option<Projected> {
        let strata =
            self.strata.iter().map(|stratum| stratum.projected(rules)).collect::<Option<Vec<_>>>()?;
        let variance: f64 = strata.iter().map(|of| of.error.powi(2)).sum();
        Some(Projected { puzzles: strata.iter().map(|of| of.puzzles).sum(), error: variance.sqrt() })
    }
}

impl Stratum {
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
        let error = student(done.len() - 1) * error * boards * left.sqrt();
        Some(Projected { puzzles: ratio * boards, error })
    }
}

/// How many standard errors a 95% interval has on each side, by Student's t with so many
/// degrees of freedom.
fn student(freedom: usize) -> f64 {
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let many = 1.0 / freedom as f64;
    // With more, an expansion is right to three digits.
    *FEW.get(freedom - 1).unwrap_or(&(1.96 + many * (2.372 + many * (2.823 + many * 2.556))))
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
    let mut all = Vec::new();
    for found in Log::open(plan, shard)?.results::<SurveyedSignature>() {
        let (job, found) = found?;
        if observer.wants_stop() {
            return Err(BuildError::Stopped.into());
        }
        let (space, _) = jobs.get(job);
        let mut puzzles = PuzzlesByMoves::default();
        found.puzzles.iter().for_each(|puzzle| puzzles.add(puzzle));
        add(&mut all, SpaceSoFar { space: space.id(), signatures: space.signatures(), surveyed: 1, puzzles });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::student;

    #[test]
    fn intervals_are_wide_where_little_is_known() {
        for (freedom, expected) in [(1, 12.706), (10, 2.228), (11, 2.201), (20, 2.086), (60, 2.000)] {
            assert!((student(freedom) - expected).abs() < 0.002, "{freedom}");
        }
    }
}
