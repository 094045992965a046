//! Fixed-point numbers: whole thousandths, of either sign.
//!
//! Sums, differences and comparisons are exact, products and quotients are cut
//! off after the third decimal; nothing is larger than a million. So a formula
//! has the same value on every machine, in whatever way it is computed.

use crate::search::Value;

/// Thousandths.
pub(crate) type Number = i32;

pub(crate) const ONE: Number = 1000;
/// A million: the sum of two such numbers still fits.
pub(crate) const MOST: Number = 1_000_000 * ONE;

#[inline(always)]
fn bounded(number: Number) -> Number {
    number.clamp(-MOST, MOST)
}

#[inline(always)]
fn cut(number: i64) -> Number {
    number.clamp(i64::from(-MOST), i64::from(MOST)) as Number
}

#[inline(always)]
pub(crate) fn plus(a: Number, b: Number) -> Number {
    bounded(a + b)
}

#[inline(always)]
pub(crate) fn minus(a: Number, b: Number) -> Number {
    bounded(a - b)
}

#[inline(always)]
pub(crate) fn times(a: Number, b: Number) -> Number {
    cut(i64::from(a) * i64::from(b) / i64::from(ONE))
}

/// 1 if divided by 0.
#[inline(always)]
pub(crate) fn over(a: Number, b: Number) -> Number {
    if b == 0 { ONE } else { cut(i64::from(a) * i64::from(ONE) / i64::from(b)) }
}

/// A finite value as a number.
#[inline(always)]
pub(crate) fn of(value: Value) -> Number {
    value.thousandths().min(MOST as u64) as Number
}

/// The value of a formula: what is below zero counts as zero.
#[inline(always)]
pub(crate) fn value(number: Number) -> Value {
    Value::from_thousandths(number.max(0) as u32)
}
