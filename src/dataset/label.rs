//! What goes beside a board: distances, the last move, guesses.

use std::fmt;

use super::{Label, PerMetric, Row, Schema, Subject, last_move};
use crate::board::{Board, Distance, Metric};
use crate::domains::rush_hour::Scene;
use crate::domains::rush_hour::heuristic::value_of;
use crate::formula::Heuristic;
use crate::search::Value;
use crate::space::Rank;

/// Makes rows of boards whose distances are known.
#[derive(Debug, Clone, Copy)]
pub struct Labeller<'a> {
    /// The columns.
    pub schema: &'a Schema,
    /// Decides the last moves.
    pub seed: u64,
}

impl Labeller<'_> {
    /// The row of a board, with its distances in the metrics of the schema.
    /// Exact distances in heuristics are those of the first metric; extras are left
    /// to whoever has a table.
    pub fn row(&self, board: Board, rank: Option<Rank>, distances: PerMetric<Distance>) -> Row {
        let scene = Scene::of(&board);
        let last = match self.schema.needs_last_move() {
            true => last_move(&board, self.schema.metrics[0], self.seed),
            false => None,
        };
        let before = last.map(|last| {
            let mut before = board.clone();
            before.play_unchecked(last.reversed());
            Scene::of(&before)
        });
        let metric = self.schema.metrics[0];
        let label = |heuristic| Label::of(heuristic, &scene, before.as_ref(), metric, distances[0]);
        let labels = self.schema.heuristics.iter().map(label).collect();
        let last_move = last.map(|last| board.notation(last).to_string());
        Row { subject: Subject::Board(board), rank, distances, last_move, labels, extras: Vec::new() }
    }
}

impl Label {
    /// What a heuristic says of a board with this exact distance in a metric.
    pub fn of(
        heuristic: &Heuristic,
        scene: &Scene,
        before: Option<&Scene>,
        metric: Metric,
        distance: Distance,
    ) -> Label {
        Label::new(heuristic, value_of(heuristic, scene, before, metric, distance))
    }

    /// What this value of a heuristic says.
    pub fn new(heuristic: &Heuristic, value: Value) -> Label {
        match heuristic {
            Heuristic::Block(block) if block.is_condition() => Label::Condition(value != Value::ZERO),
            _ => Label::Guess(value),
        }
    }

    /// As the number that text forms write.
    pub fn as_f64(self) -> f64 {
        match self {
            Label::Guess(value) => value.as_f64(),
            Label::Condition(true) => 1.0,
            Label::Condition(false) => -1.0,
        }
    }
}

/// What readers in Java, Python, Rust and JavaScript take for infinity.
pub(super) const INFINITY: &str = "Infinity";

/// As datasets write it: a guess as a number of at most three decimals or
/// `Infinity`, a condition as `1` or `-1`.
///
/// ```
/// use tailback::dataset::Label;
///
/// let labels = [Label::Guess("4.5".parse()?), Label::Guess("3".parse()?), Label::Condition(false)];
/// assert_eq!(labels.map(|label| label.to_string()), ["4.5", "3", "-1"]);
/// # Ok::<(), tailback::search::ValueError>(())
/// ```
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Condition(holds) => f.write_str(if *holds { "1" } else { "-1" }),
            Label::Guess(value) if !value.is_finite() => f.write_str(INFINITY),
            Label::Guess(value) => match value.thousandths() {
                // Nearly all are whole, and there are many.
                whole if whole % 1000 == 0 => write!(f, "{}", whole / 1000),
                _ => value.fmt(f),
            },
        }
    }
}
