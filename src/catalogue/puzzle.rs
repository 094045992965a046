//! A puzzle of the catalogue and all that is known of it.

/// One interesting cluster's puzzle: one row of the catalogue.
///
/// Distances are in moves unless a name says steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// The puzzle's rank: its number among all boards of its size.
    pub id: u64,
    /// Its text, `.` for empty cells, the primary `A`, the others from `B` on
    /// in reading order.
    pub board: String,
    /// The fewest moves that solve it.
    pub moves: u32,
    /// The fewest steps that solve it.
    pub steps: u32,
    /// Cars, the primary included.
    pub cars: u32,
    /// Trucks.
    pub trucks: u32,
    /// Cells that no vehicle covers.
    pub free_cells: u32,
    /// A bit for each kind that some line has, by the number of the kind.
    pub line_kinds: u32,
    /// How many boards of the cluster have each distance in moves, from 0 on.
    pub histogram: Vec<u32>,
    /// How many different shortest sequences of moves solve it.
    pub optimal_solutions: u64,
    /// How many of its moves are the first of such a sequence.
    pub optimal_first_moves: u32,
    /// One shortest solution, as `tailback solve` prints it: moves with a
    /// space between.
    pub solution: String,
    /// How many vehicles move in that solution.
    pub moving_vehicles: u32,
    /// How many moves are possible on the boards of that solution, the solved
    /// one left out, all added up.
    pub possible_moves: u32,
    /// The family is classic: the primary is alone in its row and no line is full.
    pub classic: bool,
    /// The family is classic and the puzzle is the first of all hardest boards.
    pub rush: bool,
}

impl Puzzle {
    /// Cars and trucks, the primary included.
    pub fn vehicles(&self) -> u32 {
        self.cars + self.trucks
    }

    /// The boards of its cluster.
    pub fn cluster_boards(&self) -> u64 {
        self.histogram.iter().map(|&n| n as u64).sum()
    }

    /// The solved boards of its cluster.
    pub fn goal_boards(&self) -> u32 {
        self.histogram[0]
    }

    /// The boards of its cluster that are as hard as the puzzle, itself included.
    pub fn hardest_boards(&self) -> u32 {
        self.histogram[self.moves as usize]
    }

    /// Possible moves per board of the solution, on average.
    pub fn branching(&self) -> f64 {
        self.possible_moves as f64 / self.moves as f64
    }
}
