//! `tailback build`: makes the table and the catalogue, or goes on with them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{HumanBytes, HumanCount};
use serde::{Serialize, Serializer};
use tailback::board::Metric;
use tailback::catalogue::Source;
use tailback::pipeline::CHECKPOINT_EVERY;
use tailback::shards::{Plan, Run};
use tailback::space::{SpaceId, Spaces};
use tailback::table::DEFAULT_LEVEL;
use tailback::{catalogue, table};

use crate::shared::options::{Metrics, metrics};
use crate::shared::walls::SpaceOptions;
use crate::shared::{Failure, Global, Result, Threads, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback build                            6×6: the table in moves, then the catalogue
  tailback build --only table               the table alone
  tailback build --size 5 --metric both     5×5: both tables, then the catalogue
  tailback build --threads 1 --level 12     one core, a smaller table
  tailback build --wall D2                  6×6 with a wall on D2: table and catalogue
  tailback build --only catalogue --walls 0..1
                                            all puzzles with at most one wall
  tailback build --plan db/6x6-moves.plan --shard 17
                                            one shard of a build on many machines

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
    #[command(flatten)]
    boards: SpaceOptions,
    /// What a distance in the table counts [default: moves]
    #[arg(long, value_parser = metrics())]
    metric: Option<Metrics>,
    /// Build one of the two, not both
    #[arg(long, value_enum)]
    only: Option<Product>,
    #[command(flatten)]
    threads: Threads,
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
    /// Do a shard of this plan, which `tailback plan` made
    #[arg(
        long,
        value_name = "FILE",
        requires = "shard",
        conflicts_with_all = ["size", "wall", "walls", "metric", "only", "level"]
    )]
    plan: Option<PathBuf>,
    /// The number of the shard, from 1 on
    #[arg(long, value_name = "N", requires = "plan")]
    shard: Option<u32>,
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
pub enum Product {
    /// The distance of every board
    Table,
    /// Every interesting puzzle
    Catalogue,
}

/// What was made, or was there; some of it is about one of the two.
#[derive(Serialize)]
pub struct Summary {
    product: Product,
    size: usize,
    #[serde(serialize_with = "stem")]
    spaces: Spaces,
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

/// Spaces have the name that they have in those of files.
fn stem<S: Serializer>(spaces: &Spaces, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&spaces.stem())
}

/// A shard that was done, or was there.
#[derive(Serialize)]
struct ShardSummary {
    shard: u32,
    shards: usize,
    path: String,
    bytes: u64,
    boards: u64,
    resumed: u64,
    already_built: bool,
    seconds: f64,
}

impl Build {
    pub fn run(&self, global: &Global) -> Result<()> {
        let is_catalogue = self.only == Some(Product::Catalogue);
        refuse_table_options(is_catalogue, self.metric.is_some() || self.level.is_some())?;
        self.boards.refuse_range(is_catalogue)?;
        self.boards.refuse_large()?;
        let space = self.boards.one()?;
        interrupt::listen("stopping when the work in hand is stored; once more to stop at once")?;
        if let (Some(plan), Some(shard)) = (&self.plan, self.shard) {
            return self.shard(global, plan, shard);
        }
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
        let mut plan = table::BuildOptions::new(global.new_db(), space, metric);
        plan.level = self.level.unwrap_or(DEFAULT_LEVEL);
        plan.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        plan.threads = self.threads.number().unwrap_or(plan.threads);
        let started = Instant::now();
        let report = Watch::over(|watch| table::build(&plan, watch))?;
        let summary = Summary::of_table(space, metric, &report, started);
        Ok(output::tell(global, &summary, || summary.in_words("Built", self.level))?)
    }

    fn shard(&self, global: &Global, plan: &Path, number: u32) -> Result<()> {
        let plan = Plan::read(plan)?;
        let mut run = Run::new(&plan, number);
        run.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        run.threads = self.threads.number().unwrap_or(run.threads);
        let started = Instant::now();
        let done = Watch::over(|watch| run.run(watch))?;
        let summary = ShardSummary {
            shard: number,
            shards: plan.shards().len(),
            path: done.path.display().to_string(),
            bytes: done.bytes,
            boards: done.boards,
            resumed: done.resumed,
            already_built: done.already_built,
            seconds: started.elapsed().as_secs_f64(),
        };
        Ok(output::tell(global, &summary, || summary.in_words())?)
    }

    /// The catalogue: from the table of a space, or by search where a number of
    /// walls is given.
    fn catalogue(&self, global: &Global, space: SpaceId) -> Result<()> {
        let mut plan = match self.boards.range()? {
            None => catalogue::BuildOptions::new(global.new_db(), space),
            Some(spaces) => catalogue::BuildOptions {
                source: Source::Search,
                ..catalogue::BuildOptions::new(global.new_db(), spaces)
            },
        };
        plan.checkpoint_every = Duration::from_secs_f64(self.checkpoint);
        plan.threads = self.threads.number().unwrap_or(plan.threads);
        let started = Instant::now();
        let report = Watch::over(|watch| catalogue::build(&plan, watch))?;
        let summary = Summary::of_catalogue(plan.spaces, &report, started);
        Ok(output::tell(global, &summary, || summary.in_words("Built", None))?)
    }
}

/// Refuses options of tables for what makes none.
pub fn refuse_table_options(is_catalogue: bool, any: bool) -> Result<()> {
    Failure::refuse([(
        is_catalogue && any,
        "--metric and --level are about tables, and --only catalogue makes none",
    )])
}

impl Summary {
    pub fn of_table(space: SpaceId, metric: Metric, report: &table::Report, started: Instant) -> Summary {
        let seconds = started.elapsed().as_secs_f64();
        let done = report.boards - report.resumed;
        Summary {
            product: Product::Table,
            size: space.size,
            spaces: space.into(),
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
        }
    }

    pub fn of_catalogue(spaces: Spaces, report: &catalogue::Report, started: Instant) -> Summary {
        Summary {
            product: Product::Catalogue,
            size: spaces.size(),
            spaces,
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
        }
    }

    /// What was done (by this word), for someone who wanted this level.
    pub fn in_words(&self, verb: &str, wanted: Option<i32>) -> String {
        let Summary { path, spaces: of, seconds, .. } = self;
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
                format!(
                    "{verb} in {seconds:.1} s{}{}",
                    speed.unwrap_or_default(),
                    earlier.unwrap_or_default()
                )
            }
        };
        format!("{path}: {what}\n{done}.\n")
    }
}

impl ShardSummary {
    fn in_words(&self) -> String {
        let ShardSummary { shard, shards, path, seconds, .. } = self;
        let (boards, bytes) = (HumanCount(self.boards), HumanBytes(self.bytes));
        let done = match self.already_built {
            true => "It was done already; nothing to do".to_owned(),
            false => {
                let earlier = (self.resumed > 0)
                    .then(|| format!("; {} boards were there from an earlier run", HumanCount(self.resumed)));
                format!("Done in {seconds:.1} s{}", earlier.unwrap_or_default())
            }
        };
        format!("{path}: shard {shard} of {shards}, {boards} boards, {bytes}\n{done}.\n")
    }
}
