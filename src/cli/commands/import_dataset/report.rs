//! The report of an audit, for people.

use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::dataset::hh_evolver::Claimed;
use tailback::dataset::{Checked, Column, OtherMetric, Summary, WrongValue};

use crate::shared::audit::{self, counts};
use crate::shared::{Result, output};

/// The first two lines of the file.
#[derive(Serialize)]
pub struct Head {
    pub name: String,
    pub description: String,
}

/// The summary of a dataset.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub head: Head,
    #[serde(flatten)]
    pub summary: Summary,
    pub seconds: f64,
}

/// What people want to know of a line; nothing if all is as claimed.
pub fn line(checked: &Checked, metric: Metric, other: Metric) -> Option<String> {
    if checked.agrees {
        return None;
    }
    let value = |value: &WrongValue| {
        let claimed = value.claimed.map_or("nothing".to_owned(), |claimed| claimed.to_string());
        format!("{} {claimed} claimed, {} found", value.heuristic, value.found)
    };
    let distance = checked.fault.map(|_| distance(checked, metric, other));
    let said: Vec<String> = distance.into_iter().chain(checked.wrong_values.iter().map(value)).collect();
    Some(format!("line {}: {}: {}", checked.line, checked.board, said.join("; ")))
}

fn distance(checked: &Checked, metric: Metric, other: Metric) -> String {
    let claimed = match checked.claimed {
        Claimed::Distance(1.0) => output::counted(1, metric),
        Claimed::Distance(distance) => format!("{distance} {metric}"),
        Claimed::Unsolvable => "unsolvable".to_owned(),
        Claimed::NoAnswer => "no answer".to_owned(),
    };
    match (checked.claimed, checked.found.known()) {
        (_, None) => format!("{claimed} claimed, but it is unsolvable"),
        (Claimed::Distance(_), Some(found)) => match checked.is_other_metric {
            Some(true) => format!("{claimed} claimed, {found} found (it is right in {other})"),
            _ => format!("{claimed} claimed, {found} found"),
        },
        (_, Some(found)) => format!("{claimed} claimed, but it takes {}", output::counted(found, metric)),
    }
}

/// What became of a dataset that is written as it should be.
pub fn fixed(summary: &Summary) -> String {
    let Summary { lines, unchecked, unreadable, .. } = *summary;
    if lines == unreadable {
        return "not written, for no line can be read".to_owned();
    }
    let mut text = "the dataset as it should be".to_owned();
    if unreadable > 0 {
        text += &format!(", without {} that cannot be read", counts([(unreadable, "line", "lines")]));
    }
    if unchecked > 0 {
        let lines = counts([(unchecked, "line that could", "lines that could")]);
        text += &format!(", but for {lines} not be checked and stayed as before");
    }
    text
}

impl Report {
    pub fn in_words(&self) -> String {
        let parts = [
            (self.summary.agree, "agrees", "agree"),
            (self.summary.differ, "differs", "differ"),
            (self.summary.unchecked, "has no answer", "have no answer"),
            (self.summary.unreadable, "cannot be read", "cannot be read"),
        ];
        // A name is somebody else's text, and a terminal obeys some of it.
        let mut text: String = self.head.name.chars().filter(|c| !c.is_control()).collect();
        text += if text.is_empty() { "" } else { ": " };
        text += &match self.summary.lines {
            0 => "no instances".to_owned(),
            lines => audit::overview(lines, parts, self.summary.repeated),
        };
        text += &format!(" ({:.1} s).\n", self.seconds);
        text + &self.faults_in_words() + &self.other_metric_in_words() + &self.heuristics_in_words()
    }

    fn faults_in_words(&self) -> String {
        let Summary { wrong_distances, too_high, too_low, .. } = self.summary;
        let mut text = String::new();
        if let (Some(mean), Some(largest)) = (self.summary.mean_error, &self.summary.largest_error) {
            text += &format!(
                "{}: {}; by {} on average, by {} at most (line {}).\n",
                counts([(wrong_distances, "distance is wrong", "distances are wrong")]),
                counts([(too_high, "too high", "too high"), (too_low, "too low", "too low")]),
                rounded(mean),
                rounded(largest.error.abs()),
                largest.line,
            );
        }
        let board = |what: &str| (format!("board {what} solved"), format!("boards {what} solved"));
        let (without, with) = (board("without a distance can be"), board("with a distance cannot be"));
        let parts = [
            (self.summary.false_no_answers, &*without.0, &*without.1),
            (self.summary.false_answers, &*with.0, &*with.1),
        ];
        match counts(parts) {
            none if none.is_empty() => text,
            said => format!("{text}{said}.\n"),
        }
    }

    fn other_metric_in_words(&self) -> String {
        let OtherMetric { metric, exact, looked_at } = self.summary.other_metric;
        if exact == 0 {
            return String::new();
        }
        let of = match looked_at == self.summary.wrong_distances {
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
            self.summary.heuristics.iter().partition(|column| column.checked);
        let wrong: Vec<String> = checked
            .iter()
            .filter(|column| column.differ > 0)
            .map(|column| format!("{} in {}", column.name, counts([(column.differ, "line", "lines")])))
            .collect();
        if !wrong.is_empty() {
            text += &format!("Wrong values: {}.\n", wrong.join(", "));
        } else if !checked.is_empty() && self.summary.agree + self.summary.differ > 0 {
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

    pub fn verdict(&self) -> Result<()> {
        let Summary { differ, unchecked, unreadable, .. } = self.summary;
        audit::verdict("instance", [differ, unchecked, unreadable])
    }
}

/// To two decimals, without those that say nothing.
fn rounded(number: f64) -> f64 {
    (100.0 * number).round() / 100.0
}
