//! The number that a table shows of each search.

use clap::ValueEnum;
use indicatif::HumanCount;
use tailback::search::{Report, Spread};

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
    const COUNT: usize = Measure::Seconds as usize + 1;

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

    /// Its name, as a word.
    pub fn name(self) -> String {
        self.to_possible_value().expect("none is hidden").get_name().to_owned()
    }

    /// The number, if there is one.
    pub fn value(self, report: &Report<()>) -> Option<f64> {
        let counts = &report.counts;
        let number = match self {
            Measure::Generated => Some(counts.generated as f64),
            Measure::Expanded => Some(counts.expanded as f64),
            Measure::Distinct => counts.distinct.map(|distinct| distinct as f64),
            Measure::Stored => Some(counts.stored as f64),
            Measure::Length => report.solution().map(|solution| f64::from(solution.cost)),
            Measure::Branching => report.branching_factor(),
            Measure::Seconds => Some(report.elapsed.as_secs_f64()),
        };
        number.filter(|_| counts.generated > 0)
    }

    /// A number as people read it.
    fn written(self, number: f64) -> String {
        match self {
            Measure::Branching => format!("{number:.3}"),
            Measure::Seconds => format!("{number:.6}"),
            _ => HumanCount(number.round() as u64).to_string(),
        }
    }

    /// The number, with `>` before it if the search would have gone on.
    pub fn of(self, report: &Report<()>) -> String {
        match self.value(report) {
            Some(number) if is_stopped(report) => format!(">{}", self.written(number)),
            Some(number) => self.written(number),
            None => NONE.to_owned(),
        }
    }
}

pub fn is_stopped(report: &Report<()>) -> bool {
    report.stopped().is_some()
}

/// The means of all measures over some searches.
#[derive(Clone, Default)]
pub struct Means {
    /// The sum of each measure, and how many searches have it.
    sums: [(f64, usize); Measure::COUNT],
    /// The sums of the shortest and of the longest times.
    ends: (f64, f64),
    /// Searches, and those that were stopped.
    searches: usize,
    pub stopped: usize,
}

impl Means {
    pub fn add(&mut self, report: &Report<()>, spread: Spread) {
        self.searches += 1;
        self.stopped += usize::from(is_stopped(report));
        self.ends.0 += spread.least.as_secs_f64();
        self.ends.1 += spread.most.as_secs_f64();
        for (measure, sum) in Measure::value_variants().iter().zip(&mut self.sums) {
            if let Some(value) = measure.value(report) {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }

    pub fn of(&self, measure: Measure) -> Option<f64> {
        let (sum, count) = self.sums[measure as usize];
        (count > 0).then(|| sum / count as f64)
    }

    /// The means of the shortest and of the longest times.
    pub fn spread(&self) -> (f64, f64) {
        let searches = self.searches.max(1) as f64;
        (self.ends.0 / searches, self.ends.1 / searches)
    }

    /// As people read it. If searches were stopped, `>` says that the true mean is
    /// higher, and `*` that it is one of solved puzzles alone.
    pub fn written(&self, measure: Measure) -> String {
        let Some(mean) = self.of(measure) else { return NONE.to_owned() };
        let number = match measure {
            Measure::Length => format!("{mean:.1}"),
            _ => measure.written(mean),
        };
        match measure {
            _ if self.stopped == 0 => number,
            Measure::Length | Measure::Branching => format!("{number}*"),
            _ => format!(">{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tailback::search::{SearchCounts, Solution, Stop, Verdict};

    use super::*;

    fn report(verdict: Verdict<()>, generated: u64) -> Report<()> {
        let counts = SearchCounts { generated, expanded: generated / 2, distinct: None, stored: 7 };
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
        assert_eq!(Measure::value_variants().len(), Measure::COUNT);
    }

    #[test]
    fn means_say_when_searches_were_stopped() {
        let solved = |cost| {
            report(
                Verdict::Solved(Solution { actions: vec![(); cost as usize], cost, proven_optimal: true }),
                100,
            )
        };
        let written = |means: &Means| {
            [Measure::Generated, Measure::Length, Measure::Distinct].map(|measure| means.written(measure))
        };
        let mut means = Means::default();
        assert_eq!(written(&means), ["-", "-", "-"]);
        means.add(&solved(3), Spread::default());
        means.add(&solved(4), Spread::default());
        assert_eq!(written(&means), ["100", "3.5", "-"]);
        means.add(&report(Verdict::Stopped { reason: Stop::Nodes, at_least: 4 }, 1_000), Spread::default());
        assert_eq!(written(&means), [">400", "3.5*", "-"]);
    }
}
