//! Rush Hour for the search engine: [`Traffic`], with the heuristics that people
//! have published for it, measured against the perfect one.
//!
//! ```
//! use tailback::board::{Board, Metric};
//! use tailback::cluster::Bounds;
//! use tailback::probe::Prober;
//! use tailback::domains::rush_hour::{Estimator, Traffic, heuristic};
//! use tailback::search::{Algorithm, Limits, run};
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
//! let heuristic = heuristic("max(blocking,advanced-admissible)")?;
//! let mut guide = Estimator::new(&heuristic, &traffic, &prober, Bounds::default())?;
//! let report = run(Algorithm::A_STAR, &traffic, traffic.start(), &mut guide, &Limits::default())?;
//! let solution = report.solution().expect("it can be solved");
//! assert_eq!(solution.cost, 3);
//! assert!(solution.proven_optimal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod exit;
pub mod heuristic;
#[cfg(feature = "build")]
pub mod quality;
mod scene;
mod traffic;

pub use exit::Exit;
pub use heuristic::{Estimator, VOCABULARY, heuristic};
pub use scene::{Cell, Front, Scene};
pub use traffic::{Leaving, Traffic, TrafficState};

/// The sets of boards that are part of the program: their names and texts.
pub static SETS: [(&str, &str); 4] = [
    ("jam", include_str!("sets/jam.tsv")),
    ("it3105", include_str!("sets/it3105.tsv")),
    ("hard8", include_str!("sets/hard8.tsv")),
    ("far8", include_str!("sets/far8.tsv")),
];
