//! Searches of boards, one by one or compared with each other.
//!
//! ```
//! use tailback::board::Metric;
//! use tailback::cluster::Bounds;
//! use tailback::probe::Prober;
//! use tailback::domains::rush_hour::{BoardNotation, Method, PuzzleSet, Searcher, heuristic};
//! use tailback::search::{Algorithm, Comparison, Limits, MethodTotals};
//!
//! let text = "a ..B.AAB.........\nb ..B.AAB...CC....\n";
//! let set = PuzzleSet::parse("two", text, BoardNotation::default())?;
//! let algorithms = [Algorithm::BreadthFirst, Algorithm::A_STAR];
//! let methods = Method::all(&algorithms, &[heuristic("zero")?, heuristic("perfect")?]);
//! let contest = Searcher::new(Metric::Moves, Prober::without_tables(), Bounds::default());
//! let limits = Limits::default();
//! let comparison = Comparison { contest: &contest, methods: &methods, limits: &limits, repeats: 1 };
//! let results = comparison.results(set.iter(), &()).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!((results[1].distance, results[1].reports.len()), (Some(3), 3));
//!
//! let mut totals = MethodTotals::default();
//! results.iter().for_each(|compared| totals.add(compared, 2));
//! assert_eq!((totals.solved, totals.optimal), (2, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{Estimator, Exit, Leaving, Traffic};
use crate::board::{Board, Metric, Move};
use crate::cluster::{Bounds, ClusterError};
use crate::formula::Heuristic;
use crate::probe::{ProbeError, Prober};
use crate::search::{self, Contest, Limits, Report, Rules, Stop};

/// A way to search boards.
pub type Method = search::Method<Heuristic>;

/// Searches boards.
#[derive(Debug, Clone)]
pub struct Searcher<'a> {
    /// What counts 1.
    pub metric: Metric,
    /// Knows the distances, for `perfect` and for solutions that are not
    /// proven to be shortest.
    pub prober: Prober,
    /// How far the searches for these may go.
    pub bounds: Bounds<'a>,
    /// How searches go on and count.
    pub rules: Rules,
    /// Where a board is solved.
    pub exit: Exit,
}

impl<'a> Searcher<'a> {
    /// Searches by the usual rules.
    pub fn new(metric: Metric, prober: Prober, bounds: Bounds<'a>) -> Searcher<'a> {
        Searcher { metric, prober, bounds, rules: Rules::default(), exit: Exit::default() }
    }

    /// Searches a solution of a board. `perfect` takes its distances from the
    /// prober; the time to explore a cluster for it is not part of the report.
    pub fn solve(&self, board: &Board, method: &Method, limits: &Limits) -> Result<Report<Move>, ProbeError> {
        match self.exit {
            Exit::Edge => self.solve_in(&Traffic::new(board, self.metric), method, limits),
            Exit::Outside => {
                let leaving = Leaving::new(board, self.metric);
                let guide =
                    |heuristic| Estimator::new(heuristic, leaving.traffic(), &self.prober, self.bounds);
                method.run(self.rules, &leaving, leaving.traffic().start(), guide, limits)
            }
        }
    }

    /// The same for a board that is searched by several methods, until its primary
    /// touches the edge: the patterns of their heuristics are solved once.
    pub fn solve_in(
        &self,
        traffic: &Traffic,
        method: &Method,
        limits: &Limits,
    ) -> Result<Report<Move>, ProbeError> {
        let guide = |heuristic| Estimator::new(heuristic, traffic, &self.prober, self.bounds);
        method.run(self.rules, traffic, traffic.start(), guide, limits)
    }
}

impl Contest for Searcher<'_> {
    type Puzzle = Board;
    type Heuristic = Heuristic;
    type Error = ProbeError;

    fn search(&self, board: &Board, method: &Method, limits: &Limits) -> Result<Report<()>, ProbeError> {
        match self.solve(board, method, limits) {
            Err(ProbeError::Cluster(ClusterError::Stopped)) => Ok(Report::not_begun(Stop::Interrupted)),
            // The cluster that `perfect` would need is too large.
            Err(ProbeError::Cluster(_)) => Ok(Report::not_begun(Stop::Memory)),
            report => report.map(Report::without_actions),
        }
    }

    fn distance(&self, board: &Board) -> Result<Option<Option<u32>>, ProbeError> {
        match self.prober.session().distance(board, self.metric, self.bounds) {
            Ok((distance, _)) => Ok(Some(distance.map(|distance| self.exit.distance(distance, self.metric)))),
            Err(ProbeError::Cluster(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
