//! Boards drawn from a table distance by distance.
//!
//! How many boards every signature has at each distance is counted first
//! ([`Census`]); with that the boards at a distance are numbered without gaps,
//! in the order of their ranks. Each stratum takes the first numbers of a
//! shuffled order of its own, and the boards of these numbers are found in one
//! pass over the table for a whole batch. How many boards of some [`Shape`]
//! there are nobody counted: strata go on through their orders, in rounds,
//! until they have enough.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::draw::FIRST_GUESS;
use super::phases::UNIT;
use super::tables::in_order;
use super::{Drawn, ExportError, Permutation, Shape, Tables};
use crate::board::{Distance, Histogram};
use crate::progress::{Observer, Progress};
use crate::random;
use crate::space::{Blocks, SignatureId};
use crate::table::{Census, Counter};

/// Boards found at a time: one pass over the table each.
pub(super) const BATCH: usize = 1 << 20;

/// Boards that are drawn together: those at some distances in the first metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stratum {
    /// The distances.
    pub distances: Vec<Distance>,
    /// How many boards to draw; there must be as many.
    pub wanted: u64,
}

impl Stratum {
    /// A stratum for each distance that has boards, with so many of them, or
    /// all where there are fewer.
    pub fn each(histogram: &[(Distance, u64)], wanted: u64) -> Vec<Stratum> {
        let stratum = |&(distance, boards): &(Distance, u64)| Stratum {
            distances: vec![distance],
            wanted: wanted.min(boards),
        };
        histogram.iter().map(stratum).collect()
    }

    /// A stratum for each distance, `wanted` boards together, shared out by the
    /// square roots of how many boards there are. What a rare distance cannot
    /// give the others do, and each has one board at least if that is possible.
    ///
    /// This is the *power allocation* of survey statistics with power ½
    /// (Bankier 1988), halfway between equal shares and true proportions.
    pub fn by_root(histogram: &[(Distance, u64)], wanted: u64) -> Vec<Stratum> {
        let mut rarest_first: Vec<&(Distance, u64)> = histogram.iter().collect();
        rarest_first.sort_by_key(|(_, boards)| *boards);
        let mut weights: u128 = histogram.iter().map(|(_, boards)| u128::from(boards.isqrt())).sum();
        let mut left = wanted;
        let mut strata = Vec::new();
        for &&(distance, boards) in &rarest_first {
            let weight = u128::from(boards.isqrt());
            let share = (u128::from(left) * weight).div_ceil(weights.max(1)) as u64;
            let wanted = share.min(boards).min(left);
            left -= wanted;
            weights -= weight;
            strata.push(Stratum { distances: vec![distance], wanted });
        }
        // Whole roots are a little too small, so that some may have room left.
        for (stratum, (_, boards)) in strata.iter_mut().zip(&rarest_first) {
            let more = left.min(boards - stratum.wanted);
            stratum.wanted += more;
            left -= more;
        }
        strata.sort_by_key(|stratum| stratum.distances[0]);
        strata
    }
}

/// Draws strata, one after the other.
pub struct Strata<'t> {
    tables: Tables<'t>,
    census: Census,
    seed: u64,
    shape: Option<&'t Shape>,
    /// Those of this round, and which of them comes next.
    strata: Vec<Turn>,
    next: usize,
    under_way: Option<Numbering>,
    /// All boards, and how many of them have been found.
    wanted: u64,
    found: u64,
}

/// A stratum in a round.
struct Turn {
    distances: Vec<Distance>,
    /// How many boards are found, and how many are not yet.
    found: u64,
    left: u64,
    /// The places of its order that are to be looked at in this round.
    places: std::ops::Range<u64>,
    /// How many places there are.
    boards: u64,
}

impl Turn {
    fn new(stratum: Stratum, histogram: &Histogram) -> Turn {
        let Stratum { distances, wanted } = stratum;
        let here = histogram.iter().filter(|(distance, _)| distances.contains(distance));
        let boards = here.map(|(_, boards)| boards).sum();
        Turn { distances, found: 0, left: wanted, places: 0..wanted.min(boards), boards }
    }

    /// How far to go in the next round: boards of the shape are as many as
    /// before, or one of [`FIRST_GUESS`].
    fn end_of_next(&self) -> u64 {
        let done = self.places.end;
        let (left, of) = (u128::from(self.left), u128::from(done + FIRST_GUESS));
        let expected = left * of / u128::from(self.found + 1);
        // A little more, or the last rounds would be tiny.
        (u128::from(done) + expected + expected / 8 + 64).min(u128::from(self.boards)) as u64
    }
}

/// The boards of a stratum, numbered.
struct Numbering {
    order: Permutation,
    /// For each distance: the number of its first board at every signature.
    firsts: Vec<(Distance, Vec<u64>)>,
}

/// A board to be found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Want {
    signature: u32,
    distance: Distance,
    /// Among those of the signature at this distance.
    nth: u32,
    /// In the batch.
    place: u32,
}

impl<'t> Strata<'t> {
    /// Draws these strata, no two of which share a distance, from tables whose
    /// first one was counted.
    pub fn new(tables: Tables<'t>, census: Census, strata: Vec<Stratum>, seed: u64) -> Strata<'t> {
        let wanted = strata.iter().fold(0, |sum: u64, stratum| sum.saturating_add(stratum.wanted));
        let turns = strata.into_iter().map(|stratum| Turn::new(stratum, tables.histogram()));
        let strata = turns.collect();
        Strata { tables, census, seed, shape: None, strata, next: 0, under_way: None, wanted, found: 0 }
    }

    /// Draws boards of this shape only, if there is one: all there are at
    /// distances that have fewer than are wanted.
    pub fn of_shape(mut self, shape: Option<&'t Shape>) -> Strata<'t> {
        if shape.is_some() {
            for turn in &mut self.strata {
                turn.places = 0..0;
                turn.places.end = turn.end_of_next();
            }
        }
        Strata { shape, ..self }
    }

    /// How many boards were found so far.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// The next boards; none after the last.
    pub fn next_batch(&mut self, observer: &dyn Observer) -> Option<Result<Vec<Drawn>, ExportError>> {
        let mut wants = self.wants();
        if wants.is_empty() {
            self.next_round();
            wants = self.wants();
        }
        if wants.is_empty() {
            return None;
        }
        Some(self.look_up(wants, observer).map(|found| self.taken(found)))
    }

    /// The boards of these that are still wanted.
    fn taken(&mut self, mut found: Vec<Drawn>) -> Vec<Drawn> {
        found.retain(|drawn| {
            let mut turns = self.strata.iter_mut();
            let turn = turns.find(|turn| turn.distances.contains(&drawn.distances[0]));
            let turn = turn.expect("it was looked for at a distance of this round");
            let is_wanted = turn.left > 0;
            turn.left -= u64::from(is_wanted);
            turn.found += u64::from(is_wanted);
            is_wanted
        });
        self.found += found.len() as u64;
        found
    }

    /// On with the strata that have not enough boards, as far as there are more.
    fn next_round(&mut self) {
        for turn in &mut self.strata {
            turn.places = turn.places.end..turn.end_of_next();
        }
        self.strata.retain(|turn| turn.left > 0 && !turn.places.is_empty());
        self.next = 0;
    }

    fn number(&self, distances: &[Distance]) -> Numbering {
        let mut sum = 0;
        let mut firsts = Vec::new();
        for &distance in distances {
            let counts =
                (0..self.tables.space().signatures()).map(|id| self.count(SignatureId(id), distance));
            let first = counts.map(|count| {
                sum += u64::from(count);
                sum - u64::from(count)
            });
            firsts.push((distance, first.collect()));
        }
        // Each stratum has a seed of its own, which does not depend on the others.
        let first = distances.first().and_then(|distance| distance.known());
        let seed = random::draw(self.seed, first.map_or(u8::MAX.into(), u64::from));
        Numbering { order: Permutation::new(sum, seed), firsts }
    }

    fn count(&self, id: SignatureId, distance: Distance) -> u32 {
        match distance.known() {
            None => self.census.unsolvable(id),
            Some(distance) => self.census.solvable(id).get(distance as usize).copied().unwrap_or(0),
        }
    }

    /// What is to be found next.
    fn wants(&mut self) -> Vec<Want> {
        let mut wants = Vec::new();
        while let Some(turn) = self.strata.get(self.next)
            && wants.len() < BATCH
        {
            let numbering = self.under_way.take().unwrap_or_else(|| self.number(&turn.distances));
            let room = (BATCH - wants.len()) as u64;
            let places = &mut self.strata[self.next].places;
            let (start, end) = (places.start, places.end.min(places.start + room));
            wants.extend((start..end).zip(wants.len() as u32..).map(|(place, at)| numbering.want(place, at)));
            places.start = end;
            if places.is_empty() {
                self.next += 1;
            } else {
                self.under_way = Some(numbering);
            }
        }
        wants
    }

    fn look_up(&self, mut wants: Vec<Want>, observer: &dyn Observer) -> Result<Vec<Drawn>, ExportError> {
        wants.par_sort_unstable();
        let signatures: Vec<&[Want]> = wants.chunk_by(|a, b| a.signature == b.signature).collect();
        // A signature takes as long as it has boards, however few are wanted.
        let size_of =
            |wants: &[Want]| u64::from(self.tables.space().sizes()[wants[0].signature as usize].boards);
        let all: u64 = signatures.iter().map(|wants| size_of(wants)).sum();
        let looked_at = AtomicU64::new(0);
        let tell = |more: u64| {
            let share = (looked_at.fetch_add(more, Ordering::Relaxed) + more) as f64 / all as f64;
            // How many of them have a shape nobody knows yet.
            let hoped = if self.shape.is_some() { 0.0 } else { wants.len() as f64 };
            let done = self.found + (share * hoped) as u64;
            observer.advanced(Progress { unit: UNIT, done, before: 0, total: Some(self.wanted) });
        };
        let table = self.tables.by_metric[0];
        let find = |counter: &mut Counter<'_>, wants: &&[Want]| {
            if observer.wants_stop() {
                return Err(ExportError::Stopped);
            }
            let id = SignatureId(wants[0].signature);
            if self.shape.is_some_and(|shape| !shape.may_fit(self.tables.space(), id)) {
                tell(size_of(wants));
                return Ok(Vec::new());
            }
            let blocks = Blocks::new(self.tables.space(), id);
            let wanted: Vec<(Distance, u32)> = wants.iter().map(|want| (want.distance, want.nth)).collect();
            let mut numbers = Vec::new();
            let selected = counter.select(id, &blocks, &wanted, &mut numbers);
            selected.map_err(|error| ExportError::of_table(table, error))?;
            let mut signature = self.tables.signature(id, &blocks)?;
            let mut found = Vec::with_capacity(wants.len());
            for (want, number) in wants.iter().zip(numbers.into_iter().map(u64::from)) {
                if self.shape.is_none_or(|shape| shape.fits(blocks.space(), &blocks.position(number))) {
                    found.push((want.place, signature.board(number, Some(want.distance))?));
                }
            }
            tell(size_of(wants));
            Ok(found)
        };
        let parts: Vec<Vec<(u32, Drawn)>> =
            signatures.par_iter().map_init(|| Counter::new(table), find).collect::<Result<_, _>>()?;
        Ok(in_order(parts))
    }
}

impl Numbering {
    fn want(&self, place: u64, in_batch: u32) -> Want {
        let number = self.order.at(place);
        let at = self.firsts.partition_point(|(_, firsts)| firsts[0] <= number) - 1;
        let (distance, firsts) = &self.firsts[at];
        let signature = firsts.partition_point(|&first| first <= number) - 1;
        let nth = (number - firsts[signature]) as u32;
        Want { signature: signature as u32, distance: *distance, nth, place: in_batch }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(strata: &[Stratum]) -> Vec<u64> {
        strata.iter().map(|stratum| stratum.wanted).collect()
    }

    #[test]
    fn the_same_number_at_each_distance_or_all() {
        let histogram =
            [(Distance::from_byte(0), 100), (Distance::from_byte(1), 7), (Distance::from_byte(255), 50)];
        assert_eq!(wanted(&Stratum::each(&histogram, 10)), [10, 7, 10]);
    }

    #[test]
    fn shares_that_take_all_boards() {
        assert_eq!(
            wanted(&Stratum::by_root(&[(Distance::from_byte(0), 8), (Distance::from_byte(1), 9)], 17)),
            [8, 9]
        );
    }

    #[test]
    fn shares_by_the_root() {
        let histogram = [
            (Distance::from_byte(0), 10_000),
            (Distance::from_byte(1), 40_000),
            (Distance::from_byte(2), 100),
        ];
        // 100 : 200 : 10.
        assert_eq!(wanted(&Stratum::by_root(&histogram, 310)), [100, 200, 10]);
        // The rarest gives all, the others the rest.
        assert_eq!(wanted(&Stratum::by_root(&histogram, 6300)), [2067, 4133, 100]);
        assert_eq!(wanted(&Stratum::by_root(&histogram, 50_100)), [10_000, 40_000, 100]);
        for all in [1, 2, 3, 4, 5, 100, 101, 50_099] {
            let strata = Stratum::by_root(&histogram, all);
            assert_eq!(wanted(&strata).iter().sum::<u64>(), all);
            assert!(all < 3 || strata.iter().all(|stratum| stratum.wanted > 0), "{all}");
        }
    }
}
