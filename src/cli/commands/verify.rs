//! `tailback verify`: are the bytes what was written, and the distances right?

use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::catalogue::{Catalogue, Contents};
use tailback::table::{Table, Verified, Verifier, VerifyError, file_name};

use crate::shared::{Failure, Global, Result, Watch, interrupt, output};

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
    #[arg(long, value_parser = crate::shared::options::size())]
    size: Option<usize>,
    /// Only tables of this metric
    #[arg(long, value_parser = crate::shared::options::metric())]
    metric: Option<Metric>,
    /// The size of the sample to check the law on
    #[arg(long, value_name = "BOARDS", default_value_t = 20_000)]
    sample: u64,
    /// The random seed: the same seed draws the same boards
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

#[derive(Serialize)]
struct CatalogueSummary {
    size: usize,
    catalogue: Contents,
    file: String,
    puzzles: usize,
    seconds: f64,
    ok: bool,
}

impl Verify {
    pub fn run(&self, global: &Global) -> Result<()> {
        interrupt::listen("stopping")?;
        let found = if self.catalogue { self.catalogues(global) } else { self.tables(global) };
        if !found? {
            let what = if self.catalogue { "catalogue" } else { "such table" };
            let fact = format!("{} has no {what} to verify", global.db().display());
            return Err(Failure::failed(fact).advise("build one with: tailback build"));
        }
        Ok(())
    }

    /// Checks all tables that there are. False says that there is none.
    fn tables(&self, global: &Global) -> Result<bool> {
        let mut tables = Table::list(&global.db());
        tables.retain(|&(space, metric)| {
            self.size.is_none_or(|size| space.size == size)
                && self.metric.is_none_or(|wanted| metric == wanted)
        });
        if let (true, Some(size), Some(metric)) = (tables.is_empty(), self.size, self.metric) {
            // It is missing, and that is reported.
            tables.push((size.into(), metric));
        }
        for &(space, metric) in &tables {
            self.check(&Table::open(&global.db(), space, metric)?, global)?;
        }
        Ok(!tables.is_empty())
    }

    fn check(&self, table: &Table, global: &Global) -> Result<()> {
        let started = Instant::now();
        let contents = table.header().contents;
        let (size, metric) = (contents.space.size, contents.metric);
        let path = global.db().join(file_name(contents.space, metric));
        let Verified { frames, boards } = self.verified(table).map_err(|error| match error {
            error @ (VerifyError::Table(_) | VerifyError::Stopped) => error.into(),
            error => Failure::from(error).about(path.display()),
        })?;
        let (file, full, seconds) = (path.display().to_string(), self.full, started.elapsed().as_secs_f64());
        let summary = Summary { size, metric, file, frames, boards, full, seconds, ok: true };
        Ok(output::tell(global, &summary, || summary.in_words())?)
    }

    fn verified(&self, table: &Table) -> Result<Verified, VerifyError> {
        let verifier = Verifier::new(table);
        if self.full {
            return Watch::over(|watch| verifier.full(watch));
        }
        let frames = Watch::over(|watch| verifier.frames(watch))?;
        let sample = Watch::over(|watch| verifier.sample(self.sample, self.seed, watch))?;
        Ok(Verified { boards: sample.boards, ..frames })
    }

    /// Checks all catalogues that there are. False says that there is none.
    fn catalogues(&self, global: &Global) -> Result<bool> {
        let mut catalogues = Catalogue::list(&global.db());
        catalogues.retain(|spaces| self.size.is_none_or(|size| spaces.size() == size));
        if let (true, Some(size)) = (catalogues.is_empty(), self.size) {
            // It is missing, or not finished, and that is reported.
            catalogues.push(size.into());
        }
        for spaces in &catalogues {
            let started = Instant::now();
            let catalogue = Catalogue::open(&global.db(), spaces.clone())?;
            let size = catalogue.size();
            Watch::over(|watch| catalogue.check(watch))?;
            let (file, puzzles) = (catalogue.path().display().to_string(), catalogue.puzzles());
            let seconds = started.elapsed().as_secs_f64();
            let contents = catalogue.contents();
            let summary = CatalogueSummary { size, catalogue: contents, file, puzzles, seconds, ok: true };
            output::tell(global, &summary, || {
                let (file, puzzles) = (&summary.file, HumanCount(puzzles as u64));
                let choice = match contents {
                    Contents::Complete => "",
                    Contents::Starter => " It is the starter, a choice of puzzles.",
                };
                format!("{file}: ok. {puzzles} puzzles have the right checksum ({seconds:.1} s).{choice}\n")
            })?;
        }
        Ok(!catalogues.is_empty())
    }
}

impl Summary {
    fn in_words(&self) -> String {
        let Summary { file, seconds, .. } = self;
        let law = if self.full { "every one of" } else { "a sample of" };
        let (frames, boards) = (HumanCount(self.frames), HumanCount(self.boards));
        format!(
            "{file}: ok. {frames} frames have the right checksum, {law} {boards} boards obeys the law \
             ({seconds:.1} s).\n"
        )
    }
}
