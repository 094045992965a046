//! The law on all boards of one signature.

use super::{VerifyError, law};
use crate::board::{Distance, Metric};
use crate::progress::Observer;
use crate::space::edges::{EdgeMasks, EdgePair};
use crate::space::line::{Line, PlacementId};
use crate::space::{Blocks, MAX_SIZE, Space, column_mask};
use crate::table::strips::MAX_STRIP;

/// The law on one signature.
pub struct SignatureLaw<'a> {
    space: &'a Space,
    metric: Metric,
    blocks: &'a Blocks<'a>,
    distances: &'a [u8],
}

/// A slide of a row's vehicle: where it leads and which cells it enters.
struct RowMove {
    row: usize,
    /// The configuration it leads to.
    to: usize,
    /// The columns whose cell in `row` must be free.
    path: u8,
    /// For every board of a strip the board it becomes, if the edge columns
    /// allow the move; empty if they do not matter.
    pairs: Vec<(u16, u16)>,
}

impl<'a> SignatureLaw<'a> {
    /// The law on these distances of the signature's unsolved boards.
    pub fn new(
        space: &'a Space,
        metric: Metric,
        blocks: &'a Blocks<'a>,
        distances: &'a [u8],
    ) -> SignatureLaw<'a> {
        SignatureLaw { space, metric, blocks, distances }
    }

    /// Checks every board.
    pub fn check(&self, observer: &dyn Observer) -> Result<(), VerifyError> {
        let line = self.space.line();
        let mut least = vec![0u8; MAX_STRIP];
        for h in 0..self.blocks.unsolved() {
            if observer.wants_stop() {
                return Err(VerifyError::Stopped);
            }
            let taken = self.blocks.taken(h);
            let len = self.blocks.strip_len(h);
            let edges = self.blocks.edge_masks(h);
            let row_moves = self.row_moves(h, edges);
            let edge_moves = edge_moves(line, edges, len, self.metric);
            let mut columns = [0; MAX_SIZE];
            let block = &self.distances[self.blocks.first(h) as usize..self.blocks.first(h + 1) as usize];
            for (number, strip) in block.chunks_exact(len).enumerate() {
                self.space.set_strip_columns(taken, number, &mut columns);
                let least = &mut least[..len];
                least.fill(Distance::UNSOLVABLE.byte());
                for &(a, b) in &edge_moves {
                    least[a as usize] = least[a as usize].min(strip[b as usize]);
                }
                self.middle_moves(taken, number, &columns, block, len, least);
                for mv in &row_moves {
                    self.row_move(mv, &columns, least);
                }
                for (pair, (&found, &around)) in strip.iter().zip(least.iter()).enumerate() {
                    let expected = around.saturating_add(1);
                    if found != expected || found == 0 {
                        let number = self.blocks.first(h) + (number * len + pair) as u64;
                        let (found, expected) = (Distance::from_byte(found), Distance::from_byte(expected));
                        return Err(law(self.space, &self.blocks.position(number), found, expected));
                    }
                }
            }
        }
        Ok(())
    }

    /// Moves of the middle columns: another strip of the same block.
    fn middle_moves(
        &self,
        taken: u64,
        number: usize,
        columns: &[PlacementId; MAX_SIZE],
        block: &[u8],
        len: usize,
        least: &mut [u8],
    ) {
        let line = self.space.line();
        let mut weight = 1;
        for c in self.space.middle_columns().rev() {
            let mask = column_mask(taken, c);
            let digit = line.digit(mask, columns[c]) as usize;
            for to in line.stops(mask, columns[c], self.metric) {
                let other = number + line.digit(mask, to) as usize * weight - digit * weight;
                lower(least, &block[other * len..][..len]);
            }
            weight *= line.fitting(mask);
        }
    }

    fn row_move(&self, mv: &RowMove, columns: &[PlacementId; MAX_SIZE], least: &mut [u8]) {
        let line = self.space.line();
        let blocked = self
            .space
            .middle_columns()
            .any(|c| mv.path >> c & 1 == 1 && line.placement(columns[c]).cells >> mv.row & 1 == 1);
        if blocked {
            return;
        }
        if mv.to >= self.blocks.unsolved() {
            // The move solves the board.
            for &(a, _) in &mv.pairs {
                least[a as usize] = 0;
            }
            return;
        }
        let len = self.blocks.strip_len(mv.to);
        let number = self.space.strip_number(self.blocks.taken(mv.to), columns);
        let strip = &self.distances[self.blocks.first(mv.to) as usize + number * len..][..len];
        if mv.pairs.is_empty() {
            lower(least, strip);
        } else {
            for &(a, b) in &mv.pairs {
                least[a as usize] = least[a as usize].min(strip[b as usize]);
            }
        }
    }

    /// The slides of the rows' vehicles out of a configuration.
    fn row_moves(&self, h: usize, edges: EdgeMasks) -> Vec<RowMove> {
        let line = self.space.line();
        let size = self.space.size();
        let mut out = Vec::new();
        for row in 0..size {
            let digit = self.blocks.row_digit(h, row);
            for slide in self.blocks.slides(row, digit) {
                let mut path = 0;
                for (to, entered) in slide.take(self.metric.reach()) {
                    path |= 1 << entered;
                    let to = h + to * self.blocks.stride(row) - digit * self.blocks.stride(row);
                    let after = self.blocks.edge_masks(to);
                    let solves = to >= self.blocks.unsolved();
                    let pairs =
                        if after == edges && !solves { Vec::new() } else { common_pairs(line, edges, after) };
                    // No board of this block can make the move.
                    if pairs.is_empty() && after != edges {
                        continue;
                    }
                    out.push(RowMove { row, to, path, pairs });
                }
            }
        }
        out
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
fn edge_moves(line: &Line, masks: EdgeMasks, len: usize, metric: Metric) -> Vec<(u16, u16)> {
    let mut out = Vec::new();
    for digit in 0..len {
        let pair = masks.pair(line, digit);
        let lefts = line.stops(masks.left, pair.left, metric).map(|left| EdgePair { left, ..pair });
        let rights = line.stops(masks.right, pair.right, metric).map(|right| EdgePair { right, ..pair });
        out.extend(lefts.chain(rights).map(|to| (digit as u16, masks.digit(line, to) as u16)));
    }
    out
}
