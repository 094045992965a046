//! `tailback import`: is what a list of puzzles says of them true?

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use rustc_hash::FxHashSet;
use serde::Serialize;
use tailback::board::{Metric, Shape};
use tailback::probe::{Claim, Numbers, Session, Source};

use super::batch::{self, BadLine, Line};
use super::finder::{self, Finder};
use super::progress::Meter;
use super::{Global, boards, exit, output};

const EXAMPLES: &str = "\
Examples:
  tailback import puzzles.txt
  tailback import --no-clusters puzzles.txt      check the moves only
  zcat puzzles.txt.gz | tailback import - --json

A line is MOVES BOARD CLUSTER_SIZE, MOVES BOARD, or BOARD alone: the fewest
moves to the exit, and how many boards can be reached. Blank lines and lines
with # are skipped.

Exit codes:
  0  every claim is true
  1  a claim is wrong, or could not be checked
  2  all claims are true, but there are lines that cannot be read";

/// Check what a list of puzzles says of each
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Import {
    /// The list; `-` reads standard input
    file: PathBuf,
    /// Leave the sizes of clusters unchecked
    #[arg(long)]
    no_clusters: bool,
    #[command(flatten)]
    finder: Finder,
}

/// A puzzle that was checked.
#[derive(Serialize)]
struct Puzzle {
    line: usize,
    board: String,
    claimed: Numbers,
    found: Numbers,
    agrees: Option<bool>,
    source: Source,
    repeated: bool,
    #[serde(skip)]
    claim: Claim,
}

/// A line that was not.
struct Unchecked {
    line: usize,
    json: String,
    error: String,
    is_unreadable: bool,
}

/// What became of all lines.
#[derive(Serialize, Default)]
struct Summary {
    lines: u64,
    agree: u64,
    differ: u64,
    unclaimed: u64,
    unchecked: u64,
    unreadable: u64,
    repeated: u64,
    seconds: f64,
}

impl Import {
    pub fn run(&self, global: &Global) -> anyhow::Result<()> {
        let started = Instant::now();
        let (input, meter) = open(&self.file, started)?;
        let check = |session: &mut Session, line: &Line| {
            let checked = self.check(global, session, line);
            meter.add(1);
            checked
        };
        let mut summary = Summary::default();
        let mut shapes = FxHashSet::default();
        let ran = batch::run(&self.finder.prober(global), input, boards::LONGEST, check, |lines| {
            let mut text = String::new();
            for mut line in lines {
                summary.add(&mut line, &mut shapes);
                let said = if global.json { Some(to_json(&line)) } else { in_words(&line) };
                text.extend(said.map(|said| said + "\n"));
            }
            meter.aside(|| output::text(&text))
        });
        meter.finish();
        ran?;
        summary.seconds = started.elapsed().as_secs_f64();
        if global.json {
            output::json(&summary)?;
        } else {
            output::text(&summary.in_words())?;
        }
        summary.verdict()
    }

    fn check(&self, global: &Global, session: &mut Session, line: &Line) -> Result<Puzzle, Unchecked> {
        let unchecked = |error: anyhow::Error, is_unreadable| Unchecked {
            line: line.number,
            json: batch::to_json(&BadLine::new(line, &error)),
            error: error.to_string(),
            is_unreadable,
        };
        let text = line.whole().map_err(|error| unchecked(error.into(), true))?;
        let claim = Claim::parse(text, self.finder.primary).map_err(|error| unchecked(error.into(), true))?;
        let (found, source) = session.check(&claim, !self.no_clusters).map_err(|error| {
            unchecked(finder::explained(error, global, &claim.board, Metric::Moves), false)
        })?;
        Ok(Puzzle {
            line: line.number,
            board: claim.board.text(),
            claimed: claim.claimed,
            found,
            agrees: claim.agrees(&found),
            source,
            repeated: false,
            claim,
        })
    }
}

/// The list, and a meter up to its end if that is known.
fn open(path: &Path, started: Instant) -> anyhow::Result<(Box<dyn Read>, Meter)> {
    if path == Path::new("-") {
        return Ok((Box::new(std::io::stdin()), Meter::endless("lines", started)));
    }
    let mut file = batch::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok((Box::new(file), Meter::endless("lines", started)));
    }
    let lines = batch::lines(&file, boards::LONGEST).try_fold(0, |count, line| line.map(|_| count + 1))?;
    file.rewind()?;
    Ok((Box::new(file), Meter::new("lines", lines, 0, started)))
}

fn to_json(line: &Result<Puzzle, Unchecked>) -> String {
    match line {
        Ok(puzzle) => batch::to_json(puzzle),
        Err(unchecked) => unchecked.json.clone(),
    }
}

/// What people want to know of a line; nothing if it is as claimed.
fn in_words(line: &Result<Puzzle, Unchecked>) -> Option<String> {
    let puzzle = match line {
        Ok(Puzzle { agrees: Some(true), .. }) => return None,
        Ok(puzzle) => puzzle,
        Err(Unchecked { line, error, .. }) => return Some(format!("line {line}: error: {error}")),
    };
    let moves = |n| output::counted(n, Metric::Moves);
    let mut said = Vec::new();
    if let Some(claimed) = puzzle.claim.wrong_moves(&puzzle.found) {
        let found = puzzle.found.moves.map_or("but it is unsolvable".to_owned(), |n| format!("{n} found"));
        said.push(format!("{} claimed, {found}", moves(claimed)));
    }
    if let Some((claimed, found)) = puzzle.claim.wrong_cluster_size(&puzzle.found) {
        let (claimed, found) = (HumanCount(claimed), HumanCount(found));
        said.push(format!("a cluster of {claimed} boards claimed, {found} found"));
    }
    if puzzle.agrees.is_none() {
        said.push(puzzle.found.moves.map_or("unsolvable".to_owned(), moves));
    }
    Some(format!("line {}: {}: {}", puzzle.line, puzzle.board, said.join("; ")))
}

impl Summary {
    /// Counts a line, and finds out whether its board was there before.
    fn add(&mut self, line: &mut Result<Puzzle, Unchecked>, shapes: &mut FxHashSet<Shape>) {
        self.lines += 1;
        match line {
            Err(Unchecked { is_unreadable: true, .. }) => self.unreadable += 1,
            Err(_) => self.unchecked += 1,
            Ok(puzzle) => {
                puzzle.repeated = !shapes.insert(puzzle.claim.board.shape());
                self.repeated += u64::from(puzzle.repeated);
                match puzzle.agrees {
                    Some(true) => self.agree += 1,
                    Some(false) => self.differ += 1,
                    None => self.unclaimed += 1,
                }
            }
        }
    }

    fn in_words(&self) -> String {
        let parts = [
            (self.agree, "agrees", "agree"),
            (self.differ, "differs", "differ"),
            (self.unclaimed, "claims nothing", "claim nothing"),
            (self.unchecked, "has no answer", "have no answer"),
            (self.unreadable, "cannot be read", "cannot be read"),
        ];
        let lines = counts([(self.lines, "line", "lines")]);
        let mut text = match self.lines {
            0 => "The list is empty".to_owned(),
            _ => format!("{lines}: {}", counts(parts)),
        };
        if self.repeated > 0 {
            text += "; ";
            text += &counts([(self.repeated, "repeats a board", "repeat a board")]);
        }
        text + &format!(" ({:.1} s).\n", self.seconds)
    }

    fn verdict(&self) -> anyhow::Result<()> {
        let parts = [
            (self.differ, "puzzle is not as claimed", "puzzles are not as claimed"),
            (self.unchecked, "puzzle could not be checked", "puzzles could not be checked"),
            (self.unreadable, "line cannot be read", "lines cannot be read"),
        ];
        match (self.differ + self.unchecked, self.unreadable) {
            (0, 0) => Ok(()),
            (0, _) => Err(exit::Unreadable(counts(parts)).into()),
            _ => Err(exit::Batch(counts(parts)).into()),
        }
    }
}

/// `1 line, 2 puzzles`, without those that there are none of.
fn counts<const N: usize>(parts: [(u64, &str, &str); N]) -> String {
    let parts = parts.into_iter().filter(|&(count, ..)| count > 0);
    let said = parts
        .map(|(count, one, many)| format!("{} {}", HumanCount(count), if count == 1 { one } else { many }));
    said.collect::<Vec<_>>().join(", ")
}
