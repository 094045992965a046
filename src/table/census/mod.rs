//! The census: how many boards of every signature have each distance.
//!
//! No board is unpacked for it (see `frame.rs`); decompressing takes two fifths of
//! the time. With the counts at hand, any board at a distance can be asked for
//! by its number among them ([`Counter::select`]).

mod counter;
mod frame;
mod kept;

use rayon::prelude::*;

use super::{Table, TableError};
use crate::board::{Distance, Histogram};
use crate::progress::{Count, Observer};
use crate::space::{Blocks, SignatureId};
pub use counter::Counter;

/// Signatures that a thread takes at a time. Their sizes differ a thousandfold,
/// so the threads end together only if none has many left.
const CHUNK: u32 = 64;

/// How many boards of every signature have each distance: 4 to 5 MB for 6×6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// For each signature the unsolvable boards, then those at distance 0, 1, …
    /// up to its largest.
    counts: Vec<u32>,
    /// Where each signature starts; one more marks the end.
    starts: Vec<u32>,
}

impl Census {
    /// Counts a table; nothing is the result if the observer stops it.
    pub fn take(table: &Table, observer: &dyn Observer) -> Result<Option<Census>, TableError> {
        let boards = Count::new(observer, "boards", table.header().boards);
        let signatures = table.space().signatures();
        let chunks: Result<Vec<Option<Census>>, TableError> = (0..signatures.div_ceil(CHUNK))
            .into_par_iter()
            .with_max_len(1)
            .map_init(
                || Counter::new(table),
                |counter, chunk| {
                    let mut census = Census::empty();
                    for id in (chunk * CHUNK..signatures.min((chunk + 1) * CHUNK)).map(SignatureId) {
                        if observer.wants_stop() {
                            return Ok(None);
                        }
                        let blocks = Blocks::new(table.space(), id);
                        census.push(counter.count(id, &blocks)?);
                        boards.add(blocks.boards());
                    }
                    Ok(Some(census))
                },
            )
            .collect();
        let mut census = Census::empty();
        for chunk in chunks? {
            let Some(chunk) = chunk else { return Ok(None) };
            census.append(&chunk);
        }
        Ok(Some(census))
    }

    /// How many boards of a signature have each distance, up to the largest.
    pub fn solvable(&self, id: SignatureId) -> &[u32] {
        &self.of(id)[1..]
    }

    /// How many boards of a signature are unsolvable.
    pub fn unsolvable(&self, id: SignatureId) -> u32 {
        self.of(id)[0]
    }

    /// How many boards have each distance.
    pub fn histogram(&self) -> Histogram {
        let mut histogram = Histogram::default();
        for id in (0..self.signatures()).map(SignatureId) {
            histogram[Distance::UNSOLVABLE] += u64::from(self.unsolvable(id));
            for (distance, &count) in (0..=u8::MAX).zip(self.solvable(id)) {
                histogram[Distance::from_byte(distance)] += u64::from(count);
            }
        }
        histogram
    }

    fn signatures(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    fn of(&self, id: SignatureId) -> &[u32] {
        &self.counts[self.starts[id.0 as usize] as usize..self.starts[id.0 as usize + 1] as usize]
    }

    fn empty() -> Census {
        Census { counts: Vec::new(), starts: vec![0] }
    }

    /// Adds the next signature.
    fn push(&mut self, counts: &[u32; 256]) {
        let (&unsolvable, solvable) = counts.split_last().expect("there are 256");
        let distances = solvable.iter().rposition(|&count| count > 0).map_or(0, |largest| largest + 1);
        self.counts.push(unsolvable);
        self.counts.extend(&solvable[..distances]);
        self.starts.push(self.counts.len() as u32);
    }

    /// Adds the signatures that come next.
    fn append(&mut self, next: &Census) {
        let end = self.counts.len() as u32;
        self.counts.extend(&next.counts);
        self.starts.extend(next.starts[1..].iter().map(|start| end + start));
    }
}
