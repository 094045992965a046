//! What is left of a board without a vehicle.

use arrayvec::ArrayVec;

use crate::space::edges::{EdgeMasks, EdgePair};
use crate::space::line::{Line, PlacementId};
use crate::space::{Blocks, MAX_SIZE, Position};

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
    pub fn of(&self, id: PlacementId) -> &[PlacementId] {
        &self.0[id as usize]
    }

    /// For the boards of a strip of block `h` the strips that they are in without a vehicle
    /// of a middle column. Without one a board stays in its block.
    pub fn strips(&self, blocks: &Blocks, h: usize, strip: usize) -> ArrayVec<usize, MOST_IN_COLUMNS> {
        let line = blocks.space().line();
        let mut strips = ArrayVec::new();
        let mut stride = 1;
        let mut rest = strip;
        for c in blocks.space().middle_columns().rev() {
            let mask = blocks.mask(h, c);
            let digit = rest % line.fitting(mask);
            rest /= line.fitting(mask);
            let fewer = self.of(line.fit(mask)[digit]).iter();
            // Placements with fewer vehicles come first.
            strips.extend(fewer.map(|&less| strip - (digit - line.digit(mask, less) as usize) * stride));
            stride *= line.fitting(mask);
        }
        strips
    }

    /// The numbers of an edge pair in its strip without a vehicle.
    pub fn pairs(&self, line: &Line, masks: EdgeMasks, pair: usize) -> impl Iterator<Item = usize> {
        let pair = masks.pair(line, pair);
        let lefts = self.of(pair.left).iter().map(move |&left| EdgePair { left, ..pair });
        let rights = self.of(pair.right).iter().map(move |&right| EdgePair { right, ..pair });
        lefts.chain(rights).map(move |pair| masks.digit(line, pair))
    }
}

/// More than the vehicles of the middle columns.
const MOST_IN_COLUMNS: usize = MAX_SIZE * MAX_SIZE / 2;

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
