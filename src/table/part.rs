//! A table that is being built: a file that only grows, with two places for
//! checkpoints near its start.
//!
//! Records are appended in the order of the signatures. Every few seconds the
//! file is flushed to the disk and the older of the two checkpoints is
//! overwritten with the new state: how many signatures, where they end, and
//! the checksum of all bytes up to there. Bytes behind it count for nothing.
//!
//! The last steps, each on the disk before the next begins: append the index;
//! write the header of a finished table; empty the checkpoint places; rename.
//! At every moment before the checkpoints are gone the build goes on from
//! them, and afterwards the header, the index and the length show that the
//! file is whole and only its name is missing ([`UnfinishedTable::rescue`]). So a crash at
//! any point leaves a build that goes on, or a finished table.
//!
//! Somebody may have put another file under the name of the unfinished one. It
//! is written to only if it is an unfinished build of this program or empty.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::format::{
    Checkpoint, DATA, DIRECTORY_HEAD, Directory, HEADER, Header, IndexEntry, MAGIC, OUR_VERSION, SLOT,
    file_name, read_part_header, write_part_header,
};
use super::packed::Packed;
use super::source::FileSource;
use super::{Contents, Table, TableError, Verifier, VerifyError};
use crate::board::Histogram;
use crate::files::{create_regular, rename};
use crate::progress::Observer;
use crate::space::Space;

/// Bytes are gathered to this length before they are written.
const GATHER: usize = 4 << 20;

/// An unfinished table.
#[derive(Debug)]
pub struct UnfinishedTable {
    file: File,
    path: PathBuf,
    finished: PathBuf,
    contents: Contents,
    index: Vec<IndexEntry>,
    gathered: Vec<u8>,
    /// Where `gathered` goes.
    written: u64,
    /// Of all records that were appended.
    checksum: crc32fast::Hasher,
    sequence: u64,
    histogram: Histogram,
}

impl UnfinishedTable {
    /// Where the unfinished table of a folder is.
    pub fn path_in(folder: &Path, contents: &Contents) -> PathBuf {
        folder.join(format!("{}.part", file_name(contents.space, contents.metric)))
    }

    /// Gives a table its name that was whole when its build was cut off, after
    /// checking all of it: whether it is there now. A finished table that is not
    /// the one to build is an error.
    pub fn rescue(folder: &Path, contents: &Contents, observer: &dyn Observer) -> Result<bool, VerifyError> {
        let path = UnfinishedTable::path_in(folder, contents);
        if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(false);
        }
        let io = |e| TableError::io(&path, e);
        let file = create_regular(&path).map_err(io)?;
        let start = start_of(&file).map_err(io)?;
        if !start.starts_with(&MAGIC) || !checkpoints(&start).is_empty() {
            return Ok(false);
        }
        let no_part = |found: String| TableError::NoPart { path: path.clone(), found };
        let of_table = |error: TableError| no_part(format!("it is a finished table, but {}", error.bare()));
        let source = FileSource::open(&path).map_err(io)?;
        let table = Table::from_source(source).and_then(Table::whole_but_slots).map_err(of_table)?;
        let found = table.header().contents;
        if found != *contents {
            return Err(no_part(format!("it is a finished table of {found} at level {}", found.level)).into());
        }
        match Verifier::new(&table).frames(observer) {
            Err(VerifyError::Table(error)) => return Err(of_table(error).into()),
            checked => checked?,
        };
        name_it(&file, &path, &folder.join(file_name(contents.space, contents.metric)))?;
        Ok(true)
    }

    /// Goes on with an unfinished table, or starts one.
    pub fn open(folder: &Path, contents: Contents) -> Result<UnfinishedTable, TableError> {
        let path = UnfinishedTable::path_in(folder, &contents);
        let io = |e| TableError::io(&path, e);
        let file = create_regular(&path).map_err(io)?;
        let start = start_of(&file).map_err(io)?;
        let mut part = UnfinishedTable {
            file,
            path: path.clone(),
            finished: folder.join(file_name(contents.space, contents.metric)),
            contents,
            index: Vec::new(),
            gathered: Vec::new(),
            written: DATA,
            checksum: crc32fast::Hasher::new(),
            sequence: 0,
            histogram: Histogram::default(),
        };
        match checkpoints(&start) {
            slots if slots.is_empty() => part.must_be_new(&start)?,
            slots => part.resume(slots)?,
        }
        // What a crash left behind the checkpoint must not end up in the table.
        part.file.set_len(part.written).map_err(io)?;
        write_at(&part.file, &path, 0, &write_part_header(contents))?;
        Ok(part)
    }

    /// A file without a checkpoint is written over only if nothing is lost: it
    /// is empty, or a build that did not come to its second checkpoint. (The
    /// first goes into the second place and may be torn.)
    fn must_be_new(&self, start: &[u8]) -> Result<(), TableError> {
        let is_zero = |bytes: &[u8]| bytes.iter().all(|&b| b == 0);
        let len = self.file.metadata().map_err(|e| TableError::io(&self.path, e))?.len();
        if len <= DATA && is_zero(start) {
            return Ok(());
        }
        match read_part_header(start) {
            Ok(()) if start.get(HEADER..HEADER + SLOT).is_none_or(is_zero) => Ok(()),
            Ok(()) => Err(TableError::DamagedPart { path: self.path.clone() }),
            Err(error) => Err(TableError::NoPart { path: self.path.clone(), found: error.bare() }),
        }
    }

    /// Goes on from the newest checkpoint whose records are whole.
    fn resume(&mut self, newest_first: Vec<Checkpoint>) -> Result<(), TableError> {
        for checkpoint in newest_first {
            let ours = (self.contents, OUR_VERSION);
            let theirs = (checkpoint.contents, checkpoint.builder.as_str());
            if theirs != ours {
                let say = |(c, b): (Contents, &str)| format!("{c} at level {} by version {b}", c.level);
                let (found, asked) = (say(theirs), say(ours));
                return Err(TableError::OtherSettings { path: self.path.clone(), found, asked });
            }
            match self.walk(&checkpoint) {
                Ok(Some((index, checksum))) => {
                    self.index = index;
                    self.checksum = checksum;
                    self.written = checkpoint.end;
                    self.sequence = checkpoint.sequence;
                    self.histogram = checkpoint.histogram;
                    return Ok(());
                }
                Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                    return Err(TableError::io(&self.path, error));
                }
                _ => {}
            }
        }
        Err(TableError::DamagedPart { path: self.path.clone() })
    }

    /// Walks the records up to a checkpoint: their index and checksum, or
    /// nothing if they are not what was written.
    fn walk(&self, checkpoint: &Checkpoint) -> io::Result<Option<(Vec<IndexEntry>, crc32fast::Hasher)>> {
        let Ok(space) = Space::of(self.contents.space) else { return Ok(None) };
        let Some(sizes) = space.sizes().get(..checkpoint.signatures as usize) else { return Ok(None) };
        if checkpoint.histogram.total() != sizes.iter().map(|size| u64::from(size.boards)).sum::<u64>() {
            return Ok(None);
        }
        (&self.file).seek(SeekFrom::Start(DATA))?;
        let mut records =
            BufReader::with_capacity(GATHER, &self.file).take(checkpoint.end.saturating_sub(DATA));
        let mut checksum = crc32fast::Hasher::new();
        let mut index = Vec::new();
        let mut record = Vec::new();
        for (id, size) in (0..).zip(sizes) {
            let at = checkpoint.end - records.limit();
            record.clear();
            more(&mut records, DIRECTORY_HEAD as u64, &mut record)?;
            let len = Directory::len(record.first_chunk().expect("its head was read"));
            more(&mut records, len, &mut record)?;
            let directory = Directory::read(&record).filter(|d| d.signature() == id);
            let Some(directory) = directory else { return Ok(None) };
            index.push(index_entry(at, size.first, directory.bytes()));
            let len = directory.record_len();
            more(&mut records, len, &mut record)?;
            checksum.update(&record);
        }
        let is_whole = records.limit() == 0 && checksum.clone().finalize() == checkpoint.checksum;
        Ok(is_whole.then_some((index, checksum)))
    }

    /// How many signatures are done.
    pub fn done(&self) -> u32 {
        self.index.len() as u32
    }

    /// Appends the record of the next signature, whose first board has this rank.
    pub fn append(
        &mut self,
        packed: &Packed,
        histogram: &Histogram,
        first_rank: u64,
    ) -> Result<(), TableError> {
        let at = self.written + self.gathered.len() as u64;
        self.index.push(index_entry(at, first_rank, &packed.directory));
        for bytes in [&packed.directory, &packed.data] {
            self.gathered.extend(bytes);
            self.checksum.update(bytes);
        }
        self.histogram += histogram;
        if self.gathered.len() >= GATHER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), TableError> {
        write_at(&self.file, &self.path, self.written, &self.gathered)?;
        self.written += self.gathered.len() as u64;
        self.gathered.clear();
        Ok(())
    }

    fn sync(&self) -> Result<(), TableError> {
        self.file.sync_data().map_err(|e| TableError::io(&self.path, e))
    }

    /// Makes what has been appended so far survive a crash.
    pub fn checkpoint(&mut self) -> Result<(), TableError> {
        self.flush()?;
        self.sync()?;
        self.sequence += 1;
        let checkpoint = Checkpoint {
            contents: self.contents,
            builder: OUR_VERSION.to_owned(),
            sequence: self.sequence,
            signatures: self.done(),
            checksum: self.checksum.clone().finalize(),
            end: self.written,
            histogram: self.histogram.clone(),
        };
        let slot = HEADER as u64 + self.sequence % 2 * SLOT as u64;
        write_at(&self.file, &self.path, slot, &checkpoint.write())?;
        self.sync()
    }

    /// Writes index and header and gives the file its final name.
    pub fn finish(mut self) -> Result<PathBuf, TableError> {
        self.checkpoint()?;
        let mut index = Vec::new();
        for entry in &self.index {
            entry.write(&mut index);
        }
        let header = Header {
            contents: self.contents,
            builder: OUR_VERSION.to_owned(),
            boards: self.histogram.total(),
            signatures: self.done(),
            index_at: self.written,
            index_checksum: crc32fast::hash(&index),
            file_len: self.written + index.len() as u64,
            histogram: self.histogram.clone(),
        };
        write_at(&self.file, &self.path, self.written, &index)?;
        self.sync()?;
        write_at(&self.file, &self.path, 0, &header.write())?;
        self.sync()?;
        name_it(&self.file, &self.path, &self.finished)?;
        Ok(self.finished)
    }
}

/// All that stands before the records.
fn start_of(file: &File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(DATA).read_to_end(&mut start)?;
    Ok(start)
}

/// The whole checkpoints at the start of a file, the newest first.
fn checkpoints(start: &[u8]) -> Vec<Checkpoint> {
    let slots = start.get(HEADER..).unwrap_or_default().chunks(SLOT);
    let mut found: Vec<Checkpoint> = slots.filter_map(Checkpoint::read).collect();
    found.sort_by_key(|checkpoint| std::cmp::Reverse(checkpoint.sequence));
    found
}

/// Reads on until there are so many bytes.
fn more(from: &mut impl Read, len: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let missing = len.saturating_sub(bytes.len() as u64);
    match from.take(missing).read_to_end(bytes)? as u64 == missing {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The last steps: empties the checkpoint places and renames.
fn name_it(file: &File, path: &Path, finished: &Path) -> Result<(), TableError> {
    write_at(file, path, HEADER as u64, &[0; 2 * SLOT])?;
    file.sync_data().map_err(|e| TableError::io(path, e))?;
    rename(path, finished).map_err(|e| TableError::io(finished, e))
}

fn write_at(mut file: &File, path: &Path, at: u64, bytes: &[u8]) -> Result<(), TableError> {
    let written = file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(bytes));
    written.map_err(|e| TableError::io(path, e))
}

fn index_entry(record_at: u64, first_rank: u64, directory: &[u8]) -> IndexEntry {
    IndexEntry {
        record_at,
        first_rank,
        directory_checksum: crc32fast::hash(directory),
        directory_len: directory.len() as u32,
    }
}
