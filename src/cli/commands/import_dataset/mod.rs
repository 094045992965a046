//! `tailback import-dataset`: is the h\* of a dataset exact?

mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use tailback::board::Metric;
use tailback::dataset::hh_evolver::unquoted;
use tailback::dataset::{Audit, Checked, Summary};
use tailback::formula::Heuristic;
use tailback::probe::Session;

use self::report::{Head, Report};
use crate::shared::audit::{self, Unchecked};
use crate::shared::batch::Line;
use crate::shared::{
    BoardOptions, BoardReader, CommaList, Failure, Global, Result, heuristics, output, write_whole,
};

const EXAMPLES: &str = "\
Examples:
  tailback import-dataset boards.csv
  tailback import-dataset --metric steps boards.csv
  tailback import-dataset --heuristics blocking,distance boards.csv
  zcat boards.csv.gz | tailback import-dataset - --json

The file is that of HH-Evolver: its name on the first line, its description on
the second, then Instance,h*,h1,…,hn on every line. Instance is a board's text,
h* its distance; Infinity says unsolvable, -1 or nothing says no answer. A third
line that begins with Instance, blank lines and lines with # are skipped.

Exit codes:
  0  everything is exact
  1  something is wrong, or could not be checked
  2  nothing is wrong, but there are lines that cannot be read
  3  interrupted: the lines so far are reported";

/// Check the exact distances of a dataset, an HH-Evolver CSV
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ImportDataset {
    /// The dataset; `-` reads standard input
    file: PathBuf,
    /// What h* counts
    #[arg(long, default_value = "moves", value_parser = crate::shared::options::metric())]
    metric: Metric,
    /// What h1 to hn are, to check them too; separated by commas, or all
    #[arg(long, value_name = "LIST", value_parser = heuristics::for_boards)]
    heuristics: Option<CommaList<Heuristic>>,
    /// The seed of the dataset, to check conditions too: they ask about the last move
    #[arg(long, value_name = "S", requires = "heuristics")]
    seed: Option<u64>,
    /// Write the dataset with the right distances, and without the lines that cannot be read; a
    /// Parquet file becomes JSON lines
    #[arg(long, value_name = "FILE")]
    fix: Option<PathBuf>,
    /// Report the summary only
    #[arg(long)]
    summary: bool,
    /// The column of the distances in a table [default: moves or steps, h*, distance]
    #[arg(long, value_name = "NAME")]
    distance: Option<String>,
    #[command(flatten)]
    options: BoardOptions,
}

impl ImportDataset {
    pub fn run(&self, global: &Global) -> Result<()> {
        let started = Instant::now();
        let reader = self.options.reader(global);
        let mut list = audit::open(&self.file, |input| reader.records_of_dataset(input))?;
        let is_json_lines =
            |path: &Path| path.extension().is_some_and(|end| end == "jsonl" || end == "ndjson");
        Failure::refuse([(
            list.is_parquet() && self.fix.as_ref().is_some_and(|path| !is_json_lines(path)),
            "the rows of a Parquet file are written as JSON lines: name a file for --fix that ends in .jsonl",
        )])?;
        let heuristics = self.heuristics.as_ref().map_or(&[][..], |list| &list.0);
        let mut audit = Audit::new(self.metric, heuristics, self.seed);
        audit.distance_column.clone_from(&self.distance);
        let mut summary = Summary::new(&audit);
        let other = summary.other_metric.metric;
        let line = |index: usize| list.head().get(index).map_or(String::new(), |line| unquoted(line));
        let head = match list.head().is_empty() {
            false => Head { name: line(0), description: line(1) },
            true => Head { name: self.file.display().to_string(), description: String::new() },
        };
        let mut fixed: Vec<String> = list.head().iter().cloned().chain(list.names()).collect();
        let check = |session: &mut Session, line: &Line| self.check(&reader, &audit, session, line);
        let stopped = list.check(&self.options.prober(global), started, check, |line| {
            let mut line = line.map(|(checked, line)| {
                fixed.extend(line);
                checked
            });
            match &mut line {
                Ok(checked) => summary.add(checked, &audit),
                Err(unchecked) => {
                    summary.add_unchecked(unchecked.is_unreadable);
                    // What nobody could check may be right.
                    fixed.extend((!unchecked.is_unreadable).then(|| unchecked.text.clone()));
                }
            }
            let said = audit::said(&line, global.json, |checked| report::line(checked, self.metric, other));
            said.filter(|_| !self.summary)
        })?;
        if let Some(path) = self.fix.as_ref().filter(|_| stopped.is_none()) {
            if summary.lines > summary.unreadable {
                write_whole(path, (fixed.join("\n") + "\n").as_bytes())?;
            }
            output::note(&format!("{}: {}", path.display(), report::fixed(&summary)));
        }
        let report = Report { head, summary, seconds: started.elapsed().as_secs_f64() };
        output::tell(global, &report, || report.in_words())?;
        match stopped {
            Some(stopped) => Err(stopped),
            None if report.summary.lines == 0 => {
                Err(Failure::misused("there is no board to check").after_answers())
            }
            None => report.verdict(),
        }
    }

    fn check(
        &self,
        reader: &BoardReader,
        audit: &Audit,
        session: &mut Session,
        line: &Line,
    ) -> Result<(Checked, Option<String>), Unchecked> {
        let Line { form, record } = *line;
        let read = || {
            let instance = audit.instance(form, record)?;
            Ok((reader.board(&instance.board)?, instance))
        };
        let (board, instance) = read().map_err(|error| Unchecked::unreadable(line, error))?;
        let checked = audit.check(session, record.number, (&board, &instance), self.options.bounds());
        let checked = checked.map_err(|error| Unchecked::new(line, error.into()))?;
        let corrected = self.fix.as_ref().map(|_| audit.corrected(form, record, &checked)).transpose();
        let corrected = corrected.map_err(|error| Unchecked::unreadable(line, error.into()))?;
        Ok((checked, corrected))
    }
}
