//! The rule sets that a puzzle may belong to.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};

use super::Puzzle;

/// Which puzzles count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// Every interesting puzzle of the space.
    All,
    /// The primary is alone in its row and no line is full of vehicles.
    #[default]
    Classic,
    /// Classic, and the first hardest board of the cluster is itself minimal:
    /// the rule of the best-known public list.
    Rush,
}

impl Rules {
    /// All three, each within the one before.
    pub const ALL: [Rules; 3] = [Rules::All, Rules::Classic, Rules::Rush];

    /// The word for it, in the database too.
    pub fn name(self) -> &'static str {
        match self {
            Rules::All => "all",
            Rules::Classic => "classic",
            Rules::Rush => "rush",
        }
    }

    /// The rule set of this name.
    pub fn named(name: &str) -> Option<Rules> {
        Rules::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Whether a puzzle belongs to this set.
    pub fn has(self, puzzle: &Puzzle) -> bool {
        match self {
            Rules::All => true,
            Rules::Classic => puzzle.is_classic(),
            Rules::Rush => puzzle.is_rush(),
        }
    }
}

impl FromSql for Rules {
    fn column_result(name: ValueRef<'_>) -> FromSqlResult<Rules> {
        let name = name.as_str()?;
        Rules::named(name).ok_or_else(|| FromSqlError::Other(format!("there are no rules {name:?}").into()))
    }
}
