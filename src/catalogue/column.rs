//! The numbers of a puzzle by which the catalogue is searched and sorted.

use std::fmt;

use super::Puzzle;

/// A column of numbers, by the name it has in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// The puzzle's rank.
    Id,
    /// The fewest moves that solve it.
    Moves,
    /// The fewest steps that solve it.
    Steps,
    /// Cars and trucks, the primary included.
    Vehicles,
    /// Cars, the primary included.
    Cars,
    /// Trucks.
    Trucks,
    /// Cells that no vehicle covers.
    FreeCells,
    /// A bit for each kind that some line has.
    LineKinds,
    /// The boards of its cluster.
    ClusterBoards,
    /// The solved boards of its cluster.
    GoalBoards,
    /// The boards of its cluster that are as hard, itself included.
    HardestBoards,
    /// The different shortest sequences of moves.
    OptimalSolutions,
    /// The moves that begin one.
    OptimalFirstMoves,
    /// The vehicles that move in the stored solution.
    MovingVehicles,
    /// Possible moves per board of the stored solution.
    Branching,
    /// 1 if the family is classic.
    Classic,
    /// 1 if the public list has it.
    Rush,
}

impl Column {
    /// All of them, in the order of the database.
    pub const ALL: [Column; 17] = [
        Column::Id,
        Column::Moves,
        Column::Steps,
        Column::Vehicles,
        Column::Cars,
        Column::Trucks,
        Column::FreeCells,
        Column::LineKinds,
        Column::ClusterBoards,
        Column::GoalBoards,
        Column::HardestBoards,
        Column::OptimalSolutions,
        Column::OptimalFirstMoves,
        Column::MovingVehicles,
        Column::Branching,
        Column::Classic,
        Column::Rush,
    ];

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Column::Id => "id",
            Column::Moves => "moves",
            Column::Steps => "steps",
            Column::Vehicles => "vehicles",
            Column::Cars => "cars",
            Column::Trucks => "trucks",
            Column::FreeCells => "free_cells",
            Column::LineKinds => "line_kinds",
            Column::ClusterBoards => "cluster_boards",
            Column::GoalBoards => "goal_boards",
            Column::HardestBoards => "hardest_boards",
            Column::OptimalSolutions => "optimal_solutions",
            Column::OptimalFirstMoves => "optimal_first_moves",
            Column::MovingVehicles => "moving_vehicles",
            Column::Branching => "branching",
            Column::Classic => "classic",
            Column::Rush => "rush",
        }
    }

    /// A whole number as a [`key`](Column::key) of this column.
    pub(super) fn key_of(self, number: u64) -> u64 {
        match self {
            Column::Branching => (number as f64).to_bits(),
            _ => number,
        }
    }

    /// A number that compares as the puzzle's value does.
    pub fn key(self, puzzle: &Puzzle) -> u64 {
        match self {
            Column::Id => puzzle.id,
            Column::Moves => puzzle.moves.into(),
            Column::Steps => puzzle.steps.into(),
            Column::Vehicles => puzzle.vehicles().into(),
            Column::Cars => puzzle.cars.into(),
            Column::Trucks => puzzle.trucks.into(),
            Column::FreeCells => puzzle.free_cells.into(),
            Column::LineKinds => puzzle.line_kinds.into(),
            Column::ClusterBoards => puzzle.cluster_boards(),
            Column::GoalBoards => puzzle.goal_boards().into(),
            Column::HardestBoards => puzzle.hardest_boards().into(),
            Column::OptimalSolutions => puzzle.optimal_solutions,
            Column::OptimalFirstMoves => puzzle.optimal_first_moves.into(),
            Column::MovingVehicles => puzzle.moving_vehicles.into(),
            // The bits of positive floating-point numbers compare as the numbers do.
            Column::Branching => puzzle.branching().to_bits(),
            Column::Classic => puzzle.classic.into(),
            Column::Rush => puzzle.rush.into(),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
