//! How many boards of some clusters have each distance.

use super::classes::MAX_CLASSES;
use super::layout::{Ground, Layout};

/// Distances fit a byte.
const DISTANCES: usize = 256;
/// In a list of clusters: this one is not counted.
pub const NOT_COUNTED: u32 = u32::MAX;

/// Counts distances, with memory for one block at a time.
#[derive(Debug, Default)]
pub struct Histograms {
    layout: Layout,
}

impl Histograms {
    /// Counts the unsolved boards of clusters by distance. `slots` says for
    /// each cluster which histogram its boards go into, or [`NOT_COUNTED`].
    pub fn of_clusters(&mut self, ground: &Ground, slots: &[u32], count: usize) -> Vec<[u32; DISTANCES]> {
        let Ground { classes, blocks, partition, .. } = *ground;
        let mut histograms = vec![[0; DISTANCES]; count];
        let slot = |id: &u32| slots[*id as usize];
        for h in 0..blocks.unsolved() {
            let ids = partition.of_block(h);
            if ids.iter().all(|id| slot(id) == NOT_COUNTED) {
                continue;
            }
            let len = blocks.strip_len(h);
            let edges = ground.edge_classes(h);
            let pairs = ground.edge_pairs(h);
            self.layout.of_block(classes, blocks, h);
            let mut by_class = [NOT_COUNTED; MAX_CLASSES * MAX_CLASSES];
            for (strip, &combination) in ground.block(h).chunks_exact(len).zip(&self.layout.combination) {
                let ids = &ids[combination as usize * edges..][..edges];
                if ids.iter().all(|id| slot(id) == NOT_COUNTED) {
                    continue;
                }
                for (by_class, id) in by_class.iter_mut().zip(ids) {
                    *by_class = slot(id);
                }
                for (&pair, &d) in pairs.iter().zip(strip) {
                    if let Some(histogram) = histograms.get_mut(by_class[pair as usize] as usize) {
                        histogram[d as usize] += 1;
                    }
                }
            }
        }
        histograms
    }
}
