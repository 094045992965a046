//! The strips of a block, grouped by the classes of their middle columns.
//!
//! All strips of a block have the same length and the same edge pairs at the
//! same places. So what is to be known of the nodes of a block is first worked
//! out strip by strip, byte by byte, for each *combination* of classes of the
//! middle columns, and only then sorted out by the classes of the edge columns.

use arrayvec::ArrayVec;

use super::classes::{Classes, ColumnClasses, MAX_CLASSES, Pairs};
use super::partition::Partition;
use crate::space::Blocks;

/// One block laid out.
#[derive(Debug, Default)]
pub struct Layout {
    /// The combination of each strip.
    pub combination: Vec<u32>,
    /// How many combinations there are.
    pub combinations: usize,
}

impl Layout {
    /// Lays out block `h`.
    pub fn of_block(&mut self, classes: &Classes, blocks: &Blocks, h: usize) {
        self.combination.clear();
        self.combination.push(0);
        let mut combinations = 1;
        for c in blocks.space().middle_columns().rev() {
            let mask = blocks.mask(h, c);
            let column = classes.column(mask);
            let strips = self.combination.len();
            for &class in &column.of_digit[1..blocks.space().line().fitting(mask)] {
                let more = class as u32 * combinations;
                for i in 0..strips {
                    self.combination.push(self.combination[i] + more);
                }
            }
            combinations *= u32::from(column.count);
        }
        self.combinations = combinations as usize;
    }
}

/// How many strips of block `h` each combination has.
pub fn count_strips(classes: &Classes, blocks: &Blocks, h: usize, counts: &mut Vec<u32>) {
    counts.clear();
    counts.push(1);
    for c in blocks.space().middle_columns().rev() {
        let column = classes.column(blocks.mask(h, c));
        let combinations = counts.len();
        for &placements in &column.placements[1..column.count as usize] {
            for i in 0..combinations {
                counts.push(counts[i] * placements as u32);
            }
        }
    }
}

/// Of a block the boards of some nodes: for every combination the edge pairs of these,
/// each with what is to be known of its node.
#[derive(Debug)]
pub struct Chosen<T> {
    /// Where each combination begins, and the end.
    first: Vec<u32>,
    pairs: Vec<(u16, T)>,
}

impl<T> Default for Chosen<T> {
    fn default() -> Chosen<T> {
        Chosen { first: Vec::new(), pairs: Vec::new() }
    }
}

impl<T: Copy> Chosen<T> {
    /// Chooses nodes of block `h`. False if there are none.
    pub fn choose(&mut self, ground: &Ground, h: usize, of_node: impl Fn(usize) -> Option<T>) -> bool {
        let (edges, nodes) = (ground.edge_classes(h), ground.partition.nodes_of(h).len());
        self.first.clear();
        self.pairs.clear();
        let pairs = ground.edge_pairs(h);
        for combination in (0..nodes).step_by(edges) {
            self.first.push(self.pairs.len() as u32);
            for class in 0..edges {
                if let Some(of_node) = of_node(combination + class) {
                    self.pairs.extend(pairs.of_class(class).iter().map(|&pair| (pair, of_node)));
                }
            }
        }
        self.first.push(self.pairs.len() as u32);
        !self.pairs.is_empty()
    }

    /// Those of a combination.
    #[inline]
    pub fn of(&self, combination: u32) -> &[(u16, T)] {
        let [start, end] = [0, 1].map(|more| self.first[combination as usize + more] as usize);
        &self.pairs[start..end]
    }
}

/// A signature sorted into nodes and clusters, with the distances of its
/// unsolved boards.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The classes of columns.
    pub classes: &'a Classes,
    /// The signature.
    pub blocks: &'a Blocks<'a>,
    /// Its clusters.
    pub partition: &'a Partition,
    /// One distance for every unsolved board.
    pub distances: &'a [u8],
}

impl<'a> Ground<'a> {
    /// The distances of block `h`.
    #[inline]
    pub fn block(&self, h: usize) -> &'a [u8] {
        &self.distances[self.blocks.boards_in(h)]
    }

    /// The edge pairs of a strip of block `h`.
    #[inline]
    pub fn edge_pairs(&self, h: usize) -> &'a Pairs {
        self.classes.pairs(self.blocks.mask(h, 0), self.blocks.mask(h, self.blocks.space().size() - 1))
    }

    /// How many pairs of classes the edge columns have under block `h`.
    #[inline]
    pub fn edge_classes(&self, h: usize) -> usize {
        let (left, right) = self.edges(h);
        left.count as usize * right.count as usize
    }

    /// How many pairs of placements each pair of classes stands for.
    pub fn edge_boards(&self, h: usize) -> ArrayVec<u32, { MAX_CLASSES * MAX_CLASSES }> {
        let (left, right) = self.edges(h);
        let rights = &right.placements[..right.count as usize];
        let lefts = &left.placements[..left.count as usize];
        lefts.iter().flat_map(|&l| rights.iter().map(move |&r| l as u32 * r as u32)).collect()
    }

    fn edges(&self, h: usize) -> (&'a ColumnClasses, &'a ColumnClasses) {
        let last = self.blocks.space().size() - 1;
        (self.classes.column(self.blocks.mask(h, 0)), self.classes.column(self.blocks.mask(h, last)))
    }
}
