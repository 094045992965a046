//! A bound on memory that threads share.

use std::sync::{Condvar, Mutex};

/// Distances that may be in memory at once, one byte each, however many
/// threads there are. The largest signature of 6×6 has 195 million.
pub const DISTANCES: u64 = 768 << 20;

/// Bytes that threads may hold at once. One holder is always let in, however
/// much it wants.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    held: Mutex<u64>,
    given_back: Condvar,
}

/// Bytes held; given back when dropped.
#[derive(Debug)]
pub struct Held<'b> {
    budget: &'b Budget,
    bytes: u64,
}

impl Budget {
    /// A budget of so many bytes.
    pub fn new(limit: u64) -> Budget {
        Budget { limit, held: Mutex::new(0), given_back: Condvar::new() }
    }

    /// Waits until there is room for `bytes`.
    pub fn take(&self, bytes: u64) -> Held<'_> {
        let held = self.held.lock().expect("no thread panicked");
        let full = |held: &mut u64| *held > 0 && *held + bytes > self.limit;
        let mut held = self.given_back.wait_while(held, full).expect("no thread panicked");
        *held += bytes;
        Held { budget: self, bytes }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        *self.budget.held.lock().expect("no thread panicked") -= self.bytes;
        self.budget.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn never_more_than_the_limit_is_held() {
        let budget = Budget::new(10);
        let (now, most) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let (budget, now, most) = (&budget, &now, &most);
                scope.spawn(move || {
                    for i in 0..200 {
                        let bytes = 1 + (thread * 7 + i) % 10;
                        let _held = budget.take(bytes);
                        most.fetch_max(now.fetch_add(bytes, Ordering::SeqCst) + bytes, Ordering::SeqCst);
                        std::thread::yield_now();
                        now.fetch_sub(bytes, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(most.into_inner() <= 10);
        drop(budget.take(1000));
    }
}
