//! A labelled instance, and what is said of all instances of a dataset.

use std::borrow::Cow;
use std::ops::Deref;

use arrayvec::ArrayVec;

use super::{Extra, ExtraValue};
use crate::board::{Board, Distance, Metric};
use crate::formula::Heuristic;
use crate::search::Value;
use crate::space::Rank;

/// One value for each metric of a dataset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PerMetric<T>(ArrayVec<T, 2>);

/// # Panics
/// If there are more than metrics.
impl<T> FromIterator<T> for PerMetric<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> PerMetric<T> {
        PerMetric(values.into_iter().collect())
    }
}

impl<T> Deref for PerMetric<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// The columns of a dataset beside the board and its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schema {
    /// What the distances count, one column each.
    pub metrics: PerMetric<Metric>,
    /// A column each, under the heuristic's text.
    pub heuristics: Vec<Heuristic>,
    /// A column each, after all others.
    pub extras: Vec<Extra>,
}

/// What a dataset says of itself as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// One line.
    pub name: String,
    /// One line.
    pub description: String,
    /// Facts for programs, such as the seed: a name and a text each.
    pub facts: Vec<(String, String)>,
}

/// What a row is about.
#[expect(clippy::large_enum_variant, reason = "most rows are of boards, and a box is an allocation for each")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A board of Rush Hour.
    Board(Board),
    /// An instance of another puzzle.
    Instance {
        /// As it is written.
        text: String,
        /// Instances of one group are much alike: a split leaves them together.
        group: u64,
    },
}

/// An instance of a dataset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The board, or the instance of another puzzle.
    pub subject: Subject,
    /// Its number among all boards of its size, if it has one.
    pub rank: Option<Rank>,
    /// The exact distance in each metric of the schema.
    pub distances: PerMetric<Distance>,
    /// The move that is taken to have led to it, as it is written, if a column asks
    /// for it and there is one.
    pub last_move: Option<String>,
    /// By heuristic of the schema.
    pub labels: Vec<Label>,
    /// By extra of the schema.
    pub extras: Vec<ExtraValue>,
}

/// What a heuristic says of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// A guess at the distance.
    Guess(Value),
    /// Whether a condition holds.
    Condition(bool),
}

impl Subject {
    /// As it is written.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Subject::Board(board) => board.text().into(),
            Subject::Instance { text, .. } => text.into(),
        }
    }

    /// The board, if it is one.
    pub fn board(&self) -> Option<&Board> {
        match self {
            Subject::Board(board) => Some(board),
            Subject::Instance { .. } => None,
        }
    }

    /// What instances that stay together in a split have in common: the family of a
    /// board.
    pub fn group(&self) -> u64 {
        match self {
            Subject::Board(board) => board.family(),
            Subject::Instance { group, .. } => *group,
        }
    }
}

impl Row {
    /// The id, then the distances.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Option<u64>> {
        let distances = self.distances.iter().map(|distance| distance.known().map(u64::from));
        [self.rank.map(|rank| rank.0)].into_iter().chain(distances)
    }
}

impl Schema {
    /// Does a column depend on the move that led to the board?
    pub fn needs_last_move(&self) -> bool {
        self.heuristics.iter().any(Heuristic::needs_parent)
    }
}
