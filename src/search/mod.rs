//! The search laboratory: the published algorithms and heuristics, with one
//! rule for counting, measured against the perfect heuristic.
//!
//! The algorithms ([`Algorithm`], [`run`]) work on any puzzle that is a
//! [`Domain`] and ask any [`Guide`]. Rush Hour is one such puzzle:
//! [`Traffic`], with the [`Heuristic`]s that people have published for it.
//!
//! ```
//! use tailback::board::{Board, Metric};
//! use tailback::probe::Prober;
//! use tailback::search::{Algorithm, Estimator, Limits, Traffic, run};
//!
//! let board = Board::parse(
//!     "..B...
//!      ..B.CC
//!      AAB..D
//!      .....D
//!      EE...D
//!      ......",
//! )?;
//! let prober = Prober::without_tables();
//! let traffic = Traffic::new(&board, Metric::Moves);
//! let heuristic = "max(blocking,advanced-admissible)".parse()?;
//! let mut guide = Estimator::new(&heuristic, &traffic, &prober)?;
//! let report = run(Algorithm::A_STAR, &traffic, traffic.start(), &mut guide, &Limits::default())?;
//! let solution = report.solution().expect("it can be solved");
//! assert_eq!(solution.cost, 3);
//! assert!(solution.proven_optimal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Counting
//!
//! *Generated* is 1 for the start and 1 for each successor that an expanded
//! node produces, duplicates included. *Expanded* are the nodes taken out and
//! tested, the goal as the last of them; the test comes when a node is taken
//! out, and the goal produces no successors. `docs/search.md` has the rules in
//! full and says how published tables differ.

mod algorithm;
mod best_first;
mod breadth_first;
mod compare;
mod depth_first;
mod domain;
pub mod heuristic;
mod limits;
mod nodes;
pub mod quality;
mod report;
mod scene;
mod set;
mod traffic;
mod value;

pub use algorithm::{Algorithm, AlgorithmError, run};
pub use compare::{CompareError, Comparison, Method, Results, Row, Totals};
pub use domain::{Blind, Domain, Guide};
pub use heuristic::{Estimator, Heuristic, HeuristicError};
pub use limits::Limits;
pub use report::{Counts, Report, Solution, Stop, Verdict, branching_factor};
pub use scene::{Cell, Front, Scene};
pub use set::{Puzzle, PuzzleSet, SetError};
pub use traffic::{Standing, Traffic};
pub use value::{Value, ValueError};
