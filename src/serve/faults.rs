//! Faults of the database in the log: each once, then how many requests met some.
//!
//! A damaged file refuses every request that needs it. A line for each would fill the
//! disk with the same text.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many different ones are logged: a damaged table may have one for each signature.
const MOST: usize = 20;

struct Faults {
    logged: BTreeSet<String>,
    /// Requests since the last report whose fault was logged before.
    more: u64,
}

fn faults() -> MutexGuard<'static, Faults> {
    static FAULTS: Mutex<Faults> = Mutex::new(Faults { logged: BTreeSet::new(), more: 0 });
    FAULTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request is refused because of this.
pub fn met(fault: String) {
    let mut faults = faults();
    if faults.logged.len() < MOST && !faults.logged.contains(&fault) {
        tracing::warn!(error = fault, "a file of the database cannot be used");
        faults.logged.insert(fault);
    } else {
        faults.more += 1;
    }
}

/// Logs how many requests were refused since the last report.
pub fn report() {
    let more = std::mem::take(&mut faults().more);
    if more > 0 {
        tracing::warn!(requests = more, "more requests were refused because of files that cannot be used");
    }
}

/// The files are others now: what is wrong with them is logged anew.
pub fn forget() {
    report();
    faults().logged.clear();
}
