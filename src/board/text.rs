//! The text form: N² characters, row by row from the top left: `.` an empty cell,
//! `x` a wall, any other letter a vehicle. The [`Reader`] takes this and more.

use std::fmt;
use std::str::FromStr;

use super::reader::{self, vehicle};
use super::{Board, BoardError, Reader, Square, Vehicle};

impl Board {
    /// Reads a board whose primary is `A`.
    ///
    /// ```
    /// use tailback::board::{Board, BoardError};
    ///
    /// let board = Board::parse(
    ///     ".xB.
    ///      AAB.
    ///      ..CC
    ///      ....",
    /// )?;
    /// assert_eq!(board.text(), ".xB.AAB...CC....");
    ///
    /// let error = Board::parse("..B. AAB. .CC. B...").unwrap_err();
    /// assert!(matches!(error, BoardError::Bent { letter: 'B', .. }));
    /// # Ok::<(), BoardError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        Board::parse_with_primary(text, 'A')
    }

    /// Reads a board whose primary has another letter. `A` is then a vehicle
    /// like any other.
    pub fn parse_with_primary(text: &str, primary: char) -> Result<Board, BoardError> {
        Reader::with_primary(primary).read(text).map_err(|unread| unread.error)
    }

    /// The text form on one line, with `.` for empty cells and the letters
    /// as they were read. It reads back to the same board.
    pub fn text(&self) -> String {
        let wall = self.wall_sign();
        let mut cells = vec!['.'; self.size() * self.size()];
        for (index, cell) in cells.iter_mut().enumerate() {
            if self.walls & Square::new(index).bit() != 0 {
                *cell = wall;
            }
        }
        for vehicle in &self.vehicles {
            for position in vehicle.start..vehicle.end() {
                cells[vehicle.square(position, self.size()).index()] = vehicle.letter;
            }
        }
        cells.into_iter().collect()
    }

    /// `x`, or `#` where two walls side by side would look like a red car `x`, or
    /// like the one that is called so.
    fn wall_sign(&self) -> char {
        let size = self.size();
        let is_run = self.walls.count_ones() > 1 && vehicle('x', self.walls, size).is_ok();
        let is_large = |vehicle: &Vehicle| vehicle.letter.is_ascii_uppercase();
        let is_at_exit = |vehicle: &Vehicle| reader::is_car_at_exit(vehicle, size);
        let is_plain = self.vehicles.iter().any(is_large) && self.vehicles.iter().any(is_at_exit);
        match is_run && (!is_plain || self.primary().letter == 'X') {
            true => '#',
            false => 'x',
        }
    }

    /// The rows of the text form, from the top.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        // All cells are ASCII, so bytes are characters.
        let (text, size) = (self.text(), self.size());
        (0..size).map(move |row| text[row * size..(row + 1) * size].to_owned())
    }
}

/// Draws the board, one row a line, without a line break at the end.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            f.write_str(&row)?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        Board::parse(text)
    }
}
