//! A labelled board, and what is said of all boards of a dataset.

use arrayvec::ArrayVec;

use super::{Extra, Told};
use crate::board::{Board, Metric, Move};
use crate::formula::Heuristic;
use crate::search::Value;
use crate::space::Rank;

/// The columns of a dataset beside the board and its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schema {
    /// What the distances count, one column each.
    pub metrics: ArrayVec<Metric, 2>,
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

/// A board of a dataset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The board.
    pub board: Board,
    /// Its number among all boards of its size, if it has one.
    pub rank: Option<Rank>,
    /// The exact distance in each metric of the schema; `None` if unsolvable.
    pub distances: ArrayVec<Option<u32>, 2>,
    /// The move that is taken to have led to the board, if a column asks for
    /// it and the board has one.
    pub last_move: Option<Move>,
    /// By heuristic of the schema.
    pub labels: Vec<Label>,
    /// By extra of the schema.
    pub extras: Vec<Told>,
}

/// What a heuristic says of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// A guess at the distance.
    Guess(Value),
    /// Whether a condition holds.
    Condition(bool),
}

impl Row {
    /// The id, then the distances.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Option<u64>> {
        let distances = self.distances.iter().map(|distance| distance.map(u64::from));
        [self.rank.map(|rank| rank.0)].into_iter().chain(distances)
    }
}

impl Schema {
    /// Does a column depend on the move that led to the board?
    pub fn needs_last_move(&self) -> bool {
        self.heuristics.iter().any(Heuristic::needs_parent)
    }
}
