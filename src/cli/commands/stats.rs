//! `tailback stats`: how many boards have each distance.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use tailback::answers::TableSummary;
use tailback::board::{Histogram, Metric};
use tailback::render::chart::Chart;
use tailback::render::terminal;
use tailback::table::{Census, Table, VerifyError, file_name};

use crate::shared::columns::{Column, Columns};
use crate::shared::picture::{self, SCALE};
use crate::shared::walls::Walls;
use crate::shared::{Failure, Global, Result, Threads, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback stats                                6×6 in moves
  tailback stats --size 5 --metric steps --json
  tailback stats --plot distances.svg
  tailback stats --recount                      from every frame, not the header

The counts stand in the table's header. --recount counts them again and compares:
a few seconds for 6×6.";

/// Characters of the longest bar.
const BAR: usize = 40;

/// Show how many boards have each distance
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Stats {
    /// Rows and columns of the boards
    #[arg(long, default_value = "6", value_parser = crate::shared::options::size())]
    size: usize,
    #[command(flatten)]
    walls: Walls,
    /// What a distance counts
    #[arg(long, default_value = "moves", value_parser = crate::shared::options::metric())]
    metric: Metric,
    /// Draw the distances into a file, .svg, .png or .pdf
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Count the distances of all boards again
    #[arg(long)]
    recount: bool,
    #[command(flatten)]
    threads: Threads,
}

impl Stats {
    pub fn run(&self, global: &Global) -> Result<()> {
        Failure::refuse([(
            self.threads.number().is_some() && !self.recount,
            "--threads is for --recount, which takes long",
        )])?;
        let format = self.plot.as_deref().map(picture::format_of).transpose()?;
        let plot = self.plot.as_deref().zip(format);
        let space = self.walls.space(self.size)?;
        let table = Table::open(&global.db(), space, self.metric)?;
        let path = global.db().join(file_name(space, self.metric));
        let mut summary = TableSummary::new(table.header(), &path);
        if self.recount {
            let started = Instant::now();
            if self.counted(&table)? != table.header().histogram {
                return Err(Failure::from(VerifyError::Counts).about(path.display()));
            }
            summary.recounted_seconds = Some(started.elapsed().as_secs_f64());
        }
        if let Some((path, format)) = plot {
            picture::write(format, path, &summary.chart().svg(), SCALE)?;
            output::note(&format!("{}: drawn", path.display()));
        }
        Ok(output::tell(global, &summary, || summary.in_words())?)
    }

    fn counted(&self, table: &Table) -> Result<Histogram> {
        interrupt::listen("stopping")?;
        let pool = self.threads.pool()?;
        let census = pool.install(|| Watch::over(|watch| Census::take(table, watch)));
        Ok(census?.ok_or_else(Failure::interrupted)?.histogram())
    }
}

/// What a summary looks like.
trait Shown {
    fn chart(&self) -> Chart<'_>;
    fn in_words(&self) -> String;
}

impl Shown for TableSummary {
    fn chart(&self) -> Chart<'_> {
        let TableSummary { size, metric, max_distance, .. } = self;
        Chart {
            title: format!("All {size}×{size} Rush Hour boards by their distance to the exit"),
            subtitle: format!(
                "{} boards: {} solvable in at most {max_distance} {metric}, {} unsolvable",
                HumanCount(self.boards),
                HumanCount(self.solvable),
                HumanCount(self.unsolvable),
            ),
            x_label: format!("distance in {metric}"),
            y_label: "boards (logarithmic)".into(),
            counts: &self.histogram,
        }
    }

    fn in_words(&self) -> String {
        let mut text = format!(
            "{size}×{size} boards by {}, from {} ({}, {:.3} bit a board, built by {})\n",
            self.metric,
            self.file,
            HumanBytes(self.bytes),
            self.bits_per_board,
            self.builder,
            size = self.size,
        );
        if let Some(seconds) = self.recounted_seconds {
            text += &format!("All boards counted again in {seconds:.1} s: the header is right.\n");
        }
        text += "\n";
        let row = |name: &str, count: u64, bar: String| {
            [name.to_owned(), HumanCount(count).to_string(), output::percent(count, self.boards), bar]
        };
        let most = self.histogram.iter().copied().max().unwrap_or(0).max(self.unsolvable);
        let bar = |count: u64| terminal::bar(terminal::log_share(count, most), BAR);
        let distances = self.histogram.iter().enumerate();
        let distances = distances.map(|(distance, &count)| row(&distance.to_string(), count, bar(count)));
        let rows = distances.chain([
            row("unsolvable", self.unsolvable, bar(self.unsolvable)),
            row("solvable", self.solvable, String::new()),
            row("all", self.boards, String::new()),
        ]);
        let [metric, boards, share] = [&self.metric.to_string(), "boards", "share"].map(Column::numbers);
        text + &Columns::of([metric, boards, share, Column::words("(bars: log scale)")], rows)
            .text(usize::MAX)
    }
}
