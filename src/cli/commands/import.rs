//! `tailback import`: is what a list of puzzles says of them true?

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::probe::{Claim, Numbers, Session, Source};

use crate::cli::shared::audit::{self, Unchecked};
use crate::cli::shared::batch::Line;
use crate::cli::shared::board_options::LONGEST;
use crate::cli::shared::{BoardOptions, Global, Result, output};
use tailback::dataset::Seen;

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
  3  interrupted: the lines so far are told";

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
    options: BoardOptions,
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
    pub fn run(&self, global: &Global) -> Result<()> {
        let started = Instant::now();
        let ((), list) = audit::open(&self.file, LONGEST, |input| Ok(((), input, 0)))?;
        let check = |session: &mut Session, line: &Line| self.check(session, line);
        let mut summary = Summary::default();
        let mut seen = Seen::default();
        let stopped = list.check(&self.options.prober(global), started, check, |mut line| {
            summary.add(&mut line, &mut seen);
            audit::said(&line, global.json, in_words)
        })?;
        summary.seconds = started.elapsed().as_secs_f64();
        output::tell(global, &summary, || summary.in_words())?;
        let Summary { differ, unchecked, unreadable, .. } = summary;
        stopped.map_or_else(|| audit::verdict("puzzle", [differ, unchecked, unreadable]), Err)
    }

    fn check(&self, session: &mut Session, line: &Line) -> Result<Puzzle, Unchecked> {
        let claim = line.whole().and_then(|text| Ok(Claim::parse(text, self.options.primary)?));
        let claim = claim.map_err(|error| Unchecked::unreadable(line, error))?;
        let (found, source) =
            session.check(&claim, !self.no_clusters).map_err(|error| Unchecked::new(line, error.into()))?;
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

/// What people want to know of a line; nothing if it is as claimed.
fn in_words(puzzle: &Puzzle) -> Option<String> {
    if puzzle.agrees == Some(true) {
        return None;
    }
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
    fn add(&mut self, line: &mut Result<Puzzle, Unchecked>, seen: &mut Seen) {
        self.lines += 1;
        match line {
            Err(Unchecked { is_unreadable: true, .. }) => self.unreadable += 1,
            Err(_) => self.unchecked += 1,
            Ok(puzzle) => {
                puzzle.repeated = seen.is_repeat(puzzle.claim.board.shape());
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
        let text = match self.lines {
            0 => "Nothing was read".to_owned(),
            lines => audit::overview(lines, parts, self.repeated),
        };
        format!("{text} ({:.1} s).\n", self.seconds)
    }
}
