//! A puzzle of the catalogue and all that is known of it.

use super::{Column, Features, Value};
use crate::board::{Board, BoardError};
use crate::cluster::{Bounds, ClusterError};
use crate::space::{Location, Space, SpaceId};

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
                puzzle.values[column as usize] = from(&|column| puzzle.number(column));
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

    /// The puzzle of a board's cluster, if the catalogue has it: it must be
    /// interesting and in the space.
    pub fn of_cluster<'b>(
        board: &Board,
        bounds: impl Into<Bounds<'b>>,
    ) -> Result<Option<Puzzle>, ClusterError> {
        let bounds = bounds.into();
        let Ok(space) = Space::tabulated(SpaceId::of_board(board)) else { return Ok(None) };
        let found = Features::of(board, bounds)?;
        let Some(puzzle) = found.puzzle.filter(|_| found.interesting) else { return Ok(None) };
        let Ok(Location::Inside(position)) = space.locate(&puzzle) else { return Ok(None) };
        // With the catalogue's letters the solution is the catalogue's, too.
        let board = space.board(&position);
        let features = Features::of(&board, bounds)?;
        Ok(Some(Puzzle::from(&Features {
            id: Some(space.id().first_id() + space.rank(&position).0),
            ..features
        })))
    }

    /// The puzzle's number among all boards of its size.
    pub fn id(&self) -> u64 {
        self.number(Column::Id)
    }

    /// The board itself.
    pub fn board(&self) -> Result<Board, BoardError> {
        Board::parse(self.board_text())
    }

    /// Its text, `.` for empty cells, the primary `A`, the others from `B` on
    /// in reading order.
    pub fn board_text(&self) -> &str {
        self.text(Column::Board)
    }

    /// A number that compares as the value of the column does.
    pub fn key(&self, column: Column) -> u64 {
        match self.value(column) {
            // The bits of positive floating-point numbers compare as the numbers do.
            Value::Real(number) => number.to_bits(),
            _ => self.number(column),
        }
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
