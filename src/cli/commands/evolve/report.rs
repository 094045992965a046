//! `tailback evolve report`: what came of experiments, as a page with charts.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tailback::answers::report::{Figures, HEADS, blind_note, labels, page, rows, searched};
use tailback::evolution::{Folder, Kind, Report as Numbers, Trial};

use crate::shared::board_options::settings;
use crate::shared::columns::{Column, Columns};
use crate::shared::picture::{self, Format, SCALE};
use crate::shared::{
    BoardReader, Failure, Global, PuzzleSource, Result, Threads, Watch, interrupt, output, puzzle_source,
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
    /// Only the boards of these names, separated by commas
    #[arg(long, value_name = "NAMES", requires = "set")]
    only: Option<String>,
    /// The most nodes of a search [default: as the experiments say]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: Option<u64>,
    /// The folder for report.html and its charts [default: the first DIR]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
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
        let numbers = self
            .threads
            .pool()?
            .install(|| Watch::over(|watch| Numbers::of(&folders, &trial, &settings, watch)))?;
        let out = self.out.as_ref().unwrap_or(&self.folders[0]);
        let page = write(&numbers, out)?;
        Ok(output::tell(global, &numbers, || in_words(&numbers, &page))?)
    }
}

/// Writes the page, its charts and all searches; reports where the page is.
fn write(numbers: &Numbers, out: &Path) -> Result<PathBuf> {
    let folder = out.join("report");
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::of(&error).about(format_args!("cannot write {}", folder.display())))?;
    let figures = Figures::of(numbers);
    for figure in figures.iter() {
        let path = folder.join(&figure.name);
        picture::write(Format::Svg, &path.with_extension("svg"), &figure.svg, SCALE)?;
        picture::write(Format::Png, &path.with_extension("png"), &figure.svg, SCALE)?;
    }
    let mut searches = Vec::new();
    numbers.write_searches(&mut searches)?;
    write_whole(&folder.join("searches.csv"), &searches)?;
    let path = out.join("report.html");
    write_whole(&path, page(numbers, &figures).as_bytes())?;
    Ok(path)
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
        text += &format!("\nThe best of {blocks} building blocks is shown; the report has all.\n");
        text += &blind_note(experiment).map_or("\n".to_owned(), |note| format!("{note}\n\n"));
    }
    text + &format!("report: {}\n", page.display())
}
