//! Puzzles of the catalogue.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Count;
use crate::catalogue::{Catalogue, Column, Contents, Holds, Puzzle, Rules, Value, kinds};

/// What a column says, as JSON.
pub struct CellValue<'v> {
    /// The column.
    pub column: Column,
    /// What it says.
    pub value: &'v Value,
    /// Of the board.
    pub size: usize,
}

impl Serialize for CellValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.column.about().holds, self.value) {
            (_, Value::None) => serializer.serialize_none(),
            (Holds::Flag, Value::Whole(number)) => serializer.serialize_bool(*number == 1),
            (Holds::LineKinds, Value::Whole(bits)) => kinds(*bits, self.size).serialize(serializer),
            (_, Value::Whole(number)) => Count::from(*number).serialize(serializer),
            (_, Value::Real(number)) => serializer.serialize_f64(*number),
            (Holds::Words, Value::Text(text)) => serializer.collect_seq(text.split_whitespace()),
            (_, Value::Text(text)) => serializer.serialize_str(text),
            (_, Value::Counts(counts)) => counts.serialize(serializer),
        }
    }
}

/// A puzzle as a JSON object.
pub struct PuzzleObject<'p> {
    puzzle: &'p Puzzle,
    size: usize,
    contents: Contents,
}

impl<'p> PuzzleObject<'p> {
    /// A puzzle of a catalogue.
    pub fn new(puzzle: &'p Puzzle, catalogue: &Catalogue) -> PuzzleObject<'p> {
        PuzzleObject { puzzle, size: catalogue.size(), contents: catalogue.contents() }
    }
}

impl Serialize for PuzzleObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for column in Column::shown() {
            let told = CellValue { column, value: self.puzzle.value(column), size: self.size };
            object.serialize_entry(column.name(), &told)?;
            if column == Column::Id {
                object.serialize_entry("size", &self.size)?;
            }
        }
        object.serialize_entry("catalogue", &self.contents)?;
        object.end()
    }
}

/// What an answer about many puzzles begins with.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[non_exhaustive]
pub struct Head {
    /// All puzzles, or a choice.
    pub catalogue: Contents,
    /// Of the boards.
    pub size: usize,
    /// Which rules they follow.
    pub rules: Rules,
}

impl Head {
    /// Of a catalogue.
    pub fn new(catalogue: &Catalogue, rules: Rules) -> Head {
        Head { catalogue: catalogue.contents(), size: catalogue.size(), rules }
    }
}

/// How many puzzles match.
#[derive(serde::Serialize)]
pub struct Matching {
    /// Of which.
    #[serde(flatten)]
    pub head: Head,
    /// How many.
    pub count: usize,
}
