//! `tailback status`: how far a build in shards is.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use indicatif::{HumanCount, HumanDuration};
use serde::Serialize;
use tailback::catalogue::Rules;
use tailback::shards::{Plan, Projected, PuzzlesSoFar, SpaceSoFar, State, Status};

use crate::shared::columns::{Column, Columns};
use crate::shared::{Failure, Global, Result, Watch, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback status db/6x6-walls-0-2-catalogue.plan
  tailback status --check db/6x6-moves.plan
                                            reads every shard whole
  tailback status --todo db/6x6-moves.plan
                                            3,7-9: what is left, for sbatch --array
  tailback status --puzzles db/6x6-walls-0-2-catalogue.plan
                                            the puzzles of the shards that are done";

/// Report what of a plan is done, running, missing or failed
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TellStatus {
    /// The plan
    #[arg(value_name = "FILE")]
    plan: PathBuf,
    /// Read every shard whole, to find damaged ones
    #[arg(long)]
    check: bool,
    /// Print only the numbers of the shards that are not done, as ranges
    #[arg(long, conflicts_with = "json")]
    todo: bool,
    /// Count the puzzles of the shards that are done, which reads them whole, and
    /// estimate how many all have
    #[arg(long, conflicts_with = "todo")]
    puzzles: bool,
}

/// How far a plan is. Each list has the numbers of shards.
#[derive(Serialize)]
struct PlanStatus {
    plan: String,
    shards: usize,
    done: Vec<u32>,
    running: Vec<u32>,
    interrupted: Vec<u32>,
    missing: Vec<u32>,
    failed: Vec<WithReason>,
    unusable: Vec<WithReason>,
    boards: u64,
    boards_done: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
    merged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzles: Option<Vec<InSpace>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    projected: Option<InAll>,
}

/// The puzzles of a space, as far as its shards are done.
#[derive(Serialize)]
struct InSpace {
    wall_cells: Vec<String>,
    signatures: u32,
    surveyed: u32,
    all: u64,
    classic: u64,
    rush: u64,
    longest_moves: Option<u32>,
}

/// The puzzles of all shards, estimated from those that are done.
#[derive(Serialize)]
struct InAll {
    all: Estimate,
    classic: Estimate,
    rush: Estimate,
}

/// A number of puzzles, and by how much it may be wrong: half of a 95% interval.
#[derive(Serialize)]
struct Estimate {
    puzzles: u64,
    error: u64,
}

/// A shard, and what is wrong with it.
#[derive(Serialize)]
struct WithReason {
    shard: u32,
    reason: String,
}

impl TellStatus {
    pub fn run(&self, global: &Global) -> Result<()> {
        interrupt::listen("stopping")?;
        let plan = Plan::read(&self.plan)?;
        let status = Watch::over(|watch| Status::of(&plan, self.check, watch))?;
        if self.todo {
            return Ok(output::text(&(ranges(&status.numbers(|state| *state != State::Done)) + "\n"))?);
        }
        let puzzles = match self.puzzles {
            true => Some(puzzles(&plan)?),
            false => None,
        };
        let projected = puzzles.as_ref().and_then(InAll::of);
        let reasons = |reason: fn(&State) -> Option<String>| {
            let states = (1..).zip(&status.states);
            states.filter_map(|(shard, state)| Some(WithReason { shard, reason: reason(state)? })).collect()
        };
        let told = PlanStatus {
            plan: plan.path().display().to_string(),
            shards: plan.shards().len(),
            done: status.numbers(|state| *state == State::Done),
            running: status.numbers(|state| matches!(state, State::Running { .. })),
            interrupted: status.numbers(|state| matches!(state, State::Interrupted { .. })),
            missing: status.numbers(|state| *state == State::Missing),
            failed: reasons(|state| match state {
                State::Failed(reason) => Some(reason.clone()),
                _ => None,
            }),
            unusable: reasons(|state| match state {
                State::Unusable(fault) => Some(fault.to_string()),
                _ => None,
            }),
            boards: plan.boards(),
            boards_done: status.boards,
            seconds_left: status.eta.map(|left| left.as_secs_f64()),
            merged: status.merged,
            puzzles: puzzles.map(|so_far| so_far.spaces.into_iter().map(InSpace::from).collect()),
            projected,
        };
        Ok(output::tell(global, &told, || told.in_words(&plan, &status))?)
    }
}

impl PlanStatus {
    fn in_words(&self, plan: &Plan, status: &Status) -> String {
        let PlanStatus { plan: path, shards, .. } = self;
        let percent = 100.0 * self.boards_done as f64 / self.boards as f64;
        let mut text = format!("{path}: {} in {shards} shards, {percent:.1}% done\n", plan.product());
        for (state, numbers) in [
            ("done", &self.done),
            ("running", &self.running),
            ("interrupted", &self.interrupted),
            ("missing", &self.missing),
        ] {
            text += format!("{state:<12}{:>7}  {}", numbers.len(), ranges(numbers)).trim_end();
            text += "\n";
        }
        for (state, shards) in [("failed", &self.failed), ("unusable", &self.unusable)] {
            text += &format!("{state:<12}{:>7}\n", shards.len());
            for WithReason { shard, reason } in shards {
                text += &format!("  shard {shard}: {reason}\n");
            }
        }
        if let Some(puzzles) = &self.puzzles {
            text += &format!("\n{}\n", table(puzzles));
            text += &self.projected();
        }
        let left = shards - self.done.len();
        text += &match status.eta {
            Some(left) => {
                format!("About {} left, at the speed of the last shards.\n", HumanDuration(left))
            }
            None if self.merged => format!("{} is there.\n", plan.product_path().display()),
            None if left == 0 => format!("Next: tailback merge {path}\n"),
            None if self.running.is_empty() => format!(
                "Nothing is running. Next: tailback build --plan {path} --shard {}\n",
                status.numbers(|state| *state != State::Done)[0]
            ),
            None => "Too few shards are done to estimate the time.\n".to_owned(),
        };
        text
    }

    /// What all shards have by those that are done, if some are not.
    fn projected(&self) -> String {
        match &self.projected {
            _ if self.done.len() == self.shards => String::new(),
            None => "Too few shards are done to estimate the number of puzzles: two with boards of each number of walls are needed, or all of them.\n\n"
                .to_owned(),
            Some(InAll { all, classic, rush }) => format!(
                "By these all have about {all} puzzles, {classic} classic, {rush} rush (± is a 95% interval).\n\n"
            ),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {}", HumanCount(self.puzzles), HumanCount(self.error))
    }
}

fn puzzles(plan: &Plan) -> Result<PuzzlesSoFar> {
    let so_far = Watch::over(|watch| PuzzlesSoFar::of(plan, watch))?;
    let no_puzzles =
        || Failure::misused(format!("--puzzles is about catalogues, and this plan is of {}", plan.product()));
    so_far.ok_or_else(no_puzzles)
}

impl InAll {
    fn of(so_far: &PuzzlesSoFar) -> Option<InAll> {
        let about = |rules| {
            let Projected { puzzles, error, .. } = so_far.projected(rules)?;
            Some(Estimate { puzzles: puzzles.round() as u64, error: error.round() as u64 })
        };
        Some(InAll { all: about(Rules::All)?, classic: about(Rules::Classic)?, rush: about(Rules::Rush)? })
    }
}

impl From<SpaceSoFar> for InSpace {
    fn from(so_far: SpaceSoFar) -> InSpace {
        let SpaceSoFar { space, signatures, surveyed, puzzles, .. } = so_far;
        InSpace {
            wall_cells: space.wall_cells().map(|cell| cell.name(space.size)).collect(),
            signatures,
            surveyed,
            all: puzzles.total(Rules::All),
            classic: puzzles.total(Rules::Classic),
            rush: puzzles.total(Rules::Rush),
            longest_moves: puzzles.longest(Rules::All),
        }
    }
}

/// The puzzles of spaces, a line each, and of all.
fn table(spaces: &[InSpace]) -> String {
    let line = |walls: String, numbers: [u64; 5], longest: Option<u32>| {
        let longest = longest.map_or("–".to_owned(), |moves| moves.to_string());
        let [signatures, surveyed, all, classic, rush] = numbers.map(|number| HumanCount(number).to_string());
        [walls, signatures, surveyed, all, classic, rush, longest]
    };
    let numbers = |of: &InSpace| [of.signatures.into(), of.surveyed.into(), of.all, of.classic, of.rush];
    let mut sums = [0; 5];
    let mut lines = Vec::new();
    for of in spaces {
        let walls = if of.wall_cells.is_empty() { "none".to_owned() } else { of.wall_cells.join(" ") };
        lines.push(line(walls, numbers(of), of.longest_moves));
        sums = std::array::from_fn(|place| sums[place] + numbers(of)[place]);
    }
    let longest = spaces.iter().filter_map(|of| of.longest_moves).max();
    lines.push(line("together".to_owned(), sums, longest));
    let [signatures, surveyed, all, classic, rush, longest] =
        ["signatures", "surveyed", "puzzles", "classic", "rush", "longest"].map(Column::numbers);
    let columns = [Column::words("walls"), signatures, surveyed, all, classic, rush, longest];
    Columns::of(columns, lines).text(usize::MAX)
}

/// Numbers as `sbatch --array` takes them: `3,7-9`.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let runs = runs.map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_told_as_ranges() {
        for (numbers, text) in [(&[][..], ""), (&[4], "4"), (&[1, 2, 3, 7, 9, 10], "1-3,7,9-10")] {
            assert_eq!(super::ranges(numbers), text);
        }
    }
}
