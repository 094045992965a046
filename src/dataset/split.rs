//! Parts of a dataset that do not leak into each other.
//!
//! Boards of one cluster tell of each other: who has seen the training boards
//! has seen the way of a test board. A move never leaves the family, so all
//! boards of a family go to the same part. So do those of the family that is
//! its mirror image, top to bottom: their distances are the same.

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::random;

/// The names of the parts, and their weights.
///
/// ```
/// use tailback::board::Board;
/// use tailback::dataset::Split;
///
/// let split: Split = "train=80,test=20".parse()?;
/// assert_eq!(split.names().collect::<Vec<_>>(), ["train", "test"]);
/// let board = Board::parse("..B. AAB. .... ....")?;
/// let reached = Board::parse(".... .AA. ..B. ..B.")?;
/// assert_eq!(split.part(&board, 0), split.part(&reached, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    parts: Vec<(String, u32)>,
}

/// The text is no split.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a split has two parts or more, each with a name of its own and a weight from 1 to 1000000, such as train=80,valid=10,test=10 or in short 80/10/10; {problem}"
)]
pub struct SplitError {
    problem: String,
}

const MOST_WEIGHT: u32 = 1_000_000;

impl FromStr for Split {
    type Err = SplitError;

    fn from_str(text: &str) -> Result<Split, SplitError> {
        let wrong = |problem: String| SplitError { problem };
        let weights: Vec<&str> = text.split('/').map(str::trim).collect();
        let names: &[&str] = match weights.len() {
            _ if text.contains('=') => &[],
            2 => &["train", "test"],
            3 => &["train", "valid", "test"],
            _ => &[],
        };
        if !names.is_empty() {
            let parts = names.iter().zip(&weights).map(|(name, weight)| format!("{name}={weight}"));
            return parts.collect::<Vec<_>>().join(",").parse();
        }
        let mut parts: Vec<(String, u32)> = Vec::new();
        for part in text.split(',') {
            let Some((name, weight)) = part.trim().split_once('=') else {
                return Err(wrong(format!("'{part}' has no weight")));
            };
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if name.is_empty() || !name.chars().all(is_plain) {
                return Err(wrong(format!("a name has letters, digits, - and _ only, not '{name}'")));
            }
            if parts.iter().any(|(other, _)| other == name) {
                return Err(wrong(format!("'{name}' is there twice")));
            }
            match weight.parse() {
                Ok(weight) if (1..=MOST_WEIGHT).contains(&weight) => parts.push((name.to_owned(), weight)),
                _ => return Err(wrong(format!("'{weight}' is no such weight"))),
            }
        }
        match parts.len() {
            1 => Err(wrong("this has one part".to_owned())),
            _ => Ok(Split { parts }),
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.parts.iter().map(|(name, weight)| format!("{name}={weight}")).collect();
        f.write_str(&parts.join(","))
    }
}

impl Split {
    /// The names of the parts, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|(name, _)| name.as_str())
    }

    /// The share of each part.
    pub fn shares(&self) -> Vec<f64> {
        let all: f64 = self.parts.iter().map(|(_, weight)| f64::from(*weight)).sum();
        self.parts.iter().map(|(_, weight)| f64::from(*weight) / all).collect()
    }

    /// The part that a board is in, and its whole family.
    pub fn part(&self, board: &Board, seed: u64) -> usize {
        self.part_of(board.family(), seed)
    }

    /// The part that all instances of a group are in.
    pub fn part_of(&self, group: u64, seed: u64) -> usize {
        let all: u64 = self.parts.iter().map(|(_, weight)| u64::from(*weight)).sum();
        let mut left = random::scaled(random::draw(seed, group), all);
        for (index, (_, weight)) in self.parts.iter().enumerate() {
            match left.checked_sub(u64::from(*weight)) {
                None => return index,
                Some(rest) => left = rest,
            }
        }
        unreachable!("the draw is less than all weights together")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_are_read() {
        let split: Split = "train=80, valid=10,test=10".parse().unwrap();
        assert_eq!(split.names().collect::<Vec<_>>(), ["train", "valid", "test"]);
        for bad in
            ["", "train", "train=1", "train=0,test=1", "a=1,a=2", "a=1,/=2", "a=1,=2", "a=1,b=-1", "a=1,"]
        {
            assert!(bad.parse::<Split>().is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_have_their_shares() {
        let split: Split = "a=3,b=1".parse().unwrap();
        let board = Board::parse("..B. AAB. .... ....").unwrap();
        let a = (0..10_000).filter(|&seed| split.part(&board, seed) == 0).count();
        // Five standard deviations.
        assert!((7_280..7_720).contains(&a), "{a}");
    }
}
