//! What can go wrong while a cluster is explored.

/// Why a cluster could not be explored, or a board not found in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The cluster is larger than the caller allows.
    #[error(
        "the search passed its limit of {limit} boards without an answer: raise the limit with --limit \
         (twice as many boards need up to {} MB of memory)",
        .limit.saturating_mul(2 * super::BYTES_PER_BOARD) / 1_000_000
    )]
    TooLarge {
        /// The most boards it may have.
        limit: usize,
    },
}
