//! Searches of instances that are compared.

use std::sync::Arc;

use super::{Instance, PuzzleError};
use crate::board::Distance;
use crate::formula::Heuristic;
use crate::probe::ProbeError;
use crate::search::{self, Contest, Limits, Report, Rules, Stop};

/// A way to search.
pub type Method = search::Method<Heuristic>;

/// Searches instances for a [`Comparison`](search::Comparison).
///
/// ```
/// use tailback::board::Distance;
/// use tailback::puzzles::{self, Bench, Method, PuzzleSet, Settings};
/// use tailback::search::{Algorithm, Comparison, Limits, MethodTotals};
///
/// let puzzle = puzzles::named("rush-hour")?;
/// let text = "a ..B.AAB.........\nb ..B.AAB...CC....\n";
/// let set = PuzzleSet::parse("two", text, &puzzle.open(Settings::default())?)?;
/// let heuristics = [puzzle.vocabulary().read("zero")?, puzzle.vocabulary().read("perfect")?];
/// let methods = Method::all(&[Algorithm::BreadthFirst, Algorithm::A_STAR], &heuristics);
/// let (contest, limits) = (Bench::default(), Limits::default());
/// let comparison = Comparison { contest: &contest, methods: &methods, limits: &limits, repeats: 1 };
/// let results = comparison.results(set.iter(), &()).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!((results[1].distance, results[1].reports.len()), (Some(Distance::of(3)), 3));
///
/// let mut totals = MethodTotals::default();
/// results.iter().for_each(|compared| totals.add(compared, 2));
/// assert_eq!((totals.solved, totals.optimal), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Bench {
    /// How searches go on and count.
    pub rules: Rules,
}

impl Contest for Bench {
    type Puzzle = Arc<dyn Instance>;
    type Heuristic = Heuristic;
    type Error = PuzzleError;

    fn search(
        &self,
        instance: &Arc<dyn Instance>,
        method: &Method,
        limits: &Limits,
    ) -> Result<Report<()>, PuzzleError> {
        match instance.prepared(&[], 0, &()).search(method, self.rules, limits) {
            // What `perfect` would need is too large.
            Err(PuzzleError::Probe(ProbeError::Cluster(_))) => Ok(Report::not_begun(Stop::Memory)),
            Err(PuzzleError::Stopped) => Ok(Report::not_begun(Stop::Interrupted)),
            report => report,
        }
    }

    fn distance(&self, instance: &Arc<dyn Instance>) -> Result<Option<Distance>, PuzzleError> {
        match instance.distance(&()) {
            Err(PuzzleError::Stopped) => Ok(None),
            distance => distance,
        }
    }
}
