//! Which boards are measured.

use std::ops::Range;

use crate::random::{draw, scaled, split_mix};
use crate::space::Space;

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
    pub chance: u32,
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
        let boards = space.boards();
        let mut draws: Vec<Draw> = numbers
            .map(|number| match self {
                Sample::All => Draw { number, rank: number, chance: split_mix(number) as u32 },
                Sample::Random { seed, .. } => {
                    let random = draw(seed, number);
                    Draw { number, rank: scaled(random, boards), chance: split_mix(random) as u32 }
                }
            })
            .collect();
        draws.sort_unstable_by_key(|draw| (draw.rank, draw.number));
        draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_in_parts() {
        let space = Space::of_size(5).unwrap();
        let sample = Sample::Random { boards: 1000, seed: 7 };
        let mut whole = sample.draws(0..1000, &space);
        let mut parts = [sample.draws(0..300, &space), sample.draws(300..1000, &space)].concat();
        whole.sort_by_key(|draw| draw.number);
        parts.sort_by_key(|draw| draw.number);
        assert_eq!(whole, parts);
        assert_ne!(whole, Sample::Random { boards: 1000, seed: 8 }.draws(0..1000, &space));
    }

    #[test]
    fn every_part_of_the_space_is_drawn_equally_often() {
        let space = Space::of_size(5).unwrap();
        let mut tenths = [0; 10];
        for draw in (Sample::Random { boards: 100_000, seed: 1 }).draws(0..100_000, &space) {
            tenths[(draw.rank * 10 / space.boards()) as usize] += 1;
        }
        // Five standard deviations.
        assert!(tenths.iter().all(|count| (9_500..10_500).contains(count)), "{tenths:?}");
    }
}
