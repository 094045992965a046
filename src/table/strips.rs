//! Strips of distances in compressed frames.
//!
//! A *strip* holds the distances of the boards that differ in the edge columns
//! alone. Strips of one signature look alike: what differs is mostly how far
//! the rest of the board is from solved. So a strip is stored as its least
//! distance, the *base*, and the rest after taking it off, the *pattern*; a
//! frame lists every pattern once and names it by one byte, the *token*. A
//! frame of 1,536 strips stands for some 75,000 boards, has about 6.5 KiB
//! before zstd, and one board is read from it without unpacking the others.
//!
//! Measured on 40 signatures drawn by size, bits per unsolved board: the plain
//! distances in frames of 64 KiB 0.24 (zstd level 3) and 0.21 (level 6); whole
//! strips as tokens 0.16 and 0.14; with the base taken off 0.107 and 0.095.
//! See `docs/format.md` for the layout.

use std::sync::LazyLock;

use zstd::dict::DecoderDictionary;

use crate::board::Distance;
use crate::space::Blocks;
use crate::space::line::MAX_PLACEMENTS;

/// The most strips in a frame.
pub const STRIPS_IN_FRAME: usize = 1536;
/// The most different patterns in a frame: a token is one byte.
pub const PATTERNS_IN_FRAME: usize = 256;
/// No strip is longer: two edge columns with all their placements.
pub const MAX_STRIP: usize = MAX_PLACEMENTS * MAX_PLACEMENTS;
/// No frame is longer before compression.
const MAX_FRAME: usize = 1 + 3 * PATTERNS_IN_FRAME + 2 * STRIPS_IN_FRAME + PATTERNS_IN_FRAME * MAX_STRIP;

/// What frames have in common, for zstd: trained on frames of 60 signatures of 6×6.
/// Every table has it in its header.
pub const DICTIONARY: &[u8; 1916] = include_bytes!("frames.dictionary");

/// Unpacks frames.
pub(super) fn decompressor() -> zstd::bulk::Decompressor<'static> {
    static PREPARED: LazyLock<DecoderDictionary<'static>> =
        LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));
    zstd::bulk::Decompressor::with_prepared_dictionary(&PREPARED).expect("zstd needs nothing but memory")
}

const SLOTS: usize = 1024;
const FREE: u16 = u16::MAX;

/// A pattern seen in the frame that is being filled.
#[derive(Debug, Clone, Copy)]
struct Pattern {
    hash: u64,
    start: u32,
    len: u32,
}

/// A finished frame, as the directory of a signature lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameEntry {
    /// The number of its first strip within the signature.
    pub first_strip: u32,
    /// Where it ends, from the first byte of the signature's frames.
    pub end: u32,
    /// The CRC-32 of its compressed bytes.
    pub checksum: u32,
}

/// Packs the strips of a signature into frames.
pub struct Encoder {
    zstd: zstd::bulk::Compressor<'static>,
    patterns: Vec<Pattern>,
    arena: Vec<u8>,
    slots: Vec<u16>,
    tokens: Vec<u8>,
    bases: Vec<u8>,
    last: Vec<u8>,
    raw: Vec<u8>,
    first_strip: u32,
    frames: Vec<FrameEntry>,
    data: Vec<u8>,
}

impl Encoder {
    /// An encoder that compresses at this zstd level.
    pub fn new(level: i32) -> std::io::Result<Encoder> {
        Ok(Encoder {
            zstd: zstd::bulk::Compressor::with_dictionary(level, DICTIONARY)?,
            patterns: Vec::new(),
            arena: Vec::new(),
            slots: vec![FREE; SLOTS],
            tokens: Vec::new(),
            bases: Vec::new(),
            last: Vec::new(),
            raw: Vec::new(),
            first_strip: 0,
            frames: Vec::new(),
            data: Vec::new(),
        })
    }

    /// Packs the distances of a whole signature.
    pub fn pack(&mut self, blocks: &Blocks, distances: &[u8]) -> std::io::Result<(Vec<FrameEntry>, Vec<u8>)> {
        for h in 0..blocks.unsolved() {
            let block = &distances[blocks.boards_in(h)];
            for strip in block.chunks_exact(blocks.strip_len(h)) {
                self.push(strip)?;
            }
        }
        self.finish()
    }

    /// Adds the next strip.
    fn push(&mut self, strip: &[u8]) -> std::io::Result<()> {
        if self.tokens.len() == STRIPS_IN_FRAME {
            self.close_frame()?;
        }
        if self.last == strip && !self.tokens.is_empty() {
            // Neighbours are often equal, and comparing is cheaper than hashing.
            self.tokens.push(self.tokens[self.tokens.len() - 1]);
            self.bases.push(self.bases[self.bases.len() - 1]);
            return Ok(());
        }
        self.last.clear();
        self.last.extend_from_slice(strip);
        let base = strip.iter().fold(UNSOLVABLE, |least, &d| least.min(d));
        let token = match self.token(strip, base) {
            Some(token) => token,
            None => {
                self.close_frame()?;
                self.token(strip, base).expect("an empty frame has room")
            }
        };
        self.tokens.push(token);
        self.bases.push(base);
        Ok(())
    }

    /// The frames of the signature and their bytes. The encoder is empty again.
    fn finish(&mut self) -> std::io::Result<(Vec<FrameEntry>, Vec<u8>)> {
        if !self.tokens.is_empty() {
            self.close_frame()?;
        }
        self.first_strip = 0;
        Ok((std::mem::take(&mut self.frames), std::mem::take(&mut self.data)))
    }

    /// The token of a strip's pattern; none if the frame is full of patterns.
    fn token(&mut self, strip: &[u8], base: u8) -> Option<u8> {
        let start = self.arena.len();
        let hash = self.add_pattern(strip, base);
        let mut slot = hash as usize % SLOTS;
        loop {
            match self.slots[slot] {
                FREE => break,
                at => {
                    let known = self.patterns[at as usize];
                    let (old, new) = self.arena.split_at(start);
                    if known.hash == hash && old[known.start as usize..][..known.len as usize] == *new {
                        self.arena.truncate(start);
                        return Some(at as u8);
                    }
                }
            }
            slot = (slot + 1) % SLOTS;
        }
        if self.patterns.len() == PATTERNS_IN_FRAME {
            self.arena.truncate(start);
            return None;
        }
        let token = self.patterns.len();
        self.slots[slot] = token as u16;
        self.patterns.push(Pattern { hash, start: start as u32, len: strip.len() as u32 });
        Some(token as u8)
    }

    /// Puts what a strip has above its base behind the patterns, and tells a hash of it.
    fn add_pattern(&mut self, strip: &[u8], base: u8) -> u64 {
        let start = self.arena.len();
        let (chunks, rest) = strip.as_chunks::<CHUNK>();
        let mut last = [base; CHUNK];
        last[..rest.len()].copy_from_slice(rest);
        self.arena.resize(start + CHUNK * (chunks.len() + 1), 0);
        let room = self.arena[start..].as_chunks_mut::<CHUNK>().0;
        let mut hash = strip.len() as u64;
        for (above, chunk) in room.iter_mut().zip(chunks.iter().chain([&last])) {
            *above = chunk.map(|d| if d == UNSOLVABLE { d } else { d.wrapping_sub(base) });
            hash = mix(hash, above);
        }
        self.arena.truncate(start + strip.len());
        hash
    }

    fn close_frame(&mut self) -> std::io::Result<()> {
        // By length, so that a reader finds a pattern from a few counts.
        let mut order: Vec<usize> = (0..self.patterns.len()).collect();
        order.sort_by_key(|&i| self.patterns[i].len);
        let mut rename = [0u8; PATTERNS_IN_FRAME];
        for (new, &old) in order.iter().enumerate() {
            rename[old] = new as u8;
        }
        self.raw.clear();
        let groups: Vec<&[usize]> =
            order.chunk_by(|&a, &b| self.patterns[a].len == self.patterns[b].len).collect();
        self.raw.push((groups.len() - 1) as u8);
        for group in groups {
            self.raw.extend((self.patterns[group[0]].len as u16).to_le_bytes());
            self.raw.push((group.len() - 1) as u8);
        }
        self.raw.extend(self.tokens.iter().map(|&t| rename[t as usize]));
        self.raw.extend(&self.bases);
        for &i in &order {
            let p = self.patterns[i];
            self.raw.extend(&self.arena[p.start as usize..][..p.len as usize]);
        }

        let start = self.data.len();
        self.data.resize(start + zstd::zstd_safe::compress_bound(self.raw.len()), 0);
        let len = self.zstd.compress_to_buffer(&self.raw, &mut self.data[start..])?;
        self.data.truncate(start + len);
        self.frames.push(FrameEntry {
            first_strip: self.first_strip,
            end: self.data.len() as u32,
            checksum: crc32fast::hash(&self.data[start..]),
        });
        self.first_strip += self.tokens.len() as u32;
        self.patterns.clear();
        self.arena.clear();
        self.slots.fill(FREE);
        self.tokens.clear();
        self.bases.clear();
        Ok(())
    }
}

/// Bytes of a pattern that are worked on at once.
const CHUNK: usize = 16;

/// A quick hash with one more chunk; the table is small and lives for one frame only.
#[inline]
fn mix(hash: u64, chunk: &[u8; CHUNK]) -> u64 {
    let chunk = u128::from_le_bytes(*chunk);
    let (low, high) = (chunk as u64 ^ hash, (chunk >> 64) as u64 ^ 0x9e37_79b9_7f4a_7c15);
    let product = u128::from(low) * u128::from(high);
    product as u64 ^ (product >> 64) as u64
}

/// What a strip or a pattern has for a board that cannot be solved.
pub(super) const UNSOLVABLE: u8 = Distance::UNSOLVABLE.byte();

/// The distance of a board whose strip has this base and whose pattern says this.
#[inline]
pub fn distance(base: u8, above: u8) -> u8 {
    if above == UNSOLVABLE { UNSOLVABLE } else { base.wrapping_add(above) }
}

/// A frame after decompression, ready to be read.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    raw: Vec<u8>,
    strips: usize,
    tokens: usize,
    /// Where each pattern starts in `raw`; one more marks the end.
    starts: Vec<u32>,
}

impl Frame {
    /// Decompresses a frame of so many strips into `self`, or says what is
    /// wrong with it; then `self` is empty.
    pub fn decode(
        &mut self,
        zstd: &mut zstd::bulk::Decompressor,
        bytes: &[u8],
        strips: usize,
    ) -> Result<(), String> {
        self.strips = 0;
        let size = match zstd::zstd_safe::get_frame_content_size(bytes) {
            Ok(Some(size)) if size <= MAX_FRAME as u64 => size as usize,
            _ => return Err("a frame has no sensible size".to_owned()),
        };
        self.raw.clear();
        self.raw.reserve(size);
        zstd.decompress_to_buffer(bytes, &mut self.raw)
            .map_err(|e| format!("a frame cannot be decompressed ({e})"))?;
        self.read_layout(strips).ok_or("a frame's patterns do not add up")?;
        self.strips = strips;
        Ok(())
    }

    fn read_layout(&mut self, strips: usize) -> Option<()> {
        self.starts.clear();
        let groups = *self.raw.first()? as usize + 1;
        self.tokens = 1 + 3 * groups;
        let mut at = self.tokens + 2 * strips;
        for group in self.raw.get(1..self.tokens)?.as_chunks::<3>().0 {
            let len = u16::from_le_bytes([group[0], group[1]]) as usize;
            for _ in 0..=group[2] {
                self.starts.push(at as u32);
                at += len;
            }
        }
        self.starts.push(at as u32);
        (at == self.raw.len() && self.starts.len() <= PATTERNS_IN_FRAME + 1).then_some(())
    }

    /// One distance: board `pair` of strip `strip`, both counted from 0.
    /// [`UNSOLVABLE`] if there is none; nothing if the frame has no such board.
    #[inline]
    pub fn distance(&self, strip: usize, pair: usize) -> Option<u8> {
        if strip >= self.strips {
            return None;
        }
        let token = *self.raw.get(self.tokens + strip)?;
        let base = *self.raw.get(self.tokens + self.strips + strip)?;
        Some(distance(base, *self.pattern(token)?.get(pair)?))
    }

    /// How many strips the frame has.
    pub fn strips(&self) -> usize {
        self.strips
    }

    /// The token of every strip, and the base of every strip.
    pub fn pairs(&self) -> (&[u8], &[u8]) {
        self.raw[self.tokens..self.tokens + 2 * self.strips].split_at(self.strips)
    }

    /// The pattern of a token, if there is one.
    #[inline]
    pub fn pattern(&self, token: u8) -> Option<&[u8]> {
        let token = token as usize;
        self.raw.get(*self.starts.get(token)? as usize..*self.starts.get(token + 1)? as usize)
    }

    /// All patterns, in the order of their tokens.
    pub fn patterns(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.starts.windows(2).map(|ends| &self.raw[ends[0] as usize..ends[1] as usize])
    }

    /// The bytes of all patterns, one after the other.
    pub fn pattern_bytes(&self) -> &[u8] {
        &self.raw[self.tokens + 2 * self.strips..]
    }

    /// Writes the distances of a whole strip. False if it has another length.
    pub fn unpack(&self, strip: usize, out: &mut [u8]) -> bool {
        let (token, base) = (self.raw[self.tokens + strip], self.raw[self.tokens + self.strips + strip]);
        let Some(pattern) = self.pattern(token).filter(|pattern| pattern.len() == out.len()) else {
            return false;
        };
        for (out, &above) in out.iter_mut().zip(pattern) {
            *out = distance(base, above);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode_all(frames: &[FrameEntry], data: &[u8], strips: &[Vec<u8>]) {
        let mut zstd = super::decompressor();
        let mut start = 0;
        for (i, entry) in frames.iter().enumerate() {
            let next = frames.get(i + 1).map_or(strips.len() as u32, |f| f.first_strip);
            let mut frame = Frame::default();
            let bytes = &data[start..entry.end as usize];
            assert_eq!(crc32fast::hash(bytes), entry.checksum);
            frame.decode(&mut zstd, bytes, (next - entry.first_strip) as usize).expect("decodes");
            for s in entry.first_strip..next {
                let strip = &strips[s as usize];
                let mut out = vec![0; strip.len()];
                assert!(frame.unpack((s - entry.first_strip) as usize, &mut out));
                assert_eq!(&out, strip);
                for (pair, &d) in strip.iter().enumerate() {
                    assert_eq!(frame.distance((s - entry.first_strip) as usize, pair), Some(d));
                }
                assert_eq!(frame.distance((s - entry.first_strip) as usize, strip.len()), None);
            }
            start = entry.end as usize;
        }
    }

    /// Guards readers that keep their frames: one with a right checksum and a
    /// wrong layout was left half-filled, and the next look-up read from it.
    #[test]
    fn a_frame_that_does_not_add_up_leaves_nothing() {
        let mut zstd = super::decompressor();
        let compressed = |raw: &[u8]| zstd::bulk::compress(raw, 3).expect("in memory");
        // One group of one pattern of two boards; two strips with base 5.
        let right = [0, 2, 0, 0, 0, 0, 5, 5, 1, 2];
        let mut frame = Frame::default();
        for wrong in [&right[..9], &[0xff; 40], &[]] {
            frame.decode(&mut zstd, &compressed(&right), 2).expect("it adds up");
            assert_eq!((frame.strips(), frame.distance(1, 1)), (2, Some(7)));
            frame.decode(&mut zstd, &compressed(wrong), 2).expect_err("it does not");
            assert_eq!((frame.strips(), frame.distance(0, 0)), (0, None));
        }
    }

    #[test]
    fn frames_give_back_what_went_in() {
        // More strips and more patterns than one frame takes, of many lengths.
        let mut strips = Vec::new();
        for i in 0..9000usize {
            let len = 1 + i * i % 37;
            strips.push(
                (0..len)
                    .map(|j| if (i ^ j) % 5 == 0 { UNSOLVABLE } else { (i % 40 + (i / 3 + j) % 4) as u8 })
                    .collect::<Vec<u8>>(),
            );
        }
        let mut encoder = Encoder::new(3).expect("zstd starts");
        for strip in &strips {
            encoder.push(strip).expect("in memory");
        }
        let (frames, data) = encoder.finish().expect("in memory");
        assert!(frames.len() > 4);
        decode_all(&frames, &data, &strips);
        // Empty again: the same input gives the same bytes.
        for strip in &strips {
            encoder.push(strip).expect("in memory");
        }
        assert_eq!(encoder.finish().expect("in memory"), (frames, data));
    }
}
