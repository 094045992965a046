//! Reading a table: one board, one frame.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::format::{DATA, HEADER, Header, INDEX_ENTRY, IndexEntry, file_name, of_file_name};
use super::reader::Info;
use super::source::{ByteSource, FileSource, lend};
use super::{Contents, MappedFile, TableError};
use crate::board::Metric;
use crate::space::{SignatureId, Space, SpaceId};

/// A finished table. Opening one reads its header, and its index (3 MB for 6×6)
/// if the file is to be checked as a whole; everything else is read and checked
/// when it is first needed.
///
/// ```
/// use tailback::board::Metric;
/// use tailback::table::{FileSource, BuildOptions, Table, build};
///
/// let folder = tempfile::tempdir()?;
/// let path = build(&BuildOptions::new(folder.path(), 4, Metric::Moves), &())?.path;
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
    pub(super) info: Arc<Info>,
    /// The index, if it was read as a whole and the source does not lend it.
    index: Vec<u8>,
}

impl Table {
    /// Opens the table of a space and metric in a folder and checks that the
    /// file is whole: see [`Table::whole`].
    pub fn open(folder: &Path, space: impl Into<SpaceId>, metric: Metric) -> Result<Table, TableError> {
        Table::open_by(FileSource::open, folder, space.into(), metric)
    }

    /// The spaces and metrics that a folder has tables of.
    pub fn list(folder: &Path) -> Vec<(SpaceId, Metric)> {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut tables: Vec<_> = files.filter_map(|file| of_file_name(file.file_name().to_str()?)).collect();
        tables.sort_by_key(|&(space, metric)| (space, metric != Metric::Moves));
        tables
    }

    /// The same with the file mapped into memory: a look-up in a frame that was
    /// not decoded before takes a sixth less time.
    ///
    /// # Safety
    ///
    /// As with [`MappedFile::open`]: nobody may change the file or cut it while
    /// the table is open.
    pub unsafe fn map(folder: &Path, space: impl Into<SpaceId>, metric: Metric) -> Result<Table, TableError> {
        // SAFETY: the caller promises it.
        Table::open_by(|path| unsafe { MappedFile::open(path) }, folder, space.into(), metric)
    }

    fn open_by<S: ByteSource + 'static>(
        open: impl Fn(&Path) -> io::Result<S>,
        folder: &Path,
        space: SpaceId,
        metric: Metric,
    ) -> Result<Table, TableError> {
        let path = folder.join(file_name(space, metric));
        let source = open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::Missing { path: path.clone(), space, metric },
            _ => TableError::io(&path, error),
        })?;
        let table = Table::from_source(source)?.whole()?;
        let found = table.header().contents;
        if (found.space, found.metric) != (space, metric) {
            let expected = Contents { space, metric, ..found };
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
        let info = read_info(&source).map_err(|error| error.in_file(source.name()))?;
        Ok(Table { source: Box::new(source), info: Arc::new(info), index: Vec::new() })
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
        let Header { file_len, index_at, index_checksum, .. } = *self.header();
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
        &self.info.header
    }

    /// The space it is about.
    pub fn space(&self) -> &Space {
        &self.info.space
    }

    /// The file, if the table was opened from one.
    pub fn path(&self) -> Option<&Path> {
        self.source.name()
    }

    /// What the index says of a signature.
    #[inline]
    pub(super) fn entry(&self, id: SignatureId) -> Result<IndexEntry, TableError> {
        let at = self.header().index_at + u64::from(id.0) * INDEX_ENTRY;
        Ok(IndexEntry::read(&self.read(at..at + INDEX_ENTRY)?))
    }

    /// A range of its bytes.
    pub(super) fn read(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, TableError> {
        let index_at = self.header().index_at;
        let read = match range.start.checked_sub(index_at) {
            Some(start) if !self.index.is_empty() => lend(&self.index, start..range.end - index_at),
            _ => self.source.read(range),
        };
        read.map_err(|error| self.io(error))
    }

    fn io(&self, error: io::Error) -> TableError {
        read_failed(&*self.source, error)
    }

    /// The error that this table is damaged.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> TableError {
        TableError::damaged(what).in_file(self.path())
    }
}

fn read_info(source: &dyn ByteSource) -> Result<Info, TableError> {
    let io = |error| read_failed(source, error);
    match source.read(0..HEADER as u64) {
        // Too short for a table: what there is says what it is.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            let length = source.length().map_err(io)?;
            Info::read(&source.read(0..length.min(HEADER as u64)).map_err(io)?)
        }
        start => Info::read(&start.map_err(io)?),
    }
}

fn read_failed(source: &dyn ByteSource, error: io::Error) -> TableError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => TableError::damaged("the file is cut off").in_file(source.name()),
        _ => TableError::io(source.name().unwrap_or(Path::new("the table")), error),
    }
}
