//! `tailback evolve`: heuristics bred on exact distances.

mod boards;
mod init;
mod report;
mod run;
mod status;

use clap::{Args, Subcommand};

use crate::shared::{Global, Result};

const EXAMPLES: &str = "\
Examples:
  tailback evolve init > policy.toml         a commented experiment to begin with
  tailback evolve run policy.toml --out policy
  tailback evolve resume policy              go on after Ctrl-C, or after a crash
  tailback evolve status policy
  tailback evolve boards --size 8            boards that are hard
  tailback evolve report policy              policy/report.html: charts, comparisons, the best
  tailback solve --algorithm wastar:2 --heuristic @policy/best.txt BOARD

docs/evolution.md describes the parts of an experiment.";

/// Breed heuristics on exact distances, for boards that no table reaches
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Evolve {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Init(init::Init),
    Run(run::Run),
    Resume(run::Resume),
    Status(status::Status),
    Boards(boards::Boards),
    Report(report::Report),
}

impl Evolve {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.command {
            Command::Init(init) => init.run(),
            Command::Run(run) => run.run(global),
            Command::Resume(resume) => resume.run(global),
            Command::Status(status) => status.run(global),
            Command::Boards(boards) => boards.run(global),
            Command::Report(report) => report.run(global),
        }
    }
}
