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
