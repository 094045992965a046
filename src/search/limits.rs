//! How far a search may go.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Counts, Report, Stop, Verdict};

/// How far a search may go. Without limits it ends when it has an answer.
#[derive(Debug, Clone, Default)]
pub struct Limits<'s> {
    /// The most nodes to generate. The last expansion may go beyond.
    pub nodes: Option<u64>,
    /// The longest time.
    pub time: Option<Duration>,
    /// The most bytes for what the algorithm stores, about.
    pub memory: Option<usize>,
    /// Set by somebody who wants it to stop.
    pub stop: Option<&'s AtomicBool>,
    /// Do not count distinct states where the algorithm itself does not know
    /// them: that takes a set of states on the side, and half of the time.
    pub without_distinct: bool,
}

/// The clock and the flag are looked at once in so many expansions.
const EVERY: u64 = 256;

/// Counts, and keeps an eye on the limits.
pub(super) struct Watch<'l> {
    limits: &'l Limits<'l>,
    started: Instant,
    pub counts: Counts,
}

impl<'l> Watch<'l> {
    pub fn new(limits: &'l Limits<'l>) -> Watch<'l> {
        Watch { limits, started: Instant::now(), counts: Counts { generated: 1, ..Counts::default() } }
    }

    /// Is it time to stop, with so many bytes in use or soon in use? To be
    /// asked before every expansion.
    #[inline]
    pub fn wants_stop(&self, bytes: impl FnOnce() -> usize) -> Option<Stop> {
        if self.limits.nodes.is_some_and(|most| self.counts.generated >= most) {
            return Some(Stop::Nodes);
        }
        if !self.counts.expanded.is_multiple_of(EVERY) {
            return None;
        }
        let is_late = |most: Duration| self.started.elapsed() >= most;
        match self.limits {
            Limits { stop: Some(stop), .. } if stop.load(Ordering::Relaxed) => Some(Stop::Interrupted),
            Limits { time: Some(most), .. } if is_late(*most) => Some(Stop::Time),
            Limits { memory: Some(most), .. } if bytes() > *most => Some(Stop::Memory),
            _ => None,
        }
    }

    pub fn report<A>(self, verdict: Verdict<A>) -> Report<A> {
        Report { verdict, counts: self.counts, elapsed: self.started.elapsed() }
    }
}
