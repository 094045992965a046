//! The hardest boards of clusters that may be interesting.

use super::clusters::{Cluster, Clusters};
use super::layout::{Chosen, Ground, Layout};
use crate::memory::empty;
use crate::space::{Blocks, Position};

/// A board by its place in the signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// The block it is in.
    pub h: usize,
    /// Its strip within the block.
    pub strip: usize,
    /// Its number within the strip.
    pub pair: usize,
}

impl Board {
    /// Where its vehicles are.
    pub fn position(&self, blocks: &Blocks) -> Position {
        blocks.position_in(self.h, self.strip, self.pair)
    }
}

/// Finds hardest boards, with memory for one block at a time.
#[derive(Debug, Default)]
pub struct Hardest {
    layout: Layout,
    /// By cluster: the longest distance of one that is wanted, or 0.
    wanted: Vec<u8>,
    /// The longest distances of nodes that have hardest boards.
    longest: Chosen<u8>,
}

impl Hardest {
    /// Calls `found` with every hardest board of the solvable clusters that are `wanted`, and
    /// the number of its cluster.
    pub fn of_clusters(
        &mut self,
        ground: &Ground,
        clusters: &Clusters,
        wanted: impl Fn(&Cluster) -> bool,
        mut found: impl FnMut(u32, Board),
    ) {
        let Ground { classes, blocks, partition, .. } = *ground;
        empty(&mut self.wanted);
        let is_wanted = |cluster: &&Cluster| cluster.is_solvable() && wanted(cluster);
        let wanted = clusters.list().iter().map(|c| Some(c).filter(is_wanted).map_or(0, |c| c.longest));
        self.wanted.extend(wanted);
        for h in 0..blocks.unsolved() {
            let ids = partition.of_block(h);
            let longest = &clusters.node_longest()[partition.nodes_of(h)];
            // No unsolved board is at distance 0.
            let of_node =
                |node: usize| Some(longest[node]).filter(|&d| d == self.wanted[ids[node] as usize] && d > 0);
            if !self.longest.choose(ground, h, of_node) {
                continue;
            }
            let edges = ground.edge_classes(h);
            let classes_of_pairs = &ground.edge_pairs(h).classes;
            self.layout.of_block(classes, blocks, h);
            let strips = ground.block(h).chunks_exact(blocks.strip_len(h));
            for (number, (strip, &combination)) in strips.zip(&self.layout.combination).enumerate() {
                for &(pair, longest) in self.longest.of(combination) {
                    let pair = usize::from(pair);
                    if strip[pair] == longest {
                        let cluster = ids[combination as usize * edges + usize::from(classes_of_pairs[pair])];
                        found(cluster, Board { h, strip: number, pair });
                    }
                }
            }
        }
    }
}
