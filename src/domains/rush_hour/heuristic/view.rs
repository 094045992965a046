//! What building blocks say of one board.

use std::convert::Infallible;

use super::PatternTable;
use super::vocabulary::Question;
use crate::board::{Distance, Metric};
use crate::cluster::Bounds;
use crate::cluster::family::Family;
use crate::domains::rush_hour::Scene;
use crate::formula::{Block, Blocks, Heuristic};
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

    fn value(&mut self, block: Block) -> Result<Value, E> {
        Ok(match Question::of(block) {
            Question::Measure(measure) => measure.of(self.scene),
            Question::Condition(condition) => {
                let holds = self.before.is_some_and(|before| condition.holds(before, self.scene));
                Value::from(u32::from(holds))
            }
            Question::Pattern(pattern) => {
                let board = self.scene.board();
                let family = Family::new(&board);
                let key = family.key(&board).expect("the family is made from it");
                let table = PatternTable::new(pattern, &board, &family, self.metric, Bounds::NONE);
                table.expect("nothing bounds it but its size").distance(key)
            }
            Question::Perfect => (self.distance)()?,
        })
    }
}

/// The value of a heuristic for a board whose exact distance in this metric is
/// known. If nobody says what the board was before the last move, no condition
/// holds.
pub fn value_of(
    heuristic: &Heuristic,
    scene: &Scene,
    before: Option<&Scene>,
    metric: Metric,
    distance: Distance,
) -> Value {
    let distance = || Ok::<_, Infallible>(Value::from(distance));
    let Ok(value) = heuristic.value(&mut View { scene, before, metric, distance });
    value
}
