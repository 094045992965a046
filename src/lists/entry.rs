//! What a record says of a board.

use std::borrow::Cow;

/// A board of a list and what stands beside it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Entry<'r> {
    /// The text of the board, or the number of a puzzle of the catalogue.
    pub board: Cow<'r, str>,
    /// The other values, with the names of their columns if they have any.
    pub values: Vec<(Cow<'r, str>, Cow<'r, str>)>,
    /// What stands before the board in a line of text.
    pub before: Vec<&'r str>,
    /// What stands after it.
    pub after: Vec<&'r str>,
}

/// Why a record has no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// The line is longer than any board.
    #[error("a line has at most {longest} bytes, this one is longer: one board a line")]
    TooLong {
        /// In bytes.
        longest: usize,
    },
    /// A line of a table has too few values.
    #[error("there is no value in the column '{column}': the line has {found} of {columns} values")]
    NoValue {
        /// The column of the board.
        column: String,
        /// The values that it has.
        found: usize,
        /// The columns that the first line has.
        columns: usize,
    },
    /// The record is no JSON object.
    #[error("this is no JSON object: {why}")]
    Json {
        /// What is wrong.
        why: String,
    },
    /// An object has no board.
    #[error("the object has no '{wanted}': it has {}", .found.join(", "))]
    NoBoard {
        /// What was looked for.
        wanted: String,
        /// What it has.
        found: Vec<String>,
    },
}

impl Entry<'_> {
    /// The value of the first of these columns that there is.
    pub fn value(&self, names: &[&str]) -> Option<&str> {
        let of = |name: &&str| self.values.iter().find(|(column, _)| column.eq_ignore_ascii_case(name));
        names.iter().find_map(of).map(|(_, value)| &**value)
    }

    /// What the board is called, if it is called anything.
    pub fn name(&self) -> Option<Cow<'_, str>> {
        match &self.before[..] {
            [] => self.value(&["name", "puzzle", "title"]).map(Cow::from),
            // Of the three columns of the public list, the first is the moves.
            [number] if is_number(number) && !self.after.is_empty() => None,
            [one] => Some(Cow::from(*one)),
            many => Some(Cow::from(many.join(" "))),
        }
    }
}

/// A number, with separators or not, that can be no row of empty cells. One that is
/// too large is no puzzle's, and becomes the largest.
pub fn id(text: &str) -> Option<u64> {
    let text = text.trim();
    let is_id = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || [',', '_', '\''].contains(&c))
        && (text == "0" || text.chars().any(|c| ('1'..='9').contains(&c)));
    is_id.then(|| text.replace([',', '_', '\''], "").parse().unwrap_or(u64::MAX))
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_digits() {
        for text in ["7207405423", " 7,207,405_423 ", "7'207'405'423"] {
            assert_eq!(id(text), Some(7_207_405_423), "{text}");
        }
        assert_eq!((id("0"), id("99999999999999999999")), (Some(0), Some(u64::MAX)));
        for board in ["..B.AAB.........", "", ",", "7B", "0000000000000000"] {
            assert_eq!(id(board), None, "{board}");
        }
    }
}
