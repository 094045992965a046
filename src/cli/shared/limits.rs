//! How far a search of the laboratory may go.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::Args;
use tailback::progress::{Observer, Progress};
use tailback::search::Limits;

use super::interrupt;
use super::progress::Meter;

/// Options of commands that search with an algorithm by name.
#[derive(Args)]
#[command(next_help_heading = "Limits of a search with an algorithm")]
pub struct LimitArgs {
    /// The most nodes to generate
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// The longest time for a board, in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    max_seconds: Option<Duration>,
    /// The most memory for what a search stores, in MB
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    max_memory: usize,
    /// Do not count distinct states where that takes a set on the side
    #[arg(long)]
    no_distinct: bool,
}

impl LimitArgs {
    /// The limits, for a search that Ctrl-C may end with what is known so far.
    pub fn limits(&self) -> anyhow::Result<Limits<'static>> {
        let stop = interrupt::listen("stopping with what is known so far; once more to stop at once")?;
        Ok(Limits {
            nodes: self.max_nodes,
            time: self.max_seconds,
            memory: Some(self.max_memory.saturating_mul(1_000_000)),
            stop: Some(stop),
            without_distinct: self.no_distinct,
        })
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("a time is a number of seconds, such as 0.5 or 60, not '{text}'");
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(wrong)
}

/// Shows the progress and passes the wish to stop on.
pub struct Watch {
    started: Instant,
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
