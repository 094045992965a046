//! Numbers with three decimals: guesses and weights.

use std::fmt;
use std::str::FromStr;

use crate::board::Distance;

/// A number from 0 with at most three decimals, or infinity.
///
/// Kept in thousandths, so that sums and comparisons are exact and the order
/// of a search never depends on rounding.
///
/// ```
/// use tailback::search::Value;
///
/// let weight: Value = "1.5".parse()?;
/// assert_eq!(weight.times(Value::from(3)).to_string(), "4.5");
/// assert_eq!(weight.times(Value::INFINITE), Value::INFINITE);
/// assert!("-1".parse::<Value>().is_err());
/// # Ok::<(), tailback::search::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Value(u32);

const ONE: u32 = 1000;

impl Value {
    /// Nothing.
    pub const ZERO: Value = Value(0);
    /// One action that costs 1.
    pub const ONE: Value = Value(ONE);
    /// There is no way.
    pub const INFINITE: Value = Value(u32::MAX);
    /// The largest number that can be read.
    const MOST: u32 = 1000;

    /// A whole number of at most four million.
    pub const fn whole(number: u32) -> Value {
        Value(number * ONE)
    }

    /// Is it a number?
    pub fn is_finite(self) -> bool {
        self != Value::INFINITE
    }

    /// The product, rounded down; infinity stays what it is.
    #[inline]
    pub fn times(self, other: Value) -> Value {
        if !self.is_finite() || !other.is_finite() {
            return Value::INFINITE;
        }
        let product = u64::from(self.0) * u64::from(other.0) / u64::from(ONE);
        Value(product.min(u64::from(u32::MAX - 1)) as u32)
    }

    /// The sum; infinity stays what it is.
    #[inline]
    pub fn plus(self, other: Value) -> Value {
        if !self.is_finite() || !other.is_finite() {
            return Value::INFINITE;
        }
        Value(self.0.saturating_add(other.0).min(u32::MAX - 1))
    }

    /// The difference, at least 0; infinity stays what it is.
    #[inline]
    pub fn less(self, other: Value) -> Value {
        if self.is_finite() { Value(self.0.saturating_sub(other.0)) } else { self }
    }

    /// The next whole number; `None` for infinity.
    pub fn ceil(self) -> Option<u32> {
        self.is_finite().then(|| self.0.div_ceil(ONE))
    }

    /// A number of thousandths, which is finite.
    #[inline]
    pub(crate) fn from_thousandths(thousandths: u32) -> Value {
        debug_assert!(thousandths != u32::MAX, "that is infinity");
        Value(thousandths)
    }

    pub(crate) fn thousandths(self) -> u64 {
        u64::from(self.0)
    }

    /// As a floating-point number.
    pub fn as_f64(self) -> f64 {
        if self.is_finite() { f64::from(self.0) / f64::from(ONE) } else { f64::INFINITY }
    }
}

impl From<u32> for Value {
    #[inline]
    fn from(whole: u32) -> Value {
        Value(whole.saturating_mul(ONE).min(u32::MAX - 1))
    }
}

/// Unsolvable is infinite.
impl From<Distance> for Value {
    #[inline]
    fn from(distance: Distance) -> Value {
        distance.known().map_or(Value::INFINITE, Value::from)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_finite() {
            return f.pad("infinite");
        }
        let (whole, rest) = (self.0 / ONE, self.0 % ONE);
        match rest {
            0 => f.pad(&whole.to_string()),
            _ => f.pad(format!("{whole}.{rest:03}").trim_end_matches('0')),
        }
    }
}

/// The text is no number that fits.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// It is no number, or written in another way.
    #[error("a weight is a number from 0 to 1000 with at most three decimals, such as 1.5, not '{found}'")]
    NoNumber {
        /// The text.
        found: String,
    },
    /// It is finer than thousandths.
    #[error("a weight has at most three decimals, '{found}' has more")]
    TooFine {
        /// The text.
        found: String,
    },
    /// It is above 1000.
    #[error("a weight is at most 1000, '{found}' is more")]
    TooLarge {
        /// The text.
        found: String,
    },
}

impl FromStr for Value {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Value, ValueError> {
        let found = || text.to_owned();
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(rest) {
            return Err(ValueError::NoNumber { found: found() });
        }
        if rest.len() > 3 {
            return Err(ValueError::TooFine { found: found() });
        }
        // Digits that do not fit into 64 bits are far too many.
        let thousandths = format!("{whole}{rest:0<3}").parse().unwrap_or(u64::MAX);
        match u32::try_from(thousandths) {
            Ok(value) if value <= Value::MOST * ONE => Ok(Value(value)),
            _ => Err(ValueError::TooLarge { found: found() }),
        }
    }
}
