//! A table that is being built: a file that only grows, with two places for
//! checkpoints near its start.
//!
//! Records are appended in the order of the signatures. Every few seconds the
//! file is flushed to the disk and the older of the two checkpoints is
//! overwritten with the new state; bytes behind the newest whole checkpoint
//! count for nothing. The last step appends the index, replaces checkpoints
//! and header, and renames the file. So a crash at any point leaves a build
//! that goes on from its last checkpoint, or a finished table.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::TableError;
use super::format::{
    Checkpoint, Contents, DATA, Directory, HEADER, Header, IndexEntry, SLOT, file_name, read_part_header,
    space_of, write_part_header,
};
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
    sequence: u64,
    histogram: Histogram,
}

impl Part {
    /// Where the unfinished table of a folder is.
    pub fn path_in(folder: &Path, contents: &Contents) -> PathBuf {
        folder.join(format!("{}.part", file_name(contents.size, contents.metric)))
    }

    /// Goes on with an unfinished table, or starts one.
    pub fn open(folder: &Path, contents: Contents) -> Result<Part, TableError> {
        let path = Part::path_in(folder, &contents);
        let finished = folder.join(file_name(contents.size, contents.metric));
        let io = |e| TableError::io(&path, e);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        let mut start = Vec::new();
        (&file).take(DATA as u64).read_to_end(&mut start).map_err(io)?;
        let mut part = Part {
            file: file.try_clone().map_err(io)?,
            path: path.clone(),
            finished,
            contents,
            index: Vec::new(),
            gathered: Vec::new(),
            written: DATA as u64,
            sequence: 0,
            histogram: [0; 256],
        };
        if let Some(checkpoint) = part.newest_checkpoint(&start)? {
            part.resume(checkpoint)?;
        } else {
            let mut head = write_part_header(contents);
            head.resize(DATA, 0);
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&head)).map_err(io)?;
        }
        Ok(part)
    }

    /// The newest checkpoint of a build with the same settings; none if there
    /// is nothing to go on from.
    fn newest_checkpoint(&self, start: &[u8]) -> Result<Option<Checkpoint>, TableError> {
        if start.len() < DATA {
            return Ok(None);
        }
        let slots = start[HEADER..DATA].chunks(SLOT);
        let Some(checkpoint) = slots.filter_map(Checkpoint::read).max_by_key(|c| c.sequence) else {
            return Ok(None);
        };
        let (found, builder) = read_part_header(start)?;
        let ours = (self.contents, env!("CARGO_PKG_VERSION").to_owned());
        if (found, builder.clone()) != ours {
            let say = |c: &Contents, b: &str| format!("{c} at level {} by version {b}", c.level);
            return Err(TableError::Other {
                found: format!("{} (unfinished: {})", say(&found, &builder), self.path.display()),
                expected: format!("{}: give the same settings again or delete it", say(&ours.0, &ours.1)),
            });
        }
        Ok(Some(checkpoint))
    }

    /// Walks the records up to a checkpoint and rebuilds the index.
    fn resume(&mut self, checkpoint: Checkpoint) -> Result<(), TableError> {
        let sizes = space_of(&self.contents)?.sizes();
        if checkpoint.signatures as usize > sizes.len() {
            return Err(self.unusable());
        }
        let bytes = super::map::map(&self.path)?;
        let mut at = DATA;
        for id in 0..checkpoint.signatures {
            let directory = bytes.get(at..).and_then(Directory::read).filter(|d| d.signature() == id);
            let directory = directory.ok_or_else(|| self.unusable())?;
            self.index.push(index_entry(at as u64, sizes[id as usize].first, directory.bytes()));
            at += directory.record_len();
        }
        if at as u64 != checkpoint.end || checkpoint.end > bytes.len() as u64 {
            return Err(self.unusable());
        }
        drop(bytes);
        self.written = checkpoint.end;
        self.sequence = checkpoint.sequence;
        self.histogram = checkpoint.histogram;
        // What a crash left behind the checkpoint must not end up in the table.
        self.file.set_len(self.written).map_err(|e| TableError::io(&self.path, e))
    }

    fn unusable(&self) -> TableError {
        TableError::damaged(format!("{} does not match its own checkpoint", self.path.display()))
    }

    /// How many signatures are done.
    pub fn done(&self) -> u32 {
        self.index.len() as u32
    }

    /// Appends the record of the next signature, whose first board has this rank.
    pub fn append(&mut self, record: &Record, first_rank: u64) -> Result<(), TableError> {
        let at = self.written + self.gathered.len() as u64;
        self.index.push(index_entry(at, first_rank, &record.directory));
        self.gathered.extend(&record.directory);
        self.gathered.extend(&record.data);
        for (sum, n) in self.histogram.iter_mut().zip(record.histogram.iter()) {
            *sum += n;
        }
        if self.gathered.len() >= GATHER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), TableError> {
        self.write_at(self.written, None)?;
        self.written += self.gathered.len() as u64;
        self.gathered.clear();
        Ok(())
    }

    /// Writes `bytes`, or what has been gathered, at a place in the file.
    fn write_at(&mut self, at: u64, bytes: Option<&[u8]>) -> Result<(), TableError> {
        let bytes = bytes.unwrap_or(&self.gathered);
        let write = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.write_all(bytes));
        write.map_err(|e| TableError::io(&self.path, e))
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
            sequence: self.sequence,
            signatures: self.done(),
            end: self.written,
            histogram: self.histogram,
        };
        let slot = HEADER as u64 + self.sequence % 2 * SLOT as u64;
        self.write_at(slot, Some(&checkpoint.write()))?;
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
            builder: env!("CARGO_PKG_VERSION").to_owned(),
            boards: self.histogram.iter().sum(),
            signatures: self.done(),
            index_at: self.written,
            index_checksum: crc32fast::hash(&index),
            file_len: self.written + index.len() as u64,
            histogram: self.histogram,
        };
        self.write_at(self.written, Some(&index))?;
        self.sync()?;
        self.write_at(0, Some(&header.write()))?;
        self.sync()?;
        std::fs::rename(&self.path, &self.finished).map_err(|e| TableError::io(&self.finished, e))?;
        // The new name itself must reach the disk; not every system lets a
        // folder be opened for that, and then there is nothing to do.
        if let Some(folder) = self.finished.parent()
            && let Ok(folder) = File::open(folder)
        {
            folder.sync_all().ok();
        }
        Ok(self.finished)
    }
}

fn index_entry(record_at: u64, first_rank: u64, directory: &[u8]) -> IndexEntry {
    IndexEntry {
        record_at,
        first_rank,
        directory_checksum: crc32fast::hash(directory),
        directory_len: directory.len() as u32,
    }
}
