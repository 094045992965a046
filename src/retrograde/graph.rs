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
//! the left, and last by the chunk of the edge pair. So the word that a row's slide
//! leads to is a sum: a number of its block, and what the digit of each middle column
//! adds, which is too much where a vehicle is in the way. What the digits add for
//! [`LANES`] slides at once is one row of a table, so four additions of such rows tell
//! where all slides lead from a word, and one comparison which of them are possible.
//! No edge is ever written down.
//!
//! The graph holds one [`Part`] at a time, so a large signature is searched in
//! little memory. The tables are made block by block when the search first gets
//! there: unsolvable blocks never cost theirs.
//!
//! The number of middle columns (`MIDDLE`) is known to the compiler: 4 for boards up
//! to 6×6, 5 for 7×7. Smaller boards leave the first columns with one digit.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::edge_words::Change;
use super::isa::{Isa, LANES, Lanes, MovesOfColumn};
use super::moves::{ColumnTables, Effect, MoveTables};
use super::part::Part;
use crate::board::Metric;
use crate::memory::make_room;
use crate::space::{Blocks, MAX_SIZE, Position};

/// A block whose moves are not known yet.
const NO_MOVES: u32 = u32::MAX;
/// A block that has no board in this part.
const NO_BLOCK: u32 = u32::MAX;
/// Added to a target that a vehicle blocks.
const BLOCKED: u32 = 1 << 29;
const _: () = assert!(BLOCKED as u64 * (MAX_SIZE as u64 - 1) <= u32::MAX as u64, "all columns may block");
/// More than the words of a part. What is blocked is not below it, even where a digit that
/// is not counted would have made up for [`Block::origin`].
const MOST_WORDS: u32 = BLOCKED / 2;
/// More than the slides of all rows together.
const MAX_ROW_MOVES: usize = 64;
/// More than the rows of a table for one digit.
const MOST_ROWS: usize = 96;

/// Room for tables that most parts do with: 8 MiB.
const LANES_AT_FIRST: usize = 1 << 17;

/// One word of a part.
#[derive(Debug, Clone, Copy)]
pub struct Word<const MIDDLE: usize> {
    /// The number of its first board, within the signature; modulo 2^32.
    pub first_board: u32,
    /// Its block.
    pub block: u32,
    /// Its chunk in the tables of the edge pair, counted from the block's first.
    pub chunk: u8,
    /// The digits of the middle columns, counted from the first in this part.
    digits: [u8; MIDDLE],
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
    /// The word that would have digits of 0 in all middle columns, also where those are
    /// not in this part; modulo 2^32.
    origin: u32,
    /// How far apart two words are that differ by one in a middle column.
    strides: [u32; MIDDLE],
    digits: [Digits; MIDDLE],
    /// The cells that each middle column has taken.
    masks: [u8; MIDDLE],
    first_chunk: u32,
    chunks: u8,
    /// Rows of its tables for one digit: of the plain moves, and of the masked ones.
    plain: u8,
    masked: u8,
    /// Where its tables begin.
    moves: u32,
}

impl<const MIDDLE: usize> Block<MIDDLE> {
    /// Rows of its tables for one digit.
    fn rows(&self) -> usize {
        (self.plain + self.masked) as usize
    }

    /// The most moves that a digit of each middle column has.
    fn column_moves(&self, tables: &ColumnTables) -> [usize; MIDDLE] {
        std::array::from_fn(|column| {
            let moves = &tables.moves(self.masks[column])[self.digits[column].range()];
            moves.iter().max().map_or(0, |&moves| moves.into())
        })
    }

    /// What a slide of a row's vehicle to another block does to the middle columns.
    fn effects(&self, to: &Block<MIDDLE>, slide: &RowSlide) -> [Effect; MIDDLE] {
        std::array::from_fn(|i| match slide.path >> i & 1 == 1 {
            _ if self.masks[i] != to.masks[i] => Effect::changed(slide.row.into()),
            true => Effect::passed(slide.row.into()),
            false => Effect::NONE,
        })
    }

    /// Which rows of the table of sums each middle column has: where its first digit
    /// begins, and the end of all.
    fn sums(&self) -> ([usize; MIDDLE], usize) {
        let mut firsts = [0; MIDDLE];
        let mut next = 0;
        for (digits, first) in self.digits.iter().zip(&mut firsts) {
            *first = next;
            next += digits.count as usize * self.rows();
        }
        (firsts, next)
    }
}

/// All combinations of one number out of each range, the last fastest.
struct Combinations<const MIDDLE: usize> {
    ranges: [Range<u8>; MIDDLE],
    next: Option<[u8; MIDDLE]>,
}

impl<const MIDDLE: usize> Combinations<MIDDLE> {
    /// None of the ranges may be empty.
    fn new(ranges: [Range<u8>; MIDDLE]) -> Combinations<MIDDLE> {
        let first = std::array::from_fn(|i| ranges[i].start);
        Combinations { ranges, next: Some(first) }
    }
}

impl<const MIDDLE: usize> Iterator for Combinations<MIDDLE> {
    type Item = [u8; MIDDLE];

    #[inline]
    fn next(&mut self) -> Option<[u8; MIDDLE]> {
        let now = self.next?;
        let mut after = now;
        self.next = None;
        for (digit, range) in after.iter_mut().zip(&self.ranges).rev() {
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
    /// The places of the middle columns whose cell in the row must be free.
    path: u8,
}

/// A slide of a row's vehicle out of a block.
#[derive(Debug, Clone, Copy)]
struct RowMove {
    slide: RowSlide,
    /// The block it leads to.
    to: u32,
    /// What becomes of the words: the number of a transfer. A plain move has none.
    transfer: u32,
}

/// The moves out of a block.
pub struct Moves<'g, const MIDDLE: usize> {
    block: &'g Block<MIDDLE>,
    /// Where moves lead, without what the digits add: plain ones, and for every chunk the
    /// masked ones.
    plain: &'g [Lanes],
    masked: &'g [Lanes],
    /// For every chunk the pieces of the masked moves.
    pieces: &'g [Lanes],
    sums: &'g [Lanes],
    first_sums: [usize; MIDDLE],
}

/// Where moves lead from a word.
#[derive(Debug)]
pub struct Reached {
    /// The words that boards come to as they are, before the chunk is added.
    pub plain: Numbers,
    /// The words that a piece of a transfer moves boards to.
    pub masked: Numbers,
    /// The number of each one's piece.
    pub pieces: Numbers,
}

/// Some numbers.
#[derive(Debug)]
pub struct Numbers {
    numbers: [u32; Numbers::ROOM],
    len: usize,
}

impl Numbers {
    /// There is always room for another row.
    const ROOM: usize = (MOST_ROWS + 1) * LANES;

    /// The numbers, some by some, the last filled up with others.
    #[inline(always)]
    pub fn filled<const SOME: usize>(&mut self, filling: u32) -> &[[u32; SOME]] {
        self.numbers[self.len..self.len + SOME].fill(filling);
        &self.numbers.as_chunks().0[..self.len.div_ceil(SOME)]
    }

    /// Room for one row more.
    #[inline(always)]
    fn row(&mut self) -> &mut [u32; LANES] {
        self.numbers[self.len..].first_chunk_mut().expect("there is room")
    }
}

impl Default for Reached {
    fn default() -> Reached {
        let [plain, masked, pieces] = [0; 3].map(|len| Numbers { numbers: [0; Numbers::ROOM], len });
        Reached { plain, masked, pieces }
    }
}

impl<const MIDDLE: usize> Moves<'_, MIDDLE> {
    /// The number of the chunk that a word has in the tables of the edge pair.
    #[inline(always)]
    pub fn chunk(&self, word: &Word<MIDDLE>) -> u32 {
        self.block.first_chunk + word.chunk as u32
    }

    /// Finds out where moves lead from a word.
    #[inline(always)]
    pub fn reach(&self, isa: impl Isa, word: &Word<MIDDLE>, reached: &mut Reached) {
        let rows = self.block.rows();
        let mut of_digits = [&[][..]; MIDDLE];
        for (column, of_digit) in of_digits.iter_mut().enumerate() {
            let first = self.first_sums[column] + word.digits[column] as usize * rows;
            *of_digit = &self.sums[first..first + rows];
        }
        let Reached { plain, masked, pieces } = reached;
        (plain.len, masked.len, pieces.len) = (0, 0, 0);
        for (row, base) in self.plain.iter().enumerate() {
            let of_row = of_row(of_digits, row, base);
            plain.len += isa.sum(base, of_row, MOST_WORDS, plain.row(), None);
        }
        let count = self.block.masked as usize;
        let of_chunk = word.chunk as usize * count;
        let bases = &self.masked[of_chunk..of_chunk + count];
        for (row, base) in bases.iter().enumerate() {
            let ids = &self.pieces[of_chunk + row];
            let of_row = of_row(of_digits, self.plain.len() + row, base);
            masked.len += isa.sum(base, of_row, MOST_WORDS, masked.row(), Some((ids, pieces.row())));
            pieces.len = masked.len;
        }
    }
}

/// A row of the sums of each digit.
#[inline(always)]
fn of_row<'l, const MIDDLE: usize>(
    of_digits: [&'l [Lanes]; MIDDLE],
    row: usize,
    any: &'l Lanes,
) -> [&'l Lanes; MIDDLE] {
    let mut rows = [any; MIDDLE];
    for (slot, of_digit) in rows.iter_mut().zip(of_digits) {
        *slot = &of_digit[row];
    }
    rows
}

/// The graph of one part; its memory is used again for the next.
#[derive(Debug)]
pub struct Graph<'t, const MIDDLE: usize> {
    tables: &'t MoveTables<'t>,
    words: Vec<Word<MIDDLE>>,
    blocks: Vec<Block<MIDDLE>>,
    block_of: Vec<u32>,
    /// The tables of all blocks whose moves are known: where plain moves lead, without
    /// what digits add; for every chunk the same of masked moves, and their pieces; for
    /// every digit of every middle column what it adds.
    lanes: Vec<Lanes>,
    /// For every middle column the moves of the block whose tables are made.
    seen: [Vec<MovesOfColumn>; MIDDLE],
    /// For every row and digit its slides.
    row_slides: [Vec<Vec<RowSlide>>; MAX_SIZE],
}

impl<'t, const MIDDLE: usize> Graph<'t, MIDDLE> {
    /// An empty graph.
    pub fn new(tables: &'t MoveTables<'t>) -> Graph<'t, MIDDLE> {
        assert!(tables.space.size() <= MIDDLE + 2, "there is room");
        Graph {
            tables,
            words: Vec::new(),
            blocks: Vec::new(),
            block_of: Vec::new(),
            lanes: Vec::new(),
            seen: std::array::from_fn(|_| Vec::new()),
            row_slides: Default::default(),
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
                if self.tables.space.middle_columns().contains(&entered.into()) {
                    path |= 1 << self.place_of(entered.into());
                }
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
    pub fn words(&self) -> &[Word<MIDDLE>] {
        &self.words
    }

    /// Lays out a part of at most so many words. Calls `seed` for every word with the
    /// boards that are one move from solved.
    pub fn lay_out(&mut self, part: &Part, words: usize, mut seed: impl FnMut(u64)) {
        self.words.clear();
        self.blocks.clear();
        self.lanes.clear();
        make_room(&mut self.words, words);
        make_room(&mut self.lanes, LANES_AT_FIRST);
        self.block_of.clear();
        self.block_of.resize(part.blocks.unsolved(), NO_BLOCK);
        for &h in &part.configurations {
            let ahead = self.ahead(part.blocks, h as usize);
            if let Some(digits) = self.solvable_digits(part, h as usize, ahead) {
                self.add_block(part.blocks, h as usize, ahead, digits, &mut seed);
            }
        }
        assert!(self.words.len() < MOST_WORDS as usize, "a part is far smaller");
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
        let chunks = edge_words.layout(blocks.edge_masks(h));
        let (first_board, pairs) = (blocks.first(h), blocks.strip_len(h) as u64);
        // In steps only the last cell before the edge is one step away.
        let one_move = *metric == Metric::Moves || ahead == space.size() - 1;
        let mut all = [1; MIDDLE];
        // A column that is not there has one digit and no move.
        let mut masks = [u8::MAX >> (8 - space.size()); MIDDLE];
        // For every middle column the digits that stand in the primary's way.
        let mut in_way = [0; MIDDLE];
        for c in space.middle_columns() {
            let (i, mask) = (self.place_of(c), blocks.mask(h, c));
            all[i] = space.line().fitting(mask) as u32;
            masks[i] = mask;
            if c >= ahead {
                in_way[i] = columns.in_primary_row(mask);
            }
        }
        let block = self.blocks.len() as u32;
        self.block_of[h] = block;
        let first_word = self.words.len() as u32;
        for from_first in Combinations::<MIDDLE>::new(std::array::from_fn(|i| 0..digits[i].count)) {
            let digit = |i: usize| (digits[i].first + from_first[i]) as u32;
            let strip = (0..MIDDLE).fold(0, |number, i| number * all[i] + digit(i));
            let is_free = one_move && (0..MIDDLE).all(|i| in_way[i] >> digit(i) & 1 == 0);
            for (chunk, id) in (0..).zip(chunks.numbers()) {
                let of_pair = edge_words.chunk(id);
                let first_board = first_board + u64::from(strip) * pairs + u64::from(of_pair.first);
                self.words.push(Word { first_board: first_board as u32, block, chunk, digits: from_first });
                seed(if is_free { of_pair.exit_free } else { 0 });
            }
        }
        let mut strides = [0; MIDDLE];
        let (mut stride, mut skipped) = (chunks.len() as u64, 0);
        for (digits, slot) in digits.iter().zip(&mut strides).rev() {
            *slot = stride as u32;
            skipped += digits.first as u64 * stride;
            stride *= digits.count as u64;
        }
        assert!(skipped <= MOST_WORDS.into(), "a part is far smaller");
        self.blocks.push(Block {
            h: h as u32,
            origin: first_word.wrapping_sub(skipped as u32),
            strides,
            digits,
            masks,
            first_chunk: chunks.start,
            chunks: chunks.len() as u8,
            plain: 0,
            masked: 0,
            moves: NO_MOVES,
        });
    }

    /// The position of a board of a word.
    pub fn position(&self, blocks: &Blocks, word: &Word<MIDDLE>, bit: u32) -> Position {
        let block = &self.blocks[word.block as usize];
        let fitting = |mask: u8| self.tables.space.line().fitting(mask);
        let strip = (0..MIDDLE).fold(0, |number, i| {
            // A column that is not there has one digit.
            number * fitting(block.masks[i]) + usize::from(block.digits[i].first + word.digits[i])
        });
        let chunk = self.tables.edge_words.chunk(block.first_chunk + u32::from(word.chunk));
        blocks.position_in(block.h as usize, strip, usize::from(chunk.first) + bit as usize)
    }

    /// Makes sure that the moves out of a block are known.
    #[inline(always)]
    pub fn connect(&mut self, isa: impl Isa, blocks: &Blocks, block: u32) {
        if self.blocks[block as usize].moves == NO_MOVES {
            self.add_moves(isa, blocks, block as usize);
        }
    }

    /// The moves out of a block, which are known.
    #[inline(always)]
    pub fn moves(&self, block: u32) -> Moves<'_, MIDDLE> {
        let block = &self.blocks[block as usize];
        let lanes = &self.lanes[block.moves as usize..];
        let of_chunks = block.masked as usize * block.chunks as usize;
        let (plain, lanes) = lanes.split_at(block.plain as usize);
        let (masked, lanes) = lanes.split_at(of_chunks);
        let (pieces, lanes) = lanes.split_at(of_chunks);
        let (first_sums, end) = block.sums();
        Moves { block, plain, masked, pieces, sums: &lanes[..end], first_sums }
    }

    /// Makes the tables of a block.
    #[cold]
    #[inline(never)]
    fn add_moves(&mut self, isa: impl Isa, blocks: &Blocks, block: usize) {
        let edge_words = &self.tables.edge_words;
        let [plain, masked] = self.row_moves(blocks, block);
        let mut from = self.blocks[block];
        let in_columns = from.column_moves(&self.tables.columns);
        // A masked move has a lane for each piece that a chunk may be cut into.
        let pieces = |mv: &RowMove| {
            let of_chunk = (0..from.chunks).map(|chunk| edge_words.pieces(mv.transfer, chunk).len());
            of_chunk.max().unwrap_or(0)
        };
        let masked_lanes: usize = masked.iter().map(pieces).sum();
        from.moves = u32::try_from(self.lanes.len()).expect("a part is far smaller");
        from.plain = (in_columns.iter().sum::<usize>() + plain.len()).div_ceil(LANES) as u8;
        from.masked = masked_lanes.div_ceil(LANES) as u8;
        assert!(from.rows() <= MOST_ROWS, "there are fewer moves");
        self.blocks[block] = from;
        if from.rows() == 0 {
            return;
        }
        let (first_sums, sums) = from.sums();
        let of_chunks = from.masked as usize * from.chunks as usize;
        let moves = from.moves as usize;
        let bases = from.plain as usize + of_chunks;
        self.lanes.resize(moves + bases, Lanes([BLOCKED; LANES]));
        self.lanes.resize(moves + bases + of_chunks + sums, Lanes([0; LANES]));
        let (plain_bases, lanes) = self.lanes[moves..].split_at_mut(from.plain as usize);
        let (masked_bases, lanes) = lanes.split_at_mut(of_chunks);
        let (ids, sums) = lanes.split_at_mut(of_chunks);
        for seen in &mut self.seen {
            seen.clear();
            seen.resize(from.rows(), MovesOfColumn::NOTHING);
        }
        let mut add = |place: &mut usize, to: &Block<MIDDLE>, effects: [Effect; MIDDLE]| {
            let (row, lane) = (*place / LANES, *place % LANES);
            *place += 1;
            for (column, (seen, effect)) in self.seen.iter_mut().zip(effects).enumerate() {
                seen[row].effects[lane] = effect.number();
                seen[row].strides.0[lane] = to.strides[column];
            }
            (row, lane)
        };
        let mut place = 0;
        for (column, moves) in in_columns.into_iter().enumerate() {
            for number in 0..moves {
                let mut effects = [Effect::NONE; MIDDLE];
                effects[column] = Effect::own(number);
                let (row, lane) = add(&mut place, &from, effects);
                plain_bases[row].0[lane] = from.origin;
            }
        }
        for mv in &plain {
            let to = &self.blocks[mv.to as usize];
            let (row, lane) = add(&mut place, to, from.effects(to, &mv.slide));
            plain_bases[row].0[lane] = to.origin;
        }
        place = from.plain as usize * LANES;
        for mv in &masked {
            let to = &self.blocks[mv.to as usize];
            let effects = from.effects(to, &mv.slide);
            for number in 0..pieces(mv) as u32 {
                let (row, lane) = add(&mut place, to, effects);
                for chunk in 0..from.chunks {
                    let row = chunk as usize * from.masked as usize + row - from.plain as usize;
                    let span = edge_words.pieces(mv.transfer, chunk);
                    if number < span.len() as u32 {
                        let id = span.start + number;
                        masked_bases[row].0[lane] = to.origin.wrapping_add(edge_words.piece(id).to as u32);
                        ids[row].0[lane] = id;
                    }
                }
            }
        }
        for (column, seen) in self.seen.iter().enumerate() {
            let digits = self.tables.columns.outcomes(from.masks[column], from.digits[column].range());
            isa.add_up(digits, seen, BLOCKED, &mut sums[first_sums[column]..][..digits.len() * seen.len()]);
        }
    }

    /// The slides of the rows' vehicles out of a block: the plain ones and the masked
    /// ones.
    fn row_moves(&self, blocks: &Blocks, block: usize) -> [ArrayVec<RowMove, MAX_ROW_MOVES>; 2] {
        let size = self.tables.space.size();
        let h = self.blocks[block].h as usize;
        let taken = blocks.taken(h);
        let masks = blocks.edge_masks(h);
        let [mut plain, mut masked] = [const { ArrayVec::new_const() }; 2];
        for row in 0..size {
            for &slide in &self.row_slides[row][blocks.row_digit(h, row)] {
                let to = h.wrapping_add_signed(slide.by as isize);
                // A solved board needs no entry: its distance is known.
                let Some(&to) = self.block_of.get(to).filter(|&&to| to != NO_BLOCK) else { continue };
                let after = blocks.taken(self.blocks[to as usize].h as usize);
                match Change::between(taken, after, row, size) {
                    Change::NONE => plain.push(RowMove { slide, to, transfer: 0 }),
                    change => {
                        // There may be no board of this block that can make the move.
                        if let Some(transfer) = self.tables.edge_words.transfer(masks, row, change) {
                            masked.push(RowMove { slide, to, transfer });
                        }
                    }
                }
            }
        }
        if let Some(transfer) = self.tables.edge_words.across(masks) {
            // Like a slide that leads back to its block.
            let slide = RowSlide { row: 0, by: 0, path: 0 };
            masked.push(RowMove { slide, to: block as u32, transfer });
        }
        [plain, masked]
    }
}
