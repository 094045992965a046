//! `tailback merge`: all shards put together.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::shards::{CountedSpaces, Merged, Plan, Product, merge};
use tailback::space::Spaces;

use super::build::Summary;
use crate::shared::{Global, Result, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback merge db/6x6-walls-0-2-catalogue.plan

The table, the catalogue or the counts (a CSV file) go into the folder of the plan,
with the same bytes however many shards there were. All shards are checked before.
They stay: delete their folder and the plan when you like.";

/// Put all shards of a plan together
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Merge {
    /// The plan
    #[arg(value_name = "FILE")]
    plan: PathBuf,
}

impl Merge {
    pub fn run(&self, global: &Global) -> Result<()> {
        interrupt::listen("stopping when the work in hand is stored; once more to stop at once")?;
        let plan = Plan::read(&self.plan)?;
        let started = Instant::now();
        let merged = Watch::over(|watch| merge(&plan, watch))?;
        let spaces = plan.product().spaces();
        let summary = match (&merged, plan.product()) {
            (Merged::Table(report), Product::Table { space, metric, .. }) => {
                Summary::of_table(*space, *metric, report, started)
            }
            (Merged::Catalogue(report), _) => Summary::of_catalogue(spaces, report, started),
            (Merged::Counts(counts), Product::Counts { metric, .. }) => {
                let told = CountsSummary::new(&spaces, *metric, counts);
                return Ok(output::tell(global, &told, || told.in_words(&spaces))?);
            }
            _ => unreachable!("what is merged is what the plan is of"),
        };
        Ok(output::tell(global, &summary, || summary.in_words("Merged", None))?)
    }
}

/// Counts that were merged.
#[derive(Serialize)]
struct CountsSummary {
    product: &'static str,
    size: usize,
    spaces: String,
    metric: Metric,
    path: String,
    bytes: u64,
    boards: u64,
    unsolvable: u64,
    furthest: Option<Far>,
}

/// A board, and how far it is from solved.
#[derive(Serialize)]
struct Far {
    distance: u32,
    id: u64,
    board: String,
}

impl CountsSummary {
    fn new(spaces: &Spaces, metric: Metric, counts: &CountedSpaces) -> CountsSummary {
        let furthest = counts.furthest.as_ref().and_then(|furthest| {
            let board = furthest.board.text();
            Some(Far { distance: furthest.distance.known()?, id: furthest.id, board })
        });
        CountsSummary {
            product: "counts",
            size: spaces.size(),
            spaces: spaces.stem(),
            metric,
            path: counts.path.display().to_string(),
            bytes: counts.bytes,
            boards: counts.histogram.total(),
            unsolvable: counts.histogram.unsolvable(),
            furthest,
        }
    }

    fn in_words(&self, spaces: &Spaces) -> String {
        let CountsSummary { path, metric, .. } = self;
        let [boards, unsolvable] = [self.boards, self.unsolvable].map(HumanCount);
        let furthest = match &self.furthest {
            Some(Far { distance, id, board }) => {
                format!("Furthest board: {distance} {metric}, #{id}, {board}\n")
            }
            None => String::new(),
        };
        format!(
            "{path}: {boards} boards of {spaces} in {metric}, {unsolvable} of them unsolvable\n{furthest}"
        )
    }
}
