//! The board itself: what stands where.

use arrayvec::ArrayVec;

use super::{Axis, BoardError, MAX_SIZE, MAX_VEHICLES, MIN_SIZE, Square, Vehicle, is_letter, vehicle::span};

/// A board without its letters: equal for boards that differ in letters only,
/// and in 40 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    size: u8,
    primary: Square,
    walls: u64,
    horizontal: u64,
    vertical: u64,
    /// The first cell of each vehicle: tells two in a row from a longer one.
    firsts: u64,
}

/// A legal board: vehicles and walls that do not overlap, and a primary.
///
/// Cell sets have bit `row * size + col` for each cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub(super) size: u8,
    pub(super) primary: u8,
    pub(super) walls: u64,
    /// In the order of their letters.
    pub(super) vehicles: ArrayVec<Vehicle, MAX_VEHICLES>,
}

impl Board {
    /// A board from its parts, checked.
    ///
    /// `primary` is an index into `vehicles` as given here. The board keeps
    /// the vehicles in the order of their letters, so give the letters in
    /// rising order (see [`nth_letter`](super::nth_letter)) if the indices
    /// are to stay what they are.
    pub fn from_parts(
        size: usize,
        walls: u64,
        vehicles: impl IntoIterator<Item = Vehicle>,
        primary: usize,
    ) -> Result<Board, BoardError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(BoardError::BadSize { found: size });
        }
        let outside = walls & !all_cells(size);
        if outside != 0 {
            return Err(BoardError::WallOffBoard { size, index: outside.trailing_zeros() as usize });
        }

        let mut taken = walls;
        let mut list = ArrayVec::<Vehicle, MAX_VEHICLES>::new();
        for vehicle in vehicles {
            let letter = vehicle.letter;
            if !is_letter(letter) {
                return Err(BoardError::BadLetter { found: letter });
            }
            if list.iter().any(|other| other.letter == letter) {
                return Err(BoardError::SameLetter { letter });
            }
            let len = usize::from(vehicle.len);
            if !(2..=size).contains(&len) {
                return Err(BoardError::VehicleLength { letter, found: len, size });
            }
            if usize::from(vehicle.line) >= size || usize::from(vehicle.start) + len > size {
                return Err(BoardError::OffBoard { letter, size });
            }
            let cells = vehicle.cells(size);
            let shared = cells & taken;
            if shared != 0 {
                let place = Square::new(shared.trailing_zeros() as usize).place(size);
                return Err(BoardError::Overlap { letter, place });
            }
            taken |= cells;
            // Never full: at least two cells each, none shared, 64 cells.
            list.push(vehicle);
        }

        let Some(&red) = list.get(primary) else {
            return Err(BoardError::BadPrimaryIndex { index: primary, count: list.len() });
        };
        if red.axis == Axis::Vertical {
            return Err(BoardError::VerticalPrimary { primary: red.letter, col: usize::from(red.line) + 1 });
        }
        if red.len != 2 {
            return Err(BoardError::PrimaryLength { primary: red.letter, found: usize::from(red.len) });
        }

        list.sort_unstable_by_key(|vehicle| vehicle.letter);
        let primary = list
            .iter()
            .position(|vehicle| vehicle.letter == red.letter)
            .expect("the primary is one of the vehicles");
        Ok(Board { size: size as u8, primary: primary as u8, walls, vehicles: list })
    }

    /// Rows, and columns, on the board.
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The cells that are walls.
    pub fn walls(&self) -> u64 {
        self.walls
    }

    /// All vehicles, in the order of their letters.
    pub fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }

    /// The vehicle that has to reach the right edge.
    pub fn primary(&self) -> &Vehicle {
        &self.vehicles[self.primary_index()]
    }

    /// The primary's index in [`vehicles`](Board::vehicles).
    pub fn primary_index(&self) -> usize {
        usize::from(self.primary)
    }

    /// The index of the vehicle with this letter.
    pub fn find(&self, letter: char) -> Option<usize> {
        self.vehicles.binary_search_by_key(&letter, |vehicle| vehicle.letter).ok()
    }

    /// The cells that horizontal vehicles cover.
    pub fn horizontal(&self) -> u64 {
        self.covered(Axis::Horizontal)
    }

    /// The cells that vertical vehicles cover.
    pub fn vertical(&self) -> u64 {
        self.covered(Axis::Vertical)
    }

    /// The cells that are not empty: vehicles and walls.
    pub fn occupied(&self) -> u64 {
        self.horizontal() | self.vertical() | self.walls
    }

    /// *Board order*: boards compare by these two sets as integers. Walls count
    /// as horizontal cells.
    pub fn order(&self) -> (u64, u64) {
        (self.horizontal() | self.walls, self.vertical())
    }

    /// What stands where, whatever the letters.
    ///
    /// ```
    /// use tailback::board::Board;
    ///
    /// let board = Board::parse("BBCC AA.. .... ....")?;
    /// let other_letters = Board::parse("ZZBB AA.. .... ....")?;
    /// let one_truck = Board::parse("BBBB AA.. .... ....")?;
    /// assert_eq!(board.shape(), other_letters.shape());
    /// assert_ne!(board.shape(), one_truck.shape());
    /// # Ok::<(), tailback::board::BoardError>(())
    /// ```
    pub fn shape(&self) -> Shape {
        let first = |vehicle: &Vehicle| vehicle.square(vehicle.start, self.size());
        Shape {
            size: self.size,
            primary: first(self.primary()),
            walls: self.walls,
            horizontal: self.horizontal(),
            vertical: self.vertical(),
            firsts: self.vehicles.iter().fold(0, |cells, vehicle| cells | first(vehicle).bit()),
        }
    }

    /// Does the primary touch the right edge?
    pub fn is_solved(&self) -> bool {
        self.primary().end() == self.size
    }

    /// The board upside down: the top row becomes the bottom row. Letters
    /// and the exit side stay, so the distance is the same.
    ///
    /// ```
    /// use tailback::board::Board;
    ///
    /// let board = Board::parse("B... BAA. .... ..CC")?;
    /// assert_eq!(board.mirrored().to_string(), "..CC\n....\nBAA.\nB...");
    /// # Ok::<(), tailback::board::BoardError>(())
    /// ```
    pub fn mirrored(&self) -> Board {
        let mut board = self.clone();
        for vehicle in &mut board.vehicles {
            match vehicle.axis {
                Axis::Horizontal => vehicle.line = self.size - 1 - vehicle.line,
                Axis::Vertical => vehicle.start = self.size - vehicle.end(),
            }
        }
        let row = row_cells(self.size());
        board.walls = (0..self.size()).fold(0, |walls, r| {
            let cells = self.walls >> (r * self.size()) & row;
            walls | cells << ((self.size() - 1 - r) * self.size())
        });
        board
    }

    /// The board without one vehicle; `None` for the primary and for an
    /// index that no vehicle has.
    pub fn without_vehicle(&self, index: usize) -> Option<Board> {
        if index == self.primary_index() || index >= self.vehicles.len() {
            return None;
        }
        let mut board = self.clone();
        board.vehicles.remove(index);
        board.primary -= u8::from(index < self.primary_index());
        Some(board)
    }

    /// The board with an empty cell in place of a wall; `None` if there is
    /// no wall.
    pub fn without_wall(&self, square: Square) -> Option<Board> {
        (self.walls & square.bit() != 0).then(|| {
            let mut board = self.clone();
            board.walls &= !square.bit();
            board
        })
    }

    /// What covers a cell: a vehicle's letter, `x` for a wall, or nothing.
    pub fn at(&self, square: Square) -> Option<char> {
        if self.walls & square.bit() != 0 {
            return Some('x');
        }
        self.vehicles
            .iter()
            .find(|vehicle| vehicle.cells(self.size()) & square.bit() != 0)
            .map(|vehicle| vehicle.letter)
    }

    fn covered(&self, axis: Axis) -> u64 {
        let size = self.size();
        self.vehicles
            .iter()
            .filter(|vehicle| vehicle.axis == axis)
            .fold(0, |cells, v| cells | span(axis, v.line, v.start, v.end(), size))
    }
}

/// Every cell of a board of this size.
fn all_cells(size: usize) -> u64 {
    u64::MAX >> (64 - size * size)
}

/// The cells of the top row.
fn row_cells(size: usize) -> u64 {
    (1 << size) - 1
}
