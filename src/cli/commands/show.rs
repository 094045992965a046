//! `tailback show`: all that is known of one puzzle, or of any board.

use clap::Args;
use indicatif::HumanCount;
use serde::ser::{Serialize, SerializeMap, Serializer};
use tailback::board::Board;
use tailback::catalogue::{Catalogue, Column, Contents, Features, Puzzle, Value};
use tailback::cluster::{self, Bounds};
use tailback::probe::Prober;
use tailback::render::terminal;

use crate::cli::shared::interrupt::{self, Signal};
use crate::cli::shared::{Failure, Global, Result, filters, listing, output};

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
struct Sheet {
    board: Board,
    /// What the columns say, in their order.
    values: Vec<Value>,
    minimal: bool,
    /// No board of the cluster is harder.
    hardest: bool,
    /// The puzzle of the cluster; none if that is unsolvable.
    cluster_puzzle: Option<String>,
    interesting: bool,
    /// Where the row is from; none if it was computed on the spot.
    catalogue: Option<Contents>,
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.board.size();
        let mut object = serializer.serialize_map(None)?;
        for column in Column::shown() {
            let told = listing::Told { column, value: self.value(column), size };
            object.serialize_entry(column.name(), &told)?;
            match column {
                Column::Id => object.serialize_entry("size", &size)?,
                Column::Board => object.serialize_entry("solvable", &self.is_solvable())?,
                Column::Branching => {
                    object.serialize_entry("minimal", &self.minimal)?;
                    object.serialize_entry("hardest", &self.hardest)?;
                    object.serialize_entry("cluster_puzzle", &self.cluster_puzzle)?;
                    object.serialize_entry("interesting", &self.interesting)?;
                }
                _ => {}
            }
        }
        object.serialize_entry("catalogue", &self.catalogue)?;
        object.end()
    }
}

impl Show {
    pub fn run(&self, global: &Global) -> Result<()> {
        let sheet = match id(&self.what) {
            Some(id) => self.row(id, global)?,
            None => self.computed(global)?,
        };
        Ok(output::tell(global, &sheet, || sheet.in_words())?)
    }

    fn row(&self, id: Option<u64>, global: &Global) -> Result<Sheet> {
        let catalogue = filters::open(global, self.size)?;
        let found = id.map(|id| catalogue.find(id)).transpose()?.flatten();
        match found {
            Some(puzzle) => Sheet::of_puzzle(&puzzle, &catalogue),
            None => Err(self.unknown(catalogue.contents())),
        }
    }

    /// The catalogue has no such puzzle.
    fn unknown(&self, of: Contents) -> Failure {
        let Show { what, size, .. } = self;
        let fact = format!("the {} catalogue of {size}×{size} puzzles has no puzzle {what}", of.name());
        Failure::failed(fact).advise(match of {
            Contents::Complete => {
                "`tailback puzzles` lists those it has, and --size chooses another catalogue"
            }
            Contents::Starter => "the complete one may have it: `tailback build` makes it",
        })
    }

    fn computed(&self, global: &Global) -> Result<Sheet> {
        let board = Board::parse_with_primary(&self.what, self.primary)?;
        interrupt::listen("stopping")?;
        let features = Features::of(&board, Bounds { observer: &Signal, ..self.limit.into() })?;
        let prober = Prober::new(&global.db);
        let rank = prober.session().rank(&board)?;
        Ok(Sheet::of_board(Features { id: rank.map(|rank| rank.0), ..features }))
    }
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
    fn of_puzzle(puzzle: &Puzzle, catalogue: &Catalogue) -> Result<Sheet> {
        Ok(Sheet {
            board: Board::parse(puzzle.board())?,
            values: Column::ALL.iter().map(|&column| puzzle.value(column).clone()).collect(),
            minimal: true,
            hardest: true,
            cluster_puzzle: Some(puzzle.board().to_owned()),
            interesting: true,
            catalogue: Some(catalogue.contents()),
        })
    }

    fn of_board(features: Features) -> Sheet {
        Sheet {
            values: Column::ALL.iter().map(|column| column.of(&features)).collect(),
            minimal: features.minimal,
            hardest: features.hardest,
            cluster_puzzle: features.puzzle.as_ref().map(Board::text),
            interesting: features.interesting,
            catalogue: None,
            board: features.board,
        }
    }

    fn value(&self, column: Column) -> &Value {
        &self.values[column as usize]
    }

    fn is_solvable(&self) -> bool {
        *self.value(Column::Moves) != Value::None
    }

    fn has(&self, flag: Column) -> bool {
        *self.value(flag) == Value::from(true)
    }

    fn in_words(&self) -> String {
        let mut text = terminal::board(&self.board, output::colour());
        text += &format!("{}\n\n", self.title());
        for (name, value) in self.lines() {
            text += &format!("{name:<20} {value}\n");
        }
        let histogram = match self.value(Column::MovesHistogram) {
            Value::Counts(counts) => &counts[..],
            _ => &[],
        };
        if !histogram.is_empty() {
            text += &format!("\n{:>5} {:>10}  boards of the cluster\n", "moves", "boards");
        }
        let most = histogram.iter().copied().max().unwrap_or(0).max(1);
        for (distance, &count) in histogram.iter().enumerate() {
            let bar = terminal::bar(count as f64 / most as f64, BAR);
            let line = format!("{distance:>5} {:>10}  {bar}", HumanCount(count).to_string());
            text += &format!("{}\n", line.trim_end());
        }
        if let Value::Text(solution) = self.value(Column::Solution)
            && !solution.is_empty()
        {
            text += "\n";
            text += &output::wrapped(solution.split(' '), output::width());
        }
        text
    }

    /// What it is: a puzzle of the catalogue, or how far it is from being one.
    fn title(&self) -> String {
        let size = self.board.size();
        let is_puzzle = self.cluster_puzzle.as_deref() == Some(&self.board.text());
        match (self.value(Column::Id), &self.cluster_puzzle) {
            (Value::Whole(id), _) if is_puzzle && self.interesting => {
                let rules = match (self.has(Column::Classic), self.has(Column::Rush)) {
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

    /// The columns that have a line, and what they say.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let is_open = *self.value(Column::Branching) != Value::None;
        let mut lines = Vec::new();
        for &column in Column::ALL {
            // The columns behind the cluster's boards are about the way to the exit.
            let Some(label) = column.about().label.filter(|_| is_open || column <= Column::ClusterBoards)
            else {
                continue;
            };
            let value = self.value(column);
            let words = match (column, value) {
                (Column::Moves | Column::Steps, Value::None) => "none".to_owned(),
                (_, Value::None) => continue,
                (Column::Vehicles, vehicles) => {
                    let (cars, trucks) = (self.value(Column::Cars), self.value(Column::Trucks));
                    format!("{vehicles}: {cars} cars, {trucks} trucks")
                }
                (Column::LineKinds, Value::Whole(bits)) => {
                    listing::kinds(*bits, self.board.size()).join("  ")
                }
                (_, Value::Whole(number)) if column.about().unit == "boards" => {
                    HumanCount(u64::try_from(*number).unwrap_or(u64::MAX)).to_string()
                }
                (_, Value::Real(number)) => format!("{number:.2} {}", column.about().unit),
                (_, value) => value.to_string(),
            };
            lines.push((label, words));
        }
        if is_open {
            let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
            lines.push(("minimal", yes(self.minimal)));
            lines.push(("hardest of cluster", yes(self.hardest)));
        }
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
