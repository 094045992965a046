//! `tailback import-dataset`: is the h\* of a dataset exact?

mod checked;
mod summary;

use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;
use tailback::board::{Board, Metric};
use tailback::dataset::hh_evolver::{Claimed, Instance, LONGEST, Reader};
use tailback::dataset::{Labeller, Schema};
use tailback::domains::rush_hour::Heuristic;
use tailback::probe::{ProbeError, Session, Source};

use self::checked::{Aside, Checked, Fault, WrongValue};
use self::summary::{Head, Summary};
use crate::cli::shared::audit::{self, Unchecked};
use crate::cli::shared::batch::Line;
use crate::cli::shared::exit;
use crate::cli::shared::finder::Finder;
use crate::cli::shared::list::{self, List};
use crate::cli::shared::options::Global;

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

/// While fewer wrong distances than this took a search in the other metric, the
/// next lines may: what the file was made in is known by then.
const ASIDE: u64 = 100;

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
    #[arg(long, value_name = "LIST", value_parser = list::heuristics)]
    heuristics: Option<List<Heuristic>>,
    /// The seed of the dataset, to check conditions too: they ask about the last move
    #[arg(long, value_name = "S", requires = "heuristics")]
    seed: Option<u64>,
    #[command(flatten)]
    finder: Finder,
}

impl ImportDataset {
    pub fn run(&self, global: &Global) -> anyhow::Result<()> {
        let started = Instant::now();
        let (head, list) = audit::open(&self.file, LONGEST, |input| self.split(input))?;
        let searched_aside = AtomicU64::new(0);
        let check = |session: &mut Session, line: &Line| {
            // The count changes between reads only, whatever the threads do.
            let may_search = searched_aside.load(Ordering::Relaxed) < ASIDE;
            self.check(session, line, may_search)
        };
        let mut summary =
            Summary::new(head, self.metric, self.heuristics(), |heuristic| self.is_checked(heuristic));
        let stopped = list.check(&self.finder.prober(global), started, check, |mut line| {
            summary.add(&mut line);
            if line.as_ref().is_ok_and(|checked| checked.aside.was_searched) {
                searched_aside.fetch_add(1, Ordering::Relaxed);
            }
            audit::said(&line, global.json, |checked| checked.in_words(self.metric))
        })?;
        summary.seconds = started.elapsed().as_secs_f64();
        audit::tell(global, &summary, || summary.in_words())?;
        stopped.map_or_else(|| summary.verdict(), |stopped| Err(stopped.into()))
    }

    fn heuristics(&self) -> &[Heuristic] {
        self.heuristics.as_ref().map_or(&[], |list| &list.0)
    }

    /// Reads the first lines. A file without them would lose two boards.
    fn split(&self, input: Box<dyn Read>) -> anyhow::Result<(Head, Box<dyn Read>, usize)> {
        let reader = Reader::new(BufReader::new(input))?;
        if let Some((_, format)) = OTHERS.iter().find(|(start, _)| reader.name().starts_with(start)) {
            let told =
                format!("this is {format}, and only the CSV of HH-Evolver is read: export it as hh-evolver");
            return Err(exit::BadRequest(told).into());
        }
        let is_board = |instance: Instance| self.finder.board(&instance.board).is_ok();
        if Instance::parse(reader.name()).is_ok_and(is_board) || reader.name().starts_with("Instance,h") {
            return Err(exit::Usage(
                "the first line is no name: write the name and the description of the dataset on two lines \
                 before the instances",
            )
            .into());
        }
        let head = Head { name: reader.name().to_owned(), description: reader.description().to_owned() };
        let (rest, number) = reader.into_rest();
        Ok((head, Box::new(rest), number))
    }

    fn check(
        &self,
        session: &mut Session,
        line: &Line,
        may_search_aside: bool,
    ) -> Result<Checked, Unchecked> {
        let (board, instance) = self.read(line).map_err(|error| Unchecked::unreadable(line, error))?;
        let (found, source) =
            session.distance(&board, self.metric).map_err(|error| Unchecked::new(line, error.into()))?;
        let aside = match (instance.claimed, found) {
            (Claimed::Distance(claimed), Some(found)) if claimed != f64::from(found) => {
                let may_search = may_search_aside || source == Source::Search;
                // What has no answer there is wrong here all the same.
                self.look_aside(session, &board, (claimed, found), may_search).unwrap_or_default()
            }
            _ => Aside::default(),
        };
        let fault = Fault::of(instance.claimed, found);
        let wrong_values = self.wrong_values(&board, found, &instance.values);
        Ok(Checked {
            line: line.number,
            board: board.text(),
            claimed: instance.claimed,
            found,
            agrees: fault.is_none() && wrong_values.is_empty(),
            fault,
            aside: Aside { was_searched: aside.was_searched && source != Source::Search, ..aside },
            wrong_values,
            source,
            repeated: false,
            shape: board.shape(),
        })
    }

    fn read(&self, line: &Line) -> anyhow::Result<(Board, Instance)> {
        let instance = Instance::parse(line.whole()?)?;
        let board = self.finder.board(&instance.board)?;
        if let Some(List(heuristics)) = &self.heuristics
            && heuristics.len() != instance.values.len()
        {
            let (named, there) = (heuristics.len(), instance.values.len());
            let columns = if there == 1 { "is 1 column" } else { &format!("are {there} columns") };
            anyhow::bail!("there {columns} after h*, but --heuristics names {named}");
        }
        Ok((board, instance))
    }

    /// Is a wrong distance the right one in the other metric?
    fn look_aside(
        &self,
        session: &mut Session,
        board: &Board,
        (claimed, found): (f64, u32),
        may_search: bool,
    ) -> Result<Aside, ProbeError> {
        // No board takes fewer steps than moves.
        let could_be = match self.metric {
            Metric::Moves => claimed > f64::from(found),
            Metric::Steps => claimed < f64::from(found),
        };
        if !could_be || claimed.fract() != 0.0 {
            return Ok(Aside { is_other_metric: Some(false), was_searched: false });
        }
        if !may_search && session.needs_search(board, other(self.metric))? {
            return Ok(Aside::default());
        }
        let (distance, source) = session.distance(board, other(self.metric))?;
        let is_other_metric = Some(distance.map(f64::from) == Some(claimed));
        Ok(Aside { is_other_metric, was_searched: source == Source::Search })
    }

    fn wrong_values(&self, board: &Board, found: Option<u32>, values: &[Option<f64>]) -> Vec<WrongValue> {
        if self.heuristics().is_empty() {
            return Vec::new();
        }
        let heuristics = self.heuristics().to_vec();
        let schema = Schema { metrics: [self.metric].into_iter().collect(), heuristics };
        let labeller = Labeller { schema: &schema, seed: self.seed.unwrap_or_default() };
        let row = labeller.row(board.clone(), None, [found].into_iter().collect());
        let columns = schema.heuristics.iter().zip(values).zip(row.labels).enumerate();
        columns
            .filter(|(_, ((heuristic, _), _))| self.is_checked(heuristic))
            .filter_map(|(column, ((heuristic, &claimed), label))| {
                WrongValue::of(column, heuristic, claimed, label)
            })
            .collect()
    }

    /// Without a seed nobody knows the last move.
    fn is_checked(&self, heuristic: &Heuristic) -> bool {
        self.seed.is_some() || !heuristic.needs_parent()
    }
}

/// What a dataset may have been made in by mistake.
fn other(metric: Metric) -> Metric {
    match metric {
        Metric::Moves => Metric::Steps,
        Metric::Steps => Metric::Moves,
    }
}
