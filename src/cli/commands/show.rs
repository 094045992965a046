//! `tailback show`: all that is known of one puzzle, or of any board.

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::{Board, Metric};
use tailback::catalogue::{Catalogue, Contents, Features, Puzzle};
use tailback::cluster::{self, Bounds};
use tailback::probe::{ProbeError, Prober};
use tailback::render::terminal;
use tailback::space::Space;

use crate::cli::shared::interrupt::{self, Signal};
use crate::cli::shared::options::{Global, in_file};
use crate::cli::shared::output::Count;
use crate::cli::shared::{filters, listing, output};

const EXAMPLES: &str = "\
Examples:
  tailback show 7207405423                      a puzzle of the catalogue
  tailback show BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo
  tailback show '..B. AAB. .x.. ....' --json    any board, walls and all

An ID is the number that `hardest` and `puzzles` give. A board is written as
for `tailback lookup`; what is said of it is computed on the spot.";

/// Characters of the longest bar.
const BAR: usize = 40;

/// Show all that is known of a puzzle or a board
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    /// The number of a puzzle of the catalogue, or a board
    #[arg(value_name = "ID|BOARD")]
    what: String,
    /// Rows and columns of the puzzle with this ID
    #[arg(long, default_value = "6", value_parser = crate::cli::shared::options::size())]
    size: usize,
    /// The letter of the car that has to reach the right edge
    #[arg(long, value_name = "L", default_value_t = 'A')]
    primary: char,
    /// The most boards that a search may look at
    #[arg(long, value_name = "BOARDS", default_value_t = cluster::DEFAULT_LIMIT)]
    limit: usize,
}

/// All that is known, as it is printed.
#[derive(Serialize)]
struct Sheet {
    id: Option<u64>,
    size: usize,
    #[serde(serialize_with = "text_of")]
    board: Board,
    solvable: bool,
    moves: Option<u32>,
    steps: Option<u32>,
    vehicles: u32,
    cars: u32,
    trucks: u32,
    free_cells: u32,
    line_kinds: Option<Vec<String>>,
    cluster_boards: u64,
    goal_boards: u64,
    hardest_boards: u64,
    optimal_solutions: Count,
    optimal_first_moves: u32,
    moving_vehicles: u32,
    branching: Option<f64>,
    minimal: bool,
    /// No board of the cluster is harder.
    hardest: bool,
    /// The puzzle of the cluster; none if that is unsolvable.
    cluster_puzzle: Option<String>,
    interesting: bool,
    classic: bool,
    rush: bool,
    solution: Option<Vec<String>>,
    moves_histogram: Vec<u64>,
    /// Where the row is from; none if it was computed on the spot.
    catalogue: Option<Contents>,
}

fn text_of<S: serde::Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&board.text())
}

impl Show {
    pub fn run(&self, global: &Global) -> anyhow::Result<()> {
        let sheet = match id(&self.what) {
            Some(id) => self.row(id, global)?,
            None => self.computed(global)?,
        };
        if global.json {
            return Ok(output::json(&sheet)?);
        }
        Ok(output::text(&sheet.in_words())?)
    }

    fn row(&self, id: Option<u64>, global: &Global) -> anyhow::Result<Sheet> {
        let catalogue = filters::open(global, self.size)?;
        let found = id.map(|id| catalogue.find(id)).transpose()?.flatten();
        match found {
            Some(puzzle) => Sheet::of_puzzle(&puzzle, &catalogue),
            None => {
                Err(Unknown { what: self.what.clone(), size: self.size, of: catalogue.contents() }.into())
            }
        }
    }

    fn computed(&self, global: &Global) -> anyhow::Result<Sheet> {
        let board = Board::parse_with_primary(&self.what, self.primary)?;
        interrupt::listen("stopping")?;
        let features = Features::of(&board, Bounds { observer: &Signal, ..self.limit.into() })?;
        let prober = Prober::new(&global.db);
        let rank = prober.session().rank(&board).map_err(|error| match error {
            ProbeError::Table(error) => in_file(error, global, board.size(), Metric::Moves),
            error => error.into(),
        })?;
        Ok(Sheet::of_board(board, features, rank.map(|rank| rank.0)))
    }
}

/// The catalogue has no such puzzle.
#[derive(Debug, thiserror::Error)]
#[error(
    "the {} catalogue of {size}×{size} puzzles has no puzzle {what}; {}",
    .of.name(),
    match .of {
        Contents::Complete => "`tailback puzzles` lists those it has, and --size chooses another catalogue",
        Contents::Starter => "the complete one may have it: `tailback build` makes it",
    }
)]
struct Unknown {
    what: String,
    size: usize,
    of: Contents,
}

/// Reads an ID: digits, with separators or not. No board has digits; a number
/// that is too large is no puzzle's.
fn id(text: &str) -> Option<Option<u64>> {
    let text = text.trim();
    let is_id = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || [',', '_', '\''].contains(&c));
    is_id.then(|| text.replace([',', '_', '\''], "").parse().ok())
}

impl Sheet {
    fn of_puzzle(puzzle: &Puzzle, catalogue: &Catalogue) -> anyhow::Result<Sheet> {
        Ok(Sheet {
            id: Some(puzzle.id),
            size: catalogue.space().size(),
            board: Board::parse(&puzzle.board)?,
            solvable: true,
            moves: Some(puzzle.moves),
            steps: Some(puzzle.steps),
            vehicles: puzzle.vehicles(),
            cars: puzzle.cars,
            trucks: puzzle.trucks,
            free_cells: puzzle.free_cells,
            line_kinds: Some(listing::kinds(puzzle.line_kinds, catalogue.space())),
            cluster_boards: puzzle.cluster_boards(),
            goal_boards: puzzle.goal_boards().into(),
            hardest_boards: puzzle.hardest_boards().into(),
            optimal_solutions: u128::from(puzzle.optimal_solutions).into(),
            optimal_first_moves: puzzle.optimal_first_moves,
            moving_vehicles: puzzle.moving_vehicles,
            branching: Some(puzzle.branching()),
            minimal: true,
            hardest: true,
            cluster_puzzle: Some(puzzle.board.clone()),
            interesting: true,
            classic: puzzle.classic,
            rush: puzzle.rush,
            solution: Some(puzzle.solution.split(' ').map(str::to_owned).collect()),
            moves_histogram: puzzle.histogram.iter().map(|&count| count.into()).collect(),
            catalogue: Some(catalogue.contents()),
        })
    }

    fn of_board(board: Board, features: Features, id: Option<u64>) -> Sheet {
        let notation = |moves: &Vec<_>| moves.iter().map(|&mv| board.notation(mv)).collect();
        Sheet {
            id,
            size: board.size(),
            solvable: features.moves.is_some(),
            moves: features.moves,
            steps: features.steps,
            vehicles: features.vehicles,
            cars: features.cars,
            trucks: features.trucks,
            free_cells: features.free_cells,
            line_kinds: (features.line_kinds.zip(Space::of_size(board.size())))
                .map(|(kinds, space)| listing::kinds(kinds, &space)),
            cluster_boards: features.cluster_boards,
            goal_boards: features.goal_boards(),
            hardest_boards: features.hardest_boards(),
            optimal_solutions: features.optimal_solutions.into(),
            optimal_first_moves: features.optimal_first_moves,
            moving_vehicles: features.moving_vehicles,
            branching: (features.moves.filter(|&moves| moves > 0))
                .map(|moves| f64::from(features.possible_moves) / f64::from(moves)),
            minimal: features.minimal,
            hardest: features.hardest,
            cluster_puzzle: features.puzzle.as_ref().map(Board::text),
            interesting: features.interesting,
            classic: features.classic,
            rush: features.rush,
            solution: features.solution.as_ref().map(notation),
            moves_histogram: features.histogram,
            catalogue: None,
            board,
        }
    }

    fn in_words(&self) -> String {
        let mut text = terminal::board(&self.board, output::colour());
        text += &format!("{}\n\n", self.title());
        for (name, value) in self.lines() {
            text += &format!("{name:<20} {value}\n");
        }
        if !self.moves_histogram.is_empty() {
            text += &format!("\n{:>5} {:>10}  boards of the cluster\n", "moves", "boards");
        }
        let most = self.moves_histogram.iter().copied().max().unwrap_or(0).max(1);
        for (distance, &count) in self.moves_histogram.iter().enumerate() {
            let bar = terminal::bar(count as f64 / most as f64, BAR);
            let line = format!("{distance:>5} {:>10}  {bar}", HumanCount(count).to_string());
            text += &format!("{}\n", line.trim_end());
        }
        if let Some(solution) = self.solution.as_ref().filter(|solution| !solution.is_empty()) {
            text += "\n";
            text += &output::wrapped(solution.iter().map(String::as_str), output::width());
        }
        text
    }

    /// What it is: a puzzle of the catalogue, or how far it is from being one.
    fn title(&self) -> String {
        let size = self.size;
        let is_puzzle = self.cluster_puzzle.as_deref() == Some(&self.board.text());
        match (self.id, &self.cluster_puzzle) {
            (Some(id), _) if is_puzzle && self.interesting => {
                let rules = match (self.classic, self.rush) {
                    (_, true) => "all, classic, rush",
                    (true, _) => "all, classic",
                    _ => "all",
                };
                format!("Puzzle {id} of {size}×{size} (rules: {rules}).")
            }
            (_, None) => "Unsolvable.".to_owned(),
            (_, Some(_)) if is_puzzle && self.interesting => {
                "The puzzle of its cluster, outside the catalogue.".to_owned()
            }
            (_, Some(_)) if is_puzzle => {
                "The puzzle of its cluster; no hardest board of that is minimal.".to_owned()
            }
            (_, Some(puzzle)) => format!("Not the puzzle of its cluster, which is {puzzle}."),
        }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let number = |count: u64| HumanCount(count).to_string();
        let distance = |distance: Option<u32>| distance.map_or("none".to_owned(), |d| d.to_string());
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let mut lines = Vec::new();
        if let Some(id) = self.id {
            lines.push(("id", id.to_string()));
        }
        lines.extend([
            ("moves", distance(self.moves)),
            ("steps", distance(self.steps)),
            ("vehicles", format!("{}: {} cars, {} trucks", self.vehicles, self.cars, self.trucks)),
            ("free cells", self.free_cells.to_string()),
        ]);
        if let Some(kinds) = &self.line_kinds {
            lines.push(("kinds of lines", kinds.join("  ")));
        }
        lines.push(("boards in cluster", number(self.cluster_boards)));
        let Some(branching) = self.branching else { return lines };
        lines.extend([
            ("  solved", number(self.goal_boards)),
            ("  hardest", number(self.hardest_boards)),
            ("optimal solutions", self.optimal_solutions.to_string()),
            ("optimal first moves", self.optimal_first_moves.to_string()),
            ("moving vehicles", self.moving_vehicles.to_string()),
            ("branching", format!("{branching:.2} possible moves a board")),
            ("minimal", yes(self.minimal)),
            ("hardest of cluster", yes(self.hardest)),
        ]);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_digits() {
        assert_eq!(id("7207405423"), Some(Some(7_207_405_423)));
        assert_eq!(id(" 7,207,405_423 "), Some(Some(7_207_405_423)));
        assert_eq!(id("7'207'405'423"), Some(Some(7_207_405_423)));
        assert_eq!(id("99999999999999999999"), Some(None));
        for board in ["..B.AAB.........", "", ",", "7B"] {
            assert_eq!(id(board), None, "{board}");
        }
    }
}
