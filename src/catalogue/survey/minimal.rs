//! Whether a board needs every one of its vehicles.

use super::hardest::Board;
use super::source::Source;
use super::spot::keep_nearer;
use crate::space::edges::EdgePair;
use crate::space::line::{Line, PlacementId};
use crate::space::{Blocks, MAX_TABULATED, Position, Space};
use crate::table::TableError;

/// For each placement of a line those with one vehicle less.
#[derive(Debug)]
pub struct Without(Vec<Vec<PlacementId>>);

impl Without {
    /// The table for a line.
    pub fn new(line: &Line) -> Without {
        let less = |vehicles: &[(u8, u8)], gone: usize| {
            let mut left = vehicles.to_vec();
            left.remove(gone);
            line.find(&left).expect("fewer vehicles fit, too")
        };
        let of = |vehicles: &[(u8, u8)]| (0..vehicles.len()).map(|gone| less(vehicles, gone)).collect();
        Without(line.placements().iter().map(|p| of(&p.vehicles)).collect())
    }

    /// The placements with one vehicle less: without its first, its second, …
    #[inline]
    fn of(&self, id: PlacementId) -> &[PlacementId] {
        &self.0[id as usize]
    }

    /// Whether a board is nearer to the exit without any one of its vertical
    /// vehicles. Without one a board stays in its block, and `block` holds the
    /// distances of that.
    pub fn needs_columns(&self, blocks: &Blocks, block: &[u8], board: &Board) -> bool {
        let (space, line) = (blocks.space(), blocks.space().line());
        let Board { h, strip, pair, .. } = *board;
        let len = blocks.strip_len(h);
        let distance = block[strip * len + pair];
        let mut stride = 1;
        let mut rest = strip;
        for c in space.middle_columns().rev() {
            let mask = blocks.mask(h, c);
            let digit = rest % line.fitting(mask);
            rest /= line.fitting(mask);
            for &less in self.of(line.fit(mask)[digit]) {
                // Placements with fewer vehicles come first.
                let other = strip - (digit - line.digit(mask, less) as usize) * stride;
                if block[other * len + pair] == distance {
                    return false;
                }
            }
            stride *= line.fitting(mask);
        }
        let masks = blocks.edge_masks(h);
        let pair = masks.pair(line, pair);
        let as_far = |pair| block[strip * len + masks.digit(line, pair)] == distance;
        !self.of(pair.left).iter().any(|&left| as_far(EdgePair { left, ..pair }))
            && !self.of(pair.right).iter().any(|&right| as_far(EdgePair { right, ..pair }))
    }
}

/// A board that may be minimal.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The board.
    pub position: Position,
    /// Its distance.
    pub distance: u8,
    /// The number of its cluster.
    pub cluster: u32,
}

/// Keeps the candidates of one signature that are nearer to the exit without
/// any one of their horizontal vehicles.
///
/// Without the same vehicle of the same row they all are boards of the same
/// other signature, so one after the other signature is opened. On 7×7 that is often
/// larger than the one at hand, and nobody has searched it before: there searches on
/// the spot answer.
pub fn keep_needing_rows(
    source: &mut Source,
    space: &Space,
    without: &Without,
    candidates: &mut Vec<Candidate>,
) -> Result<(), TableError> {
    for row in 0..space.size() {
        let Some(first) = candidates.first() else { return Ok(()) };
        let mut vehicles = without.of(first.position.rows[row]).len();
        if row == space.primary_row() {
            // The primary stays.
            vehicles -= 1;
        }
        for gone in 0..vehicles {
            let removed = |candidate: &Candidate| {
                let mut position = candidate.position;
                position.rows[row] = without.of(position.rows[row])[gone];
                position
            };
            let Some(first) = candidates.first() else { return Ok(()) };
            if space.size() > MAX_TABULATED {
                keep_nearer(space, space.id().walls, candidates, removed);
                continue;
            }
            let id = space.signature_of(&removed(first));
            let blocks = Blocks::new(space, id);
            let opened = source.open(space, id);
            let mut probe = opened.probe()?;
            let mut error = None;
            candidates.retain(|candidate| {
                let position = removed(candidate);
                let (strip, pair) = blocks.strip(blocks.configuration(&position), &position);
                match probe.distance(strip, pair) {
                    Ok(distance) => distance.byte() != candidate.distance,
                    Err(found) => {
                        error.get_or_insert(found);
                        false
                    }
                }
            });
            if let Some(error) = error {
                return Err(error);
            }
        }
    }
    Ok(())
}
