//! Which puzzles are measured.

use std::ops::Range;

use crate::random::{draw, scaled, split_mix};

/// The puzzles to measure a heuristic on, by their numbers among all of them.
///
/// Puzzle n of a sample depends on the seed and n alone, so a sample is the
/// same however many threads share the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// Every one.
    All,
    /// So many, each drawn from all.
    Random {
        /// How many.
        boards: u64,
        /// Which ones: the same seed draws the same ones.
        seed: u64,
    },
}

/// A puzzle of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Draw {
    pub number: u64,
    /// Its number among all.
    pub rank: u64,
    /// Decides which of its actions is done.
    pub chance: u32,
}

impl Sample {
    /// How many puzzles, of so many.
    pub fn len(self, all: u64) -> u64 {
        match self {
            Sample::All => all,
            Sample::Random { boards, .. } => boards,
        }
    }

    /// Some of the sample, by rank: neighbours are read faster.
    pub(crate) fn draws(self, numbers: Range<u64>, all: u64) -> Vec<Draw> {
        let mut draws: Vec<Draw> = numbers
            .map(|number| match self {
                Sample::All => Draw { number, rank: number, chance: split_mix(number) as u32 },
                Sample::Random { seed, .. } => {
                    let random = draw(seed, number);
                    Draw { number, rank: scaled(random, all), chance: split_mix(random) as u32 }
                }
            })
            .collect();
        draws.sort_unstable_by_key(|draw| (draw.rank, draw.number));
        draws
    }
}

impl Draw {
    /// One of so many actions, by chance; `None` if there are none.
    pub fn choice(&self, actions: usize) -> Option<usize> {
        (actions > 0).then(|| ((u64::from(self.chance) * actions as u64) >> 32) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_in_parts() {
        let all = 44_000_000;
        let sample = Sample::Random { boards: 1000, seed: 7 };
        let mut whole = sample.draws(0..1000, all);
        let mut parts = [sample.draws(0..300, all), sample.draws(300..1000, all)].concat();
        whole.sort_by_key(|draw| draw.number);
        parts.sort_by_key(|draw| draw.number);
        assert_eq!(whole, parts);
        assert_ne!(whole, Sample::Random { boards: 1000, seed: 8 }.draws(0..1000, all));
    }

    #[test]
    fn every_part_is_drawn_equally_often() {
        let all = 44_000_000;
        let mut tenths = [0; 10];
        for draw in (Sample::Random { boards: 100_000, seed: 1 }).draws(0..100_000, all) {
            tenths[(draw.rank * 10 / all) as usize] += 1;
        }
        // Five standard deviations.
        assert!(tenths.iter().all(|count| (9_500..10_500).contains(count)), "{tenths:?}");
    }
}
