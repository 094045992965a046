//! One vehicle: a straight run of cells that slides along its line.

use super::Square;

/// The direction a vehicle lies in, and so the direction it slides in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axis {
    /// Slides left and right.
    Horizontal,
    /// Slides up and down.
    Vertical,
}

/// A vehicle and where it stands.
///
/// ```
/// use tailback::board::{Axis, Vehicle};
///
/// // . . . .
/// // . . B .     column 2, rows 1 and 2
/// // . . B .
/// // . . . .
/// let b = Vehicle { letter: 'B', axis: Axis::Vertical, line: 2, start: 1, len: 2 };
/// assert_eq!(b.cells(4), 1 << 6 | 1 << 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Vehicle {
    /// The caller's own letter.
    pub letter: char,
    /// The direction it lies in.
    pub axis: Axis,
    /// The row of a horizontal vehicle, the column of a vertical one.
    pub line: u8,
    /// Its first cell within the line: leftmost or topmost.
    pub start: u8,
    /// How many cells it covers.
    pub len: u8,
}

impl Vehicle {
    /// The cell just past its last one, within the line.
    pub fn end(&self) -> u8 {
        self.start + self.len
    }

    /// The cell at this position of its line.
    pub fn square(&self, position: u8, size: usize) -> Square {
        let (line, position) = (usize::from(self.line), usize::from(position));
        match self.axis {
            Axis::Horizontal => Square::at(line, position, size),
            Axis::Vertical => Square::at(position, line, size),
        }
    }

    /// The cells it covers on a board of this size.
    pub fn cells(&self, size: usize) -> u64 {
        span(self.axis, self.line, self.start, self.end(), size)
    }
}

/// The cells `from..to` of a line.
pub(super) fn span(axis: Axis, line: u8, from: u8, to: u8, size: usize) -> u64 {
    (from..to).fold(0, |cells, position| {
        let (line, position) = (usize::from(line), usize::from(position));
        cells
            | match axis {
                Axis::Horizontal => Square::at(line, position, size).bit(),
                Axis::Vertical => Square::at(position, line, size).bit(),
            }
    })
}

/// The `index`th letter a program may give a vehicle: `A` to `Z`, then the
/// small letters without `o` and `x`, which mean *empty* and *wall*.
///
/// Fifty letters, more than the 32 vehicles that fit on the largest board.
///
/// # Panics
/// If `index` is 50 or more.
pub fn nth_letter(index: usize) -> char {
    const LETTERS: &[u8; 50] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz";
    char::from(LETTERS[index])
}

/// May this character name a vehicle?
pub fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphabetic() && letter != 'o' && letter != 'x'
}
