//! What is counted of all clusters, whether their puzzles are in the catalogue
//! or not.

use crate::retrograde::UNSOLVABLE;

/// What is counted of clusters under one set of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Families with at least one board.
    pub families: u64,
    /// Families with a solvable cluster.
    pub solvable_families: u64,
    /// Clusters by their longest distance in moves; [`UNSOLVABLE`] for those
    /// without.
    pub clusters: [u64; 256],
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { families: 0, solvable_families: 0, clusters: [0; 256] }
    }
}

impl Counts {
    /// All clusters.
    pub fn all_clusters(&self) -> u64 {
        self.clusters.iter().sum()
    }

    /// The clusters whose boards can be solved.
    pub fn solvable_clusters(&self) -> u64 {
        self.all_clusters() - self.clusters[usize::from(UNSOLVABLE)]
    }
}

/// The counts of a whole space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Of all clusters.
    pub all: Counts,
    /// Of those whose family is classic.
    pub classic: Counts,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.families += other.families;
        self.solvable_families += other.solvable_families;
        for (sum, n) in self.clusters.iter_mut().zip(other.clusters) {
            *sum += n;
        }
    }
}

impl Summary {
    /// Adds the counts of other boards, which share no family with these.
    pub fn add(&mut self, other: &Summary) {
        self.all.add(&other.all);
        self.classic.add(&other.classic);
    }
}
