//! `tailback import-dataset`: is the h\* of a dataset exact?

mod report;

use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tailback::board::{Board, Metric};
use tailback::dataset::hh_evolver::{Instance, LONGEST, Reader};
use tailback::dataset::{Audit, Checked, Summary};
use tailback::domains::rush_hour::Heuristic;
use tailback::probe::Session;

use self::report::{Head, Report};
use crate::cli::shared::audit::{self, Unchecked};
use crate::cli::shared::batch::Line;
use crate::cli::shared::{BoardOptions, CommaList, Failure, Global, Result, heuristics, output};

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
  3  interrupted: the lines so far are told";

/// How other forms of a dataset begin.
const OTHERS: [(&str, &str); 3] =
    [("board,rank,", "a csv with a line of names"), ("{", "JSON"), ("PAR1", "a Parquet file")];

/// Check the exact distances of a dataset, an HH-Evolver CSV
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ImportDataset {
    /// The dataset; `-` reads standard input
    file: PathBuf,
    /// What h* counts
    #[arg(long, default_value = "moves", value_parser = crate::cli::shared::options::metric())]
    metric: Metric,
    /// What h1 to hn are, to check them too; with commas between, or all
    #[arg(long, value_name = "LIST", value_parser = heuristics::list)]
    heuristics: Option<CommaList<Heuristic>>,
    /// The seed of the dataset, to check conditions too: they ask about the last move
    #[arg(long, value_name = "S", requires = "heuristics")]
    seed: Option<u64>,
    #[command(flatten)]
    options: BoardOptions,
}

impl ImportDataset {
    pub fn run(&self, global: &Global) -> Result<()> {
        let started = Instant::now();
        let (head, list) = audit::open(&self.file, LONGEST, |input| self.split(input))?;
        let audit = Audit::new(self.metric, self.heuristics(), self.seed);
        let mut summary = Summary::new(&audit);
        let other = summary.other_metric.metric;
        let check = |session: &mut Session, line: &Line| self.check(&audit, session, line);
        let stopped = list.check(&self.options.prober(global), started, check, |mut line| {
            match &mut line {
                Ok(checked) => summary.add(checked, &audit),
                Err(unchecked) => summary.add_unchecked(unchecked.is_unreadable),
            }
            audit::said(&line, global.json, |checked| report::line(checked, self.metric, other))
        })?;
        let report = Report { head, summary, seconds: started.elapsed().as_secs_f64() };
        output::tell(global, &report, || report.in_words())?;
        stopped.map_or_else(|| report.verdict(), Err)
    }

    fn heuristics(&self) -> &[Heuristic] {
        self.heuristics.as_ref().map_or(&[], |list| &list.0)
    }

    /// Reads the first lines. A file without them would lose two boards.
    fn split(&self, input: Box<dyn Read>) -> Result<(Head, Box<dyn Read>, usize)> {
        let reader = Reader::new(BufReader::new(input))?;
        if let Some((_, format)) = OTHERS.iter().find(|(start, _)| reader.name().starts_with(start)) {
            let told =
                format!("this is {format}, and only the CSV of HH-Evolver is read: export it as hh-evolver");
            return Err(Failure::misused(told));
        }
        let is_board = |instance: Instance| self.options.board(&instance.board).is_ok();
        if Instance::parse(reader.name()).is_ok_and(is_board) || reader.name().starts_with("Instance,h") {
            return Err(Failure::misused(
                "the first line is no name: write the name and the description of the dataset on two lines \
                 before the instances",
            ));
        }
        let head = Head { name: reader.name().to_owned(), description: reader.description().to_owned() };
        let (rest, number) = reader.into_rest();
        Ok((head, Box::new(rest), number))
    }

    fn check(&self, audit: &Audit, session: &mut Session, line: &Line) -> Result<Checked, Unchecked> {
        let (board, instance) = self.read(line).map_err(|error| Unchecked::unreadable(line, error))?;
        let checked = audit.check(session, line.number, (&board, &instance));
        checked.map_err(|error| Unchecked::new(line, error.into()))
    }

    fn read(&self, line: &Line) -> Result<(Board, Instance)> {
        let instance = Instance::parse(line.whole()?)?;
        let board = self.options.board(&instance.board)?;
        if let Some(CommaList(heuristics)) = &self.heuristics
            && heuristics.len() != instance.values.len()
        {
            let (named, there) = (heuristics.len(), instance.values.len());
            let columns = if there == 1 { "is 1 column" } else { &format!("are {there} columns") };
            return Err(Failure::misused(format!(
                "there {columns} after h*, but --heuristics names {named}"
            )));
        }
        Ok((board, instance))
    }
}
