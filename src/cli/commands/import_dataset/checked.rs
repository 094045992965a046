//! A line of a dataset, and what is wrong with it.

use std::fmt;

use serde::{Serialize, Serializer};
use tailback::board::{Metric, Shape};
use tailback::dataset::Label;
use tailback::dataset::hh_evolver::Claimed;
use tailback::domains::rush_hour::Heuristic;
use tailback::probe::Source;

use super::other;
use crate::cli::shared::output;

/// A line that was checked.
#[derive(Serialize)]
pub struct Checked {
    pub line: usize,
    pub board: String,
    #[serde(flatten, serialize_with = "claim")]
    pub claimed: Claimed,
    pub found: Option<u32>,
    pub agrees: bool,
    pub fault: Option<Fault>,
    #[serde(flatten)]
    pub aside: Aside,
    pub wrong_values: Vec<WrongValue>,
    pub source: Source,
    pub repeated: bool,
    #[serde(skip)]
    pub shape: Shape,
}

/// What is wrong with h\*.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    WrongDistance,
    /// There is a distance, but the board is unsolvable.
    FalseAnswer,
    /// The board can be solved, but no distance is claimed.
    FalseNoAnswer,
}

/// What a look at the other metric found.
#[derive(Serialize, Default)]
pub struct Aside {
    /// Is a wrong distance the one in the other metric? None if nobody looked.
    pub is_other_metric: Option<bool>,
    /// Did that take a search, though the line itself took none?
    #[serde(skip)]
    pub was_searched: bool,
}

/// A value that is not what the heuristic says.
#[derive(Serialize)]
pub struct WrongValue {
    /// From 0.
    #[serde(skip)]
    pub column: usize,
    heuristic: String,
    claimed: Option<Number>,
    found: Number,
}

/// A number without decimals if it is whole.
#[derive(Clone, Copy)]
struct Number(f64);

impl Fault {
    pub fn of(claimed: Claimed, found: Option<u32>) -> Option<Fault> {
        match (claimed, found) {
            (Claimed::Distance(claimed), Some(found)) if claimed == f64::from(found) => None,
            (Claimed::Distance(_), Some(_)) => Some(Fault::WrongDistance),
            (Claimed::Distance(_), None) => Some(Fault::FalseAnswer),
            (Claimed::Unsolvable | Claimed::NoAnswer, Some(_)) => Some(Fault::FalseNoAnswer),
            (Claimed::Unsolvable | Claimed::NoAnswer, None) => None,
        }
    }
}

/// Our values have three decimals; those of others may have more.
const NEAR: f64 = 0.001;

impl WrongValue {
    pub fn of(
        column: usize,
        heuristic: &Heuristic,
        claimed: Option<f64>,
        label: Label,
    ) -> Option<WrongValue> {
        let found = label.as_f64();
        let is_right = match found.is_finite() {
            true => claimed.is_some_and(|claimed| (claimed - found).abs() < NEAR),
            false => claimed.is_none_or(|claimed| claimed == -1.0 || claimed == f64::INFINITY),
        };
        (!is_right).then(|| WrongValue {
            column,
            heuristic: heuristic.to_string(),
            claimed: claimed.map(Number),
            found: Number(found),
        })
    }

    fn in_words(&self) -> String {
        let claimed = self.claimed.map_or("nothing".to_owned(), |claimed| claimed.to_string());
        format!("{} {claimed} claimed, {} found", self.heuristic, self.found)
    }
}

impl Checked {
    /// By how much a wrong distance is too high.
    pub fn error(&self) -> Option<f64> {
        match (self.fault, self.claimed, self.found) {
            (Some(Fault::WrongDistance), Claimed::Distance(claimed), Some(found)) => {
                Some(claimed - f64::from(found))
            }
            _ => None,
        }
    }

    /// What people want to know; nothing if all is as claimed.
    pub fn in_words(&self, metric: Metric) -> Option<String> {
        if self.agrees {
            return None;
        }
        let distance = self.fault.map(|_| self.distance_in_words(metric));
        let values = self.wrong_values.iter().map(WrongValue::in_words);
        let said: Vec<String> = distance.into_iter().chain(values).collect();
        Some(format!("line {}: {}: {}", self.line, self.board, said.join("; ")))
    }

    fn distance_in_words(&self, metric: Metric) -> String {
        let claimed = match self.claimed {
            Claimed::Distance(1.0) => output::counted(1, metric),
            Claimed::Distance(distance) => format!("{distance} {metric}"),
            Claimed::Unsolvable => "unsolvable".to_owned(),
            Claimed::NoAnswer => "no answer".to_owned(),
        };
        match (self.claimed, self.found) {
            (_, None) => format!("{claimed} claimed, but it is unsolvable"),
            (Claimed::Distance(_), Some(found)) => match self.aside.is_other_metric {
                Some(true) => format!("{claimed} claimed, {found} found (it is right in {})", other(metric)),
                _ => format!("{claimed} claimed, {found} found"),
            },
            (_, Some(found)) => format!("{claimed} claimed, but it takes {}", output::counted(found, metric)),
        }
    }
}

/// What is claimed, and the distance if that is it.
fn claim<S: Serializer>(claimed: &Claimed, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Claim {
        claims: &'static str,
        claimed: Option<Number>,
    }
    let (claims, claimed) = match *claimed {
        Claimed::Distance(distance) => ("distance", Some(Number(distance))),
        Claimed::Unsolvable => ("unsolvable", None),
        Claimed::NoAnswer => ("no_answer", None),
    };
    Claim { claims, claimed }.serialize(serializer)
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole numbers up to here are exact.
        match self.0.fract() == 0.0 && self.0.abs() < 2f64.powi(53) {
            true => serializer.serialize_i64(self.0 as i64),
            false => serializer.serialize_f64(self.0),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == f64::INFINITY { f.pad("Infinity") } else { self.0.fmt(f) }
    }
}
