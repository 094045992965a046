//! The puzzles of the shards that are done, before all are.

use super::log::Log;
use super::{Plan, Product, Shard, ShardError};
use crate::catalogue::PuzzlesByMoves;
use crate::catalogue::surveying::Found;
use crate::pipeline::Jobs;
use crate::progress::{Count, Observer};
use crate::space::SpaceId;
use crate::table::BuildError;

/// The puzzles of a space, as far as its shards are done.
#[derive(Debug)]
pub struct PuzzlesSoFar {
    /// The space.
    pub space: SpaceId,
    /// How many signatures it has.
    pub signatures: u32,
    /// How many of them were surveyed.
    pub surveyed: u32,
    /// The puzzles of these.
    pub puzzles: PuzzlesByMoves,
}

impl PuzzlesSoFar {
    /// The puzzles of all shards that are whole, space after space, if the plan is of a
    /// catalogue. Spaces of which nothing is done are left out.
    pub fn of(plan: &Plan, observer: &dyn Observer) -> Result<Option<Vec<PuzzlesSoFar>>, ShardError> {
        let Product::Catalogue(spaces) = plan.product() else { return Ok(None) };
        // Their boards, which take longer to count, are of no use here.
        let jobs = Jobs::of_range(spaces, 0..0).map_err(BuildError::from)?;
        if jobs.len() != plan.jobs() {
            return Err(ShardError::ChangedPlan { path: plan.path().to_owned() });
        }
        let count = Count::new(observer, "shards", plan.shards().len() as u64);
        let mut all = Vec::<PuzzlesSoFar>::new();
        for shard in plan.shards() {
            match of_shard(plan, shard, &jobs, observer) {
                Ok(found) => found.into_iter().for_each(|more| add(&mut all, more)),
                // That it is missing or cannot be used is for its state to tell.
                Err(ShardError::InTheWay { .. }) => {}
                Err(error) => return Err(error),
            }
            count.add(1);
        }
        Ok(Some(all))
    }
}

/// Adds what comes next in the order of the jobs.
fn add(all: &mut Vec<PuzzlesSoFar>, more: PuzzlesSoFar) {
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
) -> Result<Vec<PuzzlesSoFar>, ShardError> {
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
        add(
            &mut all,
            PuzzlesSoFar { space: space.id(), signatures: space.signatures(), surveyed: 1, puzzles },
        );
        job += 1;
    }
    Ok(all)
}
