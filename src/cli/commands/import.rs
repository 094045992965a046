//! `tailback import`: is what a list of puzzles says of them true?

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::{Distinct, Metric};
use tailback::probe::{Claim, FoundNumbers, Numbers, Session, Source};

use crate::shared::audit::{self, Unchecked};
use crate::shared::batch::Line;
use crate::shared::{BoardOptions, BoardReader, Failure, Global, Result, output};
use tailback::dataset::Repeats;

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
  2  all claims are true, but there are lines that cannot be read
  3  interrupted: the lines so far are reported";

/// Check what a list of puzzles says of each
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Import {
    /// The list; `-` reads standard input
    file: PathBuf,
    /// Report puzzles that are like an earlier one, too: they differ by N vehicles at most (added,
    /// removed or shifted) or are of one family, mirror images included [default N: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    alike: Option<u32>,
    /// Leave the sizes of clusters unchecked
    #[arg(long)]
    no_clusters: bool,
    #[command(flatten)]
    options: BoardOptions,
}

/// A puzzle that was checked.
#[derive(Serialize)]
struct Puzzle {
    line: usize,
    board: String,
    claimed: Numbers,
    found: FoundNumbers,
    agrees: Option<bool>,
    source: Source,
    repeated: bool,
    /// It is the mirror image of a board before it.
    mirrored: bool,
    /// The line of a board before it that it is like, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<Option<usize>>,
    #[serde(skip)]
    claim: Claim,
}

/// The boards so far.
struct Before {
    seen: Repeats,
    /// If it is asked for: boards of which no two are alike, and their lines.
    distinct: Option<(Distinct, Vec<usize>)>,
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
    mirrored: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    alike: Option<u64>,
    seconds: f64,
}

impl Import {
    pub fn run(&self, global: &Global) -> Result<()> {
        let started = Instant::now();
        let reader = self.options.reader(global);
        let mut list = audit::open(&self.file, |input| reader.records(input))?;
        let check = |session: &mut Session, line: &Line| self.check(&reader, session, line);
        let mut summary = Summary { alike: self.alike.map(|_| 0), ..Summary::default() };
        let distinct = self.alike.map(|degree| (Distinct::new(degree), Vec::new()));
        let mut before = Before { seen: Repeats::default(), distinct };
        let stopped = list.check(&self.options.prober(global), started, check, |mut line| {
            summary.add(&mut line, &mut before);
            audit::said(&line, global.json, in_words)
        })?;
        summary.seconds = started.elapsed().as_secs_f64();
        output::tell(global, &summary, || summary.in_words())?;
        let Summary { differ, unchecked, unreadable, .. } = summary;
        stopped.map_or_else(|| audit::verdict("puzzle", [differ, unchecked, unreadable]), Err)
    }

    fn check(&self, reader: &BoardReader, session: &mut Session, line: &Line) -> Result<Puzzle, Unchecked> {
        let claim = claim(reader, line).map_err(|error| Unchecked::unreadable(line, error))?;
        let (found, source) = session
            .check(&claim, !self.no_clusters, self.options.bounds())
            .map_err(|error| Unchecked::new(line, error.into()))?;
        Ok(Puzzle {
            line: line.number(),
            board: claim.board.text(),
            claimed: claim.claimed,
            found,
            agrees: claim.agrees(&found),
            source,
            repeated: false,
            mirrored: false,
            like: None,
            claim,
        })
    }
}

/// What a line says of its board: `MOVES BOARD CLUSTER_SIZE`, or columns of these
/// names.
fn claim(reader: &BoardReader, line: &Line) -> Result<Claim> {
    let entry = line.entry()?;
    let board = reader.board(&entry.board)?;
    let moves = entry.value(&["moves", "distance"]).or(entry.before.last().copied());
    let size = entry.value(&["cluster_boards", "cluster_size", "cluster"]).or(entry.after.first().copied());
    if moves.is_none() && !entry.after.is_empty() {
        return Err(Failure::misused(format!(
            "{} after the board is a cluster size, but there are no moves before the board: \
             write MOVES BOARD CLUSTER_SIZE, MOVES BOARD, or BOARD alone",
            entry.after[0]
        )));
    }
    Ok(Claim::new(board, moves, size)?)
}

/// What people want to know of a line; nothing if it is as claimed.
fn in_words(puzzle: &Puzzle) -> Option<String> {
    let like = puzzle.like.flatten();
    if puzzle.agrees == Some(true) && like.is_none() {
        return None;
    }
    let moves = |n| output::counted(n, Metric::Moves);
    let mut said = Vec::new();
    if let Some(claimed) = puzzle.claim.wrong_moves(&puzzle.found) {
        let found = match puzzle.found.moves.known() {
            Some(found) => format!("{found} found"),
            None => "but it is unsolvable".to_owned(),
        };
        said.push(format!("{} claimed, {found}", moves(claimed)));
    }
    if let Some((claimed, found)) = puzzle.claim.wrong_cluster_boards(&puzzle.found) {
        let (claimed, found) = (HumanCount(claimed), HumanCount(found));
        said.push(format!("a cluster of {claimed} boards claimed, {found} found"));
    }
    said.extend(like.map(|line| format!("like that of line {line}")));
    if puzzle.agrees.is_none() {
        said.push(puzzle.found.moves.known().map_or("unsolvable".to_owned(), moves));
    }
    Some(format!("line {}: {}: {}", puzzle.line, puzzle.board, said.join("; ")))
}

impl Summary {
    /// Counts a line, and finds out whether its board was there before.
    fn add(&mut self, line: &mut Result<Puzzle, Unchecked>, before: &mut Before) {
        self.lines += 1;
        match line {
            Err(Unchecked { is_unreadable: true, .. }) => self.unreadable += 1,
            Err(_) => self.unchecked += 1,
            Ok(puzzle) => {
                let board = &puzzle.claim.board;
                puzzle.mirrored = before.seen.contains(board.mirrored().shape());
                puzzle.repeated = before.seen.is_repeat(board.shape());
                puzzle.like = before.distinct.as_mut().map(|(distinct, lines)| {
                    let like = distinct.like(board).map(|kept| lines[kept]);
                    if like.is_none() {
                        lines.push(puzzle.line);
                    }
                    like
                });
                self.repeated += u64::from(puzzle.repeated);
                self.mirrored += u64::from(puzzle.mirrored);
                if let Some(alike) = &mut self.alike {
                    *alike += u64::from(puzzle.like.flatten().is_some());
                }
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
        let text = match self.lines {
            0 => "Nothing was read".to_owned(),
            lines => audit::overview(lines, parts, self.repeated),
        };
        let more = audit::counts([
            (self.mirrored, "is the mirror image of another", "are mirror images of others"),
            (self.alike.unwrap_or(0), "is like another", "are like others"),
        ]);
        let more = if more.is_empty() { String::new() } else { format!("; {more}") };
        format!("{text}{more} ({:.1} s).\n", self.seconds)
    }
}
