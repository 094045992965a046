//! The law on all boards of one signature.

use super::{VerifyError, law};
use crate::board::{Distance, Metric};
use crate::memory::{empty, make_room};
use crate::progress::Observer;
use crate::space::edges::{EdgeMasks, EdgePair};
use crate::space::line::{Line, NO_DIGIT, PlacementId};
use crate::space::{Blocks, Space};
use crate::table::strips::UNSOLVABLE;

/// What the law needs to know of moves before it sees a signature.
pub struct Law<'s> {
    space: &'s Space,
    metric: Metric,
    /// For every mask of a column the moves, by digits.
    within_column: Vec<Vec<Run>>,
    /// For every pair of masks of the edge columns the moves within a strip.
    within: Vec<Leads>,
    /// For every pair of masks, row and change of the edge columns the boards of a strip
    /// that stay possible, and what they become.
    between: Vec<Leads>,
}

/// Neighbouring digits of a column that become neighbours, in order.
struct Run {
    from: usize,
    to: usize,
    count: usize,
}

impl Run {
    /// Sorts digits and what they become into runs.
    fn all(mut pairs: Vec<(usize, usize)>) -> Vec<Run> {
        pairs.sort_by_key(|&(from, to)| (to.wrapping_sub(from), from));
        let follows = |a: &(usize, usize), b: &(usize, usize)| *b == (a.0 + 1, a.1 + 1);
        let runs = pairs.chunk_by(follows);
        runs.map(|run| Run { from: run[0].0, to: run[0].1, count: run.len() }).collect()
    }
}

/// How many boards of a strip are compared at once.
const SOME: usize = 16;

/// What becomes of the boards of a strip: some boards after the other.
struct Leads {
    pieces: Box<[Piece]>,
    /// Where the pieces of some boards end.
    ends: Box<[usize]>,
}

/// Those of some boards that go equally far.
struct Piece {
    /// Where the first of all these boards would come to, counted from the beginning of
    /// the other strip. May be before it.
    to: i16,
    /// 0 for the boards that go there, [`UNSOLVABLE`] for the others.
    others: [u8; SOME],
}

impl Leads {
    /// For strips of this length, given pairs of boards.
    fn new(len: usize, mut pairs: Vec<(usize, usize)>) -> Leads {
        let key = |&(from, to): &(usize, usize)| (from / SOME, to as isize - from as isize);
        pairs.sort_by_key(key);
        let mut pieces = Vec::new();
        let mut ends = vec![0; len.div_ceil(SOME)];
        for together in pairs.chunk_by(|a, b| key(a) == key(b)) {
            let (number, by) = key(&together[0]);
            let mut others = [UNSOLVABLE; SOME];
            for (from, _) in together {
                others[from % SOME] = 0;
            }
            pieces.push(Piece { to: ((number * SOME) as isize + by) as i16, others });
            ends[number] = pieces.len();
        }
        // Where nothing moves there is no piece.
        let ends = ends.into_iter().scan(0, |end, of_number| {
            *end = of_number.max(*end);
            Some(*end)
        });
        Leads { ends: ends.collect(), pieces: pieces.into() }
    }

    /// The pieces of some boards after the other.
    #[inline]
    fn pieces(&self) -> impl Iterator<Item = &[Piece]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.pieces[std::mem::replace(&mut start, end)..end])
    }
}

/// The least distances of what becomes of some boards, by pieces. The other strip begins
/// at `first`.
#[inline(always)]
fn least_of(pieces: &[Piece], distances: &[u8], first: usize) -> [u8; SOME] {
    let mut least = [UNSOLVABLE; SOME];
    for piece in pieces {
        let at = first.wrapping_add_signed(piece.to.into());
        let beyond;
        let with = match distances.get(at..).and_then(|from| from.first_chunk()) {
            Some(with) => with,
            None => {
                beyond = beyond_the_end(distances, at);
                &beyond
            }
        };
        for (least, (with, other)) in least.iter_mut().zip(with.iter().zip(&piece.others)) {
            *least = (with | other).min(*least);
        }
    }
    least
}

/// Some distances, where not all of them are in the list.
#[cold]
#[inline(never)]
fn beyond_the_end(distances: &[u8], at: usize) -> [u8; SOME] {
    std::array::from_fn(|i| distances.get(at.wrapping_add(i)).copied().unwrap_or(UNSOLVABLE))
}

/// The law on signatures, one after the other, for one thread.
pub struct SignatureLaw<'l> {
    law: &'l Law<'l>,
    /// By board of a block: the least distance around it; and room for some more.
    least: Vec<u8>,
    strips: Vec<Strips>,
    of_fewer_columns: Vec<Strips>,
    row_moves: Vec<RowMove<'l>>,
}

/// A signature and the distances of its unsolved boards.
#[derive(Clone, Copy)]
struct Ground<'a> {
    blocks: &'a Blocks<'a>,
    distances: &'a [u8],
}

impl<'a> Ground<'a> {
    /// The distances of a block.
    fn block(&self, h: usize) -> &'a [u8] {
        &self.distances[self.blocks.boards_in(h)]
    }
}

/// A slide of a row's vehicle: where it leads and which cells it enters.
struct RowMove<'l> {
    row: usize,
    /// The configuration it leads to.
    to: usize,
    /// The columns whose cell in `row` must be free.
    path: u8,
    /// What becomes of boards if the edge columns matter.
    leads: Option<&'l Leads>,
}

/// Neighbouring strips of a block that become neighbouring strips, in order.
#[derive(Clone, Copy)]
struct Strips {
    from: usize,
    to: usize,
    count: usize,
}

/// So many boards under each digit of a column are compared before those after them.
const NEAR: usize = 4 << 10;

/// Which edge columns a slide of a row changes: left, right, both.
const CHANGES: usize = 4;

impl<'s> Law<'s> {
    /// Fills the tables.
    pub fn new(space: &'s Space, metric: Metric) -> Law<'s> {
        let (size, line) = (space.size(), space.line());
        let masks = 0..1u8 << size;
        let mut law =
            Law { space, metric, within_column: Vec::new(), within: Vec::new(), between: Vec::new() };
        for mask in masks.clone() {
            let digit = |p: PlacementId| usize::from(line.digit(mask, p));
            let of_digit =
                |&p: &PlacementId| line.stops(mask, p, metric).map(move |to| (digit(p), digit(to)));
            law.within_column.push(Run::all(line.fit(mask).iter().flat_map(of_digit).collect()));
        }
        for before in masks.clone().flat_map(|left| masks.clone().map(move |right| EdgeMasks { left, right }))
        {
            let len = before.pairs(line);
            law.within.push(Leads::new(len, edge_moves(line, before, metric)));
            for (row, change) in (0..size).flat_map(|row| (0..CHANGES as u8).map(move |change| (row, change)))
            {
                let (left, right) = (before.left ^ (change & 1) << row, before.right ^ (change >> 1) << row);
                law.between.push(Leads::new(len, common_pairs(line, before, EdgeMasks { left, right })));
            }
        }
        law
    }

    fn place(&self, masks: EdgeMasks) -> usize {
        (masks.left as usize) << self.space.size() | masks.right as usize
    }

    /// What becomes of the boards of a strip by a slide in a row.
    fn between(&self, before: EdgeMasks, after: EdgeMasks, row: usize) -> &Leads {
        let changed = |before: u8, after: u8| usize::from((before ^ after) >> row & 1);
        let change = changed(before.left, after.left) | changed(before.right, after.right) << 1;
        &self.between[(self.place(before) * self.space.size() + row) * CHANGES + change]
    }
}

impl<'l> SignatureLaw<'l> {
    /// The law that these tables tell of.
    pub fn new(law: &'l Law<'l>) -> SignatureLaw<'l> {
        SignatureLaw {
            law,
            least: Vec::new(),
            strips: Vec::new(),
            of_fewer_columns: Vec::new(),
            row_moves: Vec::new(),
        }
    }

    /// Checks these distances of all unsolved boards of a signature.
    pub fn check(
        &mut self,
        blocks: &Blocks,
        distances: &[u8],
        observer: &dyn Observer,
    ) -> Result<(), VerifyError> {
        let ground = Ground { blocks, distances };
        for h in 0..blocks.unsolved() {
            if observer.wants_stop() {
                return Err(VerifyError::Stopped);
            }
            let block = ground.block(h);
            empty(&mut self.least);
            make_room(&mut self.least, block.len() + SOME);
            self.least.resize(block.len() + SOME, UNSOLVABLE);
            self.edge_moves(ground, h);
            self.middle_moves(ground, h);
            self.row_moves(ground, h);
            let expected = |around: u8| around.saturating_add(1);
            let is_wrong = |&(&found, &around): &(&u8, &u8)| found != expected(around) || found == 0;
            // All at once is faster than one after the other, and mostly all is well.
            let wrong = block.iter().zip(&self.least).fold(false, |any, both| any | is_wrong(&both));
            if wrong && let Some(board) = block.iter().zip(&self.least).position(|both| is_wrong(&both)) {
                let [found, expected] = [block[board], expected(self.least[board])].map(Distance::from_byte);
                let position = blocks.position(blocks.first(h) + board as u64);
                return Err(law(self.law.space, &position, found, expected));
            }
        }
        Ok(())
    }

    /// Moves of the edge columns: other boards of the same strip. They are the first that
    /// are looked at.
    fn edge_moves(&mut self, ground: Ground, h: usize) {
        let blocks = ground.blocks;
        let leads = &self.law.within[self.law.place(blocks.edge_masks(h))];
        let first = blocks.first(h) as usize;
        for strip in (0..ground.block(h).len()).step_by(blocks.strip_len(h)) {
            for (pieces, at) in leads.pieces().zip((strip..).step_by(SOME)) {
                // What this writes beyond the strip is written again for the next.
                self.least[at..][..SOME].copy_from_slice(&least_of(pieces, ground.distances, first + strip));
            }
        }
    }

    /// Moves of the middle columns: other strips of the same block.
    fn middle_moves(&mut self, ground: Ground, h: usize) {
        let block = ground.block(h);
        // How far apart two boards are whose column differs by one.
        let mut apart = ground.blocks.strip_len(h);
        for c in self.law.space.middle_columns().rev() {
            let mask = ground.blocks.mask(h, c);
            let all = apart * self.law.space.line().fitting(mask);
            for (least, boards) in self.least.chunks_exact_mut(all).zip(block.chunks_exact(all)) {
                // A piece of each, so that all stay in a near cache.
                for start in (0..apart).step_by(NEAR) {
                    let len = NEAR.min(apart - start);
                    for run in &self.law.within_column[mask as usize] {
                        for digit in 0..run.count {
                            let [from, to] = [run.from, run.to].map(|first| (first + digit) * apart + start);
                            lower(&mut least[from..][..len], &boards[to..][..len]);
                        }
                    }
                }
            }
            apart = all;
        }
    }

    /// Moves of the rows: strips of other blocks.
    fn row_moves(&mut self, ground: Ground, h: usize) {
        let len = ground.blocks.strip_len(h);
        self.set_row_moves(ground.blocks, h);
        for number in 0..self.row_moves.len() {
            self.set_strips(ground.blocks, h, number);
            let mv = &self.row_moves[number];
            let is_solved = mv.to >= ground.blocks.unsolved();
            let (first, to_len) = (ground.blocks.first(mv.to) as usize, ground.blocks.strip_len(mv.to));
            for strips in &self.strips {
                let Some(leads) = mv.leads else {
                    let from = &mut self.least[strips.from * len..][..strips.count * len];
                    lower(from, &ground.distances[first + strips.to * len..]);
                    continue;
                };
                for number in 0..strips.count {
                    let (from, to) = ((strips.from + number) * len, first + (strips.to + number) * to_len);
                    for (pieces, at) in leads.pieces().zip((from..).step_by(SOME)) {
                        let least = &mut self.least[at..][..SOME];
                        match is_solved {
                            false => lower(least, &least_of(pieces, ground.distances, to)),
                            true => pieces.iter().for_each(|piece| lower(least, &piece.others)),
                        }
                    }
                }
            }
        }
    }

    /// Finds the strips of a block that a row's slide is possible for, and those that it
    /// leads to.
    fn set_strips(&mut self, blocks: &Blocks, h: usize, number: usize) {
        let RowMove { row, to, path, .. } = self.row_moves[number];
        let line = self.law.space.line();
        self.strips.clear();
        self.strips.push(Strips { from: 0, to: 0, count: 1 });
        let (mut strips, mut strips_there) = (1, 1);
        // No column so far has anything to do with the move.
        let mut are_all = true;
        for c in self.law.space.middle_columns().rev() {
            let [before, after] = [h, to].map(|block| blocks.mask(block, c));
            let fitting = line.fitting(before);
            are_all &= before == after && path >> c & 1 == 0;
            if are_all {
                self.strips[0].count *= fitting;
            } else {
                // Placements that fit both stay. Those that only pass must leave the cell free.
                let stay = |&(_, &p): &(usize, &PlacementId)| {
                    line.digit(after, p) != NO_DIGIT && line.placement(p).cells & (path >> c & 1) << row == 0
                };
                std::mem::swap(&mut self.strips, &mut self.of_fewer_columns);
                self.strips.clear();
                for (digit, &p) in line.fit(before).iter().enumerate().filter(stay) {
                    let there = line.digit(after, p) as usize;
                    for known in &self.of_fewer_columns {
                        let (from, to) = (known.from + digit * strips, known.to + there * strips_there);
                        match self.strips.last_mut() {
                            Some(last) if (last.from + last.count, last.to + last.count) == (from, to) => {
                                last.count += known.count;
                            }
                            _ => self.strips.push(Strips { from, to, count: known.count }),
                        }
                    }
                }
            }
            strips *= fitting;
            strips_there *= line.fitting(after);
        }
    }

    /// Finds the slides of the rows' vehicles out of a configuration.
    fn set_row_moves(&mut self, blocks: &Blocks, h: usize) {
        self.row_moves.clear();
        let edges = blocks.edge_masks(h);
        for row in 0..self.law.space.size() {
            let digit = blocks.row_digit(h, row);
            for slide in blocks.slides(row, digit) {
                let mut path = 0;
                for (to, entered) in slide.take(self.law.metric.reach()) {
                    path |= 1 << entered;
                    let to = h + to * blocks.stride(row) - digit * blocks.stride(row);
                    let after = blocks.edge_masks(to);
                    let stays = after == edges && to < blocks.unsolved();
                    let leads = (!stays).then(|| self.law.between(edges, after, row));
                    // There may be no board of this block that can make the move.
                    if leads.is_none_or(|leads| !leads.pieces.is_empty()) {
                        self.row_moves.push(RowMove { row, to, path, leads });
                    }
                }
            }
        }
    }
}

/// Bytewise minimum with the beginning of another list.
#[inline]
fn lower(least: &mut [u8], with: &[u8]) {
    let with = &with[..least.len()];
    match least.len() {
        0..4 => least.iter_mut().zip(with).for_each(|(a, &b)| *a = b.min(*a)),
        4..8 => lower_by::<4>(least, with),
        8..16 => lower_by::<8>(least, with),
        _ => lower_by::<16>(least, with),
    }
}

/// The same, some bytes at once. The last may be lowered twice: that changes nothing.
#[inline(always)]
fn lower_by<const BYTES: usize>(least: &mut [u8], with: &[u8]) {
    let lower = |(least, with): (&mut [u8; BYTES], &[u8; BYTES])| {
        *least = std::array::from_fn(|i| least[i].min(with[i]));
    };
    let (some, rest) = least.as_chunks_mut();
    some.iter_mut().zip(with.as_chunks().0).for_each(lower);
    if !rest.is_empty() {
        least.last_chunk_mut().into_iter().zip(with.last_chunk()).for_each(lower);
    }
}

/// The boards of a strip that exist under both masks, by their numbers.
fn common_pairs(line: &Line, before: EdgeMasks, after: EdgeMasks) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for &left in line.fit(before.left | after.left) {
        for &right in line.fit(before.right | after.right) {
            let pair = EdgePair { left, right };
            out.push((before.digit(line, pair), after.digit(line, pair)));
        }
    }
    out
}

/// The moves of the edge columns within a strip.
fn edge_moves(line: &Line, masks: EdgeMasks, metric: Metric) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for digit in 0..masks.pairs(line) {
        let pair = masks.pair(line, digit);
        let lefts = line.stops(masks.left, pair.left, metric).map(|left| EdgePair { left, ..pair });
        let rights = line.stops(masks.right, pair.right, metric).map(|right| EdgePair { right, ..pair });
        out.extend(lefts.chain(rights).map(|to| (digit, masks.digit(line, to))));
    }
    out
}
