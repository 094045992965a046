//! What became of all lines of a dataset.

use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::domains::rush_hour::Heuristic;

use super::checked::{Checked, Fault};
use super::other;
use crate::cli::shared::audit::{self, Unchecked, counts};
use crate::cli::shared::seen::Seen;

/// The first two lines.
#[derive(Serialize, Default)]
pub struct Head {
    pub name: String,
    pub description: String,
}

#[derive(Serialize, Default)]
pub struct Summary {
    #[serde(flatten)]
    head: Head,
    metric: Metric,
    lines: u64,
    agree: u64,
    differ: u64,
    unchecked: u64,
    unreadable: u64,
    repeated: u64,
    false_answers: u64,
    false_no_answers: u64,
    wrong_distances: u64,
    too_high: u64,
    too_low: u64,
    /// Without its sign.
    mean_error: Option<f64>,
    largest_error: Option<Error>,
    other_metric: OtherMetric,
    heuristics: Vec<Column>,
    pub seconds: f64,
    #[serde(skip)]
    sum_of_errors: f64,
    #[serde(skip)]
    seen: Seen,
}

/// The error of a wrong distance.
#[derive(Serialize)]
struct Error {
    line: usize,
    error: f64,
}

/// Wrong distances that are right in the other metric.
#[derive(Serialize, Default)]
struct OtherMetric {
    metric: Metric,
    exact: u64,
    looked_at: u64,
}

/// A column of values.
#[derive(Serialize)]
struct Column {
    name: String,
    /// A condition asks about the last move, which only a seed tells.
    checked: bool,
    differ: u64,
}

impl Summary {
    pub fn new(
        head: Head,
        metric: Metric,
        heuristics: &[Heuristic],
        is_checked: impl Fn(&Heuristic) -> bool,
    ) -> Summary {
        let column = |heuristic: &Heuristic| Column {
            name: heuristic.to_string(),
            checked: is_checked(heuristic),
            differ: 0,
        };
        Summary {
            head,
            metric,
            other_metric: OtherMetric { metric: other(metric), ..OtherMetric::default() },
            heuristics: heuristics.iter().map(column).collect(),
            ..Summary::default()
        }
    }

    /// Counts a line, and finds out whether its board was there before.
    pub fn add(&mut self, line: &mut Result<Checked, Unchecked>) {
        self.lines += 1;
        match line {
            Err(Unchecked { is_unreadable: true, .. }) => self.unreadable += 1,
            Err(_) => self.unchecked += 1,
            Ok(checked) => {
                checked.repeated = self.seen.is_repeat(checked.shape);
                self.repeated += u64::from(checked.repeated);
                *(if checked.agrees { &mut self.agree } else { &mut self.differ }) += 1;
                self.add_faults(checked);
            }
        }
    }

    fn add_faults(&mut self, checked: &Checked) {
        match checked.fault {
            None => {}
            Some(Fault::FalseAnswer) => self.false_answers += 1,
            Some(Fault::FalseNoAnswer) => self.false_no_answers += 1,
            Some(Fault::WrongDistance) => self.wrong_distances += 1,
        }
        if let Some(error) = checked.error() {
            *(if error > 0.0 { &mut self.too_high } else { &mut self.too_low }) += 1;
            self.sum_of_errors += error.abs();
            self.mean_error = Some(self.sum_of_errors / self.wrong_distances as f64);
            if self.largest_error.as_ref().is_none_or(|largest| error.abs() > largest.error.abs()) {
                self.largest_error = Some(Error { line: checked.line, error });
            }
        }
        if let Some(is_exact) = checked.aside.is_other_metric {
            self.other_metric.looked_at += 1;
            self.other_metric.exact += u64::from(is_exact);
        }
        for value in &checked.wrong_values {
            self.heuristics[value.column].differ += 1;
        }
    }

    pub fn in_words(&self) -> String {
        let parts = [
            (self.agree, "agrees", "agree"),
            (self.differ, "differs", "differ"),
            (self.unchecked, "has no answer", "have no answer"),
            (self.unreadable, "cannot be read", "cannot be read"),
        ];
        // A name is somebody else's text, and a terminal obeys some of it.
        let mut text: String = self.head.name.chars().filter(|c| !c.is_control()).collect();
        text += if text.is_empty() { "" } else { ": " };
        match self.lines {
            0 => text += "no instances",
            _ => text += &format!("{}: {}", counts([(self.lines, "line", "lines")]), counts(parts)),
        }
        if self.repeated > 0 {
            text += &format!("; {}", counts([(self.repeated, "repeats a board", "repeat a board")]));
        }
        text += &format!(" ({:.1} s).\n", self.seconds);
        text + &self.faults_in_words() + &self.other_metric_in_words() + &self.heuristics_in_words()
    }

    fn faults_in_words(&self) -> String {
        let mut text = String::new();
        if let (Some(mean), Some(largest)) = (self.mean_error, &self.largest_error) {
            text += &format!(
                "{}: {}; by {} on average, by {} at most (line {}).\n",
                counts([(self.wrong_distances, "distance is wrong", "distances are wrong")]),
                counts([(self.too_high, "too high", "too high"), (self.too_low, "too low", "too low")]),
                rounded(mean),
                rounded(largest.error.abs()),
                largest.line,
            );
        }
        let parts = [
            (
                self.false_no_answers,
                "board without a distance can be solved",
                "boards without a distance can be solved",
            ),
            (
                self.false_answers,
                "board with a distance cannot be solved",
                "boards with a distance cannot be solved",
            ),
        ];
        match counts(parts) {
            none if none.is_empty() => text,
            said => format!("{text}{said}.\n"),
        }
    }

    fn other_metric_in_words(&self) -> String {
        let OtherMetric { metric, exact, looked_at } = self.other_metric;
        if exact == 0 {
            return String::new();
        }
        let of = match looked_at == self.wrong_distances {
            true => format!("the {} wrong distances", HumanCount(looked_at)),
            false => format!("{} wrong distances that were looked at", HumanCount(looked_at)),
        };
        let hint = match 2 * exact > looked_at {
            true => format!(": was the file made in {metric}? Try --metric {metric}"),
            false => String::new(),
        };
        format!(
            "{} of {of} {} in {metric}{hint}.\n",
            HumanCount(exact),
            if exact == 1 { "is exact" } else { "are exact" }
        )
    }

    fn heuristics_in_words(&self) -> String {
        let mut text = String::new();
        let (checked, unchecked): (Vec<&Column>, Vec<&Column>) =
            self.heuristics.iter().partition(|column| column.checked);
        let wrong: Vec<String> = checked
            .iter()
            .filter(|column| column.differ > 0)
            .map(|column| format!("{} in {}", column.name, counts([(column.differ, "line", "lines")])))
            .collect();
        if !wrong.is_empty() {
            text += &format!("Wrong values: {}.\n", wrong.join(", "));
        } else if !checked.is_empty() && self.agree + self.differ > 0 {
            let heuristics = counts([(checked.len() as u64, "heuristic", "heuristics")]);
            text += &format!("All values of {heuristics} are right.\n");
        }
        if !unchecked.is_empty() {
            let names: Vec<&str> = unchecked.iter().map(|column| column.name.as_str()).collect();
            text += &format!(
                "Not checked, for the last move depends on the seed (--seed): {}.\n",
                names.join(", ")
            );
        }
        text
    }

    pub fn verdict(&self) -> anyhow::Result<()> {
        let parts = [
            (self.differ, "instance is not as claimed", "instances are not as claimed"),
            (self.unchecked, "instance could not be checked", "instances could not be checked"),
            (self.unreadable, "line cannot be read", "lines cannot be read"),
        ];
        audit::verdict(self.differ + self.unchecked, self.unreadable, counts(parts))
    }
}

/// To two decimals, without those that say nothing.
fn rounded(number: f64) -> f64 {
    (100.0 * number).round() / 100.0
}
