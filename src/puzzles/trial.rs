//! The quality of heuristics about any puzzle: guesses against exact distances.

use super::PuzzleError;
use crate::progress::Observer;
use crate::search::quality::{Quality, Sample, Timing};

/// Heuristics and conditions that are held against all instances of a puzzle.
///
/// A condition asks about an action, so one action of each instance is done at
/// random, and it is compared with the progress that the action makes.
pub trait Trial: Sync {
    /// How many instances there are.
    fn instances(&self) -> u64;

    /// Measures on a sample. Once the observer wants to stop, what was measured
    /// so far is the result.
    fn run(&self, sample: Sample, observer: &dyn Observer) -> Result<Quality, PuzzleError>;

    /// Measures the time of one call on the first instances of a sample.
    fn time(&self, sample: Sample) -> Result<Timing, PuzzleError>;
}
