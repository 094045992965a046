//! Different work on the same boards, with one progress report.
//!
//! A board is found and then written, and before the first is found a whole
//! table may be counted. What has been done of each phase counts by how long
//! that phase takes, roughly, so that there is one share that is done and one
//! time that is left.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::progress::{Observer, Progress};

/// What is counted.
pub(super) const UNIT: &str = "boards";

/// The phases of an export.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Count,
    Find,
    Write,
}

/// Tells an observer of all phases together.
pub(super) struct Phases<'o> {
    observer: &'o dyn Observer,
    /// How many boards go through all phases, if that is known.
    total: Option<u64>,
    /// How long each phase takes, in any unit.
    costs: [u64; 3],
    /// How much of each is done, as if the total were its own.
    done: [AtomicU64; 3],
}

impl<'o> Phases<'o> {
    pub fn new(observer: &'o dyn Observer, total: Option<u64>, costs: [u64; 3]) -> Phases<'o> {
        Phases { observer, total, costs, done: Default::default() }
    }

    /// Who is told of a phase.
    pub fn of(&self, step: Step) -> impl Observer {
        Phase { all: self, step }
    }

    fn done(&self) -> u64 {
        let each = self.costs.iter().zip(&self.done);
        let sum: f64 = each.map(|(&cost, done)| cost as f64 * done.load(Ordering::Relaxed) as f64).sum();
        let costs: f64 = self.costs.iter().map(|&cost| cost as f64).sum();
        (sum / costs.max(1.0)).round() as u64
    }
}

struct Phase<'p, 'o> {
    all: &'p Phases<'o>,
    step: Step,
}

impl Observer for Phase<'_, '_> {
    fn advanced(&self, progress: Progress) {
        let Phases { observer, total, done, .. } = self.all;
        let told = match (total, progress.total, self.step) {
            (Some(all), Some(own), _) => {
                let share = u128::from(progress.done.min(own)) * u128::from(*all) / u128::from(own.max(1));
                done[self.step as usize].fetch_max(share as u64, Ordering::Relaxed);
                self.all.done()
            }
            (_, _, Step::Write) => progress.done,
            _ => return,
        };
        observer.advanced(Progress { unit: UNIT, done: told, before: 0, total: *total });
    }

    fn noted(&self, fact: &str) {
        self.all.observer.noted(fact);
    }

    fn wants_stop(&self) -> bool {
        self.all.observer.wants_stop()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Recorder(Mutex<Vec<Progress>>);

    impl Observer for Recorder {
        fn advanced(&self, progress: Progress) {
            self.0.lock().unwrap().push(progress);
        }
    }

    /// Guards against a bar that fills twice: first with the boards that are
    /// counted, then with those that are written.
    #[test]
    fn all_phases_fill_once() {
        let told = Recorder::default();
        let phases = Phases::new(&told, Some(100), [3000, 1000, 6000]);
        let tell = |step, done, total| {
            phases.of(step).advanced(Progress { unit: UNIT, done, before: 0, total: Some(total) });
        };
        tell(Step::Count, 500_000, 1_000_000);
        tell(Step::Count, 1_000_000, 1_000_000);
        for half in [50, 100] {
            tell(Step::Find, half, 100);
            tell(Step::Write, half, 100);
        }
        let told = told.0.into_inner().unwrap();
        let done: Vec<u64> = told.iter().map(|progress| progress.done).collect();
        assert_eq!(done, [15, 30, 35, 65, 70, 100]);
        assert!(told.iter().all(|progress| (progress.unit, progress.total) == (UNIT, Some(100))));
    }
}
