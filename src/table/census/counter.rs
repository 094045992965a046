//! Counting the distances of one signature, and finding boards by their distance.

use super::frame::FrameCounts;
use crate::board::Distance;
use crate::space::{Blocks, SignatureId};
use crate::table::record::Record;
use crate::table::strips::Frame;
use crate::table::strips::decompressor;
use crate::table::{Table, TableError};

/// Counts the boards of signatures by distance; for one thread.
pub struct Counter<'t> {
    table: &'t Table,
    zstd: zstd::bulk::Decompressor<'static>,
    frame: Frame,
    in_frame: FrameCounts,
    counts: [u32; 256],
}

impl<'t> Counter<'t> {
    /// A counter of this table.
    pub fn new(table: &'t Table) -> Counter<'t> {
        Counter {
            table,
            zstd: decompressor(),
            frame: Frame::default(),
            in_frame: FrameCounts::new(),
            counts: [0; 256],
        }
    }

    /// How many boards of a signature have each distance; the last count is
    /// that of the unsolvable ones.
    pub fn count(&mut self, id: SignatureId, blocks: &Blocks) -> Result<&[u32; 256], TableError> {
        let record = Record::orderly(self.table, id, blocks)?;
        self.counts.fill(0);
        for i in 0..record.directory().frames() {
            self.count_frame(&record, i, blocks)?;
            for (sum, count) in self.counts.iter_mut().zip(self.in_frame.counts()) {
                *sum += count;
            }
        }
        self.counts[0] = (blocks.boards() - blocks.unsolved_boards()) as u32;
        Ok(&self.counts)
    }

    /// Finds boards of a signature by their distance: replaces `found` by the
    /// numbers within the signature of those that are `wanted`. Each of these is
    /// a distance and a number that counts the signature's
    /// boards at that distance from 0, in their order.
    ///
    /// Asking for more boards than [`Counter::count`] says there are is an error:
    /// the table is not the one that was counted.
    ///
    /// # Panics
    ///
    /// If what is wanted is not sorted.
    pub fn select(
        &mut self,
        id: SignatureId,
        blocks: &Blocks,
        wanted: &[(Distance, u32)],
        found: &mut Vec<u32>,
    ) -> Result<(), TableError> {
        assert!(wanted.is_sorted(), "one pass finds what is sorted");
        if let Some(&too_far) = wanted.iter().find(|(distance, _)| !distance.fits_byte()) {
            return Err(self.missing(id, too_far));
        }
        found.clear();
        found.resize(wanted.len(), 0);
        let solved = wanted.partition_point(|&(distance, _)| distance == Distance::SOLVED);
        for (found, &(_, nth)) in found.iter_mut().zip(&wanted[..solved]) {
            // They are not stored, and come last.
            let number = blocks.unsolved_boards() + u64::from(nth);
            if number >= blocks.boards() {
                return Err(self.missing(id, (Distance::SOLVED, nth)));
            }
            *found = number as u32;
        }
        let mut searches = searches(&wanted[solved..], &mut found[solved..]);
        let record = Record::orderly(self.table, id, blocks)?;
        for i in 0..record.directory().frames() {
            if searches.is_empty() {
                return Ok(());
            }
            self.count_frame(&record, i, blocks)?;
            let first = record.directory().frame(i).first_strip;
            for search in &mut searches {
                search.in_frame(&mut self.in_frame, &self.frame, |strip| {
                    blocks.first_in_strip(first + strip as u32) as u32
                });
            }
            searches.retain(|search| !search.wanted.is_empty());
        }
        searches.first().map_or(Ok(()), |search| Err(self.missing(id, search.wanted[0])))
    }

    fn missing(&self, id: SignatureId, (distance, nth): (Distance, u32)) -> TableError {
        self.table.damaged(format!("signature {} has no board {nth} at distance {distance}", id.0))
    }

    fn count_frame(&mut self, record: &Record, frame: usize, blocks: &Blocks) -> Result<(), TableError> {
        record.decode(frame, &mut self.zstd, &mut self.frame)?;
        self.in_frame.read(&self.frame);
        let (mut tokens, _) = self.frame.pairs();
        for (h, part) in blocks.cut(record.directory().strips_of(frame)) {
            let (here, after) = tokens.split_at(part.len());
            if !self.in_frame.have_length(here, blocks.strip_len(h)) {
                return Err(self.table.damaged("a strip has the wrong length"));
            }
            tokens = after;
        }
        self.in_frame.count(&self.frame);
        if self.in_frame.counts()[0] > 0 {
            return Err(self.table.damaged("an unsolved board is said to be solved"));
        }
        Ok(())
    }
}

/// Boards at one distance that are still to be found.
struct Search<'w> {
    distance: Distance,
    wanted: &'w [(Distance, u32)],
    found: &'w mut [u32],
    /// Boards at that distance in the frames before.
    before: u32,
}

/// One search for each distance.
fn searches<'w>(wanted: &'w [(Distance, u32)], mut found: &'w mut [u32]) -> Vec<Search<'w>> {
    let at_one_distance = wanted.chunk_by(|a, b| a.0 == b.0);
    let searches = at_one_distance.map(|wanted| {
        let (found_here, after) = std::mem::take(&mut found).split_at_mut(wanted.len());
        found = after;
        Search { distance: wanted[0].0, wanted, found: found_here, before: 0 }
    });
    searches.collect()
}

impl Search<'_> {
    /// Finds what is in a frame that was counted.
    fn in_frame(&mut self, counts: &mut FrameCounts, frame: &Frame, first: impl Fn(usize) -> u32) {
        let before = self.before;
        self.before += counts.counts()[usize::from(self.distance.byte())];
        let (here, later) = self.wanted.split_at(self.wanted.partition_point(|&(_, nth)| nth < self.before));
        if here.is_empty() {
            return;
        }
        let (found, found_later) = std::mem::take(&mut self.found).split_at_mut(here.len());
        let mut found = found.iter_mut();
        let in_frame = here.iter().map(|&(_, nth)| nth - before);
        counts.find(frame, self.distance.byte(), in_frame, first, |board| {
            *found.next().expect("one for each number") = board;
        });
        (self.wanted, self.found) = (later, found_later);
    }
}
