//! A random order of many numbers, without keeping any of them.
//!
//! To draw boards without drawing one twice, number them and take the first of
//! a shuffled order. The order is a Feistel network: the number is cut into two
//! halves, and in each round one half is mixed with a hash of the other, which
//! can always be undone, so no number comes twice. Where the network leads
//! outside the numbers, it is applied again (*cycle walking*, Black and
//! Rogaway 2002). Any place of the order is known at once and in no memory: row
//! n of a dataset does not depend on how many threads there are, nor on how
//! many rows are asked for.

use crate::random;

const ROUNDS: usize = 8;
/// Small halves mix badly. With this many bits the walks over a few numbers
/// are long, but there are only a few.
const LEAST_BITS: u32 = 6;

/// The numbers below some number, each once, in an order that a seed decides.
#[derive(Debug, Clone)]
pub struct Permutation {
    len: u64,
    bits: u32,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// An order of the numbers below `len`, which is at most 2⁶².
    pub fn new(len: u64, seed: u64) -> Permutation {
        debug_assert!(len <= 1 << 62);
        let bits = (u64::BITS - len.saturating_sub(1).leading_zeros()).div_ceil(2).max(LEAST_BITS);
        Permutation { len, bits, keys: std::array::from_fn(|round| random::draw(seed, round as u64)) }
    }

    /// The number at a place of the order, which must be below the length.
    #[inline]
    pub fn at(&self, place: u64) -> u64 {
        debug_assert!(place < self.len);
        let mut number = place;
        loop {
            number = self.mixed(number);
            if number < self.len {
                return number;
            }
        }
    }

    #[inline]
    fn mixed(&self, number: u64) -> u64 {
        let mask = (1 << self.bits) - 1;
        let (mut left, mut right) = (number >> self.bits, number & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (random::split_mix(key ^ right) & mask));
        }
        left << self.bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for len in [1, 2, 3, 255, 256, 257, 65_536, 65_537, 100_000] {
            let order = Permutation::new(len, 5);
            let mut all: Vec<u64> = (0..len).map(|place| order.at(place)).collect();
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..len), "{len}");
        }
    }

    #[test]
    fn large_numbers_fit() {
        for len in [40_148_868_698, 1 << 36, (1 << 36) + 1, 1 << 62] {
            let order = Permutation::new(len, 1);
            assert!((0..1000).all(|place| order.at(place) < len));
            assert!((len - 1000..len).all(|place| order.at(place) < len));
        }
    }

    /// All orders of four numbers are equally likely.
    #[test]
    fn orders_are_drawn_equally_often() {
        let mut counts = std::collections::BTreeMap::new();
        let seeds = 6_000;
        for seed in 0..seeds {
            let order = Permutation::new(4, seed);
            *counts.entry([0, 1, 2, 3].map(|place| order.at(place))).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let expected = seeds as f64 / 24.0;
        let chi_square: f64 = counts.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        // 23 degrees of freedom: one time in a thousand by chance.
        assert!(chi_square < 49.7, "{chi_square}");
    }
}
