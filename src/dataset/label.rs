//! What goes beside a board: distances, the last move, guesses.

use std::convert::Infallible;

use arrayvec::ArrayVec;

use super::{Label, Row, Schema, last_move};
use crate::board::Board;
use crate::search::{Heuristic, Scene, Value};
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
    /// Exact distances in heuristics are those of the first metric.
    pub fn row(&self, board: Board, rank: Option<Rank>, distances: ArrayVec<Option<u32>, 2>) -> Row {
        let scene = Scene::of(&board);
        let last_move = match self.schema.needs_last_move() {
            true => last_move(&board, self.schema.metrics[0], self.seed),
            false => None,
        };
        let before = last_move.map(|last| {
            let mut before = board.clone();
            before.play_unchecked(last.reversed());
            Scene::of(&before)
        });
        let holds = |condition: crate::search::heuristic::Condition| {
            before.as_ref().is_some_and(|before| condition.holds(before, &scene))
        };
        let label = |heuristic: &Heuristic| match heuristic {
            Heuristic::Condition(condition) => Label::Condition(holds(*condition)),
            heuristic => {
                let mut exact = || Ok::<_, Infallible>(distances[0].map_or(Value::INFINITE, Value::from));
                let Ok(value) = heuristic.value(&|measure| measure.of(&scene), &holds, &mut exact);
                Label::Guess(value)
            }
        };
        let labels = self.schema.heuristics.iter().map(label).collect();
        Row { board, rank, distances, last_move, labels }
    }
}
