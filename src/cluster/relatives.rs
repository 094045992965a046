//! All boards of a family, one after the other.

use arrayvec::ArrayVec;

use super::family::{Family, Key, MAX_LINES};
use crate::board::{Axis, Board};

/// Every board with the same vehicles in the same lines, each line in its
/// order and no vehicle beyond a wall, reachable or not. Nothing is kept:
/// memory does not grow with their number.
///
/// ```
/// use tailback::board::Board;
/// use tailback::cluster::Relatives;
///
/// // A has three places. On the left it leaves three to B and one to C, else
/// // one to B and three to C.
/// let board = Board::parse("..B. AAB. C... C...")?;
/// assert_eq!(Relatives::of(&board).count(), 9);
/// # Ok::<(), tailback::board::BoardError>(())
/// ```
pub struct Relatives {
    family: Family,
    /// The cells of each placement of each line.
    cells: Vec<Vec<u64>>,
    /// The placement to try next, line by line; as many as are being placed.
    next: ArrayVec<usize, MAX_LINES>,
    /// What is taken before each of these lines.
    taken: ArrayVec<u64, MAX_LINES>,
    key: Key,
}

impl Relatives {
    /// The relatives of a board, itself included.
    pub fn of(board: &Board) -> Relatives {
        let family = Family::new(board);
        let size = family.size();
        let on_board = |axis: Axis, index: u8, place: usize| match axis {
            Axis::Horizontal => 1u64 << (usize::from(index) * size + place),
            Axis::Vertical => 1u64 << (place * size + usize::from(index)),
        };
        let cells = family.lines.iter().map(|line| {
            let placements = line.shape.placements.iter().map(|placement| {
                let covered = (0..size).filter(|place| placement.cells >> place & 1 != 0);
                covered.fold(0, |cells, place| cells | on_board(line.axis, line.index, place))
            });
            placements.collect()
        });
        let cells = cells.collect();
        let rows =
            (0..size).map(|row| (family.fixed.by_row >> (8 * row) & ((1 << size) - 1)) << (row * size));
        let fixed = rows.fold(0, |cells, row| cells | row);
        let (next, taken) = (ArrayVec::from_iter([0]), ArrayVec::from_iter([fixed]));
        Relatives { family, cells, next, taken, key: 0 }
    }
}

impl Iterator for Relatives {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        loop {
            let line = self.next.len().checked_sub(1)?;
            let Some(&cells) = self.cells[line].get(self.next[line]) else {
                self.next.pop();
                self.taken.pop();
                continue;
            };
            let (placement, taken) = (self.next[line] as Key, self.taken[line]);
            self.next[line] += 1;
            if cells & taken != 0 {
                continue;
            }
            self.key = self.key & !(0xf << (4 * line)) | placement << (4 * line);
            if line + 1 == self.cells.len() {
                return Some(self.family.board_of(self.key));
            }
            self.next.push(0);
            self.taken.push(taken | cells);
        }
    }
}
