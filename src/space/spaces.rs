//! Several spaces of one size, in their order.

use std::fmt;
use std::ops::RangeInclusive;

use super::{Space, SpaceError, SpaceId};
use crate::board::Square;

/// One space, or all with so many walls: first those with fewer walls, then by
/// the cells of the walls, compared as lists.
///
/// ```
/// use tailback::space::{SpaceId, Spaces};
///
/// let spaces = Spaces::with_walls(6, 0..=2);
/// assert_eq!(spaces.iter().count(), 1 + 36 + 630);
/// assert_eq!(spaces.iter().nth(36 + 2).unwrap().to_string(), "6×6 with walls on A1 and C1");
/// assert_eq!(Spaces::with_walls(6, 0..=0), Spaces::from(6));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spaces {
    size: usize,
    walls: Walls,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Walls {
    These(u64),
    /// Never only 0.
    Any(RangeInclusive<usize>),
}

impl<S: Into<SpaceId>> From<S> for Spaces {
    fn from(space: S) -> Spaces {
        let SpaceId { size, walls } = space.into();
        Spaces { size, walls: Walls::These(walls) }
    }
}

impl Spaces {
    /// All spaces of a size with so many walls.
    pub fn with_walls(size: usize, walls: RangeInclusive<usize>) -> Spaces {
        if walls == (0..=0) {
            return Spaces::from(size);
        }
        Spaces { size, walls: Walls::Any(walls) }
    }

    /// Rows and columns of their boards.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The space, if it is one.
    pub fn single(&self) -> Option<SpaceId> {
        match self.walls {
            Walls::These(walls) => Some(SpaceId { size: self.size, walls }),
            Walls::Any(_) => None,
        }
    }

    /// Do boards of them have walls?
    pub fn have_walls(&self) -> bool {
        self.walls != Walls::These(0)
    }

    /// Is a space one of them?
    pub fn contains(&self, space: SpaceId) -> bool {
        space.size == self.size
            && match &self.walls {
                Walls::These(walls) => *walls == space.walls,
                Walls::Any(walls) => walls.contains(&(space.walls.count_ones() as usize)),
            }
    }

    /// Are all of some others among them?
    pub fn cover(&self, others: &Spaces) -> bool {
        match (&self.walls, &others.walls) {
            (_, Walls::These(_)) => others.iter().all(|space| self.contains(space)),
            (Walls::These(_), Walls::Any(_)) => false,
            (Walls::Any(own), Walls::Any(walls)) => {
                self.size == others.size && own.contains(walls.start()) && own.contains(walls.end())
            }
        }
    }

    /// Of some the fewest that cover others.
    pub fn narrowest(some: impl Iterator<Item = Spaces>, others: &Spaces) -> Option<Spaces> {
        let covering = some.filter(|spaces| spaces.cover(others));
        covering.min_by_key(|spaces| (spaces.single().is_none(), spaces.walls().count()))
    }

    /// How many walls their boards may have.
    pub fn walls(&self) -> RangeInclusive<usize> {
        match &self.walls {
            Walls::These(walls) => {
                let count = walls.count_ones() as usize;
                count..=count
            }
            Walls::Any(walls) => walls.clone(),
        }
    }

    /// All of them, in order; those without boards, too.
    pub fn iter(&self) -> impl Iterator<Item = SpaceId> + use<> {
        let size = self.size;
        let cells = SpaceId::of_size(size).cells();
        let (these, any) = match &self.walls {
            Walls::These(walls) => (Some(*walls), None),
            Walls::Any(walls) => (None, Some(walls.clone())),
        };
        let all = any.into_iter().flatten().flat_map(move |count| Choices::new(cells, count));
        these.into_iter().chain(all).map(move |walls| SpaceId { size, walls })
    }

    /// Why they have no numbers, if so.
    pub fn check(&self) -> Result<(), SpaceError> {
        let walls = match &self.walls {
            Walls::These(walls) => *walls,
            Walls::Any(walls) => (1 << (*walls.end()).min(63)) - 1,
        };
        Space::of(SpaceId { size: self.size, walls }).map(drop)
    }

    /// Those with this name in the names of files.
    pub fn of_stem(stem: &str) -> Option<Spaces> {
        let mut parts = stem.split('-');
        let (rows, columns) = parts.next()?.split_once('x')?;
        let size: usize = rows.parse().ok().filter(|size| rows == columns && (1..=8).contains(size))?;
        let parts: Vec<&str> = parts.collect();
        let spaces = match parts[..] {
            ["walls", walls] => Spaces::with_walls(size, walls.parse().ok()?..=walls.parse().ok()?),
            ["walls", least, most] => Spaces::with_walls(size, least.parse().ok()?..=most.parse().ok()?),
            _ => {
                let cells = parts.iter().map(|name| Square::named(name, size));
                let walls =
                    cells.collect::<Option<Vec<Square>>>()?.iter().fold(0, |walls, cell| walls | cell.bit());
                Spaces::from(SpaceId { size, walls })
            }
        };
        // One name for each.
        (spaces.stem() == stem).then_some(spaces)
    }

    /// Their name in those of files.
    ///
    /// ```
    /// use tailback::space::Spaces;
    ///
    /// assert_eq!(Spaces::from(6).stem(), "6x6");
    /// assert_eq!(Spaces::with_walls(6, 0..=2).stem(), "6x6-walls-0-2");
    /// assert_eq!(Spaces::with_walls(5, 1..=1).stem(), "5x5-walls-1");
    /// ```
    pub fn stem(&self) -> String {
        match (&self.walls, self.size) {
            (Walls::These(walls), size) => SpaceId { size, walls: *walls }.stem(),
            (Walls::Any(walls), size) if walls.start() == walls.end() => {
                format!("{size}x{size}-walls-{}", walls.start())
            }
            (Walls::Any(walls), size) => format!("{size}x{size}-walls-{}-{}", walls.start(), walls.end()),
        }
    }
}

impl fmt::Display for Spaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size;
        match &self.walls {
            Walls::These(walls) => SpaceId { size, walls: *walls }.fmt(f),
            Walls::Any(walls) if walls.start() == walls.end() => match walls.start() {
                1 => write!(f, "{size}×{size} with one wall"),
                walls => write!(f, "{size}×{size} with {walls} walls"),
            },
            Walls::Any(walls) => write!(f, "{size}×{size} with {} to {} walls", walls.start(), walls.end()),
        }
    }
}

/// The sets of so many cells out of all, by their cells compared as lists.
struct Choices {
    cells: usize,
    /// The next, in rising order; none if there is no other.
    next: Option<Vec<usize>>,
}

impl Choices {
    fn new(cells: usize, count: usize) -> Choices {
        Choices { cells, next: (count <= cells).then(|| (0..count).collect()) }
    }
}

impl Iterator for Choices {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut chosen = self.next.take()?;
        let set = chosen.iter().fold(0, |set, cell| set | 1 << cell);
        // The last that can go further does, the ones after it follow close behind.
        let count = chosen.len();
        if let Some(place) = (0..count).rev().find(|&place| chosen[place] < self.cells - count + place) {
            chosen[place] += 1;
            for after in place + 1..count {
                chosen[after] = chosen[after - 1] + 1;
            }
            self.next = Some(chosen);
        }
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sets_of_walls_in_order() {
        let spaces: Vec<u64> = Spaces::with_walls(4, 0..=2).iter().map(|space| space.walls).collect();
        assert_eq!(spaces.len(), 1 + 16 + 120);
        assert_eq!(&spaces[..4], [0, 1, 2, 4]);
        assert_eq!(&spaces[17..20], [0b11, 0b101, 0b1001]);
        assert_eq!(spaces[136], 0b11 << 14);
        let cells = |walls: u64| (0..16).filter(|cell| walls >> cell & 1 == 1).collect::<Vec<_>>();
        let order = |walls: u64| (walls.count_ones(), cells(walls));
        assert!(spaces.is_sorted_by_key(|&walls| order(walls)));
        for (number, &walls) in spaces.iter().enumerate() {
            let id = SpaceId { size: 4, walls };
            assert_eq!(id.number() as usize, number, "{walls:b}");
            assert_eq!(SpaceId::of_id(4, id.first_id()), id);
            assert_eq!(SpaceId::of_id(4, *id.ids().end()), id);
        }
    }

    #[test]
    fn names_tell_the_spaces() {
        for spaces in [
            Spaces::from(6),
            Spaces::with_walls(5, 1..=1),
            Spaces::with_walls(6, 0..=2),
            Spaces::from(SpaceId { size: 4, walls: 0b1001 }),
        ] {
            assert_eq!(Spaces::of_stem(&spaces.stem()), Some(spaces));
        }
        for none in ["", "6", "6x5", "6x6-", "6x6-walls", "6x6-walls-0", "6x6-G1", "6x6-B1-A1", "6x6-A1-A1"] {
            assert_eq!(Spaces::of_stem(none), None, "{none}");
        }
    }

    #[test]
    fn some_cover_others() {
        let (two, none) = (Spaces::with_walls(6, 0..=2), Spaces::from(6));
        let with = Spaces::with_walls;
        assert!(two.cover(&with(6, 1..=2)) && two.cover(&none) && none.cover(&none));
        assert!(!two.cover(&with(6, 1..=3)) && !two.cover(&with(5, 1..=2)) && !none.cover(&with(6, 0..=1)));
        let one = Spaces::from(SpaceId { size: 6, walls: 8 });
        assert!(two.cover(&one) && !none.cover(&one) && one.cover(&one));
        assert!(!one.cover(&with(6, 1..=1)) && !one.cover(&none));
        assert_eq!((two.walls(), none.walls(), one.walls()), (0..=2, 0..=0, 1..=1));
    }
}
