//! The quality of heuristics about any puzzle: guesses against exact distances.

use std::time::Duration;

use super::PuzzleError;
use crate::progress::Observer;
use crate::search::quality::{Accuracy, Effect, Sample};

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

/// What was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quality {
    /// Instances looked at.
    pub instances: u64,
    /// By heuristic; the worst instance as text.
    pub accuracies: Vec<Accuracy<String>>,
    /// By condition.
    pub effects: Vec<Effect>,
}

impl Quality {
    /// With what was measured on other instances.
    #[must_use]
    pub fn merged(mut self, other: Quality) -> Quality {
        self.instances += other.instances;
        self.accuracies.iter_mut().zip(other.accuracies).for_each(|(sum, more)| sum.merge(more));
        self.effects.iter_mut().zip(&other.effects).for_each(|(effect, more)| effect.merge(more));
        self
    }
}

/// The time of one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// By heuristic.
    pub heuristics: Vec<Duration>,
    /// By condition.
    pub conditions: Vec<Duration>,
}
