//! `tailback compare`: the same puzzles, many ways to search.

mod machines;
mod measure;
mod people;
mod plot;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use tailback::board::{Board, Metric};
use tailback::domains::rush_hour::{Heuristic, Method, PuzzleSet, Searcher};
use tailback::search::{Algorithm, Compared, Comparison, MethodTotals};

use crate::cli::shared::picture::{Format as Picture, SCALE};
use crate::cli::shared::{
    BoardOptions, CommaList, Failure, Global, LimitArgs, PuzzleSource, Result, Watch, heuristics, interrupt,
    output, puzzle_source, threads,
};
use machines::Printer;
use measure::Measure;

const EXAMPLES: &str = "\
Examples:
  tailback compare                            A* with five heuristics on the 40 cards
  tailback compare --algorithms bfs,astar,ida-tt --heuristics blocking
  tailback compare --heuristics 'blocking,max(blocking,advanced-admissible)'
  tailback compare --set it3105 --metric steps --measure expanded
  tailback compare --set mine.txt --format csv > results.csv
  tailback compare --threads 1 --plot searches.svg

A set is jam (the 40 cards of the boxed game), it3105 (seven boards of a
university course), hard8 and far8 (boards of 8×8 that are hard for a blind
search, and far from the exit), or a file with one board a line and, if you like,
a name before it. Blank lines and lines with # are skipped.

In the table +2 says that the solution found is two longer than a shortest
one, and > that the search was stopped. Times are cleanest with --threads 1.";

/// The most nodes of a search, unless told otherwise: a set has many searches,
/// and one that does not end would keep all others waiting.
const NODES: &str = "10000000";
/// The most puzzles that tables and charts show one by one.
const SHOWN: usize = 10_000;

/// Compare algorithms and heuristics on a set of puzzles
#[derive(Args)]
#[command(after_help = EXAMPLES, mut_arg("max_nodes", |arg| arg.default_value(NODES)))]
pub struct Compare {
    /// The puzzles: jam, it3105, hard8, far8, a file, or `-` for standard input
    #[arg(long, default_value = "jam", value_parser = puzzle_source::parse)]
    set: PuzzleSource,
    /// Only the puzzles of these names, with commas between
    #[arg(long, value_name = "NAMES")]
    only: Option<String>,
    /// What to search with, with commas between
    #[arg(long, value_name = "LIST", default_value = "astar")]
    algorithms: CommaList<Algorithm>,
    #[arg(long, value_name = "LIST", value_parser = heuristics::list, help = format!(
        "What to guide it with, with commas between [default: {MOVES}; in steps {STEPS}]"
    ))]
    heuristics: Option<CommaList<Heuristic>>,
    /// What a length counts
    #[arg(long, default_value = "moves", value_parser = crate::cli::shared::options::metric())]
    metric: Metric,
    /// What the table shows [default: generated]
    #[arg(long, value_enum)]
    measure: Option<Measure>,
    /// Searches at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Another form than a table for people
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Draw nodes, times and lengths into a file, .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    options: BoardOptions,
    #[command(flatten)]
    limits: LimitArgs,
}

const MOVES: &str = "zero,blocking,advanced,advanced-admissible,perfect";
const STEPS: &str = "zero,distance-blockers,advanced-distance,perfect";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line for each puzzle and search
    Csv,
    /// Two tables
    Markdown,
}

impl Compare {
    pub fn run(&self, global: &Global) -> Result<()> {
        let format = self.plot.as_deref().map(Picture::of).transpose()?;
        let plot = self.plot.as_deref().zip(format);
        self.check_usage(global)?;
        let limits = self.limits.limits()?;
        let set = self.set.some_puzzles(self.options.primary, self.only.as_deref())?;
        let measure = self.measure.unwrap_or(Measure::Generated);
        let prober = self.options.prober(global);
        let mut results = Results::new(&set, self.metric, self.methods());
        let mut printer = match self.format {
            Some(Format::Csv) => Some(Printer::new(false)),
            Some(Format::Markdown) => None,
            None => global.json.then(|| Printer::new(true)),
        };
        let shown = if printer.is_some() && plot.is_none() { 0 } else { SHOWN };

        let contest = Searcher { metric: self.metric, prober: &prober };
        let methods = results.methods.clone();
        let comparison = Comparison { contest: &contest, methods: &methods, limits: &limits };
        let mut compare = |watch: &Watch| -> Result<()> {
            for row in comparison.results(set.iter(), watch) {
                let row = row.map_err(|failed| failed.error)?;
                if let Some(printer) = &mut printer {
                    printer.row(&results, &row)?;
                }
                results.add(row, shown);
            }
            Ok(())
        };
        let compared = threads::pool(self.threads)?.install(|| Watch::over(&mut compare));
        if let Err(error) = compared {
            // What is printed cannot be taken back.
            return Err(match printer.map(|printer| printer.fail(&error)) {
                Some(Ok(true)) => error.after_answers(),
                _ => error,
            });
        }

        if let Some((path, format)) = plot {
            format.write(path, &plot::bars(&results).svg(), SCALE)?;
        }
        match (printer, self.format) {
            (Some(printer), _) => printer.finish(&results)?,
            (None, Some(_)) => output::text(&people::markdown(&results, measure))?,
            (None, None) => output::text(&people::text(&results, measure))?,
        }
        let (all, done) = results.searches();
        match interrupt::is_raised() && done < all {
            true => Err(Failure::cut_short(done, Some(all), "searches")),
            false => Ok(()),
        }
    }

    /// Options that would have no effect are refused.
    fn check_usage(&self, global: &Global) -> Result<()> {
        let has_all = global.json || self.format == Some(Format::Csv);
        let is_guided = self.algorithms.0.iter().any(|algorithm| algorithm.is_guided());
        Failure::refuse([
            // Clap sees no conflict with what stands before the command.
            (
                global.json && self.format.is_some(),
                "--json and --format are two forms of the same: choose one",
            ),
            (
                self.measure.is_some() && has_all,
                "--measure chooses what a table shows; JSON and CSV have all measures",
            ),
            (
                self.heuristics.is_some() && !is_guided,
                "bfs, dfs and iddfs use no heuristic: leave --heuristics out, or name another algorithm",
            ),
            (
                self.options.primary != 'A' && !matches!(self.set, PuzzleSource::File(_)),
                "in the sets of the program the primary is A: --primary is for your own sets",
            ),
        ])
    }

    fn methods(&self) -> Vec<Method> {
        let heuristics = self.heuristics.clone().unwrap_or_else(|| {
            let names = if self.metric == Metric::Moves { MOVES } else { STEPS };
            names.parse().expect("all are heuristics")
        });
        Method::all(&self.algorithms.0, &heuristics.0)
    }
}

/// What came out for a puzzle.
type Row = Compared<Board>;

/// What came out.
struct Results {
    set: String,
    /// Of the whole set.
    puzzles: usize,
    metric: Metric,
    methods: Vec<Method>,
    /// The first puzzles: those that are shown one by one.
    rows: Vec<Row>,
    /// By method.
    totals: Vec<MethodTotals>,
}

impl Results {
    fn new(set: &PuzzleSet, metric: Metric, methods: Vec<Method>) -> Results {
        let totals = vec![MethodTotals::default(); methods.len()];
        Results { set: set.name.clone(), puzzles: set.len(), metric, methods, rows: Vec::new(), totals }
    }

    /// Adds what came out for the next puzzle, which is one of the shown ones if
    /// these are not too many.
    fn add(&mut self, row: Row, shown: usize) {
        self.totals.iter_mut().enumerate().for_each(|(method, totals)| totals.add(&row, method));
        if self.rows.len() < shown {
            self.rows.push(row);
        }
    }

    /// `40 puzzles in moves`.
    fn extent(&self) -> String {
        let puzzles = if self.puzzles == 1 { "puzzle" } else { "puzzles" };
        format!("{} {puzzles} in {}", HumanCount(self.puzzles as u64), self.metric)
    }

    /// Says that not all puzzles are shown.
    fn left_out(&self) -> Option<String> {
        let shown = HumanCount(self.rows.len() as u64);
        (self.rows.len() < self.puzzles)
            .then(|| format!("the first {shown} are shown, CSV and JSON have all"))
    }

    /// All searches, and those that came to their end or to a limit.
    fn searches(&self) -> (usize, usize) {
        let all = self.puzzles * self.methods.len();
        (all, all - self.totals.iter().map(|totals| totals.interrupted).sum::<usize>())
    }
}
