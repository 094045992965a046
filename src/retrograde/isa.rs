//! The three operations that CPUs have instructions for, and their portable
//! twins.
//!
//! The search is generic over [`Isa`]; the solver asks at run time what the
//! machine has ([`Avx512::detect`], [`Bmi2::detect`]), and the tests run all
//! that it has and compare. `cargo bench --bench retrograde` shows the gain: the
//! whole search is two to three times faster than with [`Portable`].

/// Bit gather, bit scatter and the write of one level.
pub trait Isa: Copy + Send + Sync {
    /// The bits of `x` under `mask`, moved together at the low end.
    fn gather(self, x: u64, mask: u64) -> u64;
    /// The low bits of `x`, moved to the places of `mask`.
    fn scatter(self, x: u64, mask: u64) -> u64;
    /// Writes `level` to `out[i]` for every bit i of `bits`.
    fn write(self, out: &mut [u8], bits: u64, level: u8);
}

/// What every machine can do.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn gather(self, x: u64, mut mask: u64) -> u64 {
        let mut out = 0;
        let mut to = 0;
        while mask != 0 {
            out |= (x >> mask.trailing_zeros() & 1) << to;
            mask &= mask - 1;
            to += 1;
        }
        out
    }

    #[inline(always)]
    fn scatter(self, mut x: u64, mut mask: u64) -> u64 {
        let mut out = 0;
        while mask != 0 && x != 0 {
            out |= (x & 1) << mask.trailing_zeros();
            mask &= mask - 1;
            x >>= 1;
        }
        out
    }

    #[inline(always)]
    fn write(self, out: &mut [u8], mut bits: u64, level: u8) {
        while bits != 0 {
            out[bits.trailing_zeros() as usize] = level;
            bits &= bits - 1;
        }
    }
}

/// Machines with BMI2 (`pext`, `pdep`).
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// The token that this machine has BMI2, if it has.
    pub fn detect() -> Option<Bmi2> {
        let all = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Bmi2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Isa for Bmi2 {
    #[inline(always)]
    fn gather(self, x: u64, mask: u64) -> u64 {
        // SAFETY: a `Bmi2` exists only where `detect` found the instruction.
        unsafe { std::arch::x86_64::_pext_u64(x, mask) }
    }

    #[inline(always)]
    fn scatter(self, x: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(x, mask) }
    }

    #[inline(always)]
    fn write(self, out: &mut [u8], bits: u64, level: u8) {
        Portable.write(out, bits, level);
    }
}

/// Machines with BMI2 and AVX-512 (byte masks): a level is written to up to
/// 64 boards by one masked store instead of bit by bit.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx512(Bmi2);

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The token that this machine has both, if it has.
    pub fn detect() -> Option<Avx512> {
        let bmi2 = Bmi2::detect()?;
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("lzcnt");
        all.then_some(Avx512(bmi2))
    }
}

#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    #[inline(always)]
    fn gather(self, x: u64, mask: u64) -> u64 {
        self.0.gather(x, mask)
    }

    #[inline(always)]
    fn scatter(self, x: u64, mask: u64) -> u64 {
        self.0.scatter(x, mask)
    }

    #[inline(always)]
    fn write(self, out: &mut [u8], bits: u64, level: u8) {
        let used = 64 - bits.leading_zeros() as usize;
        assert!(used <= out.len(), "every bit is a board");
        // SAFETY: an `Avx512` exists only where `detect` found the
        // instructions; bytes without a bit are not touched, and all bytes
        // with one lie inside the slice.
        unsafe {
            use std::arch::x86_64::{_mm512_mask_storeu_epi8, _mm512_set1_epi8};
            _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), bits, _mm512_set1_epi8(level as i8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations on some words, as one list.
    fn results(isa: impl Isa) -> Vec<u64> {
        let mut out = Vec::new();
        let mut x = 0x9e37_79b9_7f4a_7c15u64;
        for i in 0..500u64 {
            x = x.wrapping_mul(0xd129_42bd_0e5e_3a35).rotate_left(23) ^ i;
            let mask = x.rotate_left(17) & x.rotate_right(i as u32 % 64);
            out.push(isa.gather(x, mask));
            out.push(isa.scatter(x, mask));
            let mut bytes = [0u8; 64];
            isa.write(&mut bytes, mask | 1, 7);
            out.extend(bytes.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b)));
        }
        out
    }

    #[test]
    fn all_ways_agree() {
        let portable = results(Portable);
        assert_eq!(Portable.gather(0b1011_0110, 0b1111_0000), 0b1011);
        assert_eq!(Portable.scatter(0b1011, 0b0101_0101), 0b0100_0101);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(isa) = Bmi2::detect() {
                assert_eq!(results(isa), portable);
            }
            if let Some(isa) = Avx512::detect() {
                assert_eq!(results(isa), portable);
            }
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn writing_past_the_end_is_refused() {
        Portable.write(&mut [0; 3], 1 << 3, 1);
    }
}
