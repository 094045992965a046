//! What a table is about.

use std::fmt;

use crate::board::Metric;

/// What a table is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Rows and columns.
    pub size: usize,
    /// What a distance counts.
    pub metric: Metric,
    /// The zstd level of the frames.
    pub level: i32,
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0} boards in {1}", self.size, self.metric)
    }
}
