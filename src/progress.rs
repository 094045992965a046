//! Progress reports and cancellation of long work.
//!
//! Whatever takes long takes an [`Observer`], which gets reports of the progress
//! and is asked whether to go on. The library knows no clock, bar or signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far some work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is counted, such as `boards`.
    pub unit: &'static str,
    /// How many are done, those of an earlier run included.
    pub done: u64,
    /// How many were done before this run began: they say nothing of its speed.
    pub before: u64,
    /// How many there are, if that is known.
    pub total: Option<u64>,
}

/// Watches work and may stop it.
pub trait Observer: Sync {
    /// Called often, from any thread.
    fn advanced(&self, progress: Progress) {
        let _ = progress;
    }

    /// Called with what people should know though the work goes on.
    fn noted(&self, fact: &str) {
        let _ = fact;
    }

    /// Asked often; true ends the work as soon as nothing is lost by it.
    fn wants_stop(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}

macro_rules! passed_on {
    ($($holder:ty),*) => {$(
        impl<T: Observer + Send + ?Sized> Observer for $holder {
            fn advanced(&self, progress: Progress) {
                (**self).advanced(progress);
            }

            fn noted(&self, fact: &str) {
                (**self).noted(fact);
            }

            fn wants_stop(&self) -> bool {
                (**self).wants_stop()
            }
        }
    )*};
}

passed_on!(&T, Box<T>, Arc<T>);

/// Two that watch the same work: either may stop it, the first gets the reports.
#[derive(Clone, Copy)]
pub(crate) struct Both<'o>(pub &'o dyn Observer, pub &'o dyn Observer);

impl Observer for Both<'_> {
    fn advanced(&self, progress: Progress) {
        self.0.advanced(progress);
    }

    fn noted(&self, fact: &str) {
        self.0.noted(fact);
    }

    fn wants_stop(&self) -> bool {
        self.0.wants_stop() || self.1.wants_stop()
    }
}

/// Adds up what several threads have done, and reports it.
pub(crate) struct Count<'o> {
    observer: &'o dyn Observer,
    unit: &'static str,
    total: u64,
    done: AtomicU64,
}

impl<'o> Count<'o> {
    /// Nothing is done yet.
    pub fn new(observer: &'o dyn Observer, unit: &'static str, total: u64) -> Count<'o> {
        Count { observer, unit, total, done: AtomicU64::new(0) }
    }

    /// So many more are done.
    pub fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.observer.advanced(Progress { unit: self.unit, done, before: 0, total: Some(self.total) });
    }
}
