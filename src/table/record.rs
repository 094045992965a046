//! The record of a signature, as it is read: the directory at hand, the frames
//! one by one.

use std::borrow::Cow;
use std::ops::Range;

use super::format::{Directory, FramePlace};
use super::reader::{decode, nowhere};
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

impl<'t> Record<'t> {
    /// Reads the directory of a signature.
    pub fn read(table: &'t Table, id: SignatureId) -> Result<Record<'t>, TableError> {
        let of_table = |error: TableError| error.in_file(table.path());
        let entry = table.entry(id)?;
        let directory = table.read(entry.directory_in(table.header()).map_err(of_table)?)?;
        Directory::check(&directory, id.0, Some(&entry)).map_err(of_table)?;
        Ok(Record { table: Some(table), id, at: entry.record_at, directory, frames: None })
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
        let frames = match record.directory().frames().checked_sub(1) {
            None => Cow::default(),
            // Orderly frames follow each other.
            Some(last) => {
                let (first, last) = (record.range_of(0)?, record.range_of(last)?);
                table.read(first.start..last.end)?
            }
        };
        record.frames = Some(frames);
        Ok(record)
    }

    /// Where a frame is in the file of the table.
    fn range_of(&self, frame: usize) -> Result<Range<u64>, TableError> {
        let table = self.table.expect("what is in memory has its frames");
        let range = self.directory().frame_in(frame, self.at, table.header());
        range.map_err(|error| error.in_file(table.path()))
    }

    fn in_file(&self, error: TableError) -> TableError {
        error.in_file(self.table.and_then(Table::path))
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
        let bytes = match (&self.frames, self.table) {
            (Some(frames), _) => {
                let Range { start, end } = directory.bytes_of(frame);
                Cow::Borrowed(&frames[start as usize..end as usize])
            }
            (None, Some(table)) => table.read(self.range_of(frame)?)?,
            (None, None) => unreachable!("what is in memory has its frames"),
        };
        let frame_is = (directory.strips_in(frame), directory.frame(frame).checksum);
        decode(into, zstd, &bytes, (self.id, frame), frame_is).map_err(|error| self.in_file(error))
    }

    /// Where a strip is.
    pub fn place(&self, strip: u32) -> Result<FramePlace, TableError> {
        self.directory().place(strip).ok_or_else(|| self.in_file(nowhere(self.id)))
    }

    /// The distance of a board, given the frame it is in.
    pub fn distance(&self, frame: &Frame, place: FramePlace, pair: u32) -> Result<Distance, TableError> {
        let found = frame.distance(place.strip, pair as usize).map(Distance::from_byte);
        found.ok_or_else(|| self.in_file(nowhere(self.id)))
    }
}
