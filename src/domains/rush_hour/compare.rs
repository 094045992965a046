//! Comparing searches: every puzzle of a set with every method, and the sums.
//!
//! ```
//! use tailback::board::Metric;
//! use tailback::probe::Prober;
//! use tailback::domains::rush_hour::{Comparison, Method, PuzzleSet};
//! use tailback::search::{Algorithm, Limits};
//!
//! let set = PuzzleSet::parse("two", "a ..B.AAB.........\nb ..B.AAB...CC....\n", 'A')?;
//! let algorithms = [Algorithm::BreadthFirst, Algorithm::A_STAR];
//! let heuristics = ["zero".parse()?, "perfect".parse()?];
//! let comparison = Comparison {
//!     puzzles: &set.puzzles,
//!     metric: Metric::Moves,
//!     methods: &Method::all(&algorithms, &heuristics),
//!     prober: &Prober::without_tables(),
//!     limits: &Limits::default(),
//! };
//! let results = comparison.run(|| ())?;
//! assert_eq!((results.rows[1].distance, results.rows[1].reports.len()), (Some(3), 3));
//! assert!(results.totals.iter().all(|totals| (totals.solved, totals.optimal) == (2, 2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rayon::prelude::*;

use super::{Estimator, Heuristic, Puzzle, Traffic};
use crate::board::{Board, Metric, Move};
use crate::probe::{ProbeError, Prober};
use crate::search::{Algorithm, Blind, Counts, Limits, Report, Stop, Verdict, run};

/// A way to search: an algorithm, and its heuristic if it takes one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Method {
    /// How it goes on.
    pub algorithm: Algorithm,
    /// What guides it; an algorithm that is not guided ignores it.
    pub heuristic: Option<Heuristic>,
}

impl Method {
    /// Every algorithm with every heuristic, and those that take none once.
    /// Repeated ones are left out.
    pub fn all(algorithms: &[Algorithm], heuristics: &[Heuristic]) -> Vec<Method> {
        let mut methods: Vec<Method> = Vec::new();
        for &algorithm in algorithms {
            let guides: Vec<Option<Heuristic>> = match algorithm.is_guided() {
                true => heuristics.iter().cloned().map(Some).collect(),
                false => vec![None],
            };
            for heuristic in guides {
                let method = Method { algorithm, heuristic };
                if !methods.contains(&method) {
                    methods.push(method);
                }
            }
        }
        methods
    }

    /// Searches a solution of a board. `perfect` takes its distances from the
    /// prober; the time to explore a cluster for it is not part of the report.
    pub fn search(
        &self,
        board: &Board,
        metric: Metric,
        prober: &Prober,
        limits: &Limits,
    ) -> Result<Report<Move>, ProbeError> {
        let traffic = Traffic::new(board, metric);
        match &self.heuristic {
            Some(heuristic) => {
                let mut guide = Estimator::new(heuristic, &traffic, prober)?;
                run(self.algorithm, &traffic, traffic.start(), &mut guide, limits)
            }
            None => {
                let Ok(report) = run(self.algorithm, &traffic, traffic.start(), &mut Blind, limits);
                Ok(report)
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.heuristic {
            Some(heuristic) => f.pad(&format!("{} {heuristic}", self.algorithm)),
            None => self.algorithm.fmt(f),
        }
    }
}

/// What is to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// The puzzles.
    pub puzzles: &'a [Puzzle],
    /// What counts 1.
    pub metric: Metric,
    /// The ways to search.
    pub methods: &'a [Method],
    /// Knows the distances, for `perfect` and for solutions that are not
    /// proven to be shortest.
    pub prober: &'a Prober,
    /// For each search.
    pub limits: &'a Limits<'a>,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Results<'a> {
    /// One for each puzzle.
    pub rows: Vec<Row<'a>>,
    /// One for each method.
    pub totals: Vec<Totals>,
}

impl Results<'_> {
    /// How many searches came to their end, or to a limit.
    pub fn completed(&self) -> usize {
        let is_whole = |report: &&Report<Move>| {
            !matches!(report.verdict, Verdict::Stopped { reason: Stop::Interrupted, .. })
        };
        self.rows.iter().flat_map(|row| &row.reports).filter(is_whole).count()
    }
}

/// What came out for one puzzle.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// The puzzle.
    pub puzzle: &'a Puzzle,
    /// Can it be solved? `None` if nobody found out.
    pub solvable: Option<bool>,
    /// The length of a shortest solution, if it can be solved.
    pub distance: Option<u32>,
    /// One for each method. A search that did not begin generated nothing.
    pub reports: Vec<Report<Move>>,
}

/// The sums of one method.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    /// Puzzles with a solution found.
    pub solved: usize,
    /// Of these, with a shortest one.
    pub optimal: usize,
    /// Puzzles found to be unsolvable.
    pub unsolvable: usize,
    /// Searches that were stopped.
    pub stopped: usize,
    /// Nodes generated by all searches.
    pub generated: u64,
    /// Nodes expanded by all searches.
    pub expanded: u64,
    /// The mean of the effective branching factors of the solved puzzles.
    pub branching_factor: Option<f64>,
    /// The time of all searches.
    pub elapsed: Duration,
}

/// A search that a damaged table ended.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .puzzle.name)]
pub struct CompareError {
    /// What was to be solved.
    pub puzzle: Box<Puzzle>,
    /// What went wrong.
    pub error: ProbeError,
}

impl<'a> Comparison<'a> {
    /// How many searches that takes.
    pub fn searches(&self) -> usize {
        self.puzzles.len() * self.methods.len()
    }

    /// Runs all searches, on the threads of the current pool, and calls
    /// `advanced` after each. Once somebody asks to stop, searches that have
    /// not begun do not begin.
    pub fn run(&self, advanced: impl Fn() + Sync) -> Result<Results<'a>, CompareError> {
        let reports: Vec<Report<Move>> = (0..self.searches())
            .into_par_iter()
            .with_max_len(1)
            .map(|index| {
                let puzzle = &self.puzzles[index / self.methods.len()];
                let report = self.search(puzzle, &self.methods[index % self.methods.len()]);
                advanced();
                report.map_err(|error| CompareError { puzzle: Box::new(puzzle.clone()), error })
            })
            .collect::<Result<_, _>>()?;
        let mut reports = reports.into_iter();
        let rows: Vec<(&Puzzle, Vec<Report<Move>>)> = self
            .puzzles
            .iter()
            .map(|puzzle| (puzzle, reports.by_ref().take(self.methods.len()).collect()))
            .collect();
        let rows: Vec<Row> = rows
            .into_par_iter()
            .with_max_len(1)
            .map(|(puzzle, reports)| self.row(puzzle, reports))
            .collect::<Result<_, _>>()?;
        let totals = (0..self.methods.len()).map(|method| Totals::new(&rows, method)).collect();
        Ok(Results { rows, totals })
    }

    fn search(&self, puzzle: &Puzzle, method: &Method) -> Result<Report<Move>, ProbeError> {
        if self.wants_stop() {
            return Ok(not_begun(Stop::Interrupted));
        }
        match method.search(&puzzle.board, self.metric, self.prober, self.limits) {
            // The cluster that `perfect` would need is too large.
            Err(ProbeError::Cluster(_)) => Ok(not_begun(Stop::Memory)),
            report => report,
        }
    }

    fn row(&self, puzzle: &'a Puzzle, reports: Vec<Report<Move>>) -> Result<Row<'a>, CompareError> {
        let distance = self
            .distance(puzzle, &reports)
            .map_err(|error| CompareError { puzzle: Box::new(puzzle.clone()), error })?;
        Ok(Row { puzzle, solvable: distance.map(|d| d.is_some()), distance: distance.flatten(), reports })
    }

    /// The distance as far as it is known: what a search has proven, or what
    /// the prober says.
    fn distance(&self, puzzle: &Puzzle, reports: &[Report<Move>]) -> Result<Option<Option<u32>>, ProbeError> {
        let proven = reports.iter().find_map(|report| match &report.verdict {
            Verdict::Solved(solution) if solution.proven_optimal => Some(Some(solution.cost)),
            Verdict::Unsolvable => Some(None),
            _ => None,
        });
        if proven.is_some() || self.wants_stop() {
            return Ok(proven);
        }
        match self.prober.session().distance(&puzzle.board, self.metric) {
            Ok((distance, _)) => Ok(Some(distance)),
            Err(ProbeError::Cluster(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn wants_stop(&self) -> bool {
        self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

fn not_begun(reason: Stop) -> Report<Move> {
    let verdict = Verdict::Stopped { reason, at_least: 0 };
    let counts = Counts { generated: 0, expanded: 0, distinct: Some(0), stored: 0 };
    Report { verdict, counts, elapsed: Duration::ZERO }
}

impl Row<'_> {
    /// How much longer than a shortest solution the one of a method is.
    pub fn excess(&self, method: usize) -> Option<u32> {
        Some(self.reports[method].solution()?.cost.saturating_sub(self.distance?))
    }
}

impl Totals {
    fn new(rows: &[Row], method: usize) -> Totals {
        let mut totals = Totals::default();
        let mut factors = Vec::new();
        for row in rows {
            let report = &row.reports[method];
            match report.verdict {
                Verdict::Solved(_) => totals.solved += 1,
                Verdict::Unsolvable => totals.unsolvable += 1,
                Verdict::Stopped { .. } => totals.stopped += 1,
            }
            totals.optimal += usize::from(row.excess(method) == Some(0));
            totals.generated += report.counts.generated;
            totals.expanded += report.counts.expanded;
            totals.elapsed += report.elapsed;
            factors.extend(report.branching_factor());
        }
        if !factors.is_empty() {
            totals.branching_factor = Some(factors.iter().sum::<f64>() / factors.len() as f64);
        }
        totals
    }
}
