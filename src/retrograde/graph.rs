//! The boards of a part of a signature as a graph of words.
//!
//! A *word* is a set of up to 64 boards that differ only in the edge columns
//! (see [`super::edge_words`]); they agree in the rows and the middle columns. A
//! move of a row or of a middle column takes a word to another word: unchanged
//! if the edge columns' masks stay the same (a *plain* edge), else through a
//! bit gather and scatter (a *masked* edge). So the search does all its work
//! on words, and the graph has one node for 25 boards on average.
//!
//! The words of a block are numbered by the digits of the middle columns, from
//! the left, and last by the chunk of the edge pair. All columns but the last
//! are the *outer* ones: what they decide is worked out once for all words
//! that differ in the last column and the chunk alone.
//!
//! The graph holds one [`Part`] at a time, so a large signature is searched in
//! little memory. Edges are made block by block when the search first gets
//! there: unsolvable blocks never cost theirs.
//!
//! Numbers of middle columns (`MIDDLE`) and of their placements (`PLACEMENTS`) are
//! known to the compiler: 4 and 24 for boards up to 6×6, 5 and 44 for 7×7. Smaller
//! boards leave the first columns with one digit.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::edge_words::{Change, MOST_PIECES, Span};
use super::moves::{ColumnTables, MAX_COLUMN_MOVES, MoveTables};
use super::part::Part;
use crate::board::Metric;
use crate::space::{Blocks, MAX_SIZE, column_mask};

/// A word that has no edges yet.
const NO_EDGES: u32 = u32::MAX;
/// A block that has no board in this part.
const NO_BLOCK: u32 = u32::MAX;
/// Added to a target that a vehicle blocks: larger than any word's number.
const BLOCKED: u32 = 1 << 29;
/// The most middle columns but the last.
const MOST_OUTER: usize = MAX_SIZE - 3;
const _: () = assert!(BLOCKED as u64 * (MOST_OUTER as u64 + 2) <= u32::MAX as u64, "all columns may block");
/// More than the slides of all rows together.
const MAX_ROW_MOVES: usize = 64;
/// The most numbers that one row move adds to a word's edges.
const MAX_EDGES: usize = 2 * MOST_PIECES;

/// One word of a part.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// The number of its first board, within the signature.
    pub first_board: u32,
    /// Its chunk in the tables of the edge pair.
    pub chunk: u32,
    block: u32,
    edges: u32,
    plain: u16,
    masked: u16,
}

/// The digits that a middle column may have in a block.
#[derive(Debug, Clone, Copy)]
struct Digits {
    first: u8,
    count: u8,
}

impl Digits {
    fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A horizontal configuration as far as this part goes.
#[derive(Debug, Clone, Copy)]
struct Block<const MIDDLE: usize> {
    h: u32,
    first_word: u32,
    digits: [Digits; MIDDLE],
    chunks: u8,
}

impl<const MIDDLE: usize> Block<MIDDLE> {
    /// How far apart two words are that differ by one in a middle column.
    fn strides(&self) -> [u32; MIDDLE] {
        let mut strides = [0; MIDDLE];
        let mut stride = self.chunks as u32;
        for (digits, slot) in self.digits.iter().zip(&mut strides).rev() {
            *slot = stride;
            stride *= digits.count as u32;
        }
        strides
    }

    /// The digits of the outer columns, counted from the first in this part:
    /// all combinations in order.
    fn outer(&self) -> Combinations<MIDDLE> {
        Combinations::new(std::array::from_fn(|i| 0..self.digits[i].count as usize))
    }
}

/// All combinations of one number out of each range but the last, whose first it
/// stays; the last of the others fastest.
struct Combinations<const MIDDLE: usize> {
    ranges: [Range<usize>; MIDDLE],
    next: Option<[usize; MIDDLE]>,
}

impl<const MIDDLE: usize> Combinations<MIDDLE> {
    /// None of the ranges may be empty.
    fn new(ranges: [Range<usize>; MIDDLE]) -> Combinations<MIDDLE> {
        let first = std::array::from_fn(|i| ranges[i].start);
        Combinations { ranges, next: Some(first) }
    }
}

impl<const MIDDLE: usize> Iterator for Combinations<MIDDLE> {
    type Item = [usize; MIDDLE];

    #[inline]
    fn next(&mut self) -> Option<[usize; MIDDLE]> {
        let now = self.next?;
        let mut after = now;
        self.next = None;
        for (digit, range) in after[..MIDDLE - 1].iter_mut().zip(&self.ranges[..MIDDLE - 1]).rev() {
            *digit += 1;
            if *digit < range.end {
                self.next = Some(after);
                break;
            }
            *digit = range.start;
        }
        Some(now)
    }
}

/// A slide of a row's vehicle, the same for all blocks with that row.
#[derive(Debug, Clone, Copy)]
struct RowSlide {
    row: u8,
    /// How much the configuration's number changes.
    by: i32,
    /// The columns whose cell in the row must be free.
    path: u8,
}

/// A slide of a row's vehicle from one block to another.
#[derive(Debug, Clone, Copy)]
struct RowMove<const MIDDLE: usize, const PLACEMENTS: usize> {
    /// What becomes of the words if they do not stay as they are.
    pieces: Span,
    base: u32,
    /// What each digit of each middle column adds to the target's number.
    add: [[u32; PLACEMENTS]; MIDDLE],
}

/// Slides of the rows' vehicles out of a block. The memory of those of the block
/// before is used again as it is: they are 400 bytes each (900 on 7×7).
#[derive(Debug, Default)]
struct RowMoves<const MIDDLE: usize, const PLACEMENTS: usize> {
    list: Vec<RowMove<MIDDLE, PLACEMENTS>>,
    len: usize,
}

impl<const MIDDLE: usize, const PLACEMENTS: usize> RowMoves<MIDDLE, PLACEMENTS> {
    fn all(&self) -> &[RowMove<MIDDLE, PLACEMENTS>] {
        &self.list[..self.len]
    }

    /// One more, which says something else as yet.
    fn add(&mut self) -> &mut RowMove<MIDDLE, PLACEMENTS> {
        if self.len == self.list.len() {
            self.list.push(RowMove { pieces: Span::default(), base: 0, add: [[0; PLACEMENTS]; MIDDLE] });
        }
        self.len += 1;
        &mut self.list[self.len - 1]
    }
}

/// Where a row move leads from the words that share their outer columns: the
/// last column's digit and the chunk are still to be added.
#[derive(Debug, Clone, Copy)]
struct Target {
    word: u32,
    /// The number of the row move among the plain or the masked ones.
    by: u32,
}

/// What the outer columns decide about the edges of a word.
#[derive(Default)]
struct Around {
    /// How far away the words are that moves of these columns lead to.
    near: ArrayVec<i32, { MOST_OUTER * MAX_COLUMN_MOVES }>,
    plain: ArrayVec<Target, MAX_ROW_MOVES>,
    masked: ArrayVec<Target, MAX_ROW_MOVES>,
    /// More than the numbers that a word's edges take.
    room: usize,
}

impl Around {
    fn set<const MIDDLE: usize, const PLACEMENTS: usize>(
        &mut self,
        outer: [usize; MIDDLE],
        columns: &MiddleMoves<MIDDLE>,
        plain: &RowMoves<MIDDLE, PLACEMENTS>,
        masked: &RowMoves<MIDDLE, PLACEMENTS>,
    ) {
        self.near.clear();
        for (column, &digit) in outer[..MIDDLE - 1].iter().enumerate() {
            self.near.extend(columns.of(column, digit));
        }
        set_targets(&mut self.plain, outer, plain);
        set_targets(&mut self.masked, outer, masked);
        self.room = self.near.len() + MAX_COLUMN_MOVES + self.plain.len() + MAX_EDGES * self.masked.len();
    }
}

/// Finds out where row moves lead: those that no outer column blocks.
#[inline(always)]
fn set_targets<const MIDDLE: usize, const PLACEMENTS: usize>(
    targets: &mut ArrayVec<Target, MAX_ROW_MOVES>,
    outer: [usize; MIDDLE],
    moves: &RowMoves<MIDDLE, PLACEMENTS>,
) {
    targets.clear();
    for (mv, by) in moves.all().iter().zip(0..) {
        let outer = outer[..MIDDLE - 1].iter().zip(&mv.add);
        let word = outer.fold(mv.base, |word, (&digit, add)| word + add[digit]);
        if word < BLOCKED {
            targets.push(Target { word, by });
        }
    }
}

/// The moves of the middle columns inside a block.
struct MiddleMoves<'t, const MIDDLE: usize> {
    tables: &'t ColumnTables,
    masks: [u8; MIDDLE],
    digits: [Digits; MIDDLE],
    strides: [u32; MIDDLE],
}

impl<const MIDDLE: usize> MiddleMoves<'_, MIDDLE> {
    /// How far away the words are that moves of a column lead to.
    #[inline(always)]
    fn of(&self, column: usize, digit: usize) -> impl Iterator<Item = i32> {
        let moves = self.tables.moves(self.masks[column], self.digits[column].first as usize + digit);
        let stride = self.strides[column] as i32;
        moves.iter().map(move |&away| away as i32 * stride)
    }
}

/// The edges of all words, in one list that is used again for the next part.
#[derive(Debug, Default)]
struct Edges {
    /// Grows to the largest part; only the first `used` count.
    list: Vec<u32>,
    used: usize,
}

impl Edges {
    /// A place for the edges of a word.
    #[inline(always)]
    fn place(&mut self, room: usize) -> Place<'_> {
        let end = self.used + room;
        if self.list.len() < end {
            self.list.resize(2 * end, 0);
        }
        Place { list: &mut self.list[self.used..end], len: 0 }
    }
}

/// Where the edges of a word go.
struct Place<'e> {
    list: &'e mut [u32],
    len: usize,
}

impl Place<'_> {
    #[inline(always)]
    fn push(&mut self, number: u32) {
        self.list[self.len] = number;
        self.len += 1;
    }
}

/// The graph of one part; its memory is used again for the next.
#[derive(Debug)]
pub struct Graph<'t, const MIDDLE: usize, const PLACEMENTS: usize> {
    tables: &'t MoveTables<'t>,
    words: Vec<Word>,
    blocks: Vec<Block<MIDDLE>>,
    block_of: Vec<u32>,
    edges: Edges,
    /// For every row and digit its slides.
    row_slides: [Vec<Vec<RowSlide>>; MAX_SIZE],
    /// The row moves out of the block at hand that change no edge column, and the
    /// others.
    plain_moves: RowMoves<MIDDLE, PLACEMENTS>,
    masked_moves: RowMoves<MIDDLE, PLACEMENTS>,
}

impl<'t, const MIDDLE: usize, const PLACEMENTS: usize> Graph<'t, MIDDLE, PLACEMENTS> {
    /// The last of the middle columns.
    const LAST: usize = MIDDLE - 1;

    /// An empty graph.
    pub fn new(tables: &'t MoveTables<'t>) -> Graph<'t, MIDDLE, PLACEMENTS> {
        let line = tables.space.line();
        assert!(line.cells() <= MIDDLE + 2 && line.placements().len() <= PLACEMENTS, "there is room");
        Graph {
            tables,
            words: Vec::new(),
            blocks: Vec::new(),
            block_of: Vec::new(),
            edges: Edges::default(),
            row_slides: Default::default(),
            plain_moves: RowMoves::default(),
            masked_moves: RowMoves::default(),
        }
    }

    /// Prepares for the parts of a signature.
    pub fn start(&mut self, blocks: &Blocks) {
        for row in 0..self.tables.space.size() {
            let digits = 0..blocks.row(row).len();
            self.row_slides[row] = digits.map(|digit| self.slides_of(blocks, row, digit)).collect();
        }
    }

    /// The slides of a row's vehicles out of one placement.
    fn slides_of(&self, blocks: &Blocks, row: usize, digit: usize) -> Vec<RowSlide> {
        let mut out = Vec::new();
        for slide in blocks.slides(row, digit) {
            let mut path = 0;
            for (to, entered) in slide.take(self.tables.metric.reach()) {
                path |= 1 << entered;
                let by = (to as i32 - digit as i32) * blocks.stride(row) as i32;
                out.push(RowSlide { row: row as u8, by, path });
            }
        }
        out
    }

    /// The place of a middle column among the most that there can be. They take
    /// the last places, because the last is gone through fastest.
    #[inline(always)]
    fn place_of(&self, column: usize) -> usize {
        column + MIDDLE + 1 - self.tables.space.size()
    }

    /// The words.
    #[inline]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The plain edges of a word: the numbers of the words they lead to.
    #[inline(always)]
    pub fn plain(&self, word: &Word) -> &[u32] {
        &self.edges.list[word.edges as usize..][..word.plain as usize]
    }

    /// The masked edges of a word: pairs of a word's number and a piece's.
    #[inline(always)]
    pub fn masked(&self, word: &Word) -> &[[u32; 2]] {
        let from = word.edges as usize + word.plain as usize;
        self.edges.list[from..from + 2 * word.masked as usize].as_chunks().0
    }

    /// Lays out a part. Calls `seed` for every word with the boards that are
    /// one move from solved.
    pub fn lay_out(&mut self, part: &Part, mut seed: impl FnMut(u64)) {
        self.words.clear();
        self.blocks.clear();
        self.edges.used = 0;
        self.block_of.clear();
        self.block_of.resize(part.blocks.unsolved(), NO_BLOCK);
        for &h in &part.configurations {
            let ahead = self.ahead(part.blocks, h as usize);
            if let Some(digits) = self.solvable_digits(part, h as usize, ahead) {
                self.add_block(part.blocks, h as usize, ahead, digits, &mut seed);
            }
        }
        assert!(self.words.len() < BLOCKED as usize, "a part is far smaller");
    }

    /// The first column right of the primary under `h`.
    fn ahead(&self, blocks: &Blocks, h: usize) -> usize {
        let row = self.tables.space.primary_row();
        self.tables.space.primary_column(blocks.row(row)[blocks.row_digit(h, row)]) + 2
    }

    /// The digits of the middle columns under `h` that do not keep the primary
    /// from the exit for ever; nothing if a column has none.
    fn solvable_digits(&self, part: &Part, h: usize, ahead: usize) -> Option<[Digits; MIDDLE]> {
        let mut all = [Digits { first: 0, count: 1 }; MIDDLE];
        for c in self.tables.space.middle_columns() {
            let mut range = part.digits(h, c);
            if c >= ahead {
                range.end = range.end.min(self.tables.columns.hopeless(part.blocks.mask(h, c)));
            }
            if range.is_empty() {
                return None;
            }
            all[self.place_of(c)] = Digits { first: range.start as u8, count: range.len() as u8 };
        }
        Some(all)
    }

    /// Adds a block and its words.
    fn add_block(
        &mut self,
        blocks: &Blocks,
        h: usize,
        ahead: usize,
        digits: [Digits; MIDDLE],
        seed: &mut impl FnMut(u64),
    ) {
        let MoveTables { space, metric, edge_words, columns } = self.tables;
        let number = self.blocks.len() as u32;
        let chunks = edge_words.layout(blocks.edge_masks(h));
        let (first_board, pairs) = (blocks.first(h) as u32, blocks.strip_len(h) as u32);
        // In steps only the last cell before the edge is one step away.
        let one_move = *metric == Metric::Moves || ahead == space.size() - 1;
        let mut all = [1; MIDDLE];
        // For every middle column the digits that stand in the primary's way.
        let mut in_way = [0; MIDDLE];
        for c in space.middle_columns() {
            let i = self.place_of(c);
            all[i] = space.line().fitting(blocks.mask(h, c));
            if c >= ahead {
                in_way[i] = columns.in_primary_row(blocks.mask(h, c));
            }
        }
        self.block_of[h] = number;
        let first_word = self.words.len() as u32;
        self.blocks.push(Block { h: h as u32, first_word, digits, chunks: chunks.len() as u8 });
        for outer in Combinations::<MIDDLE>::new(std::array::from_fn(|i| digits[i].range())) {
            let outer = &outer[..Self::LAST];
            let strips =
                outer.iter().zip(&all).fold(0, |number, (digit, all)| number * all + digit) * all[Self::LAST];
            let is_free =
                one_move && outer.iter().zip(&in_way).all(|(&digit, in_way)| in_way >> digit & 1 == 0);
            for last in digits[Self::LAST].range() {
                let first_board = first_board + (strips + last) as u32 * pairs;
                let is_free = is_free && in_way[Self::LAST] >> last & 1 == 0;
                for id in chunks.numbers() {
                    let chunk = edge_words.chunk(id);
                    self.words.push(Word {
                        first_board: first_board + chunk.first as u32,
                        chunk: id,
                        block: number,
                        edges: NO_EDGES,
                        plain: 0,
                        masked: 0,
                    });
                    seed(if is_free { chunk.exit_free } else { 0 });
                }
            }
        }
    }

    /// Makes sure that a word has its edges, and returns it.
    #[inline(always)]
    pub fn word(&mut self, blocks: &Blocks, word: u32) -> Word {
        let w = self.words[word as usize];
        if w.edges != NO_EDGES {
            return w;
        }
        self.connect(blocks, w.block);
        self.words[word as usize]
    }

    /// Makes the edges of all words of a block.
    #[cold]
    #[inline(never)]
    fn connect(&mut self, blocks: &Blocks, block: u32) {
        let b = self.blocks[block as usize];
        self.find_row_moves(blocks, &b);
        let mut columns = MiddleMoves {
            tables: &self.tables.columns,
            masks: [0; MIDDLE],
            digits: b.digits,
            strides: b.strides(),
        };
        for c in self.tables.space.middle_columns() {
            columns.masks[self.place_of(c)] = blocks.mask(b.h as usize, c);
        }
        let mut around = Around::default();
        let mut word = b.first_word;
        for outer in b.outer() {
            around.set(outer, &columns, &self.plain_moves, &self.masked_moves);
            for last in 0..b.digits[Self::LAST].count as usize {
                for chunk in 0..b.chunks as u32 {
                    self.connect_word(word, &around, &columns, last, chunk);
                    word += 1;
                }
            }
        }
    }

    /// Makes the edges of one word.
    #[inline(always)]
    fn connect_word(
        &mut self,
        word: u32,
        around: &Around,
        columns: &MiddleMoves<MIDDLE>,
        last: usize,
        chunk: u32,
    ) {
        let edge_words = &self.tables.edge_words;
        let mut place = self.edges.place(around.room);
        for away in around.near.iter().copied().chain(columns.of(Self::LAST, last)) {
            place.push(word.wrapping_add_signed(away));
        }
        let reached = |target: &Target, mv: &RowMove<MIDDLE, PLACEMENTS>| {
            let word = target.word + mv.add[Self::LAST][last];
            (word < BLOCKED).then_some(word)
        };
        for target in &around.plain {
            if let Some(to) = reached(target, &self.plain_moves.list[target.by as usize]) {
                place.push(to + chunk);
            }
        }
        let plain = place.len;
        for target in &around.masked {
            let mv = &self.masked_moves.list[target.by as usize];
            let Some(to) = reached(target, mv) else { continue };
            for id in mv.pieces.numbers() {
                let piece = edge_words.piece(id);
                if piece.from as u32 == chunk {
                    place.push(to + piece.to as u32);
                    place.push(id);
                }
            }
        }
        let len = place.len;
        let w = &mut self.words[word as usize];
        w.edges = self.edges.used as u32;
        w.plain = plain as u16;
        w.masked = ((len - plain) / 2) as u16;
        self.edges.used += len;
    }

    /// Finds the slides of the rows' vehicles out of a block.
    fn find_row_moves(&mut self, blocks: &Blocks, from: &Block<MIDDLE>) {
        let size = self.tables.space.size();
        let h = from.h as usize;
        let taken = blocks.taken(h);
        let masks = blocks.edge_masks(h);
        (self.plain_moves.len, self.masked_moves.len) = (0, 0);
        for row in 0..size {
            for slide in &self.row_slides[row][blocks.row_digit(h, row)] {
                let to = h.wrapping_add_signed(slide.by as isize);
                // A solved board needs no entry: its distance is known.
                let Some(&target) = self.block_of.get(to).filter(|&&t| t != NO_BLOCK) else { continue };
                let after = blocks.taken(to);
                let change = Change::between(taken, after, row, size);
                let mv = match change {
                    Change::NONE => self.plain_moves.add(),
                    _ => {
                        let pieces = self.tables.edge_words.transfer(masks, row, change);
                        // No board of this block can make the move.
                        if pieces.is_empty() {
                            continue;
                        }
                        let mv = self.masked_moves.add();
                        mv.pieces = pieces;
                        mv
                    }
                };
                let target = &self.blocks[target as usize];
                mv.base = target.first_word;
                mv.set_columns(
                    self.tables,
                    slide,
                    Side { block: from, taken },
                    Side { block: target, taken: after },
                );
            }
        }
        let across = self.tables.edge_words.across(masks);
        if !across.is_empty() {
            // Like a slide that leads back to its block.
            let mv = self.masked_moves.add();
            (mv.pieces, mv.base) = (across, from.first_word);
            let stay = RowSlide { row: 0, by: 0, path: 0 };
            mv.set_columns(self.tables, &stay, Side { block: from, taken }, Side { block: from, taken });
        }
    }
}

/// A block and the cells that its rows take.
#[derive(Clone, Copy)]
struct Side<'b, const MIDDLE: usize> {
    block: &'b Block<MIDDLE>,
    taken: u64,
}

impl<const MIDDLE: usize, const PLACEMENTS: usize> RowMove<MIDDLE, PLACEMENTS> {
    /// Works out what each digit of each middle column adds.
    fn set_columns(&mut self, tables: &MoveTables, slide: &RowSlide, from: Side<MIDDLE>, to: Side<MIDDLE>) {
        let line = tables.space.line();
        let mut stride = to.block.chunks as u32;
        for c in tables.space.middle_columns().rev() {
            let i = c + MIDDLE + 1 - tables.space.size();
            let (before, after) = (column_mask(from.taken, c), column_mask(to.taken, c));
            let (digits, target) = (from.block.digits[i], to.block.digits[i]);
            let add = &mut self.add[i][..digits.count as usize];
            if slide.path >> c & 1 == 0 && before == after {
                for (d, add) in add.iter_mut().enumerate() {
                    *add = d as u32 * stride;
                }
            } else {
                // Only cells on the path can be in the way.
                let entered = (slide.path >> c & 1) << slide.row;
                let cells = &tables.columns.cells(before)[digits.range()];
                let placements = &line.fit(before)[digits.first as usize..];
                for ((add, &p), cells) in add.iter_mut().zip(placements).zip(cells) {
                    *add = match cells & entered {
                        0 => (line.digit(after, p) - target.first) as u32 * stride,
                        _ => BLOCKED,
                    };
                }
            }
            stride *= target.count as u32;
        }
    }
}
