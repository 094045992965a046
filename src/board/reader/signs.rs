//! What the signs of a board mean: empty cells, walls, vehicles.
//!
//! `o` is an empty cell and `x` a wall, but a board in small letters may have a
//! vehicle `o` or a red car `x`. Those are then called `O` and `X`, so that the
//! board means the same when it is printed and read again.

use super::{Grid, Square, is_car_at_exit, is_letter, primary, vehicle};
use crate::board::{BoardError, Vehicle};

pub struct Signs {
    pub walls: u64,
    /// The cells of each letter.
    covered: [u64; 128],
}

impl Signs {
    /// `named` is the letter that the primary is said to have.
    pub fn of(grid: &Grid, named: Option<char>) -> Result<Signs, BoardError> {
        let size = grid.size;
        let mut covered = [0; 128];
        let (mut empty, mut walls) = (0, 0);
        for (index, &cell) in grid.cells.iter().enumerate() {
            let square = Square::new(index);
            match cell {
                '.' | '-' | '_' | '0' | '*' => empty |= square.bit(),
                '#' => walls |= square.bit(),
                _ if cell.is_ascii_alphabetic() => covered[cell as usize] |= square.bit(),
                found => return Err(BoardError::UnknownCharacter { found, place: square.place(size) }),
            }
        }
        let has_other_walls = walls != 0;
        let mut signs = Signs { walls, covered };
        let is_small = !('A'..='Z').any(|letter| signs.cells(letter) != 0);

        // Nobody writes empty cells in two ways within a board of small letters.
        if is_small && empty != 0 {
            signs.rename('o');
        }
        signs.covered[usize::from(b'o')] = 0;
        // With no other sign for empty cells a crooked `O` is one.
        let large = signs.cells('O');
        if large != 0 && empty == 0 && vehicle('O', large, size).is_err() {
            signs.covered[usize::from(b'O')] = 0;
        }

        let x = signs.cells('x');
        if x != 0 {
            let run = vehicle('x', x, size).ok();
            let car = run.filter(primary::is_car).filter(|_| named.is_none());
            let is_red = car.is_some_and(|car| signs.may_be_red(&car, is_small, size));
            let is_said = named == Some('x') || is_small && has_other_walls;
            let has_large = signs.cells('X') != 0;
            if (run.is_some() && is_said || is_red && is_small) && !has_large {
                signs.rename('x');
            } else if run.is_some() && (is_small || is_said) || is_red {
                let place = Square::new(x.trailing_zeros() as usize).place(size);
                return Err(BoardError::WallsOrVehicle { place });
            }
            signs.walls |= signs.cells('x');
            signs.covered[usize::from(b'x')] = 0;
        }
        Ok(signs)
    }

    /// The letters of vehicles and their cells.
    pub fn vehicles(&self) -> impl Iterator<Item = (char, u64)> {
        let letters = ('A'..='z').filter(|&letter| is_letter(letter));
        letters.map(|letter| (letter, self.cells(letter))).filter(|&(_, cells)| cells != 0)
    }

    fn cells(&self, letter: char) -> u64 {
        self.covered[letter as usize]
    }

    /// A small letter becomes a large one.
    fn rename(&mut self, letter: char) {
        let cells = std::mem::take(&mut self.covered[letter as usize]);
        self.covered[letter.to_ascii_uppercase() as usize] |= cells;
    }

    /// May a car `x` be the red one? Then no other has a better claim.
    fn may_be_red(&self, car: &Vehicle, is_small: bool, size: usize) -> bool {
        let mut others = self.cars(size);
        match is_car_at_exit(car, size) {
            true => !others.any(|other| is_car_at_exit(&other, size)),
            false => is_small && !others.any(|other| primary::is_red(other.letter)),
        }
    }

    /// The cars that could be the primary.
    fn cars(&self, size: usize) -> impl Iterator<Item = Vehicle> {
        let vehicles = self.vehicles().filter_map(move |(letter, cells)| vehicle(letter, cells, size).ok());
        vehicles.filter(primary::is_car)
    }
}
