//! Columns that take more than a distance.

use std::fmt;

use crate::board::{Board, Metric};
use crate::cluster::{Bounds, Cluster};
use crate::probe::{ProbeError, Session};
use crate::random;

/// A column that is asked for by name. Moves are those of the first metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// One shortest solution.
    Solution,
    /// All moves that lead nearer to the exit.
    BestMoves,
    /// What all boards of a family have in common, and those of its mirror image.
    Family,
    /// What all boards of a cluster have in common.
    Cluster,
}

/// What such a column says of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExtraValue {
    /// There is none: the board cannot be solved.
    None,
    /// Moves as they are written.
    Moves(Vec<String>),
    /// 16 hexadecimal digits: the same for boards that belong together.
    Number(u64),
}

impl Extra {
    /// All of them.
    pub const ALL: [Extra; 4] = [Extra::Solution, Extra::BestMoves, Extra::Family, Extra::Cluster];

    /// The name of its column.
    pub fn name(self) -> &'static str {
        match self {
            Extra::Solution => "solution",
            Extra::BestMoves => "best_moves",
            Extra::Family => "family",
            Extra::Cluster => "cluster",
        }
    }

    pub(super) fn of(
        self,
        board: &Board,
        metric: Metric,
        session: &mut Session,
        bounds: Bounds,
    ) -> Result<ExtraValue, ProbeError> {
        let moves =
            |moves: Vec<_>| ExtraValue::Moves(moves.into_iter().map(|mv| board.notation(mv)).collect());
        Ok(match self {
            Extra::Solution => session.solve(board, metric, bounds)?.solution.map_or(ExtraValue::None, moves),
            Extra::BestMoves => {
                let rating = session.rate(board, metric, bounds)?;
                if !rating.distance.is_solvable() {
                    return Ok(ExtraValue::None);
                }
                let nearer = rating.moves.into_iter().filter(|&(_, after)| after < rating.distance);
                moves(nearer.map(|(mv, _)| mv).collect())
            }
            Extra::Family => ExtraValue::Number(board.family()),
            Extra::Cluster => {
                let cluster = Cluster::explore(board, metric, bounds)?;
                let (first, second) =
                    cluster.boards().map(|(board, _)| board.order()).min().unwrap_or_default();
                ExtraValue::Number(random::draw(random::draw(board.family(), first), second))
            }
        })
    }
}

/// As text forms write it: moves with spaces between, nothing if there is none.
impl fmt::Display for ExtraValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtraValue::None => Ok(()),
            ExtraValue::Moves(moves) => f.write_str(&moves.join(" ")),
            ExtraValue::Number(number) => write!(f, "{number:016x}"),
        }
    }
}
