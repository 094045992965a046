//! What `puzzles`, `hardest` and `export` share: which catalogue, and which of
//! its puzzles.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::HumanCount;
use tailback::catalogue::kind_text;
use tailback::catalogue::{Catalogue, CatalogueError, Column, Inventory, Query, Range, Rules};
use tailback::space::Space;

use super::options::Global;
use super::output;

/// Some lines on all of these options.
pub const HELP: &str = "\
A range is 20..30 (both included), 20.., ..30 or 20. A kind is the order of
lengths in a row or column, such as 2,3; the primary's row counts, and - is
an empty line. Of --inventory CARS,TRUCKS the primary is one of the cars.";

/// The size that a starter catalogue is there for.
const STARTER_SIZE: usize = 6;

#[derive(Args)]
pub struct Filters {
    /// Rows and columns of the boards [default: 6]
    #[arg(long, value_parser = super::options::size())]
    size: Option<usize>,
    /// Which rules the puzzles follow [default: classic]
    #[arg(long, value_parser = rules())]
    rules: Option<Rules>,
    /// The fewest moves that solve it
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    moves: Option<Range>,
    /// The fewest steps that solve it
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    steps: Option<Range>,
    /// Cars and trucks, with the primary
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    vehicles: Option<Range>,
    /// Cars, with the primary
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    cars: Option<Range>,
    /// Trucks
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    trucks: Option<Range>,
    /// Cells without a vehicle
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    free_cells: Option<Range>,
    /// Boards in its cluster
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    cluster_size: Option<Range>,
    /// Solved boards in its cluster
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    goal_boards: Option<Range>,
    /// Boards in its cluster that are as hard, itself included
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    hardest_boards: Option<Range>,
    /// Optimal solutions in moves
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    solutions: Option<Range>,
    /// Moves that begin an optimal solution
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    first_moves: Option<Range>,
    /// Vehicles that move in the solution
    #[arg(long, value_name = "RANGE", help_heading = FILTERS)]
    moving_vehicles: Option<Range>,
    /// Some line has this kind; more than once: some line each
    #[arg(long, value_name = "KIND", allow_hyphen_values = true, help_heading = FILTERS)]
    having_kind: Vec<String>,
    /// At most so many cars and trucks
    #[arg(long, value_name = "CARS,TRUCKS", value_parser = inventory, help_heading = FILTERS)]
    inventory: Option<Inventory>,
}

const FILTERS: &str = "Filters";

impl Filters {
    /// The catalogue: the complete one of the folder, or for 6×6 the starter,
    /// with a note to people.
    pub fn catalogue(&self, global: &Global) -> anyhow::Result<Catalogue> {
        open(global, self.size())
    }

    pub fn size(&self) -> usize {
        self.size.unwrap_or(6)
    }

    pub fn has_size(&self) -> bool {
        self.size.is_some()
    }

    pub fn rules(&self) -> Rules {
        self.rules.unwrap_or(Rules::Classic)
    }

    /// Is anything but the size given?
    pub fn are_used(&self) -> bool {
        let ranges = self.ranges().iter().any(|(_, range)| range.is_some());
        ranges || self.rules.is_some() || !self.having_kind.is_empty() || self.inventory.is_some()
    }

    /// What is asked for.
    pub fn in_words(&self) -> String {
        let ranges =
            self.ranges().into_iter().filter_map(|(column, range)| Some(format!("{column} {}", range?)));
        let kinds = self.having_kind.iter().map(|kind| format!("kind {kind}"));
        let inventory =
            self.inventory.map(|at_hand| format!("inventory {},{}", at_hand.cars, at_hand.trucks));
        let rules = format!("rules {}", self.rules().name());
        [rules].into_iter().chain(ranges).chain(kinds).chain(inventory).collect::<Vec<_>>().join(" and ")
    }

    fn ranges(&self) -> [(Column, Option<Range>); 12] {
        [
            (Column::Moves, self.moves),
            (Column::Steps, self.steps),
            (Column::Vehicles, self.vehicles),
            (Column::Cars, self.cars),
            (Column::Trucks, self.trucks),
            (Column::FreeCells, self.free_cells),
            (Column::ClusterBoards, self.cluster_size),
            (Column::GoalBoards, self.goal_boards),
            (Column::HardestBoards, self.hardest_boards),
            (Column::OptimalSolutions, self.solutions),
            (Column::OptimalFirstMoves, self.first_moves),
            (Column::MovingVehicles, self.moving_vehicles),
        ]
    }

    /// The query that these options ask for.
    pub fn query(&self) -> Result<Query, UnknownKind> {
        let ranges = self.ranges().into_iter().filter_map(|(column, range)| Some((column, range?))).collect();
        let mut kinds = 0;
        for text in &self.having_kind {
            kinds |= self.kind(text)?;
        }
        Ok(Query { rules: self.rules(), ranges, kinds, inventory: self.inventory, ..Query::default() })
    }

    /// The bit of a kind.
    fn kind(&self, text: &str) -> Result<u64, UnknownKind> {
        let space = Space::of_size(self.size()).expect("the parser takes no other size");
        let kinds: Vec<String> = space.line().kinds().iter().map(|lengths| kind_text(lengths)).collect();
        let number = kinds.iter().position(|kind| kind == text);
        number.map(|number| 1 << number).ok_or_else(|| UnknownKind {
            text: text.to_owned(),
            size: self.size(),
            known: kinds.join("  "),
        })
    }
}

/// No line of this length has such a kind.
#[derive(Debug, thiserror::Error)]
#[error("no line of a {size}×{size} board has the kind {text:?}; the kinds are: {known}")]
pub struct UnknownKind {
    text: String,
    size: usize,
    known: String,
}

/// Opens the catalogue of a size, or for 6×6 the starter, with a note to people.
pub fn open(global: &Global, size: usize) -> anyhow::Result<Catalogue> {
    match Catalogue::open(&global.db, size) {
        Err(CatalogueError::Missing { .. } | CatalogueError::Unfinished { .. }) if size == STARTER_SIZE => {
            let starter = Catalogue::starter()?;
            output::note(&format!(
                "note: answers from the starter catalogue of {} puzzles; `tailback build` makes the complete one",
                HumanCount(starter.puzzles() as u64)
            ));
            Ok(starter)
        }
        catalogue => Ok(catalogue?),
    }
}

/// Reads the name of a rule set, and lists all in the help.
fn rules() -> impl TypedValueParser<Value = Rules> {
    PossibleValuesParser::new(Rules::ALL.map(Rules::name)).map(|name| {
        let rules = Rules::ALL.into_iter().find(|rules| rules.name() == name);
        rules.expect("the parser takes no other name")
    })
}

fn inventory(text: &str) -> Result<Inventory, String> {
    let numbers = text.split_once(',').map(|(cars, trucks)| (cars.parse(), trucks.parse()));
    match numbers {
        Some((Ok(cars), Ok(trucks))) => Ok(Inventory { cars, trucks }),
        _ => Err("write the cars and the trucks at hand as 12,4".to_owned()),
    }
}
