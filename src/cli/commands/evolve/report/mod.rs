//! `tailback evolve report`: what came of experiments, as a page with charts.

mod charts;
mod html;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::HumanCount;
use tailback::evolution::{
    Evolved, ExperimentReport, Folder, Kind, Method, Quartiles, Report as Numbers, Scores, Trial,
};

use crate::cli::shared::board_options::settings;
use crate::cli::shared::columns::{Column, Columns};
use crate::cli::shared::picture::{Format, SCALE};
use crate::cli::shared::{
    BoardReader, Failure, Global, PuzzleSource, Result, Watch, interrupt, output, puzzle_source, threads,
    write_whole,
};

const EXAMPLES: &str = "\
Examples:
  tailback evolve report policy                   writes policy/report.html
  tailback evolve report policy tree --out both   compares two experiments
  tailback evolve report policy --set jam --max-nodes 1000000 --out cards

The test boards, or those of --set, are searched without a heuristic, by every
building block and every heuristic of the laboratory, by a combination made by
hand, by linear least squares, and by the best of each run.";

/// Write what came of experiments as a page with charts
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Report {
    /// The folders of the experiments
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Search all boards of this set instead of the test boards: jam, it3105,
    /// hard8, far8, or a file
    #[arg(long, value_name = "SET", value_parser = puzzle_source::parse)]
    set: Option<PuzzleSource>,
    /// Only the boards of these names, with commas between
    #[arg(long, value_name = "NAMES", requires = "set")]
    only: Option<String>,
    /// The most nodes of a search [default: as the experiments say]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: Option<u64>,
    /// The folder for report.html and its charts [default: the first DIR]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Report {
    pub fn run(&self, global: &Global) -> Result<()> {
        let folders = self.folders.iter().map(|path| Folder::look(path)).collect::<Result<Vec<_>, _>>()?;
        let reader = BoardReader::new(None, None, global);
        let settings = settings(global);
        let experiment = folders[0].experiment()?;
        let oracle = experiment.open(&settings)?;
        let some = |set: &PuzzleSource| set.some_puzzles(&oracle, &reader, self.only.as_deref());
        let set = self.set.as_ref().map(some).transpose()?;
        let trial = Trial { set, nodes: self.max_nodes };
        interrupt::listen("stopping")?;
        let numbers = threads::pool(self.threads)?
            .install(|| Watch::over(|watch| Numbers::of(&folders, &trial, &settings, watch)))?;
        let out = self.out.as_ref().unwrap_or(&self.folders[0]);
        let page = write(&numbers, out)?;
        Ok(output::tell(global, &numbers, || in_words(&numbers, &page))?)
    }
}

/// Writes the page and its charts; tells where the page is.
fn write(numbers: &Numbers, out: &Path) -> Result<PathBuf> {
    let folder = out.join("report");
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::of(&error).about(format_args!("cannot write {}", folder.display())))?;
    let figures = charts::all(numbers);
    for figure in figures.iter() {
        let path = folder.join(&figure.name);
        Format::Svg.write(&path.with_extension("svg"), &figure.svg, SCALE)?;
        Format::Png.write(&path.with_extension("png"), &figure.svg, SCALE)?;
    }
    let page = out.join("report.html");
    write_whole(&page, html::page(numbers, &figures).as_bytes())?;
    Ok(page)
}

fn in_words(numbers: &Numbers, page: &Path) -> String {
    let mut text = String::new();
    for (experiment, label) in numbers.experiments.iter().zip(labels(numbers)) {
        let mut columns = HEADS.map(Column::numbers);
        columns[0].is_words = true;
        // Of the building blocks the best is enough here.
        let mut blocks = 0;
        let rows = rows(experiment, &|quartiles, told| told(quartiles.median)).into_iter();
        let rows = rows.filter_map(|(kind, row)| {
            blocks += usize::from(kind == Kind::Block);
            (kind != Kind::Block || blocks == 1).then_some(row)
        });
        let table = Columns { keys: 1, ..Columns::of(columns, rows) };
        let table = table.text(output::width());
        text += &format!("{label}: {}\n\n{table}", searched(experiment));
        text += &format!("\nThe best of {blocks} building blocks is shown; the report has all.\n\n");
    }
    text + &format!("report: {}\n", page.display())
}

/// What the experiments are called; with their folders, if two share a name.
fn labels(numbers: &Numbers) -> Vec<String> {
    let all = &numbers.experiments;
    let is_shared = |name: &str| all.iter().filter(|experiment| experiment.name == name).count() > 1;
    let label = |experiment: &ExperimentReport| match is_shared(&experiment.name) {
        true => format!("{} ({})", experiment.name, experiment.folder.display()),
        false => experiment.name.clone(),
    };
    all.iter().map(label).collect()
}

/// On what methods are compared.
fn searched(experiment: &ExperimentReport) -> String {
    let ExperimentReport { set, test_boards, seen_boards, searched_boards, algorithm, .. } = experiment;
    let (boards, searched) = (HumanCount(*test_boards as u64), HumanCount(*searched_boards as u64));
    let mut text = match set {
        None => format!("{boards} test boards, {searched} of them searched by {algorithm}"),
        Some(set) => format!("{boards} boards of {set}, searched by {algorithm}"),
    };
    if *seen_boards > 0 {
        text += &format!("; {} have the family of a training board", HumanCount(*seen_boards as u64));
    }
    text
}

/// What tables of methods tell.
const HEADS: [&str; 7] = ["method", "sq. error", "disorder", "nodes", "of blind", "solved", "length"];

/// A row of a table of methods.
type Row = [String; HEADS.len()];
/// How the middle of several runs is told, and how each number of it.
type Middle<'m> = &'m dyn Fn(Quartiles, &dyn Fn(f64) -> String) -> String;

/// The methods of an experiment, fewest nodes first; the best of the runs among
/// them, and the middle of all runs if there are several.
fn rows(experiment: &ExperimentReport, middle: Middle) -> Vec<(Kind, Row)> {
    let row = |method: &Method| (method.kind, row(name(experiment, method), &method.scores));
    let mut rows: Vec<(f64, (Kind, Row))> =
        methods(experiment).into_iter().map(|method| (method.scores.nodes as f64, row(method))).collect();
    let (runs, evolved) = (experiment.runs.len(), &experiment.evolved);
    if runs > 1 {
        rows.push((evolved.nodes.median, (Kind::Evolved, middle_row(runs, evolved, middle))));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What needs no breeding, and the best of the runs.
fn methods(experiment: &ExperimentReport) -> Vec<&Method> {
    experiment.baselines.iter().chain([&experiment.best_run().champion]).collect()
}

/// What a method is called in tables and charts.
fn name(experiment: &ExperimentReport, method: &Method) -> String {
    match method.kind {
        Kind::HandMade => format!("by hand: {}", method.name),
        Kind::Evolved => format!("evolved, best (run {})", experiment.best_run().run),
        Kind::Blind | Kind::Block | Kind::LeastSquares => method.name.clone(),
    }
}

fn row(name: String, scores: &Scores) -> Row {
    [
        name,
        decimals(scores.squared_error),
        percent(scores.disorder),
        whole(scores.nodes as f64),
        percent(scores.against_blind),
        percent(scores.solved),
        scores.length.map_or("-".to_owned(), decimals),
    ]
}

fn middle_row(runs: usize, evolved: &Evolved, middle: Middle) -> Row {
    [
        format!("evolved, median of {runs} runs"),
        middle(evolved.squared_error, &decimals),
        middle(evolved.disorder, &percent),
        middle(evolved.nodes, &whole),
        middle(evolved.against_blind, &percent),
        middle(evolved.solved, &percent),
        evolved.length.map_or("-".to_owned(), |length| middle(length, &decimals)),
    ]
}

fn decimals(number: f64) -> String {
    if number < 10_000.0 { format!("{number:.3}") } else { whole(number) }
}

fn whole(number: f64) -> String {
    HumanCount(number.round() as u64).to_string()
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
