//! Options that commands have in common.

use std::path::PathBuf;

use arrayvec::ArrayVec;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tailback::board::Metric;

/// Options of every command.
#[derive(Args)]
pub struct Global {
    /// The folder of the tables and catalogues
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        default_value = "db",
        env = "TAILBACK_DB",
        display_order = 100
    )]
    pub db: PathBuf,
    /// Print JSON, errors too
    #[arg(long, global = true, display_order = 101)]
    pub json: bool,
}

/// Reads `moves` or `steps`, and lists both in the help.
pub fn metric() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(["moves", "steps"]).map(|name| name.parse().expect("both are metrics"))
}

/// One metric, or both.
#[derive(Clone)]
pub struct Metrics(pub ArrayVec<Metric, 2>);

/// Reads `moves`, `steps` or `both`.
pub fn metrics() -> impl TypedValueParser<Value = Metrics> {
    PossibleValuesParser::new(["moves", "steps", "both"]).map(|name| match name.parse() {
        Ok(metric) => Metrics(ArrayVec::from_iter([metric])),
        Err(_) => Metrics([Metric::Moves, Metric::Steps].into()),
    })
}

/// Reads the size of a tabulated board.
pub fn size() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["4", "5", "6"]).map(|size| size.parse().expect("all are numbers"))
}
