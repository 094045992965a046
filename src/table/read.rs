//! Reading a table: one board, one frame.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bitvec::bitvec;
use bitvec::boxed::BitBox;

use super::MappedFile;
use super::TableError;
use super::format::{Contents, DATA, HEADER, Header, INDEX_ENTRY, IndexEntry, file_name, space_of};
use super::record::Record;
use super::source::{ByteSource, FileSource};
use super::strips::Frame;
use crate::board::{Distance, Metric};
use crate::space::{Blocks, Position, Rank, SignatureId, Space};

/// A finished table. Opening one reads its header, and its index (3 MB for 6×6)
/// if the file is to be checked as a whole; everything else is read and checked
/// when it is first needed.
///
/// ```
/// use tailback::board::Metric;
/// use tailback::table::{FileSource, Plan, Table, build};
///
/// let folder = tempfile::tempdir()?;
/// let path = build(&Plan::new(folder.path(), 4, Metric::Moves), &())?.path;
/// // A folder of tables, any source of bytes, or bytes in memory.
/// let opened = Table::open(folder.path(), 4, Metric::Moves)?;
/// let ranges = Table::from_source(FileSource::open(&path)?)?;
/// let memory = Table::from_bytes(std::fs::read(&path)?)?;
/// assert_eq!(opened.header(), ranges.header());
/// assert_eq!(opened.header(), memory.header());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Table {
    source: Box<dyn ByteSource>,
    header: Header,
    space: Arc<Space>,
    /// The index, if it was read as a whole and the source does not lend it.
    index: Vec<u8>,
}

impl Table {
    /// Opens the table of a size and metric in a folder and checks that the
    /// file is whole: see [`Table::whole`].
    pub fn open(folder: &Path, size: usize, metric: Metric) -> Result<Table, TableError> {
        Table::open_by(FileSource::open, folder, size, metric)
    }

    /// The same with the file mapped into memory: a look-up in a frame that was
    /// not decoded before takes a sixth less time.
    ///
    /// # Safety
    ///
    /// As with [`MappedFile::open`]: nobody may change the file or cut it while
    /// the table is open.
    pub unsafe fn map(folder: &Path, size: usize, metric: Metric) -> Result<Table, TableError> {
        // SAFETY: the caller promises it.
        Table::open_by(|path| unsafe { MappedFile::open(path) }, folder, size, metric)
    }

    fn open_by<S: ByteSource + 'static>(
        open: impl Fn(&Path) -> io::Result<S>,
        folder: &Path,
        size: usize,
        metric: Metric,
    ) -> Result<Table, TableError> {
        let path = folder.join(file_name(size, metric));
        let source = open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::Missing { path: path.clone(), size, metric },
            _ => TableError::io(&path, error),
        })?;
        let table = Table::from_source(source)?.whole()?;
        let found = table.header.contents;
        if (found.size, found.metric) != (size, metric) {
            let expected = Contents { size, metric, ..found };
            return Err(TableError::Other { path: Some(path), found, expected });
        }
        Ok(table)
    }

    /// A table in memory, checked as a whole.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Table, TableError> {
        Table::from_source(bytes.into())?.whole()
    }

    /// A table from a source of bytes, of which only the header is read.
    pub fn from_source(source: impl ByteSource + 'static) -> Result<Table, TableError> {
        let header = read_header(&source).map_err(|error| error.in_file(source.name()))?;
        let space = space_of(&header.contents).map_err(|error| error.in_file(source.name()))?;
        let table = Table { source: Box::new(source), header, space, index: Vec::new() };
        if table.header.signatures != table.space.signatures() {
            return Err(table.damaged("the number of signatures is wrong"));
        }
        Ok(table)
    }

    /// Checks what belongs to a whole file and costs more than a few small
    /// reads: its length, its index, and that nothing of its making is left.
    pub fn whole(self) -> Result<Table, TableError> {
        let table = self.whole_but_slots()?;
        if table.read(HEADER as u64..DATA)?.iter().any(|&b| b != 0) {
            return Err(table.damaged("the bytes after the header are not empty"));
        }
        Ok(table)
    }

    /// The same, but checkpoints may still be in their places.
    pub(super) fn whole_but_slots(mut self) -> Result<Table, TableError> {
        let length = self.source.length().map_err(|error| self.io(error))?;
        let Header { file_len, index_at, index_checksum, .. } = self.header;
        if length != file_len {
            return Err(self.damaged(format!("the file has {length} bytes and should have {file_len}")));
        }
        let index = self.read(index_at..file_len)?;
        if crc32fast::hash(&index) != index_checksum {
            return Err(self.damaged("the index's checksum is wrong"));
        }
        if let Cow::Owned(index) = index {
            self.index = index;
        }
        Ok(self)
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The space it is about.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The file, if the table was opened from one.
    pub fn path(&self) -> Option<&Path> {
        self.source.name()
    }

    /// What the index says of a signature.
    #[inline]
    pub(super) fn entry(&self, id: SignatureId) -> Result<IndexEntry, TableError> {
        let at = u64::from(id.0) * INDEX_ENTRY;
        if !self.index.is_empty() {
            return Ok(IndexEntry::read(&self.index[at as usize..(at + INDEX_ENTRY) as usize]));
        }
        let at = self.header.index_at + at;
        Ok(IndexEntry::read(&self.read(at..at + INDEX_ENTRY)?))
    }

    /// A range of its bytes.
    pub(super) fn read(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, TableError> {
        self.source.read(range).map_err(|error| self.io(error))
    }

    fn io(&self, error: io::Error) -> TableError {
        read_failed(&*self.source, error)
    }

    /// The error that this table is damaged.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> TableError {
        TableError::damaged(what).in_file(self.path())
    }

    /// A reader with its own memory of decoded frames, for one thread.
    pub fn probe(&self) -> Probe<'_> {
        Probe {
            table: self,
            zstd: decompressor(),
            checked: bitvec![0; self.header.signatures as usize].into_boxed_bitslice(),
            records: (0..RECORDS).map(|_| None).collect(),
            frames: (0..FRAMES).map(|_| (NOTHING, Frame::default())).collect(),
        }
    }
}

fn read_header(source: &dyn ByteSource) -> Result<Header, TableError> {
    let io = |error| read_failed(source, error);
    match source.read(0..HEADER as u64) {
        // Too short for a table: what there is says what it is.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            let length = source.length().map_err(io)?;
            Header::read(&source.read(0..length.min(HEADER as u64)).map_err(io)?)
        }
        start => Header::read(&start.map_err(io)?),
    }
}

fn read_failed(source: &dyn ByteSource, error: io::Error) -> TableError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => TableError::damaged("the file is cut off").in_file(source.name()),
        _ => TableError::io(source.name().unwrap_or(Path::new("the table")), error),
    }
}

/// How many decoded frames a probe keeps: two to three megabytes when full.
const FRAMES: usize = 256;
/// A place for a frame that is empty.
const NOTHING: (u32, u32) = (u32::MAX, u32::MAX);
/// How many directories it keeps.
const RECORDS: usize = 64;

/// A reader of single boards. Keeps the last frames it decoded, so that boards
/// near each other, as along a solution, are read without decoding again.
pub struct Probe<'t> {
    table: &'t Table,
    zstd: zstd::bulk::Decompressor<'static>,
    /// The signatures whose directory has been checked.
    checked: BitBox,
    records: Vec<Option<Record<'t>>>,
    frames: Vec<((u32, u32), Frame)>,
}

impl<'t> Probe<'t> {
    /// The table it reads.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// The distance of a board.
    pub fn distance(&mut self, position: &Position) -> Result<Distance, TableError> {
        let space = self.table.space();
        if space.primary_column(position.rows[space.primary_row()]) == space.size() - 2 {
            return Ok(Distance::SOLVED);
        }
        let id = space.signature_of(position);
        let record = match &mut self.records[id.0 as usize % RECORDS] {
            Some(record) if record.id() == id => record,
            slot => {
                let record = Record::known(self.table, id, self.checked[id.0 as usize])?;
                self.checked.set(id.0 as usize, true);
                slot.insert(record)
            }
        };
        let first = record.directory().section(space.section_of(position));
        let (strip, pair) =
            first.and_then(|first| space.strip_of(position, first)).ok_or_else(|| record.nowhere())?;
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
        for (held, _) in &mut self.frames {
            *held = NOTHING;
        }
    }

    /// The rank of a board: with the table's index at hand nothing has to be
    /// counted for all signatures.
    pub fn rank(&self, position: &Position) -> Result<Rank, TableError> {
        let space = self.table.space();
        let first = self.table.entry(space.signature_of(position))?.first_rank;
        Ok(Rank(first.saturating_add(space.number_in_signature(position) as u64)))
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
        distances.resize(blocks.unsolved_boards() as usize, 0);
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
        Ok(())
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
        let record = Record::read(table, id)?;
        let frames = vec![Frame::default(); record.directory().frames()];
        Ok(SignatureProbe { record, zstd: decompressor(), frames })
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

pub(super) fn decompressor() -> zstd::bulk::Decompressor<'static> {
    zstd::bulk::Decompressor::new().expect("zstd needs nothing but memory")
}
