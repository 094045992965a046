//! `tailback show`: all that is known of one puzzle, or of any board.

use clap::Args;
use indicatif::HumanCount;
use serde::ser::{Serialize, SerializeMap, Serializer};
use tailback::answers::{Because, CellValue};
use tailback::board::Board;
use tailback::catalogue::{Catalogue, Column, Contents, Features, Puzzle, Value, kinds};
use tailback::cluster::{self, Bounds};
use tailback::lists;
use tailback::probe::Prober;
use tailback::render::terminal;
use tailback::space::SpaceId;

use crate::shared::interrupt::{self, Signal};
use crate::shared::{BoardReader, Global, Result, filters, output};

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
    #[arg(long, default_value = "6", value_parser = crate::shared::options::size())]
    size: usize,
    /// The letter of the car that has to reach the right edge [default: the only candidate]
    #[arg(long, value_name = "L")]
    primary: Option<char>,
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
    /// Why it is unsolvable, if it is.
    reason: Option<Because>,
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.board.size();
        let mut object = serializer.serialize_map(None)?;
        for column in Column::shown() {
            let told = CellValue { column, value: self.value(column), size };
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
        if let Some(reason) = &self.reason {
            object.serialize_entry("reason", reason)?;
        }
        object.end()
    }
}

impl Show {
    pub fn run(&self, global: &Global) -> Result<()> {
        let sheet = match lists::id(&self.what) {
            Some(id) => self.row(id, global)?,
            None => self.computed(global)?,
        };
        Ok(output::tell(global, &sheet, || sheet.in_words())?)
    }

    fn row(&self, id: u64, global: &Global) -> Result<Sheet> {
        let catalogue = filters::open(global, SpaceId::of_id(self.size, id))?;
        match catalogue.find(id)? {
            Some(puzzle) => Sheet::of_puzzle(&puzzle, &catalogue),
            None => Err(filters::unknown(catalogue.contents(), self.size, &self.what)),
        }
    }

    fn computed(&self, global: &Global) -> Result<Sheet> {
        let board = BoardReader::new(self.primary, None, global).argument(&self.what)?;
        interrupt::listen("stopping")?;
        let bounds = Bounds { observer: &Signal, ..self.limit.into() };
        let features = Features::of(&board, bounds)?;
        let prober = Prober::new(global.db());
        let mut session = prober.session();
        let id = session.rank(&board)?.map(|rank| SpaceId::of_board(&board).first_id() + rank.0);
        let reason = match features.moves.is_solvable() {
            true => None,
            false => session.reason(&board, bounds)?.map(Because::from),
        };
        Ok(Sheet { reason, ..Sheet::of_board(Features { id, ..features }) })
    }
}

impl Sheet {
    fn of_puzzle(puzzle: &Puzzle, catalogue: &Catalogue) -> Result<Sheet> {
        Ok(Sheet {
            board: puzzle.board()?,
            values: Column::ALL.iter().map(|&column| puzzle.value(column).clone()).collect(),
            minimal: true,
            hardest: true,
            cluster_puzzle: Some(puzzle.board_text().to_owned()),
            interesting: true,
            catalogue: Some(catalogue.contents()),
            reason: None,
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
            reason: None,
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
            let moves = solution.split(' ').filter_map(|mv| self.board.parse_move(mv).ok());
            text += &format!("\n{}", output::listed(moves.map(|mv| self.board.in_words(mv))));
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
            (_, None) => match &self.reason {
                Some(reason) => format!("Unsolvable: {}.", reason.text),
                None => "Unsolvable.".to_owned(),
            },
            (_, Some(_)) if is_puzzle && self.interesting => {
                "The puzzle of its cluster, outside the catalogue.".to_owned()
            }
            (_, Some(_)) if is_puzzle => {
                "The puzzle of its cluster; no hardest board of that is minimal.".to_owned()
            }
            (_, Some(puzzle)) => format!("Not the puzzle of its cluster. That is {puzzle}"),
        }
    }

    /// How many vehicles there are of each length.
    fn lengths(&self) -> String {
        let of = |length: u8| self.board.vehicles().iter().filter(|vehicle| vehicle.len == length).count();
        let told = |length: u8| match (of(length), length) {
            (0, 4..) => None,
            (1, 2) => Some("1 car".to_owned()),
            (1, 3) => Some("1 truck".to_owned()),
            (count, 2) => Some(format!("{count} cars")),
            (count, 3) => Some(format!("{count} trucks")),
            (count, length) => Some(format!("{count} of {length} cells")),
        };
        (2..=self.board.size() as u8).filter_map(told).collect::<Vec<_>>().join(", ")
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
                (Column::Vehicles, vehicles) => format!("{vehicles}: {}", self.lengths()),
                (Column::LineKinds, Value::Whole(bits)) => kinds(*bits, self.board.size()).join("  "),
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
