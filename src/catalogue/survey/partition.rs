//! The clusters of one row signature.
//!
//! Given the rows, boards whose columns are in the same classes (see
//! [`classes`](super::classes)) reach each other by vertical slides. They are
//! one *node*: a horizontal configuration h and a class per column. The 40
//! billion boards of 6×6 make 7.3 billion nodes. What remains are horizontal
//! slides by one cell: such a slide frees a cell of one column and takes one of
//! another, so the nodes of h and of its neighbour that touch are again a
//! product over the columns, and a union-find over them gives the clusters.
//!
//! Blocks are linked in their order, each with those before it. That would be 20
//! billion links for 6×6, most of which find both ends in one set already. Say that
//! slides a and b of two rows lead from h to blocks before it, and that a board can
//! make both. Then the four boards without, with one and with both slides touch in a
//! ring. The two links with the last one are between blocks before h, so known; if
//! h is linked along a, the link along b says nothing new. So along b only those
//! nodes are linked that have no board which can make slide a, nor any other slide
//! linked before: again a product over the columns.
//!
//! The nodes of a block are numbered by the classes of columns 1 … N−2, then
//! by those of the edge columns, like the boards of a block.

use super::classes::{Classes, MAX_CLASSES};
use crate::memory::{empty, make_room};
use crate::space::line::MAX_PLACEMENTS;
use crate::space::{Blocks, MAX_SIZE, column_mask};

/// The nodes of a signature and the cluster of each.
#[derive(Debug, Default)]
pub struct Partition {
    /// The first node of each configuration, and the end.
    first: Vec<u32>,
    /// For each node, while links are added: a node of the same cluster, no
    /// larger. At the end: the number of its cluster.
    cluster: Vec<u32>,
    /// The nodes that touch, as seen from the two blocks: middle columns, edges.
    middle: Vec<(u32, u32)>,
    edges: Vec<(u32, u32)>,
    /// The slides of a configuration.
    slides: Vec<RowSlide>,
}

/// A slide of a row's vehicle by one cell to a configuration with a lower number.
#[derive(Debug, Clone, Copy)]
struct RowSlide {
    row: usize,
    /// How much lower.
    down: usize,
    freed: usize,
    entered: usize,
    /// It changes an edge column.
    touches_edge: bool,
}

impl Partition {
    /// Computes the clusters of a signature.
    pub fn compute(&mut self, classes: &Classes, blocks: &Blocks) {
        let slides = slides(blocks);
        let size = blocks.space().size();
        empty(&mut self.first);
        let mut end = 0u32;
        for h in 0..blocks.len() {
            self.first.push(end);
            let nodes = (0..size).map(|c| classes.column(blocks.mask(h, c)).count as u32).product::<u32>();
            end = end.checked_add(nodes).expect("nodes are fewer than boards");
        }
        self.first.push(end);
        empty(&mut self.cluster);
        make_room(&mut self.cluster, end as usize);
        self.cluster.extend(0..end);
        let mut of_configuration = std::mem::take(&mut self.slides);
        for (h, digits) in blocks.row_digits().enumerate() {
            of_configuration.clear();
            let of_rows = slides[..size].iter().zip(digits);
            of_configuration.extend(of_rows.flat_map(|(slides, digit)| &slides[usize::from(digit)]));
            // The first links most nodes: best in runs.
            of_configuration.sort_by_key(|slide| slide.touches_edge);
            for (number, slide) in of_configuration.iter().enumerate() {
                self.link(classes, blocks, h, slide, &of_configuration[..number]);
            }
        }
        self.slides = of_configuration;
        self.number();
    }

    /// Links the nodes of block `h` with those a slide leads to, unless they have a
    /// board that can make one of the slides before.
    fn link(&mut self, classes: &Classes, blocks: &Blocks, h: usize, slide: &RowSlide, before: &[RowSlide]) {
        let g = h - slide.down;
        let size = blocks.space().size();
        // In the two columns where the blocks differ, what touches are the classes of the
        // fuller column.
        let both = blocks.taken(h) | blocks.taken(g);
        let fuller = |c: usize| classes.column(column_mask(both, c));
        let mut linked = [u16::MAX; MAX_SIZE];
        for other in before.iter().filter(|other| other.row != slide.row) {
            let column = fuller(other.entered);
            linked[other.entered] &= !column.open[other.row] & column.all();
            if linked[other.entered] == 0 {
                return;
            }
        }
        let touching = |c: usize| Touching {
            linked: linked[c] & fuller(c).all(),
            is_plain: linked[c] == u16::MAX && c != slide.freed && c != slide.entered,
            counts: [h, g].map(|block| classes.column(blocks.mask(block, c)).count.into()),
            in_blocks: [
                if c == slide.entered { &classes.column(blocks.mask(h, c)).around[slide.row] } else { &SAME },
                if c == slide.freed { &classes.column(blocks.mask(g, c)).around[slide.row] } else { &SAME },
            ],
        };
        // How far apart two nodes are whose class differs by one in a column.
        let mut apart = [1, 1];
        let [left, right] = [touching(0), touching(size - 1)];
        self.edges.clear();
        self.edges.push((0, 0));
        right.spread(&mut self.edges, &mut apart);
        left.spread(&mut self.edges, &mut apart);
        self.middle.clear();
        self.middle.push((self.first[h], self.first[g]));
        for c in blocks.space().middle_columns().rev() {
            touching(c).spread(&mut self.middle, &mut apart);
        }
        let nodes = &mut self.cluster[..];
        if left.is_plain && right.is_plain {
            // The edge columns stay as they are: runs of neighbours.
            let run = self.edges.len();
            for &(i, j) in &self.middle {
                if !join_fresh(nodes, i, j, run) {
                    for k in 0..run as u32 {
                        unite(nodes, i + k, j + k);
                    }
                }
            }
        } else {
            for &(i, j) in &self.middle {
                for &(k, l) in &self.edges {
                    unite(nodes, i + k, j + l);
                }
            }
        }
    }

    /// Replaces each node's representative by the number of its cluster, in
    /// the order of their first nodes.
    fn number(&mut self) {
        let mut clusters = 0;
        for node in 0..self.cluster.len() {
            let up = self.cluster[node] as usize;
            // What comes before has its number already.
            self.cluster[node] = if up == node {
                clusters += 1;
                clusters - 1
            } else {
                self.cluster[up]
            };
        }
    }

    /// The nodes of block `h`.
    #[inline]
    pub fn nodes_of(&self, h: usize) -> std::ops::Range<usize> {
        self.first[h] as usize..self.first[h + 1] as usize
    }

    /// The clusters of the nodes of block `h`.
    #[inline]
    pub fn of_block(&self, h: usize) -> &[u32] {
        &self.cluster[self.nodes_of(h)]
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.cluster.len()
    }
}

/// The classes of a column that touch along a slide.
struct Touching<'c> {
    /// Those that are linked, a bit each.
    linked: u16,
    /// All are, each with itself.
    is_plain: bool,
    /// How many classes there are in each block.
    counts: [u32; 2],
    /// What they are in each block.
    in_blocks: [&'c [u8; MAX_CLASSES]; 2],
}

const SAME: [u8; MAX_CLASSES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

impl Touching<'_> {
    /// Multiplies a list of touching nodes by these classes. `apart` says how far two
    /// nodes are apart whose class differs by one, and goes on to the next column.
    #[inline(always)]
    fn spread(&self, list: &mut Vec<(u32, u32)>, apart: &mut [u32; 2]) {
        let step = |class: u32| {
            let [in_h, in_g] = self.in_blocks.map(|classes| u32::from(classes[class as usize]));
            (in_h * apart[0], in_g * apart[1])
        };
        let before = list.len();
        let mut more = self.linked & (self.linked - 1);
        while more != 0 {
            let step = step(more.trailing_zeros());
            more &= more - 1;
            for i in 0..before {
                let (a, b) = list[i];
                list.push((a + step.0, b + step.1));
            }
        }
        // The first class is mostly the empty column on both sides: already there.
        let first = self.linked.trailing_zeros();
        if first > 0 {
            let step = step(first);
            for (a, b) in &mut list[..before] {
                (*a, *b) = (*a + step.0, *b + step.1);
            }
        }
        *apart = [apart[0] * self.counts[0], apart[1] * self.counts[1]];
    }
}

/// Puts two nodes into one set, of which `i` is of the block that is being linked and
/// `j` of a block before it.
///
/// A node of the block that stands for itself stands for no other: what is united with
/// it goes by a node of a block before. So it is enough to let it point there.
#[inline(always)]
fn unite(nodes: &mut [u32], i: u32, j: u32) {
    let (at, other) = (nodes[i as usize], nodes[j as usize]);
    if at == i {
        nodes[i as usize] = other;
    } else if at != other {
        unite_slowly(nodes, i, j);
    }
}

/// The same for a run of neighbours, where that is all there is to do: true if no
/// others are left that may not be in one set.
#[inline(always)]
fn join_fresh(nodes: &mut [u32], i: u32, j: u32, run: usize) -> bool {
    let (before, own) = nodes.split_at_mut(i as usize);
    let mut left = 0;
    for (k, (at, &other)) in own[..run].iter_mut().zip(&before[j as usize..][..run]).enumerate() {
        let is_fresh = *at == i + k as u32;
        *at = if is_fresh { other } else { *at };
        left |= *at ^ other;
    }
    left == 0
}

#[inline(never)]
fn unite_slowly(nodes: &mut [u32], i: u32, j: u32) {
    let (a, b) = (find(nodes, i), find(nodes, j));
    let least = a.min(b);
    nodes[a.max(b) as usize] = least;
    nodes[i as usize] = least;
    nodes[j as usize] = least;
}

#[inline]
fn find(nodes: &mut [u32], mut node: u32) -> u32 {
    loop {
        let up = nodes[node as usize];
        if up == node {
            return node;
        }
        let next = nodes[up as usize];
        nodes[node as usize] = next;
        node = next;
    }
}

/// For every row and each of its placements the slides to a lower number.
fn slides(blocks: &Blocks) -> [[Vec<RowSlide>; MAX_PLACEMENTS]; MAX_SIZE] {
    let line = blocks.space().line();
    std::array::from_fn(|row| {
        std::array::from_fn(|digit| {
            let id = (row < blocks.space().size()).then(|| blocks.row(row).get(digit)).flatten();
            let Some(&id) = id else { return Vec::new() };
            let from = line.placement(id).cells;
            let mut found = Vec::new();
            for (at, entered) in blocks.slides(row, digit).filter_map(|mut stops| stops.next()) {
                let freed = from & !line.placement(blocks.row(row)[at]).cells;
                let (freed, entered) = (freed.trailing_zeros() as usize, entered as usize);
                let at_edge = |c: usize| c == 0 || c == blocks.space().size() - 1;
                if at < digit {
                    found.push(RowSlide {
                        row,
                        down: (digit - at) * blocks.stride(row),
                        freed,
                        entered,
                        touches_edge: at_edge(freed) || at_edge(entered),
                    });
                }
            }
            found
        })
    })
}
