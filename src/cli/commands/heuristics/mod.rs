//! `tailback heuristics`: how good each heuristic is.

mod quality;

use std::collections::BTreeMap;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use tailback::board::Metric;
use tailback::formula::{Block, Facts, Heuristic, Kind};
use tailback::puzzles::Puzzle;
use tailback::search::quality::Sample;

use crate::shared::board_options::settings;
use crate::shared::{Failure, Global, PuzzleOption, Result, Threads, Watch, heuristics, interrupt, output};
use quality::{Scope, Summary};

const EXAMPLES: &str = "\
Examples:
  tailback heuristics --list                 what there is, without a table
  tailback heuristics                        100,000 boards of 6×6 in moves
  tailback heuristics --size 5 --all --metric steps
  tailback heuristics --heuristics 'blocking,max(blocking,advanced-admissible)'
  tailback heuristics --check --sample 10000000

The exact distances are those of the table. Error is the estimate less the
distance. Conditions ask about the last move, so one random move of each board
is played; progress is how much nearer to the exit it leads.";

/// Measure how good heuristics are, by the exact distances of a table
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Heuristics {
    #[command(flatten)]
    puzzle: PuzzleOption,
    /// What a distance counts
    #[arg(long, default_value = "moves", value_parser = crate::shared::options::metric())]
    metric: Metric,
    /// Rows and columns of the boards [default: 6]
    #[arg(long, value_parser = crate::shared::options::size())]
    size: Option<usize>,
    /// The size of the sample
    #[arg(
        long,
        value_name = "BOARDS",
        default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    sample: u64,
    /// The random seed: the same seed draws the same boards
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Measure every board of the size
    #[arg(long, conflicts_with_all = ["sample", "seed"])]
    all: bool,
    /// What to measure, separated by commas: names or formulas, `all`, `features` [default: everything]
    #[arg(long, value_name = "LIST", value_parser = NonEmptyStringValueParser::new())]
    heuristics: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Fail if one is too high that is said never to be
    #[arg(long)]
    check: bool,
    /// List all heuristics, their definitions and sources
    #[arg(long, conflicts_with_all = ["sample", "seed", "size", "metric", "all", "heuristics", "threads", "check"])]
    list: bool,
}

impl Heuristics {
    pub fn run(&self, global: &Global) -> Result<()> {
        if self.list {
            return list(global, self.puzzle.named);
        }
        let puzzle = self.puzzle.named;
        let size = self.size.or(puzzle.sizes().first().copied());
        if self.size.is_some() && puzzle.sizes().is_empty() {
            return Err(Failure::misused(format!(
                "all of {} is of one size: leave --size out",
                puzzle.name()
            )));
        }
        let (heuristics, conditions) = self.chosen(puzzle)?;
        let oracle = self.puzzle.open(self.metric, settings(global))?;
        let trial = oracle.trial(size, &heuristics, &conditions)?;
        let sample = match self.all {
            true => Sample::All,
            false => Sample::Random { boards: self.sample, seed: self.seed },
        };
        interrupt::listen("stopping with the parts that are measured; once more to stop at once")?;
        let pool = self.threads.pool()?;

        let all = sample.len(trial.instances());
        let quality = pool.install(|| Watch::over(|watch| trial.run(sample, watch)))?;
        let timing = trial.time(sample)?;
        let scope = Scope { puzzle, size, metric: self.metric, sample, of: trial.instances() };
        let summary = Summary::new(scope, (&heuristics, &conditions), &quality, &timing);
        output::tell(global, &summary, || summary.in_words())?;
        let broken = summary.broken_claims();
        if self.check && !broken.is_empty() {
            return Err(Failure::failed(broken.join("; ")).after_answers());
        }
        if quality.instances < all {
            return Err(Failure::cut_short(quality.instances as usize, Some(all as usize), "boards"));
        }
        Ok(())
    }

    /// Guesses, and conditions by themselves, which are measured by what they
    /// have to do with progress.
    fn chosen(&self, puzzle: &dyn Puzzle) -> Result<(Vec<Heuristic>, Vec<Block>)> {
        let vocabulary = puzzle.vocabulary();
        let blocks = || vocabulary.of_kind(Kind::Exact).chain(vocabulary.guesses()).map(Heuristic::from);
        let list = match &self.heuristics {
            Some(list) => heuristics::list(puzzle, list)?,
            None => blocks().collect(),
        };
        let (mut heuristics, mut conditions) = (Vec::new(), Vec::new());
        for heuristic in list {
            match heuristic {
                Heuristic::Block(block) if block.is_condition() => conditions.push(block),
                heuristic => heuristics.push(heuristic),
            }
        }
        Ok((heuristics, conditions))
    }
}

fn list(global: &Global, puzzle: &dyn Puzzle) -> Result<()> {
    let heuristics: Vec<Facts> = puzzle.vocabulary().listed().map(|(facts, _)| facts).collect();
    if global.json {
        return Ok(output::json(&BTreeMap::from([("heuristics", heuristics)]))?);
    }
    let mut text = String::new();
    for entry in heuristics {
        let never_too_high = match (entry.admissible_in_moves, entry.admissible_in_steps) {
            (None, _) | (_, None) if entry.kind == Kind::Condition => "a condition on the last move",
            (None, _) | (_, None) => "a feature, no guess",
            (Some(true), Some(true)) => "never too high in moves and steps",
            (Some(true), Some(false)) => "never too high in moves",
            (Some(false), Some(true)) => "never too high in steps",
            (Some(false), Some(false)) => "may be too high",
        };
        text += &format!("{}: {never_too_high}\n", entry.name);
        for line in [entry.definition, &format!("source: {}", entry.source)] {
            let wrapped = output::wrapped(line.split(' '), output::width() - 4);
            text += &wrapped.lines().map(|line| format!("    {line}\n")).collect::<String>();
        }
    }
    Ok(output::text(&text)?)
}
