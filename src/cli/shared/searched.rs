//! What is told of one search of the laboratory.

use serde::Serialize;
use tailback::domains::rush_hour::Method;
use tailback::search::{Counts, Report, Stop, Verdict};

/// How a search ended and what it took, for machines.
#[derive(Serialize)]
pub struct Searched {
    pub algorithm: String,
    pub heuristic: Option<String>,
    /// Of the solution found.
    pub length: Option<u32>,
    #[serde(flatten)]
    pub counts: Counts,
    pub branching_factor: Option<f64>,
    pub proven_optimal: bool,
    /// Why it was stopped.
    pub stopped: Option<Stop>,
    /// If it was stopped: no solution is shorter.
    pub at_least: Option<u32>,
    pub seconds: f64,
}

impl Searched {
    pub fn new<A>(method: &Method, report: &Report<A>) -> Searched {
        let solution = report.solution();
        let (stopped, at_least) = match report.verdict {
            Verdict::Stopped { reason, at_least } => (Some(reason), Some(at_least)),
            _ => (None, None),
        };
        Searched {
            algorithm: method.algorithm.to_string(),
            heuristic: method.heuristic.as_ref().map(ToString::to_string),
            length: solution.map(|solution| solution.cost),
            counts: report.counts,
            branching_factor: report.branching_factor(),
            proven_optimal: solution.is_some_and(|solution| solution.proven_optimal),
            stopped,
            at_least,
            seconds: report.elapsed.as_secs_f64(),
        }
    }
}
