//! `tailback verify`: are the bytes what was written, and the distances right?

use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::catalogue::{Catalogue, CatalogueError};
use tailback::table::{Table, TableError, Verified, Verifier, VerifyError, file_name};

use crate::cli::shared::failure::{Failure, Result};
use crate::cli::shared::interrupt::{self, Signal};
use crate::cli::shared::options::Global;
use crate::cli::shared::output;
use crate::cli::shared::progress::Watch;

const EXAMPLES: &str = "\
Examples:
  tailback verify                       every table of the folder, by sample
  tailback verify --size 6 --full       every board of the 6×6 tables
  tailback verify --sample 1000000 --seed 7
  tailback verify --catalogue           every catalogue of the folder

The checksums of all frames are compared first. Then the law that distances
obey is checked: 0 exactly at solved boards, elsewhere one more than the
least distance that a move leads to, unsolvable if no move leads anywhere.";

/// Check the tables: checksums, and the law that distances obey
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    /// Check the law on every board
    #[arg(long, conflicts_with_all = ["sample", "seed"])]
    full: bool,
    /// Check the catalogues, not the tables
    #[arg(long, conflicts_with_all = ["full", "sample", "seed", "metric"])]
    catalogue: bool,
    /// Only tables of this size
    #[arg(long, value_parser = crate::cli::shared::options::size())]
    size: Option<usize>,
    /// Only tables of this metric
    #[arg(long, value_parser = crate::cli::shared::options::metric())]
    metric: Option<Metric>,
    /// How many boards to check the law on
    #[arg(long, value_name = "BOARDS", default_value_t = 20_000)]
    sample: u64,
    /// Which boards: the same seed picks the same ones
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

#[derive(Serialize)]
struct Summary {
    size: usize,
    metric: Metric,
    file: String,
    frames: u64,
    boards: u64,
    full: bool,
    seconds: f64,
    ok: bool,
}

impl Verify {
    pub fn run(&self, global: &Global) -> Result<()> {
        let sizes = self.size.map_or(vec![4, 5, 6], |size| vec![size]);
        if self.catalogue {
            return check_catalogues(&sizes, global);
        }
        let metrics = self.metric.map_or(vec![Metric::Moves, Metric::Steps], |metric| vec![metric]);
        interrupt::listen("stopping")?;
        let mut found = false;
        for &size in &sizes {
            for &metric in &metrics {
                match Table::open(&global.db, size, metric) {
                    Err(TableError::Missing { .. }) if sizes.len() * metrics.len() > 1 => continue,
                    table => self.check(&table?, global)?,
                }
                found = true;
            }
        }
        if !found {
            let fact = format!("{} has no such table to verify", global.db.display());
            return Err(Failure::failed(fact).advise("build one with: tailback build"));
        }
        Ok(())
    }

    fn check(&self, table: &Table, global: &Global) -> Result<()> {
        let started = Instant::now();
        let contents = table.header().contents;
        let (size, metric) = (contents.size, contents.metric);
        let path = global.db.join(file_name(size, metric));
        let Verified { frames, boards } = self.verified(table).map_err(|error| match error {
            error @ (VerifyError::Table(_) | VerifyError::Stopped) => error.into(),
            error => Failure::from(error).about(path.display()),
        })?;
        let summary = Summary {
            size,
            metric,
            file: path.display().to_string(),
            frames,
            boards,
            full: self.full,
            seconds: started.elapsed().as_secs_f64(),
            ok: true,
        };
        if global.json {
            output::json(&summary)?
        } else {
            output::text(&summary.in_words())?
        }
        Ok(())
    }

    fn verified(&self, table: &Table) -> Result<Verified, VerifyError> {
        let verifier = Verifier::new(table);
        let watch = Watch::new();
        let verified = if self.full { verifier.full(&watch) } else { verifier.frames(&watch) };
        watch.finish();
        let frames = verified?;
        if self.full {
            return Ok(frames);
        }
        let watch = Watch::new();
        let sample = verifier.sample(self.sample, self.seed, &watch);
        watch.finish();
        Ok(Verified { boards: sample?.boards, ..frames })
    }
}

#[derive(Serialize)]
struct CatalogueSummary {
    size: usize,
    file: String,
    puzzles: usize,
    seconds: f64,
    ok: bool,
}

fn check_catalogues(sizes: &[usize], global: &Global) -> Result<()> {
    let mut found = false;
    for &size in sizes {
        let started = Instant::now();
        let catalogue = match Catalogue::open(&global.db, size) {
            Err(CatalogueError::Missing { .. }) if sizes.len() > 1 => continue,
            catalogue => catalogue?,
        };
        catalogue.check(&Signal)?;
        found = true;
        let summary = CatalogueSummary {
            size,
            file: catalogue.path().display().to_string(),
            puzzles: catalogue.puzzles(),
            seconds: started.elapsed().as_secs_f64(),
            ok: true,
        };
        if global.json {
            output::json(&summary)?
        } else {
            output::text(&format!(
                "{}: ok. {} puzzles have the right checksum ({:.1} s).\n",
                summary.file,
                HumanCount(summary.puzzles as u64),
                summary.seconds
            ))?
        }
    }
    if !found {
        let fact = format!("{} has no catalogue to verify", global.db.display());
        return Err(Failure::failed(fact).advise("build one with: tailback build"));
    }
    Ok(())
}

impl Summary {
    fn in_words(&self) -> String {
        let law = if self.full { "every one of" } else { "a sample of" };
        format!(
            "{}: ok. {} frames have the right checksum, {law} {} boards obeys the law ({:.1} s).\n",
            self.file,
            HumanCount(self.frames),
            HumanCount(self.boards),
            self.seconds
        )
    }
}
