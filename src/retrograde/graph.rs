//! The boards of a part of a signature as a graph of words.
//!
//! A *word* is a set of up to 64 boards that differ only in the edge columns
//! (see [`super::edge_words`]); they agree in the rows and the middle columns. A
//! move of a row or of a middle column takes a word to another word: unchanged
//! if the edge columns' masks stay the same (a *plain* edge), else through a
//! bit gather and scatter (a *masked* edge). So the search does all its work
//! on words, and the graph has one node for 25 boards on average.
//!
//! A *part* holds the boards whose middle columns nearest to the exit have
//! given kinds. No move leaves it, so a large signature is searched part by
//! part in little memory. Edges are made block by block when the search first
//! gets there: unsolvable blocks never cost theirs.

use arrayvec::ArrayVec;

use super::edge_words::EdgeWords;
use crate::board::Metric;
use crate::space::line::{KindId, MAX_PLACEMENTS, PlacementId};
use crate::space::{Blocks, MAX_SIZE, Space, column_mask};

/// The most middle columns.
pub const MIDDLE: usize = MAX_SIZE - 2;
/// A word that has no edges yet.
const NO_EDGES: u32 = u32::MAX;
/// A block that has no board in this part.
const NO_BLOCK: u32 = u32::MAX;
/// Added to a target that a vehicle blocks: larger than any word's number.
const BLOCKED: u32 = 1 << 29;
/// More than the slides of all rows together.
const MAX_ROW_MOVES: usize = 64;
/// More than the numbers that one row move adds to a word's edges.
const MAX_EDGES: usize = 32;

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

/// A horizontal configuration as far as this part goes.
#[derive(Debug, Clone, Copy)]
struct Block {
    h: u32,
    first_word: u32,
    /// The first digit and the number of digits of every middle column.
    digits: [(u8, u8); MIDDLE],
    chunks: u8,
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
struct RowMove {
    /// First piece and one past the last; both 0 if no edge column changes.
    pieces: (u32, u32),
    base: u32,
    /// What each digit of each middle column adds to the target's number.
    add: [[u32; MAX_PLACEMENTS]; MIDDLE],
}

/// What depends on a column's mask alone, once per size and metric.
#[derive(Debug)]
struct ColumnTables {
    /// For a mask and a digit: how far away the digits are that one move of
    /// the column leads to.
    moves: Vec<[ArrayVec<i8, 8>; MAX_PLACEMENTS]>,
    /// For a mask and a digit: the cells that the placement covers.
    cells: Vec<[u8; MAX_PLACEMENTS]>,
    /// The digit from which on all kinds always cover the primary's row: right
    /// of the primary, such a column can never let it pass.
    dead: Vec<u8>,
}

impl ColumnTables {
    fn new(space: &Space, metric: Metric) -> ColumnTables {
        let line = space.line();
        let covers = |p: &PlacementId| line.placement(*p).cells >> space.primary_row() & 1 == 1;
        let dead_kind = |k: KindId| line.of_kind(k).iter().all(covers);
        let kinds = line.kinds().len() as u8;
        let first_dead = (0..kinds).rev().find(|&k| !dead_kind(k)).map_or(0, |k| k + 1);
        let mut tables = ColumnTables { moves: Vec::new(), cells: Vec::new(), dead: Vec::new() };
        for mask in 0..1u8 << space.size() {
            let mut moves: [ArrayVec<i8, 8>; MAX_PLACEMENTS] = Default::default();
            let mut cells = [0; MAX_PLACEMENTS];
            for (d, &p) in line.fit(mask).iter().enumerate() {
                moves[d] =
                    line.stops(mask, p, metric).map(|to| line.digit(mask, to) as i8 - d as i8).collect();
                cells[d] = line.placement(p).cells;
            }
            tables.moves.push(moves);
            tables.cells.push(cells);
            tables.dead.push(line.kind_digits(mask, first_dead).start as u8);
        }
        tables
    }
}

/// The graph of one part; its memory is used again for the next.
#[derive(Debug)]
pub struct Graph<'s> {
    space: &'s Space,
    metric: Metric,
    words: Vec<Word>,
    blocks: Vec<Block>,
    block_of: Vec<u32>,
    /// Grows to the largest part; only the first `edges_used` count.
    edges: Vec<u32>,
    edges_used: usize,
    columns: ColumnTables,
    /// For every row and digit its slides.
    row_slides: [Vec<Vec<RowSlide>>; MAX_SIZE],
    row_moves: Vec<RowMove>,
}

impl<'s> Graph<'s> {
    /// An empty graph.
    pub fn new(space: &'s Space, metric: Metric) -> Graph<'s> {
        Graph {
            space,
            metric,
            words: Vec::new(),
            blocks: Vec::new(),
            block_of: Vec::new(),
            edges: Vec::new(),
            edges_used: 0,
            columns: ColumnTables::new(space, metric),
            row_slides: Default::default(),
            row_moves: Vec::new(),
        }
    }

    /// Prepares for the parts of a signature.
    pub fn start(&mut self, blocks: &Blocks) {
        let line = self.space.line();
        for row in 0..self.space.size() {
            let placements = blocks.row(row);
            let slides = |digit: usize| {
                let mut out = Vec::new();
                for slide in line.slides(placements[digit]) {
                    let mut path = 0;
                    for &(stop, entered) in slide.stops.iter().take(self.metric.reach()) {
                        path |= 1 << entered;
                        let to =
                            placements.iter().position(|&p| p == stop).expect("a slide stays in the kind");
                        let by = (to as i32 - digit as i32) * blocks.stride(row) as i32;
                        out.push(RowSlide { row: row as u8, by, path });
                    }
                }
                out
            };
            self.row_slides[row] = (0..placements.len()).map(slides).collect();
        }
    }

    /// The words.
    #[inline]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The plain edges of a word: the numbers of the words they lead to.
    #[inline(always)]
    pub fn plain(&self, word: &Word) -> &[u32] {
        &self.edges[word.edges as usize..][..word.plain as usize]
    }

    /// The masked edges of a word: pairs of a word's number and a piece's.
    #[inline(always)]
    pub fn masked(&self, word: &Word) -> &[[u32; 2]] {
        let from = word.edges as usize + word.plain as usize;
        self.edges[from..from + 2 * word.masked as usize].as_chunks().0
    }

    /// Lays out the part of `blocks` whose middle columns, from the right, have
    /// `kinds`, out of the configurations `hs`. Calls `seed` for every word with the
    /// boards that are one move from solved.
    pub fn lay_out(
        &mut self,
        blocks: &Blocks,
        edge_words: &EdgeWords,
        hs: &[u32],
        kinds: &[KindId],
        mut seed: impl FnMut(u64),
    ) {
        let line = self.space.line();
        let size = self.space.size();
        let row = self.space.primary_row();
        self.words.clear();
        self.blocks.clear();
        self.edges_used = 0;
        self.block_of.clear();
        self.block_of.resize(blocks.unsolved(), NO_BLOCK);
        for &h in hs {
            let taken = blocks.taken(h as usize);
            let mask = |c: usize| column_mask(taken, c);
            let mut digits = [(0u8, 1u8); MIDDLE];
            let mut all = [1usize; MIDDLE];
            let primary = blocks.row(row)[blocks.row_digit(h as usize, row)];
            let ahead = self.space.primary_column(primary) + 2;
            for (i, c) in self.space.middle_columns().enumerate() {
                all[i] = line.fitting(mask(c));
                let mut range =
                    kind_of_column(kinds, size, c).map_or(0..all[i], |k| line.kind_digits(mask(c), k));
                if c >= ahead {
                    range.end = range.end.min(self.columns.dead[mask(c) as usize] as usize);
                }
                digits[i] = (range.start as u8, range.len() as u8);
            }
            if digits.iter().any(|d| d.1 == 0) {
                continue;
            }
            let edge_masks = (mask(0), mask(size - 1));
            let (first_chunk, chunks) = edge_words.layout(edge_masks);
            let pairs = (line.fitting(edge_masks.0) * line.fitting(edge_masks.1)) as u32;
            let block = self.blocks.len() as u32;
            self.block_of[h as usize] = block;
            self.blocks.push(Block { h, first_word: self.words.len() as u32, digits, chunks });

            // In steps only the last cell before the edge is one step away.
            let one_move = self.metric == Metric::Moves || ahead == size - 1;
            // For every digit of a middle column: does it stand in the way?
            let mut blocks_exit = [[false; MAX_PLACEMENTS]; MIDDLE];
            for (i, c) in self.space.middle_columns().enumerate().filter(|&(_, c)| c >= ahead) {
                for (d, &p) in line.fit(mask(c)).iter().enumerate() {
                    blocks_exit[i][d] = line.placement(p).cells >> row & 1 == 1;
                }
            }
            let first_board = blocks.first(h as usize);
            let span = |i: usize| digits[i].0 as usize..(digits[i].0 + digits[i].1) as usize;
            for a in span(0) {
                for b in span(1) {
                    for c in span(2) {
                        let ab = ((a * all[1] + b) * all[2] + c) * all[3];
                        let way = blocks_exit[0][a] | blocks_exit[1][b] | blocks_exit[2][c];
                        for d in span(3) {
                            let free = one_move && !way && !blocks_exit[3][d];
                            for k in first_chunk..first_chunk + chunks as u32 {
                                let chunk = edge_words.chunk(k);
                                self.words.push(Word {
                                    first_board: first_board + (ab + d) as u32 * pairs + chunk.first as u32,
                                    chunk: k,
                                    block,
                                    edges: NO_EDGES,
                                    plain: 0,
                                    masked: 0,
                                });
                                seed(if free { chunk.exit_free } else { 0 });
                            }
                        }
                    }
                }
            }
        }
        assert!(self.words.len() < BLOCKED as usize, "a part is far smaller");
    }

    /// Makes sure that a word has its edges, and returns it.
    #[inline(always)]
    pub fn word(&mut self, blocks: &Blocks, edge_words: &EdgeWords, word: u32) -> Word {
        let w = self.words[word as usize];
        if w.edges != NO_EDGES {
            return w;
        }
        self.connect(blocks, edge_words, w.block);
        self.words[word as usize]
    }

    /// Makes the edges of all words of a block.
    #[cold]
    #[inline(never)]
    fn connect(&mut self, blocks: &Blocks, edge_words: &EdgeWords, block: u32) {
        let b = self.blocks[block as usize];
        let taken = blocks.taken(b.h as usize);
        let plain_moves = self.find_row_moves(blocks, edge_words, &b);
        let count = |i: usize| b.digits[i].1 as usize;
        let chunks = b.chunks as usize;
        let stride = [
            count(1) * count(2) * count(3) * chunks,
            count(2) * count(3) * chunks,
            count(3) * chunks,
            chunks,
        ];
        let moves_of = |i: usize, d: usize| {
            let mask = column_mask(taken, i + 1) as usize;
            let deltas = &self.columns.moves[mask][b.digits[i].0 as usize + d];
            deltas.iter().map(move |&delta| delta as i32 * stride[i] as i32)
        };
        let mut word = b.first_word;
        // Targets of the moves that the first three columns allow, plain ones first.
        let mut alive: ArrayVec<(u32, u32), MAX_ROW_MOVES> = ArrayVec::new();
        let mut near: ArrayVec<i32, 32> = ArrayVec::new();
        for d0 in 0..count(0) {
            for d1 in 0..count(1) {
                for d2 in 0..count(2) {
                    near.clear();
                    near.extend(moves_of(0, d0).chain(moves_of(1, d1)).chain(moves_of(2, d2)));
                    alive.clear();
                    let mut plain_alive = 0;
                    for (m, mv) in self.row_moves.iter().enumerate() {
                        if m == plain_moves {
                            plain_alive = alive.len();
                        }
                        let at = mv.base + mv.add[0][d0] + mv.add[1][d1] + mv.add[2][d2];
                        if at < BLOCKED {
                            alive.push((at, m as u32));
                        }
                    }
                    if self.row_moves.len() == plain_moves {
                        plain_alive = alive.len();
                    }
                    for d3 in 0..count(3) {
                        for chunk in 0..chunks as u32 {
                            let from = self.edges_used;
                            let room = near.len() + 8 + MAX_EDGES * alive.len();
                            if self.edges.len() < from + room {
                                self.edges.resize(2 * (from + room), 0);
                            }
                            let out = &mut self.edges[from..from + room];
                            let mut n = 0;
                            for delta in near.iter().copied().chain(moves_of(3, d3)) {
                                out[n] = word.wrapping_add_signed(delta);
                                n += 1;
                            }
                            for &(at, m) in &alive[..plain_alive] {
                                let at = at + self.row_moves[m as usize].add[3][d3];
                                if at < BLOCKED {
                                    out[n] = at + chunk;
                                    n += 1;
                                }
                            }
                            let plain = n;
                            for &(at, m) in &alive[plain_alive..] {
                                let mv = &self.row_moves[m as usize];
                                let at = at + mv.add[3][d3];
                                if at < BLOCKED {
                                    for p in mv.pieces.0..mv.pieces.1 {
                                        let piece = edge_words.piece(p);
                                        if piece.from as u32 == chunk {
                                            out[n] = at + piece.to as u32;
                                            out[n + 1] = p;
                                            n += 2;
                                        }
                                    }
                                }
                            }
                            self.edges_used += n;
                            let w = &mut self.words[word as usize];
                            w.edges = from as u32;
                            w.plain = plain as u16;
                            w.masked = ((n - plain) / 2) as u16;
                            word += 1;
                        }
                    }
                }
            }
        }
    }

    /// The slides of the rows' vehicles out of a block: those that change no
    /// edge column first. Returns how many these are.
    fn find_row_moves(&mut self, blocks: &Blocks, edge_words: &EdgeWords, b: &Block) -> usize {
        let size = self.space.size();
        let h = b.h as usize;
        let taken = blocks.taken(h);
        let edge_masks = (column_mask(taken, 0), column_mask(taken, size - 1));
        let (mut plain, mut all) = (0, 0);
        for row in 0..size {
            for slide in &self.row_slides[row][blocks.row_digit(h, row)] {
                let to = h.wrapping_add_signed(slide.by as isize);
                // A solved board needs no entry: its distance is known.
                let Some(&target) = self.block_of.get(to).filter(|&&t| t != NO_BLOCK) else { continue };
                let target = &self.blocks[target as usize];
                let after = blocks.taken(to);
                let changed = (taken ^ after) >> row;
                let change = (changed & 1 | (changed >> ((size - 1) * MAX_SIZE) & 1) << 1) as usize;
                let pieces = if change == 0 { 0..0 } else { edge_words.transfer(edge_masks, row, change) };
                if change != 0 && pieces.is_empty() {
                    continue;
                }
                if all == self.row_moves.len() {
                    self.row_moves.push(RowMove {
                        pieces: (0, 0),
                        base: 0,
                        add: [[0; MAX_PLACEMENTS]; MIDDLE],
                    });
                }
                let mv = &mut self.row_moves[all];
                mv.pieces = (pieces.start, pieces.end);
                mv.base = target.first_word;
                let mut stride = target.chunks as u32;
                for i in (0..size - 2).rev() {
                    let (before, after) = (column_mask(taken, i + 1), column_mask(after, i + 1));
                    let (first, count) = (b.digits[i].0 as usize, b.digits[i].1 as usize);
                    let add = &mut mv.add[i][..count];
                    if slide.path >> (i + 1) & 1 == 0 && before == after {
                        for (d, add) in add.iter_mut().enumerate() {
                            *add = d as u32 * stride;
                        }
                    } else {
                        let line = self.space.line();
                        // Only cells on the path can be in the way.
                        let entered = (slide.path >> (i + 1) & 1) << slide.row;
                        let cells = &self.columns.cells[before as usize][first..first + count];
                        for ((add, &p), cells) in add.iter_mut().zip(&line.fit(before)[first..]).zip(cells) {
                            *add = if cells & entered != 0 {
                                BLOCKED
                            } else {
                                (line.digit(after, p) - target.digits[i].0) as u32 * stride
                            };
                        }
                    }
                    stride *= target.digits[i].1 as u32;
                }
                if change == 0 {
                    self.row_moves.swap(plain, all);
                    plain += 1;
                }
                all += 1;
            }
        }
        self.row_moves.truncate(all);
        plain
    }
}

/// The kind that a part fixes for a middle column; columns are fixed from the
/// right, because a column near the exit decides most about a part.
pub fn kind_of_column(kinds: &[KindId], size: usize, column: usize) -> Option<KindId> {
    kinds.get(size - 2 - column).copied()
}
