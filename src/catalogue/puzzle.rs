//! A puzzle of the catalogue and all that is known of it.

use std::fmt;

use super::{Column, Features};

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

/// One interesting cluster's puzzle: one row of the catalogue.
///
/// Distances are in moves unless a name says steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// One for each column.
    values: Vec<Value>,
}

impl Puzzle {
    /// A row with these values. Columns that follow from others are not asked
    /// for.
    pub fn new(mut value: impl FnMut(Column) -> Value) -> Puzzle {
        let follows = |column: Column| column.about().follows;
        let stored = |&column: &Column| if follows(column).is_some() { Value::None } else { value(column) };
        let mut puzzle = Puzzle { values: Column::ALL.iter().map(stored).collect() };
        for &column in Column::ALL {
            if let Some((_, from)) = follows(column) {
                puzzle.values[column as usize] = from(&puzzle);
            }
        }
        puzzle
    }

    /// What a column says.
    pub fn value(&self, column: Column) -> &Value {
        &self.values[column as usize]
    }

    /// The whole number of a column; 0 if it has none.
    pub fn number(&self, column: Column) -> u64 {
        match *self.value(column) {
            Value::Whole(number) => u64::try_from(number).unwrap_or(u64::MAX),
            _ => 0,
        }
    }

    fn text(&self, column: Column) -> &str {
        match self.value(column) {
            Value::Text(text) => text,
            _ => "",
        }
    }

    /// The puzzle's rank: its number among all boards of its size.
    pub fn id(&self) -> u64 {
        self.number(Column::Id)
    }

    /// Its text, `.` for empty cells, the primary `A`, the others from `B` on
    /// in reading order.
    pub fn board(&self) -> &str {
        self.text(Column::Board)
    }

    /// The fewest moves that solve it.
    pub fn moves(&self) -> u32 {
        self.number(Column::Moves) as u32
    }

    /// The fewest steps that solve it.
    pub fn steps(&self) -> u32 {
        self.number(Column::Steps) as u32
    }

    /// One shortest solution, as `tailback solve` prints it: moves with a
    /// space between.
    pub fn solution(&self) -> &str {
        self.text(Column::Solution)
    }

    /// How many boards of the cluster have each distance in moves, from 0 on.
    pub fn histogram(&self) -> &[u64] {
        match self.value(Column::MovesHistogram) {
            Value::Counts(counts) => counts,
            _ => &[],
        }
    }

    /// The family is classic: the primary is alone in its row and no line is full.
    pub fn is_classic(&self) -> bool {
        self.number(Column::Classic) == 1
    }

    /// The family is classic and the puzzle is the first of all hardest boards.
    pub fn is_rush(&self) -> bool {
        self.number(Column::Rush) == 1
    }
}

impl From<&Features> for Puzzle {
    fn from(board: &Features) -> Puzzle {
        Puzzle::new(|column| column.of(board))
    }
}
