//! `tailback plan`: cuts a build into shards.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::shards::{Plan, Product};
use tailback::space::{Blocks, MAX_TABULATED, Spaces};
use tailback::table::DEFAULT_LEVEL;

use super::build;
use crate::shared::options::metric;
use crate::shared::walls::SpaceOptions;
use crate::shared::{Failure, Global, Result, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback plan --only catalogue --walls 0..2 --shards 1000
                                            all puzzles of 6×6 with up to two walls
  tailback plan --only table --shards 40    the table of 6×6 in moves
  tailback plan --only catalogue --size 5 --walls 0..1 --shards 8 --out small.plan
  tailback plan --only counts --size 7 --shards 100
                                            the furthest board of 7×7: 1,900 hours of one core

Then, on as many machines as there are, with one folder that all can write to:
  tailback build --plan FILE --shard 17     each shard, from 1 on
  tailback status FILE                      what is done, running, missing, failed
  tailback merge FILE                       all of them put together

The shards are in a folder beside the plan. docs/cluster.md shows how Slurm,
Kubernetes and GNU parallel run them.";

/// Cut a build into shards, for many machines
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct MakePlan {
    /// What the shards are of
    #[arg(long, value_enum)]
    only: ProductKind,
    /// How many shards
    #[arg(long, value_name = "N")]
    shards: u32,
    #[command(flatten)]
    boards: SpaceOptions,
    /// What a distance of a table or of counts is counted in [default: moves]
    #[arg(long, value_parser = metric())]
    metric: Option<Metric>,
    /// Level of the zstd compression of a table, 1 to 19
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(i32).range(1..=19))]
    level: Option<i32>,
    /// The plan [default: named after what is built, in the folder of --db]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What shards are of.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum ProductKind {
    /// The distance of every board
    Table,
    /// Every interesting puzzle
    Catalogue,
    /// How many boards have each distance, and the furthest of them
    Counts,
}

/// A plan, and what it takes.
#[derive(Serialize)]
struct Planned {
    plan: String,
    product: ProductKind,
    spaces: String,
    boards: u64,
    jobs: u32,
    shards: usize,
    boards_per_shard: u64,
    memory_mib: u64,
    minutes: u64,
    core_hours: f64,
}

impl MakePlan {
    pub fn run(&self, global: &Global) -> Result<()> {
        let is_table = self.only == ProductKind::Table;
        let (metric, level) = (self.metric.is_some(), self.level.is_some());
        build::refuse_table_options(self.only == ProductKind::Catalogue, metric || level)?;
        Failure::refuse([(
            self.only == ProductKind::Counts && level,
            "--level is about tables, and --only counts makes none",
        )])?;
        self.boards.refuse_range(!is_table)?;
        if is_table {
            self.boards.refuse_large()?;
        }
        let space = self.boards.one()?;
        let metric = self.metric.unwrap_or(Metric::Moves);
        let spaces = || Ok::<_, Failure>(self.boards.range()?.unwrap_or_else(|| Spaces::from(space)));
        let product = match self.only {
            ProductKind::Table => {
                Product::Table { space, metric, level: self.level.unwrap_or(DEFAULT_LEVEL) }
            }
            ProductKind::Catalogue => Product::Catalogue(spaces()?),
            ProductKind::Counts => Product::Counts { spaces: spaces()?, metric },
        };
        let path = self.out.clone().unwrap_or_else(|| global.new_db().join(product.stem() + ".plan"));
        interrupt::listen("stopping")?;
        let plan = Watch::over(|watch| Plan::new(path, product, self.shards, watch))?;
        plan.write()?;
        let planned = Planned {
            plan: plan.path().display().to_string(),
            product: self.only,
            spaces: plan.product().spaces().stem(),
            boards: plan.boards(),
            jobs: plan.jobs(),
            shards: plan.shards().len(),
            boards_per_shard: plan.shards().iter().map(|shard| shard.boards).max().unwrap_or(0),
            memory_mib: plan.memory(),
            minutes: plan.minutes(),
            core_hours: plan.core_hours(),
        };
        Ok(output::tell(global, &planned, || planned.in_words(&plan))?)
    }
}

impl Planned {
    fn in_words(&self, plan: &Plan) -> String {
        let Planned { plan: path, shards, core_hours, .. } = self;
        let [memory_mib, minutes] = [self.memory_mib, self.minutes].map(HumanCount);
        let (boards, largest) = (HumanCount(self.boards), HumanCount(self.boards_per_shard));
        let product = plan.product();
        let cut = if *shards == 1 { "shard" } else { "shards" };
        let time = match core_hours {
            1.5.. => format!("{} hours", HumanCount(core_hours.round() as u64)),
            0.025.. => format!("{:.1} minutes", 60.0 * core_hours),
            _ => format!("{:.1} seconds", 3600.0 * core_hours),
        };
        let large = match product {
            Product::Catalogue(spaces) if spaces.size() > MAX_TABULATED => format!(
                "Signatures of more than {} boards are not surveyed: shards that have one fail and say so. \
                 `tailback survey --size {size}` measures how long others take, and \
                 `tailback plan --only counts --size {size}` leaves none out.\n",
                HumanCount(Blocks::MOST_BOARDS),
                size = spaces.size()
            ),
            _ => String::new(),
        };
        format!(
            "{path}: {product} in {shards} {cut}, {boards} boards, at most {largest} in a shard\n\
             About {time} of one core in all. Give each shard {memory_mib} MiB of memory a thread and \
             {minutes} minutes on one core.\n\
             {large}Next, for every N from 1 to {shards}: tailback build --plan {path} --shard N\n"
        )
    }
}
