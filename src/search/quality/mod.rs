//! The quality of heuristics: guesses against exact distances.
//!
//! An [`Accuracy`] says how near a heuristic comes, and how often it is too
//! high. A condition on the last action is no guess; an [`Effect`] says what it
//! has to do with coming nearer to a goal. [`fastest`] says what a guess costs.

mod accuracy;
mod effect;
mod pairs;
#[cfg(feature = "build")]
mod run;
mod sample;
mod timing;

pub use accuracy::{Accuracy, Miss};
pub use effect::Effect;
#[cfg(feature = "build")]
pub use run::{Quality, Timing};
#[cfg(feature = "build")]
pub(crate) use sample::Draw;
pub use sample::Sample;
pub use timing::fastest;
