//! What a table is about.

use std::fmt;

use crate::board::Metric;
use crate::space::SpaceId;

/// What a table is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contents {
    /// The boards.
    pub space: SpaceId,
    /// What a distance counts.
    pub metric: Metric,
    /// The zstd level of the frames.
    pub level: i32,
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "boards of {} in {}", self.space, self.metric)
    }
}
