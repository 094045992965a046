//! Puzzles of lists, with what a list claims of them.
//!
//! The best-known public list has a line for each puzzle: the fewest moves, the
//! board, and the number of boards that can be reached from it. Others have
//! the first two columns, or boards alone.

use serde::Serialize;

use super::{ProbeError, Session, Source};
use crate::board::{Board, Distance, Metric};
use crate::cluster::{self, Bounds};

/// Numbers about a puzzle, as far as they are claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Numbers {
    /// The fewest moves to the exit.
    pub moves: Option<u32>,
    /// Boards in the cluster, solved ones included.
    pub cluster_boards: Option<u64>,
}

/// The true numbers of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundNumbers {
    /// The fewest moves to the exit.
    pub moves: Distance,
    /// Boards in the cluster, solved ones included; none if nobody counted them.
    pub cluster_boards: Option<u64>,
}

/// A puzzle and what is claimed of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The puzzle.
    pub board: Board,
    /// What is claimed.
    pub claimed: Numbers,
}

/// Why a line is no puzzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// What should be a number is none.
    #[error("{found:?} is no number of moves or boards")]
    NoNumber {
        /// What it is.
        found: String,
    },
    /// A number that no puzzle can have.
    #[error("{found} is too large a number for a puzzle")]
    TooLarge {
        /// The number.
        found: String,
    },
}

impl Claim {
    /// A puzzle and the numbers that stand beside it.
    ///
    /// ```
    /// use tailback::board::Board;
    /// use tailback::probe::Claim;
    ///
    /// let board = Board::parse("..B.AAB.........")?;
    /// let claim = Claim::new(board, Some("2"), Some("5"))?;
    /// assert_eq!((claim.claimed.moves, claim.claimed.cluster_boards), (Some(2), Some(5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(board: Board, moves: Option<&str>, cluster_boards: Option<&str>) -> Result<Claim, ClaimError> {
        let moves = moves.map(number).transpose()?;
        let claimed = Numbers { moves, cluster_boards: cluster_boards.map(number).transpose()? };
        Ok(Claim { board, claimed })
    }

    /// Is what was found what is claimed? None if nothing is claimed. A number
    /// that was not looked for is not at odds with the claim.
    pub fn agrees(&self, found: &FoundNumbers) -> Option<bool> {
        let agrees = self.wrong_moves(found).is_none() && self.wrong_cluster_boards(found).is_none();
        (self.claimed != Numbers::default()).then_some(agrees)
    }

    /// The number of moves that is claimed, if another was found, or none.
    pub fn wrong_moves(&self, found: &FoundNumbers) -> Option<u32> {
        self.claimed.moves.filter(|&claimed| found.moves != Distance::of(claimed))
    }

    /// The claimed and the true size of the cluster, if they differ.
    pub fn wrong_cluster_boards(&self, found: &FoundNumbers) -> Option<(u64, u64)> {
        let both = self.claimed.cluster_boards.zip(found.cluster_boards);
        both.filter(|(claimed, found)| claimed != found)
    }
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, ClaimError> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let wrong = || match is_number {
        true => ClaimError::TooLarge { found: word.to_owned() },
        false => ClaimError::NoNumber { found: word.to_owned() },
    };
    word.parse().map_err(|_| wrong())
}

impl Session {
    /// Finds the true numbers of a puzzle: always the moves, and the size of
    /// the cluster if it is claimed and `clusters` says so.
    pub fn check(
        &mut self,
        claim: &Claim,
        clusters: bool,
        bounds: Bounds,
    ) -> Result<(FoundNumbers, Source), ProbeError> {
        let (moves, source) = self.distance(&claim.board, Metric::Moves, bounds)?;
        let cluster_boards = match claim.claimed.cluster_boards {
            Some(_) if clusters => Some(cluster::size(&claim.board, bounds)?),
            _ => None,
        };
        Ok((FoundNumbers { moves, cluster_boards }, source))
    }
}
