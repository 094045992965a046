//! Which puzzle a command of the laboratory is about.

use std::sync::Arc;

use clap::Args;
use tailback::board::Metric;
use tailback::puzzles::{self, Oracle, PUZZLES, Puzzle, Settings};

use super::{Failure, Result};

#[derive(Args)]
pub struct PuzzleOption {
    #[arg(long = "puzzle", value_name = "NAME", default_value = PUZZLES[0].name(), value_parser = named, help = help())]
    pub named: &'static dyn Puzzle,
}

fn help() -> String {
    let others = PUZZLES[1..].iter().map(|puzzle| format!("{} is {}", puzzle.name(), puzzle.about()));
    format!("The puzzle: {}", others.collect::<Vec<_>>().join(", "))
}

fn named(name: &str) -> Result<&'static dyn Puzzle, String> {
    puzzles::named(name).map_err(|error| error.to_string())
}

impl PuzzleOption {
    /// The puzzle, ready to read instances.
    pub fn open(&self, metric: Metric, settings: Settings) -> Result<Arc<dyn Oracle>> {
        let name = self.named.name();
        if !self.named.metrics().contains(&metric) {
            return Err(Failure::misused(format!("{name} has no distances in {metric}: leave --metric out")));
        }
        if settings.primary.is_some() && !self.named.has_boards() {
            return Err(Failure::misused(format!("{name} has no primary: leave --primary out")));
        }
        let known = |wanted: &&&str| !self.named.variants().iter().any(|(known, _)| known == *wanted);
        if let Some(wanted) = settings.variants.iter().find(known) {
            return Err(Failure::misused(format!("{name} has no rule {wanted}")));
        }
        Ok(self.named.open(Settings { metric, ..settings })?)
    }
}
