//! Some signatures searched and surveyed, chosen or drawn at random, and what all of them
//! would take.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::Puzzle;
use super::survey::Searched;
use super::surveying::Surveying;
use crate::board::Metric;
use crate::pipeline::Budget;
use crate::progress::{Count, Observer};
use crate::random::{draw, scaled};
use crate::retrograde::{Furthest, MoveTables, Solver};
use crate::space::{Blocks, SignatureId, Space};
use crate::table::TableError;

/// Which signatures to search and survey.
#[derive(Debug, Clone)]
pub struct Sampling {
    /// The signatures, in order.
    pub signatures: Vec<SignatureId>,
    /// Distances alone, without clusters and puzzles.
    pub search_only: bool,
    /// Those with more boards are left out.
    pub most_boards: u64,
    /// Bytes that all threads may need together for clusters and puzzles, [so
    /// many](Sampling::BYTES_A_BOARD) a board: they wait for each other, and what does
    /// not fit alone is left out.
    pub memory: u64,
    /// None is begun after that.
    pub time: Option<Duration>,
}

/// What was found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Sample {
    /// The signatures that were searched, and surveyed if that was wanted.
    pub surveyed: Vec<Surveyed>,
    /// Those that are too large, with their boards.
    pub left_out: Vec<(SignatureId, u64)>,
    /// The clusters of the signatures surveyed.
    pub clusters: u64,
    /// The puzzles among them.
    pub puzzles: u64,
    /// The puzzle with the most moves; of several the one with the smallest id.
    pub hardest: Option<Puzzle>,
    /// One of the boards that are furthest from solved.
    pub furthest: Option<Furthest>,
}

/// One signature of a sample.
#[derive(Debug, Clone, Copy)]
pub struct Surveyed {
    /// Which one.
    pub id: SignatureId,
    /// Its boards.
    pub boards: u64,
    /// How long one thread searched for their distances alone.
    pub search: Duration,
    /// How long it took for all, if it was surveyed: the search, the survey, the
    /// features of puzzles.
    pub all: Option<Duration>,
}

/// What is expected of all boards.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Projection {
    /// Boards a second on one core.
    pub speed: f64,
    /// Hours of one core.
    pub core_hours: f64,
    /// By how much that may be wrong: two standard errors.
    pub error: f64,
}

impl Sampling {
    /// What the survey of a signature needs for each of its boards, about.
    pub const BYTES_A_BOARD: u64 = 4;

    /// So many different signatures of a space, all with the same chance, in the
    /// order in which they were drawn; all of them if there are no more.
    pub fn draw(space: &Space, count: u32, seed: u64) -> Vec<SignatureId> {
        let all = space.signatures();
        // A shuffle of which only the first are kept.
        let mut moved = HashMap::new();
        let next = |first: u32| {
            let chosen = first + scaled(draw(seed, first.into()), u64::from(all - first)) as u32;
            let there = *moved.get(&first).unwrap_or(&first);
            SignatureId(moved.insert(chosen, there).unwrap_or(chosen))
        };
        (0..count.min(all)).map(next).collect()
    }

    /// Does it on all threads of the current pool. Whoever stops it gets what is known by
    /// then.
    pub fn run(&self, space: &Space, observer: &dyn Observer) -> Result<Sample, TableError> {
        let started = Instant::now();
        let tables = MoveTables::new(space, Metric::Moves);
        let surveying = Surveying::by_search(space, Vec::new());
        let count = Count::new(observer, "signatures", self.signatures.len() as u64);
        let next = Mutex::new(self.signatures.iter());
        let sample = Mutex::new(Sample::default());
        let in_time = || self.time.is_none_or(|time| started.elapsed() < time);
        let next = || next.lock().expect("no thread panicked").next().filter(|_| in_time());
        let most_boards = match self.search_only {
            true => self.most_boards,
            false => self.most_boards.min(self.memory / Sampling::BYTES_A_BOARD).min(Blocks::MOST_BOARDS),
        };
        let budget = Budget::new(self.memory);
        let work = || -> Result<(), TableError> {
            let mut solver = Solver::new(&tables);
            let mut survey = surveying.surveyor();
            while let Some(&id) = next().filter(|_| !observer.wants_stop()) {
                let blocks = Blocks::new(space, id);
                let boards = blocks.boards();
                if boards > most_boards {
                    sample.lock().expect("no thread panicked").left_out.push((id, boards));
                    count.add(1);
                    continue;
                }
                let (searched, surveyed) = match self.search_only {
                    true => {
                        let begun = Instant::now();
                        let Some(counted) = solver.count(&blocks, &|| observer.wants_stop()) else { break };
                        let furthest =
                            counted.furthest.map(|position| (counted.histogram.longest(), position));
                        (Searched { time: begun.elapsed(), furthest }, None)
                    }
                    false => {
                        // Waiting for others is no work.
                        let _held = budget.take(Sampling::BYTES_A_BOARD * boards);
                        let begun = Instant::now();
                        let (found, searched) = survey(space, id)?;
                        (searched.expect("there is no table"), Some((found, begun.elapsed())))
                    }
                };
                let furthest = searched.furthest;
                let furthest = furthest.map(|(distance, position)| Furthest::new(distance, &position, space));
                let mut sample = sample.lock().expect("no thread panicked");
                let all = surveyed.as_ref().map(|&(_, time)| time);
                sample.surveyed.push(Surveyed { id, boards, search: searched.time, all });
                sample.furthest = sample.furthest.take().into_iter().chain(furthest).max_by_key(|furthest| {
                    // Not by who came first.
                    (furthest.distance, Reverse(furthest.id))
                });
                if let Some((found, _)) = surveyed {
                    sample.clusters += found.summary.all.all_clusters();
                    sample.puzzles += found.puzzles.len() as u64;
                    let puzzles = sample.hardest.take().into_iter().chain(found.puzzles);
                    sample.hardest = puzzles.max_by_key(|puzzle| (puzzle.moves(), Reverse(puzzle.id())));
                }
                count.add(1);
            }
            Ok(())
        };
        rayon::broadcast(|_| work()).into_iter().collect::<Result<(), TableError>>()?;
        let mut sample = sample.into_inner().expect("no thread panicked");
        sample.surveyed.sort_by_key(|one| one.id);
        sample.left_out.sort();
        Ok(sample)
    }
}

impl Sample {
    /// The boards of the signatures that were searched.
    pub fn boards(&self) -> u64 {
        self.surveyed.iter().map(|one| one.boards).sum()
    }

    /// What some part of the work would take for so many boards, if time goes with
    /// boards. None if it was not done, and without two signatures: nobody knows how
    /// much that may be wrong.
    pub fn project(&self, boards: u64, part: impl Fn(&Surveyed) -> Option<Duration>) -> Option<Projection> {
        let times = self.surveyed.iter().map(|one| Some((one.boards as f64, part(one)?.as_secs_f64())));
        let (ratio, error) = ratio_of_sums(&times.collect::<Option<Vec<_>>>()?)?;
        let hours = boards as f64 / 3600.0;
        (ratio > 0.0).then(|| Projection {
            speed: 1.0 / ratio,
            core_hours: ratio * hours,
            error: 2.0 * error * hours,
        })
    }
}

/// The sum of the seconds of all pairs by that of the firsts, and the standard error of this
/// ratio, for pairs drawn at random from very many. None without two pairs.
pub(crate) fn ratio_of_sums(pairs: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = pairs.len() as f64;
    if pairs.len() < 2 {
        return None;
    }
    let (own, part) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let ratio = part / own;
    let squares: f64 = pairs.iter().map(|(own, part)| (part - ratio * own).powi(2)).sum();
    Some((ratio, (squares * count / (count - 1.0)).sqrt() / own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Location, Rank};

    #[test]
    fn a_draw_has_no_signature_twice() {
        let space = Space::of_size(4).expect("tabulated");
        let all = Sampling::draw(&space, u32::MAX, 1);
        assert_eq!(all.len(), space.signatures() as usize);
        let distinct: std::collections::BTreeSet<_> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(Sampling::draw(&space, 5, 1), all[..5], "more go on where fewer end");
        assert_ne!(Sampling::draw(&space, 5, 2), all[..5]);
    }

    #[test]
    fn all_signatures_are_all_puzzles() {
        let space = Space::of_size(4).expect("tabulated");
        let sampling = Sampling {
            signatures: Sampling::draw(&space, u32::MAX, 7),
            search_only: false,
            most_boards: u64::MAX,
            memory: u64::MAX,
            time: None,
        };
        let sample = sampling.run(&space, &()).expect("the search finds all");
        assert_eq!(sample.boards(), space.boards());
        assert!(sample.left_out.is_empty() && sample.clusters > sample.puzzles);
        let hardest = sample.hardest.expect("there is one");
        assert_eq!(hardest.moves(), 7);
        let furthest = sample.furthest.clone().expect("there is one");
        assert_eq!(furthest.distance.known(), Some(7));
        let Ok(Location::Inside(position)) = space.locate(&furthest.board) else {
            panic!("it is one of them")
        };
        assert_eq!(space.rank(&position), Rank(furthest.id));
        let search = Sampling { search_only: true, memory: 0, ..sampling.clone() }.run(&space, &());
        let search = search.expect("the search finds all");
        assert_eq!((search.boards(), &search.furthest), (space.boards(), &sample.furthest));
        assert!(search.clusters == 0 && search.hardest.is_none());
        assert!(search.project(1, |one| one.all).is_none(), "nothing was surveyed");
        assert!(search.project(1, |one| Some(one.search)).is_some());
        let few = Sampling { most_boards: 10, ..sampling.clone() }.run(&space, &()).expect("as before");
        assert_eq!(few.surveyed.len() + few.left_out.len(), space.signatures() as usize);
        assert!(few.surveyed.iter().all(|one| one.boards <= 10));
        assert!(few.left_out.iter().all(|&(_, boards)| boards > 10));
        let narrow = Sampling { memory: 10 * Sampling::BYTES_A_BOARD, ..sampling.clone() };
        let narrow = narrow.run(&space, &()).expect("as before");
        assert_eq!(narrow.left_out, few.left_out, "what does not fit is too large");
        assert_eq!(narrow.boards(), few.boards());
        let none = Sampling { time: Some(Duration::ZERO), ..sampling }.run(&space, &()).expect("as before");
        assert!(none.surveyed.is_empty() && none.project(1, |one| one.all).is_none());
    }

    /// Guards the time of a sample: what the search of a survey finds was searched for a
    /// second time.
    #[test]
    fn a_survey_says_what_its_search_found() {
        let space = Space::of_size(4).expect("tabulated");
        let tables = MoveTables::new(&space, Metric::Moves);
        let surveying = Surveying::by_search(&space, Vec::new());
        let (mut survey, mut solver) = (surveying.surveyor(), Solver::new(&tables));
        // The second time its distances are kept.
        for id in (0..space.signatures()).step_by(7).flat_map(|id| [SignatureId(id); 2]) {
            let (_, searched) = survey(&space, id).expect("there is room");
            let counted = solver.count(&Blocks::new(&space, id), &|| false).expect("nobody stops it");
            let furthest = counted.furthest.map(|position| (counted.histogram.longest(), position));
            assert_eq!(searched.expect("there is no table").furthest, furthest);
        }
    }

    #[test]
    fn a_projection_is_a_ratio() {
        let one = |boards, seconds| Surveyed {
            id: SignatureId(0),
            boards,
            search: Duration::ZERO,
            all: Some(Duration::from_secs(seconds)),
        };
        let of = |surveyed| Sample { surveyed, ..Sample::default() };
        let even = of(vec![one(10, 1), one(20, 2), one(70, 7)]).project(36_000, |one| one.all);
        let even = even.expect("three are enough");
        assert!((even.speed - 10.0).abs() < 1e-9 && (even.core_hours - 1.0).abs() < 1e-9);
        assert!(even.error < 1e-9, "all take the same time a board");
        // Residues -1 and 1 of 20 boards: √(2 · 2) / 20, twice.
        let uneven = of(vec![one(10, 1), one(10, 3)]).project(3600, |one| one.all).expect("two");
        assert!((uneven.core_hours - 0.2).abs() < 1e-9 && (uneven.error - 0.2).abs() < 1e-9);
        assert!(uneven.speed > 0.0 && of(vec![one(1, 1)]).project(1, |one| one.all).is_none());
    }
}
