//! The signatures of one or more spaces as numbered jobs.

use std::ops::Range;
use std::sync::Arc;

use crate::space::{MAX_TABULATED, Rank, SignatureId, Space, SpaceError, SpaceId, Spaces};

/// All signatures of some spaces, space after space: job after job.
#[derive(Debug)]
pub struct Jobs {
    spaces: Vec<SpaceJobs>,
    len: u32,
    boards: u64,
}

/// A space and what comes before it.
#[derive(Debug)]
struct SpaceJobs {
    id: SpaceId,
    first_job: u32,
    first_board: u64,
}

impl SpaceJobs {
    fn space(&self) -> Arc<Space> {
        Space::of(self.id).expect("checked before")
    }
}

impl Jobs {
    /// Counts the jobs and boards of some spaces.
    pub fn new(spaces: &Spaces) -> Result<Jobs, SpaceError> {
        Jobs::of_range(spaces, 0..u32::MAX)
    }

    /// The same, but boards are counted only of spaces that have some of these jobs:
    /// for many spaces that takes longer than all else. The others seem to have none.
    pub fn of_range(spaces: &Spaces, range: Range<u32>) -> Result<Jobs, SpaceError> {
        spaces.check()?;
        let mut jobs = Jobs { spaces: Vec::new(), len: 0, boards: 0 };
        for id in spaces.iter() {
            let signatures = Space::of(id)?.signatures();
            if signatures > 0 {
                jobs.spaces.push(SpaceJobs { id, first_job: jobs.len, first_board: 0 });
                jobs.len = jobs.len.checked_add(signatures).ok_or(SpaceError::TooManyJobs)?;
            }
        }
        for of in &mut jobs.spaces {
            of.first_board = jobs.boards;
            let space = of.space();
            if of.first_job < range.end && range.start < of.first_job + space.signatures() {
                jobs.boards += space.boards();
            }
        }
        Ok(jobs)
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Is there nothing to do? All spaces are closed by walls.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All jobs.
    pub fn all(&self) -> Range<u32> {
        0..self.len
    }

    /// The boards of all spaces.
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// The space and the signature of a job.
    ///
    /// # Panics
    /// If there is no such job.
    pub fn get(&self, job: u32) -> (Arc<Space>, SignatureId) {
        assert!(job < self.len, "job {job} of {}", self.len);
        let of = self.of(job);
        (of.space(), SignatureId(job - of.first_job))
    }

    /// Are the boards of every job known? Otherwise [Jobs::boards_before] counts some,
    /// which may take longer than a job.
    pub fn are_counted(&self) -> bool {
        self.spaces.first().is_none_or(|of| of.id.size <= MAX_TABULATED)
    }

    /// How many boards come before those of a job, or in all if there is none.
    pub fn boards_before(&self, job: u32) -> u64 {
        if job >= self.len {
            return self.boards;
        }
        let of = self.of(job);
        // At the start of a space nothing has to be counted.
        let in_space = match job - of.first_job {
            0 => 0,
            signature => of.space().first_of(SignatureId(signature)),
        };
        of.first_board + in_space
    }

    /// The first job with at least so many boards before it.
    pub fn after_boards(&self, boards: u64) -> u32 {
        // The last space that begins before.
        let space = self.spaces.partition_point(|of| of.first_board < boards);
        let Some(of) = space.checked_sub(1).map(|space| &self.spaces[space]) else { return 0 };
        let space = of.space();
        // The one that follows the last board before.
        let last = space.signature_at(Rank(boards - of.first_board - 1));
        of.first_job + last.map_or(space.signatures(), |last| last.0 + 1)
    }

    /// How many boards come before a space, or in all: the number that is nearest to this
    /// one.
    pub fn boards_before_nearest_space(&self, boards: u64) -> u64 {
        let next = self.spaces.partition_point(|of| of.first_board < boards);
        let at = |space: usize| self.spaces.get(space).map_or(self.boards, |of| of.first_board);
        let (before, after) = (at(next.saturating_sub(1)), at(next));
        if boards.abs_diff(before) < boards.abs_diff(after) { before } else { after }
    }

    /// The jobs by how many walls their boards have, which never get fewer.
    pub fn by_walls(&self) -> impl Iterator<Item = (u32, Range<u32>)> {
        let walls = |of: &SpaceJobs| of.id.walls.count_ones();
        self.spaces.chunk_by(move |a, b| walls(a) == walls(b)).map(move |spaces| {
            let last = &spaces[spaces.len() - 1];
            (walls(last), spaces[0].first_job..last.first_job + last.space().signatures())
        })
    }

    fn of(&self, job: u32) -> &SpaceJobs {
        &self.spaces[self.spaces.partition_point(|of| of.first_job <= job) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_the_signatures_of_all_spaces_in_order() {
        let jobs = Jobs::new(&Spaces::with_walls(4, 0..=1)).expect("tabulated");
        let mut boards = 0;
        let mut job = 0;
        for id in Spaces::with_walls(4, 0..=1).iter() {
            let space = Space::of(id).expect("tabulated");
            for (signature, size) in (0..).map(SignatureId).zip(space.sizes()) {
                let (of, found) = jobs.get(job);
                assert_eq!((of.id(), found, jobs.boards_before(job)), (id, signature, boards));
                boards += u64::from(size.boards);
                job += 1;
            }
        }
        assert_eq!((jobs.len(), jobs.boards(), jobs.boards_before(job)), (job, boards, boards));
        for at in (0..=boards).step_by(97).chain([boards]) {
            let job = jobs.after_boards(at);
            assert!(jobs.boards_before(job) >= at, "job {job} after {at} boards");
            assert!(job == 0 || jobs.boards_before(job - 1) < at, "job {job} after {at} boards");
        }
        let starts: Vec<u64> = jobs.spaces.iter().map(|of| of.first_board).chain([boards]).collect();
        for at in (0..=boards).step_by(97).chain([boards]) {
            let nearest = jobs.boards_before_nearest_space(at);
            assert!(starts.contains(&nearest), "{nearest} boards near {at}");
            assert!(starts.iter().all(|start| start.abs_diff(at) >= nearest.abs_diff(at)));
        }
        // Only the spaces of a range are counted, and within it all is the same.
        let range = 1_000..1_100;
        let some = Jobs::of_range(&Spaces::with_walls(4, 0..=1), range.clone()).expect("tabulated");
        assert!(some.boards() < boards && some.len() == jobs.len());
        let within = |jobs: &Jobs, job| jobs.boards_before(job) - jobs.boards_before(range.start);
        for job in range.start..=range.end {
            assert_eq!(within(&some, job), within(&jobs, job));
        }
        let by_walls: Vec<_> = jobs.by_walls().collect();
        assert_eq!((by_walls[0].0, by_walls[1].0, by_walls.len()), (0, 1, 2));
        assert_eq!((by_walls[0].1.start, by_walls[1].1.end), (0, jobs.len()));
        assert_eq!(jobs.get(by_walls[0].1.end - 1).0.id().walls, 0);
        assert_eq!(jobs.get(by_walls[1].1.start).0.id().walls.count_ones(), 1);
        assert_eq!(Jobs::new(&Spaces::from(9)).err(), Some(SpaceError::Size(9)));
    }
}
