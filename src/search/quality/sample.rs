//! Which boards are measured.

use std::ops::Range;

use crate::space::{Blocks, Position, Rank, SignatureId, Space};
use crate::table::verify::split_mix;

/// The boards to measure a heuristic on.
///
/// Board n of a sample depends on the seed and n alone, so a sample is the
/// same however many threads share the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// Every board of the space.
    All,
    /// So many boards, each drawn from all boards of the space.
    Random {
        /// How many.
        boards: u64,
        /// Which ones: the same seed draws the same ones.
        seed: u64,
    },
}

/// A board of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Draw {
    pub number: u64,
    pub rank: u64,
    /// Decides which of its moves is played.
    pub luck: u32,
}

impl Sample {
    /// How many boards.
    pub fn len(self, space: &Space) -> u64 {
        match self {
            Sample::All => space.boards(),
            Sample::Random { boards, .. } => boards,
        }
    }

    /// Some boards of the sample, by rank: neighbours are read faster.
    pub(super) fn draws(self, numbers: Range<u64>, space: &Space) -> Vec<Draw> {
        let boards = u128::from(space.boards());
        let mut draws: Vec<Draw> = numbers
            .map(|number| match self {
                Sample::All => Draw { number, rank: number, luck: split_mix(number) as u32 },
                Sample::Random { seed, .. } => {
                    let random = split_mix(split_mix(seed).wrapping_add(number));
                    // The high bits choose the board.
                    let rank = ((u128::from(random) * boards) >> 64) as u64;
                    Draw { number, rank, luck: split_mix(random) as u32 }
                }
            })
            .collect();
        draws.sort_unstable_by_key(|draw| (draw.rank, draw.number));
        draws
    }
}

/// Finds the positions of ranks that rise: a signature is laid out once.
pub(super) struct Positions {
    space: &'static Space,
    signature: Option<(Range<u64>, Blocks<'static>)>,
}

impl Positions {
    pub fn new(space: &'static Space) -> Positions {
        Positions { space, signature: None }
    }

    /// The position of a rank of the space.
    pub fn at(&mut self, rank: Rank) -> Position {
        let held = self.signature.take().filter(|(ranks, _)| ranks.contains(&rank.0));
        let (ranks, blocks) = held.unwrap_or_else(|| {
            let sizes = self.space.sizes();
            let id = sizes.partition_point(|size| size.first <= rank.0) - 1;
            let first = sizes[id].first;
            let ranks = first..first + u64::from(sizes[id].boards);
            (ranks, Blocks::new(self.space, SignatureId(id as u32)))
        });
        let position = blocks.position((rank.0 - ranks.start) as u32);
        self.signature = Some((ranks, blocks));
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_in_parts() {
        let space = Space::of_size(5).unwrap();
        let sample = Sample::Random { boards: 1000, seed: 7 };
        let mut whole = sample.draws(0..1000, space);
        let mut parts = [sample.draws(0..300, space), sample.draws(300..1000, space)].concat();
        whole.sort_by_key(|draw| draw.number);
        parts.sort_by_key(|draw| draw.number);
        assert_eq!(whole, parts);
        assert_ne!(whole, Sample::Random { boards: 1000, seed: 8 }.draws(0..1000, space));
    }

    #[test]
    fn every_part_of_the_space_is_drawn_equally_often() {
        let space = Space::of_size(5).unwrap();
        let mut tenths = [0; 10];
        for draw in (Sample::Random { boards: 100_000, seed: 1 }).draws(0..100_000, space) {
            tenths[(draw.rank * 10 / space.boards()) as usize] += 1;
        }
        // Five standard deviations.
        assert!(tenths.iter().all(|count| (9_500..10_500).contains(count)), "{tenths:?}");
    }

    #[test]
    fn positions_are_those_of_the_space() {
        let space = Space::of_size(5).unwrap();
        let mut positions = Positions::new(space);
        for draw in (Sample::Random { boards: 500, seed: 2 }).draws(0..500, space) {
            assert_eq!(Some(positions.at(Rank(draw.rank))), space.position(Rank(draw.rank)));
        }
    }
}
