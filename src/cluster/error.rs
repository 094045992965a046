//! What can go wrong while a cluster is explored.

/// Why a cluster could not be explored, or a board not found in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The cluster is larger than the caller allows.
    #[error("the search passed its limit of {limit} boards without an answer")]
    TooLarge {
        /// The most boards it may have.
        limit: usize,
    },
    /// There is not enough memory for the search.
    #[error("the search needs {} MB of memory or more, which is more than there is for it", .needed / 1_000_000)]
    Memory {
        /// Bytes that it needs at least.
        needed: usize,
        /// Bytes that other searches have at the same time.
        others: usize,
    },
    /// The observer wanted the search to stop.
    #[error("interrupted")]
    Stopped,
}
