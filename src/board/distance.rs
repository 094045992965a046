//! Distances, and how many boards have each.

use std::fmt;
use std::ops::{AddAssign, Index, IndexMut};

use serde::{Serialize, Serializer};

/// How far a board is from the exit, or that it cannot be solved.
///
/// Distances are in order; *unsolvable* comes after all others. As JSON one is its
/// number, or null. Where a distance may not be known at all, it is an
/// `Option<Distance>`.
///
/// ```
/// use tailback::board::Distance;
///
/// let far = Distance::of(51);
/// assert!(Distance::SOLVED < far && far < Distance::UNSOLVABLE);
/// assert_eq!((far.known(), Distance::UNSOLVABLE.known()), (Some(51), None));
/// assert_eq!(Distance::from(None), Distance::UNSOLVABLE);
/// assert_eq!(format!("{far}, {}", Distance::UNSOLVABLE), "51, unsolvable");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Distance(u32);

impl Distance {
    /// The primary is at the exit.
    pub const SOLVED: Distance = Distance(0);
    /// No moves lead to the exit.
    pub const UNSOLVABLE: Distance = Distance(u32::MAX);
    /// Stands for all that is more.
    const FARTHEST: Distance = Distance(u32::MAX - 1);

    /// So many moves or steps. From 2³² − 2 on they are not told apart.
    #[inline]
    pub const fn of(known: u32) -> Distance {
        if known < Distance::FARTHEST.0 { Distance(known) } else { Distance::FARTHEST }
    }

    /// What the byte of a table means.
    #[inline]
    pub const fn from_byte(byte: u8) -> Distance {
        if byte == u8::MAX { Distance::UNSOLVABLE } else { Distance(byte as u32) }
    }

    /// The byte that tables have for it.
    ///
    /// # Panics
    ///
    /// If it does not [fit](Distance::fits_byte): no board of a table is so far.
    pub const fn byte(self) -> u8 {
        assert!(self.fits_byte(), "a distance of a table is less than 255");
        // The last byte of unsolvable is the greatest as well.
        self.0 as u8
    }

    /// Do tables have a byte for it?
    pub const fn fits_byte(self) -> bool {
        self.0 < u8::MAX as u32 || !self.is_solvable()
    }

    /// The number; none if the board is unsolvable.
    #[inline]
    pub const fn known(self) -> Option<u32> {
        if self.is_solvable() { Some(self.0) } else { None }
    }

    /// Is there a way to the exit?
    #[inline]
    pub const fn is_solvable(self) -> bool {
        self.0 != Distance::UNSOLVABLE.0
    }

    /// The distance of a board whose best move leads to a board at this one.
    #[inline]
    pub const fn one_more(self) -> Distance {
        if self.is_solvable() { Distance::of(self.0 + 1) } else { self }
    }
}

impl From<u32> for Distance {
    fn from(known: u32) -> Distance {
        Distance::of(known)
    }
}

/// None is unsolvable.
impl From<Option<u32>> for Distance {
    fn from(known: Option<u32>) -> Distance {
        known.map_or(Distance::UNSOLVABLE, Distance::of)
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

impl Serialize for Distance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.known().serialize(serializer)
    }
}

/// How many boards have each distance that [fits a byte](Distance::fits_byte).
///
/// ```
/// use tailback::board::{Distance, Histogram};
///
/// let mut histogram = Histogram::default();
/// histogram[Distance::of(2)] += 7;
/// histogram[Distance::UNSOLVABLE] += 1;
/// assert_eq!(histogram.by_distance(), [0, 0, 7]);
/// assert_eq!(histogram.longest(), Distance::of(2));
/// assert_eq!((histogram.total(), histogram.unsolvable()), (8, 1));
/// assert_eq!(histogram.get(Distance::of(1000)), None);
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
            .map_or(Distance::UNSOLVABLE, |greatest| Distance::of(greatest as u32))
    }

    /// How many cannot be solved.
    pub fn unsolvable(&self) -> u64 {
        self[Distance::UNSOLVABLE]
    }

    /// How many have this distance; none if it does not fit a byte.
    pub fn get(&self, distance: Distance) -> Option<u64> {
        distance.fits_byte().then(|| self[distance])
    }

    /// All boards.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Every distance there can be, with its boards, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Distance, u64)> + '_ {
        (0..=u8::MAX).map(Distance::from_byte).zip(self.0.iter().copied())
    }
}

impl Index<Distance> for Histogram {
    type Output = u64;

    fn index(&self, distance: Distance) -> &u64 {
        &self.0[usize::from(distance.byte())]
    }
}

impl IndexMut<Distance> for Histogram {
    fn index_mut(&mut self, distance: Distance) -> &mut u64 {
        &mut self.0[usize::from(distance.byte())]
    }
}

impl AddAssign<&Histogram> for Histogram {
    fn add_assign(&mut self, other: &Histogram) {
        for (sum, boards) in self.0.iter_mut().zip(other.0) {
            *sum += boards;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_a_distance() {
        for byte in 0..=u8::MAX {
            let distance = Distance::from_byte(byte);
            assert!(distance.fits_byte() && distance.byte() == byte);
            assert_eq!(distance.known(), (byte < u8::MAX).then_some(byte.into()));
        }
        assert!([255, 256, 511, u32::MAX].iter().all(|&far| !Distance::of(far).fits_byte()));
    }

    #[test]
    fn what_is_far_stays_solvable() {
        let farthest = Distance::of(u32::MAX);
        assert!(farthest.is_solvable() && farthest < Distance::UNSOLVABLE);
        assert_eq!(farthest.one_more(), farthest);
        assert_eq!(Distance::of(254).one_more(), Distance::of(255));
        assert_eq!(Distance::UNSOLVABLE.one_more(), Distance::UNSOLVABLE);
    }

    #[test]
    fn json_is_a_number_or_null() {
        let json = |known: Option<u32>| serde_json::to_string(&Distance::from(known)).unwrap();
        assert_eq!([json(Some(0)), json(Some(300)), json(None)], ["0", "300", "null"]);
    }
}
