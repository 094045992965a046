//! Families and clusters counted.

use super::clusters::{Cluster, Rows};
use crate::board::Distance;
use crate::catalogue::Summary;
use crate::memory::empty;

const SEEN: u8 = 1;
const SEEN_SOLVABLE: u8 = 2;

/// Counts the clusters of one signature after the other.
#[derive(Debug, Default)]
pub struct ClusterCounter {
    /// For every family what has been seen of it; all zero between signatures.
    seen: Vec<u8>,
    /// By cluster the number of its family.
    families: Vec<u32>,
}

impl ClusterCounter {
    /// Counts the clusters of a signature.
    pub fn count(&mut self, rows: &Rows, clusters: &[Cluster]) -> Summary {
        let mut summary = Summary::default();
        self.seen.resize(rows.families(), 0);
        empty(&mut self.families);
        self.families.extend(clusters.iter().map(|cluster| rows.number(cluster.family)));
        for (cluster, &family) in clusters.iter().zip(&self.families) {
            let seen = &mut self.seen[family as usize];
            let classic = rows.is_classic(cluster.family).then_some(&mut summary.classic);
            for counts in std::iter::once(&mut summary.all).chain(classic) {
                counts.clusters[Distance::from_byte(cluster.longest)] += 1;
                counts.families += u64::from(*seen & SEEN == 0);
                counts.solvable_families += u64::from(cluster.is_solvable() && *seen & SEEN_SOLVABLE == 0);
            }
            *seen |= SEEN | if cluster.is_solvable() { SEEN_SOLVABLE } else { 0 };
        }
        for &family in &self.families {
            self.seen[family as usize] = 0;
        }
        summary
    }
}
