//! The distances of one frame, counted without unpacking it.
//!
//! Most strips of a frame share token and base with others: of about 1,700
//! strips (6×6) 120 differ. So the pairs of token and base are counted first;
//! then the counts of a pair's pattern are added once, at the base, for all its
//! strips. That takes about as long as decompressing the frame. Unpacking its
//! 68,000 boards takes twice as long as both (`cargo bench --bench census`),
//! before a byte is counted.

use crate::table::strips::{Frame, PATTERNS_IN_FRAME, UNSOLVABLE, distance};

/// Bases, as they fit a byte.
const BASES: usize = 256;

/// Counts frames; its memory is used again for each.
pub struct FrameCounts {
    /// How long a row is.
    width: usize,
    /// For every token, how often its pattern has each value. The first of a
    /// row counts [`UNSOLVABLE`], the next ones 0, 1, …
    rows: Vec<u32>,
    /// The length of every token's pattern; 0 if there is no such token.
    lens: [usize; PATTERNS_IN_FRAME],
    /// By pair of token and base: how many strips have it, or how many boards
    /// one of its strips has at some distance. All zero between calls.
    by_pair: Vec<u32>,
    /// The pairs of the frame.
    pairs: Vec<u16>,
    /// By distance. Bytes wrap, so the second half belongs to the first.
    counts: [u32; 2 * BASES],
}

impl FrameCounts {
    pub fn new() -> FrameCounts {
        FrameCounts {
            width: 0,
            rows: Vec::new(),
            lens: [0; PATTERNS_IN_FRAME],
            by_pair: vec![0; PATTERNS_IN_FRAME * BASES],
            pairs: Vec::new(),
            counts: [0; 2 * BASES],
        }
    }

    /// Reads the patterns of a frame.
    pub fn read(&mut self, frame: &Frame) {
        let most = frame.pattern_bytes().iter().map(|&above| column(above)).fold(0, u8::max);
        self.width = most as usize + 1;
        self.lens.fill(0);
        self.rows.clear();
        self.rows.resize(frame.patterns().len() * self.width, 0);
        let rows = self.rows.chunks_exact_mut(self.width);
        for ((row, len), pattern) in rows.zip(&mut self.lens).zip(frame.patterns()) {
            *len = pattern.len();
            for &above in pattern {
                row[column(above) as usize] += 1;
            }
        }
    }

    /// Do the patterns of these tokens exist and have this length?
    pub fn have_length(&self, tokens: &[u8], len: usize) -> bool {
        tokens.iter().all(|&token| self.lens[token as usize] == len)
    }

    /// Counts the distances of the frame whose patterns were read last. All its
    /// tokens must have a pattern.
    pub fn count(&mut self, frame: &Frame) {
        self.pairs.clear();
        let (tokens, bases) = frame.pairs();
        for (&token, &base) in tokens.iter().zip(bases) {
            let strips = &mut self.by_pair[pair(token, base) as usize];
            if *strips == 0 {
                self.pairs.push(pair(token, base));
            }
            *strips += 1;
        }
        self.counts.fill(0);
        for &pair in &self.pairs {
            let strips = std::mem::take(&mut self.by_pair[pair as usize]);
            let [base, token] = pair.to_le_bytes();
            let row = &self.rows[token as usize * self.width..][..self.width];
            self.counts[UNSOLVABLE as usize] += strips * row[0];
            for (count, &boards) in self.counts[base as usize..].iter_mut().zip(&row[1..]) {
                *count += strips * boards;
            }
        }
        let (counts, wrapped) = self.counts.split_at_mut(BASES);
        for (count, &more) in counts.iter_mut().zip(wrapped.iter()) {
            *count += more;
        }
    }

    /// How many boards of the frame that was counted last have each distance.
    pub fn counts(&self) -> &[u32] {
        &self.counts[..BASES]
    }

    /// Finds boards at a distance in the frame that was counted last. The
    /// `numbers` count the frame's boards at that distance from 0; they rise,
    /// and are less than the count. Calls `found` with each board, where
    /// `first` says what to call the first board of a strip.
    pub fn find(
        &mut self,
        frame: &Frame,
        wanted: u8,
        numbers: impl Iterator<Item = u32>,
        first: impl Fn(usize) -> u32,
        mut found: impl FnMut(u32),
    ) {
        for &pair in &self.pairs {
            let [base, token] = pair.to_le_bytes();
            self.by_pair[pair as usize] = boards_at(wanted, base, self.row(token));
        }
        let (tokens, bases) = frame.pairs();
        let mut strips = tokens.iter().zip(bases).enumerate();
        let mut numbers = numbers.peekable();
        let mut end = 0;
        while let Some(&number) = numbers.peek() {
            // The strip of that board, and all that is wanted of it.
            let strip = strips.find(|&(_, (&token, &base))| {
                end += self.by_pair[pair(token, base) as usize];
                number < end
            });
            let Some((strip, (&token, &base))) = strip else { break };
            let first = first(strip);
            let mut at = end - self.by_pair[pair(token, base) as usize];
            for (board, &above) in (first..).zip(frame.pattern(token).unwrap_or_default()) {
                if distance(base, above) == wanted {
                    while numbers.next_if_eq(&at).is_some() {
                        found(board);
                    }
                    at += 1;
                }
            }
        }
        for &pair in &self.pairs {
            self.by_pair[pair as usize] = 0;
        }
    }

    fn row(&self, token: u8) -> &[u32] {
        &self.rows[token as usize * self.width..][..self.width]
    }
}

/// How many boards of a strip have a distance, by its base and its pattern's row.
fn boards_at(wanted: u8, base: u8, row: &[u32]) -> u32 {
    let unsolvable = if wanted == UNSOLVABLE { row[0] } else { 0 };
    let solvable = match wanted.wrapping_sub(base) {
        UNSOLVABLE => 0,
        above => row.get(column(above) as usize).copied().unwrap_or(0),
    };
    unsolvable + solvable
}

/// The place in a row that counts this value of a pattern.
#[inline]
fn column(above: u8) -> u8 {
    above.wrapping_add(1)
}

#[inline]
fn pair(token: u8, base: u8) -> u16 {
    u16::from_le_bytes([base, token])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::split_mix;

    /// A frame that says anything, also what no encoder would write.
    fn frame(seed: u64) -> Frame {
        let mut state = seed;
        let mut random = |below: u64| {
            state += 1;
            split_mix(state) % below
        };
        let (strips, groups, most) = (1 + random(300) as usize, 1 + random(4), 1 + random(256));
        let mut layout = vec![groups as u8 - 1];
        let (mut patterns, mut tokens) = (Vec::new(), 0);
        for _ in 0..groups {
            let (len, count) = (random(30), 1 + random(20));
            layout.extend([len as u8, 0, count as u8 - 1]);
            patterns.extend((0..len * count).map(|_| match random(4) {
                0 => UNSOLVABLE,
                _ => random(most) as u8,
            }));
            tokens += count;
        }
        layout.extend((0..strips).map(|_| random(tokens) as u8));
        layout.extend((0..strips).map(|_| (random(2) * (200 + random(56)) + random(20)) as u8));
        layout.extend(patterns);
        let bytes = zstd::bulk::compress(&layout, 3).expect("in memory");
        let mut zstd = zstd::bulk::Decompressor::new().expect("zstd starts");
        let mut frame = Frame::default();
        frame.decode(&mut zstd, &bytes, strips).expect("its lengths are right");
        frame
    }

    #[test]
    fn any_frame_is_counted_as_it_unpacks() {
        let mut counts = FrameCounts::new();
        for seed in 0..200 {
            let frame = frame(seed << 32);
            let first = |strip: usize| 1000 * strip as u32;
            let mut expected: Vec<Vec<u32>> = vec![Vec::new(); BASES];
            for (strip, &token) in frame.pairs().0.iter().enumerate() {
                let mut unpacked = vec![0; frame.pattern(token).expect("there is one").len()];
                assert!(frame.unpack(strip, &mut unpacked));
                for (board, d) in (first(strip)..).zip(unpacked) {
                    expected[d as usize].push(board);
                }
            }
            counts.read(&frame);
            counts.count(&frame);
            for (wanted, expected) in (0..=u8::MAX).zip(expected) {
                assert_eq!(counts.counts()[wanted as usize] as usize, expected.len());
                let mut found = Vec::new();
                let all = 0..expected.len() as u32;
                counts.find(&frame, wanted, all.clone(), first, |board| found.push(board));
                assert_eq!(found, expected);
                if let Some(&last) = expected.last() {
                    counts.find(&frame, wanted, all.rev().take(1), first, |board| assert_eq!(board, last));
                }
            }
            counts.count(&frame);
            assert!(counts.by_pair.iter().all(|&n| n == 0), "it is ready for the next frame");
        }
    }

    #[test]
    fn lengths_are_compared() {
        let frame = frame(7);
        let mut counts = FrameCounts::new();
        counts.read(&frame);
        let len = frame.pattern(0).expect("there is one").len();
        assert!(counts.have_length(&[0, 0], len));
        assert!(!counts.have_length(&[0, 0], len + 1));
        assert!(!counts.have_length(&[0, u8::MAX], len), "no such token");
    }
}
