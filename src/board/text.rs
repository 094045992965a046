//! The text form: N² characters, row by row from the top left.
//!
//! `.` or `o` is an empty cell, `x` a wall, any other letter a vehicle. White
//! space may stand between rows. N follows from the number of characters.

use std::fmt;
use std::str::FromStr;

use super::{Axis, Board, BoardError, MAX_SIZE, MIN_SIZE, Square, Vehicle, is_letter};

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
        if !is_letter(primary) {
            return Err(BoardError::BadPrimaryLetter { found: primary });
        }
        let (cells, size) = cells(text)?;

        let mut walls = 0;
        let mut covered = [0u64; 128];
        for (index, &cell) in cells.iter().enumerate() {
            let square = Square::new(index);
            match cell {
                '.' | 'o' => {}
                'x' => walls |= square.bit(),
                letter if is_letter(letter) => covered[letter as usize] |= square.bit(),
                found => {
                    let place = square.place(size);
                    return Err(BoardError::UnknownCharacter { found, place });
                }
            }
        }

        let letters = ('A'..='z').filter(|&letter| covered[letter as usize] != 0);
        let vehicles = letters
            .map(|letter| vehicle(letter, covered[letter as usize], size))
            .collect::<Result<Vec<Vehicle>, BoardError>>()?;
        let Some(index) = vehicles.iter().position(|v| v.letter == primary) else {
            return Err(BoardError::NoPrimary { primary, has_x: covered[usize::from(b'X')] != 0 });
        };
        Board::from_parts(size, walls, vehicles, index)
    }

    /// The text form on one line, with `.` for empty cells and the letters
    /// as they were read.
    pub fn text(&self) -> String {
        let mut cells = vec!['.'; self.size() * self.size()];
        for (index, cell) in cells.iter_mut().enumerate() {
            if self.walls & Square::new(index).bit() != 0 {
                *cell = 'x';
            }
        }
        for vehicle in &self.vehicles {
            for position in vehicle.start..vehicle.end() {
                cells[vehicle.square(position, self.size()).index()] = vehicle.letter;
            }
        }
        cells.into_iter().collect()
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

/// The characters that are not white space, and the size of the board.
fn cells(text: &str) -> Result<(Vec<char>, usize), BoardError> {
    let groups = || text.split(is_gap).filter(|group| !group.is_empty());
    let found: usize = groups().map(|group| group.chars().count()).sum();
    if found == 0 {
        return Err(BoardError::Empty);
    }
    let Some(size) = (MIN_SIZE..=MAX_SIZE).find(|size| size * size == found) else {
        let stray = groups().flat_map(str::chars).find(|&c| !is_cell(c));
        return Err(BoardError::WrongLength { found, stray });
    };

    let mut cells = Vec::with_capacity(found);
    for group in groups() {
        // A gap inside a row is a slip that would shift every later cell.
        if !cells.len().is_multiple_of(size) {
            return Err(BoardError::BrokenRow {
                size,
                row: cells.len() / size + 1,
                found: cells.len() % size,
            });
        }
        cells.extend(group.chars());
    }
    Ok((cells, size))
}

fn is_gap(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_cell(c: char) -> bool {
    matches!(c, '.' | 'o' | 'x') || is_letter(c)
}

/// The vehicle that covers these cells, which must be one straight run.
fn vehicle(letter: char, cells: u64, size: usize) -> Result<Vehicle, BoardError> {
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
