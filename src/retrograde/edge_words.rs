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

use std::ops::Range;

use crate::board::Metric;
use crate::space::edges::{EdgeMasks, EdgePair};
use crate::space::line::Line;
use crate::space::{MAX_SIZE, Space};

/// The most pieces that one word of a transfer has.
pub(super) const MOST_PIECES: usize = 16;

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
    up: Span,
    down: Span,
}

/// A range in one of the lists, small and copied freely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Span {
    /// Nothing to go through?
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

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

/// All tables of the edge pair for one space and metric.
#[derive(Debug)]
pub struct EdgeWords {
    size: usize,
    chunks: Vec<Chunk>,
    layouts: Vec<Span>,
    shifts: Vec<Shift>,
    pieces: Vec<Piece>,
    transfers: Vec<Span>,
}

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
            shifts: Vec::new(),
            pieces: Vec::new(),
            transfers: vec![Span::default(); layouts * size * Change::CHANGES],
        };
        for masks in all_masks(space.size()) {
            words.lay_out(line, masks, metric, space.primary_row());
        }
        for masks in all_masks(space.size()) {
            for row in 0..space.size() {
                for change in (1..Change::CHANGES as u8).map(Change) {
                    words.add_transfer(line, masks, row, change);
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

    /// One piece of a transfer.
    #[inline]
    pub fn piece(&self, id: u32) -> &Piece {
        &self.pieces[id as usize]
    }

    /// The pieces of a transfer from these masks when `row` changes the edge
    /// columns named by `change`, ordered by source chunk.
    #[inline]
    pub fn transfer(&self, masks: EdgeMasks, row: usize, change: Change) -> Span {
        self.transfers[self.transfer_index(masks, row, change)]
    }

    /// The pieces of the slides of an edge column that lead to another chunk under
    /// these masks.
    #[inline]
    pub fn across(&self, masks: EdgeMasks) -> Span {
        // No row moves, so none of the places of other transfers is needed.
        self.transfers[self.transfer_index(masks, 0, Change::NONE)]
    }

    /// The boards one move of an edge column away from `word`.
    #[inline(always)]
    pub fn neighbours(&self, chunk: u32, word: u64) -> u64 {
        let chunk = &self.chunks[chunk as usize];
        let mut out = 0;
        for s in chunk.up.of(&self.shifts) {
            out |= (word & s.mask) << s.by;
        }
        for s in chunk.down.of(&self.shifts) {
            out |= (word & s.mask) >> s.by;
        }
        out
    }

    /// The chunk (counted from the layout's first) and bit of a digit.
    fn bit(&self, masks: EdgeMasks, digit: usize) -> (u8, u32) {
        let chunks = self.layout(masks).of(&self.chunks);
        let at = chunks.partition_point(|c| c.first as usize <= digit) - 1;
        (at as u8, digit as u32 - chunks[at].first as u32)
    }

    fn lay_out(&mut self, line: &Line, masks: EdgeMasks, metric: Metric, primary_row: usize) {
        let first_chunk = self.chunks.len();
        let mut across = Vec::new();
        for digits in cut(line, masks) {
            let shifts = Shifts::of(line, masks, digits.clone(), metric);
            across.extend(shifts.across);
            let (up, down) = (append(&mut self.shifts, shifts.up), append(&mut self.shifts, shifts.down));
            let exit_free = exit_free(line, masks, digits.clone(), primary_row);
            self.chunks.push(Chunk { first: digits.start as u16, exit_free, up, down });
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
        self.transfers[at] = self.append_pieces(pieces);
    }

    /// Keeps the pieces of a transfer, in the order of their source chunks.
    fn append_pieces(&mut self, mut pieces: Vec<Piece>) -> Span {
        pieces.sort_by_key(|p| (p.from, p.to));
        let few = pieces.chunk_by(|a, b| a.from == b.from).all(|of_chunk| of_chunk.len() <= MOST_PIECES);
        assert!(few, "a word goes to a few others");
        append(&mut self.pieces, pieces)
    }

    fn layout_index(&self, masks: EdgeMasks) -> usize {
        (masks.left as usize) << self.size | masks.right as usize
    }

    fn transfer_index(&self, masks: EdgeMasks, row: usize, change: Change) -> usize {
        (self.layout_index(masks) * self.size + row) * Change::CHANGES + change.0 as usize
    }

    fn add_transfer(&mut self, line: &Line, masks: EdgeMasks, row: usize, change: Change) {
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
        self.transfers[at] = self.append_pieces(pieces);
    }
}

/// What a list has from here on.
fn span_from<T>(start: usize, list: &[T]) -> Span {
    Span { start: start as u32, end: list.len() as u32 }
}

fn append<T>(list: &mut Vec<T>, more: Vec<T>) -> Span {
    let start = list.len();
    list.extend(more);
    span_from(start, list)
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
    up: Vec<Shift>,
    down: Vec<Shift>,
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
                let list = if to > digit { &mut shifts.up } else { &mut shifts.down };
                let by = to.abs_diff(digit) as u32;
                let shift = find_or_push(list, |shift| shift.by == by, || Shift { mask: 0, by });
                shift.mask |= 1 << (digit - digits.start);
            }
        }
        shifts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::MIN_SIZE;

    /// The combinations that one move of an edge column leads to, by the tables.
    fn around(words: &EdgeWords, masks: EdgeMasks, digit: usize) -> Vec<usize> {
        let (chunk, bit) = words.bit(masks, digit);
        let layout = words.layout(masks);
        let first = |chunk: u8| words.chunk(layout.start + u32::from(chunk)).first as usize;
        let mut found = vec![(chunk, words.neighbours(layout.start + u32::from(chunk), 1 << bit))];
        for piece in words.across(masks).numbers().map(|id| words.piece(id)) {
            assert_eq!(piece.pick.count_ones(), piece.put.count_ones());
            if piece.from == chunk && piece.pick >> bit & 1 == 1 {
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
            let across = all_masks(size).filter(|&masks| !words.across(masks).is_empty());
            assert_eq!(across.collect::<Vec<_>>(), if size == 7 { vec![free] } else { vec![] });
        }
    }
}
