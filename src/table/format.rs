//! The layout of a table file. `docs/format.md` describes it for other
//! readers; this is the one place in the code that knows where fields are.

use std::ops::Range;

use super::strips::{DICTIONARY, FrameEntry};
use super::{Contents, TableError};
use crate::board::{Histogram, Metric};
use crate::space::{Blocks, SpaceError, SpaceId, Spaces};

/// The first bytes of a finished table.
pub const MAGIC: [u8; 8] = *b"TAILBACK";
/// The first bytes of a table that is being built.
pub const PART_MAGIC: [u8; 8] = *b"TAILPART";
/// The version of this layout.
pub const VERSION: u32 = 2;
/// The rules of what a board is, and the order that numbers boards. A program that
/// knows no walls must not take a file with some for one without.
pub const fn rules(has_walls: bool) -> u32 {
    if has_walls { 2 } else { 1 }
}
/// The header's length; its last four bytes are its checksum.
pub const HEADER: usize = 4096;
/// One of two places for checkpoints; zero in a finished table.
pub const SLOT: usize = 4096;
/// Where the records of the signatures begin.
pub const DATA: u64 = (HEADER + 2 * SLOT) as u64;
/// An entry of the index.
pub const INDEX_ENTRY: u64 = 24;
/// The version of this program, as it stands in the files it writes.
pub const OUR_VERSION: &str = env!("CARGO_PKG_VERSION");

const BUILDER: Range<usize> = 24..56;
const WALLS_AT: usize = 88;
const HISTOGRAM_AT: usize = 128;
const DICTIONARY_AT: usize = 2176;
const _: () = assert!(DICTIONARY_AT + DICTIONARY.len() == HEADER - 4, "it fills the header");

/// The first 4,096 bytes of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What the table is about.
    pub contents: Contents,
    /// The version of the program that built it.
    pub builder: String,
    /// All boards of the space.
    pub boards: u64,
    /// How many signatures the index has.
    pub signatures: u32,
    /// Where the index begins.
    pub index_at: u64,
    /// The CRC-32 of the index.
    pub index_checksum: u32,
    /// The length of the whole file.
    pub file_len: u64,
    /// How many boards have each distance.
    pub histogram: Histogram,
}

/// A little-endian writer into a fixed block.
struct Block(Vec<u8>);

impl Block {
    fn new(magic: [u8; 8], len: usize) -> Block {
        let mut block = vec![0; len];
        block[..8].copy_from_slice(&magic);
        Block(block)
    }

    fn u32(&mut self, at: usize, value: u32) {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    fn u64(&mut self, at: usize, value: u64) {
        self.0[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    fn contents(&mut self, contents: Contents, builder: &str) {
        self.u32(8, VERSION);
        self.u32(12, rules(contents.space.walls != 0));
        self.0[16] = contents.space.size as u8;
        self.0[17] = metric_code(contents.metric);
        self.u32(20, contents.level as u32);
        self.0[BUILDER][..builder.len()].copy_from_slice(builder.as_bytes());
        self.u64(WALLS_AT, contents.space.walls);
    }

    fn histogram(&mut self, histogram: &Histogram) {
        for (distance, boards) in histogram.iter() {
            self.u64(HISTOGRAM_AT + 8 * usize::from(distance.byte()), boards);
        }
    }

    fn sealed(mut self) -> Vec<u8> {
        let end = self.0.len() - 4;
        let checksum = crc32fast::hash(&self.0[..end]);
        self.u32(end, checksum);
        self.0
    }
}

/// Whether a block's last four bytes are its checksum.
fn is_sealed(block: &[u8]) -> bool {
    let end = block.len() - 4;
    crc32fast::hash(&block[..end]) == u32_at(block, end)
}

/// A little-endian number at a place that is known to exist.
#[inline]
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// The same for eight bytes.
#[inline]
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn metric_code(metric: Metric) -> u8 {
    match metric {
        Metric::Moves => 0,
        Metric::Steps => 1,
    }
}

fn read_contents(block: &[u8]) -> Result<Contents, TableError> {
    let version = u32_at(block, 8);
    if version != VERSION {
        return Err(TableError::Version { path: None, found: version, expected: VERSION });
    }
    if !is_sealed(block) {
        return Err(TableError::damaged("the header's checksum is wrong"));
    }
    let space = SpaceId { size: block[16] as usize, walls: u64_at(block, WALLS_AT) };
    let (found, expected) = (u32_at(block, 12), rules(space.walls != 0));
    if found != expected {
        return Err(TableError::Rules { path: None, found, expected });
    }
    space.check().map_err(|error| match error {
        SpaceError::Size(size) => TableError::damaged(format!("the header names size {size}")),
        _ => TableError::damaged(format!("by the header, {error}")),
    })?;
    let metric = match block[17] {
        0 => Metric::Moves,
        1 => Metric::Steps,
        other => return Err(TableError::damaged(format!("the header names metric {other}"))),
    };
    Ok(Contents { space, metric, level: u32_at(block, 20) as i32 })
}

fn read_histogram(block: &[u8]) -> Option<Histogram> {
    Histogram::of_bytes(std::array::from_fn(|i| u64_at(block, HISTOGRAM_AT + 8 * i)))
}

impl Header {
    /// The header of a finished table.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut block = Block::new(MAGIC, HEADER);
        block.contents(self.contents, &self.builder);
        block.u64(56, self.boards);
        block.u32(64, self.signatures);
        block.u32(68, self.index_checksum);
        block.u64(72, self.index_at);
        block.u64(80, self.file_len);
        block.histogram(&self.histogram);
        block.0[DICTIONARY_AT..HEADER - 4].copy_from_slice(DICTIONARY);
        block.sealed()
    }

    /// Reads the header of a table from its first bytes, up to [`HEADER`] of
    /// them, and checks all that can be checked from them.
    pub(super) fn read(start: &[u8]) -> Result<Header, TableError> {
        let magic = &start[..start.len().min(8)];
        if magic == PART_MAGIC {
            return Err(TableError::Unfinished { path: None });
        }
        if start.is_empty() {
            return Err(TableError::damaged("the file is empty"));
        }
        if magic != MAGIC {
            let found = String::from_utf8_lossy(magic).into_owned();
            return Err(TableError::Foreign { path: None, found });
        }
        let Some(block) = start.get(..HEADER) else {
            return Err(TableError::damaged(format!("the file ends after {} bytes", start.len())));
        };
        let contents = read_contents(block)?;
        if block[DICTIONARY_AT..HEADER - 4] != *DICTIONARY {
            return Err(TableError::damaged("the dictionary of the frames is not that of this format"));
        }
        let no_sum = || TableError::damaged("the counts of the distances do not add up");
        let header = Header {
            contents,
            builder: read_builder(block),
            boards: u64_at(block, 56),
            signatures: u32_at(block, 64),
            index_checksum: u32_at(block, 68),
            index_at: u64_at(block, 72),
            file_len: u64_at(block, 80),
            histogram: read_histogram(block).ok_or_else(no_sum)?,
        };
        if header.histogram.total() != header.boards {
            return Err(no_sum());
        }
        let index_len = header.signatures as u64 * INDEX_ENTRY;
        if header.index_at < DATA || header.index_at.checked_add(index_len) != Some(header.file_len) {
            return Err(TableError::damaged("the index is not where the header says"));
        }
        Ok(header)
    }
}

fn read_builder(block: &[u8]) -> String {
    let text: Vec<u8> = block[BUILDER].iter().take_while(|&&b| b != 0).copied().collect();
    String::from_utf8_lossy(&text).into_owned()
}

/// The first block of a table that is being built: just what it is about.
pub fn write_part_header(contents: Contents) -> Vec<u8> {
    let mut block = Block::new(PART_MAGIC, HEADER);
    block.contents(contents, OUR_VERSION);
    block.sealed()
}

/// Whether the first bytes of a file are those of a table that is being built
/// in this format.
pub fn read_part_header(start: &[u8]) -> Result<(), TableError> {
    let magic = &start[..start.len().min(8)];
    match start.get(..HEADER) {
        Some(block) if magic == PART_MAGIC => read_contents(block).map(drop),
        _ => Err(TableError::Foreign { path: None, found: String::from_utf8_lossy(magic).into_owned() }),
    }
}

/// How far a build has come: everything before `end` is on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// What is built.
    pub contents: Contents,
    /// The version of the program that builds it.
    pub builder: String,
    /// Counts up; the higher of two is the newer.
    pub sequence: u64,
    /// How many signatures are done.
    pub signatures: u32,
    /// The CRC-32 of all records so far.
    pub checksum: u32,
    /// Where the next record goes.
    pub end: u64,
    /// The distances so far.
    pub histogram: Histogram,
}

impl Checkpoint {
    const MAGIC: [u8; 8] = *b"TAILMARK";

    /// The bytes of one checkpoint place.
    pub fn write(&self) -> Vec<u8> {
        let mut block = Block::new(Self::MAGIC, SLOT);
        block.contents(self.contents, &self.builder);
        block.u64(56, self.sequence);
        block.u32(64, self.signatures);
        block.u32(68, self.checksum);
        block.u64(72, self.end);
        block.histogram(&self.histogram);
        block.sealed()
    }

    /// Reads a checkpoint, if the place holds a whole one that this program
    /// could have written.
    pub fn read(block: &[u8]) -> Option<Checkpoint> {
        if block.len() != SLOT || block[..8] != Self::MAGIC {
            return None;
        }
        let checkpoint = Checkpoint {
            contents: read_contents(block).ok()?,
            builder: read_builder(block),
            sequence: u64_at(block, 56),
            signatures: u32_at(block, 64),
            checksum: u32_at(block, 68),
            end: u64_at(block, 72),
            histogram: read_histogram(block)?,
        };
        // No build writes four billion, and the next needs a higher number.
        (checkpoint.sequence < u64::from(u32::MAX)).then_some(checkpoint)
    }
}

/// What the index says of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry {
    /// Where its record begins.
    pub record_at: u64,
    /// The rank of its first board.
    pub first_rank: u64,
    /// The CRC-32 of its directory.
    pub directory_checksum: u32,
    /// The length of its directory.
    pub directory_len: u32,
}

impl IndexEntry {
    /// Appends the entry to an index.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.record_at.to_le_bytes());
        out.extend(self.first_rank.to_le_bytes());
        out.extend(self.directory_checksum.to_le_bytes());
        out.extend(self.directory_len.to_le_bytes());
    }

    /// Where the directory is.
    pub fn directory(&self) -> Range<u64> {
        self.record_at..self.record_at.saturating_add(self.directory_len.into())
    }

    /// The same, if that is in the file.
    pub fn directory_in(&self, header: &Header) -> Result<Range<u64>, TableError> {
        let outside = || TableError::damaged("a record lies outside the file");
        Some(self.directory()).filter(|range| range.end <= header.index_at).ok_or_else(outside)
    }

    /// Reads an entry.
    #[inline]
    pub fn read(bytes: &[u8]) -> IndexEntry {
        IndexEntry {
            record_at: u64_at(bytes, 0),
            first_rank: u64_at(bytes, 8),
            directory_checksum: u32_at(bytes, 16),
            directory_len: u32_at(bytes, 20),
        }
    }
}

pub const DIRECTORY_HEAD: usize = 16;
const FRAME_ENTRY: usize = 12;

/// The directory of a signature: where its sections and frames are.
#[derive(Debug, Clone, Copy)]
pub struct Directory<'b> {
    bytes: &'b [u8],
    sections: usize,
    frames: usize,
}

impl<'b> Directory<'b> {
    /// Writes the directory of a signature.
    pub fn write(signature: u32, blocks: &Blocks, frames: &[FrameEntry]) -> Vec<u8> {
        let sections = blocks.unsolved_sections();
        let mut out = Vec::with_capacity(DIRECTORY_HEAD + 4 * sections + FRAME_ENTRY * frames.len());
        for n in [signature, sections as u32, frames.len() as u32, blocks.first_strip(blocks.unsolved())] {
            out.extend(n.to_le_bytes());
        }
        for s in 0..sections {
            out.extend(blocks.first_strip(blocks.section_start(s)).to_le_bytes());
        }
        for f in frames {
            out.extend(f.first_strip.to_le_bytes());
            out.extend(f.end.to_le_bytes());
            out.extend(f.checksum.to_le_bytes());
        }
        out
    }

    /// Reads a directory that has exactly these bytes. They may be anything
    /// until their checksum has been compared.
    #[inline]
    pub fn read(bytes: &'b [u8]) -> Option<Directory<'b>> {
        let head = bytes.first_chunk()?;
        let (sections, frames) = (u32_at(head, 4) as usize, u32_at(head, 8) as usize);
        (bytes.len() as u64 == Directory::len(head)).then_some(Directory { bytes, sections, frames })
    }

    /// Reads the directory of a signature, and compares it with what the index says, unless
    /// that was done before.
    pub fn check(bytes: &'b [u8], id: u32, entry: Option<&IndexEntry>) -> Result<Directory<'b>, TableError> {
        let cut_off = || TableError::damaged(format!("the directory of signature {id} is cut off"));
        let directory = Directory::read(bytes).ok_or_else(cut_off)?;
        match entry {
            Some(entry)
                if directory.signature() != id || crc32fast::hash(bytes) != entry.directory_checksum =>
            {
                Err(TableError::damaged(format!("the checksum of the directory of signature {id} is wrong")))
            }
            _ => Ok(directory),
        }
    }

    /// How long a directory is that starts with these bytes.
    pub fn len(head: &[u8; DIRECTORY_HEAD]) -> u64 {
        let count = |at| u64::from(u32_at(head, at));
        DIRECTORY_HEAD as u64 + 4 * count(4) + FRAME_ENTRY as u64 * count(8)
    }

    /// All its bytes.
    pub fn bytes(&self) -> &'b [u8] {
        self.bytes
    }

    /// The signature it belongs to.
    pub fn signature(&self) -> u32 {
        u32_at(self.bytes, 0)
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// How many strips there are.
    pub fn strips(&self) -> u32 {
        u32_at(self.bytes, 12)
    }

    /// The first strip of a section.
    #[inline]
    pub fn section(&self, section: usize) -> Option<u32> {
        (section < self.sections).then(|| u32_at(self.bytes, DIRECTORY_HEAD + 4 * section))
    }

    /// One frame.
    #[inline]
    pub fn frame(&self, i: usize) -> FrameEntry {
        let at = DIRECTORY_HEAD + 4 * self.sections + FRAME_ENTRY * i;
        FrameEntry {
            first_strip: u32_at(self.bytes, at),
            end: u32_at(self.bytes, at + 4),
            checksum: u32_at(self.bytes, at + 8),
        }
    }

    /// Where a strip is.
    #[inline]
    pub fn place(&self, strip: u32) -> Option<FramePlace> {
        if strip >= self.strips() {
            return None;
        }
        let (mut low, mut high) = (0, self.frames);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.frame(middle).first_strip <= strip {
                low = middle;
            } else {
                high = middle;
            }
        }
        let first = (low < high).then(|| self.frame(low).first_strip)?;
        Some(FramePlace { frame: low, strip: strip.checked_sub(first)? as usize })
    }

    /// How many strips a frame has.
    #[inline]
    pub fn strips_in(&self, frame: usize) -> usize {
        let next = if frame + 1 < self.frames { self.frame(frame + 1).first_strip } else { self.strips() };
        next.saturating_sub(self.frame(frame).first_strip) as usize
    }

    /// The strips of a frame.
    pub fn strips_of(&self, frame: usize) -> Range<u32> {
        let first = self.frame(frame).first_strip;
        first..first + self.strips_in(frame) as u32
    }

    /// Whether the sections and frames follow each other as they must.
    pub fn is_orderly(&self, blocks: &Blocks) -> bool {
        let sections = blocks.unsolved_sections();
        let starts_right = |s| self.section(s) == Some(blocks.first_strip(blocks.section_start(s)));
        let mut frames = (0..self.frames).map(|i| self.frame(i)).peekable();
        let first = frames.peek().map_or(0, |f| f.first_strip);
        let (mut strip, mut end) = (None, 0);
        let rising = frames.all(|f| {
            let follows = strip < Some(f.first_strip) && end <= f.end && f.first_strip < self.strips();
            (strip, end) = (Some(f.first_strip), f.end);
            follows
        });
        self.sections == sections
            && (0..sections).all(starts_right)
            && self.strips() == blocks.first_strip(blocks.unsolved())
            && (self.frames == 0) == (self.strips() == 0)
            && first == 0
            && rising
    }

    /// Where a frame's bytes are, counted from the start of all frames.
    #[inline]
    pub fn bytes_of(&self, frame: usize) -> Range<u32> {
        let start = if frame == 0 { 0 } else { self.frame(frame - 1).end };
        start..self.frame(frame).end
    }

    /// Where a frame is in the file, given where the record begins.
    pub fn frame_in(&self, frame: usize, record_at: u64, header: &Header) -> Result<Range<u64>, TableError> {
        let Range { start, end } = self.bytes_of(frame);
        let frames_at = record_at.saturating_add(self.bytes.len() as u64);
        let range = frames_at.saturating_add(start.into())..frames_at.saturating_add(end.into());
        let is_inside = range.start <= range.end && range.end <= header.index_at;
        is_inside.then_some(range).ok_or_else(|| TableError::damaged("a frame lies outside the file"))
    }

    /// The length of the whole record.
    pub fn record_len(&self) -> u64 {
        let frames = self.frames.checked_sub(1).map_or(0, |last| self.frame(last).end);
        self.bytes.len() as u64 + u64::from(frames)
    }
}

/// Where a strip is.
#[derive(Debug, Clone, Copy)]
pub struct FramePlace {
    /// The number of its frame.
    pub frame: usize,
    /// Its number within the frame.
    pub strip: usize,
}

/// The name of a table's file.
pub fn file_name(space: impl Into<SpaceId>, metric: Metric) -> String {
    format!("{}-{metric}.tailback", space.into().stem())
}

/// The space and metric of a table with this name, if it is one of ours.
///
/// ```
/// use tailback::board::Metric;
/// use tailback::space::SpaceId;
/// use tailback::table::{file_name, of_file_name};
///
/// let space = SpaceId { size: 6, walls: 1 << 9 };
/// assert_eq!(file_name(space, Metric::Moves), "6x6-D2-moves.tailback");
/// assert_eq!(of_file_name("6x6-D2-moves.tailback"), Some((space, Metric::Moves)));
/// assert_eq!(of_file_name("6x6-D2-moves.tailback.part"), None);
/// ```
pub fn of_file_name(name: &str) -> Option<(SpaceId, Metric)> {
    let (stem, metric) = name.strip_suffix(".tailback")?.rsplit_once('-')?;
    Some((Spaces::of_stem(stem)?.single()?, metric.parse().ok()?))
}
