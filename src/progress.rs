//! How long work tells where it is, and how it is stopped.
//!
//! Whatever takes long takes an [`Observer`]: it is told how far the work is
//! and asked whether to go on. The library knows no clock, bar or signal.

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

    /// Asked often; true ends the work as soon as nothing is lost by it.
    fn wants_stop(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}
