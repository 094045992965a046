//! Progress: a bar on a terminal, otherwise a line every few seconds that
//! programs can read.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tailback::progress::{Observer, Progress};

use super::interrupt;

const EVERY: Duration = Duration::from_secs(5);

/// Counts something and shows it on standard error.
pub struct Meter {
    unit: &'static str,
    /// If it is known.
    total: Option<u64>,
    /// What was done before this run; it does not count for the speed.
    before: u64,
    done: AtomicU64,
    started: Instant,
    last_line: Mutex<Instant>,
    bar: Option<ProgressBar>,
}

impl Meter {
    pub fn new(unit: &'static str, total: u64, before: u64, started: Instant) -> Meter {
        Meter::shown(unit, Some(total), before, started)
    }

    /// Counts up to an end that nobody knows.
    pub fn endless(unit: &'static str, started: Instant) -> Meter {
        Meter::shown(unit, None, 0, started)
    }

    fn shown(unit: &'static str, total: Option<u64>, before: u64, started: Instant) -> Meter {
        let bar = std::io::stderr().is_terminal().then(|| bar(unit, total, before, started));
        Meter { unit, total, before, done: before.into(), started, last_line: started.into(), bar }
    }

    pub fn add(&self, n: u64) {
        self.set(self.done.fetch_add(n, Ordering::Relaxed) + n);
    }

    pub fn set(&self, done: u64) {
        // Threads may report out of order.
        let done = self.capped(self.done.fetch_max(done, Ordering::Relaxed).max(done));
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        } else if let Ok(mut last) = self.last_line.try_lock()
            && last.elapsed() >= EVERY
        {
            *last = Instant::now();
            self.line(done);
        }
    }

    /// Prints something else out of the way of the bar.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Clears the bar, or writes the last line.
    pub fn finish(&self) {
        match &self.bar {
            Some(bar) => bar.finish_and_clear(),
            None => self.line(self.capped(self.done.load(Ordering::Relaxed))),
        }
    }

    /// Work that is thrown away may have been counted.
    fn capped(&self, done: u64) -> u64 {
        self.total.map_or(done, |total| done.min(total))
    }

    fn line(&self, done: u64) {
        let unit = self.unit;
        let speed = (done - self.before) as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        let line = match self.total {
            None => format!("progress {unit}={done} {unit}_per_second={speed:.0}"),
            Some(total) => {
                let percent = 100.0 * done as f64 / total.max(1) as f64;
                let so_far = format!(
                    "progress {unit}={done} total={total} percent={percent:.1} {unit}_per_second={speed:.0}"
                );
                // Before anything is done nobody knows how long it takes.
                match total.saturating_sub(done) as f64 / speed {
                    eta if eta.is_finite() => format!("{so_far} eta_seconds={eta:.0}"),
                    _ => so_far,
                }
            }
        };
        // Progress that cannot be shown is no reason to stop working.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Shows the progress and passes the wish to stop on.
pub struct Watch {
    pub started: Instant,
    meter: OnceLock<Meter>,
}

impl Watch {
    pub fn new() -> Watch {
        Watch { started: Instant::now(), meter: OnceLock::new() }
    }

    pub fn finish(&self) {
        if let Some(meter) = self.meter.get() {
            meter.finish();
        }
    }
}

impl Observer for Watch {
    fn advanced(&self, progress: Progress) {
        let Progress { unit, done, before, total } = progress;
        self.meter.get_or_init(|| Meter::new(unit, total.unwrap_or(done), before, self.started)).set(done);
    }

    fn wants_stop(&self) -> bool {
        interrupt::is_raised()
    }
}

fn bar(unit: &str, total: Option<u64>, before: u64, started: Instant) -> ProgressBar {
    let template = match total {
        None => format!("{{spinner}} {{human_pos}} {unit}  {{per_sec}}"),
        Some(_) => format!(
            "{{percent:>3}}% {{wide_bar}} {{human_pos}}/{{human_len}} {unit}  {{per_sec}}  {{eta}} left"
        ),
    };
    let style = ProgressStyle::with_template(&template).expect("the template is right").with_key(
        "per_sec",
        |state: &indicatif::ProgressState, w: &mut dyn std::fmt::Write| {
            let _ = write!(w, "{}/s", indicatif::HumanCount(state.per_sec() as u64));
        },
    );
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let bar = bar.with_style(style).with_position(before).with_elapsed(started.elapsed());
    bar.reset_eta();
    bar
}
