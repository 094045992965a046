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
//! file is whole and only its name is missing ([`Part::rescue`]). So a crash at
//! any point leaves a build that goes on, or a finished table.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::TableError;
use super::format::{
    Checkpoint, Contents, DATA, Directory, HEADER, Header, IndexEntry, OUR_VERSION, SLOT, file_name,
    space_of, write_part_header,
};
use crate::files::rename;
use crate::retrograde::Histogram;

/// Bytes are gathered to this length before they are written.
const GATHER: usize = 4 << 20;

/// What one signature adds to the file.
#[derive(Debug)]
pub struct Record {
    /// Sections and frames.
    pub directory: Vec<u8>,
    /// The frames.
    pub data: Vec<u8>,
    /// The distances of its boards.
    pub histogram: Box<Histogram>,
}

/// An unfinished table.
#[derive(Debug)]
pub struct Part {
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

impl Part {
    /// Where the unfinished table of a folder is.
    pub fn path_in(folder: &Path, contents: &Contents) -> PathBuf {
        folder.join(format!("{}.part", file_name(contents.size, contents.metric)))
    }

    /// Gives a table its name that was whole when its build was cut off.
    pub fn rescue(folder: &Path, contents: &Contents) -> Result<(), TableError> {
        let path = Part::path_in(folder, contents);
        let Ok(bytes) = super::map::map(&path) else { return Ok(()) };
        match Header::read_any(&bytes) {
            Ok(header) if header.contents == *contents => {}
            _ => return Ok(()),
        }
        drop(bytes);
        let file = OpenOptions::new().write(true).open(&path).map_err(|e| TableError::io(&path, e))?;
        name_it(&file, &path, &folder.join(file_name(contents.size, contents.metric)))
    }

    /// Goes on with an unfinished table, or starts one.
    pub fn open(folder: &Path, contents: Contents) -> Result<Part, TableError> {
        let path = Part::path_in(folder, &contents);
        let io = |e| TableError::io(&path, e);
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        let mut start = Vec::new();
        (&file).take(DATA as u64).read_to_end(&mut start).map_err(io)?;
        let mut part = Part {
            file,
            path: path.clone(),
            finished: folder.join(file_name(contents.size, contents.metric)),
            contents,
            index: Vec::new(),
            gathered: Vec::new(),
            written: DATA as u64,
            checksum: crc32fast::Hasher::new(),
            sequence: 0,
            histogram: [0; 256],
        };
        let mut slots: Vec<Checkpoint> =
            start.get(HEADER..DATA).unwrap_or_default().chunks(SLOT).filter_map(Checkpoint::read).collect();
        slots.sort_by_key(|c| std::cmp::Reverse(c.sequence));
        if !slots.is_empty() {
            part.resume(slots)?;
        }
        // What a crash left behind the checkpoint must not end up in the table.
        part.file.set_len(part.written).map_err(io)?;
        write_at(&part.file, &path, 0, &write_part_header(contents))?;
        Ok(part)
    }

    /// Goes on from the newest checkpoint whose records are whole.
    fn resume(&mut self, newest_first: Vec<Checkpoint>) -> Result<(), TableError> {
        let bytes = super::map::map(&self.path)?;
        for checkpoint in newest_first {
            let ours = (self.contents, OUR_VERSION);
            let theirs = (checkpoint.contents, checkpoint.builder.as_str());
            if theirs != ours {
                let say = |(c, b): (Contents, &str)| format!("{c} at level {} by version {b}", c.level);
                let (found, asked) = (say(theirs), say(ours));
                return Err(TableError::OtherSettings { path: self.path.clone(), found, asked });
            }
            if let Some((index, checksum)) = self.walk(&bytes, &checkpoint)? {
                self.index = index;
                self.checksum = checksum;
                self.written = checkpoint.end;
                self.sequence = checkpoint.sequence;
                self.histogram = checkpoint.histogram;
                return Ok(());
            }
        }
        Err(TableError::DamagedPart { path: self.path.clone() })
    }

    /// Walks the records up to a checkpoint: their index and checksum, or
    /// nothing if they are not what was written.
    fn walk(
        &self,
        bytes: &[u8],
        checkpoint: &Checkpoint,
    ) -> Result<Option<(Vec<IndexEntry>, crc32fast::Hasher)>, TableError> {
        let space = space_of(&self.contents)?;
        let sizes = space.sizes();
        let (Some(records), true) =
            (bytes.get(DATA..checkpoint.end as usize), checkpoint.signatures as usize <= sizes.len())
        else {
            return Ok(None);
        };
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(records);
        if checksum.clone().finalize() != checkpoint.checksum {
            return Ok(None);
        }
        let mut index = Vec::new();
        let mut at = 0;
        for id in 0..checkpoint.signatures {
            let directory = records.get(at..).and_then(Directory::read).filter(|d| d.signature() == id);
            let Some(directory) = directory else { return Ok(None) };
            index.push(index_entry((DATA + at) as u64, sizes[id as usize].first, directory.bytes()));
            at += directory.record_len();
        }
        Ok((at == records.len()).then_some((index, checksum)))
    }

    /// How many signatures are done.
    pub fn done(&self) -> u32 {
        self.index.len() as u32
    }

    /// Appends the record of the next signature, whose first board has this rank.
    pub fn append(&mut self, record: &Record, first_rank: u64) -> Result<(), TableError> {
        let at = self.written + self.gathered.len() as u64;
        self.index.push(index_entry(at, first_rank, &record.directory));
        for bytes in [&record.directory, &record.data] {
            self.gathered.extend(bytes);
            self.checksum.update(bytes);
        }
        for (sum, n) in self.histogram.iter_mut().zip(record.histogram.iter()) {
            *sum += n;
        }
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
            histogram: self.histogram,
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
            boards: self.histogram.iter().sum(),
            signatures: self.done(),
            index_at: self.written,
            index_checksum: crc32fast::hash(&index),
            file_len: self.written + index.len() as u64,
            histogram: self.histogram,
        };
        write_at(&self.file, &self.path, self.written, &index)?;
        self.sync()?;
        write_at(&self.file, &self.path, 0, &header.write())?;
        self.sync()?;
        name_it(&self.file, &self.path, &self.finished)?;
        Ok(self.finished)
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
