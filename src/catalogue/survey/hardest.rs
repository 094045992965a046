//! The hardest boards of clusters that may be interesting.

use super::classes::MAX_CLASSES;
use super::clusters::{Cluster, Clusters};
use super::layout::{Ground, Layout};
use crate::board::Distance;
use crate::space::Blocks;

/// A board and the cluster it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// The block it is in.
    pub h: usize,
    /// Its strip within the block.
    pub strip: usize,
    /// Its number within the strip.
    pub pair: usize,
    /// The number of its cluster.
    pub cluster: u32,
}

impl Board {
    /// Its number within the signature.
    pub fn number(&self, blocks: &Blocks) -> u64 {
        blocks.first(self.h) + (self.strip * blocks.strip_len(self.h) + self.pair) as u64
    }
}

/// Finds hardest boards, with memory for one block at a time.
#[derive(Debug, Default)]
pub struct Hardest {
    layout: Layout,
    /// For every combination where its part of `wanted` begins, or [`NOTHING`].
    at: Vec<u32>,
    /// For every combination that has hardest boards, and every edge pair, the distance
    /// of such a board.
    wanted: Vec<u8>,
}

/// A combination without hardest boards.
const NOTHING: u32 = u32::MAX;

impl Hardest {
    /// Calls `found` with every hardest board of the clusters that are `wanted`
    /// and whose longest distance is at least `least`.
    pub fn of_clusters(
        &mut self,
        ground: &Ground,
        clusters: &Clusters,
        least: u8,
        wanted: impl Fn(u32, &Cluster) -> bool,
        mut found: impl FnMut(Board),
    ) {
        let Ground { classes, blocks, partition, .. } = *ground;
        let is_hardest = |id: u32, longest: u8| {
            // Most nodes are ruled out without a look at their cluster.
            (least..Distance::UNSOLVABLE.byte()).contains(&longest) && {
                let cluster = &clusters.list()[id as usize];
                cluster.longest == longest && wanted(id, cluster)
            }
        };
        for h in 0..blocks.unsolved() {
            let ids = partition.of_block(h);
            let longest = &clusters.node_longest()[partition.nodes_of(h)];
            if !ids.iter().zip(longest).any(|(&id, &d)| is_hardest(id, d)) {
                continue;
            }
            let len = blocks.strip_len(h);
            let edges = ground.edge_classes(h);
            let pairs = ground.edge_pairs(h);
            self.layout.of_block(classes, blocks, h);
            self.wanted.clear();
            self.at.clear();
            let mut by_class = [0u8; MAX_CLASSES * MAX_CLASSES];
            for (ids, longest) in ids.chunks_exact(edges).zip(longest.chunks_exact(edges)) {
                let mut has = false;
                for (wanted, (&id, &d)) in by_class.iter_mut().zip(ids.iter().zip(longest)) {
                    // No unsolved board is at distance 0.
                    *wanted = if is_hardest(id, d) { d } else { 0 };
                    has |= *wanted != 0;
                }
                self.at.push(if has { self.wanted.len() as u32 } else { NOTHING });
                if has {
                    self.wanted.extend(pairs.iter().map(|&pair| by_class[pair as usize]));
                }
            }
            let block = ground.block(h);
            for (strip, &combination) in self.layout.combination.iter().enumerate() {
                let combination = combination as usize;
                let at = self.at[combination];
                if at == NOTHING {
                    continue;
                }
                let wanted = &self.wanted[at as usize..][..len];
                for (pair, (d, wanted)) in block[strip * len..][..len].iter().zip(wanted).enumerate() {
                    if d == wanted {
                        let cluster = ids[combination * edges + pairs[pair] as usize];
                        found(Board { h, strip, pair, cluster });
                    }
                }
            }
        }
    }
}
