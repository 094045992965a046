//! Numbers that may be large.

use std::fmt;

use serde::Serialize;

/// A number; as text if it takes more than 64 bits, which many JSON readers would
/// round.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Count {
    /// Below 2⁶⁴.
    Number(u64),
    /// The digits of a larger one.
    Text(String),
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Number(number) => number.fmt(f),
            Count::Text(text) => text.fmt(f),
        }
    }
}

impl From<u128> for Count {
    fn from(count: u128) -> Count {
        u64::try_from(count).map_or_else(|_| Count::Text(count.to_string()), Count::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_text() {
        let json = |count: u128| serde_json::to_string(&Count::from(count)).unwrap();
        assert_eq!(json(u64::MAX.into()), "18446744073709551615");
        assert_eq!(json(u128::from(u64::MAX) + 1), "\"18446744073709551616\"");
    }
}
