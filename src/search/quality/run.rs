//! Several heuristics and conditions, measured on one sample.

use std::ops::RangeInclusive;
use std::time::Duration;

use rayon::prelude::*;

use super::sample::Draw;
use super::{Accuracy, Effect, Sample};
use crate::progress::{Count, Observer};

/// Puzzles that a thread takes at a time. The more there are, the more of them are
/// neighbours, and in a table laying out a signature takes longer than a look-up; but
/// all of them are lost if the measurement is stopped, because they come by rank.
const CHUNK: RangeInclusive<u64> = 4096..=131_072;
/// Puzzles between two reports.
const REPORT: u64 = 64;

/// What was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quality {
    /// Puzzles looked at.
    pub instances: u64,
    /// By heuristic.
    pub accuracies: Vec<Accuracy>,
    /// By condition.
    pub effects: Vec<Effect>,
}

/// The time of one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// By heuristic.
    pub heuristics: Vec<Duration>,
    /// By condition.
    pub conditions: Vec<Duration>,
}

impl Quality {
    /// Of so many heuristics and conditions, before the first puzzle.
    pub(crate) fn new(heuristics: usize, conditions: usize) -> Quality {
        Quality {
            instances: 0,
            accuracies: vec![Accuracy::default(); heuristics],
            effects: vec![Effect::default(); conditions],
        }
    }

    fn merged(mut self, other: Quality) -> Quality {
        self.instances += other.instances;
        self.accuracies.iter_mut().zip(other.accuracies).for_each(|(sum, more)| sum.merge(more));
        self.effects.iter_mut().zip(&other.effects).for_each(|(effect, more)| effect.merge(more));
        self
    }
}

impl Sample {
    /// Adds what there is to say of each puzzle of the sample, of so many in all, to
    /// `nothing`, on all threads. Each has a worker. Once the observer wants to stop,
    /// what was measured so far is the result.
    pub(crate) fn measured<W, E: Send>(
        self,
        all: u64,
        nothing: &Quality,
        (observer, unit): (&dyn Observer, &'static str),
        worker: impl Fn() -> W + Sync + Send,
        add: impl Fn(&mut W, &mut Quality, &Draw) -> Result<(), E> + Sync + Send,
    ) -> Result<Quality, E> {
        let puzzles = self.len(all);
        let share = puzzles.div_ceil(4 * rayon::current_num_threads() as u64);
        let size = share.clamp(*CHUNK.start(), *CHUNK.end());
        let done = Count::new(observer, unit, puzzles);
        let chunk = |worker: &mut W, number: u64| {
            let mut quality = nothing.clone();
            if observer.wants_stop() {
                return Ok(quality);
            }
            for draw in self.draws(number * size..puzzles.min((number + 1) * size), all) {
                if observer.wants_stop() {
                    return Ok(nothing.clone());
                }
                add(worker, &mut quality, &draw)?;
                quality.instances += 1;
                if quality.instances.is_multiple_of(REPORT) {
                    done.add(REPORT);
                }
            }
            done.add(quality.instances % REPORT);
            Ok(quality)
        };
        (0..puzzles.div_ceil(size))
            .into_par_iter()
            .map_init(worker, chunk)
            .try_reduce(|| nothing.clone(), |a, b| Ok(a.merged(b)))
    }
}
