//! The search engine: the published algorithms, with one rule for counting.
//!
//! The algorithms ([`Algorithm`], [`run`]) work on any puzzle that is a
//! [`Domain`] and ask any [`Guide`]; they know no puzzle.
//! [`crate::domains`] has the puzzles. A [`Comparison`] runs many searches of
//! many puzzles side by side, and [`quality`] holds guesses against the truth.
//!
//! # Counting
//!
//! *Generated* is 1 for the start and 1 for each successor that an expanded
//! node produces, duplicates included. *Expanded* are the nodes taken out and
//! tested, the goal as the last of them; the test comes when a node is taken
//! out, and the goal produces no successors. `docs/search.md` has the rules in
//! full and says how published tables differ; [`Rules`] counts as they do.

mod algorithm;
mod best_first;
mod breadth_first;
#[cfg(feature = "build")]
mod compare;
mod depth_first;
mod domain;
mod limits;
mod method;
mod near;
mod nodes;
pub mod quality;
mod report;
mod rules;
mod value;

pub use algorithm::{Algorithm, AlgorithmError, run, run_by};
#[cfg(feature = "build")]
pub use compare::{
    CompareError, Compared, ComparedOrError, Comparison, Contest, MethodTotals, Named, Spread,
};
pub use domain::{Blind, Domain, Guide};
pub use limits::Limits;
pub use method::Method;
pub use near::near;
pub use report::{Report, SearchCounts, Solution, Stop, Verdict, branching_factor};
pub use rules::{GoalTest, Rule, RuleError, Rules, Ties};
pub use value::{Value, ValueError};
