//! How long the work for a request may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::limits;
use crate::cluster::Bounds;
use crate::progress::Observer;

/// When the work for a request ends: at a time, or when nobody waits for it any more.
pub struct Deadline {
    end: Instant,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// That of one search, which begins now.
    pub fn of_search() -> Deadline {
        Deadline { end: Instant::now() + limits::SEARCH_TIME, cancelled: Arc::default() }
    }

    /// The time of another search, for the same caller.
    pub fn of_next_search(&self) -> Deadline {
        Deadline { cancelled: Arc::clone(&self.cancelled), ..Deadline::of_search() }
    }

    /// Ends the work when it is dropped.
    pub fn cancel_on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(Arc::clone(&self.cancelled))
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// How far a search may go.
    pub fn bounds(&self) -> Bounds<'_> {
        Bounds { observer: self, ..limits::SEARCH_BOARDS.into() }
    }
}

impl Observer for Deadline {
    fn wants_stop(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.end
    }
}

/// Cancels the work for a caller who has hung up.
pub struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
