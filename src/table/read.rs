//! Reading a table: one board, one frame.

use std::path::Path;
use std::sync::Arc;

use bitvec::bitvec;
use bitvec::boxed::BitBox;
use memmap2::Mmap;

use super::TableError;
use super::format::{Contents, Directory, Header, INDEX_ENTRY, IndexEntry, file_name, space_of};
use super::strips::Frame;
use crate::board::Metric;
use crate::retrograde::UNSOLVABLE;
use crate::space::{Blocks, Position, Rank, SignatureId, Space};

/// A finished table. Opening one reads its header and index (3 MB for 6×6);
/// everything else is read and checked when it is first needed.
#[derive(Debug)]
pub struct Table<B> {
    bytes: B,
    header: Header,
    space: Arc<Space>,
}

impl Table<Mmap> {
    /// Opens the table of a size and metric in a folder.
    pub fn open(folder: &Path, size: usize, metric: Metric) -> Result<Table<Mmap>, TableError> {
        let path = folder.join(file_name(size, metric));
        let bytes = super::map::map(&path).map_err(|error| match error {
            TableError::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
                TableError::Missing { path, size, metric }
            }
            error => error,
        })?;
        let table = Table::from_bytes(bytes)?;
        let found = table.header.contents;
        if (found.size, found.metric) != (size, metric) {
            return Err(TableError::Other { found, expected: Contents { size, metric, ..found } });
        }
        Ok(table)
    }
}

impl<B: AsRef<[u8]>> Table<B> {
    /// A table in memory.
    pub fn from_bytes(bytes: B) -> Result<Table<B>, TableError> {
        let header = Header::read(bytes.as_ref())?;
        let space = space_of(&header.contents)?;
        if header.signatures != space.signatures() {
            return Err(TableError::damaged("the number of signatures is wrong"));
        }
        Ok(Table { bytes, header, space })
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The space it is about.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What the index says of a signature.
    #[inline]
    pub fn entry(&self, id: SignatureId) -> IndexEntry {
        let at = self.header.index_at as usize + id.0 as usize * INDEX_ENTRY;
        IndexEntry::read(&self.bytes.as_ref()[at..at + INDEX_ENTRY])
    }

    /// The directory of a signature, and its record from there to the index.
    /// The directory's checksum is compared if `check` is set.
    #[inline]
    pub fn record(&self, id: SignatureId, check: bool) -> Result<(Directory<'_>, &[u8]), TableError> {
        let entry = self.entry(id);
        let record = self
            .bytes
            .as_ref()
            .get(entry.record_at as usize..self.header.index_at as usize)
            .ok_or_else(|| TableError::damaged("a record lies outside the file"))?;
        let directory =
            Directory::read(record).filter(|d| d.bytes().len() == entry.directory_len as usize).ok_or_else(
                || TableError::damaged(format!("the directory of signature {} is cut off", id.0)),
            )?;
        if check
            && (crc32fast::hash(directory.bytes()) != entry.directory_checksum
                || directory.signature() != id.0)
        {
            return Err(TableError::damaged(format!(
                "the checksum of the directory of signature {} is wrong",
                id.0
            )));
        }
        Ok((directory, record))
    }

    /// The same of a signature that is laid out: everything in the directory is
    /// compared with what it must be.
    pub fn orderly_record(
        &self,
        id: SignatureId,
        blocks: &Blocks,
    ) -> Result<(Directory<'_>, &[u8]), TableError> {
        let (directory, record) = self.record(id, true)?;
        if !directory.is_orderly(blocks) {
            return Err(TableError::damaged(format!("the directory of signature {} is wrong", id.0)));
        }
        Ok((directory, record))
    }

    /// Checks and decompresses one frame of a signature.
    pub fn decode(
        &self,
        zstd: &mut zstd::bulk::Decompressor,
        (directory, record): (Directory<'_>, &[u8]),
        frame: usize,
        into: &mut Frame,
    ) -> Result<(), TableError> {
        let bytes = record
            .get(directory.bytes_of(frame))
            .ok_or_else(|| TableError::damaged("a frame lies outside the file"))?;
        if crc32fast::hash(bytes) != directory.frame(frame).checksum {
            return Err(TableError::damaged(format!(
                "the checksum of frame {frame} of signature {} is wrong",
                directory.signature()
            )));
        }
        into.decode(zstd, bytes, directory.strips_in(frame))
    }

    /// A reader with its own memory of decoded frames, for one thread.
    pub fn probe(&self) -> Probe<'_, B> {
        Probe {
            table: self,
            zstd: decompressor(),
            checked: bitvec![0; self.header.signatures as usize].into_boxed_bitslice(),
            cache: (0..CACHED).map(|_| (NOTHING, Frame::default())).collect(),
        }
    }
}

/// How many decoded frames a probe keeps: two to three megabytes when full.
const CACHED: usize = 256;
/// A place of the cache that is empty.
const NOTHING: (u32, u32) = (u32::MAX, u32::MAX);

/// A reader of single boards. Keeps the last frames it decoded, so that boards
/// near each other, as along a solution, are read without decoding again.
pub struct Probe<'t, B> {
    table: &'t Table<B>,
    zstd: zstd::bulk::Decompressor<'static>,
    /// The signatures whose directory has been checked.
    checked: BitBox,
    cache: Vec<((u32, u32), Frame)>,
}

impl<'t, B: AsRef<[u8]>> Probe<'t, B> {
    /// The table it reads.
    pub fn table(&self) -> &'t Table<B> {
        self.table
    }

    /// The distance of a board; none if it is unsolvable.
    pub fn distance(&mut self, position: &Position) -> Result<Option<u8>, TableError> {
        let space = self.table.space();
        if space.primary_column(position.rows[space.primary_row()]) == space.size() - 2 {
            return Ok(Some(0));
        }
        let id = space.signature_of(position);
        let checked = self.checked[id.0 as usize];
        let (directory, record) = self.table.record(id, !checked)?;
        if !checked {
            self.checked.set(id.0 as usize, true);
        }
        let nowhere = || TableError::damaged(format!("signature {} has no such board", id.0));
        let first = directory.section(space.section_of(position)).ok_or_else(nowhere)?;
        let (strip, pair) = space.strip_of(position, first).ok_or_else(nowhere)?;
        let at = directory.frame_of(strip).ok_or_else(nowhere)?;
        let (held, frame) = &mut self.cache[(id.0 as usize * 31 + at) % CACHED];
        if *held != (id.0, at as u32) {
            *held = NOTHING;
            self.table.decode(&mut self.zstd, (directory, record), at, frame)?;
            *held = (id.0, at as u32);
        }
        let strip = strip.checked_sub(directory.frame(at).first_strip).ok_or_else(nowhere)?;
        match frame.distance(strip as usize, pair as usize).ok_or_else(nowhere)? {
            UNSOLVABLE => Ok(None),
            distance => Ok(Some(distance)),
        }
    }

    /// Forgets everything it has decoded and checked.
    pub fn forget(&mut self) {
        self.checked.fill(false);
        for (held, _) in &mut self.cache {
            *held = NOTHING;
        }
    }

    /// The rank of a board: with the table's index at hand nothing has to be
    /// counted for all signatures.
    pub fn rank(&self, position: &Position) -> Rank {
        let space = self.table.space();
        let first = self.table.entry(space.signature_of(position)).first_rank;
        Rank(first.saturating_add(space.number_in_signature(position) as u64))
    }
}

/// A reader of whole signatures, for one thread.
pub struct Unpacker<'t, B> {
    table: &'t Table<B>,
    zstd: zstd::bulk::Decompressor<'static>,
    frame: Frame,
}

impl<'t, B: AsRef<[u8]>> Unpacker<'t, B> {
    /// A reader of this table.
    pub fn new(table: &'t Table<B>) -> Unpacker<'t, B> {
        Unpacker { table, zstd: decompressor(), frame: Frame::default() }
    }

    /// Replaces `distances` by those of a signature's unsolved boards, in order.
    pub fn unpack(
        &mut self,
        id: SignatureId,
        blocks: &Blocks,
        distances: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let (directory, record) = self.table.orderly_record(id, blocks)?;
        distances.resize(blocks.unsolved_boards() as usize, 0);
        let mut rest = &mut distances[..];
        let wrong = || TableError::damaged("a strip has the wrong length");
        for i in 0..directory.frames() {
            self.table.decode(&mut self.zstd, (directory, record), i, &mut self.frame)?;
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
        Ok(())
    }
}

/// A reader of single boards of one signature that keeps every frame it has
/// decoded: for many boards of the same signature, in any order.
pub struct SignatureProbe<'t, B> {
    table: &'t Table<B>,
    id: SignatureId,
    zstd: zstd::bulk::Decompressor<'static>,
    /// By the frame's number; empty until decoded.
    frames: Vec<Frame>,
}

impl<'t, B: AsRef<[u8]>> SignatureProbe<'t, B> {
    /// A reader of a signature of this table.
    pub fn new(table: &'t Table<B>, id: SignatureId) -> Result<SignatureProbe<'t, B>, TableError> {
        let (directory, _) = table.record(id, true)?;
        let frames = vec![Frame::default(); directory.frames()];
        Ok(SignatureProbe { table, id, zstd: decompressor(), frames })
    }

    /// The distance of an unsolved board, given its strip and its number there.
    pub fn distance(&mut self, strip: u32, pair: u32) -> Result<Option<u8>, TableError> {
        let (directory, record) = self.table.record(self.id, false)?;
        let nowhere = || TableError::damaged(format!("signature {} has no such board", self.id.0));
        let at = directory.frame_of(strip).ok_or_else(nowhere)?;
        let frame = self.frames.get_mut(at).ok_or_else(nowhere)?;
        if frame.strips() == 0 {
            self.table.decode(&mut self.zstd, (directory, record), at, frame)?;
        }
        let strip = strip.checked_sub(directory.frame(at).first_strip).ok_or_else(nowhere)?;
        match frame.distance(strip as usize, pair as usize).ok_or_else(nowhere)? {
            UNSOLVABLE => Ok(None),
            distance => Ok(Some(distance)),
        }
    }
}

pub(super) fn decompressor() -> zstd::bulk::Decompressor<'static> {
    zstd::bulk::Decompressor::new().expect("zstd needs nothing but memory")
}
