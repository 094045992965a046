//! How far a search may go.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Report, SearchCounts, Stop, Verdict};

/// How far a search may go. Without limits it ends when it has an answer.
#[derive(Debug, Clone, Default)]
pub struct Limits<'s> {
    /// The most nodes to generate; the start is always one.
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

/// The clock, the flag and the memory are looked at once in so many expansions,
const EXPANDED: u64 = 256;
/// and once in so many generated nodes, however many one expansion brings.
pub(super) const AHEAD: usize = 1024;

/// The entries of a store that doubles, when so many are needed; old and new
/// together if it has to grow, since one is copied into the other.
#[inline(always)]
fn room(capacity: usize, needed: usize) -> usize {
    if needed <= capacity {
        return capacity;
    }
    let capacity = capacity.max(1);
    capacity * needed.div_ceil(capacity).next_power_of_two() / 2 * 3
}

/// The bytes of a hash table whose entries have this type, if so many more come.
#[inline(always)]
pub(super) fn hash_bytes<T>(len: usize, capacity: usize, more: usize) -> usize {
    room(capacity, len + more) * 8 / 7 * (size_of::<T>() + 1)
}

/// The bytes of a list, if so many more entries come.
#[inline(always)]
pub(super) fn list_bytes<T>(list: &Vec<T>, more: usize) -> usize {
    room(list.capacity(), list.len() + more) * size_of::<T>()
}

/// How long a search has taken. Where there is no clock, as in a browser without
/// JavaScript's help, it takes no time, and a limit of time is none.
struct Clock(#[cfg(not(all(target_family = "wasm", target_os = "unknown")))] std::time::Instant);

impl Clock {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn start() -> Clock {
        Clock(std::time::Instant::now())
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn start() -> Clock {
        Clock()
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Counts, and keeps an eye on the limits.
///
/// What a search stores is told by a function: the bytes it takes if so many
/// more nodes come, or nothing if so many states cannot be numbered.
pub(super) struct Watch<'l> {
    limits: &'l Limits<'l>,
    started: Clock,
    pub counts: SearchCounts,
    /// The most nodes.
    most: u64,
    /// The limits are looked at when so many nodes are generated.
    next: u64,
    stop: Option<Stop>,
}

impl<'l> Watch<'l> {
    pub fn new(limits: &'l Limits<'l>) -> Watch<'l> {
        let counts = SearchCounts { generated: 1, ..SearchCounts::default() };
        let most = limits.nodes.unwrap_or(u64::MAX);
        Watch { limits, started: Clock::start(), counts, most, next: 1, stop: None }
    }

    /// Is it time to stop? To be asked before every expansion.
    #[inline]
    pub fn wants_stop(&mut self, stored: impl FnOnce(usize) -> Option<usize>) -> Option<Stop> {
        if self.counts.generated >= self.most || self.counts.expanded.is_multiple_of(EXPANDED) {
            self.look(stored(AHEAD));
        }
        self.stop
    }

    /// How many nodes may be generated before the next look. An expansion counts
    /// down from here, which costs next to nothing, and gives back what is left.
    #[inline]
    pub fn allowance(&self) -> u64 {
        self.next - self.counts.generated
    }

    /// How many more may be generated when all were; none if the search has to
    /// stop. Then the expansion is not complete, and [`stopped`](Watch::stopped)
    /// says why.
    #[cold]
    pub fn another_allowance(&mut self, stored: Option<usize>) -> u64 {
        if self.stop.is_none() {
            self.counts.generated = self.next;
            self.look(stored);
        }
        self.allowance()
    }

    /// Counts the nodes of an expansion, with so many of the allowance left.
    #[inline]
    pub fn give_back(&mut self, left: u64) {
        self.counts.generated = self.next - left;
    }

    #[inline]
    pub fn stopped(&self) -> Option<Stop> {
        self.stop
    }

    #[cold]
    fn look(&mut self, stored: Option<usize>) {
        let is_late = |most: Duration| self.started.elapsed() >= most;
        self.stop = match self.limits {
            _ if self.counts.generated >= self.most => Some(Stop::Nodes),
            Limits { stop: Some(stop), .. } if stop.load(Ordering::Relaxed) => Some(Stop::Interrupted),
            Limits { time: Some(most), .. } if is_late(*most) => Some(Stop::Time),
            Limits { memory: Some(most), .. } if stored.is_some_and(|bytes| bytes > *most) => {
                Some(Stop::Memory)
            }
            _ if stored.is_none() => Some(Stop::States),
            _ => None,
        };
        self.next = match self.stop {
            Some(_) => self.counts.generated,
            None => self.most.min(self.counts.generated + AHEAD as u64),
        };
    }

    pub fn report<A>(self, verdict: Verdict<A>) -> Report<A> {
        Report { verdict, counts: self.counts, elapsed: self.started.elapsed() }
    }
}
