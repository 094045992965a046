//! What building blocks say of one board.

use std::convert::Infallible;

use super::evaluate::Blocks;
use super::{Condition, Heuristic, Measure, Pattern, PatternTable};
use crate::board::Metric;
use crate::cluster::family::Family;
use crate::domains::rush_hour::Scene;
use crate::search::Value;

/// One board on its own. Patterns are those of a search that starts from it.
pub(in crate::domains::rush_hour) struct View<'a, D> {
    pub scene: &'a Scene,
    /// Before the last move. If nobody knows, no condition holds.
    pub before: Option<&'a Scene>,
    pub metric: Metric,
    /// Looks up the exact distance.
    pub distance: D,
}

impl<E, D: FnMut() -> Result<Value, E>> Blocks for View<'_, D> {
    type Error = E;

    fn measure(&mut self, measure: Measure) -> Value {
        measure.of(self.scene)
    }

    fn holds(&mut self, condition: Condition) -> bool {
        self.before.is_some_and(|before| condition.holds(before, self.scene))
    }

    fn pattern(&mut self, pattern: Pattern) -> Value {
        let board = self.scene.board();
        let family = Family::new(&board);
        let key = family.key(&board).expect("the family is made from it");
        PatternTable::new(pattern, &board, &family, self.metric).distance(key)
    }

    fn distance(&mut self) -> Result<Value, E> {
        (self.distance)()
    }
}

impl Heuristic {
    /// Its value for a board whose exact distance in this metric is known. If
    /// nobody says what the board was before the last move, no condition holds.
    pub fn of(&self, scene: &Scene, before: Option<&Scene>, metric: Metric, distance: Option<u32>) -> Value {
        let exact = distance.map_or(Value::INFINITE, Value::from);
        let distance = || Ok::<_, Infallible>(exact);
        let Ok(value) = self.value(&mut View { scene, before, metric, distance });
        value
    }
}
