//! How far a search of the laboratory may go.

use std::time::Duration;

use clap::Args;
use tailback::search::Limits;

use super::{Result, interrupt};

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
    pub fn limits(&self) -> Result<Limits<'static>> {
        let stop = interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
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
