//! Questions to the catalogue: which puzzles, in which order, how many.
//!
//! The filters run over the packed columns, one after the other; what is left
//! is sorted, or drawn at random, and only the rows that are asked for are read.

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::str::FromStr;

use rusqlite::{CachedStatement, OptionalExtension};

use super::column::{Column, Holds};
use super::packed::CHUNK;
use super::read::{Catalogue, ONE};
use super::row::{self, Unpacker};
use super::{CatalogueError, Puzzle, Rules};
use crate::board::{Board, Distinct};
use crate::random::split_mix;
use crate::space::Spaces;

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

    /// The least number in it.
    pub fn least(self) -> u64 {
        self.least
    }

    /// The greatest; none if it is open.
    pub fn most(self) -> Option<u64> {
        (self.most < u64::MAX).then_some(self.most)
    }

    /// Is any number in it that is neither less than one nor more than the other?
    pub fn meets(self, least: u64, most: u64) -> bool {
        self.least <= most && least <= self.most
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, most) if least == most => write!(f, "{least}"),
            (least, u64::MAX) => write!(f, "{least}.."),
            (0, most) => write!(f, "..{most}"),
            (least, most) => write!(f, "{least}..{most}"),
        }
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
#[non_exhaustive]
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

/// The text tells no vehicles at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write the cars and the trucks at hand as 12,4")]
pub struct InventoryError;

impl FromStr for Inventory {
    type Err = InventoryError;

    fn from_str(text: &str) -> Result<Inventory, InventoryError> {
        let (cars, trucks) = text.split_once(',').ok_or(InventoryError)?;
        let number = |text: &str| text.parse().map_err(|_| InventoryError);
        Ok(Inventory { cars: number(cars)?, trucks: number(trucks)? })
    }
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

/// Several columns to sort by, the first of them first, by the names that people
/// sort by.
///
/// ```
/// use tailback::catalogue::{Column, Sort, Sorting};
///
/// let sorting: Sorting = "-moves,vehicles".parse()?;
/// assert_eq!(sorting.0, [Sort::falling(Column::Moves), Sort::rising(Column::Vehicles)]);
/// # Ok::<(), tailback::catalogue::SortError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorting(pub Vec<Sort>);

/// The text names no columns to sort by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SortError {
    /// There is no such column.
    #[error("{name:?} is none of: {}", Column::sorts().map(|(name, _)| name).collect::<Vec<_>>().join(", "))]
    Unknown {
        /// What was given.
        name: String,
    },
    /// There are too many.
    #[error("at most {MOST_SORTS} names")]
    TooMany,
}

impl FromStr for Sorting {
    type Err = SortError;

    fn from_str(text: &str) -> Result<Sorting, SortError> {
        let sorts = text.split(',').map(|name| {
            let (name, falling) = name.strip_prefix('-').map_or((name, false), |name| (name, true));
            let found = Column::sorts().find(|(known, _)| *known == name);
            let (_, column) = found.ok_or_else(|| SortError::Unknown { name: name.to_owned() })?;
            Ok(Sort { column, falling })
        });
        let sorts = sorts.collect::<Result<Vec<Sort>, SortError>>()?;
        if sorts.len() > MOST_SORTS { Err(SortError::TooMany) } else { Ok(Sorting(sorts)) }
    }
}

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
    /// in the end by rising id. At most [`MOST_SORTS`].
    pub sort: Vec<Sort>,
    /// At most so many puzzles.
    pub limit: Option<usize>,
    /// No two that are alike to this degree: of those the first in the order. See
    /// [`Distinct`].
    pub distinct: Option<u32>,
    /// Draw them at random: the same seed draws the same ones, all are equally
    /// likely, and none comes twice. Without `sort` they come as drawn.
    pub random: Option<u64>,
}

impl Query {
    /// Sorted like this; if nothing is said, the most moves first, or as drawn.
    pub fn sorted(self, sorting: Option<Sorting>) -> Query {
        let usual = if self.random.is_some() { Vec::new() } else { vec![Sort::falling(Column::Moves)] };
        Query { sort: sorting.map_or(usual, |sorting| sorting.0), ..self }
    }

    /// The range of a column that is asked for.
    pub fn range(&self, column: Column) -> Option<Range> {
        self.ranges.iter().find(|(asked, _)| *asked == column).map(|(_, range)| *range)
    }

    /// The spaces of boards of a size that it is about: those without walls, unless
    /// it asks for some. `most` is how many there may be if that is open.
    pub fn spaces(&self, size: usize, most: usize) -> Spaces {
        let count = |walls: u64| usize::try_from(walls).unwrap_or(usize::MAX);
        match self.range(Column::Walls) {
            None => Spaces::from(size),
            Some(walls) => {
                let least = count(walls.least());
                Spaces::with_walls(size, least..=walls.most().map_or(most.max(least), count))
            }
        }
    }

    /// The same for a catalogue that may have puzzles with walls: those without, if
    /// nothing is said of walls.
    pub fn of(mut self, catalogue: &Catalogue) -> Query {
        let walls = catalogue.spaces().walls();
        if walls.end() > walls.start() && self.range(Column::Walls).or(self.range(Column::Id)).is_none() {
            self.ranges.push((Column::Walls, Range::from(0..=0)));
        }
        self
    }
}

impl Catalogue {
    /// How many puzzles match, whatever the limit.
    ///
    /// # Panics
    /// If there is a range of a column that is none of [`Column::numbers`].
    pub fn count(&self, query: &Query) -> Result<usize, CatalogueError> {
        let count = |chunk| Ok(self.matching(query, chunk)?.into_iter().map(usize::from).sum::<usize>());
        (0..self.chunks()).map(count).sum()
    }

    /// How often each value of a column is among the puzzles that match; other than
    /// whole numbers are rounded down.
    ///
    /// # Panics
    /// If the column, or one with a range, is none of [`Column::numbers`].
    pub fn histogram(&self, query: &Query, of: Column) -> Result<BTreeMap<u64, u64>, CatalogueError> {
        let mut counts = BTreeMap::new();
        for chunk in 0..self.chunks() {
            let keys = self.column(of, chunk)?.keys();
            for (key, _) in keys.into_iter().zip(self.matching(query, chunk)?).filter(|(_, kept)| *kept) {
                let value = if of.about().holds == Holds::Real { f64::from_bits(key) as u64 } else { key };
                *counts.entry(value).or_default() += 1;
            }
        }
        Ok(counts)
    }

    /// The puzzles that match.
    ///
    /// # Panics
    /// If there are more than [`MOST_SORTS`] columns to sort by, or a column to
    /// sort or filter by is none of [`Column::numbers`].
    pub fn select(&self, query: &Query) -> Result<Puzzles<'_>, CatalogueError> {
        self.choose(query)?.read(self)
    }

    /// Which puzzles match: they can be read later, some at a time.
    ///
    /// # Panics
    /// As [`select`](Catalogue::select).
    pub fn choose(&self, query: &Query) -> Result<Chosen, CatalogueError> {
        assert!(query.sort.len() <= MOST_SORTS, "at most {MOST_SORTS} columns are sorted by");
        let (chosen, matching) = match query.distinct {
            None => self.chosen(query, query.limit)?,
            Some(degree) => self.distinct(query, degree)?,
        };
        Ok(Chosen { matching, ids: self.keys(Column::Id, &chosen)? })
    }

    /// The first puzzles that match and are like none before them. Most often a few
    /// times as many as are wanted are enough to look at.
    fn distinct(&self, query: &Query, degree: u32) -> Result<(Vec<u32>, usize), CatalogueError> {
        let wanted = query.limit.unwrap_or(usize::MAX);
        let mut tried = wanted.saturating_mul(8);
        loop {
            let drawn = Query {
                sort: if query.random.is_some() { Vec::new() } else { query.sort.clone() },
                ..query.clone()
            };
            let (chosen, matching) = self.chosen(&drawn, Some(tried))?;
            let ids = self.keys(Column::Id, &chosen)?;
            let mut distinct = Distinct::new(degree);
            let mut kept = Vec::new();
            for (&index, &id) in chosen.iter().zip(&ids) {
                if kept.len() == wanted {
                    break;
                }
                if distinct.admits(&self.board_of(id)?) {
                    kept.push(index);
                }
            }
            if kept.len() == wanted || chosen.len() == matching {
                let kept = if query.random.is_some() { self.sorted(kept, &query.sort)? } else { kept };
                return Ok((kept, matching));
            }
            tried = tried.saturating_mul(8);
        }
    }

    /// The board of a puzzle. (To find it by its number takes a second: all boards of
    /// the size have to be counted for the first one.)
    pub(super) fn board_of(&self, id: u64) -> Result<Board, CatalogueError> {
        let read = || {
            let mut select = self.db.prepare_cached("SELECT board FROM puzzles WHERE id = ?1")?;
            select.query_row([id as i64], |row| row.get::<_, String>(0)).optional()
        };
        let text = read().map_err(|e| self.sqlite(e))?;
        let text = text.ok_or_else(|| self.damaged(format!("puzzle {id} has no row")))?;
        Board::parse(&text).map_err(|error| self.damaged(format!("the board of puzzle {id}: {error}")))
    }

    /// The numbers of the first puzzles that match, and how many match.
    pub(super) fn chosen(
        &self,
        query: &Query,
        limit: Option<usize>,
    ) -> Result<(Vec<u32>, usize), CatalogueError> {
        let mut best = Best::new(limit);
        let mut matching = 0;
        for chunk in 0..self.chunks() {
            let indexes = numbers((chunk * CHUNK) as u32, &self.matching(query, chunk)?);
            matching += indexes.len();
            match query.random {
                Some(seed) => self.offer(&mut best, &indexes, &Order::Lot(split_mix(seed)))?,
                None => self.offer(&mut best, &indexes, &Order::Columns(&query.sort))?,
            }
        }
        let chosen = best.in_order();
        let chosen = if query.random.is_some() { self.sorted(chosen, &query.sort)? } else { chosen };
        Ok((chosen, matching))
    }

    /// Sorts puzzles that were drawn at random, if that is asked for.
    fn sorted(&self, mut chosen: Vec<u32>, sort: &[Sort]) -> Result<Vec<u32>, CatalogueError> {
        if sort.is_empty() {
            return Ok(chosen);
        }
        chosen.sort_unstable();
        let mut best = Best::new(None);
        self.offer(&mut best, &chosen, &Order::Columns(sort))?;
        Ok(best.in_order())
    }

    /// For each puzzle of a chunk: does it match?
    fn matching(&self, query: &Query, chunk: usize) -> Result<Vec<bool>, CatalogueError> {
        let mut kept = vec![true; self.in_chunk(chunk)];
        let column = |column| self.column(column, chunk);
        match query.rules {
            Rules::All => {}
            Rules::Classic => column(Column::Classic)?.keep(&mut kept, |key| key == 1),
            Rules::Rush => column(Column::Rush)?.keep(&mut kept, |key| key == 1),
        }
        for &(of, range) in &query.ranges {
            let range = Range { least: of.key_of(range.least), most: of.key_of(range.most) };
            column(of)?.keep(&mut kept, |key| range.contains(key));
        }
        if query.kinds != 0 {
            column(Column::LineKinds)?.keep(&mut kept, |key| key & query.kinds == query.kinds);
        }
        if let Some(Inventory { cars, trucks }) = query.inventory {
            column(Column::Cars)?.keep(&mut kept, |key| key <= cars);
            column(Column::Trucks)?.keep(&mut kept, |key| key <= trucks);
        }
        Ok(kept)
    }

    /// Offers puzzles, by rising number, with their keys.
    fn offer(&self, best: &mut Best, indexes: &[u32], order: &Order) -> Result<(), CatalogueError> {
        for indexes in indexes.chunk_by(|&a, &b| chunk_of(a) == chunk_of(b)) {
            let column = |column| self.column(column, chunk_of(indexes[0]));
            let columns: Vec<Vec<u64>> = match order {
                Order::Lot(_) => vec![column(Column::Id)?.keys()],
                Order::Columns(sorts) => {
                    let columns = sorts.iter().map(|sort| Ok(column(sort.column)?.keys()));
                    columns.collect::<Result<_, CatalogueError>>()?
                }
            };
            for &index in indexes {
                let key = |place: usize| order.key(place, columns[place][index as usize % CHUNK]);
                // Most are no match for the best so far, and the first key shows it.
                if columns.is_empty() || best.wants(key(0)) {
                    let mut keys = [0; MOST_SORTS];
                    (0..columns.len()).for_each(|place| keys[place] = key(place));
                    best.offer(keys, index);
                }
            }
        }
        Ok(())
    }

    /// What a column says of puzzles, by their numbers. Each chunk is read once.
    pub(super) fn keys(&self, column: Column, indexes: &[u32]) -> Result<Vec<u64>, CatalogueError> {
        let mut places: Vec<usize> = (0..indexes.len()).collect();
        places.sort_unstable_by_key(|&place| indexes[place]);
        let mut found = vec![0; indexes.len()];
        for places in places.chunk_by(|&a, &b| chunk_of(indexes[a]) == chunk_of(indexes[b])) {
            let keys = self.column(column, chunk_of(indexes[places[0]]))?.keys();
            for &place in places {
                found[place] = keys[indexes[place] as usize % CHUNK];
            }
        }
        Ok(found)
    }
}

/// The numbers of those that are kept, from `first` on. Without a branch, since
/// no processor can tell which way it would go.
fn numbers(first: u32, kept: &[bool]) -> Vec<u32> {
    let mut numbers = vec![0; kept.len() + 1];
    let mut len = 0;
    for (number, &kept) in (first..).zip(kept) {
        numbers[len] = number;
        len += usize::from(kept);
    }
    numbers.truncate(len);
    numbers
}

fn chunk_of(index: u32) -> usize {
    index as usize / CHUNK
}

/// What decides which puzzles come first.
enum Order<'q> {
    Columns(&'q [Sort]),
    /// The id, hashed with a seed: no two puzzles get the same number.
    Lot(u64),
}

impl Order<'_> {
    /// What the key of a column counts in its place of the order.
    #[inline]
    fn key(&self, place: usize, key: u64) -> u64 {
        match self {
            Order::Lot(seed) => split_mix(seed ^ key),
            Order::Columns(sorts) if sorts[place].falling => !key,
            Order::Columns(_) => key,
        }
    }
}

/// The puzzles with the least keys so far; of equal ones the lesser number.
struct Best {
    limit: usize,
    /// The greatest is on top.
    heap: BinaryHeap<([u64; MOST_SORTS], u32)>,
}

impl Best {
    fn new(limit: Option<usize>) -> Best {
        Best { limit: limit.unwrap_or(usize::MAX), heap: BinaryHeap::new() }
    }

    /// Could a puzzle with this first key be among the best?
    #[inline]
    fn wants(&self, first: u64) -> bool {
        self.heap.len() < self.limit || self.heap.peek().is_some_and(|(worst, _)| first <= worst[0])
    }

    fn offer(&mut self, keys: [u64; MOST_SORTS], index: u32) {
        if self.heap.len() < self.limit {
            self.heap.push((keys, index));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && (keys, index) < *worst
        {
            *worst = (keys, index);
        }
    }

    fn in_order(self) -> Vec<u32> {
        self.heap.into_sorted_vec().into_iter().map(|(_, index)| index).collect()
    }
}

/// Puzzles that match, by their ids. It belongs to nobody, so it can be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// How many match, whatever the limit.
    pub matching: usize,
    /// The ids of those within the limit, in order.
    pub ids: Vec<u64>,
}

impl Chosen {
    /// Reads them one after the other, from the catalogue that chose them.
    pub fn read(self, catalogue: &Catalogue) -> Result<Puzzles<'_>, CatalogueError> {
        let select = catalogue.db.prepare_cached(&row::select(ONE)).map_err(|e| catalogue.sqlite(e))?;
        let Chosen { matching, ids } = self;
        Ok(Puzzles { catalogue, matching, ids: ids.into_iter(), select, unpacker: catalogue.unpacker()? })
    }
}

/// The puzzles that match, read one after the other.
pub struct Puzzles<'c> {
    catalogue: &'c Catalogue,
    matching: usize,
    ids: std::vec::IntoIter<u64>,
    select: CachedStatement<'c>,
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

    /// Without reading those before it.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if let Some(last) = n.checked_sub(1) {
            self.ids.nth(last)?;
        }
        self.next()
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
    fn the_first_by_key_and_then_by_number() {
        let first = |limit| {
            let mut best = Best::new(limit);
            (0..).zip([5u64, 1, 5, 0, 1]).for_each(|(index, key)| best.offer([key, 0, 0, 0], index));
            best.in_order()
        };
        assert_eq!(first(None), [3, 1, 4, 0, 2]);
        assert_eq!(first(Some(3)), [3, 1, 4]);
        assert_eq!(first(Some(2)), [3, 1]);
        assert!(first(Some(0)).is_empty());
    }
}
