//! A search with an algorithm by name: what was asked for, and what it found.

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::{Board, Metric, Move};
use tailback::probe::{ProbeError, Prober};
use tailback::search::{
    Algorithm, Blind, Counts, Estimator, Heuristic, Limits, Report, Solution, Stop, Traffic, Verdict, run,
};

use super::{exit, output};

/// Options that name a search.
#[derive(Args)]
#[group(id = "search", multiple = true)]
pub struct SearchArgs {
    /// Search with this algorithm; with --heuristic alone: astar
    #[arg(long, value_name = "ALG")]
    algorithm: Option<Algorithm>,
    /// What guides the search [default: blocking in moves, distance-blockers in steps]
    #[arg(long, value_name = "H")]
    heuristic: Option<Heuristic>,
}

/// The end of the help: what the options of a search may name.
pub fn names() -> String {
    let algorithms: String =
        Algorithm::NAMES.iter().map(|(name, meaning)| format!("  {name:<8} {meaning}\n")).collect();
    let heuristics: Vec<&str> = Heuristic::names().collect();
    format!(
        "Algorithms:\n{algorithms}\nHeuristics, also combined as max(blocking,advanced-admissible) or \
         blocking+0.5*distance:\n  {}",
        heuristics.join(", ")
    )
}

impl SearchArgs {
    /// The search that is asked for, if there is one.
    pub fn plan(&self, metric: Metric) -> Result<Option<Plan>, exit::Usage> {
        let algorithm = match (self.algorithm, &self.heuristic) {
            (None, None) => return Ok(None),
            (Some(algorithm), Some(_)) if !algorithm.is_guided() => {
                return Err(exit::Usage(
                    "bfs, dfs and iddfs use no heuristic: leave --heuristic out, or name another algorithm",
                ));
            }
            (algorithm, _) => algorithm.unwrap_or(Algorithm::A_STAR),
        };
        let heuristic =
            algorithm.is_guided().then(|| self.heuristic.clone().unwrap_or_else(|| usual(metric)));
        Ok(Some(Plan { algorithm, heuristic, metric }))
    }
}

/// The heuristic if none is named.
fn usual(metric: Metric) -> Heuristic {
    let name = match metric {
        Metric::Moves => "blocking",
        Metric::Steps => "distance-blockers",
    };
    name.parse().expect("both are heuristics")
}

/// How to search.
pub struct Plan {
    algorithm: Algorithm,
    /// None for algorithms without.
    heuristic: Option<Heuristic>,
    metric: Metric,
}

/// What a search found, for programs.
#[derive(Serialize)]
pub struct Summary {
    algorithm: String,
    heuristic: Option<String>,
    length: Option<usize>,
    generated: u64,
    expanded: u64,
    distinct: Option<u64>,
    stored: u64,
    branching_factor: Option<f64>,
    proven_optimal: bool,
    stopped: Option<Stop>,
    at_least: Option<u32>,
    seconds: f64,
}

impl Plan {
    pub fn search(
        &self,
        board: &Board,
        prober: &Prober,
        limits: &Limits,
    ) -> Result<Report<Move>, ProbeError> {
        let traffic = Traffic::new(board, self.metric);
        let start = traffic.start();
        match &self.heuristic {
            Some(heuristic) => {
                let mut guide = Estimator::new(heuristic, &traffic, prober)?;
                run(self.algorithm, &traffic, start, &mut guide, limits)
            }
            None => {
                let Ok(report) = run(self.algorithm, &traffic, start, &mut Blind, limits);
                Ok(report)
            }
        }
    }

    pub fn summary(&self, report: &Report<Move>) -> Summary {
        let Counts { generated, expanded, distinct, stored } = report.counts;
        let (stopped, at_least) = match report.verdict {
            Verdict::Stopped { reason, at_least } => (Some(reason), Some(at_least)),
            _ => (None, None),
        };
        Summary {
            algorithm: self.algorithm.to_string(),
            heuristic: self.heuristic.as_ref().map(Heuristic::to_string),
            length: report.solution().map(|solution| solution.actions.len()),
            generated,
            expanded,
            distinct,
            stored,
            branching_factor: report.branching_factor(),
            proven_optimal: report.solution().is_some_and(|solution| solution.proven_optimal),
            stopped,
            at_least,
            seconds: report.elapsed.as_secs_f64(),
        }
    }

    /// The answer and the counts in words.
    pub fn in_words(&self, report: &Report<Move>) -> String {
        let counted = |cost| output::counted(cost, self.metric);
        let sentence = match &report.verdict {
            Verdict::Solved(Solution { cost: 0, .. }) => format!("Solved already (by {}).", self.name()),
            Verdict::Solved(Solution { cost, proven_optimal, .. }) => {
                let proven = if *proven_optimal { "proven" } else { "not proven" };
                format!("Solved in {} by {}, {proven} optimal.", counted(*cost), self.name())
            }
            Verdict::Unsolvable => format!("Unsolvable (by {}).", self.name()),
            Verdict::Stopped { reason, at_least } => {
                let stopped = match reason {
                    Stop::Nodes => "Stopped at the limit of nodes",
                    Stop::Time => "Stopped at the limit of time",
                    Stop::Memory => "Stopped at the limit of memory",
                    Stop::Interrupted => "Interrupted",
                };
                format!("{stopped}: at least {}.", counted(*at_least))
            }
        };
        format!("{sentence}\n\n{}", counts(report))
    }

    fn name(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{} with {heuristic}", self.algorithm),
            None => self.algorithm.to_string(),
        }
    }
}

fn counts(report: &Report<Move>) -> String {
    let Counts { generated, expanded, distinct, stored } = report.counts;
    let human = |count: u64| Some(HumanCount(count).to_string());
    let rows = [
        ("generated", human(generated)),
        ("expanded", human(expanded)),
        ("distinct", distinct.and_then(human)),
        ("stored", human(stored)),
        ("branching factor", report.branching_factor().map(|factor| format!("{factor:.3}"))),
        ("seconds", Some(format!("{:.3}", report.elapsed.as_secs_f64()))),
    ];
    let row = |(name, value): (&str, Option<String>)| Some(format!("{name:>16} {:>12}\n", value?));
    rows.into_iter().filter_map(row).collect()
}
