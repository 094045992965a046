//! What a distance counts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The unit of a distance.
///
/// ```
/// use tailback::board::Metric;
///
/// assert_eq!(Metric::Moves.to_string(), "moves");
/// assert_eq!("steps".parse(), Ok(Metric::Steps));
/// assert!("cells".parse::<Metric>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// A slide of one vehicle counts 1, however far it goes.
    #[default]
    Moves,
    /// A slide counts the cells it covers.
    Steps,
}

impl Metric {
    /// The most cells that a slide which counts 1 may cover.
    pub fn reach(self) -> usize {
        match self {
            Metric::Moves => usize::MAX,
            Metric::Steps => 1,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Metric::Moves => "moves",
            Metric::Steps => "steps",
        })
    }
}

/// The text names no metric.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the metric is 'moves' or 'steps', not '{found}'")]
pub struct MetricError {
    /// The text.
    pub found: String,
}

impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Metric, MetricError> {
        match text {
            "moves" => Ok(Metric::Moves),
            "steps" => Ok(Metric::Steps),
            _ => Err(MetricError { found: text.to_owned() }),
        }
    }
}
