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
pub mod columns;
mod condition;
mod estimator;
mod evaluate;
mod evolved;
mod feature;
mod formula;
mod goal;
mod measure;
mod names;
mod needs;
mod notes;
mod number;
mod pattern;
mod read;
mod rounds;
mod simplify;
mod twice;
mod view;
mod ways;
mod write;

pub use condition::Condition;
pub use estimator::Estimator;
pub use formula::{Heuristic, Named, Part, PartMut, Test};
pub use measure::{Facts, Measure, PATTERN, PERFECT};
pub(super) use notes::Notes;
pub use pattern::Pattern;
pub(super) use pattern::PatternTable;
pub use read::HeuristicError;
#[cfg(feature = "build")]
pub(super) use view::View;

use names::names;
