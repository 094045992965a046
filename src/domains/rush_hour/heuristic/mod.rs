//! The heuristics for Rush Hour: the building blocks of its formulas.
//!
//! ```
//! use tailback::board::{Board, Metric};
//! use tailback::domains::rush_hour::heuristic::{Measure, heuristic};
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
//! let both = heuristic("max(blocking, 0.5*distance)")?;
//! assert_eq!(both.to_string(), "max(blocking,0.5*distance)");
//! assert!(!both.is_admissible(Metric::Moves));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advanced;
mod condition;
mod estimator;
mod feature;
mod goal;
mod measure;
mod needs;
mod notes;
mod pattern;
mod rounds;
mod twice;
mod view;
mod vocabulary;
mod ways;

pub use condition::Condition;
pub use estimator::Estimator;
pub use measure::Measure;
pub(super) use notes::Notes;
pub use pattern::Pattern;
pub(super) use pattern::PatternTable;
#[cfg(feature = "build")]
pub(super) use view::View;
pub use view::value_of;
pub use vocabulary::{VOCABULARY, heuristic};
