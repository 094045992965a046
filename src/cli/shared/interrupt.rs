//! Ctrl-C, and a request to terminate: the work in hand ends well.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use tailback::files;
use tailback::progress::Observer;

use super::{End, Failure, Result, output};

static STOP: AtomicBool = AtomicBool::new(false);

/// Says that an answer is cut short.
pub const WITH_WHAT_IS_KNOWN: &str = "stopping with what is known so far; once more to stop at once";

/// Listens. The first signal says `note` and raises the flag that is given
/// back; the second ends the program at once. The first note stands.
pub fn listen(note: &'static str) -> Result<&'static AtomicBool> {
    static NOTE: OnceLock<&'static str> = OnceLock::new();
    if NOTE.set(note).is_ok() {
        ctrlc::set_handler(move || {
            if STOP.swap(true, Ordering::Relaxed) {
                // A build loses the work since its last checkpoint.
                files::sweep();
                std::process::exit(End::Interrupted as i32);
            }
            output::alarm(note);
        })
        .map_err(|error| Failure::of(&error).about("cannot listen to Ctrl-C"))?;
    }
    Ok(&STOP)
}

/// Was there a signal?
pub fn is_raised() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Stops work that shows no progress.
pub struct Signal;

impl Observer for Signal {
    fn wants_stop(&self) -> bool {
        is_raised()
    }
}
