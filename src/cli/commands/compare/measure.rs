//! The number that a table shows of each search.

use clap::ValueEnum;
use indicatif::HumanCount;
use tailback::search::{Report, Verdict};

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Measure {
    /// Nodes generated
    Generated,
    /// Nodes expanded
    Expanded,
    /// Different states among the generated nodes
    Distinct,
    /// The most states stored at a time
    Stored,
    /// The length of the solution found
    Length,
    /// The effective branching factor
    Branching,
    /// The time
    Seconds,
}

/// What stands for a number that there is none of.
pub const NONE: &str = "-";

impl Measure {
    pub fn title(self) -> &'static str {
        match self {
            Measure::Generated => "nodes generated",
            Measure::Expanded => "nodes expanded",
            Measure::Distinct => "distinct states",
            Measure::Stored => "most states stored",
            Measure::Length => "length of the solution",
            Measure::Branching => "effective branching factor",
            Measure::Seconds => "seconds",
        }
    }

    /// The number, with `>` before it if the search would have gone on.
    pub fn of(self, report: &Report<()>) -> String {
        let counts = &report.counts;
        let has_begun = counts.generated > 0;
        let count = |count: u64| HumanCount(count).to_string();
        let number = match self {
            Measure::Generated => Some(count(counts.generated)),
            Measure::Expanded => Some(count(counts.expanded)),
            Measure::Distinct => counts.distinct.map(count),
            Measure::Stored => Some(count(counts.stored)),
            Measure::Length => report.solution().map(|solution| solution.cost.to_string()),
            Measure::Branching => report.branching_factor().map(|factor| format!("{factor:.3}")),
            Measure::Seconds => Some(format!("{:.6}", report.elapsed.as_secs_f64())),
        };
        match number.filter(|_| has_begun) {
            Some(number) if matches!(report.verdict, Verdict::Stopped { .. }) => format!(">{number}"),
            Some(number) => number,
            None => NONE.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tailback::search::{Counts, Solution, Stop};

    use super::*;

    fn report(verdict: Verdict<()>, generated: u64) -> Report<()> {
        let counts = Counts { generated, expanded: generated / 2, distinct: None, stored: 7 };
        Report { verdict, counts, elapsed: Duration::from_micros(1234) }
    }

    fn all(report: &Report<()>) -> Vec<String> {
        Measure::value_variants().iter().map(|measure| measure.of(report)).collect()
    }

    #[test]
    fn numbers_for_people() {
        let solution = Solution { actions: vec![(); 3], cost: 3, proven_optimal: true };
        let solved = report(Verdict::Solved(solution), 12_345);
        assert_eq!(all(&solved), ["12,345", "6,172", "-", "7", "3", "22.768", "0.001234"]);
        let stopped = report(Verdict::Stopped { reason: Stop::Nodes, at_least: 4 }, 1_000);
        assert_eq!(all(&stopped), [">1,000", ">500", "-", ">7", "-", "-", ">0.001234"]);
        let not_begun = report(Verdict::Stopped { reason: Stop::Interrupted, at_least: 0 }, 0);
        assert_eq!(all(&not_begun), ["-"; 7]);
        let unsolvable = report(Verdict::Unsolvable, 40);
        assert_eq!(all(&unsolvable), ["40", "20", "-", "7", "-", "-", "0.001234"]);
    }
}
