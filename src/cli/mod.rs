//! The command line: [`commands`], one file each, and what they share.

mod commands;
pub mod shared;

use clap::{CommandFactory, Parser, Subcommand};
use commands::*;
use shared::{Global, Result};

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

/// What there is to do, in the order of the help; `completions` alone asks about
/// the program itself.
macro_rules! commands {
    ($($name:ident($options:ty)),* $(,)?) => {
        #[derive(Subcommand)]
        enum Command {
            $($name($options),)*
            Completions(completions::Completions),
        }

        impl Cli {
            pub fn run(&self) -> Result<()> {
                match &self.command {
                    $(Command::$name(command) => command.run(&self.global),)*
                    Command::Completions(command) => command.run(Cli::command()),
                }
            }
        }
    };
}

commands!(
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
    Evolve(evolve::Evolve),
    Verify(verify::Verify),
);
