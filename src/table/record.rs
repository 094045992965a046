//! The record of a signature, as it is read: the directory at hand, the frames
//! one by one.

use std::borrow::Cow;
use std::ops::Range;

use super::format::Directory;
use super::strips::Frame;
use super::{Table, TableError};
use crate::board::Distance;
use crate::space::{Blocks, SignatureId};

/// The record of a signature. Its directory has the right checksum.
pub struct Record<'t> {
    /// Nothing if it is in memory, all its frames with it.
    table: Option<&'t Table>,
    id: SignatureId,
    at: u64,
    directory: Cow<'t, [u8]>,
    /// All its frames, if they were read together.
    frames: Option<Cow<'t, [u8]>>,
}

/// What a reader remembers of a record whose table it owns.
pub struct Remembered {
    pub id: SignatureId,
    at: u64,
    directory: Bytes,
}

/// The bytes of a directory: copied, or how many the table lends.
enum Bytes {
    Owned(Vec<u8>),
    Lent(u64),
}

impl Remembered {
    /// The record of this table.
    #[inline]
    pub fn in_table<'t>(&'t self, table: &'t Table) -> Result<Record<'t>, TableError> {
        let directory = match &self.directory {
            Bytes::Owned(bytes) => Cow::Borrowed(&bytes[..]),
            Bytes::Lent(len) => table.read(self.at..self.at + len)?,
        };
        Ok(Record { table: Some(table), id: self.id, at: self.at, directory, frames: None })
    }
}

/// Where a strip is.
#[derive(Clone, Copy)]
pub struct Place {
    /// The number of its frame.
    pub frame: usize,
    /// Its number within the frame.
    strip: usize,
}

impl<'t> Record<'t> {
    /// Reads the directory of a signature.
    pub fn read(table: &'t Table, id: SignatureId) -> Result<Record<'t>, TableError> {
        Record::known(table, id, false)
    }

    /// The same of a signature whose directory may have been checked before. If
    /// it is lent it is what it was, and not checked again.
    pub fn known(table: &'t Table, id: SignatureId, checked: bool) -> Result<Record<'t>, TableError> {
        let entry = table.entry(id)?;
        let end = entry.record_at.checked_add(entry.directory_len.into());
        let end = end
            .filter(|&end| end <= table.header().index_at)
            .ok_or_else(|| table.damaged("a record lies outside the file"))?;
        let directory = table.read(entry.record_at..end)?;
        match Directory::read(&directory) {
            None => Err(table.damaged(format!("the directory of signature {} is cut off", id.0))),
            Some(found)
                if !(checked && matches!(directory, Cow::Borrowed(_)))
                    && (found.signature() != id.0
                        || crc32fast::hash(&directory) != entry.directory_checksum) =>
            {
                let what = format!("the checksum of the directory of signature {} is wrong", id.0);
                Err(table.damaged(what))
            }
            Some(_) => Ok(Record { table: Some(table), id, at: entry.record_at, directory, frames: None }),
        }
    }

    /// What is to be remembered of it.
    pub fn remembered(self) -> Remembered {
        let directory = match self.directory {
            Cow::Owned(bytes) => Bytes::Owned(bytes),
            Cow::Borrowed(bytes) => Bytes::Lent(bytes.len() as u64),
        };
        Remembered { id: self.id, at: self.at, directory }
    }

    /// A record that was just packed.
    #[cfg(feature = "build")]
    pub fn in_memory(id: SignatureId, directory: &'t [u8], frames: &'t [u8]) -> Record<'t> {
        let (directory, frames) = (Cow::Borrowed(directory), Some(Cow::Borrowed(frames)));
        Record { table: None, id, at: 0, directory, frames }
    }

    /// Reads the whole record of a signature that is laid out: everything in
    /// the directory is compared with what it must be.
    pub fn orderly(table: &'t Table, id: SignatureId, blocks: &Blocks) -> Result<Record<'t>, TableError> {
        let mut record = Record::read(table, id)?;
        if !record.directory().is_orderly(blocks) {
            return Err(table.damaged(format!("the directory of signature {} is wrong", id.0)));
        }
        let directory = record.directory();
        let frames = record.bytes(directory.bytes().len()..directory.record_len())?;
        record.frames = Some(frames);
        Ok(record)
    }

    /// Bytes of the record.
    fn bytes(&self, range: Range<usize>) -> Result<Cow<'t, [u8]>, TableError> {
        let (start, end) = (self.at + range.start as u64, self.at + range.end as u64);
        let table = self.table.expect("what is in memory has its frames");
        if end > table.header().index_at {
            return Err(table.damaged("a frame lies outside the file"));
        }
        table.read(start..end)
    }

    fn damaged(&self, what: impl Into<String>) -> TableError {
        TableError::damaged(what).in_file(self.table.and_then(Table::path))
    }

    /// Where its sections and frames are.
    #[inline]
    pub fn directory(&self) -> Directory<'_> {
        Directory::read(&self.directory).expect("it was read before")
    }

    /// Checks and decompresses one frame.
    pub fn decode(
        &self,
        frame: usize,
        zstd: &mut zstd::bulk::Decompressor,
        into: &mut Frame,
    ) -> Result<(), TableError> {
        let directory = self.directory();
        let range = directory.bytes_of(frame);
        let bytes = match &self.frames {
            // Orderly frames follow each other.
            Some(frames) => {
                let before = directory.bytes().len();
                Cow::Borrowed(&frames[range.start - before..range.end - before])
            }
            None => self.bytes(range)?,
        };
        if crc32fast::hash(&bytes) != directory.frame(frame).checksum {
            let what = format!("the checksum of frame {frame} of signature {} is wrong", self.id.0);
            return Err(self.damaged(what));
        }
        into.decode(zstd, &bytes, directory.strips_in(frame)).map_err(|what| self.damaged(what))
    }

    /// Where a strip is.
    pub fn place(&self, strip: u32) -> Result<Place, TableError> {
        let directory = self.directory();
        let frame = directory.frame_of(strip).ok_or_else(|| self.nowhere())?;
        let strip = strip.checked_sub(directory.frame(frame).first_strip).ok_or_else(|| self.nowhere())?;
        Ok(Place { frame, strip: strip as usize })
    }

    /// The distance of a board, given the frame it is in.
    pub fn distance(&self, frame: &Frame, place: Place, pair: u32) -> Result<Distance, TableError> {
        frame.distance(place.strip, pair as usize).map(Distance::from_byte).ok_or_else(|| self.nowhere())
    }

    /// A board is asked for that the signature should have.
    pub fn nowhere(&self) -> TableError {
        self.damaged(format!("signature {} has no such board", self.id.0))
    }
}
