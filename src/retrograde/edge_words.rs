//! The edge pair as bits of a word.
//!
//! For every pair of masks of the two edge columns, the combinations of their
//! placements (the fastest digit of a board's number) are cut into *chunks*
//! of at most 64, always between two pairs of kinds. A chunk is one machine
//! word of the search, so
//!
//! - moves of an edge column stay inside the word: a few shifts under masks;
//! - a horizontal slide that takes or frees a cell of an edge column maps
//!   words to words, keeping the order of their bits: a bit gather (the boards
//!   that have the cell free) and a bit scatter.
//!
//! Both are tables here, filled once per size and metric.

use crate::board::Metric;
use crate::space::edges::{pair_at, pair_digit};
use crate::space::line::{Line, MASKS};
use crate::space::{MAX_SIZE, Space};

/// Bits of a word that move together: those under `mask`, by `by` places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    /// The bits that may move this way.
    pub mask: u64,
    /// How many places.
    pub by: u32,
}

/// Up to 64 neighbouring combinations of the edge pair.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    /// The digit of its lowest bit.
    pub first: u16,
    /// The combinations whose right column leaves the primary's row free.
    pub exit_free: u64,
    up: (u32, u32),
    down: (u32, u32),
}

/// The part of a word that goes to one other word in a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The chunk it comes from.
    pub from: u8,
    /// The chunk it goes to.
    pub to: u8,
    /// The bits of the source that take part.
    pub pick: u64,
    /// Where they land.
    pub put: u64,
}

/// All tables of the edge pair for one size and metric.
#[derive(Debug)]
pub struct EdgeWords {
    chunks: Vec<Chunk>,
    layouts: Vec<(u32, u8)>,
    shifts: Vec<Shift>,
    pieces: Vec<Piece>,
    transfers: Vec<(u32, u32)>,
}

/// Which of the two edge columns a slide changes: bit 0 left, bit 1 right.
pub type Change = usize;

impl EdgeWords {
    /// Fills the tables.
    pub fn new(space: &Space, metric: Metric) -> EdgeWords {
        let line = space.line();
        let mut words = EdgeWords {
            chunks: Vec::new(),
            layouts: vec![(0, 0); MASKS * MASKS],
            shifts: Vec::new(),
            pieces: Vec::new(),
            transfers: vec![(0, 0); MASKS * MASKS * MAX_SIZE * 4],
        };
        let all = 1u8 << space.size();
        for left in 0..all {
            for right in 0..all {
                words.lay_out(line, (left, right), metric, space.primary_row());
            }
        }
        for left in 0..all {
            for right in 0..all {
                for row in 0..space.size() {
                    for change in 1..4 {
                        words.add_transfer(line, (left, right), row, change);
                    }
                }
            }
        }
        words
    }

    /// The number of the first chunk under these masks, and how many there are.
    #[inline]
    pub fn layout(&self, masks: (u8, u8)) -> (u32, u8) {
        self.layouts[layout_index(masks)]
    }

    /// One chunk.
    #[inline]
    pub fn chunk(&self, id: u32) -> &Chunk {
        &self.chunks[id as usize]
    }

    /// One piece of a transfer.
    #[inline]
    pub fn piece(&self, id: u32) -> &Piece {
        &self.pieces[id as usize]
    }

    /// The pieces of a transfer from these masks when `row` changes the edge
    /// columns named by `change`, ordered by source chunk.
    #[inline]
    pub fn transfer(&self, masks: (u8, u8), row: usize, change: Change) -> std::ops::Range<u32> {
        let (from, to) = self.transfers[transfer_index(masks, row, change)];
        from..to
    }

    /// The boards one move of an edge column away from `word`.
    #[inline(always)]
    pub fn neighbours(&self, chunk: u32, word: u64) -> u64 {
        let chunk = &self.chunks[chunk as usize];
        let mut out = 0;
        for s in &self.shifts[chunk.up.0 as usize..chunk.up.1 as usize] {
            out |= (word & s.mask) << s.by;
        }
        for s in &self.shifts[chunk.down.0 as usize..chunk.down.1 as usize] {
            out |= (word & s.mask) >> s.by;
        }
        out
    }

    /// The chunk (counted from the layout's first) and bit of a digit.
    fn bit(&self, masks: (u8, u8), digit: usize) -> (u8, u32) {
        let (first, count) = self.layout(masks);
        let chunks = &self.chunks[first as usize..first as usize + count as usize];
        let at = chunks.partition_point(|c| c.first as usize <= digit) - 1;
        (at as u8, digit as u32 - chunks[at].first as u32)
    }

    fn lay_out(&mut self, line: &Line, masks: (u8, u8), metric: Metric, primary_row: usize) {
        let first_chunk = self.chunks.len();
        let mut ends: Vec<usize> = vec![0];
        let mut start = 0;
        let kinds = line.kinds().len() as u8;
        for left in 0..kinds {
            for right in 0..kinds {
                let size = line.kind_digits(masks.0, left).len() * line.kind_digits(masks.1, right).len();
                let end = *ends.last().expect("starts with one");
                assert!(size <= 64, "a pair of kinds fits a word");
                if end + size - start > 64 {
                    start = end;
                    ends.push(end);
                }
                *ends.last_mut().expect("starts with one") = end + size;
            }
        }
        let mut first = 0;
        for &end in &ends {
            let (up, down, exit_free) = shifts_of(line, masks, first..end, metric, primary_row);
            let mut store = |list: Vec<Shift>| {
                let from = self.shifts.len() as u32;
                self.shifts.extend(list);
                (from, self.shifts.len() as u32)
            };
            let (up, down) = (store(up), store(down));
            self.chunks.push(Chunk { first: first as u16, exit_free, up, down });
            first = end;
        }
        self.layouts[layout_index(masks)] = (first_chunk as u32, ends.len() as u8);
    }

    fn add_transfer(&mut self, line: &Line, masks: (u8, u8), row: usize, change: Change) {
        let after = (masks.0 ^ ((change as u8 & 1) << row), masks.1 ^ ((change as u8 >> 1) << row));
        let from = self.pieces.len();
        // Boards that take part have the cells free before and after.
        for &l in line.fit(masks.0 | after.0) {
            for &r in line.fit(masks.1 | after.1) {
                let (from_chunk, from_bit) = self.bit(masks, pair_digit(line, masks, (l, r)));
                let (to_chunk, to_bit) = self.bit(after, pair_digit(line, after, (l, r)));
                let known = self.pieces[from..].iter().position(|p| p.from == from_chunk && p.to == to_chunk);
                let at = from
                    + known.unwrap_or_else(|| {
                        self.pieces.push(Piece { from: from_chunk, to: to_chunk, pick: 0, put: 0 });
                        self.pieces.len() - 1 - from
                    });
                self.pieces[at].pick |= 1 << from_bit;
                self.pieces[at].put |= 1 << to_bit;
            }
        }
        self.pieces[from..].sort_by_key(|p| (p.from, p.to));
        let range = (from as u32, self.pieces.len() as u32);
        self.transfers[transfer_index(masks, row, change)] = range;
    }
}

fn layout_index(masks: (u8, u8)) -> usize {
    masks.0 as usize * MASKS + masks.1 as usize
}

fn transfer_index(masks: (u8, u8), row: usize, change: Change) -> usize {
    (layout_index(masks) * MAX_SIZE + row) * 4 + change
}

/// The moves of the edge columns inside one chunk, grouped by distance, and
/// the combinations that leave the exit free.
fn shifts_of(
    line: &Line,
    masks: (u8, u8),
    digits: std::ops::Range<usize>,
    metric: Metric,
    primary_row: usize,
) -> (Vec<Shift>, Vec<Shift>, u64) {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    let mut exit_free = 0;
    for digit in digits.clone() {
        let (l, r) = pair_at(line, masks, digit);
        let bit = digit - digits.start;
        if line.placement(r).cells >> primary_row & 1 == 0 {
            exit_free |= 1 << bit;
        }
        let lefts = line.stops(masks.0, l, metric).map(|l2| (l2, r)).collect::<Vec<_>>();
        let rights = line.stops(masks.1, r, metric).map(|r2| (l, r2)).collect::<Vec<_>>();
        for pair in lefts.into_iter().chain(rights) {
            let to = pair_digit(line, masks, pair);
            assert!(digits.contains(&to), "moves of an edge column stay inside the chunk");
            let (list, by) = if to > digit { (&mut up, to - digit) } else { (&mut down, digit - to) };
            add_shift(list, by as u32, bit);
        }
    }
    (up, down, exit_free)
}

fn add_shift(list: &mut Vec<Shift>, by: u32, bit: usize) {
    match list.iter_mut().find(|s| s.by == by) {
        Some(s) => s.mask |= 1 << bit,
        None => list.push(Shift { mask: 1 << bit, by }),
    }
}
