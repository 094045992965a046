//! What a formula is worth: always a cost, the lower the better.

mod arena;
mod sample;

pub use arena::{Arena, Outcome, Weighing};
pub use sample::{FalseDistance, Sample};

use crate::formula::Heuristic;
use crate::formula::columns::MissingColumn;
use crate::puzzles::PuzzleError;

/// What is asked of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// To be near the exact distance: the mean of the squared errors.
    LeastSquares,
    /// To keep the order of the distances: the share of pairs in the wrong one.
    Rank,
    /// The same within each family: the order that a search feels.
    RankWithin,
    /// To find short solutions with few nodes, as HH-Evolver weighs them.
    Search,
    /// To save nodes: the share that is left of those without a heuristic.
    Saved,
}

impl Aim {
    /// Is it a mean over boards?
    pub fn is_by_board(self) -> bool {
        !matches!(self, Aim::Rank | Aim::RankWithin)
    }

    /// Are boards searched for it?
    pub fn needs_search(self) -> bool {
        matches!(self, Aim::Search | Aim::Saved)
    }
}

/// Why a formula has no cost.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitnessError {
    /// It asks for a building block that the boards were not asked about.
    #[error(transparent)]
    Column(#[from] MissingColumn),
    /// A distance is not known.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
}

/// Judges formulas by some boards.
pub struct Judge {
    /// Boards with their exact distances.
    pub sample: Sample,
    /// The same boards, or others, to be searched; for the aims that need it.
    pub arena: Option<Arena>,
    /// For [`Aim::Search`].
    pub weighing: Weighing,
}

impl Judge {
    /// How many boards there are for an aim.
    pub fn boards(&self, aim: Aim) -> usize {
        match &self.arena {
            Some(arena) if aim.needs_search() => arena.len(),
            _ => self.sample.len(),
        }
    }

    /// What a formula costs on all boards.
    pub fn cost(&self, aim: Aim, heuristic: &Heuristic) -> Result<f64, FitnessError> {
        match aim {
            Aim::LeastSquares => Ok(self.sample.squared_error(heuristic)?),
            Aim::Rank => Ok(self.sample.disorder(heuristic)?),
            Aim::RankWithin => Ok(self.sample.disorder_within(heuristic)?),
            Aim::Search | Aim::Saved => {
                let boards: Vec<usize> = (0..self.boards(aim)).collect();
                let costs = self.costs(aim, heuristic, &boards)?;
                Ok(costs.iter().sum::<f64>() / costs.len() as f64)
            }
        }
    }

    /// What a formula costs on some boards, by their numbers.
    ///
    /// # Panics
    ///
    /// If the aim is no mean over boards.
    pub fn costs(&self, aim: Aim, heuristic: &Heuristic, boards: &[usize]) -> Result<Vec<f64>, FitnessError> {
        let arena = || self.arena.as_ref().expect("it was made for this aim");
        let searched = |cost: &dyn Fn(usize, Outcome) -> f64| {
            let cost = |&board: &usize| Ok(cost(board, arena().search(heuristic, board)?));
            boards.iter().map(cost).collect::<Result<Vec<f64>, FitnessError>>()
        };
        match aim {
            Aim::LeastSquares => Ok(self.sample.squared_errors(heuristic, boards)?),
            Aim::Rank | Aim::RankWithin => panic!("an order is no mean over boards"),
            Aim::Search => searched(&|_, outcome| arena().cost(outcome, self.weighing)),
            Aim::Saved => searched(&|board, outcome| arena().not_saved(board, outcome)),
        }
    }
}
