//! What a column says of a board.

use std::fmt;

/// What a column says of a board.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing: the board is unsolvable, or in no space.
    None,
    /// A whole number, a set of bits, or 1 for yes and 0 for no.
    Whole(u128),
    /// Another number.
    Real(f64),
    /// Text.
    Text(String),
    /// Counts by distance.
    Counts(Vec<u64>),
}

macro_rules! whole {
    ($($number:ty),+) => {
        $(impl From<$number> for Value {
            fn from(number: $number) -> Value {
                Value::Whole(number as u128)
            }
        })+
    };
}

whole!(bool, u32, u64, usize);

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::None, T::into)
    }
}

/// As in CSV: nothing is empty, counts have spaces between.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => Ok(()),
            Value::Whole(number) => number.fmt(f),
            Value::Real(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
            Value::Counts(counts) => {
                f.write_str(&counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
            }
        }
    }
}
