//! What is known of each cluster of a signature: boards, family, longest
//! distance.

use arrayvec::ArrayVec;

use super::classes::Classes;
use super::layout::{Ground, Layout, count_strips};
use crate::board::Distance;
use crate::memory::{empty, make_room};
use crate::space::line::{KindId, Line, MAX_KINDS};
use crate::space::{Blocks, MAX_SIZE};

/// One cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster {
    /// Its boards.
    pub boards: u32,
    /// Its family, within the signature.
    pub family: Family,
    /// The [byte](Distance::byte) of the longest distance of its boards.
    pub longest: u8,
}

impl Cluster {
    /// Has a solved board, and so all its boards have a distance.
    pub fn is_solvable(&self) -> bool {
        Distance::from_byte(self.longest).is_solvable()
    }
}

/// The kinds of the columns, four bits each, the first column lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Family(u32);

/// Bits of a kind in a [`Family`].
const KIND_BITS: usize = 4;
const _: () = assert!(MAX_KINDS <= 1 << KIND_BITS && KIND_BITS * MAX_SIZE <= 32, "a family fits");
const _: () = assert!(MAX_KINDS.pow(2) <= 1 << 8 && MAX_KINDS.pow(4) <= 1 << 16, "and so does its number");

impl Family {
    /// The kinds of the columns of a board of this size.
    pub fn kinds(self, size: usize) -> impl Iterator<Item = KindId> + Clone {
        (0..size).map(move |c| (self.0 >> (KIND_BITS * c)) as KindId % (1 << KIND_BITS))
    }
}

/// The kinds of the rows of a signature, and what follows from them.
#[derive(Debug)]
pub struct Rows {
    size: usize,
    /// How many vehicles they have.
    vehicles: usize,
    classic: bool,
    /// How many kinds a line may have, how many vehicles each has, and whether they fill
    /// a column.
    kinds: usize,
    vehicles_of_kind: [u8; MAX_KINDS],
    fills: [bool; MAX_KINDS],
}

impl Rows {
    /// The rows of these blocks.
    pub fn new(blocks: &Blocks) -> Rows {
        let (space, line) = (blocks.space(), blocks.space().line());
        let kinds: ArrayVec<KindId, MAX_SIZE> =
            (0..space.size()).map(|row| line.placement(blocks.row(row)[0]).kind).collect();
        let mut vehicles_of_kind = [0; MAX_KINDS];
        let mut fills = [false; MAX_KINDS];
        for (kind, vehicles) in line.kinds().iter().enumerate() {
            vehicles_of_kind[kind] = vehicles.len() as u8;
            fills[kind] = is_full(line, kind as KindId, 0);
        }
        let vehicles = kinds.iter().map(|&kind| usize::from(vehicles_of_kind[kind as usize])).sum();
        let alone = vehicles_of_kind[kinds[space.primary_row()] as usize] == 1;
        let walls = |row: usize| {
            let of_row = space.id().wall_cells().filter(|cell| cell.row(space.size()) == row);
            of_row.count()
        };
        let classic = alone && kinds.iter().enumerate().all(|(row, &kind)| !is_full(line, kind, walls(row)));
        Rows { size: space.size(), vehicles, classic, kinds: line.kinds().len(), vehicles_of_kind, fills }
    }

    /// Whether a family is classic: the primary is the only vehicle in its row
    /// and no line is completely full. Walls help to fill a row, not a column.
    pub fn is_classic(&self, family: Family) -> bool {
        self.classic && family.kinds(self.size).all(|kind| !self.fills[kind as usize])
    }

    /// The number of a family among all that boards of the size may have: its kinds are
    /// the digits, the first column's the lowest.
    #[inline]
    pub fn number(&self, family: Family) -> u32 {
        // Neighbouring digits become one, then those; all at once, since there are 250
        // million clusters.
        let kinds = self.kinds as u32;
        let twos = (family.0 & 0x0F0F_0F0F) + kinds * (family.0 >> 4 & 0x0F0F_0F0F);
        let fours = (twos & 0x00FF_00FF) + kinds.pow(2) * (twos >> 8 & 0x00FF_00FF);
        (fours & 0xFFFF) + kinds.pow(4) * (fours >> 16)
    }

    /// How many families boards of the size may have: 262,144 on 6×6, 19,487,171 on
    /// 7×7.
    pub fn families(&self) -> usize {
        self.kinds.pow(self.size as u32)
    }

    /// Whether the boards of a family have just so many vehicles.
    #[inline]
    pub fn has_vehicles(&self, family: Family, count: usize) -> bool {
        let of_kind = |kind| usize::from(self.vehicles_of_kind[kind as usize]);
        // Whoever asks about few has mostly more of them in the rows.
        self.vehicles <= count && self.vehicles + family.kinds(self.size).map(of_kind).sum::<usize>() == count
    }
}

fn is_full(line: &Line, kind: KindId, walls: usize) -> bool {
    line.kinds()[kind as usize].iter().map(|&len| len as usize).sum::<usize>() + walls == line.cells()
}

/// The clusters of a signature, and the longest distance of each node.
#[derive(Debug, Default)]
pub struct Clusters {
    list: Vec<Cluster>,
    node_longest: Vec<u8>,
    layout: Layout,
    /// Of one block: by combination how many strips it has, and for every edge pair the
    /// longest distance of these.
    strips: Vec<u32>,
    longest: Vec<u8>,
    /// Of one block: the kinds of the middle columns by combination, and those of the
    /// edge columns by pair of classes, as in a [`Family`].
    middle_kinds: Vec<u32>,
    edge_kinds: Vec<u32>,
}

impl Clusters {
    /// Gathers the clusters of a signature.
    pub fn gather(&mut self, ground: &Ground) {
        let Ground { classes, blocks, partition, .. } = *ground;
        self.measure_nodes(ground);
        empty(&mut self.list);
        for h in 0..blocks.len() {
            count_strips(classes, blocks, h, &mut self.strips);
            let space = blocks.space();
            kinds_of(classes, blocks, h, space.middle_columns().rev(), &mut self.middle_kinds);
            kinds_of(classes, blocks, h, [space.size() - 1, 0].into_iter(), &mut self.edge_kinds);
            let edge_boards = ground.edge_boards(h);
            let edges = edge_boards.len();
            let ids = partition.of_block(h).chunks_exact(edges);
            let longest = self.node_longest[partition.nodes_of(h)].chunks_exact(edges);
            for (m, ((ids, longest), &strips)) in ids.zip(longest).zip(&self.strips).enumerate() {
                for (e, ((&id, &longest), &boards)) in ids.iter().zip(longest).zip(&edge_boards).enumerate() {
                    // Clusters are numbered in the order of their first nodes.
                    if id as usize == self.list.len() {
                        let family = Family(self.middle_kinds[m] | self.edge_kinds[e]);
                        self.list.push(Cluster { boards: 0, family, longest: 0 });
                    }
                    let cluster = &mut self.list[id as usize];
                    cluster.boards = cluster.boards.wrapping_add(strips.wrapping_mul(boards));
                    cluster.longest = cluster.longest.max(longest);
                }
            }
        }
        // Only on 7×7 a signature has boards enough for a cluster to overflow.
        if blocks.boards() > u64::from(u32::MAX) {
            let boards: u64 = self.list.iter().map(|cluster| u64::from(cluster.boards)).sum();
            assert_eq!(boards, blocks.boards(), "the boards of a cluster fit 32 bits");
        }
    }

    fn measure_nodes(&mut self, ground: &Ground) {
        let Ground { classes, blocks, partition, .. } = *ground;
        empty(&mut self.node_longest);
        make_room(&mut self.node_longest, partition.nodes());
        self.node_longest.resize(partition.nodes(), 0);
        for h in 0..blocks.unsolved() {
            let len = blocks.strip_len(h);
            self.layout.of_block(classes, blocks, h);
            self.longest.clear();
            self.longest.resize(self.layout.combinations * len, 0);
            for (strip, &combination) in ground.block(h).chunks_exact(len).zip(&self.layout.combination) {
                let longest = &mut self.longest[combination as usize * len..][..len];
                for (longest, &d) in longest.iter_mut().zip(strip) {
                    *longest = d.max(*longest);
                }
            }
            let pairs = ground.edge_pairs(h);
            let edges = ground.edge_classes(h);
            let nodes = &mut self.node_longest[partition.nodes_of(h)];
            // Class by class, because the loop is the same for all combinations then.
            for class in 0..edges {
                let strips = self.longest.chunks_exact(len);
                let nodes = nodes[class..].iter_mut().step_by(edges).zip(strips);
                match *pairs.of_class(class) {
                    [a] => nodes.for_each(|(node, strip)| *node = longest([a], strip)),
                    [a, b] => nodes.for_each(|(node, strip)| *node = longest([a, b], strip)),
                    [a, b, c] => nodes.for_each(|(node, strip)| *node = longest([a, b, c], strip)),
                    [a, b, c, d] => nodes.for_each(|(node, strip)| *node = longest([a, b, c, d], strip)),
                    ref pairs => {
                        let pairs = || pairs.iter().copied();
                        nodes.for_each(|(node, strip)| *node = longest(pairs(), strip));
                    }
                }
            }
        }
    }

    /// The clusters, by number.
    pub fn list(&self) -> &[Cluster] {
        &self.list
    }

    /// The longest distance of each node; 0 for nodes of solved boards.
    #[inline]
    pub fn node_longest(&self) -> &[u8] {
        &self.node_longest
    }
}

/// The longest distance of some edge pairs of a strip.
#[inline(always)]
fn longest(pairs: impl IntoIterator<Item = u16>, strip: &[u8]) -> u8 {
    pairs.into_iter().fold(0, |longest, pair| longest.max(strip[pair as usize]))
}

/// The kinds of some columns of block `h`, as in a [`Family`], for each choice of their
/// classes, that of the first column changing fastest.
fn kinds_of(
    classes: &Classes,
    blocks: &Blocks,
    h: usize,
    columns: impl Iterator<Item = usize>,
    list: &mut Vec<u32>,
) {
    list.clear();
    list.push(0);
    for c in columns {
        let column = classes.column(blocks.mask(h, c));
        let before = list.len();
        // The first class is the empty column, whose kind is 0: already there.
        for &kind in &column.kinds[1..column.count as usize] {
            let kind = u32::from(kind) << (KIND_BITS * c);
            for i in 0..before {
                list.push(list[i] | kind);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{SignatureId, Space};

    #[test]
    fn the_number_of_a_family_has_its_kinds_as_digits() {
        for size in [4, 6, 7] {
            let space = Space::of_size(size).expect("tabulated");
            let rows = Rows::new(&Blocks::new(&space, SignatureId(0)));
            let kinds = space.line().kinds().len() as u32;
            for number in (0..rows.families() as u32).step_by(if size < 7 { 1 } else { 1_009 }) {
                let digits =
                    (0..size as u32).map(|c| (number / kinds.pow(c) % kinds) << (KIND_BITS as u32 * c));
                let family = Family(digits.sum());
                assert_eq!(rows.number(family), number, "{family:?} of {size}×{size}");
            }
        }
    }
}
