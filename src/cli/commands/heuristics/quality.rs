//! What was measured of heuristics, in words and as JSON.

use indicatif::HumanCount;
use serde::Serialize;
use tailback::board::Metric;
use tailback::formula::{Block, Heuristic};
use tailback::puzzles::Puzzle;
use tailback::search::quality::{Accuracy, Miss, Quality, Sample, Timing};

use crate::shared::output;

/// All that was measured.
#[derive(Serialize)]
pub struct Summary {
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    metric: Metric,
    /// Every board of the size, or a sample?
    all: bool,
    seed: Option<u64>,
    boards: u64,
    solvable: Option<u64>,
    unsolvable: Option<u64>,
    /// The boards of the size.
    of: u64,
    heuristics: Vec<Guess>,
    conditions: Vec<Question>,
}

/// What was measured, and on what.
pub struct Scope {
    pub puzzle: &'static dyn Puzzle,
    pub size: Option<usize>,
    pub metric: Metric,
    pub sample: Sample,
    /// All that there are.
    pub of: u64,
}

/// How good a heuristic is.
#[derive(Serialize)]
struct Guess {
    name: String,
    admissible: bool,
    mean_error: Option<f64>,
    mean_absolute_error: Option<f64>,
    correlation: Option<f64>,
    exact: u64,
    over: u64,
    worst: Option<Wrong>,
    false_proofs: u64,
    false_proof: Option<Wrong>,
    proven_unsolvable: u64,
    nanoseconds: u64,
}

/// A board with a wrong estimate.
#[derive(Serialize)]
struct Wrong {
    board: String,
    /// Null says: unsolvable.
    estimate: Option<f64>,
    distance: u32,
}

/// What a condition has to do with progress.
#[derive(Serialize)]
struct Question {
    name: &'static str,
    moves: u64,
    true_share: Option<f64>,
    progress_if_true: Option<f64>,
    progress_if_false: Option<f64>,
    correlation: Option<f64>,
    nanoseconds: u64,
}

impl Wrong {
    fn new(miss: &Miss) -> Wrong {
        let estimate = miss.estimate.is_finite().then(|| miss.estimate.as_f64());
        Wrong { board: miss.puzzle.clone(), estimate, distance: miss.distance }
    }

    fn over(&self) -> Option<f64> {
        // Thousandths, which floating-point numbers miss by little.
        self.estimate.map(|estimate| ((estimate - f64::from(self.distance)) * 1000.0).round() / 1000.0)
    }
}

impl Summary {
    pub fn new(
        scope: Scope,
        (heuristics, conditions): (&[Heuristic], &[Block]),
        quality: &Quality,
        timing: &Timing,
    ) -> Summary {
        let Scope { puzzle, size, metric, sample, of } = scope;
        let any = quality.accuracies.first();
        let guesses = heuristics.iter().zip(&quality.accuracies).zip(&timing.heuristics);
        let questions = conditions.iter().zip(&quality.effects).zip(&timing.conditions);
        Summary {
            puzzle: size.is_none().then(|| puzzle.name()),
            size,
            metric,
            all: sample == Sample::All,
            seed: match sample {
                Sample::All => None,
                Sample::Random { seed, .. } => Some(seed),
            },
            boards: quality.instances,
            solvable: any.map(Accuracy::solvable),
            unsolvable: any.map(|accuracy| accuracy.unsolvable),
            of,
            heuristics: guesses
                .map(|((heuristic, accuracy), time)| Guess {
                    name: heuristic.to_string(),
                    admissible: heuristic.is_admissible(metric),
                    mean_error: accuracy.mean_error(),
                    mean_absolute_error: accuracy.mean_absolute_error(),
                    correlation: accuracy.correlation(),
                    exact: accuracy.exact,
                    over: accuracy.over,
                    worst: accuracy.worst.as_ref().map(Wrong::new),
                    false_proofs: accuracy.false_proofs,
                    false_proof: accuracy.false_proof.as_ref().map(Wrong::new),
                    proven_unsolvable: accuracy.proven,
                    nanoseconds: time.as_nanos() as u64,
                })
                .collect(),
            conditions: questions
                .map(|((condition, effect), time)| Question {
                    name: condition.facts().name,
                    moves: effect.moves(),
                    true_share: effect.share(),
                    progress_if_true: effect.progress(true),
                    progress_if_false: effect.progress(false),
                    correlation: effect.correlation(),
                    nanoseconds: time.as_nanos() as u64,
                })
                .collect(),
        }
    }

    /// The claims that do not hold, with the board that shows it.
    pub fn broken_claims(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for guess in &self.heuristics {
            if let Some(Wrong { board, distance, .. }) = &guess.false_proof {
                let distance = output::counted(*distance, self.metric);
                broken.push(format!("{} calls {board} unsolvable, it takes {distance}", guess.name));
            }
            if guess.admissible
                && let Some(Wrong { board, estimate: Some(estimate), distance }) = &guess.worst
            {
                let distance = output::counted(*distance, self.metric);
                broken.push(format!(
                    "{} is said never to be too high in {}, but is {estimate} for {board}, which takes {distance}",
                    guess.name, self.metric
                ));
            }
        }
        broken
    }

    pub fn in_words(&self) -> String {
        let whole = self
            .size
            .map_or_else(|| self.puzzle.unwrap_or_default().to_owned(), |size| format!("{size}×{size}"));
        let of = HumanCount(self.of);
        let boards = match self.boards == self.of && self.all {
            true => format!("All {of} boards"),
            false => format!("{} of {of} boards", HumanCount(self.boards)),
        };
        let seed = self.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
        let mut text = format!("{boards} of {whole} by {}{seed}", self.metric);
        if let (Some(solvable), Some(unsolvable)) = (self.solvable, self.unsolvable) {
            text += &format!(": {} solvable, {} unsolvable", HumanCount(solvable), HumanCount(unsolvable));
            text += "\n\n";
            text += &self.guesses_in_words(solvable, unsolvable);
        } else {
            text += "\n";
        }
        text + &self.questions_in_words()
    }

    fn guesses_in_words(&self, solvable: u64, unsolvable: u64) -> String {
        let width = self.heuristics.iter().map(|guess| guess.name.len()).max().unwrap_or(0).max(9);
        let mut text = format!(
            "{:width$}  {:>7}  {:>7}  {:>6}  {:>7}  {:>7}  {:>5}  {:>7}  {:>6}  never\n",
            "", "mean", "mean", "corre-", "", "too", "by at", "proven", "ns a"
        );
        text += &format!(
            "{:width$}  {:>7}  {:>7}  {:>6}  {:>7}  {:>7}  {:>5}  {:>7}  {:>6}  too high\n",
            "heuristic", "error", "|error|", "lation", "exact", "high", "most", "unsolv.", "call"
        );
        for guess in &self.heuristics {
            let over =
                guess.worst.as_ref().and_then(Wrong::over).map_or("-".to_owned(), |over| over.to_string());
            text += &format!(
                "{:width$}  {:>7}  {:>7}  {:>6}  {:>7}  {:>7}  {over:>5}  {:>7}  {:>6}  {}\n",
                guess.name,
                signed(guess.mean_error),
                number(guess.mean_absolute_error),
                number(guess.correlation),
                share(guess.exact, solvable),
                share(guess.over, solvable),
                share(guess.proven_unsolvable, unsolvable),
                guess.nanoseconds,
                if guess.admissible { "yes" } else { "-" },
            );
        }
        text += "\n";
        let mut wrong =
            self.heuristics.iter().filter_map(|guess| Some((guess, guess.worst.as_ref()?))).peekable();
        if wrong.peek().is_some() {
            text += "Most too high:\n";
        }
        for (guess, Wrong { board, estimate, distance }) in wrong {
            let estimate = estimate.unwrap_or(f64::INFINITY);
            text += &format!("{:width$}  {board}  {estimate} instead of {distance}\n", guess.name);
        }
        for guess in self.heuristics.iter().filter(|guess| guess.false_proofs > 0) {
            let example = guess.false_proof.as_ref().map_or("", |wrong| &wrong.board);
            let boards = HumanCount(guess.false_proofs);
            text += &format!("{} calls {boards} solvable boards unsolvable, such as {example}\n", guess.name);
        }
        text
    }

    fn questions_in_words(&self) -> String {
        if self.conditions.is_empty() {
            return String::new();
        }
        let width = self.conditions.iter().map(|question| question.name.len()).max().unwrap_or(0);
        let moves = self.conditions.first().map_or(0, |question| question.moves);
        let mut text = format!("\nConditions, for one random move of {} boards:\n\n", HumanCount(moves));
        text += &format!(
            "{:width$}  {:>7}  {:>8}  {:>8}  {:>6}  {:>6}\n",
            "", "", "progress", "progress", "corre-", "ns a"
        );
        text += &format!(
            "{:width$}  {:>7}  {:>8}  {:>8}  {:>6}  {:>6}\n",
            "condition", "true", "if true", "if not", "lation", "call"
        );
        for question in &self.conditions {
            let true_share =
                question.true_share.map_or("-".to_owned(), |share| format!("{:.2}%", 100.0 * share));
            text += &format!(
                "{:width$}  {true_share:>7}  {:>8}  {:>8}  {:>6}  {:>6}\n",
                question.name,
                signed(question.progress_if_true),
                signed(question.progress_if_false),
                number(question.correlation),
                question.nanoseconds,
            );
        }
        text
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.3}"))
}

fn signed(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:+.3}"))
}

fn share(count: u64, of: u64) -> String {
    if of == 0 { "-".to_owned() } else { output::percent(count, of) }
}
