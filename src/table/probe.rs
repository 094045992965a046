//! Look-ups in a table.

use std::ops::Deref;
use std::sync::Arc;

use super::reader::{Reader, Step};
use super::record::Record;
use super::strips::{Frame, decompressor};
use super::{Table, TableError};
use crate::board::Distance;
use crate::memory::make_long;
use crate::space::{Blocks, Position, Rank, SignatureId};

/// A reader of single boards. Keeps the last frames it decoded, so that boards
/// near each other, as along a solution, are read without decoding again. It
/// owns its share of the table, or borrows it as `Probe<&Table>`.
pub struct Probe<T = Arc<Table>> {
    table: T,
    reader: Reader,
}

impl<T: Deref<Target = Table>> Probe<T> {
    /// A reader with its own memory of decoded frames, for one thread.
    pub fn new(table: T) -> Probe<T> {
        Probe { reader: Reader::of(table.info.clone()), table }
    }

    /// The table it reads.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The distance of a board.
    #[inline]
    pub fn distance(&mut self, position: &Position) -> Result<Distance, TableError> {
        distance(&mut self.reader, &self.table, position)
    }

    /// Forgets everything it has read.
    pub fn forget(&mut self) {
        self.reader.forget();
    }

    /// The rank of a board: with the table's index at hand nothing has to be
    /// counted for all signatures.
    pub fn rank(&self, position: &Position) -> Result<Rank, TableError> {
        self.table.info.must_have(position)?;
        let space = self.table.space();
        let first = self.table.entry(space.signature_of(position))?.first_rank;
        Ok(Rank(first.saturating_add(space.number_in_signature(position))))
    }
}

/// The distance of a board. Not generic, so that it is compiled here, where all that it
/// calls can be inlined: in the crate of a caller it took a fifth longer.
fn distance(reader: &mut Reader, table: &Table, position: &Position) -> Result<Distance, TableError> {
    if let Some(distance) = reader.at_hand(position) {
        return Ok(distance);
    }
    let mut step = reader.ask(position);
    loop {
        step = match step.map_err(|error| error.in_file(table.path()))? {
            Step::Is(distance) => return Ok(distance),
            Step::Wants(question) => {
                let bytes = table.read(question.range())?;
                reader.give(question, bytes)
            }
        }
    }
}

/// A reader of whole signatures, for one thread.
pub struct Unpacker<'t> {
    table: &'t Table,
    zstd: zstd::bulk::Decompressor<'static>,
    frame: Frame,
}

impl<'t> Unpacker<'t> {
    /// A reader of this table.
    pub fn new(table: &'t Table) -> Unpacker<'t> {
        Unpacker { table, zstd: decompressor(), frame: Frame::default() }
    }

    /// Replaces `distances` by those of a signature's unsolved boards, in order.
    pub fn unpack(
        &mut self,
        id: SignatureId,
        blocks: &Blocks,
        distances: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let record = Record::orderly(self.table, id, blocks)?;
        let directory = record.directory();
        make_long(distances, blocks.unsolved_boards() as usize);
        let mut rest = &mut distances[..];
        let wrong = || self.table.damaged("a strip has the wrong length");
        for i in 0..directory.frames() {
            record.decode(i, &mut self.zstd, &mut self.frame)?;
            let strips = directory.strips_of(i);
            for (h, part) in blocks.cut(strips.clone()) {
                for strip in part {
                    let (out, after) = rest.split_at_mut_checked(blocks.strip_len(h)).ok_or_else(wrong)?;
                    if !self.frame.unpack((strip - strips.start) as usize, out) {
                        return Err(wrong());
                    }
                    rest = after;
                }
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(wrong()) }
    }
}

/// A reader of single boards of one signature that keeps every frame it has
/// decoded: for many boards of the same signature, in any order.
pub struct SignatureProbe<'t> {
    record: Record<'t>,
    zstd: zstd::bulk::Decompressor<'static>,
    /// By the frame's number; empty until decoded.
    frames: Vec<Frame>,
}

impl<'t> SignatureProbe<'t> {
    /// A reader of a signature of this table.
    pub fn new(table: &'t Table, id: SignatureId) -> Result<SignatureProbe<'t>, TableError> {
        Ok(SignatureProbe::of(Record::read(table, id)?))
    }

    pub(super) fn of(record: Record<'t>) -> SignatureProbe<'t> {
        let frames = vec![Frame::default(); record.directory().frames()];
        SignatureProbe { record, zstd: decompressor(), frames }
    }

    /// The distance of an unsolved board, given its strip and its number there.
    pub fn distance(&mut self, strip: u32, pair: u32) -> Result<Distance, TableError> {
        let place = self.record.place(strip)?;
        let frame = &mut self.frames[place.frame];
        if frame.strips() == 0 {
            self.record.decode(place.frame, &mut self.zstd, frame)?;
        }
        self.record.distance(frame, place, pair)
    }
}

impl Table {
    /// A reader with its own memory of decoded frames, for one thread.
    pub fn probe(&self) -> Probe<&Table> {
        Probe::new(self)
    }
}
