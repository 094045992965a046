//! The report of one search of the laboratory.

use crate::formula::Heuristic;
use crate::search::{Method, Report, SearchCounts, Stop};
use serde::Serialize;

/// How a search ended and what it took, for machines.
#[derive(Serialize)]
pub struct Searched {
    /// Its name.
    pub algorithm: String,
    /// What guided it.
    pub heuristic: Option<String>,
    /// Of the solution found.
    pub length: Option<u32>,
    /// What was counted.
    #[serde(flatten)]
    pub counts: SearchCounts,
    /// Of a regular tree with as many nodes.
    pub branching_factor: Option<f64>,
    /// Is no solution shorter?
    pub proven_optimal: bool,
    /// Why it was stopped.
    pub stopped: Option<Stop>,
    /// If it was stopped: no solution is shorter.
    pub at_least: Option<u32>,
    /// Its time.
    pub seconds: f64,
}

impl Searched {
    /// What a method found.
    pub fn new<A>(method: &Method<Heuristic>, report: &Report<A>) -> Searched {
        let solution = report.solution();
        let (stopped, at_least) = report.stopped().unzip();
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
