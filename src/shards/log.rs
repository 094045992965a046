//! The file of a shard: the results of its jobs, one after the other.
//!
//! ```text
//! tailback shard 1        a few lines that say what it is,
//! builder 0.1.0
//! plan 1a2b3c4d           the checksum of the plan,
//! shard 17
//! jobs 236 201            the first, and how many;
//!                         an empty line;
//! length, checksum, …     a record a job: four bytes each, then the result,
//!                         compressed by zstd; the checksum is of the job's number
//!                         and the result;
//! ffffffff, checksum      the end, and the checksum of all before it.
//! ```
//!
//! Numbers are little-endian, checksums CRC-32. The lines follow from the plan, the
//! results from the jobs: whoever does a shard again writes the same bytes. An
//! unfinished file is one that ends somewhere: what is whole of it is kept.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::{Fault, Plan, Shard, ShardError};
use crate::files::{beside, open_regular, rename};
use crate::pipeline::{Record, Sink};
use crate::table::format::OUR_VERSION;

/// Stands in the place of a length.
const END: u32 = u32::MAX;
/// More than any result.
const LONGEST: u32 = 1 << 30;
/// Bytes are gathered to this length before they are written.
const GATHER: usize = 1 << 20;
/// What is packed here is packed already, or small.
const LEVEL: i32 = 1;

/// The lines of a shard of a plan.
fn head(plan: &Plan, shard: &Shard) -> String {
    let Shard { number, first, jobs, .. } = shard;
    format!(
        "tailback shard 1\nbuilder {OUR_VERSION}\nplan {:08x}\nshard {number}\njobs {first} {jobs}\n\n",
        plan.checksum()
    )
}

/// The checksum of a record: in the place of another it is wrong.
fn checksum_of(job: u32, compressed: &[u8]) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&job.to_le_bytes());
    checksum.update(compressed);
    checksum.finalize()
}

/// Did a crash leave nothing but the length of a file, or only its start?
fn is_start_of(found: &[u8], wanted: &str) -> bool {
    wanted.as_bytes().starts_with(found) || found.iter().all(|&byte| byte == 0)
}

/// What a file is instead, from its first lines.
fn stranger(found: &[u8], wanted: &str) -> Fault {
    if is_start_of(found, wanted) {
        return Fault::Damaged;
    }
    let found = String::from_utf8_lossy(found);
    for (line, wanted) in found.lines().zip(wanted.lines()) {
        let (key, value) = line.split_once(' ').unwrap_or_default();
        match key {
            _ if line == wanted => {}
            "builder" => return Fault::Version(value.to_owned()),
            "plan" | "jobs" => return Fault::OtherPlan,
            "shard" => return Fault::OtherShard(value.to_owned()),
            _ => return Fault::NoShard,
        }
    }
    Fault::Damaged
}

/// Does a file end with the checksum of all before it?
fn is_sealed(file: &mut File) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let sealed = bytes.split_last_chunk::<4>().and_then(|(rest, checksum)| {
        let before = rest.strip_suffix(&END.to_le_bytes())?;
        Some(crc32fast::hash(before) == u32::from_le_bytes(*checksum))
    });
    Ok(sealed.unwrap_or(false))
}

/// Reads the records of a shard, one after the other.
pub struct Log {
    file: BufReader<File>,
    path: PathBuf,
    shard: Shard,
    /// Records read so far, and the bytes before the next one.
    done: u32,
    at: u64,
    checksum: crc32fast::Hasher,
    compressed: Vec<u8>,
    /// One for all records: many are small, and it takes longer to make than to use.
    zstd: zstd::bulk::Decompressor<'static>,
    result: Vec<u8>,
}

/// What a log has next.
enum Next {
    /// A record, in the log's buffer.
    Record,
    /// The end, and nothing behind it.
    End,
    /// Nothing that can be used.
    Broken,
}

impl Log {
    /// Opens the file of a shard at its first record.
    pub fn open(plan: &Plan, shard: &Shard) -> Result<Log, ShardError> {
        Log::open_as(&plan.shard_path(shard.number), plan, shard, true)
    }

    /// The same of an unfinished one.
    pub fn unfinished(plan: &Plan, shard: &Shard) -> Result<Log, ShardError> {
        Log::open_as(&part_path(&plan.shard_path(shard.number)), plan, shard, false)
    }

    fn open_as(path: &Path, plan: &Plan, shard: &Shard, has_end: bool) -> Result<Log, ShardError> {
        let in_the_way = |fault| ShardError::InTheWay { path: path.to_owned(), number: shard.number, fault };
        let mut file = open_regular(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => in_the_way(Fault::Missing),
            _ => ShardError::io(path, error),
        })?;
        let wanted = head(plan, shard);
        let mut found = Vec::new();
        (&mut file).take(wanted.len() as u64).read_to_end(&mut found).map_err(|e| ShardError::io(path, e))?;
        if found != wanted.as_bytes() {
            let fault = match stranger(&found, &wanted) {
                Fault::NoShard => Fault::NoShard,
                // Another's is whole, or it may be ours with other lines.
                _ if has_end && !is_sealed(&mut file).map_err(|e| ShardError::io(path, e))? => Fault::Damaged,
                fault => fault,
            };
            return Err(in_the_way(fault));
        }
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&found);
        Ok(Log {
            file: BufReader::with_capacity(GATHER, file),
            path: path.to_owned(),
            shard: *shard,
            done: 0,
            at: found.len() as u64,
            checksum,
            compressed: Vec::new(),
            zstd: zstd::bulk::Decompressor::new().map_err(|e| ShardError::io(path, e))?,
            result: Vec::new(),
        })
    }

    fn next(&mut self) -> Result<Next, ShardError> {
        self.step().map_err(|e| ShardError::io(&self.path, e))
    }

    fn step(&mut self) -> io::Result<Next> {
        let mut head = [0; 8];
        if !fill(&mut self.file, &mut head)? {
            return Ok(Next::Broken);
        }
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (len, checksum) = (number(0), number(4));
        if len == END {
            let is_end = self.done == self.shard.jobs
                && checksum == self.checksum.clone().finalize()
                && !fill(&mut self.file, &mut [0])?;
            return Ok(if is_end { Next::End } else { Next::Broken });
        }
        if len == 0 || len > LONGEST || self.done == self.shard.jobs {
            return Ok(Next::Broken);
        }
        self.compressed.clear();
        let read = (&mut self.file).take(len.into()).read_to_end(&mut self.compressed)?;
        let job = self.shard.first + self.done;
        if read != len as usize || checksum_of(job, &self.compressed) != checksum {
            return Ok(Next::Broken);
        }
        self.checksum.update(&head);
        self.checksum.update(&self.compressed);
        self.done += 1;
        self.at += (head.len() + read) as u64;
        Ok(Next::Record)
    }

    /// Goes over all whole records.
    fn skip_whole(&mut self) -> Result<(), ShardError> {
        while let Next::Record = self.next()? {}
        Ok(())
    }

    /// How many records there seem to be, by their lengths alone.
    pub fn records(mut self) -> io::Result<u32> {
        let end = self.file.get_ref().metadata()?.len();
        let mut head = [0; 8];
        while self.done < self.shard.jobs && fill(&mut self.file, &mut head)? {
            let len = i64::from(u32::from_le_bytes([head[0], head[1], head[2], head[3]]));
            self.at += 8 + len as u64;
            if len == 0 || self.at > end {
                break;
            }
            self.file.seek_relative(len)?;
            self.done += 1;
        }
        Ok(self.done)
    }

    /// The result in the log's buffer.
    fn unpack(&mut self) -> Option<&[u8]> {
        let size = zstd::zstd_safe::get_frame_content_size(&self.compressed).ok().flatten()?;
        if size > LONGEST.into() {
            return None;
        }
        self.result.clear();
        self.result.try_reserve(size as usize).ok()?;
        self.zstd.decompress_to_buffer(&self.compressed, &mut self.result).ok()?;
        Some(&self.result)
    }

    /// The results of a whole file, each with its job. What comes after an error is of no use.
    pub fn results<R: Record>(mut self) -> impl Iterator<Item = Result<(u32, R), ShardError>> {
        let jobs = self.shard.first..;
        jobs.map_while(move |job| Some(self.read().transpose()?.map(|result| (job, result))))
    }

    fn read<R: Record>(&mut self) -> Result<Option<R>, ShardError> {
        let result = match self.next()? {
            Next::End => return Ok(None),
            Next::Broken => None,
            Next::Record => self.unpack().and_then(R::read),
        };
        let (path, number, fault) = (&self.path, self.shard.number, Fault::Damaged);
        result.map(Some).ok_or_else(|| ShardError::InTheWay { path: path.clone(), number, fault })
    }
}

/// Fills a slice, if the file goes on that far.
fn fill(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The unfinished file of a shard.
pub fn part_path(finished: &Path) -> PathBuf {
    beside(finished, ".part")
}

/// Appends results to an unfinished shard.
pub struct LogWriter<R> {
    file: File,
    path: PathBuf,
    first: u32,
    done: u32,
    gathered: Vec<u8>,
    checksum: crc32fast::Hasher,
    compressor: zstd::bulk::Compressor<'static>,
    results: PhantomData<fn(R)>,
}

impl<R: Record + Send> LogWriter<R> {
    /// Goes on with an unfinished shard, or starts one: the file is there, and
    /// nobody else is at it.
    pub fn open(mut file: File, finished: &Path, plan: &Plan, shard: &Shard) -> Result<Self, ShardError> {
        let path = part_path(finished);
        let io = |e| ShardError::io(&path, e);
        let wanted = head(plan, shard);
        let mut found = Vec::new();
        (&mut file).take(wanted.len() as u64).read_to_end(&mut found).map_err(io)?;
        let (done, end, checksum) = if found.len() < wanted.len() && is_start_of(&found, &wanted)
            || found.iter().all(|&byte| byte == 0)
        {
            // Nothing yet, or not even all the lines.
            file.set_len(0).map_err(io)?;
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            file.write_all(wanted.as_bytes()).map_err(io)?;
            let mut checksum = crc32fast::Hasher::new();
            checksum.update(wanted.as_bytes());
            (0, wanted.len() as u64, checksum)
        } else {
            let mut log = Log::unfinished(plan, shard)?;
            log.skip_whole()?;
            (log.done, log.at, log.checksum)
        };
        // What was cut off in the middle, or damaged, is done again.
        file.set_len(end).map_err(io)?;
        file.seek(SeekFrom::Start(end)).map_err(io)?;
        let compressor = zstd::bulk::Compressor::new(LEVEL).map_err(io)?;
        Ok(LogWriter {
            file,
            path,
            first: shard.first,
            done,
            gathered: Vec::new(),
            checksum,
            compressor,
            results: PhantomData,
        })
    }

    fn gather(&mut self, bytes: &[u8]) {
        self.checksum.update(bytes);
        self.gathered.extend(bytes);
    }

    fn flush(&mut self) -> Result<(), ShardError> {
        self.file.write_all(&self.gathered).map_err(|e| ShardError::io(&self.path, e))?;
        self.gathered.clear();
        Ok(())
    }

    /// Ends the file and gives it its name.
    pub fn finish(mut self, finished: &Path) -> Result<(), ShardError> {
        let checksum = self.checksum.clone().finalize();
        self.gather(&END.to_le_bytes());
        self.gather(&checksum.to_le_bytes());
        self.checkpoint()?;
        rename(&self.path, finished).map_err(|e| ShardError::io(finished, e))
    }
}

impl<R: Record + Send> Sink for LogWriter<R> {
    type Item = R;
    type Error = ShardError;

    fn done(&self) -> u32 {
        self.done
    }

    fn append(&mut self, result: R) -> Result<(), ShardError> {
        let mut bytes = Vec::new();
        result.write(&mut bytes);
        let packed = self.compressor.compress(&bytes).map_err(|e| ShardError::io(&self.path, e))?;
        let (len, checksum) = (packed.len() as u32, checksum_of(self.first + self.done, &packed));
        self.gather(&len.to_le_bytes());
        self.gather(&checksum.to_le_bytes());
        self.gather(&packed);
        self.done += 1;
        if self.gathered.len() >= GATHER { self.flush() } else { Ok(()) }
    }

    fn checkpoint(&mut self) -> Result<(), ShardError> {
        self.flush()?;
        self.file.sync_data().map_err(|e| ShardError::io(&self.path, e))
    }
}
