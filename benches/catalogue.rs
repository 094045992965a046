//! How long the questions to a catalogue take, process start included.
//!
//! ```text
//! cargo bench --bench catalogue            400,000 made-up rows
//! cargo bench --bench catalogue -- DIR     the 6×6 catalogue of a folder
//! ```

#[path = "../tests/common/puzzles.rs"]
#[allow(dead_code)]
mod puzzles;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use tailback::catalogue::{Catalogue, Column, Puzzle, Query, Rules, Summary, Value, file_name};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tailback");
const ROWS: usize = 400_000;
const RUNS: usize = 51;

const QUESTIONS: [&str; 18] = [
    "--version",
    "puzzles --count --rules all",
    "puzzles --count",
    "puzzles --count --vehicles 8..",
    "puzzles --count --moves 20..30",
    "puzzles --count --inventory 12,4 --solutions 1..100000",
    "puzzles --count --having-kind 2,3 --having-kind 3,2",
    "puzzles --count --moves 5.. --steps 5.. --vehicles 5.. --cars 4.. --trucks 1.. --free-cells 1.. \
     --cluster-boards 5.. --solutions 1.. --first-moves 1.. --moving-vehicles 1.. --having-kind 2,3 --inventory 12,4",
    "puzzles",
    "puzzles --vehicles 8.. --sort -cluster-boards",
    "puzzles --sort branching,-solutions,steps,vehicles",
    "puzzles --rules all --limit 1000 --format csv",
    "puzzles --random --seed 7 --limit 100 --format jsonl",
    "puzzles --rules rush --solutions 1 --random --seed 7 --limit 100 --format rush",
    "hardest",
    "hardest --by steps --rules all",
    "hardest --limit 1000 --format rush",
    "show",
];

fn main() {
    let given = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).map(PathBuf::from);
    let made = tempfile::tempdir().unwrap();
    let folder = given.as_deref().unwrap_or(made.path());
    if given.is_none() {
        make_up(folder);
    }
    let bytes = folder.join(file_name(6)).metadata().unwrap().len();
    let catalogue = Catalogue::open(folder, 6).unwrap();
    println!("{} puzzles, {bytes} bytes", catalogue.puzzles());
    let one = Query { rules: Rules::All, limit: Some(1), ..Query::default() };
    let id = catalogue.select(&one).unwrap().next().unwrap().unwrap().id();

    println!("{:>10} {:>7} {:>8}  question", "fastest ms", "median", "slowest");
    for question in QUESTIONS {
        let mut args: Vec<String> = question.split_whitespace().map(str::to_owned).collect();
        if question == "show" {
            args.push(id.to_string());
        }
        let mut times: Vec<f64> = (0..RUNS).map(|_| milliseconds(folder, &args)).collect();
        times.sort_by(f64::total_cmp);
        let (fastest, median, slowest) = (times[0], times[RUNS / 2], times[RUNS - 1]);
        println!("{fastest:>10.2} {median:>7.2} {slowest:>8.2}  {}", args.join(" "));
    }
}

/// The rows must be boards where they are drawn.
fn make_up(folder: &Path) {
    let started = Instant::now();
    let rows: Vec<Puzzle> = puzzles::made_up(ROWS, 1)
        .into_iter()
        .map(|puzzle| {
            Puzzle::new(|column| match column {
                Column::Board => Value::Text("BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.".to_owned()),
                column => puzzle.value(column).clone(),
            })
        })
        .collect();
    let made = started.elapsed();
    puzzles::write(folder, 6, &rows, &Summary::default());
    println!("rows made in {made:.1?}, written and finished in {:.1?}", started.elapsed() - made);
}

fn milliseconds(folder: &Path, args: &[String]) -> f64 {
    let started = Instant::now();
    let mut command = Command::new(PROGRAM);
    command.arg("--db").arg(folder).args(args).stdout(Stdio::null());
    assert!(command.status().unwrap().success(), "{args:?}");
    started.elapsed().as_secs_f64() * 1e3
}
