//! Random numbers that can be repeated: drawn from a seed.

/// Sebastiano Vigna's SplitMix64: a good enough shuffle of the numbers from
/// the seed on.
pub(crate) fn split_mix(n: u64) -> u64 {
    let mut x = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Draw number `n` of a seed.
#[inline]
pub(crate) fn draw(seed: u64, n: u64) -> u64 {
    split_mix(split_mix(seed).wrapping_add(n))
}

/// A number below `below`, from the high bits of a draw.
#[inline]
pub(crate) fn scaled(draw: u64, below: u64) -> u64 {
    ((u128::from(draw) * u128::from(below)) >> 64) as u64
}

/// A stream of random numbers for one place, such as a seed, a run, a
/// generation and a child. It is the same whoever asks when, so nothing depends
/// on the order in which threads work.
#[derive(Clone, Debug)]
pub(crate) struct Chance {
    seed: u64,
    drawn: u64,
}

impl Chance {
    /// The stream of a place.
    pub fn of(place: &[u64]) -> Chance {
        Chance { seed: place.iter().fold(place.len() as u64, |seed, &part| draw(seed, part)), drawn: 0 }
    }

    fn next(&mut self) -> u64 {
        self.drawn += 1;
        draw(self.seed, self.drawn)
    }

    /// A whole number below a bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        scaled(self.next(), bound as u64) as usize
    }

    /// One of several.
    pub fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }

    /// A number from 0 up to 1, not included.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Nearly normal, with mean 0 and deviation 1: twelve draws together. It
    /// takes sums only, so that it is the same on every machine.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}
