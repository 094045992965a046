//! An instance, and what is wrong with it.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::board::{Distance, Shape};
use crate::dataset::Label;
use crate::dataset::hh_evolver::Claimed;
use crate::formula::Heuristic;
use crate::probe::Source;

/// An instance that was checked.
#[derive(Serialize, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The number of its line.
    pub line: usize,
    /// The text of the board.
    pub board: String,
    /// What is said of its distance.
    #[serde(flatten, serialize_with = "claim")]
    pub claimed: Claimed,
    /// Its distance.
    pub found: Distance,
    /// Is everything right?
    pub agrees: bool,
    /// What is wrong with the distance.
    pub fault: Option<Fault>,
    /// Is a wrong distance the one in the other metric? None if nobody looked.
    pub is_other_metric: Option<bool>,
    /// Did that take a search, though the line itself took none?
    #[serde(skip)]
    pub(super) searched_aside: bool,
    /// What is wrong with the other columns.
    pub wrong_values: Vec<WrongValue>,
    /// Where the distance comes from.
    pub source: Source,
    /// Was the board there before?
    pub repeated: bool,
    #[serde(skip)]
    pub(super) shape: Shape,
}

/// What is wrong with h\*.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The distance is another.
    WrongDistance,
    /// There is a distance, but the board is unsolvable.
    FalseAnswer,
    /// The board can be solved, but no distance is claimed.
    FalseNoAnswer,
}

/// A value that is not what the heuristic says.
#[derive(Serialize, Debug)]
#[non_exhaustive]
pub struct WrongValue {
    /// From 0.
    #[serde(skip)]
    pub(super) column: usize,
    /// The text of the heuristic.
    pub heuristic: String,
    /// What the column has, if it has anything.
    pub claimed: Option<Number>,
    /// What the heuristic says.
    pub found: Number,
}

/// A number that is written without decimals if it is whole.
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

impl Fault {
    pub(super) fn of(claimed: Claimed, found: Distance) -> Option<Fault> {
        match (claimed, found.known()) {
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
    pub(super) fn of(
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
}

impl Checked {
    /// By how much a wrong distance is too high.
    pub fn error(&self) -> Option<f64> {
        match (self.fault, self.claimed, self.found.known()) {
            (Some(Fault::WrongDistance), Claimed::Distance(claimed), Some(found)) => {
                Some(claimed - f64::from(found))
            }
            _ => None,
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
