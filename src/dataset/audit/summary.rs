//! What became of all instances of a dataset.

use std::sync::atomic::Ordering;

use serde::Serialize;

use super::{Audit, Checked, Fault, other};
use crate::board::Metric;
use crate::dataset::Repeats;
use crate::formula::Heuristic;

/// Counts instances and what is wrong with them.
#[derive(Serialize, Default, Debug)]
pub struct Summary {
    /// What distances count.
    pub metric: Metric,
    /// All lines.
    pub lines: u64,
    /// Those that are right.
    pub agree: u64,
    /// Those that are not.
    pub differ: u64,
    /// Those without an answer.
    pub unchecked: u64,
    /// Those that are no instances.
    pub unreadable: u64,
    /// Those whose board was there before.
    pub repeated: u64,
    /// Unsolvable boards with a distance.
    pub false_answers: u64,
    /// Boards without a distance that can be solved.
    pub false_no_answers: u64,
    /// Distances that are others.
    pub wrong_distances: u64,
    /// Those that are too high.
    pub too_high: u64,
    /// Those that are too low.
    pub too_low: u64,
    /// Without its sign.
    pub mean_error: Option<f64>,
    /// The worst of them.
    pub largest_error: Option<LargestError>,
    /// Those that are right in the other metric.
    pub other_metric: OtherMetric,
    /// The columns after the distance.
    pub heuristics: Vec<Column>,
    #[serde(skip)]
    sum_of_errors: f64,
    #[serde(skip)]
    seen: Repeats,
}

/// The error of a wrong distance.
#[derive(Serialize, Debug)]
pub struct LargestError {
    /// Its line.
    pub line: usize,
    /// By how much it is too high.
    pub error: f64,
}

/// Wrong distances that are right in the other metric.
#[derive(Serialize, Default, Debug, Clone, Copy)]
pub struct OtherMetric {
    /// Which one.
    pub metric: Metric,
    /// Right there.
    pub exact: u64,
    /// Looked at.
    pub looked_at: u64,
}

/// A column of values.
#[derive(Serialize, Debug)]
pub struct Column {
    /// The text of the heuristic.
    pub name: String,
    /// A condition asks about the last move, which only a seed tells.
    pub checked: bool,
    /// Lines with another value.
    pub differ: u64,
}

impl Summary {
    /// Nothing is counted yet.
    pub fn new(audit: &Audit) -> Summary {
        let column = |heuristic: &Heuristic| Column {
            name: heuristic.to_string(),
            checked: audit.is_checked(heuristic),
            differ: 0,
        };
        Summary {
            metric: audit.metric(),
            other_metric: OtherMetric { metric: other(audit.metric()), ..OtherMetric::default() },
            heuristics: audit.schema.heuristics.iter().map(column).collect(),
            ..Summary::default()
        }
    }

    /// Counts an instance, and finds out whether its board was there before.
    pub fn add(&mut self, checked: &mut Checked, audit: &Audit) {
        self.lines += 1;
        checked.repeated = self.seen.is_repeat(checked.shape);
        self.repeated += u64::from(checked.repeated);
        *(if checked.agrees { &mut self.agree } else { &mut self.differ }) += 1;
        self.add_faults(checked);
        audit.searched_aside.fetch_add(checked.searched_aside.into(), Ordering::Relaxed);
    }

    /// Counts a line that was not checked, because it is no instance or because
    /// there is no answer.
    pub fn add_unchecked(&mut self, is_unreadable: bool) {
        self.lines += 1;
        *(if is_unreadable { &mut self.unreadable } else { &mut self.unchecked }) += 1;
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
                self.largest_error = Some(LargestError { line: checked.line, error });
            }
        }
        if let Some(is_exact) = checked.is_other_metric {
            self.other_metric.looked_at += 1;
            self.other_metric.exact += u64::from(is_exact);
        }
        for value in &checked.wrong_values {
            self.heuristics[value.column].differ += 1;
        }
    }
}
