//! The heuristics for Rush Hour, by name, and combinations of them.
//!
//! ```
//! use tailback::board::{Board, Metric};
//! use tailback::domains::rush_hour::heuristic::{Heuristic, Measure};
//! use tailback::domains::rush_hour::Scene;
//! use tailback::search::Value;
//!
//! // B and D block A, and E blocks B.
//! let board = Board::parse(
//!     "..B...
//!      ..B.CC
//!      AAB..D
//!      ..EE.D
//!      .....D
//!      ......",
//! )?;
//! let scene = Scene::of(&board);
//! assert_eq!(Measure::Blocking.of(&scene), Value::from(3));
//! assert_eq!(Measure::AdvancedAdmissible.of(&scene), Value::from(4));
//!
//! let both: Heuristic = "max(blocking, 0.5*distance)".parse()?;
//! assert_eq!(both.to_string(), "max(blocking,0.5*distance)");
//! assert!(!both.is_admissible(Metric::Moves));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advanced;
mod condition;
mod estimator;
mod goal;
mod measure;
mod needs;
mod text;
mod ways;

pub use condition::Condition;
pub use estimator::Estimator;
pub use measure::{Facts, Measure, PERFECT};
pub use text::HeuristicError;

use std::convert::Infallible;

use super::{Front, Scene};
use crate::board::Metric;
use crate::search::Value;

/// A guess how far a board is from the exit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// One of the published ones.
    Measure(Measure),
    /// 1 if the condition holds for the move that led to the board, else 0.
    Condition(Condition),
    /// The exact distance.
    Perfect,
    /// The highest of several.
    Max(Vec<Heuristic>),
    /// The sum of several, each with its weight.
    Sum(Vec<(Value, Heuristic)>),
}

impl Heuristic {
    /// Is it known never to be too high in this metric? Of combinations: a
    /// maximum if all its parts are, a sum if all its parts are and their
    /// weights are 1 together at most.
    pub fn is_admissible(&self, metric: Metric) -> bool {
        match self {
            Heuristic::Measure(measure) => measure.is_admissible(metric),
            Heuristic::Condition(_) => false,
            Heuristic::Perfect => true,
            Heuristic::Max(parts) => parts.iter().all(|part| part.is_admissible(metric)),
            Heuristic::Sum(parts) => {
                let weights = parts.iter().fold(Value::ZERO, |sum, (weight, _)| sum.plus(*weight));
                weights <= Value::ONE && parts.iter().all(|(_, part)| part.is_admissible(metric))
            }
        }
    }

    /// Is what is in front of the primary enough to know it?
    fn needs_front_only(&self) -> bool {
        let front = Front { cells: 0, blockers: 0 };
        !self.any(&|part| match part {
            Heuristic::Measure(measure) => measure.of_front(front).is_none(),
            Heuristic::Condition(_) => true,
            Heuristic::Perfect | Heuristic::Max(_) | Heuristic::Sum(_) => false,
        })
    }

    /// Its value for a board whose exact distance is known. If nobody says
    /// what the board was before the last move, no condition holds.
    pub fn of(&self, scene: &Scene, before: Option<&Scene>, distance: Option<u32>) -> Value {
        let exact = distance.map_or(Value::INFINITE, Value::from);
        let holds = |condition: Condition| before.is_some_and(|before| condition.holds(before, scene));
        let Ok(value) = self.value(&|measure| measure.of(scene), &holds, &mut || Ok::<_, Infallible>(exact));
        value
    }

    /// Its value, from those who know its parts: a measure's value, whether a
    /// condition holds, the exact distance.
    #[inline]
    pub(super) fn value<E>(
        &self,
        measure: &impl Fn(Measure) -> Value,
        holds: &impl Fn(Condition) -> bool,
        distance: &mut impl FnMut() -> Result<Value, E>,
    ) -> Result<Value, E> {
        match self {
            Heuristic::Measure(part) => Ok(measure(*part)),
            Heuristic::Condition(condition) => Ok(Value::from(u32::from(holds(*condition)))),
            Heuristic::Perfect => distance(),
            Heuristic::Max(parts) => parts
                .iter()
                .try_fold(Value::ZERO, |most, part| Ok(most.max(part.value(measure, holds, distance)?))),
            Heuristic::Sum(parts) => parts.iter().try_fold(Value::ZERO, |sum, (weight, part)| {
                Ok(sum.plus(weight.times(part.value(measure, holds, distance)?)))
            }),
        }
    }

    /// Does it ask for exact distances?
    fn needs_distances(&self) -> bool {
        self.any(&|part| *part == Heuristic::Perfect)
    }

    /// Does it ask for the board before the last move?
    pub fn needs_parent(&self) -> bool {
        self.any(&|part| matches!(part, Heuristic::Condition(_)))
    }

    fn any(&self, test: &impl Fn(&Heuristic) -> bool) -> bool {
        test(self)
            || match self {
                Heuristic::Max(parts) => parts.iter().any(|part| part.any(test)),
                Heuristic::Sum(parts) => parts.iter().any(|(_, part)| part.any(test)),
                _ => false,
            }
    }
}
