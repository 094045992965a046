//! The columns of the catalogue, each declared once.
//!
//! The layout of the file, its rows and packed columns, filters, sorting, CSV,
//! JSON, what `show` prints and the table in `docs/catalogue.md` follow from
//! the list below. A new column is an entry there, a line of that table, a new
//! version, and so the starter made anew.

use std::fmt;

use super::features::Features;
use super::value::Value;
use crate::board::Board;
use crate::space::{Space, SpaceId};

/// The version of the layout, `PRAGMA user_version`: another set of columns is
/// another version.
pub const VERSION: i32 = 3;

/// A value that follows from the numbers in the other columns.
type Derived = fn(&dyn Fn(Column) -> u64) -> Value;

/// What is said of a column, and how it comes about.
#[derive(Debug)]
pub struct Declaration {
    /// Its name in the file, in CSV and in JSON.
    pub name: &'static str,
    /// What its values are.
    pub holds: Holds,
    /// What its numbers count.
    pub unit: &'static str,
    /// What it says, as the documents tell it.
    pub meaning: &'static str,
    /// How it is computed.
    pub(super) of: fn(&Features) -> Value,
    /// For a column that is not stored: how it follows from the others, in SQL
    /// and here.
    pub(super) follows: Option<(&'static str, Derived)>,
    /// The commands tell it, and filter by it if it is a number. Otherwise it
    /// is in the file only.
    pub is_shown: bool,
    /// The name that people sort and filter by.
    pub short_name: Option<&'static str>,
    /// What a filter by it asks for, in a line. None if people cannot filter by it.
    pub filter: Option<&'static str>,
    /// Its heading and width in lists for people; none if it is not there.
    pub heading: Option<(&'static str, usize)>,
    /// What `show` calls it; none if it has no line of its own.
    pub label: Option<&'static str>,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// The rank of the board, by which rows are found.
    Id,
    /// Whole numbers.
    Whole,
    /// Other numbers that are not negative.
    Real,
    /// Yes or no, as 1 or 0.
    Flag,
    /// A bit for each kind of line.
    LineKinds,
    /// Text.
    Text,
    /// Words with spaces between.
    Words,
    /// How many boards there are at each distance.
    Histogram,
}

impl Holds {
    /// Can be compared, and filtered and sorted by.
    pub fn is_number(self) -> bool {
        !matches!(self, Holds::Text | Holds::Words | Holds::Histogram)
    }

    /// The type in the file.
    pub fn sql(self) -> &'static str {
        match self {
            Holds::Id | Holds::Whole | Holds::Flag | Holds::LineKinds => "INTEGER",
            Holds::Real => "REAL",
            Holds::Text | Holds::Words => "TEXT",
            Holds::Histogram => "BLOB",
        }
    }
}

/// What a column is that says no more of itself.
const PLAIN: Declaration = Declaration {
    name: "",
    holds: Holds::Whole,
    unit: "",
    meaning: "",
    of: |_| Value::None,
    follows: None,
    is_shown: true,
    short_name: None,
    filter: None,
    heading: None,
    label: None,
};

/// Makes the names of the columns and the list of what is said of them: after
/// the name in the file and the meaning, what differs from a plain column.
macro_rules! columns {
    ($($column:ident = $name:literal, $meaning:literal { $($field:ident: $value:expr),+ $(,)? })+) => {
        /// A column, in the order of the file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Column {
            $(#[doc = $meaning] $column),+
        }

        impl Column {
            /// All of them.
            pub const ALL: &'static [Column] = &[$(Column::$column),+];
        }

        static DECLARED: &[Declaration] = &[
            $(Declaration { name: $name, meaning: $meaning, $($field: $value,)+ ..PLAIN }),+
        ];
    };
}

columns! {
    Id = "id", "the puzzle's number: its rank among the boards of its size and walls and, in front of the last digits, the number of its walls (none for boards without). It never changes" {
        holds: Holds::Id,
        of: |board| board.id.into(),
        short_name: Some("id"),
        heading: Some(("id", 11)),
        label: Some("id"),
    }
    Board = "board", "its cells row by row, `.` for empty, `x` (or `#`) for walls, the primary `A`, the others `B`, `C`, … in reading order" {
        holds: Holds::Text,
        of: |board| Value::Text(board.board.text()),
        heading: Some(("board", 0)),
    }
    Moves = "moves", "the fewest moves that solve it" {
        unit: "moves",
        of: |board| board.moves.known().into(),
        short_name: Some("moves"),
        filter: Some("The fewest moves that solve it"),
        heading: Some(("moves", 5)),
        label: Some("moves"),
    }
    Steps = "steps", "the fewest steps (single cells) that solve it" {
        unit: "steps",
        of: |board| board.steps.known().into(),
        short_name: Some("steps"),
        filter: Some("The fewest steps that solve it"),
        heading: Some(("steps", 5)),
        label: Some("steps"),
    }
    Vehicles = "vehicles", "cars and trucks, the primary included" {
        unit: "vehicles",
        of: |board| board.board.vehicles().len().into(),
        follows: Some(("cars + trucks", |number| (number(Column::Cars) + number(Column::Trucks)).into())),
        short_name: Some("vehicles"),
        filter: Some("Cars and trucks, with the primary"),
        label: Some("vehicles"),
    }
    Cars = "cars", "vehicles of two cells, the primary included" {
        unit: "vehicles",
        of: |board| of_length(&board.board, 2),
        short_name: Some("cars"),
        filter: Some("Cars, with the primary"),
        heading: Some(("cars", 4)),
    }
    Trucks = "trucks", "vehicles of three cells" {
        unit: "vehicles",
        of: |board| of_length(&board.board, 3),
        short_name: Some("trucks"),
        filter: Some("Trucks"),
        heading: Some(("trucks", 6)),
    }
    FreeCells = "free_cells", "cells without a vehicle or a wall" {
        unit: "cells",
        of: |board| free_cells(&board.board).into(),
        short_name: Some("free-cells"),
        filter: Some("Cells without a vehicle or a wall"),
        label: Some("free cells"),
    }
    Walls = "walls", "cells that are walls" {
        unit: "cells",
        of: |board| board.board.walls().count_ones().into(),
        short_name: Some("walls"),
        filter: Some("Walls"),
        label: Some("walls"),
    }
    WallCells = "wall_cells", "the cells that are walls, the column as a letter and the row as a number, with spaces between" {
        holds: Holds::Words,
        of: |board| Value::Text(wall_cells(&board.board)),
    }
    LineKinds = "line_kinds", "a bit for each kind that some row or column has; the table `kinds` says which" {
        holds: Holds::LineKinds,
        of: line_kinds,
        label: Some("kinds of lines"),
    }
    ClusterBoards = "cluster_boards", "boards of its cluster, itself included" {
        unit: "boards",
        of: |board| board.cluster_boards.into(),
        short_name: Some("cluster-boards"),
        filter: Some("Boards in its cluster"),
        heading: Some(("cluster", 7)),
        label: Some("boards in cluster"),
    }
    GoalBoards = "goal_boards", "boards of its cluster that are solved" {
        unit: "boards",
        of: |board| board.goal_boards().into(),
        short_name: Some("goal-boards"),
        filter: Some("Solved boards in its cluster"),
        label: Some("  solved"),
    }
    HardestBoards = "hardest_boards", "boards of its cluster that are as hard, itself included" {
        unit: "boards",
        of: |board| board.hardest_boards().into(),
        short_name: Some("hardest-boards"),
        filter: Some("Boards in its cluster that are as hard, itself included"),
        label: Some("  hardest"),
    }
    OptimalSolutions = "optimal_solutions", "different shortest sequences of moves; counted up to 2⁶³ − 1" {
        unit: "solutions",
        of: |board| Value::Whole(board.optimal_solutions),
        short_name: Some("solutions"),
        filter: Some("Optimal solutions in moves"),
        heading: Some(("solutions", 12)),
        label: Some("optimal solutions"),
    }
    OptimalFirstMoves = "optimal_first_moves", "its moves that begin such a sequence" {
        unit: "moves",
        of: |board| board.optimal_first_moves.into(),
        short_name: Some("first-moves"),
        filter: Some("Moves that begin an optimal solution"),
        label: Some("optimal first moves"),
    }
    MovingVehicles = "moving_vehicles", "vehicles that move in `solution`" {
        unit: "vehicles",
        of: |board| board.along.moving_vehicles.into(),
        short_name: Some("moving-vehicles"),
        filter: Some("Vehicles that move in the solution"),
        label: Some("moving vehicles"),
    }
    DifferentSolutions = "different_solutions", "shortest solutions that differ in their set of moves, whatever the order; a move is a vehicle with the cells that it leaves and reaches; counted up to 100" {
        unit: "solutions",
        of: |board| board.different_solutions.into(),
        short_name: Some("different-solutions"),
        filter: Some("Optimal solutions that differ in their set of moves, whatever the order (counted up to 100)"),
        label: Some("different solutions"),
    }
    ForcedMoves = "forced_moves", "moves of `solution` that are the only ones on their boards to lead nearer to the exit" {
        unit: "moves",
        of: |board| board.forced_moves.into(),
        short_name: Some("forced-moves"),
        filter: Some("Moves of the solution without another as good"),
        label: Some("forced moves"),
    }
    AwayMoves = "away_moves", "moves of `solution` after which there are more cells and vehicles between the primary and the exit than before" {
        unit: "moves",
        of: |board| board.along.away_moves.into(),
        short_name: Some("away-moves"),
        filter: Some("Moves of the solution that lead away from the exit"),
        label: Some("moves away"),
    }
    LongestChain = "longest_chain", "the most moves of `solution` of which each depends on the one before: they move one vehicle, or pass a common cell" {
        unit: "moves",
        of: |board| board.along.longest_chain.into(),
        short_name: Some("longest-chain"),
        filter: Some("The longest chain of moves of the solution that depend on each other"),
        label: Some("longest chain"),
    }
    PossibleMoves = "possible_moves", "possible moves on the boards of `solution`, the solved one left out, added up" {
        unit: "moves",
        of: |board| board.along.possible_moves.into(),
        is_shown: false,
    }
    Branching = "branching", "`possible_moves / moves`: possible moves a board, on average" {
        holds: Holds::Real,
        unit: "possible moves a board",
        of: |board| board.moves.known().filter(|&moves| moves > 0).map_or(Value::None, |moves| {
            Value::Real(f64::from(board.along.possible_moves) / f64::from(moves))
        }),
        follows: Some(("CAST(possible_moves AS REAL) / moves", |number| {
            Value::Real(number(Column::PossibleMoves) as f64 / number(Column::Moves) as f64)
        })),
        short_name: Some("branching"),
        label: Some("branching"),
    }
    Classic = "classic", "1 if the family is classic, otherwise 0" {
        holds: Holds::Flag,
        of: |board| board.classic.into(),
    }
    Rush = "rush", "1 if it is classic and the first of all hardest boards of its cluster, otherwise 0" {
        holds: Holds::Flag,
        of: |board| board.rush.into(),
    }
    Solution = "solution", "one shortest solution in moves, the one that `tailback solve` prints with the table (by search it may print another), with spaces between the moves" {
        holds: Holds::Words,
        of: |board| board.solution.as_ref().map_or(Value::None, |_| Value::Text(board.notation().join(" "))),
    }
    MovesHistogram = "moves_histogram", "how many boards of the cluster have each distance in moves, from 0 to `moves`: 32-bit integers, least byte first, in one zstd frame" {
        holds: Holds::Histogram,
        unit: "boards",
        of: |board| Value::Counts(board.histogram.clone()),
    }
}

fn of_length(board: &Board, len: u8) -> Value {
    board.vehicles().iter().filter(|vehicle| vehicle.len == len).count().into()
}

fn free_cells(board: &Board) -> u32 {
    (board.size() * board.size()) as u32 - board.occupied().count_ones()
}

fn wall_cells(board: &Board) -> String {
    let names = SpaceId { size: board.size(), walls: board.walls() }.wall_cells();
    names.map(|cell| cell.name(board.size())).collect::<Vec<_>>().join(" ")
}

fn line_kinds(board: &Features) -> Value {
    let space = Space::tabulated(SpaceId::of_board(&board.board)).ok();
    board.position.zip(space).map(|(position, space)| space.kinds_in(&position)).into()
}

impl Column {
    /// What is said of it.
    pub fn about(self) -> &'static Declaration {
        &DECLARED[self as usize]
    }

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// What it says of a board.
    pub fn of(self, board: &Features) -> Value {
        (self.about().of)(board)
    }

    /// The columns that people sort by, with the names they have for it.
    pub fn sorts() -> impl Iterator<Item = (&'static str, Column)> {
        Column::numbers().filter_map(|column| Some((column.about().short_name?, column)))
    }

    /// The columns that people filter by: the name, the column, and what a filter by
    /// it asks for.
    pub fn filters() -> impl Iterator<Item = (&'static str, Column, &'static str)> {
        Column::sorts().filter_map(|(name, column)| Some((name, column, column.about().filter?)))
    }

    /// Those that the commands tell.
    pub fn shown() -> impl Iterator<Item = Column> {
        Column::ALL.iter().copied().filter(|column| column.about().is_shown)
    }

    /// Those that puzzles are filtered and sorted by.
    pub fn numbers() -> impl Iterator<Item = Column> {
        Column::shown().filter(|column| column.about().holds.is_number())
    }

    /// A whole number as a [`key`](super::Puzzle::key) of this column.
    pub(super) fn key_of(self, number: u64) -> u64 {
        match self.about().holds {
            Holds::Real => (number as f64).to_bits(),
            _ => number,
        }
    }

    /// Its line in the layout of the file.
    pub(super) fn sql(self) -> String {
        let Declaration { name, holds, follows, .. } = self.about();
        let more = match (holds, follows) {
            (Holds::Id, _) => " PRIMARY KEY".to_owned(),
            (_, Some((sql, _))) => format!(" NOT NULL GENERATED ALWAYS AS ({sql}) VIRTUAL"),
            (Holds::Flag, None) => format!(" NOT NULL CHECK ({name} IN (0, 1))"),
            _ => " NOT NULL".to_owned(),
        };
        format!("{name} {}{more}", holds.sql())
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
