//! `tailback build`: makes the table and the catalogue, or goes on with them.

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use tailback::board::Metric;
use tailback::catalogue::{Range, Source};
use tailback::pipeline::CHECKPOINT_EVERY;
use tailback::space::{SpaceId, Spaces};
use tailback::table::DEFAULT_LEVEL;
use tailback::{catalogue, table};

use crate::cli::shared::options::{Metrics, metrics, size};
use crate::cli::shared::walls::Walls;
use crate::cli::shared::{Failure, Global, Result, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback build                            6×6: the table in moves, then the catalogue
  tailback build --only table               the table alone
  tailback build --size 5 --metric both     5×5: both tables, then the catalogue
  tailback build --threads 1 --level 12     one core, a smaller table
  tailback build --wall D2                  6×6 with a wall on D2: table and catalogue
  tailback build --only catalogue --walls 0..1
                                            all puzzles with at most one wall

The catalogue is made from the table in moves, so `--metric steps` makes the
table in steps alone. With --walls all distances are searched for in memory and
no table is needed or written. What is there already is not made again.

A cell is a column and a row: A1 is at the top left, F6 at the bottom right.

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
    #[command(flatten)]
    with: Walls,
    /// All puzzles with so many walls in one catalogue: 0..2, or 1. Needs --only catalogue
    #[arg(long, value_name = "RANGE", conflicts_with = "wall")]
    walls: Option<Range>,
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

/// More walls leave few boards of interest, and there are too many sets of them.
const MOST_WALLS: u64 = 3;

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
    spaces: String,
    #[serde(skip)]
    of: Spaces,
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
        Failure::refuse([
            (
                self.only == Some(Product::Catalogue) && (self.metric.is_some() || self.level.is_some()),
                "--metric and --level are about tables, and --only catalogue makes none",
            ),
            (
                self.walls.is_some() && self.only != Some(Product::Catalogue),
                "--walls needs --only catalogue: a table is of one set of walls, which --wall CELL names",
            ),
        ])?;
        let space = self.with.space(self.size)?;
        interrupt::listen("stopping when the work in hand is stored; once more to stop at once")?;
        let metrics = self.metric.as_ref().map_or(&[Metric::Moves][..], |metrics| &metrics.0);
        if self.only != Some(Product::Catalogue) {
            for &metric in metrics {
                self.table(global, space, metric)?;
            }
        }
        if self.only != Some(Product::Table) && metrics.contains(&Metric::Moves) {
            self.catalogue(global, space)?;
        }
        Ok(())
    }

    fn table(&self, global: &Global, space: SpaceId, metric: Metric) -> Result<()> {
        let mut plan = table::Plan::new(global.new_db(), space, metric);
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
            spaces: Spaces::from(space).stem(),
            of: space.into(),
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

    /// The plan of the catalogue: from the table of a space, or by search where a
    /// number of walls is given.
    fn catalogue_plan(&self, global: &Global, space: SpaceId) -> Result<catalogue::Plan> {
        let Some(walls) = self.walls else { return Ok(catalogue::Plan::new(global.new_db(), space)) };
        let most = walls.most().filter(|&most| most <= MOST_WALLS).ok_or_else(|| {
            Failure::misused(format!("--walls {walls} is too much")).advise(format!(
                "at most {MOST_WALLS} walls are possible: 6×6 with two has 56 times the boards without"
            ))
        })?;
        let spaces = Spaces::with_walls(self.size, walls.least() as usize..=most as usize);
        Ok(catalogue::Plan { source: Source::Search, ..catalogue::Plan::new(global.new_db(), spaces) })
    }

    fn catalogue(&self, global: &Global, space: SpaceId) -> Result<()> {
        let mut plan = self.catalogue_plan(global, space)?;
        plan.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        plan.threads = self.threads.map_or(plan.threads, usize::from);
        let started = Instant::now();
        let report = Watch::over(|watch| catalogue::build(&plan, watch))?;
        let summary = Summary {
            product: Product::Catalogue,
            size: self.size,
            spaces: plan.spaces.stem(),
            of: plan.spaces.clone(),
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
        let Summary { path, of, seconds, .. } = self;
        let (boards, bytes) = (HumanCount(self.boards), HumanBytes(self.bytes));
        let what = match self.metric {
            Some(metric) => {
                let bits = 8.0 * self.bytes as f64 / self.boards as f64;
                format!("{boards} boards of {of} in {metric}, {bytes} ({bits:.3} bit a board)")
            }
            None => format!("{} puzzles of {of}, {bytes}", HumanCount(self.puzzles.unwrap_or(0))),
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
