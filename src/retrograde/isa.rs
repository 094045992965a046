//! The few operations that CPUs have instructions for, and their portable
//! twins.
//!
//! The search is generic over [`Isa`]; the solver asks at run time what the
//! machine has ([`Avx512::detect`], [`Bmi2::detect`]), and the tests run all
//! that it has and compare. `cargo bench --bench retrograde` shows the gain.

use crate::space::line::NO_DIGIT;

/// How many numbers are added and compared at once.
pub const LANES: usize = 16;

/// So many numbers, in a place where machines read them fastest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [u32; LANES]);

/// Room for all that a move may do to a digit of a column.
pub const EFFECTS: usize = 32;

/// What each effect makes of a digit; [`NO_DIGIT`] where it is impossible.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub struct Outcomes(pub [u8; EFFECTS]);

/// A row of moves as one column sees them: which effect each has on its digits, and how
/// much a digit counts where the move leads to.
#[derive(Debug, Clone, Copy)]
pub struct MovesOfColumn {
    /// The numbers of the effects.
    pub effects: [u8; LANES],
    /// What a digit counts.
    pub strides: Lanes,
}

impl MovesOfColumn {
    /// Moves that make nothing of any digit.
    pub const NOTHING: MovesOfColumn = MovesOfColumn { effects: [0; LANES], strides: Lanes([0; LANES]) };
}

/// How many words are rotated or swept at once.
pub const EIGHT: usize = 8;

/// Bits of a word that move together, around the word to the left: which, and by how
/// many places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(align(64))]
pub struct Rotations {
    /// The bits.
    pub masks: [u64; EIGHT],
    /// The places.
    pub by: [u64; EIGHT],
}

/// The operations: all but gather and scatter in a way that every machine has.
pub trait Isa: Copy + Send + Sync {
    /// The bits of `x` under `mask`, moved together at the low end.
    fn gather(self, x: u64, mask: u64) -> u64;
    /// The low bits of `x`, moved to the places of `mask`.
    fn scatter(self, x: u64, mask: u64) -> u64;
    /// Writes `level` to `out[i]` for every bit i of `bits`.
    #[inline(always)]
    fn write(self, out: &mut [u8], mut bits: u64, level: u8) {
        while bits != 0 {
            out[bits.trailing_zeros() as usize] = level;
            bits &= bits - 1;
        }
    }

    /// Where all bits come to.
    #[inline(always)]
    fn rotate(self, word: u64, rotations: &Rotations) -> u64 {
        let all = rotations.masks.iter().zip(&rotations.by);
        all.fold(0, |out, (mask, &by)| out | (word & mask).rotate_left(by as u32))
    }

    /// Adds what was found to what is reached. Writes what is new to a list, and to
    /// another the numbers of these words, from `first` on. Tells how many there are;
    /// what comes after them is lost. Nothing is found any more.
    #[inline(always)]
    fn sweep(
        self,
        found: &mut [u64; EIGHT],
        reached: &mut [u64; EIGHT],
        first: u32,
        boards: &mut [u64; EIGHT],
        words: &mut [u32; EIGHT],
    ) -> usize {
        let mut count = 0;
        for (i, (found, reached)) in (0..).zip(found.iter_mut().zip(reached)) {
            let new = std::mem::take(found) & !*reached;
            *reached |= new;
            (boards[count], words[count]) = (new, first + i);
            count += usize::from(new != 0);
        }
        count
    }

    /// Adds rows of numbers, and writes the sums below a bound to a list, one after the
    /// other; if there are others, the numbers of the same lanes to another list. Tells
    /// how many there are; what comes after them is lost.
    #[inline(always)]
    fn sum<const ROWS: usize>(
        self,
        first: &Lanes,
        rows: [&Lanes; ROWS],
        bound: u32,
        sums: &mut [u32; LANES],
        others: Option<(&Lanes, &mut [u32; LANES])>,
    ) -> usize {
        let mut all = first.0;
        for row in rows {
            for (sum, number) in all.iter_mut().zip(&row.0) {
                *sum = sum.wrapping_add(*number);
            }
        }
        let mut below = 0;
        for sum in all {
            sums[below] = sum;
            below += usize::from(sum < bound);
        }
        if let Some((others, list)) = others {
            let mut below = 0;
            for (sum, other) in all.into_iter().zip(others.0) {
                list[below] = other;
                below += usize::from(sum < bound);
            }
        }
        below
    }

    /// What every digit adds to every move: for each digit as many rows as there are
    /// moves. It is `blocked` where the move is impossible.
    #[inline(always)]
    fn add_up(self, digits: &[Outcomes], moves: &[MovesOfColumn], blocked: u32, out: &mut [Lanes]) {
        for (outcomes, out) in digits.iter().zip(out.chunks_exact_mut(moves.len())) {
            for (seen, out) in moves.iter().zip(out) {
                for (lane, sum) in out.0.iter_mut().enumerate() {
                    *sum = match outcomes.0[seen.effects[lane] as usize % EFFECTS] {
                        NO_DIGIT => blocked,
                        digit => digit as u32 * seen.strides.0[lane],
                    };
                }
            }
        }
    }
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

    /// [`Isa::add_up`].
    ///
    /// # Safety
    /// The machine has the features named here.
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn add_up(digits: &[Outcomes], moves: &[MovesOfColumn], blocked: u32, out: &mut [Lanes]) {
        use std::arch::x86_64::*;
        const { assert!(EFFECTS == 32 && LANES == 16, "two shuffles see all effects") };
        let [to_high, half] = [0x70, 0x10].map(|by| _mm_set1_epi8(by));
        let [none, blocked] = [NO_DIGIT.into(), blocked as i32].map(|number| _mm512_set1_epi32(number));
        for (outcomes, out) in digits.iter().zip(out.chunks_exact_mut(moves.len())) {
            // SAFETY: all lists have the size and alignment of what is read and written.
            let [low, high] = unsafe {
                let start = outcomes.0.as_ptr().cast::<__m128i>();
                [_mm_load_si128(start), _mm_load_si128(start.add(1))]
            };
            for (seen, out) in moves.iter().zip(out) {
                // SAFETY: as above.
                let (effects, strides) = unsafe {
                    (
                        _mm_loadu_si128(seen.effects.as_ptr().cast()),
                        _mm512_load_si512(seen.strides.0.as_ptr().cast()),
                    )
                };
                // A shuffle gives 0 where the highest bit is set: here for effects from 16
                // on, there for those below.
                let low = _mm_shuffle_epi8(low, _mm_add_epi8(effects, to_high));
                let high = _mm_shuffle_epi8(high, _mm_sub_epi8(effects, half));
                let digits = _mm512_cvtepu8_epi32(_mm_or_si128(low, high));
                let possible = _mm512_cmpneq_epi32_mask(digits, none);
                let sums = _mm512_mask_mullo_epi32(blocked, possible, digits, strides);
                // SAFETY: as above.
                unsafe { _mm512_store_si512(out.0.as_mut_ptr().cast(), sums) };
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    #[inline(always)]
    fn rotate(self, word: u64, rotations: &Rotations) -> u64 {
        // SAFETY: an `Avx512` exists only where `detect` found the instructions;
        // `Rotations` have the size and alignment of what is read.
        unsafe {
            use std::arch::x86_64::*;
            let masks = _mm512_load_si512(rotations.masks.as_ptr().cast());
            let by = _mm512_load_si512(rotations.by.as_ptr().cast());
            let bits = _mm512_and_si512(_mm512_set1_epi64(word as i64), masks);
            _mm512_reduce_or_epi64(_mm512_rolv_epi64(bits, by)) as u64
        }
    }

    #[inline(always)]
    fn sweep(
        self,
        found: &mut [u64; EIGHT],
        reached: &mut [u64; EIGHT],
        first: u32,
        boards: &mut [u64; EIGHT],
        words: &mut [u32; EIGHT],
    ) -> usize {
        // SAFETY: an `Avx512` exists only where `detect` found the instructions; all
        // lists have the size of what is read and written.
        unsafe {
            use std::arch::x86_64::*;
            let (now, before) =
                (_mm512_loadu_si512(found.as_ptr().cast()), _mm512_loadu_si512(reached.as_ptr().cast()));
            let new = _mm512_andnot_si512(before, now);
            _mm512_storeu_si512(found.as_mut_ptr().cast(), _mm512_setzero_si512());
            _mm512_storeu_si512(reached.as_mut_ptr().cast(), _mm512_or_si512(before, now));
            let is_new = _mm512_test_epi64_mask(new, new);
            _mm512_storeu_si512(boards.as_mut_ptr().cast(), _mm512_maskz_compress_epi64(is_new, new));
            let numbers =
                _mm512_add_epi64(_mm512_set1_epi64(first.into()), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
            let numbers = _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(is_new, numbers));
            _mm256_storeu_si256(words.as_mut_ptr().cast(), numbers);
            is_new.count_ones() as usize
        }
    }

    #[inline(always)]
    fn gather(self, x: u64, mask: u64) -> u64 {
        self.0.gather(x, mask)
    }

    #[inline(always)]
    fn scatter(self, x: u64, mask: u64) -> u64 {
        self.0.scatter(x, mask)
    }

    #[inline(always)]
    fn sum<const ROWS: usize>(
        self,
        first: &Lanes,
        rows: [&Lanes; ROWS],
        bound: u32,
        sums: &mut [u32; LANES],
        others: Option<(&Lanes, &mut [u32; LANES])>,
    ) -> usize {
        // SAFETY: an `Avx512` exists only where `detect` found the instructions; `Lanes`
        // have the size and alignment of what is read, the lists the size of what is written.
        unsafe {
            use std::arch::x86_64::*;
            let mut sum = _mm512_load_si512(first.0.as_ptr().cast());
            for row in rows {
                sum = _mm512_add_epi32(sum, _mm512_load_si512(row.0.as_ptr().cast()));
            }
            let below = _mm512_cmplt_epu32_mask(sum, _mm512_set1_epi32(bound as i32));
            _mm512_storeu_si512(sums.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(below, sum));
            if let Some((others, list)) = others {
                let others = _mm512_load_si512(others.0.as_ptr().cast());
                _mm512_storeu_si512(list.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(below, others));
            }
            below.count_ones() as usize
        }
    }

    #[inline]
    fn add_up(self, digits: &[Outcomes], moves: &[MovesOfColumn], blocked: u32, out: &mut [Lanes]) {
        // SAFETY: an `Avx512` exists only where `detect` found the features that the
        // function enables.
        unsafe { Avx512::add_up(digits, moves, blocked, out) }
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
            let [a, b] = [Lanes(std::array::from_fn(|lane| (x >> lane) as u32)), Lanes([mask as u32; LANES])];
            let (mut sums, mut others) = ([0; LANES], [0; LANES]);
            let below = isa.sum(&a, [&b], x as u32, &mut sums, Some((&a, &mut others)));
            out.extend(sums[..below].iter().chain(&others[..below]).map(|&number| u64::from(number)));
            let digits =
                [x, mask].map(|x| Outcomes(std::array::from_fn(|effect| (x >> effect) as u8 | 0xc1)));
            let effects = std::array::from_fn(|lane| (mask >> lane) as u8 % EFFECTS as u8);
            let mut weighed = [b; 4];
            let strides = Lanes(a.0.map(|number| number >> 8));
            isa.add_up(
                &digits,
                &[MovesOfColumn { effects, strides }, MovesOfColumn::NOTHING],
                7,
                &mut weighed,
            );
            out.extend(weighed.iter().flat_map(|row| row.0).map(u64::from));
            out.extend(bytes.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b)));
            let turned: [u64; EIGHT] = std::array::from_fn(|word| x.rotate_left(7 * word as u32));
            let rotations = Rotations { masks: turned.map(|x| x & mask), by: turned.map(|x| x % 64) };
            out.push(isa.rotate(x, &rotations));
            let (mut found, mut reached) = (turned.map(|x| x & mask), turned.map(|x| x >> (i % 64)));
            let (mut boards, mut words) = ([0; EIGHT], [0; EIGHT]);
            let new = isa.sweep(&mut found, &mut reached, i as u32, &mut boards, &mut words);
            out.extend(found.iter().chain(&reached).chain(&boards[..new]));
            out.extend(words[..new].iter().map(|&word| u64::from(word)));
        }
        out
    }

    /// Tells it although the test passes: what tests print is kept from the terminal
    /// then, what is written to the stream is not.
    #[cfg(target_arch = "x86_64")]
    fn not_checked(instructions: &str) {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "NOT CHECKED: this machine has no {instructions}");
    }

    #[test]
    fn all_ways_agree() {
        let portable = results(Portable);
        assert_eq!(Portable.gather(0b1011_0110, 0b1111_0000), 0b1011);
        assert_eq!(Portable.scatter(0b1011, 0b0101_0101), 0b0100_0101);
        #[cfg(target_arch = "x86_64")]
        {
            match Bmi2::detect() {
                Some(isa) => assert_eq!(results(isa), portable),
                None => not_checked("BMI2"),
            }
            match Avx512::detect() {
                Some(isa) => assert_eq!(results(isa), portable),
                None => not_checked("AVX-512"),
            }
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn writing_past_the_end_is_refused() {
        Portable.write(&mut [0; 3], 1 << 3, 1);
    }
}
