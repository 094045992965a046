//! Which space: a size, and the cells that are walls.
//!
//! A [`Space`] is a few tables, and the sizes of its signatures once they are
//! counted (2 MB for 6×6). Whoever asks for the same id gets the same space as
//! long as somebody holds it. The last few asked for are held here, so that
//! asking board by board fills no table twice; of many spaces most go with
//! their last user.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{MAX_SIZE, MAX_TABULATED, MIN_SIZE, Space};
use crate::board::{Board, Square};

/// The most walls of a space: 6×6 has 41 million sets of up to so many, and their
/// ids still fit the 63 bits of SQLite.
const MAX_WALLS: u32 = 8;
/// The same for 7×7.
const MAX_WALLS_LARGE: u32 = 2;
/// How many spaces are held for the next who asks.
const HELD: usize = 4;

/// What makes a space the one it is. A number stands for the boards of that size
/// without walls.
///
/// ```
/// use tailback::space::{Space, SpaceError, SpaceId};
///
/// let space = Space::of(SpaceId::of_size(6))?;
/// assert_eq!(space.id(), SpaceId { size: 6, walls: 0 });
/// assert_eq!(Space::of(SpaceId::of_size(8)).unwrap_err(), SpaceError::Size(8));
///
/// let with_wall = SpaceId { size: 6, walls: 1 << 9 };
/// assert_eq!(with_wall.to_string(), "6×6 with a wall on D2");
/// assert_eq!(Space::of(with_wall)?.boards(), 12_069_429_578);
/// # Ok::<(), SpaceError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpaceId {
    /// Rows and columns.
    pub size: usize,
    /// The cells that are walls, in the order of [`Board::walls`].
    pub walls: u64,
}

/// Why there is no space with an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// Boards of this size have no numbers, or too many for a file.
    #[error("boards of {0}×{0} cells are not tabulated")]
    Size(usize),
    /// A wall is on no cell of the board.
    #[error("a wall is not on the board")]
    Walls,
    /// There are so many sets of walls that ids do not reach to these.
    #[error("boards with more than {MAX_WALLS} walls are not tabulated")]
    TooManyWalls,
    /// Several spaces that are searched together have more signatures than numbers.
    #[error("these boards have more than {} row signatures", u32::MAX)]
    TooManyJobs,
    /// The same on larger boards, which are more.
    #[error("boards of {size}×{size} cells with more than {most} walls have no numbers")]
    NoIds {
        /// Their size.
        size: usize,
        /// The most walls of boards with a number.
        most: u32,
    },
}

impl From<usize> for SpaceId {
    fn from(size: usize) -> SpaceId {
        SpaceId::of_size(size)
    }
}

impl fmt::Display for SpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.size)?;
        let names: Vec<String> = self.wall_cells().map(|cell| cell.name(self.size)).collect();
        match &names[..] {
            [] => Ok(()),
            [one] => write!(f, " with a wall on {one}"),
            [others @ .., last] => write!(f, " with walls on {} and {last}", others.join(", ")),
        }
    }
}

impl SpaceId {
    /// All boards of a size without walls.
    pub const fn of_size(size: usize) -> SpaceId {
        SpaceId { size, walls: 0 }
    }

    /// The boards that have the size and the walls of this one, or of its mirror
    /// image if that has the primary in the row of the space.
    pub fn of_board(board: &Board) -> SpaceId {
        let own = SpaceId { size: board.size(), walls: board.walls() };
        let is_mirrored = own.walls != 0
            && own.primary_row() != usize::from(board.primary().line)
            && own.size - 1 - own.primary_row() == usize::from(board.primary().line);
        if is_mirrored { SpaceId { walls: board.mirrored().walls(), ..own } } else { own }
    }

    /// The cells that are walls, row by row from the top left.
    pub fn wall_cells(self) -> impl Iterator<Item = Square> {
        (0..self.cells()).map(Square::new).filter(move |cell| self.walls & cell.bit() != 0)
    }

    /// The cells that a wall may be on, whatever the size.
    pub(super) fn cells(self) -> usize {
        self.size.saturating_mul(self.size).min(u64::BITS as usize)
    }

    /// Its name in those of files: the size, and the cells of its walls.
    ///
    /// ```
    /// use tailback::space::SpaceId;
    ///
    /// assert_eq!(SpaceId::of_size(6).stem(), "6x6");
    /// assert_eq!(SpaceId { size: 6, walls: 1 << 9 | 1 << 35 }.stem(), "6x6-D2-F6");
    /// ```
    pub fn stem(self) -> String {
        let size = self.size;
        self.wall_cells().fold(format!("{size}x{size}"), |stem, cell| stem + "-" + &cell.name(size))
    }

    /// The number of its walls among all sets of cells: first the smaller sets, then
    /// by their cells, compared as lists.
    pub(super) fn number(self) -> u64 {
        let cells = self.cells() as u64;
        let count = u64::from(self.walls.count_ones());
        let smaller: u64 = (0..count).map(|count| choices(cells, count)).sum();
        let (mut number, mut after) = (smaller, 0);
        for (place, cell) in (1..).zip(self.wall_cells()) {
            let cell = cell.index() as u64;
            number += (after..cell).map(|other| choices(cells - other - 1, count - place)).sum::<u64>();
            after = cell + 1;
        }
        number
    }

    /// The id that a catalogue has for the first of its boards: their ranks are
    /// added. Boards without walls have their rank as id, and what comes before the
    /// last digits is the number of the walls.
    ///
    /// ```
    /// use tailback::space::SpaceId;
    ///
    /// assert_eq!(SpaceId::of_size(6).first_id(), 0);
    /// assert_eq!(SpaceId { size: 6, walls: 1 << 35 }.first_id(), 36 * 100_000_000_000);
    /// assert_eq!(SpaceId { size: 4, walls: 1 << 2 | 1 }.first_id(), 18 * 100_000);
    /// ```
    pub fn first_id(self) -> u64 {
        // Past what fits there is no such space.
        self.number().saturating_mul(self.ids_apart())
    }

    /// All ids that its boards may have.
    pub fn ids(self) -> RangeInclusive<u64> {
        self.first_id()..=self.first_id().saturating_add(self.ids_apart() - 1)
    }

    /// The space of the board of a size with an id. An id that no board has is taken
    /// for one of a board without walls.
    pub fn of_id(size: usize, id: u64) -> SpaceId {
        let cells = SpaceId::of_size(size).cells() as u64;
        let mut rest = id / SpaceId::of_size(size).ids_apart();
        let mut count = 0;
        while rest >= choices(cells, count) {
            rest -= choices(cells, count);
            count += 1;
            if count > u64::from(MAX_WALLS) {
                return SpaceId::of_size(size);
            }
        }
        let mut walls = 0;
        for cell in 0..cells {
            // How many sets go on with this cell.
            let with = if count > 0 { choices(cells - cell - 1, count - 1) } else { 0 };
            if rest < with {
                walls |= 1 << cell;
                count -= 1;
            } else {
                rest -= with;
            }
        }
        SpaceId { size, walls }
    }

    /// More than the boards of a space of this size, as a round number.
    fn ids_apart(self) -> u64 {
        let digits = match self.size {
            4 => 5,
            5 => 8,
            6 => 11,
            _ => 15,
        };
        10u64.pow(digits)
    }

    /// The row of the primary, from the top.
    pub(super) fn primary_row(self) -> usize {
        (self.size - 1) / 2
    }

    /// The cells of a row that are walls, the first cell as bit 0.
    pub(super) fn walls_in_row(self, row: usize) -> u8 {
        (self.walls >> (row * self.size) & ((1 << self.size) - 1)) as u8
    }

    /// Whether its boards are tabulated: there can be files of them.
    pub fn check(self) -> Result<(), SpaceError> {
        self.check_numbered()?;
        if self.size > MAX_TABULATED {
            return Err(SpaceError::Size(self.size));
        }
        Ok(())
    }

    /// Whether there is such a space: its boards have numbers.
    fn check_numbered(self) -> Result<(), SpaceError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&self.size) {
            return Err(SpaceError::Size(self.size));
        }
        if self.walls >> (self.size * self.size) != 0 {
            return Err(SpaceError::Walls);
        }
        if self.walls.count_ones() > MAX_WALLS {
            return Err(SpaceError::TooManyWalls);
        }
        if self.size > MAX_TABULATED && self.walls.count_ones() > MAX_WALLS_LARGE {
            return Err(SpaceError::NoIds { size: self.size, most: MAX_WALLS_LARGE });
        }
        Ok(())
    }
}

/// In how many ways so many cells can be chosen.
fn choices(cells: u64, count: u64) -> u64 {
    if count > cells {
        return 0;
    }
    // Past some walls there are more sets than a number can tell: no id gets there.
    let ways =
        (0..u128::from(count)).fold(1, |ways, chosen| ways * (u128::from(cells) - chosen) / (chosen + 1));
    u64::try_from(ways).unwrap_or(u64::MAX)
}

/// The spaces that somebody has, and the last few that were asked for.
struct Known {
    all: BTreeMap<SpaceId, Weak<Space>>,
    /// The latest last.
    held: Vec<Arc<Space>>,
}

impl Known {
    const fn new() -> Known {
        Known { all: BTreeMap::new(), held: Vec::new() }
    }

    fn get(&mut self, id: SpaceId) -> Arc<Space> {
        if let Some(space) = self.held.iter().find(|space| space.id == id) {
            return space.clone();
        }
        let space = self.all.get(&id).and_then(Weak::upgrade).unwrap_or_else(|| {
            let space = Arc::new(Space::new(id));
            self.all.retain(|_, space| space.strong_count() > 0);
            self.all.insert(id, Arc::downgrade(&space));
            space
        });
        if self.held.len() == HELD {
            self.held.remove(0);
        }
        self.held.push(space.clone());
        space
    }
}

impl Space {
    /// The space with this id, if its boards are tabulated.
    pub fn tabulated(id: SpaceId) -> Result<Arc<Space>, SpaceError> {
        id.check()?;
        Space::of(id)
    }

    /// The space with this id.
    pub fn of(id: SpaceId) -> Result<Arc<Space>, SpaceError> {
        static KNOWN: Mutex<Known> = Mutex::new(Known::new());
        id.check_numbered()?;
        // A panic while a space is made leaves none behind.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(known.get(id))
    }

    /// The space of boards of this size without walls, if there is one: 4 to 7.
    pub fn of_size(size: usize) -> Option<Arc<Space>> {
        Space::of(SpaceId::of_size(size)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Spaces;
    use super::*;

    /// Guards callers with a size from outside: boards with more cells than a number has
    /// bits panicked before anybody could say that there are none.
    #[test]
    fn sizes_without_boards_have_names() {
        for size in [0, 3, 8, 9, 300, usize::MAX] {
            let none = SpaceId { size, walls: u64::MAX };
            assert_eq!(SpaceId::of_size(size).to_string(), format!("{size}×{size}"));
            assert!(none.stem().starts_with(&format!("{size}x{size}")));
            assert_eq!(none.wall_cells().count(), size.saturating_mul(size).min(64));
            assert_eq!(SpaceId::of_size(size).first_id(), 0);
            assert!(none.ids().contains(&none.first_id()));
            assert_eq!(SpaceId::of_id(size, 0), SpaceId::of_size(size));
            assert_eq!(SpaceId::of_id(size, u64::MAX).size, size);
            assert!(Space::of(none).is_err() && Spaces::from(none).check().is_err());
            assert!(Spaces::with_walls(size, 1..=1).iter().count() <= 64);
        }
    }

    #[test]
    fn spaces_go_with_their_last_user() {
        let mut known = Known::new();
        let id = |size| SpaceId::of_size(size);
        let (four, five) = (known.get(id(4)), known.get(id(5)));
        known.held.clear();
        assert!(Arc::ptr_eq(&four, &known.get(id(4))), "somebody has it");
        drop(five);
        assert!(known.all[&id(5)].upgrade().is_none(), "nobody has it");
        known.get(id(6));
        assert_eq!(known.all.keys().collect::<Vec<_>>(), [&id(4), &id(6)]);
        assert_eq!(known.held.len(), 2);
        for walls in 1..=HELD as u64 {
            let _ = known.get(SpaceId { size: 4, walls });
        }
        assert_eq!(known.held.len(), HELD);
        assert!(known.all[&id(6)].upgrade().is_none(), "others were asked for since");
    }
}
