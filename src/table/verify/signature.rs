//! The law on all boards of one signature.

use super::{VerifyError, law};
use crate::board::{Distance, Metric};
use crate::progress::Observer;
use crate::space::edges::{EdgeMasks, EdgePair};
use crate::space::line::{Line, PlacementId};
use crate::space::{Blocks, MAX_SIZE, Space};
use crate::table::strips::{MAX_STRIP, UNSOLVABLE};

/// What the law needs to know of moves before it sees a signature.
pub struct Law<'s> {
    space: &'s Space,
    metric: Metric,
    /// For every mask and digit of a column the digits that moves lead to.
    stops: Vec<Vec<Vec<u8>>>,
    /// For every pair of masks of the edge columns the moves within a strip.
    within: Vec<Vec<Run>>,
    /// For every pair of masks, row and change of the edge columns the boards of a strip
    /// that stay possible, and what they become.
    between: Vec<Vec<Run>>,
}

/// Neighbouring boards of a strip that become neighbouring boards, in order.
struct Run {
    from: u16,
    to: u16,
    len: u16,
}

impl Run {
    /// Sorts boards and what they become into runs.
    fn all(mut pairs: Vec<(u16, u16)>) -> Vec<Run> {
        pairs.sort_by_key(|&(from, to)| (to.wrapping_sub(from), from));
        let follows = |a: &(u16, u16), b: &(u16, u16)| *b == (a.0 + 1, a.1 + 1);
        let runs = pairs.chunk_by(follows);
        runs.map(|run| Run { from: run[0].0, to: run[0].1, len: run.len() as u16 }).collect()
    }

    /// What becomes of the boards brings them nearer.
    #[inline]
    fn lower(&self, least: &mut [u8], with: &[u8]) {
        let len = self.len as usize;
        lower(&mut least[self.from as usize..][..len], &with[self.to as usize..][..len]);
    }
}

/// The law on one signature.
pub struct SignatureLaw<'a> {
    law: &'a Law<'a>,
    blocks: &'a Blocks<'a>,
    distances: &'a [u8],
}

/// A slide of a row's vehicle: where it leads and which cells it enters.
struct RowMove<'l> {
    row: usize,
    /// The configuration it leads to.
    to: usize,
    /// The columns whose cell in `row` must be free.
    path: u8,
    /// What becomes of boards if the edge columns matter.
    runs: Option<&'l [Run]>,
}

/// Which edge columns a slide of a row changes: left, right, both.
const CHANGES: usize = 4;

impl<'s> Law<'s> {
    /// Fills the tables.
    pub fn new(space: &'s Space, metric: Metric) -> Law<'s> {
        let (size, line) = (space.size(), space.line());
        let masks = 0..1u8 << size;
        let of_mask = |mask| {
            let stops =
                |&p: &PlacementId| line.stops(mask, p, metric).map(|to| line.digit(mask, to)).collect();
            line.fit(mask).iter().map(stops).collect()
        };
        let stops = masks.clone().map(of_mask).collect();
        let mut law = Law { space, metric, stops, within: Vec::new(), between: Vec::new() };
        for before in masks.clone().flat_map(|left| masks.clone().map(move |right| EdgeMasks { left, right }))
        {
            law.within.push(Run::all(edge_moves(line, before, metric)));
            for (row, change) in (0..size).flat_map(|row| (0..CHANGES as u8).map(move |change| (row, change)))
            {
                let (left, right) = (before.left ^ (change & 1) << row, before.right ^ (change >> 1) << row);
                law.between.push(Run::all(common_pairs(line, before, EdgeMasks { left, right })));
            }
        }
        law
    }

    fn place(&self, masks: EdgeMasks) -> usize {
        (masks.left as usize) << self.space.size() | masks.right as usize
    }

    /// What becomes of the boards of a strip by a slide in a row.
    fn between(&self, before: EdgeMasks, after: EdgeMasks, row: usize) -> &[Run] {
        let changed = |before: u8, after: u8| usize::from((before ^ after) >> row & 1);
        let change = changed(before.left, after.left) | changed(before.right, after.right) << 1;
        &self.between[(self.place(before) * self.space.size() + row) * CHANGES + change]
    }
}

impl<'a> SignatureLaw<'a> {
    /// The law on these distances of the signature's unsolved boards.
    pub fn new(law: &'a Law<'a>, blocks: &'a Blocks<'a>, distances: &'a [u8]) -> SignatureLaw<'a> {
        SignatureLaw { law, blocks, distances }
    }

    /// Checks every board.
    pub fn check(&self, observer: &dyn Observer) -> Result<(), VerifyError> {
        let space = self.law.space;
        let mut least = vec![0u8; MAX_STRIP];
        let mut row_moves = Vec::new();
        for h in 0..self.blocks.unsolved() {
            if observer.wants_stop() {
                return Err(VerifyError::Stopped);
            }
            let taken = self.blocks.taken(h);
            let len = self.blocks.strip_len(h);
            let edges = self.blocks.edge_masks(h);
            self.set_row_moves(h, edges, &mut row_moves);
            let edge_moves = &self.law.within[self.law.place(edges)];
            let mut columns = [0; MAX_SIZE];
            let block = &self.distances[self.blocks.first(h) as usize..self.blocks.first(h + 1) as usize];
            for (number, strip) in block.chunks_exact(len).enumerate() {
                space.set_strip_columns(taken, number, &mut columns);
                let least = &mut least[..len];
                least.fill(UNSOLVABLE);
                for run in edge_moves {
                    run.lower(least, strip);
                }
                self.middle_moves(h, number, &columns, least);
                for mv in &row_moves {
                    self.row_move(mv, &columns, least);
                }
                for (pair, (&found, &around)) in strip.iter().zip(least.iter()).enumerate() {
                    let expected = around.saturating_add(1);
                    if found != expected || found == 0 {
                        let number = self.blocks.first(h) + (number * len + pair) as u64;
                        let (found, expected) = (Distance::from_byte(found), Distance::from_byte(expected));
                        return Err(law(space, &self.blocks.position(number), found, expected));
                    }
                }
            }
        }
        Ok(())
    }

    /// The distances of a strip of a block.
    fn strip(&self, h: usize, number: usize) -> &[u8] {
        let len = self.blocks.strip_len(h);
        &self.distances[self.blocks.first(h) as usize + number * len..][..len]
    }

    /// Moves of the middle columns: another strip of the same block.
    fn middle_moves(&self, h: usize, number: usize, columns: &[PlacementId; MAX_SIZE], least: &mut [u8]) {
        let line = self.law.space.line();
        let mut weight = 1;
        for c in self.law.space.middle_columns().rev() {
            let mask = self.blocks.mask(h, c);
            let digit = line.digit(mask, columns[c]) as usize;
            for &to in &self.law.stops[mask as usize][digit] {
                let other = number + to as usize * weight - digit * weight;
                lower(least, self.strip(h, other));
            }
            weight *= line.fitting(mask);
        }
    }

    fn row_move(&self, mv: &RowMove, columns: &[PlacementId; MAX_SIZE], least: &mut [u8]) {
        let space = self.law.space;
        let line = space.line();
        let blocked = space
            .middle_columns()
            .any(|c| mv.path >> c & 1 == 1 && line.placement(columns[c]).cells >> mv.row & 1 == 1);
        if blocked {
            return;
        }
        if mv.to >= self.blocks.unsolved() {
            // The move solves the board.
            for run in mv.runs.into_iter().flatten() {
                least[run.from as usize..][..run.len as usize].fill(0);
            }
            return;
        }
        let number = space.strip_number(self.blocks.taken(mv.to), columns);
        let strip = self.strip(mv.to, number);
        match mv.runs {
            None => lower(least, strip),
            Some(runs) => runs.iter().for_each(|run| run.lower(least, strip)),
        }
    }

    /// Finds the slides of the rows' vehicles out of a configuration.
    fn set_row_moves(&self, h: usize, edges: EdgeMasks, out: &mut Vec<RowMove<'a>>) {
        out.clear();
        for row in 0..self.law.space.size() {
            let digit = self.blocks.row_digit(h, row);
            for slide in self.blocks.slides(row, digit) {
                let mut path = 0;
                for (to, entered) in slide.take(self.law.metric.reach()) {
                    path |= 1 << entered;
                    let to = h + to * self.blocks.stride(row) - digit * self.blocks.stride(row);
                    let after = self.blocks.edge_masks(to);
                    let stays = after == edges && to < self.blocks.unsolved();
                    let runs = (!stays).then(|| self.law.between(edges, after, row));
                    // There may be no board of this block that can make the move.
                    if runs.is_none_or(|runs| !runs.is_empty()) {
                        out.push(RowMove { row, to, path, runs });
                    }
                }
            }
        }
    }
}

/// Bytewise minimum.
fn lower(least: &mut [u8], with: &[u8]) {
    for (a, &b) in least.iter_mut().zip(with) {
        *a = (*a).min(b);
    }
}

/// The boards of a strip that exist under both masks, by their numbers.
fn common_pairs(line: &Line, before: EdgeMasks, after: EdgeMasks) -> Vec<(u16, u16)> {
    let mut out = Vec::new();
    for &left in line.fit(before.left | after.left) {
        for &right in line.fit(before.right | after.right) {
            let pair = EdgePair { left, right };
            out.push((before.digit(line, pair) as u16, after.digit(line, pair) as u16));
        }
    }
    out
}

/// The moves of the edge columns within a strip.
fn edge_moves(line: &Line, masks: EdgeMasks, metric: Metric) -> Vec<(u16, u16)> {
    let mut out = Vec::new();
    for digit in 0..masks.pairs(line) {
        let pair = masks.pair(line, digit);
        let lefts = line.stops(masks.left, pair.left, metric).map(|left| EdgePair { left, ..pair });
        let rights = line.stops(masks.right, pair.right, metric).map(|right| EdgePair { right, ..pair });
        out.extend(lefts.chain(rights).map(|to| (digit as u16, masks.digit(line, to) as u16)));
    }
    out
}
