//! Boards drawn from a table at random, each as likely as any other.
//!
//! The ranks of all boards are put into a shuffled order ([`Permutation`]) and
//! the solvable ones are taken from its beginning until there are enough. So
//! no board comes twice, and a larger dataset of the same seed begins with the
//! smaller one. Of boards of some [`Shape`] all others are passed over. A batch of ranks is looked up in rising order: every signature
//! is laid out once, and every frame of the table decoded once at most.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::phases::UNIT;
use super::tables::in_order;
use super::{Drawn, ExportError, Permutation, Shape, Tables};
use crate::progress::{Observer, Progress};
use crate::space::{Blocks, Rank, SignatureId};

/// Ranks looked up at a time. The more there are, the more share a signature
/// and a frame of the table; this many take some 150 MB.
const BATCH: u64 = 1 << 21;
/// One of so many boards has a shape, before any was looked at.
pub(super) const FIRST_GUESS: u64 = 8;

/// Boards drawn at random, batch by batch.
pub struct Draw<'t> {
    tables: Tables<'t>,
    order: Permutation,
    /// How much of the order has been looked at.
    done: u64,
    wanted: u64,
    /// How many of them are still to be found.
    left: u64,
    with_unsolvable: bool,
    shape: Option<&'t Shape>,
}

impl<'t> Draw<'t> {
    /// Draws so many boards that can be solved, or of all boards if
    /// `with_unsolvable` is set; all there are if there are fewer.
    pub fn new(tables: Tables<'t>, count: u64, seed: u64, with_unsolvable: bool) -> Draw<'t> {
        let order = Permutation::new(tables.space().boards(), seed);
        Draw { tables, order, done: 0, wanted: count, left: count, with_unsolvable, shape: None }
    }

    /// Draws boards of this shape only, if there is one.
    pub fn of_shape(self, shape: Option<&'t Shape>) -> Draw<'t> {
        Draw { shape, ..self }
    }

    /// How many boards were found so far.
    pub fn found(&self) -> u64 {
        self.wanted - self.left
    }

    /// The next boards; none after the last.
    pub fn next_batch(&mut self, observer: &dyn Observer) -> Option<Result<Vec<Drawn>, ExportError>> {
        let batch = self.next_len();
        if self.left == 0 || batch == 0 {
            return None;
        }
        let found = self.look_up(self.done..self.done + batch, observer).map(|mut drawn| {
            drawn.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left -= drawn.len() as u64;
            drawn
        });
        self.done += batch;
        Some(found)
    }

    /// How much of the order is probably needed for what is left.
    fn next_len(&self) -> u64 {
        let all = self.tables.space().boards();
        let (found, of) = match self.shape {
            None if self.with_unsolvable => (1, 1),
            None => (all - self.tables.histogram().unsolvable(), all),
            // As so far; of the first ones, one of so many.
            Some(_) => (self.found() + 1, self.done + FIRST_GUESS),
        };
        let expected = u128::from(self.left) * u128::from(of) / u128::from(found.max(1));
        // A little more, or the last batches would be tiny.
        let expected = (expected + expected / 64 + 64).min(u128::from(BATCH)) as u64;
        expected.min(all - self.done)
    }

    fn look_up(
        &self,
        places: std::ops::Range<u64>,
        observer: &dyn Observer,
    ) -> Result<Vec<Drawn>, ExportError> {
        let all_found = AtomicU64::new(self.wanted - self.left);
        let space = self.tables.space();
        let start = places.start;
        let mut ranks: Vec<(Rank, u32)> = places
            .into_par_iter()
            .map(|place| (Rank(self.order.at(place)), (place - start) as u32))
            .collect();
        ranks.par_sort_unstable();
        let mut signatures = Vec::new();
        let mut rest = &ranks[..];
        while let Some((rank, _)) = rest.first() {
            let id = space.signature_at(*rank).expect("the order has ranks of the space");
            let sizes = &space.sizes()[id.0 as usize];
            let end = sizes.first + u64::from(sizes.boards);
            let (here, after) = rest.split_at(rest.partition_point(|(rank, _)| rank.0 < end));
            signatures.push((id, sizes.first, here));
            rest = after;
        }
        let look_up = |&(id, first, ranks): &(SignatureId, u64, &[(Rank, u32)])| {
            let mut found = Vec::new();
            if self.shape.is_some_and(|shape| !shape.may_fit(space, id)) {
                return Ok(found);
            }
            let blocks = Blocks::new(space, id);
            let mut signature = self.tables.signature(id, &blocks)?;
            for (rank, place) in ranks {
                if observer.wants_stop() {
                    return Err(ExportError::Stopped);
                }
                let number = rank.0 - first;
                if self.shape.is_some_and(|shape| !shape.fits(space, &blocks.position(number))) {
                    continue;
                }
                let drawn = signature.board(number, None)?;
                if self.with_unsolvable || drawn.is_solvable() {
                    found.push((*place, drawn));
                }
            }
            let here = found.len() as u64;
            // Some of the last may be too many.
            let done = self.wanted.min(all_found.fetch_add(here, Ordering::Relaxed) + here);
            observer.advanced(Progress { unit: UNIT, done, before: 0, total: Some(self.wanted) });
            Ok(found)
        };
        let parts: Vec<Vec<(u32, Drawn)>> = signatures.par_iter().map(look_up).collect::<Result<_, _>>()?;
        Ok(in_order(parts))
    }
}
