//! The edge pair as bits of a word.
//!
//! For every pair of masks of the two edge columns, the combinations of their
//! placements (the fastest digit of a board's number) are cut into *chunks*
//! of at most 64, always between two pairs of kinds if those are no larger. A chunk
//! is one machine word of the search, so
//!
//! - moves of an edge column stay inside the word: a few shifts under masks. (Only
//!   on 7×7 a pair of kinds may have more than 64, two cars in each column: it is cut
//!   between placements of the left column, and slides *across* the cut map words
//!   to words as below);
//! - a horizontal slide that takes or frees a cell of an edge column maps
//!   words to words, keeping the order of their bits: a bit gather (the boards
//!   that have the cell free) and a bit scatter.
//!
//! Both are tables here, filled once per space and metric.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use super::isa::{EIGHT, Isa, Rotations};
use crate::board::Metric;
use crate::space::edges::{EdgeMasks, EdgePair};
use crate::space::line::Line;
use crate::space::{MAX_SIZE, Space};

/// Up to 64 neighbouring combinations of the edge pair.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    /// The digit of its lowest bit.
    pub first: u16,
    /// The combinations whose right column leaves the primary's row free.
    pub exit_free: u64,
    rotations: Span,
}

/// A range in one of the lists, small and copied freely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Span {
    /// How many there are.
    #[inline]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// The numbers in it.
    #[inline]
    pub fn numbers(self) -> Range<u32> {
        self.start..self.end
    }

    /// Its part of a list.
    #[inline]
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..self.end as usize]
    }
}

/// The part of a word that goes to one other word in a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

/// All tables of the edge pair for one space and metric.
#[derive(Debug)]
pub struct EdgeWords {
    size: usize,
    chunks: Vec<Chunk>,
    layouts: Vec<Span>,
    rotations: Vec<Rotations>,
    pieces: Vec<Piece>,
    /// The pieces of a transfer for each of its source chunks.
    by_chunk: Vec<Span>,
    transfers: Vec<u32>,
}

/// What the tables have so far. Most of it is needed again and again, and is kept
/// once: so all tables together stay in a near cache.
#[derive(Default)]
struct Known {
    rotations: HashMap<Vec<Rotations>, Span>,
    pieces: HashMap<Vec<Piece>, Span>,
    by_chunk: HashMap<Vec<Span>, Span>,
}

/// The piece that moves no board.
pub(super) const NO_PIECE: u32 = 0;
/// A transfer without pieces.
const NO_TRANSFER: u32 = u32::MAX;

/// Which edge columns a slide of a row changes: bit 0 left, bit 1 right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change(u8);

impl Change {
    /// The slide leaves both edge columns as they are.
    pub const NONE: Change = Change(0);
    const CHANGES: usize = 4;

    /// What a slide of `row` changes, given the cells that the rows take before
    /// and after it.
    #[inline]
    pub fn between(before: u64, after: u64, row: usize, size: usize) -> Change {
        let changed = (before ^ after) >> row;
        Change((changed & 1 | (changed >> ((size - 1) * MAX_SIZE) & 1) << 1) as u8)
    }

    /// The masks after such a slide.
    fn apply(self, masks: EdgeMasks, row: usize) -> EdgeMasks {
        EdgeMasks { left: masks.left ^ (self.0 & 1) << row, right: masks.right ^ (self.0 >> 1) << row }
    }
}

/// All masks of the edge columns of boards of a size.
fn all_masks(size: usize) -> impl Iterator<Item = EdgeMasks> {
    let masks = 0..1u8 << size;
    masks.clone().flat_map(move |left| masks.clone().map(move |right| EdgeMasks { left, right }))
}

impl EdgeWords {
    /// Fills the tables.
    pub(super) fn new(space: &Space, metric: Metric) -> EdgeWords {
        let line = space.line();
        let size = space.size();
        let layouts = 1 << (2 * size);
        let mut words = EdgeWords {
            size,
            chunks: Vec::new(),
            layouts: vec![Span::default(); layouts],
            rotations: Vec::new(),
            pieces: vec![Piece { from: 0, to: 0, pick: 0, put: 0 }],
            by_chunk: Vec::new(),
            transfers: vec![NO_TRANSFER; layouts * size * Change::CHANGES],
        };
        let mut known = Known::default();
        for masks in all_masks(space.size()) {
            words.lay_out(line, masks, metric, space.primary_row(), &mut known);
        }
        for masks in all_masks(space.size()) {
            for row in 0..space.size() {
                for change in (1..Change::CHANGES as u8).map(Change) {
                    words.add_transfer(line, masks, row, change, &mut known);
                }
            }
        }
        words
    }

    /// The chunks under these masks.
    #[inline]
    pub fn layout(&self, masks: EdgeMasks) -> Span {
        self.layouts[self.layout_index(masks)]
    }

    /// One chunk.
    #[inline]
    pub fn chunk(&self, id: u32) -> &Chunk {
        &self.chunks[id as usize]
    }

    /// The pieces of a transfer that come from a chunk, counted from the first of the
    /// layout.
    #[inline(always)]
    pub fn pieces(&self, transfer: u32, chunk: u8) -> Span {
        self.by_chunk[transfer as usize + chunk as usize]
    }

    /// A piece.
    #[inline(always)]
    pub fn piece(&self, id: u32) -> &Piece {
        &self.pieces[id as usize]
    }

    /// The transfer from these masks when `row` changes the edge columns named by
    /// `change`, unless no board takes part.
    #[inline]
    pub fn transfer(&self, masks: EdgeMasks, row: usize, change: Change) -> Option<u32> {
        Some(self.transfers[self.transfer_index(masks, row, change)]).filter(|&at| at != NO_TRANSFER)
    }

    /// The slides of an edge column that lead to another chunk under these masks.
    #[inline]
    pub fn across(&self, masks: EdgeMasks) -> Option<u32> {
        // No row moves, so none of the places of other transfers is needed.
        self.transfer(masks, 0, Change::NONE)
    }

    /// The boards one move of an edge column away from `word`.
    #[inline(always)]
    pub fn neighbours(&self, isa: impl Isa, chunk: u32, word: u64) -> u64 {
        let rotations = self.chunks[chunk as usize].rotations.of(&self.rotations);
        rotations.iter().fold(0, |all, rotations| all | isa.rotate(word, rotations))
    }

    /// The chunk (counted from the layout's first) and bit of a digit.
    fn bit(&self, masks: EdgeMasks, digit: usize) -> (u8, u32) {
        let chunks = self.layout(masks).of(&self.chunks);
        let at = chunks.partition_point(|c| c.first as usize <= digit) - 1;
        (at as u8, digit as u32 - chunks[at].first as u32)
    }

    fn lay_out(
        &mut self,
        line: &Line,
        masks: EdgeMasks,
        metric: Metric,
        primary_row: usize,
        known: &mut Known,
    ) {
        let first_chunk = self.chunks.len();
        let mut across = Vec::new();
        for digits in cut(line, masks) {
            let shifts = Shifts::of(line, masks, digits.clone(), metric);
            across.extend(&shifts.across);
            let rotations = append(&mut self.rotations, &mut known.rotations, shifts.rotations());
            let exit_free = exit_free(line, masks, digits.clone(), primary_row);
            self.chunks.push(Chunk { first: digits.start as u16, exit_free, rotations });
        }
        let at = self.layout_index(masks);
        self.layouts[at] = span_from(first_chunk, &self.chunks);
        let mut pieces: Vec<Piece> = Vec::new();
        for (digit, to_digit) in across {
            let ((from, from_bit), (to, to_bit)) = (self.bit(masks, digit), self.bit(masks, to_digit));
            // A piece keeps the order of its bits.
            let follows =
                |p: &Piece| (p.from, p.to) == (from, to) && p.pick < 1 << from_bit && p.put < 1 << to_bit;
            let piece = find_or_push(&mut pieces, follows, || Piece { from, to, pick: 0, put: 0 });
            piece.pick |= 1 << from_bit;
            piece.put |= 1 << to_bit;
        }
        let at = self.transfer_index(masks, 0, Change::NONE);
        self.transfers[at] = self.append_pieces(masks, pieces, known);
    }

    /// Keeps the pieces of a transfer, in the order of their source chunks.
    fn append_pieces(&mut self, masks: EdgeMasks, mut pieces: Vec<Piece>, known: &mut Known) -> u32 {
        if pieces.is_empty() {
            return NO_TRANSFER;
        }
        pieces.sort_by_key(|p| (p.from, p.to));
        let chunks = 0..self.layout(masks).len();
        let of_chunk = |chunk| {
            let pieces = pieces.iter().filter(|piece| usize::from(piece.from) == chunk).copied();
            append(&mut self.pieces, &mut known.pieces, pieces.collect())
        };
        let by_chunk = chunks.map(of_chunk).collect();
        append(&mut self.by_chunk, &mut known.by_chunk, by_chunk).start
    }

    fn layout_index(&self, masks: EdgeMasks) -> usize {
        (masks.left as usize) << self.size | masks.right as usize
    }

    fn transfer_index(&self, masks: EdgeMasks, row: usize, change: Change) -> usize {
        (self.layout_index(masks) * self.size + row) * Change::CHANGES + change.0 as usize
    }

    fn add_transfer(&mut self, line: &Line, masks: EdgeMasks, row: usize, change: Change, known: &mut Known) {
        let after = change.apply(masks, row);
        let mut pieces: Vec<Piece> = Vec::new();
        // Boards that take part have the cells free before and after.
        for &left in line.fit(masks.left | after.left) {
            for &right in line.fit(masks.right | after.right) {
                let pair = EdgePair { left, right };
                let (from, from_bit) = self.bit(masks, masks.digit(line, pair));
                let (to, to_bit) = self.bit(after, after.digit(line, pair));
                let piece = find_or_push(
                    &mut pieces,
                    |p| (p.from, p.to) == (from, to),
                    || Piece { from, to, pick: 0, put: 0 },
                );
                piece.pick |= 1 << from_bit;
                piece.put |= 1 << to_bit;
            }
        }
        let at = self.transfer_index(masks, row, change);
        self.transfers[at] = self.append_pieces(masks, pieces, known);
    }
}

/// What a list has from here on.
fn span_from<T>(start: usize, list: &[T]) -> Span {
    Span { start: start as u32, end: list.len() as u32 }
}

/// Where some things are in a list. They are added if they are not yet there.
fn append<T: Clone + Eq + Hash>(list: &mut Vec<T>, known: &mut HashMap<Vec<T>, Span>, more: Vec<T>) -> Span {
    *known.entry(more).or_insert_with_key(|more| {
        let start = list.len();
        list.extend_from_slice(more);
        span_from(start, list)
    })
}

fn find_or_push<T>(list: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let at = list.iter().position(is_it).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    });
    &mut list[at]
}

/// Cuts the combinations under these masks into chunks of at most 64, between
/// two pairs of kinds, or between placements of the left column if one pair of kinds
/// has more.
fn cut(line: &Line, masks: EdgeMasks) -> Vec<Range<usize>> {
    let kinds = 0..line.kinds().len() as u8;
    let pairs_of_kinds = kinds.clone().flat_map(|left| kinds.clone().map(move |right| (left, right)));
    let mut chunks = Vec::new();
    let mut chunk = 0..0;
    for (left, right) in pairs_of_kinds {
        let (lefts, rights) = (line.kind_digits(masks.left, left), line.kind_digits(masks.right, right));
        let size = lefts.len() * rights.len();
        let pieces = if size <= 64 { vec![size] } else { vec![rights.len(); lefts.len()] };
        for size in pieces {
            if chunk.len() + size > 64 {
                let next = chunk.end..chunk.end;
                chunks.push(std::mem::replace(&mut chunk, next));
            }
            chunk.end += size;
        }
    }
    chunks.push(chunk);
    chunks
}

/// The combinations of a chunk whose right column leaves the primary's row
/// free.
fn exit_free(line: &Line, masks: EdgeMasks, digits: Range<usize>, primary_row: usize) -> u64 {
    let is_free = |digit| line.placement(masks.pair(line, digit).right).cells >> primary_row & 1 == 0;
    digits.enumerate().filter(|&(_, digit)| is_free(digit)).fold(0, |bits, (bit, _)| bits | 1 << bit)
}

/// The moves of the edge columns inside one chunk, grouped by how far and
/// which way they move bits.
#[derive(Default)]
struct Shifts {
    /// Bits that move together: which, and how many places to the left, around the word.
    inside: Vec<(u64, u32)>,
    /// Those that lead to another chunk: from which digit to which.
    across: Vec<(usize, usize)>,
}

impl Shifts {
    fn of(line: &Line, masks: EdgeMasks, digits: Range<usize>, metric: Metric) -> Shifts {
        let mut shifts = Shifts::default();
        for digit in digits.clone() {
            let pair = masks.pair(line, digit);
            let lefts = line.stops(masks.left, pair.left, metric).map(|left| EdgePair { left, ..pair });
            let rights = line.stops(masks.right, pair.right, metric).map(|right| EdgePair { right, ..pair });
            for moved in lefts.chain(rights) {
                let to = masks.digit(line, moved);
                if !digits.contains(&to) {
                    shifts.across.push((digit, to));
                    continue;
                }
                let by = (to as u32).wrapping_sub(digit as u32) % u64::BITS;
                let (mask, _) = find_or_push(&mut shifts.inside, |shift| shift.1 == by, || (0, by));
                *mask |= 1 << (digit - digits.start);
            }
        }
        shifts
    }

    /// The same for machines.
    fn rotations(&self) -> Vec<Rotations> {
        let some = |shifts: &[(u64, u32)]| {
            let mut rotations = Rotations::default();
            for (slot, &(mask, by)) in shifts.iter().enumerate() {
                (rotations.masks[slot], rotations.by[slot]) = (mask, by.into());
            }
            rotations
        };
        self.inside.chunks(EIGHT).map(some).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::isa::Portable;
    use super::*;
    use crate::space::MIN_SIZE;

    /// The combinations that one move of an edge column leads to, by the tables.
    fn around(words: &EdgeWords, masks: EdgeMasks, digit: usize) -> Vec<usize> {
        let (chunk, bit) = words.bit(masks, digit);
        let layout = words.layout(masks);
        let first = |chunk: u8| words.chunk(layout.start + u32::from(chunk)).first as usize;
        let mut found = vec![(chunk, words.neighbours(Portable, layout.start + u32::from(chunk), 1 << bit))];
        let across = words.across(masks).map_or(Span::default(), |across| words.pieces(across, chunk));
        for piece in across.numbers().map(|id| words.piece(id)) {
            assert_eq!(piece.pick.count_ones(), piece.put.count_ones());
            if piece.pick >> bit & 1 == 1 {
                let place = (piece.pick & ((1 << bit) - 1)).count_ones();
                let put = (0..place).fold(piece.put, |put, _| put & (put - 1));
                found.push((piece.to, put & put.wrapping_neg()));
            }
        }
        let bits = |(chunk, word): (u8, u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first(chunk) + bit)
        };
        let mut found: Vec<usize> = found.into_iter().flat_map(bits).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn words_know_all_moves_of_the_edge_columns() {
        for (size, metric) in
            (MIN_SIZE..=MAX_SIZE).flat_map(|size| [(size, Metric::Moves), (size, Metric::Steps)])
        {
            let space = Space::of_size(size).expect("numbered");
            let (line, words) = (space.line(), EdgeWords::new(&space, metric));
            for masks in all_masks(size).step_by(7) {
                for digit in 0..masks.pairs(line) {
                    let EdgePair { left, right } = masks.pair(line, digit);
                    let lefts = line.stops(masks.left, left, metric).map(|left| EdgePair { left, right });
                    let rights = line.stops(masks.right, right, metric).map(|right| EdgePair { left, right });
                    let mut moves: Vec<usize> =
                        lefts.chain(rights).map(|pair| masks.digit(line, pair)).collect();
                    moves.sort_unstable();
                    assert_eq!(around(&words, masks, digit), moves, "{masks:?}");
                }
            }
            // Only two pairs of two cars on 7×7 are too many for a word.
            let free = EdgeMasks { left: 0, right: 0 };
            let across = all_masks(size).filter(|&masks| words.across(masks).is_some());
            assert_eq!(across.collect::<Vec<_>>(), if size == 7 { vec![free] } else { vec![] });
        }
    }
}
