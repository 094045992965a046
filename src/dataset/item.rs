//! A board on its way into a dataset.

use super::{PerMetric, Row};
use crate::board::{Board, Distance};
use crate::space::{Position, Rank, SpaceId};

/// A board that was chosen, in as little memory as may be.
#[derive(Debug, Clone)]
pub enum Item {
    /// A board of the tables.
    Drawn(Drawn),
    /// Any board.
    Given(Box<Given>),
    /// Anything else, with all that is said of it.
    Labelled(Box<Row>),
}

/// A board of the tables, and what they say of it.
#[derive(Debug, Clone, Copy)]
pub struct Drawn {
    /// Where it is from.
    pub space: SpaceId,
    /// Where its vehicles stand.
    pub position: Position,
    /// Its number.
    pub rank: Rank,
    /// By metric of the dataset.
    pub distances: [Distance; 2],
}

/// A board that somebody chose.
#[derive(Debug, Clone)]
pub struct Given {
    /// The board.
    pub board: Board,
    /// By metric of the dataset, if they are known.
    pub distances: Option<PerMetric<Distance>>,
    /// Its rank, if that is known.
    pub rank: Option<Rank>,
}

impl Given {
    /// A board of which nothing is known.
    pub fn new(board: Board) -> Given {
        Given { board, distances: None, rank: None }
    }
}

impl Drawn {
    /// Can it be solved?
    pub fn is_solvable(&self) -> bool {
        self.distances[0].is_solvable()
    }

    /// The distances in so many metrics.
    pub fn distances(&self, metrics: usize) -> PerMetric<Distance> {
        self.distances[..metrics].iter().copied().collect()
    }
}
