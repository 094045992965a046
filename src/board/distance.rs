//! Distances as tables have them, and how many boards have each.

use std::fmt;
use std::ops::{AddAssign, Index, IndexMut};

/// How far a board of a table is from the exit, or that it cannot be solved.
///
/// Distances are in order; *unsolvable* comes after all others.
///
/// ```
/// use tailback::board::Distance;
///
/// let far = Distance::from_byte(51);
/// assert!(Distance::SOLVED < far && far < Distance::UNSOLVABLE);
/// assert_eq!((far.known(), Distance::UNSOLVABLE.known()), (Some(51), None));
/// assert_eq!(format!("{far}, {}", Distance::UNSOLVABLE), "51, unsolvable");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Distance(u8);

impl Distance {
    /// The primary is at the exit.
    pub const SOLVED: Distance = Distance(0);
    /// No moves lead to the exit.
    pub const UNSOLVABLE: Distance = Distance(u8::MAX);

    /// So many moves or steps, if that is not more than a byte tells.
    pub fn of(known: u32) -> Option<Distance> {
        u8::try_from(known).ok().map(Distance).filter(|distance| distance.is_solvable())
    }

    /// What the byte of a table means.
    pub const fn from_byte(byte: u8) -> Distance {
        Distance(byte)
    }

    /// The byte that tables have for it.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The number; none if the board is unsolvable.
    pub const fn known(self) -> Option<u32> {
        if self.is_solvable() { Some(self.0 as u32) } else { None }
    }

    /// Is there a way to the exit?
    pub const fn is_solvable(self) -> bool {
        self.0 != Distance::UNSOLVABLE.0
    }

    /// The distance of a board whose best move leads to a board at this one.
    pub const fn one_more(self) -> Distance {
        Distance(self.0.saturating_add(1))
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.known() {
            Some(distance) => distance.fmt(f),
            None => f.pad("unsolvable"),
        }
    }
}

/// How many boards have each distance.
///
/// ```
/// use tailback::board::{Distance, Histogram};
///
/// let mut histogram = Histogram::default();
/// histogram[Distance::from_byte(2)] += 7;
/// histogram[Distance::UNSOLVABLE] += 1;
/// assert_eq!(histogram.by_distance(), [0, 0, 7]);
/// assert_eq!(histogram.longest(), Distance::from_byte(2));
/// assert_eq!((histogram.total(), histogram.unsolvable()), (8, 1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram([u64; 256]);

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram([0; 256])
    }
}

impl Histogram {
    /// From the boards at each [byte](Distance::byte). Counts that are read may
    /// be forged: none beyond 2⁶³ together, so that sums do not overflow.
    pub fn of_bytes(boards: [u64; 256]) -> Option<Histogram> {
        let total = boards.iter().try_fold(0i64, |sum, &n| sum.checked_add_unsigned(n));
        total.map(|_| Histogram(boards))
    }

    /// How many boards have each distance, from 0 to the greatest.
    pub fn by_distance(&self) -> &[u64] {
        let (_, solvable) = self.0.split_last().expect("there are 256");
        &solvable[..solvable.iter().rposition(|&boards| boards > 0).map_or(0, |greatest| greatest + 1)]
    }

    /// The greatest distance of a board that can be solved; [`Distance::UNSOLVABLE`] if
    /// there is none.
    pub fn longest(&self) -> Distance {
        self.by_distance()
            .len()
            .checked_sub(1)
            .map_or(Distance::UNSOLVABLE, |greatest| Distance(greatest as u8))
    }

    /// How many cannot be solved.
    pub fn unsolvable(&self) -> u64 {
        self[Distance::UNSOLVABLE]
    }

    /// All boards.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Every distance there can be, with its boards, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Distance, u64)> + '_ {
        (0..=u8::MAX).map(Distance).zip(self.0.iter().copied())
    }
}

impl Index<Distance> for Histogram {
    type Output = u64;

    fn index(&self, distance: Distance) -> &u64 {
        &self.0[usize::from(distance.0)]
    }
}

impl IndexMut<Distance> for Histogram {
    fn index_mut(&mut self, distance: Distance) -> &mut u64 {
        &mut self.0[usize::from(distance.0)]
    }
}

impl AddAssign<&Histogram> for Histogram {
    fn add_assign(&mut self, other: &Histogram) {
        for (sum, boards) in self.0.iter_mut().zip(other.0) {
            *sum += boards;
        }
    }
}
