//! `tailback compare`: the same puzzles, many ways to search.

mod groups;
mod machines;
mod measure;
mod people;
mod plot;
mod rules;

use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use tailback::board::Metric;
use tailback::puzzles::{Bench, Instance, Method, PUZZLES, PuzzleSet, Settings};
use tailback::search::{Algorithm, Compared, Comparison, MethodTotals};

use crate::shared::picture::{self, SCALE};
use crate::shared::{
    BoardOptions, CommaList, Failure, Global, LimitArgs, PuzzleOption, PuzzleSource, Result, Threads, Watch,
    heuristics, interrupt, output, puzzle_source,
};
use groups::Group;
use machines::Printer;
use measure::Measure;
use people::View;
use plot::Look;
use rules::Choice;

const EXAMPLES: &str = "\
Examples:
  tailback compare                            A* with five heuristics on the 40 cards
  tailback compare --algorithms bfs,astar,ida-tt --heuristics blocking
  tailback compare --heuristics 'blocking,max(blocking,advanced-admissible)'
  tailback compare --set it3105 --metric steps --measure expanded
  tailback compare --set mine.txt --format csv > results.csv
  tailback compare --threads 1 --plot searches.svg
  tailback compare --by-group --panels expanded,seconds --repeat 5 --plot groups.png
  tailback compare --only 1..10 --format latex > table.tex
  tailback compare --rules oldest-first,no-reopening,exit-outside --heuristics zero,blocking

A set is jam (the 40 cards of the boxed game), it3105 (seven boards of a
university course), hard8 and far8 (boards of 8×8 that are hard for a blind
search, and far from the exit), or a file with one board a line and, if you like,
a name before it; with tabs between, a third column is the group of a puzzle.
Blank lines and lines with # are skipped.

In the table +2 says that the solution found is two longer than a shortest
one, and > that the search was stopped. Times are cleanest with --threads 1.";

/// The most nodes of a search by default: a set has many searches,
/// and one that does not end would keep all others waiting.
const NODES: &str = "10000000";
/// The most puzzles that tables and charts show one by one.
const SHOWN: usize = 10_000;

/// Compare algorithms and heuristics on a set of puzzles
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{}", rules::help()), mut_arg("max_nodes", |arg| arg.default_value(NODES)))]
pub struct Compare {
    #[command(flatten)]
    puzzle: PuzzleOption,
    /// The instances: jam, it3105, hard8, far8, a file, or `-` for standard input [default: the first set of the puzzle]
    #[arg(long, value_parser = puzzle_source::parse)]
    set: Option<PuzzleSource>,
    /// Only the puzzles of these names, separated by commas; 7 is Jam-7, 1..10 the first ten
    #[arg(long, value_name = "NAMES")]
    only: Option<String>,
    /// What to search with, separated by commas
    #[arg(long, value_name = "LIST", default_value = "astar")]
    algorithms: CommaList<Algorithm>,
    #[arg(long, value_name = "LIST", value_parser = NonEmptyStringValueParser::new(), help = format!(
        "What to guide it with, separated by commas: names or formulas, `all`, `features` \
         [default: {}; in steps {}]",
        PUZZLES[0].usual(Metric::Moves).compared, PUZZLES[0].usual(Metric::Steps).compared
    ))]
    heuristics: Option<String>,
    /// What a length counts
    #[arg(long, default_value = "moves", value_parser = crate::shared::options::metric())]
    metric: Metric,
    /// Count as other programs do: names of rules separated by commas (see below)
    #[arg(long, value_name = "LIST")]
    rules: Option<CommaList<Choice>>,
    /// What the table shows [default: generated]
    #[arg(long, value_enum)]
    measure: Option<Measure>,
    #[command(flatten)]
    threads: Threads,
    /// Show and draw the means of groups instead of single puzzles
    #[arg(long)]
    by_group: bool,
    /// Run each search N times; its time is the median, drawn with its spread
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,
    /// Another form than a table for people
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Draw it into a file, .svg, .png or .pdf: what --measure says, or nodes, times and lengths
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// What to draw, one chart each, separated by commas
    #[arg(long, value_enum, value_name = "MEASURES", value_delimiter = ',', requires = "plot")]
    panels: Vec<Measure>,
    /// What stands above the charts
    #[arg(long, value_name = "TEXT", requires = "plot")]
    title: Option<String>,
    /// How large they are together, such as 1200x800; a PNG has twice as many pixels
    #[arg(long, value_name = "WxH", requires = "plot", value_parser = size)]
    plot_size: Option<(f64, f64)>,
    /// How bars grow [default: linear for lengths and branching factors, otherwise log]
    #[arg(long, value_enum, requires = "plot")]
    scale: Option<Growth>,
    #[command(flatten)]
    options: BoardOptions,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line for each puzzle and search
    Csv,
    /// The tables for a page
    Markdown,
    /// The tables for a paper, with booktabs
    Latex,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Growth {
    Linear,
    Log,
}

/// Reads a width and a height.
fn size(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.parse::<u16>().ok().filter(|number| (1..=10_000).contains(number));
    let both = text.split_once(['x', '×']);
    let both = both.and_then(|(width, height)| Some((number(width)?, number(height)?)));
    both.map(|(width, height)| (width.into(), height.into()))
        .ok_or_else(|| "a size is a width and a height up to 10000, such as 1200x800".to_owned())
}

impl Compare {
    pub fn run(&self, global: &Global) -> Result<()> {
        let format = self.plot.as_deref().map(picture::format_of).transpose()?;
        let plot = self.plot.as_deref().zip(format);
        self.check_usage(global)?;
        let limits = self.limits.limits()?;
        let (rules, variants) = self.rules.as_ref().map(rules::combined).unwrap_or_default();
        let written = rules::written(rules, &variants);
        let oracle = self.puzzle.open(self.metric, Settings { variants, ..self.options.settings(global) })?;
        let usual = || PuzzleSource::Named(self.puzzle.named.sets()[0].0.to_owned());
        let source = self.set.clone().unwrap_or_else(usual);
        let set = source.some_puzzles(&oracle, &self.options.reader(global), self.only.as_deref())?;
        let view = View { measure: self.measure.unwrap_or(Measure::Generated), by_group: self.by_group };
        if self.by_group && !set.has_groups() {
            return Err(Failure::misused(format!(
                "the puzzles of {} have no groups: a third column of the file, with tabs between, names them",
                set.name
            )));
        }
        let mut results = Results::new(&set, self.metric, self.methods()?);
        results.rules = written;
        results.repeats = self.repeat.into();
        let mut printer = match self.format {
            Some(Format::Csv) => Some(Printer::new(false)),
            Some(Format::Markdown | Format::Latex) => None,
            None => global.json.then(|| Printer::new(true)),
        };
        let shown = if printer.is_some() && plot.is_none() { 0 } else { SHOWN };

        let contest = Bench { rules };
        let methods = results.methods.clone();
        let repeats = results.repeats;
        let comparison = Comparison { contest: &contest, methods: &methods, limits: &limits, repeats };
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
        let compared = self.threads.pool()?.install(|| Watch::over(&mut compare));
        if let Err(error) = compared {
            // What is printed cannot be taken back.
            return Err(match printer.map(|printer| printer.fail(&error)) {
                Some(Ok(true)) => error.after_answers(),
                _ => error,
            });
        }

        if let Some((path, format)) = plot {
            let bars = plot::bars(&results, &self.look());
            let (width, height) = bars.least_size();
            if bars.size.is_some_and(|size| size.0 < width || size.1 < height) {
                return Err(Failure::misused(format!(
                    "these charts need a --plot-size of {width}x{height} at least"
                )));
            }
            picture::write(format, path, &bars.svg(), SCALE)?;
        }
        match (printer, self.format) {
            (Some(printer), _) => printer.finish(&results)?,
            (None, Some(Format::Latex)) => output::text(&people::latex(&results, &view))?,
            (None, Some(_)) => output::text(&people::markdown(&results, &view))?,
            (None, None) => output::text(&people::text(&results, &view))?,
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
        let is_of_best_first =
            |choice: &Choice| matches!(choice, Choice::Search(rule) if rule.is_of_best_first());
        let needs_best_first = self.rules.as_ref().is_some_and(|rules| rules.0.iter().all(is_of_best_first));
        Failure::refuse([
            // Clap sees no conflict with what stands before the command.
            (
                global.json && self.format.is_some(),
                "--json and --format are two forms of the same: choose one",
            ),
            (
                self.measure.is_some() && has_all && (self.plot.is_none() || !self.panels.is_empty()),
                "--measure chooses what a table shows; JSON and CSV have all measures",
            ),
            (
                self.by_group && has_all && self.plot.is_none(),
                "--by-group chooses what a table shows; JSON has the puzzles and the means of groups",
            ),
            (
                self.heuristics.is_some() && !is_guided,
                "bfs, dfs and iddfs use no heuristic: leave --heuristics out, or name another algorithm",
            ),
            (
                needs_best_first && !self.algorithms.0.iter().any(|algorithm| algorithm.is_best_first()),
                "these rules are about greedy, astar and wastar: name one of them",
            ),
            (
                self.options.primary.is_some() && !matches!(self.set, Some(PuzzleSource::File(_))),
                "in the sets of the program the primary is A: --primary is for your own sets",
            ),
        ])
    }

    fn look(&self) -> Look {
        let panels = match (&self.panels[..], self.measure) {
            ([], None) => vec![Measure::Generated, Measure::Seconds, Measure::Length],
            ([], Some(measure)) => vec![measure],
            (panels, _) => panels.to_vec(),
        };
        Look {
            panels,
            title: self.title.clone(),
            size: self.plot_size,
            is_logarithmic: self.scale.map(|scale| scale == Growth::Log),
            by_group: self.by_group,
        }
    }

    fn methods(&self) -> Result<Vec<Method>> {
        let puzzle = self.puzzle.named;
        let list = self.heuristics.as_deref().unwrap_or(puzzle.usual(self.metric).compared);
        Ok(Method::all(&self.algorithms.0, &heuristics::list(puzzle, list)?))
    }
}

/// What came out for a puzzle.
type Row = Compared<Arc<dyn Instance>>;

/// What came out.
struct Results {
    set: String,
    /// Of the whole set.
    puzzles: usize,
    metric: Metric,
    /// The rules that are not the usual ones, as they are written.
    rules: String,
    /// How often each search was run.
    repeats: usize,
    has_groups: bool,
    methods: Vec<Method>,
    /// The first puzzles: those that are shown one by one.
    rows: Vec<Row>,
    /// By method.
    totals: Vec<MethodTotals>,
    groups: Vec<Group>,
}

impl Results {
    fn new(set: &PuzzleSet, metric: Metric, methods: Vec<Method>) -> Results {
        Results {
            set: set.name.clone(),
            puzzles: set.len(),
            metric,
            rules: String::new(),
            repeats: 1,
            has_groups: set.has_groups(),
            totals: vec![MethodTotals::default(); methods.len()],
            methods,
            rows: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Adds what came out for the next puzzle, which is one of the shown ones if
    /// these are not too many.
    fn add(&mut self, row: Row, shown: usize) {
        self.totals.iter_mut().enumerate().for_each(|(method, totals)| totals.add(&row, method));
        groups::add(&mut self.groups, &row);
        if self.rows.len() < shown {
            self.rows.push(row);
        }
    }

    /// `40 puzzles in moves`, and by which rules if these are not the usual ones.
    fn extent(&self) -> String {
        let puzzles = if self.puzzles == 1 { "puzzle" } else { "puzzles" };
        let rules = match self.rules.as_str() {
            "" => String::new(),
            rules => format!(" ({rules})"),
        };
        format!("{} {puzzles} in {}{rules}", HumanCount(self.puzzles as u64), self.metric)
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
