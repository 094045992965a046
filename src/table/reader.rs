//! Look-ups without input or output.
//!
//! A [`Reader`] knows the header of a table and what it was given of the rest. Asked for a
//! board, it has its distance or says which bytes it needs; given these, it goes on. So one
//! implementation serves tables in memory, in files, and far away, whose ranges arrive some
//! time later; meanwhile other boards may be asked for.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bitvec::bitvec;
use bitvec::boxed::BitBox;

use super::TableError;
use super::format::{Directory, FramePlace, HEADER, Header, INDEX_ENTRY, IndexEntry};
use super::strips::{Frame, decompressor};
use crate::board::Distance;
use crate::space::line::PlacementId;
use crate::space::rank::BlockPlace;
use crate::space::{MAX_SIZE, Position, SignatureId, Space};

/// How many decoded frames a reader keeps: two to three megabytes when full.
const FRAMES: usize = 256;
/// A place for a frame that is empty.
const NOTHING: (u32, u32) = (u32::MAX, u32::MAX);
/// How many directories it keeps.
const RECORDS: usize = 64;

/// What a table says of itself, and its space.
#[derive(Debug)]
pub(super) struct Info {
    pub header: Header,
    pub space: Arc<Space>,
}

impl Info {
    /// From the first bytes of a table.
    pub fn read(start: &[u8]) -> Result<Info, TableError> {
        let header = Header::read(start)?;
        let space = Space::of(header.contents.space).expect("the header was checked");
        match header.signatures == space.signatures() {
            true => Ok(Info { header, space }),
            false => Err(TableError::damaged("the number of signatures is wrong")),
        }
    }

    /// Is a board of the table's space?
    #[inline]
    pub fn must_have(&self, position: &Position) -> Result<(), TableError> {
        let (found, expected) = (position.space, self.space.id());
        if found == expected { Ok(()) } else { Err(TableError::OtherSpace { found, expected }) }
    }
}

/// A reader of single boards that is given the bytes it asks for. Keeps the last frames it
/// decoded, so that boards near each other, as along a solution, need no more bytes.
///
/// ```
/// use std::borrow::Cow;
/// use tailback::space::Rank;
/// use tailback::table::{Reader, Step};
/// # use tailback::board::Metric;
/// # use tailback::table::{BuildOptions, build};
/// # let folder = tempfile::tempdir()?;
/// # let file = std::fs::read(build(&BuildOptions::new(folder.path(), 4, Metric::Moves), &())?.path)?;
/// # let fetch = |range: std::ops::Range<u64>| file[range.start as usize..range.end as usize].to_vec();
///
/// let mut reader = Reader::new(&fetch(Reader::START))?;
/// let position = reader.space().position(Rank(100)).unwrap();
/// let mut step = reader.ask(&position)?;
/// let distance = loop {
///     step = match step {
///         Step::Is(distance) => break distance,
///         Step::Wants(question) => {
///             let bytes = fetch(question.range());
///             reader.give(question, Cow::Owned(bytes))?
///         }
///     }
/// };
/// assert_eq!(distance.known(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader {
    info: Arc<Info>,
    zstd: zstd::bulk::Decompressor<'static>,
    /// The signatures whose directory has been checked.
    checked: BitBox,
    records: Vec<Option<Remembered>>,
    frames: Vec<((u32, u32), Frame)>,
    /// The last rows and their block: moves of columns leave the rows alone.
    block: Option<([PlacementId; MAX_SIZE], BlockPlace)>,
}

/// A signature of which a board was asked for.
struct Remembered {
    id: SignatureId,
    /// Where its record begins.
    record_at: u64,
    directory: Vec<u8>,
}

/// What comes of a question.
#[derive(Debug)]
pub enum Step {
    /// The distance of the board.
    Is(Distance),
    /// Some bytes are needed first.
    Wants(Question),
}

/// A question that waits for bytes.
#[derive(Debug)]
pub struct Question {
    position: Position,
    id: SignatureId,
    range: Range<u64>,
    about: About,
}

/// What the bytes are.
#[derive(Debug)]
enum About {
    Index,
    Directory(IndexEntry),
    Frame { frame: usize, strips: usize, checksum: u32, strip: usize, pair: u32 },
}

impl Question {
    /// The bytes of the table that are needed, counted from its start.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
}

impl Reader {
    /// The bytes that a reader begins with.
    pub const START: Range<u64> = 0..HEADER as u64;

    /// A reader of a table that [starts](Reader::START) with these bytes.
    pub fn new(start: &[u8]) -> Result<Reader, TableError> {
        Ok(Reader::of(Arc::new(Info::read(start)?)))
    }

    pub(super) fn of(info: Arc<Info>) -> Reader {
        Reader {
            zstd: decompressor(),
            checked: bitvec![0; info.header.signatures as usize].into_boxed_bitslice(),
            records: (0..RECORDS).map(|_| None).collect(),
            frames: (0..FRAMES).map(|_| (NOTHING, Frame::default())).collect(),
            block: None,
            info,
        }
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.info.header
    }

    /// The space it is about.
    pub fn space(&self) -> &Space {
        &self.info.space
    }

    /// The distance of a board, if all that it takes was read before. Anything else, errors
    /// too, is for [`ask`](Reader::ask). Look-ups near each other end here, where a question
    /// that may be asked would take longer than all the rest.
    #[inline]
    pub(super) fn at_hand(&mut self, position: &Position) -> Option<Distance> {
        let space = &*self.info.space;
        if position.space != space.id() {
            return None;
        }
        if space.primary_column(position.rows[space.primary_row()]) == space.size() - 2 {
            return Some(Distance::SOLVED);
        }
        let id = space.signature_of(position);
        let held = self.records[id.0 as usize % RECORDS].as_ref().filter(|held| held.id == id)?;
        let directory = Directory::read(&held.directory)?;
        let (strip, pair) = strip_of(space, &mut self.block, position, directory)?;
        let FramePlace { frame: number, strip } = directory.place(strip)?;
        let (held, frame) = &self.frames[slot_of(id, number)];
        match *held == (id.0, number as u32) {
            true => frame.distance(strip, pair as usize).map(Distance::from_byte),
            false => None,
        }
    }

    /// Asks for the distance of a board.
    pub fn ask(&mut self, position: &Position) -> Result<Step, TableError> {
        self.info.must_have(position)?;
        let space = &self.info.space;
        if space.primary_column(position.rows[space.primary_row()]) == space.size() - 2 {
            return Ok(Step::Is(Distance::SOLVED));
        }
        let id = space.signature_of(position);
        let wants = |range, about| Ok(Step::Wants(Question { position: *position, id, range, about }));
        match &self.records[id.0 as usize % RECORDS] {
            Some(held) if held.id == id => {
                let directory = Directory::read(&held.directory).expect("it was read before");
                let place = strip_of(space, &mut self.block, position, directory);
                self.look(position, id, held.record_at, directory, place)
            }
            _ => {
                let at = self.info.header.index_at + u64::from(id.0) * INDEX_ENTRY;
                wants(at..at + INDEX_ENTRY, About::Index)
            }
        }
    }

    /// Goes on with a question, given the bytes of its range.
    pub fn give(&mut self, question: Question, bytes: Cow<[u8]>) -> Result<Step, TableError> {
        let Question { position, id, range, about } = question;
        if bytes.len() as u64 != range.end - range.start {
            return Err(TableError::damaged(format!(
                "{} bytes of it were given for {} that were asked for",
                bytes.len(),
                range.end - range.start
            )));
        }
        match about {
            About::Index => {
                let entry = IndexEntry::read(&bytes);
                let range = entry.directory_in(&self.info.header)?;
                Ok(Step::Wants(Question { position, id, range, about: About::Directory(entry) }))
            }
            About::Directory(entry) => {
                let checked = self.checked[id.0 as usize];
                // What is lent is what it was.
                let is_known = checked && matches!(bytes, Cow::Borrowed(_));
                let directory = Directory::check(&bytes, id.0, (!is_known).then_some(&entry))?;
                if !checked {
                    self.checked.set(id.0 as usize, true);
                }
                let place = strip_of(&self.info.space, &mut self.block, &position, directory);
                let step = self.look(&position, id, entry.record_at, directory, place)?;
                // A copy of what is lent: a look-up after the first takes a sixth less than
                // if it was lent again.
                let slot = &mut self.records[id.0 as usize % RECORDS];
                let mut directory = slot.take().map(|held| held.directory).unwrap_or_default();
                match bytes {
                    Cow::Owned(bytes) => directory = bytes,
                    Cow::Borrowed(bytes) => {
                        directory.clear();
                        directory.extend_from_slice(bytes);
                    }
                }
                *slot = Some(Remembered { id, record_at: entry.record_at, directory });
                Ok(step)
            }
            About::Frame { frame: number, strips, checksum, strip, pair } => {
                let (held, frame) = &mut self.frames[slot_of(id, number)];
                *held = NOTHING;
                decode(frame, &mut self.zstd, &bytes, (id, number), (strips, checksum))?;
                *held = (id.0, number as u32);
                distance(frame, id, strip, pair)
            }
        }
    }

    /// Looks a board up in its frame, if that is at hand.
    #[inline]
    fn look(
        &self,
        position: &Position,
        id: SignatureId,
        record_at: u64,
        directory: Directory,
        place: Option<(u32, u32)>,
    ) -> Result<Step, TableError> {
        let place = place.and_then(|(strip, pair)| Some((directory.place(strip)?, pair)));
        let (FramePlace { frame: number, strip }, pair) = place.ok_or_else(|| nowhere(id))?;
        let (held, frame) = &self.frames[slot_of(id, number)];
        if *held == (id.0, number as u32) {
            return distance(frame, id, strip, pair);
        }
        let range = directory.frame_in(number, record_at, &self.info.header)?;
        let (strips, checksum) = (directory.strips_in(number), directory.frame(number).checksum);
        let about = About::Frame { frame: number, strips, checksum, strip, pair };
        Ok(Step::Wants(Question { position: *position, id, range, about }))
    }

    /// Forgets everything it has read.
    pub fn forget(&mut self) {
        self.checked.fill(false);
        self.records.fill_with(|| None);
        self.block = None;
        for (held, _) in &mut self.frames {
            *held = NOTHING;
        }
    }
}

/// Where a frame is kept.
#[inline]
fn slot_of(id: SignatureId, frame: usize) -> usize {
    (id.0 as usize).wrapping_mul(31).wrapping_add(frame) % FRAMES
}

/// The strip of a board, and its number there.
#[inline]
fn strip_of(
    space: &Space,
    last: &mut Option<([PlacementId; MAX_SIZE], BlockPlace)>,
    position: &Position,
    directory: Directory,
) -> Option<(u32, u32)> {
    let block = match last {
        Some((rows, block)) if *rows == position.rows => *block,
        _ => last.insert((position.rows, space.block_in_section(position))).1,
    };
    space.strip_of(position, directory.section(space.section_of(position))?, block)
}

/// The distance of a board in its frame.
#[inline]
fn distance(frame: &Frame, id: SignatureId, strip: usize, pair: u32) -> Result<Step, TableError> {
    let found = frame.distance(strip, pair as usize).map(Distance::from_byte);
    found.map(Step::Is).ok_or_else(|| nowhere(id))
}

/// The error that a board is asked for that its signature should have.
pub(super) fn nowhere(id: SignatureId) -> TableError {
    TableError::damaged(format!("signature {} has no such board", id.0))
}

/// Decompresses a frame of so many strips, if it has the checksum of the directory.
pub(super) fn decode(
    into: &mut Frame,
    zstd: &mut zstd::bulk::Decompressor,
    bytes: &[u8],
    (id, frame): (SignatureId, usize),
    (strips, checksum): (usize, u32),
) -> Result<(), TableError> {
    if crc32fast::hash(bytes) != checksum {
        let what = format!("the checksum of frame {frame} of signature {} is wrong", id.0);
        return Err(TableError::damaged(what));
    }
    into.decode(zstd, bytes, strips).map_err(TableError::damaged)
}
