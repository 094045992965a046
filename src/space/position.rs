//! A board of the space as one placement per line, and the way from and to
//! [`Board`].

use arrayvec::ArrayVec;

use super::line::PlacementId;
use super::{MAX_SIZE, Space, SpaceId};
use crate::board::{Axis, Board, Vehicle, nth_letter};

/// A board of a space: the placement of every row and every column. It means nothing to
/// another space, which refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The space.
    pub(crate) space: SpaceId,
    /// Row placements from the top; unused rows of small boards are 0.
    pub(crate) rows: [PlacementId; MAX_SIZE],
    /// Column placements from the left.
    pub(crate) columns: [PlacementId; MAX_SIZE],
}

/// Where a board stands with respect to a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// It is one of the numbered boards, or the mirror image of one.
    Inside(Position),
    /// A vehicle or a wall stands right of the primary in its row: unsolvable by
    /// rule.
    Blocked,
}

/// Why a board is not in any table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Outside {
    /// Only 4×4, 5×5 and 6×6 boards are tabulated.
    #[error("boards of {0}×{0} cells are not tabulated")]
    Size(usize),
    /// The space has other walls.
    #[error("the board has other walls")]
    Walls,
    /// Tables hold cars and trucks.
    #[error("a vehicle is longer than three cells")]
    LongVehicle,
    /// The primary stands in another row than the table's.
    #[error("the primary is in row {}, the table has it in row {}", .found + 1, .expected + 1)]
    PrimaryRow {
        /// The board's row, from 0.
        found: usize,
        /// The table's row, from 0.
        expected: usize,
    },
}

impl Position {
    /// The space that it is of.
    pub fn space(&self) -> SpaceId {
        self.space
    }

    /// The same vehicles in a space of the same size that has none of its walls under them.
    pub(crate) fn in_space(self, space: SpaceId) -> Position {
        Position { space, ..self }
    }
}

impl Space {
    /// # Panics
    /// If a position is of another space: any answer about it would be wrong.
    #[inline]
    pub(super) fn must_have(&self, position: &Position) {
        assert_eq!(position.space, self.id, "a position belongs to one space");
    }

    /// Finds a board in the space.
    ///
    /// A primary in the mirror image of the space's row is found through the
    /// mirror image of the board.
    ///
    /// ```
    /// use tailback::board::Board;
    /// use tailback::space::{Location, Outside, Space};
    ///
    /// let space = Space::of_size(6).unwrap();
    /// let card = Board::parse("BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo")?;
    /// assert!(matches!(space.locate(&card), Ok(Location::Inside(_))));
    /// assert_eq!(space.locate(&card.mirrored()), space.locate(&card));
    ///
    /// let small = Board::parse(".....  .....  AA..B  ....B  .....")?;
    /// assert_eq!(space.locate(&small), Err(Outside::Size(5)));
    /// # Ok::<(), tailback::board::BoardError>(())
    /// ```
    pub fn locate(&self, board: &Board) -> Result<Location, Outside> {
        if board.size() != self.size() {
            return Err(Outside::Size(board.size()));
        }
        let row = board.primary().line as usize;
        let mirrored = row != self.primary_row();
        if mirrored && self.size() - 1 - row != self.primary_row() {
            return Err(Outside::PrimaryRow { found: row, expected: self.primary_row() });
        }
        if SpaceId::of_board(board) != self.id {
            return Err(Outside::Walls);
        }
        if blocked_by_rule(board) {
            return Ok(Location::Blocked);
        }
        let mut lines: [ArrayVec<(u8, u8), { MAX_SIZE / 2 }>; 2 * MAX_SIZE] = Default::default();
        for v in board.vehicles() {
            if v.len > 3 {
                return Err(Outside::LongVehicle);
            }
            let (line, start) = match (v.axis, mirrored) {
                (Axis::Horizontal, false) => (v.line as usize, v.start),
                (Axis::Horizontal, true) => (self.size() - 1 - v.line as usize, v.start),
                (Axis::Vertical, false) => (MAX_SIZE + v.line as usize, v.start),
                (Axis::Vertical, true) => (MAX_SIZE + v.line as usize, self.size() as u8 - v.start - v.len),
            };
            lines[line].push((start, v.len));
        }
        let mut position = Position { space: self.id, rows: [0; MAX_SIZE], columns: [0; MAX_SIZE] };
        for (i, line) in lines.iter_mut().enumerate() {
            line.sort_unstable();
            let id = self.line().find(line).expect("cars and trucks that do not overlap are a placement");
            if i < MAX_SIZE {
                position.rows[i] = id;
            } else {
                position.columns[i - MAX_SIZE] = id;
            }
        }
        Ok(Location::Inside(position))
    }

    /// Draws a position as a board: the primary is `A`, the others get letters
    /// from `B` on in reading order.
    ///
    /// # Panics
    /// If the position is of another space.
    pub fn board(&self, position: &Position) -> Board {
        self.must_have(position);
        let size = self.size();
        let mut vehicles: Vec<Vehicle> = Vec::new();
        for i in 0..size {
            for (axis, id) in [(Axis::Horizontal, position.rows[i]), (Axis::Vertical, position.columns[i])] {
                for &(start, len) in &self.line().placement(id).vehicles {
                    vehicles.push(Vehicle { letter: '?', axis, line: i as u8, start, len });
                }
            }
        }
        vehicles.sort_by_key(|v| v.square(v.start, size).index());
        let column = self.primary_column(position.rows[self.primary_row()]) as u8;
        let primary = vehicles
            .iter()
            .position(|v| {
                v.axis == Axis::Horizontal && v.line as usize == self.primary_row() && v.start == column
            })
            .expect("the primary's row holds the primary");
        let first = vehicles.remove(primary);
        vehicles.insert(0, first);
        for (i, v) in vehicles.iter_mut().enumerate() {
            v.letter = nth_letter(i);
        }
        Board::from_parts(size, self.id.walls, vehicles, 0).expect("placements of a block do not overlap")
    }

    /// The [board order](Board::order) of a position, without the board.
    ///
    /// # Panics
    /// If the position is of another space.
    pub fn order(&self, position: &Position) -> (u64, u64) {
        self.must_have(position);
        let (size, line) = (self.size(), self.line());
        let (mut horizontal, mut vertical) = (self.id.walls, 0);
        for i in 0..size {
            horizontal |= u64::from(line.placement(position.rows[i]).cells) << (i * size);
            let mut cells = line.placement(position.columns[i]).cells;
            while cells != 0 {
                vertical |= 1 << (cells.trailing_zeros() as usize * size + i);
                cells &= cells - 1;
            }
        }
        (horizontal, vertical)
    }
}

impl Space {
    /// The kinds that the lines of a position have, as a set of bits by the
    /// number of the kind.
    ///
    /// # Panics
    /// If the position is of another space.
    pub fn kinds_in(&self, position: &Position) -> u32 {
        self.must_have(position);
        let size = self.size();
        let lines = position.rows[..size].iter().chain(&position.columns[..size]);
        lines.fold(0, |kinds, &id| kinds | 1 << self.line().placement(id).kind)
    }
}

/// Whether a vehicle or a wall stands right of the primary in its row. A vehicle
/// can never leave the row, so the primary never reaches the edge.
pub fn blocked_by_rule(board: &Board) -> bool {
    let primary = board.primary();
    let is_right =
        |v: &Vehicle| v.axis == Axis::Horizontal && v.line == primary.line && v.start > primary.start;
    let row = board.walls() >> (primary.line as usize * board.size()) & ((1 << board.size()) - 1);
    row >> primary.start != 0 || board.vehicles().iter().any(is_right)
}
