//! Boards: cells, vehicles, the text form, moves, drawing.
//!
//! A board is N×N, 4 ≤ N ≤ 8. Cell *i*, counted row by row from the top left,
//! is bit *i* of a 64-bit set, so questions about cells are single machine
//! instructions. A [`Board`] is a plain value of a few hundred bytes without
//! heap memory: to clone it is to copy it.
//!
//! Vehicles are kept in the order of their letters. Letters never change, so
//! a vehicle's index is the same before and after a move, two boards are equal
//! exactly when their texts and primaries are, and the caller's own letters
//! come back in every answer.
//!
//! ```
//! use tailback::board::Board;
//!
//! let board = Board::parse(
//!     "..B...
//!      ..B.CC
//!      AAB..D
//!      .....D
//!      EE...D
//!      ......",
//! )?;
//! assert_eq!(board.size(), 6);
//! assert!(!board.is_solved());
//!
//! let down = board.parse_move("B+3")?;
//! let board = board.apply(down)?;
//! assert_eq!(
//!     board.to_string(),
//!     "......\n\
//!      ....CC\n\
//!      AA...D\n\
//!      ..B..D\n\
//!      EEB..D\n\
//!      ..B..."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod distance;
mod error;
mod family;
mod layout;
mod likeness;
mod metric;
mod moves;
mod reader;
mod square;
mod text;
mod vehicle;

pub use distance::{Distance, Histogram};
pub use error::{BoardError, MoveError};
pub use layout::{Board, Shape};
pub use likeness::Distinct;
pub use metric::{Metric, MetricError};
pub use moves::{IntoMoves, Move, MoveList};
pub use reader::{Reader, Unread};
#[cfg(feature = "export")]
pub(crate) use reader::{is_frame, is_grid, is_sign, signs_of};
pub use square::{Place, Square};
pub use vehicle::{Axis, Vehicle, is_letter, nth_letter};

/// The smallest board is 4×4.
pub const MIN_SIZE: usize = 4;
/// The largest board is 8×8: its cells fill a 64-bit set.
pub const MAX_SIZE: usize = 8;
/// No board holds more vehicles: 64 cells, at least 2 each.
pub const MAX_VEHICLES: usize = 32;
