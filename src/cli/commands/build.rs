//! `tailback build`: makes the table and the catalogue, or goes on with them.

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use tailback::board::Metric;
use tailback::pipeline::CHECKPOINT_EVERY;
use tailback::table::DEFAULT_LEVEL;
use tailback::{catalogue, table};

use crate::cli::shared::failure::{Failure, Result};
use crate::cli::shared::options::Global;
use crate::cli::shared::progress::Watch;
use crate::cli::shared::{interrupt, output};

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
    #[arg(long, default_value = "6", value_parser = crate::cli::shared::options::size())]
    size: usize,
    /// What a distance in the table counts [default: moves]
    #[arg(long, value_enum)]
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

#[derive(Clone, Copy, ValueEnum)]
enum Metrics {
    Moves,
    Steps,
    Both,
}

impl Metrics {
    fn list(self) -> &'static [Metric] {
        match self {
            Metrics::Moves => &[Metric::Moves],
            Metrics::Steps => &[Metric::Steps],
            Metrics::Both => &[Metric::Moves, Metric::Steps],
        }
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

#[derive(Serialize)]
struct TableSummary {
    product: Product,
    size: usize,
    metric: Metric,
    level: i32,
    path: String,
    bytes: u64,
    boards: u64,
    resumed: u64,
    already_built: bool,
    seconds: f64,
    boards_per_second: u64,
}

#[derive(Serialize)]
struct CatalogueSummary {
    product: Product,
    size: usize,
    path: String,
    bytes: u64,
    puzzles: u64,
    boards: u64,
    resumed: u64,
    already_built: bool,
    seconds: f64,
}

impl Build {
    pub fn run(&self, global: &Global) -> Result<()> {
        if self.only == Some(Product::Catalogue) && (self.metric.is_some() || self.level.is_some()) {
            return Err(Failure::misused(
                "--metric and --level are about tables, and --only catalogue makes none",
            ));
        }
        interrupt::listen("stopping when the work in hand is stored; once more to stop at once")?;
        let metrics = self.metric.unwrap_or(Metrics::Moves).list();
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
        let mut plan = table::Plan::new(&global.db, self.size, metric);
        plan.level = self.level.unwrap_or(DEFAULT_LEVEL);
        plan.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        plan.threads = self.threads.map_or(plan.threads, usize::from);
        let watch = Watch::new();
        let report = table::build(&plan, &watch);
        watch.finish();
        let report = report?;
        let summary = TableSummary::new(&plan, &report, watch.started);
        if global.json {
            output::json(&summary)?
        } else {
            output::text(&summary.in_words(self.level))?
        }
        Ok(())
    }

    fn catalogue(&self, global: &Global) -> Result<()> {
        let mut plan = catalogue::Plan::new(&global.db, self.size);
        plan.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        plan.threads = self.threads.map_or(plan.threads, usize::from);
        let watch = Watch::new();
        let report = catalogue::build(&plan, &watch);
        watch.finish();
        let report = report?;
        let summary = CatalogueSummary {
            product: Product::Catalogue,
            size: plan.size,
            path: report.path.display().to_string(),
            bytes: report.bytes,
            puzzles: report.puzzles,
            boards: report.boards,
            resumed: report.resumed,
            already_built: report.already_built,
            seconds: watch.started.elapsed().as_secs_f64(),
        };
        if global.json {
            output::json(&summary)?
        } else {
            output::text(&summary.in_words())?
        }
        Ok(())
    }
}

impl CatalogueSummary {
    fn in_words(&self) -> String {
        let what = format!(
            "{}: {} puzzles of {size}×{size}, {}",
            self.path,
            HumanCount(self.puzzles),
            HumanBytes(self.bytes),
            size = self.size,
        );
        if self.already_built {
            return format!("{what}\nIt was built already; nothing to do.\n");
        }
        format!("{what}\nBuilt in {:.1} s{}.\n", self.seconds, earlier(self.resumed))
    }
}

/// What there was from an earlier run, as the end of a sentence.
fn earlier(boards: u64) -> String {
    match boards {
        0 => String::new(),
        n => format!("; {} boards were there from an earlier run", HumanCount(n)),
    }
}

impl TableSummary {
    fn new(plan: &table::Plan, report: &table::Report, started: Instant) -> TableSummary {
        let seconds = started.elapsed().as_secs_f64();
        let done = report.boards - report.resumed;
        TableSummary {
            product: Product::Table,
            size: plan.size,
            metric: plan.metric,
            level: report.level,
            path: report.path.display().to_string(),
            bytes: report.bytes,
            boards: report.boards,
            resumed: report.resumed,
            already_built: report.already_built,
            seconds,
            boards_per_second: (done as f64 / seconds.max(1e-9)) as u64,
        }
    }

    /// What was done, for someone who wanted this level.
    fn in_words(&self, wanted: Option<i32>) -> String {
        let what = format!(
            "{}: {} boards of {size}×{size} in {}, {} ({:.3} bit a board)",
            self.path,
            HumanCount(self.boards),
            self.metric,
            HumanBytes(self.bytes),
            8.0 * self.bytes as f64 / self.boards as f64,
            size = self.size,
        );
        if self.already_built {
            return match wanted {
                Some(level) if level != self.level => format!(
                    "{what}\nIt was built already, at level {}; nothing to do (delete the file to build it anew).\n",
                    self.level
                ),
                _ => format!("{what}\nIt was built already; nothing to do.\n"),
            };
        }
        let resumed = earlier(self.resumed);
        let speed = HumanCount(self.boards_per_second);
        format!("{what}\nBuilt in {:.1} s, {speed} boards a second{resumed}.\n", self.seconds)
    }
}
