//! Boards as people write them: one line or several, framed or not, with any of
//! the usual signs.
//!
//! The text is cut into [cells](grid), the [signs](signs) get their meaning, and
//! the [primary] is found. Where a text could mean two things it is an error that
//! asks which, never a guess.

mod grid;
mod primary;
mod signs;

use std::fmt;

use super::{Axis, Board, BoardError, Square, Vehicle, is_letter};
use grid::Grid;
#[cfg(feature = "export")]
pub(crate) use grid::{is_frame, is_grid, is_sign, signs_of};
use signs::Signs;

/// Reads boards, whatever their form.
///
/// Rows may be separated by line breaks, spaces, `/`, `,` or `;`, or follow one
/// another; cells may stand apart, too. A frame, quotes and brackets are no part
/// of a board. `.` `o` `-` `_` `0` `*` are empty cells, `x` `#` walls.
///
/// ```
/// use tailback::board::Reader;
///
/// let texts = [
///     "..B.AAB.........",
///     "__b_/aab_/____/____",
///     "┌─────────┐\n│ . . B . │\n│ A A B .  →\n│ . . . . │\n│ . . . . │\n└─────────┘",
/// ];
/// for text in texts {
///     let board = Reader::default().read(text)?;
///     assert_eq!(board.text().to_uppercase(), "..B.AAB.........");
/// }
///
/// // The red car of many sources is `X`, and `A` another one.
/// let board = Reader::default().read("AA...O P..Q.O PXXQ.O P..Q.. B...CC B.RRR.")?;
/// assert_eq!(board.primary().letter, 'X');
/// # Ok::<(), tailback::board::Unread>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reader {
    /// The letter of the primary. Otherwise it is the only candidate:
    ///
    /// 1. A car is *red* if its letter is `A`, `X` or `R`. Only cars of two cells
    ///    that lie in a row can be the primary.
    /// 2. Of the cars in the row of the exit (the upper one of the two in the
    ///    middle) it is the red one, if it is the only one there and no other red
    ///    car stands in the lower middle row.
    /// 3. If no car is red, it is the only car in the row of the exit.
    /// 4. If there is no car in that row, it is the only red one, or else, if nothing
    ///    lies in that row, the only car of all.
    ///
    /// Everything else is a question.
    pub primary: Option<char>,
}

/// A text that is no board, as far as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// What is wrong.
    pub error: BoardError,
    /// The rows that were found.
    pub rows: Vec<String>,
}

impl Reader {
    /// Reads a board whose primary has this letter.
    pub fn with_primary(letter: char) -> Reader {
        Reader { primary: Some(letter) }
    }

    /// Reads a board.
    pub fn read(&self, text: &str) -> Result<Board, Unread> {
        let grid = Grid::of(text)?;
        self.board(&grid).map_err(|error| Unread { error, rows: grid.rows() })
    }

    /// Is it a board, whichever car is to reach the exit?
    pub fn knows(&self, text: &str) -> bool {
        match self.read(text) {
            Ok(_) => true,
            Err(unread) => matches!(
                unread.error,
                BoardError::WallsOrVehicle { .. }
                    | BoardError::WhichPrimary { .. }
                    | BoardError::NoPrimary { .. }
                    | BoardError::VerticalPrimary { .. }
                    | BoardError::PrimaryLength { .. }
            ),
        }
    }

    fn board(&self, grid: &Grid) -> Result<Board, BoardError> {
        let size = grid.size;
        let named = self.primary.map(|letter| primary::checked(letter, grid)).transpose()?;
        let signs = Signs::of(grid, named)?;
        let mut vehicles = arrayvec::ArrayVec::<_, 64>::new();
        for (letter, cells) in signs.vehicles() {
            vehicles.push(vehicle(letter, cells, size)?);
        }
        let index = primary::find(&vehicles, size, named)?;
        Board::from_parts(size, signs.walls, vehicles, index)
    }
}

/// May it be the primary, and does it stand in the row of the exit?
pub(super) fn is_car_at_exit(vehicle: &Vehicle, size: usize) -> bool {
    primary::is_car(vehicle) && usize::from(vehicle.line) == primary::exit_row(size)
}

/// The message, without the rows.
impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Unread {}

/// The vehicle that covers these cells, which must be one straight run.
pub(super) fn vehicle(letter: char, cells: u64, size: usize) -> Result<Vehicle, BoardError> {
    let first = Square::new(cells.trailing_zeros() as usize);
    let last = Square::new(63 - cells.leading_zeros() as usize);
    let place = first.place(size);
    let len = cells.count_ones() as u8;
    if len == 1 {
        return Err(BoardError::OneCell { letter, place });
    }

    let (axis, line, start) = if first.row(size) == last.row(size) {
        (Axis::Horizontal, first.row(size), first.col(size))
    } else if first.col(size) == last.col(size) {
        (Axis::Vertical, first.col(size), first.row(size))
    } else {
        return Err(BoardError::Bent { letter, place });
    };
    let whole_line = Vehicle { letter, axis, line: line as u8, start: 0, len: size as u8 };
    if cells & !whole_line.cells(size) != 0 {
        return Err(BoardError::Bent { letter, place });
    }
    let vehicle = Vehicle { start: start as u8, len, ..whole_line };
    // With a gap the run from the first cell would end before the last one.
    if vehicle.square(vehicle.end() - 1, size) != last {
        return Err(BoardError::Split { letter, place });
    }
    Ok(vehicle)
}
