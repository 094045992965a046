//! `tailback import-dataset`: is the h\* of a dataset exact?

mod report;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tailback::board::{Board, Metric};
use tailback::dataset::hh_evolver::{Instance, unquoted};
use tailback::dataset::{Audit, Checked, Summary};
use tailback::formula::Heuristic;
use tailback::probe::Session;

use self::report::{Head, Report};
use crate::cli::shared::audit::{self, Unchecked};
use crate::cli::shared::batch::Line;
use crate::cli::shared::{
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
  3  interrupted: the lines so far are told";

/// What the column of the distances may be called, beside the name of the metric.
const DISTANCES: [&str; 7] = ["h*", "hstar", "h_star", "distance", "optimal", "cost", "h"];

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
    #[arg(long, value_name = "LIST", value_parser = heuristics::for_boards)]
    heuristics: Option<CommaList<Heuristic>>,
    /// The seed of the dataset, to check conditions too: they ask about the last move
    #[arg(long, value_name = "S", requires = "heuristics")]
    seed: Option<u64>,
    /// Write the dataset with the right distances, and without the lines that cannot be read
    #[arg(long, value_name = "FILE")]
    fix: Option<PathBuf>,
    /// Tell the summary only
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
        let audit = Audit::new(self.metric, self.heuristics(), self.seed);
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
                Err(unchecked) => summary.add_unchecked(unchecked.is_unreadable),
            }
            let said = audit::said(&line, global.json, |checked| report::line(checked, self.metric, other));
            said.filter(|_| !self.summary)
        })?;
        if let Some(path) = self.fix.as_ref().filter(|_| stopped.is_none()) {
            write_whole(path, (fixed.join("\n") + "\n").as_bytes())?;
            output::note(&format!("{}: the dataset as it should be", path.display()));
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

    fn heuristics(&self) -> &[Heuristic] {
        self.heuristics.as_ref().map_or(&[], |list| &list.0)
    }

    fn check(
        &self,
        reader: &BoardReader,
        audit: &Audit,
        session: &mut Session,
        line: &Line,
    ) -> Result<(Checked, Option<String>), Unchecked> {
        let (board, instance) =
            self.read(reader, line).map_err(|error| Unchecked::unreadable(line, error))?;
        let checked = audit.check(session, line.number(), (&board, &instance), self.options.bounds());
        let checked = checked.map_err(|error| Unchecked::new(line, error.into()))?;
        let fixed = self.fix.as_ref().map(|_| self.fixed(line, &checked)).transpose();
        let fixed = fixed.map_err(|error| Unchecked::unreadable(line, error))?;
        Ok((checked, fixed))
    }

    /// The line as it should be.
    fn fixed(&self, line: &Line, checked: &Checked) -> Result<String> {
        let entry = line.entry()?;
        let names = self.distance_names();
        let first = names.iter().find(|name| entry.value(&[name]).is_some()).or(names.first());
        let first = first.map_or("", String::as_str);
        let distance = match checked.found {
            Some(distance) => distance.to_string(),
            None if line.is_json() => "null".to_owned(),
            None => "Infinity".to_owned(),
        };
        // In a table a column has the heuristic's name, or its number.
        let column = |name: &str| match entry.values.is_empty() || entry.value(&[name]).is_some() {
            true => name.to_owned(),
            false => {
                let at = self.heuristics().iter().position(|heuristic| heuristic.to_string() == name);
                format!("h{}", at.map_or(0, |at| at + 1))
            }
        };
        let wrong: Vec<(String, String)> = checked
            .wrong_values
            .iter()
            .map(|wrong| (column(&wrong.heuristic), wrong.found.to_string()))
            .collect();
        let distance = checked.fault.map(|_| (first, distance.as_str()));
        let wrong = wrong.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let changes: Vec<(&str, &str)> = distance.into_iter().chain(wrong).collect();
        let heuristics: Vec<String> = self.heuristics().iter().map(ToString::to_string).collect();
        let names: Vec<&str> = [first].into_iter().chain(heuristics.iter().map(String::as_str)).collect();
        line.with(&names, &changes)
    }

    /// What the column of the distances may be called.
    fn distance_names(&self) -> Vec<String> {
        match &self.distance {
            Some(name) => vec![name.clone()],
            None => [self.metric.to_string()].into_iter().chain(DISTANCES.map(str::to_owned)).collect(),
        }
    }

    fn read(&self, reader: &BoardReader, line: &Line) -> Result<(Board, Instance)> {
        let instance = self.instance(line)?;
        let board = reader.board(&instance.board)?;
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

    /// What a line claims: the columns of a table by their names, otherwise the
    /// values after the board.
    fn instance(&self, line: &Line) -> Result<Instance> {
        let entry = line.entry()?;
        let is_first = entry.before.is_empty();
        let is_alone = entry.after.is_empty();
        if is_first && entry.values.is_empty() && (is_alone || line.whole()?.contains(',')) {
            return Ok(Instance::parse(line.whole()?)?);
        }
        if !is_first || !is_alone {
            let (distance, values) = match (&entry.before[..], &entry.after[..]) {
                ([.., last], _) if last.parse::<f64>().is_ok() => (*last, &[][..]),
                (_, [first, rest @ ..]) => (*first, rest),
                ([.., last], []) => (*last, &[][..]),
                ([], []) => unreachable!("one of them is there"),
            };
            return Ok(Instance::of(&entry.board, distance, values)?);
        }
        let names = self.distance_names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Some(distance) = entry.value(&names) else {
            let found: Vec<&str> = entry.values.iter().map(|(name, _)| &**name).collect();
            return Err(Failure::misused(format!(
                "there is no column {} beside the board: there is {}",
                names.join(", "),
                found.join(", ")
            ))
            .advise("name the column of the distances (--distance NAME)"));
        };
        let mut values = Vec::new();
        for (heuristic, number) in self.heuristics().iter().zip(1..) {
            let (name, numbered) = (heuristic.to_string(), format!("h{number}"));
            let value = entry.value(&[&name, &numbered]);
            let missing = || Failure::misused(format!("there is no column {name} or {numbered}"));
            values.push(value.ok_or_else(missing)?);
        }
        Ok(Instance::of(&entry.board, distance, &values)?)
    }
}
