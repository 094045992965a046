//! `tailback merge`: all shards put together.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tailback::shards::{Merged, Plan, Product, merge};

use super::build::Summary;
use crate::cli::shared::{Global, Result, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback merge db/6x6-walls-0-2-catalogue.plan

The table or the catalogue goes into the folder of the plan, with the same bytes
as if one machine had built it. All shards are checked before. They stay: delete
their folder and the plan when you like.";

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
        let summary = match (&merged, plan.product()) {
            (Merged::Table(report), Product::Table { space, metric, .. }) => {
                Summary::of_table(*space, *metric, report, started)
            }
            (Merged::Catalogue(report), product) => Summary::of_catalogue(product.spaces(), report, started),
            (Merged::Table(_), Product::Catalogue(_)) => unreachable!("a plan is of one of the two"),
        };
        Ok(output::tell(global, &summary, || summary.in_words("Merged", None))?)
    }
}
