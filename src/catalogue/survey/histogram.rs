//! How many boards of some clusters have each distance.

use super::clusters::Cluster;
use super::hardest::Board;
use super::layout::{Chosen, Ground, Layout};

/// Distances fit a byte.
const DISTANCES: usize = 256;
/// In a list of clusters: this one is not counted.
pub const NOT_COUNTED: u32 = u32::MAX;

/// A histogram that a node's boards go into.
#[derive(Debug, Clone, Copy)]
struct Slot {
    number: u32,
    /// The longest distance of the cluster.
    longest: u8,
}

/// Counts distances, with memory for one block at a time.
#[derive(Debug, Default)]
pub struct Histograms {
    layout: Layout,
    counted: Chosen<Slot>,
}

impl Histograms {
    /// Counts the unsolved boards of clusters by distance. `slots` says for
    /// each cluster which histogram its boards go into, or [`NOT_COUNTED`]. Calls
    /// `hardest` with each that is as far as its cluster's longest distance, and its slot.
    pub fn of_clusters(
        &mut self,
        ground: &Ground,
        clusters: &[Cluster],
        slots: &[u32],
        count: usize,
        mut hardest: impl FnMut(usize, Board),
    ) -> Vec<[u32; DISTANCES]> {
        let Ground { classes, blocks, partition, .. } = *ground;
        let mut histograms = vec![[0; DISTANCES]; count];
        for h in 0..blocks.unsolved() {
            let ids = partition.of_block(h);
            let slot_of = |node: usize| {
                let id = ids[node] as usize;
                let number = Some(slots[id]).filter(|&slot| slot != NOT_COUNTED)?;
                Some(Slot { number, longest: clusters[id].longest })
            };
            if !self.counted.choose(ground, h, slot_of) {
                continue;
            }
            self.layout.of_block(classes, blocks, h);
            let strips = ground.block(h).chunks_exact(blocks.strip_len(h));
            for (number, (strip, &combination)) in strips.zip(&self.layout.combination).enumerate() {
                for &(pair, slot) in self.counted.of(combination) {
                    let (at, d) = (slot.number as usize, strip[usize::from(pair)]);
                    histograms[at][usize::from(d)] += 1;
                    if d == slot.longest {
                        hardest(at, Board { h, strip: number, pair: pair.into() });
                    }
                }
            }
        }
        histograms
    }
}
