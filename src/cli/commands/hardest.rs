//! `tailback hardest`: the hardest puzzles, drawn side by side.

use clap::Args;
use indicatif::HumanCount;
use tailback::board::Metric;
use tailback::catalogue::{Column, Puzzle, Query, Sort};
use tailback::render::terminal;

use crate::shared::listing::{self, Format};
use crate::shared::{Filters, Global, Result, filters, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback hardest                              the ten hardest, in moves
  tailback hardest --by steps --limit 3
  tailback hardest --vehicles ..8               the hardest with few vehicles
  tailback hardest --distinct --limit 100       no two alike
  tailback hardest --limit 1000 --format rush > hardest.txt

";

/// Show the hardest puzzles of the catalogue
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}{}", filters::HELP))]
pub struct Hardest {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// What makes a puzzle hard; the other metric decides between equals
    #[arg(long, value_name = "METRIC", default_value = "moves", value_parser = crate::shared::options::metric())]
    by: Metric,
    /// No two alike: they differ by more than N vehicles (added, removed or shifted) and are of
    /// different families, mirror images included [default N: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    distinct: Option<u32>,
    /// A form for machines
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<Format>,
    #[command(flatten)]
    filters: Filters,
}

impl Hardest {
    pub fn run(&self, global: &Global) -> Result<()> {
        interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
        let order = match self.by {
            Metric::Moves => [Column::Moves, Column::Steps],
            Metric::Steps => [Column::Steps, Column::Moves],
        };
        let sort = order.map(Sort::falling).into();
        let (catalogue, query) = self.filters.ask(global)?;
        let query = Query { sort, limit: Some(self.limit), distinct: self.distinct, ..query };
        let puzzles = catalogue.select(&query)?;
        let rules = self.filters.rules();
        let Some(puzzles) = listing::machines(global, self.format, &catalogue, rules, puzzles)? else {
            return Ok(());
        };
        if puzzles.len() == 0 {
            return Ok(output::text("No puzzle matches.\n")?);
        }
        let drawings = puzzles.enumerate().map(|(index, puzzle)| drawing(index + 1, &puzzle?));
        let drawings = drawings.collect::<Result<Vec<String>>>()?;
        Ok(output::text(&terminal::side_by_side(&drawings, output::width()))?)
    }
}

/// The board and what is most asked about it.
fn drawing(place: usize, puzzle: &Puzzle) -> Result<String> {
    let board = puzzle.board()?;
    Ok(format!(
        "{}{place}. {} moves\n{} steps\n{} vehicles\ncluster {}\nid {}\n",
        terminal::board(&board, output::colour()),
        puzzle.moves(),
        puzzle.steps(),
        puzzle.number(Column::Vehicles),
        HumanCount(puzzle.number(Column::ClusterBoards)),
        puzzle.id(),
    ))
}
