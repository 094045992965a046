//! The command line of Tailback: [`commands`], one file each, and what they share.

mod commands;
mod shared;

use std::process::ExitCode;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::*;
use shared::{Failure, Global, Result};

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
  tailback compare --plot searches.png   A* with five heuristics on the 40 cards
  tailback serve --open                the explorer in your browser
  tailback export hh-evolver --count 100000 --heuristics all --out boards.csv

Exit codes:
  0  done; that a board is unsolvable is an answer too
  1  an error: no such table, a damaged table, a failed check, a full disk, …
  2  wrong usage, a board that cannot be read, a move that cannot be played
  3  interrupted: a build goes on with the same command, an export leaves no file,
     other work reports its results so far";

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(cli.global.json),
    }
}

/// Rush Hour, solved: every board's distance to the exit, every interesting puzzle.
#[derive(Parser)]
#[command(name = "tailback", version, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What there is to do, in the order of the help; the last two ask about the
/// program itself.
macro_rules! commands {
    ($($name:ident($options:ty)),* $(,)?) => {
        #[derive(Subcommand)]
        enum Command {
            $($name($options),)*
            Completions(completions::Completions),
            Man(man::Manual),
        }

        impl Cli {
            fn run(&self) -> Result<()> {
                match &self.command {
                    $(Command::$name(command) => command.run(&self.global),)*
                    Command::Completions(command) => command.run(program()),
                    Command::Man(command) => command.run(program()),
                }
            }
        }
    };
}

commands!(
    Build(build::Build),
    Lookup(lookup::Lookup),
    Solve(solve::Solve),
    Hint(hint::Hint),
    Grade(grade::Grade),
    Compare(compare::Compare),
    Hardest(hardest::Hardest),
    Puzzles(puzzles::Puzzles),
    Pack(pack::Pack),
    Show(show::Show),
    Render(render::Render),
    Import(import::Import),
    ImportDataset(import_dataset::ImportDataset),
    Export(Box<export::Export>),
    Stats(stats::Stats),
    Heuristics(heuristics::Heuristics),
    Evolve(evolve::Evolve),
    Serve(serve::Serve),
    Verify(verify::Verify),
    Survey(survey::Survey),
    Plan(plan::MakePlan),
    Status(status::TellStatus),
    Merge(merge::Merge),
);

/// Words of the help that have a meaning of their own.
const WORDS: &str = "\
Words:
  move      a vehicle slides any number of cells
  step      a vehicle slides one cell: a move of three cells is three steps
  distance  the fewest moves, or steps, until the red car touches the right edge
  primary   the red car: of two cells, in a row
  cluster   all boards that moves reach from a board
  family    the same lengths in the same order in every row and column; moves never leave it
  puzzle    the first minimal one of the hardest boards of a cluster
  minimal   without any one vehicle its solution would be shorter
  starter   the few puzzles that come with the program, as long as no catalogue is built";

/// The program and its commands: `-h` lists the options, `--help` has examples and
/// explains words.
fn program() -> clap::Command {
    long_help(Cli::command()).mut_subcommands(long_help)
}

fn long_help(command: clap::Command) -> clap::Command {
    let command = match command.has_subcommands() && command.get_name() != "tailback" {
        true => command.mut_subcommands(long_help),
        false => command,
    };
    match command.get_after_help().cloned() {
        None => command,
        Some(examples) => {
            let long = format!("{}\n\n{WORDS}", examples.to_string().trim_end());
            command.after_help(Resettable::Reset).after_long_help(long)
        }
    }
}

impl Cli {
    /// Reads the arguments of the program. What is wrong with them is reported, as JSON
    /// if they ask for that.
    fn read() -> Result<Cli, ExitCode> {
        let read = program().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
        match read {
            Ok(cli) => {
                if cli.global.quiet {
                    shared::output::be_quiet();
                }
                Ok(cli)
            }
            Err(error) if error.use_stderr() && std::env::args_os().any(|arg| arg == "--json") => {
                Err(Failure::misused(told(&error)).report(true))
            }
            Err(error) => error.exit(),
        }
    }
}

/// What is wrong with the arguments, without the reminder of their usage.
fn told(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let lines = text.lines().take_while(|line| !line.starts_with("Usage:")).map(str::trim);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}
