//! Look-ups in a table.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use bitvec::bitvec;
use bitvec::boxed::BitBox;
use zstd::dict::DecoderDictionary;

use super::record::{Record, Remembered};
use super::strips::{DICTIONARY, Frame};
use super::{Table, TableError};
use crate::board::Distance;
use crate::memory::make_long;
use crate::space::line::PlacementId;
use crate::space::rank::BlockPlace;
use crate::space::{Blocks, MAX_SIZE, Position, Rank, SignatureId};

/// How many decoded frames a probe keeps: two to three megabytes when full.
const FRAMES: usize = 256;
/// A place for a frame that is empty.
const NOTHING: (u32, u32) = (u32::MAX, u32::MAX);
/// How many directories it keeps.
const RECORDS: usize = 64;

/// A reader of single boards. Keeps the last frames it decoded, so that boards
/// near each other, as along a solution, are read without decoding again. It
/// owns its share of the table, or borrows it as `Probe<&Table>`.
pub struct Probe<T = Arc<Table>> {
    table: T,
    zstd: zstd::bulk::Decompressor<'static>,
    /// The signatures whose directory has been checked.
    checked: BitBox,
    records: Vec<Option<Remembered>>,
    frames: Vec<((u32, u32), Frame)>,
    /// The last rows and their block: moves of columns leave the rows alone.
    block: Option<([PlacementId; MAX_SIZE], BlockPlace)>,
}

impl<T: Deref<Target = Table>> Probe<T> {
    /// A reader with its own memory of decoded frames, for one thread.
    pub fn new(table: T) -> Probe<T> {
        Probe {
            zstd: decompressor(),
            checked: bitvec![0; table.header().signatures as usize].into_boxed_bitslice(),
            records: (0..RECORDS).map(|_| None).collect(),
            frames: (0..FRAMES).map(|_| (NOTHING, Frame::default())).collect(),
            block: None,
            table,
        }
    }

    /// The table it reads.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The distance of a board.
    pub fn distance(&mut self, position: &Position) -> Result<Distance, TableError> {
        let space = self.table.space();
        if space.primary_column(position.rows[space.primary_row()]) == space.size() - 2 {
            return Ok(Distance::SOLVED);
        }
        let id = space.signature_of(position);
        let record = match &mut self.records[id.0 as usize % RECORDS] {
            Some(record) if record.id == id => record,
            slot => {
                let record = Record::known(&self.table, id, self.checked[id.0 as usize])?;
                self.checked.set(id.0 as usize, true);
                slot.insert(record.remembered())
            }
        };
        let record = record.in_table(&self.table)?;
        let block = match &self.block {
            Some((rows, block)) if *rows == position.rows => *block,
            _ => self.block.insert((position.rows, space.block_in_section(position))).1,
        };
        let first = record.directory().section(space.section_of(position));
        let (strip, pair) =
            first.and_then(|first| space.strip_of(position, first, block)).ok_or_else(|| record.nowhere())?;
        let place = record.place(strip)?;
        let (held, frame) = &mut self.frames[(id.0 as usize * 31 + place.frame) % FRAMES];
        if *held != (id.0, place.frame as u32) {
            *held = NOTHING;
            record.decode(place.frame, &mut self.zstd, frame)?;
            *held = (id.0, place.frame as u32);
        }
        record.distance(frame, place, pair)
    }

    /// Forgets everything it has read.
    pub fn forget(&mut self) {
        self.checked.fill(false);
        self.records.fill_with(|| None);
        self.block = None;
        for (held, _) in &mut self.frames {
            *held = NOTHING;
        }
    }

    /// The rank of a board: with the table's index at hand nothing has to be
    /// counted for all signatures.
    pub fn rank(&self, position: &Position) -> Result<Rank, TableError> {
        let space = self.table.space();
        let first = self.table.entry(space.signature_of(position))?.first_rank;
        Ok(Rank(first.saturating_add(space.number_in_signature(position))))
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

/// Unpacks frames.
pub(super) fn decompressor() -> zstd::bulk::Decompressor<'static> {
    static PREPARED: LazyLock<DecoderDictionary<'static>> =
        LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));
    zstd::bulk::Decompressor::with_prepared_dictionary(&PREPARED).expect("zstd needs nothing but memory")
}

impl Table {
    /// A reader with its own memory of decoded frames, for one thread.
    pub fn probe(&self) -> Probe<&Table> {
        Probe::new(self)
    }
}
