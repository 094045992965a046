//! Puzzles of lists, with what a list claims of them.
//!
//! The best-known public list has a line for each puzzle: the fewest moves, the
//! board, and the number of boards that can be reached from it. Others have
//! the first two columns, or boards alone.

use serde::Serialize;

use super::{ProbeError, Session, Source};
use crate::board::{Board, BoardError, Metric};
use crate::cluster;

/// Numbers about a puzzle, as far as they are claimed or known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Numbers {
    /// The fewest moves to the exit.
    pub moves: Option<u32>,
    /// Boards in the cluster, solved ones included.
    pub cluster_size: Option<u64>,
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
    /// The board cannot be read.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A number that no puzzle can have.
    #[error("{found} is too large a number for a puzzle")]
    TooLarge {
        /// The number.
        found: String,
    },
    /// There is a number after the board only.
    #[error(
        "{found} after the board is a cluster size, but there are no moves before the board: \
         write MOVES BOARD CLUSTER_SIZE, MOVES BOARD, or BOARD alone"
    )]
    NoMoves {
        /// The number.
        found: String,
    },
}

impl Claim {
    /// Reads `MOVES BOARD CLUSTER_SIZE`, `MOVES BOARD` or `BOARD`. No cell of a
    /// board is a digit, so numbers are told from rows.
    ///
    /// ```
    /// use tailback::probe::Claim;
    ///
    /// let claim = Claim::parse("2 ..B.AAB......... 5", 'A')?;
    /// assert_eq!((claim.claimed.moves, claim.claimed.cluster_size), (Some(2), Some(5)));
    /// assert_eq!(claim.board.text(), "..B.AAB.........");
    /// # Ok::<(), tailback::probe::ClaimError>(())
    /// ```
    pub fn parse(text: &str, primary: char) -> Result<Claim, ClaimError> {
        let mut words: &[&str] = &text.split_whitespace().collect::<Vec<_>>();
        let mut claimed = Numbers::default();
        if let [first, rest @ ..] = words
            && is_number(first)
        {
            claimed.moves = Some(number(first)?);
            words = rest;
        }
        if let [rest @ .., last] = words
            && is_number(last)
        {
            if claimed.moves.is_none() {
                return Err(ClaimError::NoMoves { found: (*last).to_owned() });
            }
            claimed.cluster_size = Some(number(last)?);
            words = rest;
        }
        Ok(Claim { board: Board::parse_with_primary(&words.join(" "), primary)?, claimed })
    }

    /// Is what was found what is claimed? None if nothing is claimed. A number
    /// that was not looked for is not at odds with the claim.
    pub fn agrees(&self, found: &Numbers) -> Option<bool> {
        let agrees = self.wrong_moves(found).is_none() && self.wrong_cluster_size(found).is_none();
        (self.claimed != Numbers::default()).then_some(agrees)
    }

    /// The number of moves that is claimed, if another was found, or none.
    pub fn wrong_moves(&self, found: &Numbers) -> Option<u32> {
        self.claimed.moves.filter(|&claimed| found.moves != Some(claimed))
    }

    /// The claimed and the true size of the cluster, if they differ.
    pub fn wrong_cluster_size(&self, found: &Numbers) -> Option<(u64, u64)> {
        let both = self.claimed.cluster_size.zip(found.cluster_size);
        both.filter(|(claimed, found)| claimed != found)
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// Of digits that fit.
fn number<N: std::str::FromStr>(word: &str) -> Result<N, ClaimError> {
    word.parse().map_err(|_| ClaimError::TooLarge { found: word.to_owned() })
}

impl Session<'_> {
    /// Finds the true numbers of a puzzle: always the moves, and the size of
    /// the cluster if it is claimed and `clusters` says so.
    pub fn check(&mut self, claim: &Claim, clusters: bool) -> Result<(Numbers, Source), ProbeError> {
        let (moves, source) = self.distance(&claim.board, Metric::Moves)?;
        let cluster_size = match claim.claimed.cluster_size {
            Some(_) if clusters => Some(cluster::size(&claim.board, self.bounds())?),
            _ => None,
        };
        Ok((Numbers { moves, cluster_size }, source))
    }
}
