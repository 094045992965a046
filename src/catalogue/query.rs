//! Questions to the catalogue: which puzzles, in which order, how many.
//!
//! The filters run over the packed columns, one after the other; what is left
//! is sorted, or drawn by lot, and only the rows that are asked for are read.

use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use rusqlite::Statement;

use super::column::Column;
use super::packed::Packed;
use super::read::{Catalogue, select_one};
use super::row::Unpacker;
use super::{CatalogueError, Puzzle, Rules};
use crate::table::verify::split_mix;

/// Numbers from one to another, both included.
///
/// ```
/// use tailback::catalogue::Range;
///
/// let range: Range = "20..30".parse()?;
/// assert!(range.contains(20) && range.contains(30) && !range.contains(31));
/// assert_eq!("20..".parse(), Ok(Range::from(20..)));
/// assert_eq!("..30".parse(), Ok(Range::from(..=30)));
/// assert_eq!("7".parse(), Ok(Range::from(7..=7)));
/// # Ok::<(), tailback::catalogue::RangeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    least: u64,
    most: u64,
}

impl Range {
    /// Is the number in the range?
    pub fn contains(self, number: u64) -> bool {
        self.least <= number && number <= self.most
    }
}

impl From<std::ops::RangeInclusive<u64>> for Range {
    fn from(range: std::ops::RangeInclusive<u64>) -> Range {
        Range { least: *range.start(), most: *range.end() }
    }
}

impl From<std::ops::RangeFrom<u64>> for Range {
    fn from(range: std::ops::RangeFrom<u64>) -> Range {
        Range { least: range.start, most: u64::MAX }
    }
}

impl From<std::ops::RangeToInclusive<u64>> for Range {
    fn from(range: std::ops::RangeToInclusive<u64>) -> Range {
        Range { least: 0, most: range.end }
    }
}

/// The text is no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// It is not of the right form.
    #[error("write a range as 20..30 (both included), 20.., ..30 or 20")]
    Form,
    /// Nothing is in it.
    #[error("nothing is in the range {least}..{most}: its end is before its start")]
    Empty {
        /// Its start.
        least: u64,
        /// Its end.
        most: u64,
    },
}

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Range, RangeError> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            text.parse::<u64>().ok().filter(|_| digits).ok_or(RangeError::Form)
        };
        let (least, most) = match text.split_once("..") {
            None => (number(text)?, number(text)?),
            Some(("", "")) => return Err(RangeError::Form),
            Some(("", most)) => (0, number(most)?),
            Some((least, "")) => (number(least)?, u64::MAX),
            Some((least, most)) => (number(least)?, number(most)?),
        };
        if least > most {
            return Err(RangeError::Empty { least, most });
        }
        Ok(Range { least, most })
    }
}

/// Vehicles at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inventory {
    /// Cars, of which one is the primary.
    pub cars: u64,
    /// Trucks.
    pub trucks: u64,
}

/// A column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub column: Column,
    /// The largest first.
    pub falling: bool,
}

impl Sort {
    /// The smallest first.
    pub fn rising(column: Column) -> Sort {
        Sort { column, falling: false }
    }

    /// The largest first.
    pub fn falling(column: Column) -> Sort {
        Sort { column, falling: true }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.falling { "-" } else { "" };
        write!(f, "{sign}{}", self.column)
    }
}

/// More columns are not sorted by.
pub const MOST_SORTS: usize = 4;

/// What to look for. The default is every classic puzzle, by rising id.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The rule set.
    pub rules: Rules,
    /// Columns and the numbers they may have.
    pub ranges: Vec<(Column, Range)>,
    /// Kinds that some line must have, each as the bit of its number.
    pub kinds: u64,
    /// The vehicles that must be enough.
    pub inventory: Option<Inventory>,
    /// How to sort: by the first column, where that is equal by the next, and
    /// in the end by rising id. At most `MOST_SORTS`.
    pub sort: Vec<Sort>,
    /// At most so many puzzles.
    pub limit: Option<usize>,
    /// Draw them by lot: the same seed draws the same ones, all are equally
    /// likely, and none comes twice. Without `sort` they come as drawn.
    pub random: Option<u64>,
}

impl Catalogue {
    /// How many puzzles match, whatever the limit.
    pub fn count(&self, query: &Query) -> Result<usize, CatalogueError> {
        Ok(self.matching(query)?.iter().filter(|&&kept| kept).count())
    }

    /// The puzzles that match.
    pub fn select(&self, query: &Query) -> Result<Puzzles<'_>, CatalogueError> {
        assert!(query.sort.len() <= MOST_SORTS, "at most {MOST_SORTS} columns are sorted by");
        let kept = self.matching(query)?;
        let indexes = kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(index, _)| index as u32);
        let ids = self.column(Column::Id)?;
        let limit = query.limit.unwrap_or(usize::MAX);
        let chosen = match query.random {
            None => self.sorted(query, indexes, limit)?,
            Some(seed) => {
                let lot = |index: u32| [split_mix(split_mix(seed) ^ ids.key(index as usize)), 0, 0, 0];
                let mut drawn = first(indexes, limit, lot);
                if !query.sort.is_empty() {
                    drawn = self.sorted(query, drawn.into_iter(), limit)?;
                }
                drawn
            }
        };
        let matching = kept.iter().filter(|&&kept| kept).count();
        let ids: Vec<u64> = chosen.into_iter().map(|index| ids.key(index as usize)).collect();
        let select = self.db.prepare(&select_one()).map_err(|e| self.sqlite(e))?;
        Ok(Puzzles { catalogue: self, matching, ids: ids.into_iter(), select, unpacker: self.unpacker()? })
    }

    /// For each puzzle, by rising id: does it match?
    fn matching(&self, query: &Query) -> Result<Vec<bool>, CatalogueError> {
        let mut kept = vec![true; self.puzzles()];
        match query.rules {
            Rules::All => {}
            Rules::Classic => self.column(Column::Classic)?.keep(&mut kept, |key| key == 1),
            Rules::Rush => self.column(Column::Rush)?.keep(&mut kept, |key| key == 1),
        }
        for &(column, range) in &query.ranges {
            self.column(column)?.keep(&mut kept, |key| range.contains(key));
        }
        if query.kinds != 0 {
            self.column(Column::LineKinds)?.keep(&mut kept, |key| key & query.kinds == query.kinds);
        }
        if let Some(Inventory { cars, trucks }) = query.inventory {
            self.column(Column::Cars)?.keep(&mut kept, |key| key <= cars);
            self.column(Column::Trucks)?.keep(&mut kept, |key| key <= trucks);
        }
        Ok(kept)
    }

    /// The first of these in the order that the query asks for.
    fn sorted(
        &self,
        query: &Query,
        indexes: impl Iterator<Item = u32>,
        limit: usize,
    ) -> Result<Vec<u32>, CatalogueError> {
        let columns = query.sort.iter().map(|sort| Ok((self.column(sort.column)?, sort.falling)));
        let columns = columns.collect::<Result<Vec<(Packed, bool)>, CatalogueError>>()?;
        let key = |index: u32| {
            let mut keys = [0; MOST_SORTS];
            for (key, (column, falling)) in keys.iter_mut().zip(&columns) {
                let value = column.key(index as usize);
                *key = if *falling { !value } else { value };
            }
            keys
        };
        Ok(first(indexes, limit, key))
    }
}

/// The `limit` indexes with the least keys, in order; of equal ones the lesser
/// index first.
fn first(
    indexes: impl Iterator<Item = u32>,
    limit: usize,
    key: impl Fn(u32) -> [u64; MOST_SORTS],
) -> Vec<u32> {
    // The greatest of the best so far is on top.
    let mut best = BinaryHeap::new();
    for index in indexes {
        let entry = (key(index), index);
        if best.len() < limit {
            best.push(entry);
        } else if let Some(mut worst) = best.peek_mut()
            && entry < *worst
        {
            *worst = entry;
        }
    }
    best.into_sorted_vec().into_iter().map(|(_, index)| index).collect()
}

/// The puzzles that match, read one after the other.
pub struct Puzzles<'c> {
    catalogue: &'c Catalogue,
    matching: usize,
    ids: std::vec::IntoIter<u64>,
    select: Statement<'c>,
    unpacker: Unpacker,
}

impl Puzzles<'_> {
    /// How many match, whatever the limit.
    pub fn matching(&self) -> usize {
        self.matching
    }
}

impl Iterator for Puzzles<'_> {
    type Item = Result<Puzzle, CatalogueError>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.ids.next()?;
        let row = self.select.query_row([id as i64], |row| self.unpacker.read(row));
        Some(row.map_err(|error| match error {
            rusqlite::Error::QueryReturnedNoRows => self.catalogue.damaged(format!("puzzle {id} has no row")),
            error => self.catalogue.sqlite(error),
        }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ids.size_hint()
    }
}

impl ExactSizeIterator for Puzzles<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_are_none() {
        for text in ["", "..", "a", "1..b", "-1..3", "+1", "1...3", "1..2..3", " 1", "99999999999999999999"] {
            assert_eq!(text.parse::<Range>(), Err(RangeError::Form), "{text:?}");
        }
        assert_eq!("3..2".parse::<Range>(), Err(RangeError::Empty { least: 3, most: 2 }));
    }

    #[test]
    fn the_first_by_key_and_then_by_index() {
        let keys = [5u64, 1, 5, 0, 1];
        let key = |index: u32| [keys[index as usize], 0, 0, 0];
        assert_eq!(first(0..5, usize::MAX, key), [3, 1, 4, 0, 2]);
        assert_eq!(first(0..5, 2, key), [3, 1]);
        assert_eq!(first(0..5, 3, key), [3, 1, 4]);
        assert_eq!(first(0..5, 0, key), []);
    }
}
