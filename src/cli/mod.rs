//! The commands: one file each, and what they share.

mod audit;
mod batch;
mod boards;
mod build;
mod compare;
mod completions;
pub mod exit;
mod export;
mod filters;
mod finder;
mod grade;
mod hardest;
mod heuristics;
mod import;
mod import_dataset;
mod interrupt;
mod limits;
mod list;
mod listing;
mod lookup;
mod output;
mod picture;
mod progress;
mod puzzles;
mod quality;
mod render;
mod search;
mod searched;
mod seen;
mod show;
mod solve;
mod stats;
mod threads;
mod verify;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use tailback::board::Metric;
use tailback::table::{TableError, file_name};

const EXAMPLES: &str = "\
Examples:
  tailback build                       every 6×6 board, then every puzzle
  tailback lookup BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo
  tailback solve --boards '..B. AAB. .... ....'
  tailback solve - < boards.txt        one board a line, one JSON object a line
  tailback hardest                     the hardest puzzles, side by side
  tailback puzzles --moves 20..30 --vehicles ..9
  tailback render --solution '..B. AAB. .... ....' -o way.png
  tailback stats --plot distances.png
  tailback compare --plot searches.png A* with five heuristics on the 40 cards
  tailback export hh-evolver --count 100000 --heuristics all --out boards.csv

Exit codes:
  0  done; that a board is unsolvable is an answer too
  1  an error: no such table, a damaged table, a failed check, a full disk, …
  2  wrong usage, a board that cannot be read, a move that cannot be played
  3  interrupted: a build goes on with the same command, an export leaves no file,
     other work tells what it knows";

/// Rush Hour, solved: every board's distance to the exit, every interesting puzzle.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Args)]
pub struct Global {
    /// The folder of the tables and catalogues
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        default_value = "db",
        env = "TAILBACK_DB",
        display_order = 100
    )]
    pub db: PathBuf,
    /// Print JSON, errors too
    #[arg(long, global = true, display_order = 101)]
    pub json: bool,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Build),
    Lookup(lookup::Lookup),
    Solve(solve::Solve),
    Grade(grade::Grade),
    Compare(compare::Compare),
    Hardest(hardest::Hardest),
    Puzzles(puzzles::Puzzles),
    Show(show::Show),
    Render(render::Render),
    Import(import::Import),
    ImportDataset(import_dataset::ImportDataset),
    Export(Box<export::Export>),
    Stats(stats::Stats),
    Heuristics(heuristics::Heuristics),
    Verify(verify::Verify),
    Completions(completions::Completions),
}

impl Cli {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.command {
            Command::Build(command) => command.run(&self.global),
            Command::Lookup(command) => command.run(&self.global),
            Command::Solve(command) => command.run(&self.global),
            Command::Grade(command) => command.run(&self.global),
            Command::Compare(command) => command.run(&self.global),
            Command::Hardest(command) => command.run(&self.global),
            Command::Puzzles(command) => command.run(&self.global),
            Command::Show(command) => command.run(&self.global),
            Command::Render(command) => command.run(&self.global),
            Command::Import(command) => command.run(&self.global),
            Command::ImportDataset(command) => command.run(&self.global),
            Command::Export(command) => command.run(&self.global),
            Command::Stats(command) => command.run(&self.global),
            Command::Heuristics(command) => command.run(&self.global),
            Command::Verify(command) => command.run(&self.global),
            Command::Completions(command) => command.run(),
        }
    }
}

/// Reads `moves` or `steps`, and lists both in the help.
fn metric() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(["moves", "steps"]).map(|name| name.parse().expect("both are metrics"))
}

/// Reads the size of a tabulated board.
fn size() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["4", "5", "6"]).map(|size| size.parse().expect("all are numbers"))
}

/// A table that cannot be used, by name.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .path.display())]
struct BadTable {
    path: PathBuf,
    error: TableError,
}

/// Says which table an error is about, where the error does not.
fn in_file(error: TableError, global: &Global, size: usize, metric: Metric) -> anyhow::Error {
    match error {
        TableError::Missing { .. }
        | TableError::Io { .. }
        | TableError::OtherSettings { .. }
        | TableError::DamagedPart { .. } => error.into(),
        _ => BadTable { path: global.db.join(file_name(size, metric)), error }.into(),
    }
}
