//! The exact solver for one board on the spot, without a table.
//!
//! It takes any board: 4×4 to 8×8, with walls, vehicles of any length and the
//! primary in any row. [`solve()`] finds a shortest solution, [`rate`] the worth
//! of each move, [`Cluster::explore`] the distance of every board of the cluster,
//! and [`size`] only their number. All answers are exact; no answer within the
//! limit is an error.
//!
//! ```
//! use tailback::board::{Board, Distance, Metric};
//! use tailback::cluster::{Cluster, DEFAULT_LIMIT};
//!
//! // Card 40 of the boxed game.
//! let board = Board::parse(
//!     "BCC.D.
//!      BEF.DG
//!      BEFAAG
//!      HHHI.G
//!      ..JIKK
//!      LLJMM.",
//! )?;
//! let cluster = Cluster::explore(&board, Metric::Moves, DEFAULT_LIMIT)?;
//! assert_eq!(cluster.len(), 4_780);
//! assert_eq!(cluster.distance(&board), Some(Distance::of(51)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The idea
//!
//! A move changes the placement of one line, and no line has more than 15
//! placements. So four bits a line make a board one 64-bit key, and the slides
//! of a line are one look-up: its placement and the cells that crossing lines
//! cover give the set of placements one slide away.
//!
//! A breadth-first search over keys meets most boards many times. Two slides
//! over lines X and Y often lead to the same board in either order, and one
//! order is enough. A board first reached over X therefore tries
//!
//! * lines before X in full,
//! * X itself only for places that the slide's parent could not reach at once,
//! * lines after X only where X's slide has opened the way.
//!
//! *No board is found too late.* Let board s be at depth d, and take any edge
//! into it: from p′ at depth d−1, over Y. If p′ leaves this edge out because
//! the parent p of p′ slides to s along X = Y at once, s would be at depth
//! d−1. If it leaves it out because Y comes after X, then Y's slide was
//! possible in p as well and keeps out of the way of X's. So p with Y's slide
//! played is at depth d−1 too, and X's slide leads from there to s: another
//! edge into s, over an *earlier* line. There are finitely many lines, so some
//! edge into s is not left out.
//!
//! The order of lines is free, and it matters: from all goals of the largest
//! 6×6 cluster the search meets 1.5 million neighbours with the primary's row
//! first, then the columns from the right, then the rows from below. With the
//! columns and rows the other way round it meets 2.2 million. A goal needs to
//! try the primary's row only, since other slides lead from goal to goal.
//!
//! To explore a cluster, a flood fill in bulk first finds its goals (`flood`):
//! 15,526 blocks stand for the 541,934 boards of the largest 6×6 cluster. A
//! flood fill board by board took half of the whole time.
//!
//! # Bounds
//!
//! Time is one look-up a line and board, and a hash look-up for each neighbour
//! that may be new. Memory is at most 60 bytes a board, and all searches of a
//! process share one [`Memory`]. With both cores of the
//! machine busy otherwise, the largest 6×6 cluster took 61 ms and the median
//! card of the boxed game 0.16 ms (best of 20 runs, release build).

#[cfg(feature = "catalogue")]
pub(crate) mod below;
mod bounds;
mod error;
mod explore;
pub(crate) mod family;
mod flood;
mod line;
mod relatives;
mod search;
mod set;
mod solve;

pub use bounds::{Bounds, Memory};
pub use error::ClusterError;
pub use explore::{Cluster, size};
pub use relatives::Relatives;
pub use solve::{Rated, Solution, rate, solve};

/// A limit that most machines can bear: 3 GB of memory at worst.
pub const DEFAULT_LIMIT: usize = 50_000_000;

/// At most this much memory for each board of the limit: the key in a queue
/// that doubles (16, and 8 while it is copied), a byte to say how it was
/// reached (2), and slots for it, of which at least 5 in 16 are taken (26, or
/// 39 while the slots are copied).
pub const BYTES_PER_BOARD: usize = 60;

/// Boards that the first hash table has room for: it fits the L1 cache, and
/// many searches never need more.
const FIRST_ROOM: usize = 2_500;
