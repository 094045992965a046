//! Ctrl-C, and a request to terminate: the work in hand ends well.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use tailback::files;

use super::{exit, output};

static STOP: AtomicBool = AtomicBool::new(false);

/// Listens. The first signal says `note` and raises the flag that is given
/// back; the second ends the program at once.
pub fn listen(note: &'static str) -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            // A build loses the work since its last checkpoint.
            files::sweep();
            std::process::exit(exit::INTERRUPTED.into());
        }
        output::note(note);
    })
    .map_err(|error| anyhow!("cannot listen to Ctrl-C: {error}"))?;
    Ok(&STOP)
}

/// Was there a signal?
pub fn is_raised() -> bool {
    STOP.load(Ordering::Relaxed)
}
