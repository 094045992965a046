//! What a search tells when it ends.

use std::fmt;
use std::time::Duration;

use super::Domain;
use crate::board::Distance;

/// How a search ended, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<A> {
    /// The answer.
    pub verdict: Verdict<A>,
    /// What was counted on the way.
    pub counts: SearchCounts,
    /// From the start to the answer.
    pub elapsed: Duration,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<A> {
    /// There is a way.
    Solved(Solution<A>),
    /// There is none: everything was looked at, or a guide has proof.
    Unsolvable,
    /// The search was stopped before it knew.
    Stopped {
        /// Why.
        reason: Stop,
        /// No solution costs less than this.
        at_least: u32,
    },
}

/// A way to a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<A> {
    /// What to do, one after the other.
    pub actions: Vec<A>,
    /// What that costs.
    pub cost: u32,
    /// Does the search prove that there is no cheaper way?
    pub proven_optimal: bool,
}

impl<A> Solution<A> {
    /// The solution that goes through these states. A state that is a goal
    /// already is optimal whoever finds it.
    pub(super) fn along<D: Domain<Action = A>>(
        domain: &D,
        path: &[D::State],
        cost: u32,
        exact: bool,
    ) -> Self {
        let actions = path.windows(2).map(|pair| domain.action(&pair[0], &pair[1])).collect();
        // The highest cost stands for all that do not fit.
        let is_known = cost < u32::MAX;
        Solution { actions, cost, proven_optimal: exact && is_known || path.len() == 1 }
    }
}

/// Why a search was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// It generated as many nodes as it may.
    Nodes,
    /// It took as long as it may.
    Time,
    /// It would need more memory than it may.
    Memory,
    /// It has met more states than can be numbered: 2³² less one.
    States,
    /// Somebody asked it to.
    Interrupted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stop::Nodes => "nodes",
            Stop::Time => "time",
            Stop::Memory => "memory",
            Stop::States => "states",
            Stop::Interrupted => "interrupted",
        })
    }
}

/// What a search counts. The rules are the same for all algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct SearchCounts {
    /// 1 for the start, and all successors that expanded nodes produced,
    /// duplicates included.
    pub generated: u64,
    /// Nodes that were taken out and tested: the goal is the last of them. It
    /// produces no successors.
    pub expanded: u64,
    /// Different states among the generated nodes; `None` if nobody counted.
    pub distinct: Option<u64>,
    /// The most states that the algorithm kept at a time.
    pub stored: u64,
}

impl<A> Report<A> {
    /// Of a search that was stopped before it began.
    pub fn not_begun(reason: Stop) -> Report<A> {
        let verdict = Verdict::Stopped { reason, at_least: 0 };
        let counts = SearchCounts { distinct: Some(0), ..SearchCounts::default() };
        Report { verdict, counts, elapsed: Duration::ZERO }
    }

    /// The same, but of the actions only how many there are: they take no room.
    pub fn without_actions(self) -> Report<()> {
        self.with_actions(|_| ())
    }

    /// The same with actions told in another way.
    pub fn with_actions<B>(self, tell: impl FnMut(A) -> B) -> Report<B> {
        let verdict = match self.verdict {
            Verdict::Solved(Solution { actions, cost, proven_optimal }) => {
                let actions = actions.into_iter().map(tell).collect();
                Verdict::Solved(Solution { actions, cost, proven_optimal })
            }
            Verdict::Unsolvable => Verdict::Unsolvable,
            Verdict::Stopped { reason, at_least } => Verdict::Stopped { reason, at_least },
        };
        Report { verdict, counts: self.counts, elapsed: self.elapsed }
    }

    /// The solution, if one was found.
    pub fn solution(&self) -> Option<&Solution<A>> {
        match &self.verdict {
            Verdict::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// Why it was stopped, if it was, and what a solution costs at least.
    pub fn stopped(&self) -> Option<(Stop, u32)> {
        match self.verdict {
            Verdict::Stopped { reason, at_least } => Some((reason, at_least)),
            _ => None,
        }
    }

    /// Is there a way? None if the search does not know.
    pub fn solvable(&self) -> Option<bool> {
        self.stopped().is_none().then(|| self.solution().is_some())
    }

    /// What the cheapest way costs, if the search has proven it.
    pub fn distance(&self) -> Option<Distance> {
        match &self.verdict {
            Verdict::Solved(solution) => solution.proven_optimal.then(|| Distance::of(solution.cost)),
            Verdict::Unsolvable => Some(Distance::UNSOLVABLE),
            Verdict::Stopped { .. } => None,
        }
    }

    /// The effective branching factor: the branching of a uniform tree with
    /// as many nodes and the depth of the solution. `None` without a solution
    /// or with one of length 0.
    pub fn branching_factor(&self) -> Option<f64> {
        let depth = self.solution()?.actions.len();
        branching_factor(self.counts.generated, depth as u32)
    }
}

/// The b with 1 + b + … + b^depth = `nodes`; `None` if there is none.
///
/// ```
/// use tailback::search::branching_factor;
///
/// assert_eq!(branching_factor(15, 3).map(|b| (b * 1000.0).round()), Some(2000.0));
/// assert_eq!(branching_factor(4, 3).map(|b| (b * 1000.0).round()), Some(1000.0));
/// assert_eq!(branching_factor(1, 0), None);
/// ```
pub fn branching_factor(nodes: u64, depth: u32) -> Option<f64> {
    let nodes = nodes as f64;
    if depth == 0 || nodes < 2.0 {
        return None;
    }
    let tree = |b: f64| (0..depth).fold(1.0, |sum, _| sum * b + 1.0);
    // The sum grows with b; 1 + b ≤ the sum bounds it.
    let (mut low, mut high) = (0.0, nodes);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if tree(middle) < nodes { low = middle } else { high = middle }
    }
    Some((low + high) / 2.0)
}
