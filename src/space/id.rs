//! Which space: a size, and the cells that are walls.
//!
//! A [`Space`] is a few tables, and the sizes of its signatures once they are
//! counted (2 MB for 6×6). Whoever asks for the same id gets the same space as
//! long as somebody holds it. The last few asked for are held here, so that
//! asking board by board fills no table twice; of many spaces most go with
//! their last user.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{MAX_SIZE, MIN_SIZE, Space};
use crate::board::Board;

/// How many spaces are held for the next who asks.
const HELD: usize = 4;

/// What makes a space the one it is.
///
/// ```
/// use tailback::space::{Space, SpaceError, SpaceId};
///
/// let space = Space::of(SpaceId::of_size(6))?;
/// assert_eq!(space.id(), SpaceId { size: 6, walls: 0 });
/// assert_eq!(Space::of(SpaceId::of_size(8)).unwrap_err(), SpaceError::Size(8));
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
    /// Boards of this size have no numbers.
    #[error("boards of {0}×{0} cells are not tabulated")]
    Size(usize),
    /// Boards with walls have no numbers.
    #[error("boards with walls are not tabulated")]
    Walls,
}

impl SpaceId {
    /// All boards of a size without walls.
    pub const fn of_size(size: usize) -> SpaceId {
        SpaceId { size, walls: 0 }
    }

    /// The boards that have the size and the walls of this one.
    pub fn of_board(board: &Board) -> SpaceId {
        SpaceId { size: board.size(), walls: board.walls() }
    }

    fn check(self) -> Result<(), SpaceError> {
        match self {
            SpaceId { size, .. } if !(MIN_SIZE..=MAX_SIZE).contains(&size) => Err(SpaceError::Size(size)),
            SpaceId { walls: 0, .. } => Ok(()),
            _ => Err(SpaceError::Walls),
        }
    }
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
    /// The space with this id.
    pub fn of(id: SpaceId) -> Result<Arc<Space>, SpaceError> {
        static KNOWN: Mutex<Known> = Mutex::new(Known::new());
        id.check()?;
        // A panic while a space is made leaves none behind.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(known.get(id))
    }

    /// The space of boards of this size without walls, if it is tabulated: 4, 5
    /// or 6.
    pub fn of_size(size: usize) -> Option<Arc<Space>> {
        Space::of(SpaceId::of_size(size)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
