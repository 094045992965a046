//! Where a board is solved.

use crate::board::{Distance, Metric};

/// Where a board is solved. It changes lengths in steps and counts of nodes, not
/// lengths in moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Exit {
    /// When the primary touches the right edge.
    #[default]
    Edge,
    /// One cell further, as in programs where it leaves the board: a board whose
    /// way is clear has one successor more.
    Outside,
}

impl Exit {
    /// As it is written among rules that are not the usual ones.
    pub const OUTSIDE: &'static str = "exit-outside";

    /// Cells from the edge to here.
    pub fn beyond_edge(self) -> u32 {
        u32::from(self == Exit::Outside)
    }

    /// The distance from a board that is so far from touching the edge: the last
    /// slide goes one cell further, and is one of its own if it was not needed.
    pub fn distance(self, to_edge: Distance, metric: Metric) -> Distance {
        Distance::from(to_edge.known().map(|to_edge| match metric {
            Metric::Moves => to_edge.max(self.beyond_edge()),
            Metric::Steps => to_edge + self.beyond_edge(),
        }))
    }
}
