//! A search with an algorithm by name: what was asked for, and what it found.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use indicatif::HumanCount;
use tailback::board::{Board, Metric, Move};
use tailback::cluster::Bounds;
use tailback::domains::rush_hour::{Estimator, Traffic};
use tailback::probe::{ProbeError, Prober};
use tailback::puzzles::{Method, PUZZLES, Puzzle};
use tailback::search::{Algorithm, Limits, Report, Rules, SearchCounts, Solution, Stop, Verdict};

use crate::shared::{Failure, Result, heuristics, output};

/// Options that name a search.
#[derive(Args)]
#[group(id = "search", multiple = true)]
pub struct SearchArgs {
    /// Search with this algorithm; with --heuristic alone: astar
    #[arg(long, value_name = "ALG")]
    algorithm: Option<Algorithm>,
    /// What guides the search [default: blocking in moves, distance-blockers in steps; manhattan for eight]
    #[arg(long, value_name = "H", value_parser = NonEmptyStringValueParser::new())]
    heuristic: Option<String>,
}

/// The end of the help: what the options of a search may name.
pub fn names() -> String {
    let algorithms: String =
        Algorithm::NAMES.iter().map(|(name, meaning)| format!("  {name:<8} {meaning}\n")).collect();
    let heuristics = PUZZLES.iter().map(|puzzle| {
        let names: Vec<&str> = puzzle.vocabulary().names().collect();
        let examples = puzzle.vocabulary().examples;
        format!("\n\nHeuristics for {}, also combined as {examples}:\n  {}", puzzle.name(), names.join(", "))
    });
    format!("Algorithms:\n{}{}", algorithms.trim_end(), heuristics.collect::<String>())
}

impl SearchArgs {
    /// The search that is asked for, if there is one.
    pub fn plan(&self, puzzle: &dyn Puzzle, metric: Metric) -> Result<Option<SearchPlan>, Failure> {
        let algorithm = match (self.algorithm, &self.heuristic) {
            (None, None) => return Ok(None),
            (Some(algorithm), Some(_)) if !algorithm.is_guided() => {
                return Err(Failure::misused(
                    "bfs, dfs and iddfs use no heuristic: leave --heuristic out, or name another algorithm",
                ));
            }
            (algorithm, _) => algorithm.unwrap_or(Algorithm::A_STAR),
        };
        let heuristic = self.heuristic.as_deref().unwrap_or(puzzle.usual(metric).search);
        let heuristic = algorithm.is_guided().then(|| heuristics::one(puzzle, heuristic)).transpose()?;
        Ok(Some(SearchPlan { method: Method { algorithm, heuristic }, metric }))
    }
}

/// How to search.
pub struct SearchPlan {
    pub method: Method,
    pub metric: Metric,
}

impl SearchPlan {
    pub fn search(
        &self,
        board: &Board,
        prober: &Prober,
        bounds: Bounds,
        limits: &Limits,
    ) -> Result<Report<Move>, ProbeError> {
        let traffic = Traffic::new(board, self.metric);
        let guide = |heuristic| Estimator::new(heuristic, &traffic, prober, bounds);
        self.method.run(Rules::default(), &traffic, traffic.start(), guide, limits)
    }

    /// The answer and the counts in words.
    pub fn in_words<A>(&self, report: &Report<A>) -> String {
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
                    Stop::States => "Stopped at the states that can be numbered",
                    Stop::Interrupted => "Interrupted",
                };
                match at_least {
                    0 => format!("{stopped}."),
                    _ => format!("{stopped}: at least {}.", counted(*at_least)),
                }
            }
        };
        format!("{sentence}\n\n{}", counts(report))
    }

    fn name(&self) -> String {
        let Method { algorithm, heuristic } = &self.method;
        match heuristic {
            Some(heuristic) => format!("{algorithm} with {heuristic}"),
            None => algorithm.to_string(),
        }
    }
}

fn counts<A>(report: &Report<A>) -> String {
    let SearchCounts { generated, expanded, distinct, stored } = report.counts;
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
