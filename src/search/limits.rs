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
    /// The most bytes for what is stored, about; the set that distinct states
    /// are counted with is part of it.
    pub memory: Option<usize>,
    /// Set by somebody who wants it to stop.
    pub stop: Option<&'s AtomicBool>,
    /// Do not count distinct states where the algorithm itself does not know
    /// them: that takes a set of states on the side.
    pub without_distinct: bool,
}

/// The clock, the flag and the memory are looked at once in so many expansions.
const EVERY: u64 = 256;

/// More than so many expansions bring.
pub(super) const ROOM: usize = 128 * EVERY as usize;

/// The bytes of a store; old and doubled, one copied into the other, if it may
/// grow before the next look.
pub(super) fn grown(bytes: usize, len: usize, capacity: usize) -> usize {
    if len + ROOM < capacity { bytes } else { 3 * bytes }
}

/// The bytes of a hash table whose entries have this type.
pub(super) fn hash_bytes<T>(len: usize, capacity: usize) -> usize {
    grown(capacity * 8 / 7 * (size_of::<T>() + 1), len, capacity)
}

/// The bytes of a list.
pub(super) fn list_bytes<T>(list: &Vec<T>) -> usize {
    grown(list.capacity() * size_of::<T>(), list.len(), list.capacity())
}

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
