//! `tailback build`: makes the table and the catalogue, or goes on with them.

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use tailback::board::Metric;
use tailback::pipeline::CHECKPOINT_EVERY;
use tailback::table::DEFAULT_LEVEL;
use tailback::{catalogue, table};

use crate::cli::shared::options::{Metrics, metrics, size};
use crate::cli::shared::{Failure, Global, Result, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback build                            6×6: the table in moves, then the catalogue
  tailback build --only table               the table alone
  tailback build --size 5 --metric both     5×5: both tables, then the catalogue
  tailback build --threads 1 --level 12     one core, a smaller table

The catalogue is made from the table in moves, so `--metric steps` makes the
table in steps alone. What is there already is not made again.

Stop it with Ctrl-C or kill it: the same command goes on from there.
The folder is the one of --db. Without a terminal, progress is a line
every five seconds on standard error.";

/// Build the table of all boards of a size and the catalogue of its puzzles
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Build {
    /// Rows and columns of the boards
    #[arg(long, default_value = "6", value_parser = size())]
    size: usize,
    /// What a distance in the table counts [default: moves]
    #[arg(long, value_parser = metrics())]
    metric: Option<Metrics>,
    /// Build one of the two, not both
    #[arg(long, value_enum)]
    only: Option<Product>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[arg(
        long,
        value_name = "L",
        value_parser = clap::value_parser!(i32).range(1..=19),
        help = format!("Level of the zstd compression, 1 to 19 [default: {DEFAULT_LEVEL}]")
    )]
    level: Option<i32>,
    /// Seconds between two checkpoints: at most this much work is lost
    #[arg(long, value_name = "SECONDS", default_value_t = CHECKPOINT_EVERY.as_secs_f64(), value_parser = seconds)]
    checkpoint: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0 to 3600".to_owned()),
    }
}

/// What a build makes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Product {
    /// The distance of every board
    Table,
    /// Every interesting puzzle
    Catalogue,
}

/// What was made, or was there; some of it is about one of the two.
#[derive(Serialize)]
struct Summary {
    product: Product,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<Metric>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<i32>,
    path: String,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzles: Option<u64>,
    boards: u64,
    resumed: u64,
    already_built: bool,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    boards_per_second: Option<u64>,
}

impl Build {
    pub fn run(&self, global: &Global) -> Result<()> {
        Failure::refuse([(
            self.only == Some(Product::Catalogue) && (self.metric.is_some() || self.level.is_some()),
            "--metric and --level are about tables, and --only catalogue makes none",
        )])?;
        interrupt::listen("stopping when the work in hand is stored; once more to stop at once")?;
        let metrics = self.metric.as_ref().map_or(&[Metric::Moves][..], |metrics| &metrics.0);
        if self.only != Some(Product::Catalogue) {
            for &metric in metrics {
                self.table(global, metric)?;
            }
        }
        if self.only != Some(Product::Table) && metrics.contains(&Metric::Moves) {
            self.catalogue(global)?;
        }
        Ok(())
    }

    fn table(&self, global: &Global, metric: Metric) -> Result<()> {
        let mut plan = table::Plan::new(global.new_db(), self.size, metric);
        plan.level = self.level.unwrap_or(DEFAULT_LEVEL);
        plan.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        plan.threads = self.threads.map_or(plan.threads, usize::from);
        let started = Instant::now();
        let report = Watch::over(|watch| table::build(&plan, watch))?;
        let seconds = started.elapsed().as_secs_f64();
        let done = report.boards - report.resumed;
        let summary = Summary {
            product: Product::Table,
            size: self.size,
            metric: Some(metric),
            level: Some(report.level),
            path: report.path.display().to_string(),
            bytes: report.bytes,
            puzzles: None,
            boards: report.boards,
            resumed: report.resumed,
            already_built: report.already_built,
            seconds,
            boards_per_second: Some((done as f64 / seconds.max(1e-9)) as u64),
        };
        Ok(output::tell(global, &summary, || summary.in_words(self.level))?)
    }

    fn catalogue(&self, global: &Global) -> Result<()> {
        let mut plan = catalogue::Plan::new(global.new_db(), self.size);
        plan.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        plan.threads = self.threads.map_or(plan.threads, usize::from);
        let started = Instant::now();
        let report = Watch::over(|watch| catalogue::build(&plan, watch))?;
        let summary = Summary {
            product: Product::Catalogue,
            size: self.size,
            metric: None,
            level: None,
            path: report.path.display().to_string(),
            bytes: report.bytes,
            puzzles: Some(report.puzzles),
            boards: report.boards,
            resumed: report.resumed,
            already_built: report.already_built,
            seconds: started.elapsed().as_secs_f64(),
            boards_per_second: None,
        };
        Ok(output::tell(global, &summary, || summary.in_words(None))?)
    }
}

impl Summary {
    /// What was done, for someone who wanted this level.
    fn in_words(&self, wanted: Option<i32>) -> String {
        let Summary { path, size, seconds, .. } = self;
        let (boards, bytes) = (HumanCount(self.boards), HumanBytes(self.bytes));
        let what = match self.metric {
            Some(metric) => {
                let bits = 8.0 * self.bytes as f64 / self.boards as f64;
                format!("{boards} boards of {size}×{size} in {metric}, {bytes} ({bits:.3} bit a board)")
            }
            None => format!("{} puzzles of {size}×{size}, {bytes}", HumanCount(self.puzzles.unwrap_or(0))),
        };
        let done = match (wanted, self.level) {
            (Some(wanted), Some(level)) if self.already_built && wanted != level => format!(
                "It was built already, at level {level}; nothing to do (delete the file to build it anew)"
            ),
            _ if self.already_built => "It was built already; nothing to do".to_owned(),
            _ => {
                let speed = self.boards_per_second.map(|n| format!(", {} boards a second", HumanCount(n)));
                let earlier = (self.resumed > 0)
                    .then(|| format!("; {} boards were there from an earlier run", HumanCount(self.resumed)));
                format!("Built in {seconds:.1} s{}{}", speed.unwrap_or_default(), earlier.unwrap_or_default())
            }
        };
        format!("{path}: {what}\n{done}.\n")
    }
}
