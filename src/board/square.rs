//! One cell of a board.

use std::fmt;

/// A cell, counted row by row from the top left: `row * size + col`.
///
/// The same number is the cell's bit in every 64-bit cell set.
///
/// ```
/// use tailback::board::Square;
///
/// // . . . . . .
/// // . . . # . .     row 1, column 3 of a 6×6 board
/// let square = Square::at(1, 3, 6);
/// assert_eq!(square.index(), 9);
/// assert_eq!((square.row(6), square.col(6)), (1, 3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The cell with this index.
    ///
    /// # Panics
    /// If `index` is 64 or more: no board has such a cell.
    pub fn new(index: usize) -> Square {
        assert!(index < 64, "a board has at most 64 cells, not {index}");
        Square(index as u8)
    }

    /// The cell in this row and column (from 0) of a board of this size.
    pub fn at(row: usize, col: usize, size: usize) -> Square {
        Square::new(row * size + col)
    }

    /// Position in the board's text, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Row from the top, from 0.
    pub fn row(self, size: usize) -> usize {
        self.index() / size
    }

    /// Column from the left, from 0.
    pub fn col(self, size: usize) -> usize {
        self.index() % size
    }

    /// The set of cells that holds this cell only.
    pub fn bit(self) -> u64 {
        1 << self.0
    }

    /// The name of the cell: its column as a letter and its row as a number, such
    /// as `C3` for the third cell of the third row.
    ///
    /// ```
    /// use tailback::board::Square;
    ///
    /// assert_eq!(Square::at(2, 5, 6).name(6), "F3");
    /// ```
    pub fn name(self, size: usize) -> String {
        let col = u8::try_from(self.col(size)).expect("a board has few columns");
        format!("{}{}", char::from(b'A' + col), self.row(size) + 1)
    }

    /// The cell with this name on a board of this size, if it has one. Small
    /// letters will do.
    ///
    /// ```
    /// use tailback::board::Square;
    ///
    /// assert_eq!(Square::named("F3", 6), Some(Square::at(2, 5, 6)));
    /// assert_eq!(Square::named("g3", 6), None);
    /// assert_eq!(Square::named("A0", 6), None);
    /// ```
    pub fn named(name: &str, size: usize) -> Option<Square> {
        (0..size * size).map(Square::new).find(|square| square.name(size).eq_ignore_ascii_case(name))
    }

    /// The cell as people count it, for messages.
    pub fn place(self, size: usize) -> Place {
        Place { row: self.row(size) + 1, col: self.col(size) + 1 }
    }
}

/// Row and column as people count them, from 1. Prints as `row 2, column 4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// From the top.
    pub row: usize,
    /// From the left.
    pub col: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.col)
    }
}
