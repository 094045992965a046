//! A board as heuristics look at it: what stands in a cell is one look-up.

use arrayvec::ArrayVec;

use super::Exit;
use crate::board::{Board, MAX_VEHICLES, Square, Vehicle};
use crate::cluster::family::{Family, Key, nibble};

/// What is in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A wall, or no cell at all: beyond the edge.
    Wall,
    /// The vehicle with this index.
    Vehicle(usize),
}

/// What is between the primary and the exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Front {
    /// Cells, taken or not.
    pub cells: u32,
    /// Vehicles.
    pub blockers: u32,
}

/// A board with a map of its cells.
///
/// ```
/// use tailback::board::Board;
/// use tailback::domains::rush_hour::{Cell, Scene};
///
/// let board = Board::parse(
///     "..B.
///      AAB.
///      ....
///      ...x",
/// )?;
/// let scene = Scene::of(&board);
/// let b = &scene.vehicles()[1];
/// assert_eq!(scene.ahead(scene.primary(), 2), Cell::Vehicle(1));
/// assert_eq!(scene.ahead(b, 3), Cell::Empty);
/// assert_eq!(scene.ahead(b, 4), Cell::Wall);
/// # Ok::<(), tailback::board::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    size: u8,
    primary: u8,
    walls: u64,
    exit: Exit,
    vehicles: ArrayVec<Vehicle, MAX_VEHICLES>,
    /// By cell: the index of a vehicle, or one of the two below.
    map: [u8; 64],
}

const EMPTY: u8 = 0xff;
const WALL: u8 = 0xfe;

impl Scene {
    /// The scene of a board.
    pub fn of(board: &Board) -> Scene {
        let mut map = [EMPTY; 64];
        let cells = board.size() * board.size();
        for cell in (0..cells).map(Square::new).filter(|cell| board.walls() & cell.bit() != 0) {
            map[cell.index()] = WALL;
        }
        let mut scene = Scene {
            size: board.size() as u8,
            primary: board.primary_index() as u8,
            walls: board.walls(),
            exit: Exit::Edge,
            vehicles: board.vehicles().iter().copied().collect(),
            map,
        };
        for index in 0..scene.vehicles.len() {
            scene.draw(index, index as u8);
        }
        scene
    }

    /// The same with another exit.
    #[must_use]
    pub fn with_exit(self, exit: Exit) -> Scene {
        Scene { exit, ..self }
    }

    /// The board of the scene.
    pub fn board(&self) -> Board {
        Board::from_parts(self.size(), self.walls, self.vehicles.iter().copied(), self.primary_index())
            .expect("it is the scene of a board")
    }

    /// Rows, and columns.
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The cells that are walls.
    pub fn walls(&self) -> u64 {
        self.walls
    }

    /// All vehicles, in the order of the board's.
    pub fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }

    /// The vehicle that has to reach the right edge.
    pub fn primary(&self) -> &Vehicle {
        &self.vehicles[self.primary_index()]
    }

    /// The primary's index in [`vehicles`](Scene::vehicles).
    pub fn primary_index(&self) -> usize {
        usize::from(self.primary)
    }

    /// Is the primary at the exit? On the board it never is if that is outside.
    pub fn is_solved(&self) -> bool {
        self.front().cells == 0
    }

    /// What is between the primary and the exit.
    pub fn front(&self) -> Front {
        Front {
            cells: self.size() as u32 - u32::from(self.primary().end()) + self.exit.beyond_edge(),
            blockers: self.blockers().count() as u32,
        }
    }

    /// The vehicles between the primary and the exit, nearest first, each with
    /// the first cell where it stands in the way.
    pub fn blockers(&self) -> impl Iterator<Item = (usize, Square)> + '_ {
        let primary = self.primary();
        let mut last = None;
        (primary.end()..self.size).filter_map(move |position| {
            let Cell::Vehicle(index) = self.ahead(primary, position) else { return None };
            // One in the same row covers more than one cell.
            let is_new = last.replace(index) != Some(index);
            is_new.then(|| (index, primary.square(position, self.size())))
        })
    }

    /// Can the vehicle move at all?
    pub fn can_move(&self, vehicle: &Vehicle) -> bool {
        let before = vehicle.start.checked_sub(1).map(|position| self.ahead(vehicle, position));
        before == Some(Cell::Empty) || self.ahead(vehicle, vehicle.end()) == Cell::Empty
    }

    /// What is in the cell at this position of a vehicle's line.
    #[inline]
    pub fn ahead(&self, vehicle: &Vehicle, position: u8) -> Cell {
        if position >= self.size {
            return Cell::Wall;
        }
        self.at(vehicle.square(position, self.size()))
    }

    /// What is in a cell.
    #[inline]
    pub fn at(&self, square: Square) -> Cell {
        match self.map[square.index()] {
            EMPTY => Cell::Empty,
            WALL => Cell::Wall,
            index => Cell::Vehicle(usize::from(index)),
        }
    }

    /// Changes the scene of one board of a family into that of another.
    pub(super) fn turn(&mut self, family: &Family, from: Key, to: Key) {
        let changed = || (0..family.lines.len()).filter(|&line| nibble(from ^ to, line) != 0);
        for line in changed() {
            family.lines[line].vehicles.iter().for_each(|&vehicle| self.lift(usize::from(vehicle)));
        }
        for number in changed() {
            let line = &family.lines[number];
            let starts = &line.shape.placements[nibble(to, number)].starts;
            for (&vehicle, &start) in line.vehicles.iter().zip(starts) {
                self.put(usize::from(vehicle), start);
            }
        }
    }

    /// Takes a vehicle off the map, to be put somewhere else.
    fn lift(&mut self, index: usize) {
        self.draw(index, EMPTY);
    }

    /// Puts a vehicle back. The cells must be empty.
    fn put(&mut self, index: usize, start: u8) {
        self.vehicles[index].start = start;
        self.draw(index, index as u8);
    }

    fn draw(&mut self, index: usize, mark: u8) {
        let vehicle = self.vehicles[index];
        for position in vehicle.start..vehicle.end() {
            self.map[vehicle.square(position, usize::from(self.size)).index()] = mark;
        }
    }
}
