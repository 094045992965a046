//! Progress: a bar on a terminal, otherwise a line every few seconds that
//! programs can read.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use tailback::progress::{Observer, Progress};

use super::{interrupt, output};

const EVERY: Duration = Duration::from_secs(5);
/// Work that takes less shows no progress.
const LONG: Duration = Duration::from_secs(1);

/// Shows the progress of long work on standard error, and passes cancellation
/// on. The first report makes the bar, and one in another unit the next bar.
pub struct Watch {
    started: Instant,
    shown: Mutex<Option<Shown>>,
}

/// Work of one unit.
struct Shown {
    progress: Progress,
    started: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl Watch {
    /// Shows how far some work is while it is done.
    pub fn over<T>(work: impl FnOnce(&Watch) -> T) -> T {
        let watch = Watch::since(Instant::now());
        let done = work(&watch);
        watch.finish();
        done
    }

    pub fn since(started: Instant) -> Watch {
        Watch { started, shown: Mutex::new(None) }
    }

    /// Prints something else out of the way of the bar.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        let bar = self.with(|shown| shown.as_ref().and_then(|shown| shown.bar.clone()));
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Clears the bar, or writes the last line.
    pub fn finish(&self) {
        self.with(|shown| shown.take().inspect(Shown::finish));
    }

    fn with<T>(&self, f: impl FnOnce(&mut Option<Shown>) -> T) -> T {
        f(&mut self.shown.lock().expect("no thread panicked"))
    }
}

impl Observer for Watch {
    fn advanced(&self, progress: Progress) {
        self.with(|shown| match shown {
            Some(shown) if shown.progress.unit == progress.unit => shown.set(progress),
            _ => {
                let started = shown.take().inspect(Shown::finish).map_or(self.started, |_| Instant::now());
                shown.insert(Shown::new(progress, started)).set(progress);
            }
        });
    }

    fn noted(&self, fact: &str) {
        self.aside(|| output::note(fact));
    }

    fn wants_stop(&self) -> bool {
        interrupt::is_raised()
    }
}

impl Shown {
    fn new(progress: Progress, started: Instant) -> Shown {
        let is_bar = std::io::stderr().is_terminal() && !output::is_dumb();
        let bar = is_bar.then(|| bar(progress, started));
        Shown { progress, started, last_line: started, bar }
    }

    fn set(&mut self, progress: Progress) {
        // Threads may report out of order, and count work that is thrown away.
        let done = progress.done.max(self.progress.done);
        let done = progress.total.map_or(done, |total| done.min(total));
        self.progress = Progress { done, ..progress };
        if output::is_quiet() || self.started.elapsed() < LONG {
            return;
        }
        if let Some(bar) = &self.bar {
            // Nothing is drawn before the first time.
            progress.total.inspect(|&total| bar.set_length(total));
            bar.set_position(done);
        } else if self.last_line.elapsed() >= EVERY {
            self.last_line = Instant::now();
            self.line();
        }
    }

    fn finish(&self) {
        match &self.bar {
            Some(bar) => bar.finish_and_clear(),
            None if output::is_quiet() || self.started.elapsed() < LONG => {}
            None => self.line(),
        }
    }

    fn line(&self) {
        let line = line(self.progress, self.started.elapsed());
        // Progress that cannot be shown is no reason to stop working.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

fn line(progress: Progress, elapsed: Duration) -> String {
    let Progress { unit, done, total, .. } = progress;
    let mut line = format!("progress {unit}={done}");
    if let Some(total) = total {
        let _ = write!(line, " total={total} percent={:.1}", permille(done, total) as f64 / 10.0);
    }
    let speed = speed(progress, elapsed);
    // Two digits of what is slow.
    let decimals = if speed > 0.0 { (1.0 - speed.log10().floor()).max(0.0) as usize } else { 0 };
    let _ = write!(line, " {unit}_per_second={speed:.decimals$}");
    if let Some(eta) = eta(progress, elapsed) {
        let _ = write!(line, " eta_seconds={:.0}", eta.as_secs_f64());
    }
    line
}

fn bar(progress: Progress, started: Instant) -> ProgressBar {
    let unit = progress.unit;
    let template = match progress.total {
        None => format!("{{spinner}} {{human_pos}} {unit}  {{speed}}"),
        Some(_) => format!("{{share}} {{wide_bar}} {{human_pos}}/{{human_len}} {unit}  {{speed}}{{left}}"),
    };
    // The bar's own estimates take a burst, or what an earlier run did, for
    // speed.
    let now = move |state: &ProgressState| Progress { done: state.pos(), total: state.len(), ..progress };
    type Out<'a> = &'a mut dyn std::fmt::Write;
    let style = ProgressStyle::with_template(&template)
        .expect("the template is right")
        .with_key("share", |state: &ProgressState, out: Out| {
            let _ = write!(out, "{:>3}%", permille(state.pos(), state.len().unwrap_or(0)) / 10);
        })
        .with_key("speed", move |state: &ProgressState, out: Out| {
            let _ = write!(out, "{}/s", HumanCount(speed(now(state), state.elapsed()) as u64));
        })
        .with_key("left", move |state: &ProgressState, out: Out| {
            if let Some(eta) = eta(now(state), state.elapsed()) {
                let _ = write!(out, "  {:#} left", HumanDuration(eta));
            }
        });
    let bar = progress.total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    bar.with_style(style).with_position(progress.done).with_elapsed(started.elapsed())
}

/// Tenths of a percent, rounded down: all of them are there at the end only.
fn permille(done: u64, total: u64) -> u64 {
    match total {
        0 => 1000,
        total => (u128::from(done) * 1000 / u128::from(total)) as u64,
    }
}

/// What this run does in a second.
fn speed(Progress { done, before, .. }: Progress, elapsed: Duration) -> f64 {
    done.saturating_sub(before) as f64 / elapsed.as_secs_f64().max(1e-9)
}

/// How long the rest takes at the speed of this run so far; nothing if the
/// total is unknown, or in the first seconds, or before some of the work of
/// this run is done: that would be a guess.
fn eta(progress: Progress, elapsed: Duration) -> Option<Duration> {
    let Progress { done, before, total, .. } = progress;
    let (now, left) = (done.saturating_sub(before), total?.saturating_sub(done));
    if left == 0 {
        return Some(Duration::ZERO);
    }
    let is_guess = elapsed < ENOUGH || u128::from(now) * 200 < u128::from(now) + u128::from(left);
    if is_guess {
        return None;
    }
    Duration::try_from_secs_f64(left as f64 / speed(progress, elapsed)).ok()
}

/// The time before which a burst would pass for the speed.
const ENOUGH: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(done: u64, before: u64, total: impl Into<Option<u64>>) -> Progress {
        Progress { unit: "boards", done, before, total: total.into() }
    }

    fn left(progress: Progress, seconds: f64) -> Option<f64> {
        eta(progress, Duration::from_secs_f64(seconds)).map(|eta| eta.as_secs_f64())
    }

    #[test]
    fn the_rest_takes_as_long_as_what_this_run_did() {
        assert_eq!(left(at(25, 0, 100), 10.0), Some(30.0));
        // An earlier run did half of it, which says nothing of the speed.
        assert_eq!(left(at(75, 50, 100), 10.0), Some(10.0));
        assert_eq!(left(at(100, 100, 100), 0.0), Some(0.0));
        assert_eq!(left(at(7, 0, 5), 10.0), Some(0.0));
    }

    /// `9d left` and 197,856 s were estimated from the first boards of a few minutes.
    #[test]
    fn nobody_guesses() {
        assert_eq!(left(at(25, 0, None), 10.0), None);
        assert_eq!(left(at(0, 0, 100), 10.0), None);
        assert_eq!(left(at(50, 50, 100), 1e6), None);
        assert_eq!(left(at(1, 0, 1_000_000), 0.5), None);
        assert_eq!(left(at(1, 0, 1_000_000), 10.0), None);
        assert_eq!(left(at(50, 0, 100), 0.001), None);
        assert_eq!(left(at(900_001, 900_000, 1_000_000), 10.0), None);
        assert_eq!(left(at(u64::MAX / 50, 0, u64::MAX), 10.0).map(f64::round), Some(490.0));
    }

    #[test]
    fn a_line_says_what_is_known() {
        let line = |progress, seconds| line(progress, Duration::from_secs_f64(seconds));
        assert_eq!(line(at(7, 0, None), 2.0), "progress boards=7 boards_per_second=3.5");
        assert_eq!(line(at(1, 0, None), 30.0), "progress boards=1 boards_per_second=0.033");
        assert_eq!(
            line(at(9_999, 0, 10_000), 10.0),
            "progress boards=9999 total=10000 percent=99.9 boards_per_second=1000 eta_seconds=0"
        );
        assert_eq!(
            line(at(60, 50, 100), 1.0),
            "progress boards=60 total=100 percent=60.0 boards_per_second=10"
        );
        assert_eq!(
            line(at(0, 0, 0), 1.0),
            "progress boards=0 total=0 percent=100.0 boards_per_second=0 eta_seconds=0"
        );
    }

    #[test]
    fn reports_out_of_order_and_another_unit() {
        let watch = Watch::since(Instant::now());
        let done = || watch.with(|shown| shown.as_ref().map(|shown| shown.progress.done));
        assert_eq!(done(), None);
        for (told, seen) in [(5, 5), (3, 5), (12, 10)] {
            watch.advanced(at(told, 0, 10));
            assert_eq!(done(), Some(seen));
        }
        watch.advanced(Progress { unit: "puzzles", ..at(1, 0, 10) });
        assert_eq!(done(), Some(1));
    }
}
