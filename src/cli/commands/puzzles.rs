//! `tailback puzzles`: the puzzles of the catalogue, filtered, sorted, counted.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;
use tailback::answers::{Head, Matching};
use tailback::catalogue::{Column, Query, Sort, Sorting, write_starter};

use crate::shared::listing::{self, Format};
use crate::shared::{Filters, Global, Result, filters, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback puzzles --moves 20..30 --vehicles ..9
  tailback puzzles --solutions 1 --sort -moves --limit 5
  tailback puzzles --inventory 12,4 --random --seed 7 --limit 100 --format jsonl
  tailback puzzles --rules all --having-kind 3,3 --count
  tailback puzzles --rules rush --format rush > list.txt

";
/// Characters in a line of the help.
const WIDTH: usize = 78;

fn help() -> String {
    let sort = format!(
        "--sort takes up to four of: {}. A minus before a name puts the largest first; equals come by rising id.",
        Column::sorts().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
    );
    format!("{EXAMPLES}{}\n{}", output::wrapped(sort.split(' '), WIDTH), filters::HELP)
}

/// How many puzzles people get without --limit.
const FOR_PEOPLE: usize = 20;

/// List the puzzles of the catalogue that match
#[derive(Args)]
#[command(after_help = help())]
pub struct Puzzles {
    /// Print how many match, and nothing else
    #[arg(long, conflicts_with_all = ["limit", "sort", "random", "format"])]
    count: bool,
    #[arg(long, value_name = "N", help = format!(
        "At most so many [default: {FOR_PEOPLE}; with --format or --json all]"
    ))]
    limit: Option<usize>,
    /// What to sort by, such as -moves,vehicles [default: -moves; with --random as drawn]
    #[arg(long, value_name = "NAMES", allow_hyphen_values = true)]
    sort: Option<Sorting>,
    /// Draw at random: all that match are equally likely
    #[arg(long)]
    random: bool,
    /// The random seed: the same seed draws the same puzzles
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    seed: u64,
    /// No two alike: they differ by more than N vehicles (added, removed or shifted) and are of
    /// different families, mirror images included [default N: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    distinct: Option<u32>,
    /// A form for machines
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<Format>,
    /// Write the starter catalogue that is part of the program
    #[arg(long, value_name = "FILE", hide = true)]
    export_starter: Option<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

impl Puzzles {
    pub fn run(&self, global: &Global) -> Result<()> {
        interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
        let (catalogue, query) = self.filters.ask(global)?;
        let query = Query { distinct: self.distinct, ..query };
        if let Some(path) = &self.export_starter {
            return Ok(write_starter(&catalogue, path)?);
        }
        let rules = self.filters.rules();
        if self.count {
            let count = match self.distinct {
                None => catalogue.count(&query)?,
                Some(_) => catalogue.select(&query)?.len(),
            };
            let told = Matching { head: Head::new(&catalogue, rules), count };
            return Ok(output::tell(global, &told, || format!("{count}\n"))?);
        }
        let for_people = self.format.is_none() && !global.json;
        let usual = if self.random { Vec::new() } else { vec![Sort::falling(Column::Moves)] };
        let query = Query {
            sort: self.sort.as_ref().map_or(usual, |order| order.0.clone()),
            limit: self.limit.or(for_people.then_some(FOR_PEOPLE)),
            random: self.random.then_some(self.seed),
            ..query
        };
        let puzzles = catalogue.select(&query)?;
        let Some(puzzles) = listing::machines(global, self.format, &catalogue, rules, puzzles)? else {
            return Ok(());
        };
        let matching = puzzles.matching();
        let shown = puzzles.len();
        if shown > 0 {
            output::text(&format!("{}\n", line(|_, heading| heading)))?;
        }
        for puzzle in listing::until_stopped(puzzles) {
            let puzzle = puzzle?;
            output::text(&format!("{}\n", line(|column, _| puzzle.value(column))))?;
        }
        let [some, all] = [shown, matching].map(|count| HumanCount(count as u64));
        Ok(output::text(&match (shown, matching) {
            (_, 0) => "No puzzle matches.\n".to_owned(),
            (_, 1) if shown == 1 => "1 puzzle.\n".to_owned(),
            _ if shown == matching => format!("{all} puzzles.\n"),
            _ if self.distinct.is_some() => {
                format!("{some} distinct of {all} puzzles; --limit N shows more.\n")
            }
            _ => format!("{some} of {all} puzzles; --limit N shows more.\n"),
        })?)
    }
}

/// A line of the list: numbers to the right, then the board.
fn line<T: ToString>(cell: impl Fn(Column, &'static str) -> T) -> String {
    let (mut numbers, mut texts) = (String::new(), String::new());
    for &column in Column::ALL {
        let Some((heading, width)) = column.about().heading else { continue };
        let cell = cell(column, heading).to_string();
        match column.about().holds.is_number() {
            true => numbers += &format!("{cell:>width$} "),
            false => texts += &format!(" {cell:width$}"),
        }
    }
    numbers + &texts
}
