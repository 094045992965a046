//! One row signature surveyed: its clusters, and the puzzle of each that is
//! interesting.
//!
//! The distances of the signature are unpacked from a table or searched for
//! (`source`), one byte a board, and its boards sorted into clusters
//! (`partition`). A cluster is
//! *interesting* if one of its hardest boards is minimal, and most are not, so
//! what is cheap and rules out much comes first:
//!
//! 1. the longest distance of each node, by bytewise maxima over strips, and
//!    from it that of each cluster (`clusters`);
//! 2. the hardest boards: only nodes that attain their cluster's longest
//!    distance are looked at (`hardest`). A board at distance 1 or 2 is
//!    minimal only if it has as many vehicles: without any other vehicle the
//!    primary's way would have to be free;
//! 3. without a vertical vehicle a board stays in its block, so its distance is
//!    in memory. Few of the hardest boards need every vertical vehicle;
//! 4. those are looked up without each of their horizontal vehicles, in the table or
//!    in what was searched before (`store`), and without each of their walls in tables
//!    of spaces with fewer walls. What is in none of these is searched for (`removal`);
//! 5. for the clusters that turn out to be interesting, once more over their
//!    boards: the histogram, and which of all hardest boards comes first (`histogram`).

mod classes;
mod clusters;
mod counter;
mod hardest;
mod histogram;
mod layout;
mod minimal;
mod partition;
mod removal;
mod source;
mod store;

use arrayvec::ArrayVec;

use super::difficulty::SolutionProfile;
use super::features::Features;
use super::shortest::Distances;
use super::{Puzzle, Summary};
use crate::board::{Distance, Metric};
use crate::retrograde::MoveTables;
use crate::space::{Blocks, Position, SignatureId, Space};
use crate::table::{Probe, Table, TableError};
use classes::Classes;
use clusters::{Clusters, Rows};
use counter::ClusterCounter;
use hardest::{Board, Hardest};
use histogram::{Histograms, NOT_COUNTED};
use layout::Ground;
use minimal::{Candidate, Without};
use partition::Partition;
use removal::{keep_needing, keep_needing_rows, keep_needing_walls};
use source::Source;

pub use super::shortest::Scratch;
pub use clusters::{Cluster, Family};
pub use source::Searched;
pub(crate) use store::MOST_STORED;
pub use store::Store;

/// A cluster whose puzzle is minimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interesting {
    /// The puzzle: of the hardest boards the first minimal one in board order.
    pub puzzle: Position,
    /// How many boards of the cluster have each distance, from 0 on.
    pub histogram: Vec<u32>,
    /// The family is classic.
    pub classic: bool,
    /// The puzzle is also the first of all hardest boards in board order.
    pub first: bool,
}

/// Surveys signature after signature, for one thread.
pub struct Surveyor<'t> {
    source: Source<'t>,
    /// Tables of spaces that may have fewer walls.
    fewer_walls: Vec<Probe<&'t Table>>,
    classes: Classes,
    without: Without,
    partition: Partition,
    clusters: Clusters,
    hardest: Hardest,
    histograms: Histograms,
    counter: ClusterCounter,
    distances: Vec<u8>,
}

/// One signature after its survey.
pub struct Survey<'s> {
    id: SignatureId,
    /// The signature laid out.
    pub blocks: Blocks<'s>,
    /// The distances in moves of its unsolved boards.
    pub distances: &'s [u8],
    /// Its clusters.
    pub clusters: &'s [Cluster],
    /// The clusters counted.
    pub summary: Summary,
    /// Those that are interesting, in the order of their puzzles' numbers.
    pub interesting: Vec<Interesting>,
    /// The search for the distances, unless a table has them.
    pub searched: Option<Searched>,
}

impl Survey<'_> {
    /// All columns of the puzzle of an interesting cluster.
    pub fn puzzle(&self, cluster: &Interesting, scratch: &mut Scratch) -> Result<Puzzle, TableError> {
        let blocks = &self.blocks;
        let space = blocks.space();
        let board = space.board(&cluster.puzzle);
        let distances = Distances { blocks, bytes: self.distances };
        let shortest = distances.shortest(&board, &cluster.puzzle, scratch)?;
        Ok(Puzzle::from(&Features {
            id: Some(space.id().first_id() + space.first_of(self.id) + blocks.number(&cluster.puzzle)),
            position: Some(cluster.puzzle),
            moves: Distance::of(shortest.solution.len() as u32),
            steps: Distance::of(shortest.steps),
            cluster_boards: cluster.histogram.iter().map(|&count| u64::from(count)).sum(),
            histogram: cluster.histogram.iter().map(|&count| count.into()).collect(),
            optimal_solutions: shortest.solutions.into(),
            optimal_first_moves: shortest.first_moves,
            along: SolutionProfile::of(&board, &shortest.solution),
            forced_moves: shortest.forced,
            different_solutions: shortest.different,
            solution: Some(shortest.solution),
            minimal: true,
            hardest: true,
            puzzle: Some(board.clone()),
            interesting: true,
            classic: cluster.classic,
            rush: cluster.classic && cluster.first,
            board,
        }))
    }
}

impl<'t> Surveyor<'t> {
    /// A surveyor of the boards of a table of moves.
    pub fn new(table: &'t Table) -> Surveyor<'t> {
        Surveyor::with(Source::table(table), table.space())
    }

    /// A surveyor of all boards of a size, whatever their walls, that searches for
    /// the distances and keeps them for the others that share the store.
    ///
    /// # Panics
    /// If the tables count another metric than moves.
    pub fn by_search(tables: &'t MoveTables<'t>, store: &'t Store) -> Surveyor<'t> {
        assert_eq!(tables.metric(), Metric::Moves, "puzzles are hardest in moves");
        Surveyor::with(Source::search(tables, store), tables.space())
    }

    /// Looks boards without a wall up in these tables of moves, where it can, instead of
    /// searching for them.
    pub fn looking_up(self, tables: &'t [Table]) -> Surveyor<'t> {
        Surveyor { fewer_walls: tables.iter().map(Table::probe).collect(), ..self }
    }

    fn with(source: Source<'t>, space: &Space) -> Surveyor<'t> {
        let without = Without::new(space.line());
        Surveyor {
            source,
            fewer_walls: Vec::new(),
            classes: Classes::new(space, &without),
            without,
            partition: Partition::default(),
            clusters: Clusters::default(),
            hardest: Hardest::default(),
            histograms: Histograms::default(),
            counter: ClusterCounter::default(),
            distances: Vec::new(),
        }
    }

    /// Surveys one signature.
    ///
    /// # Panics
    /// If the space is not that of the table, or of another size.
    pub fn survey<'s>(&'s mut self, space: &'s Space, id: SignatureId) -> Result<Survey<'s>, TableError> {
        let blocks = Blocks::new(space, id);
        if !blocks.distances_fit() {
            return Err(TableError::TooLarge { boards: blocks.boards() });
        }
        self.partition.compute(&self.classes, &blocks);
        let searched = self.source.distances(id, &blocks, &mut self.distances)?;
        let ground = Ground {
            classes: &self.classes,
            blocks: &blocks,
            partition: &self.partition,
            distances: &self.distances,
        };
        self.clusters.gather(&ground);
        let rows = Rows::new(&blocks);
        let mut minimal = candidates(&mut self.hardest, &ground, &self.clusters, &rows, &self.without);
        let clusters = self.clusters.list();
        let in_rows = keep_needing_rows(&mut self.source, space, &self.without, clusters, &mut minimal)?;
        let mut unknown = keep_needing_walls(&mut self.fewer_walls, space, &mut minimal)?;
        unknown.extend(in_rows);
        keep_needing(space, &self.without, clusters, &unknown, &mut minimal);
        let interesting = self.interesting(&blocks, &rows, &minimal);
        let clusters = self.clusters.list();
        let summary = self.counter.count(&rows, clusters);
        Ok(Survey { id, blocks, distances: &self.distances, clusters, summary, interesting, searched })
    }

    /// The interesting clusters, given the hardest boards that are minimal.
    fn interesting(&mut self, blocks: &Blocks, rows: &Rows, minimal: &[Candidate]) -> Vec<Interesting> {
        let order = |position: &Position| blocks.space().order(position);
        let clusters = self.clusters.list();
        let mut slots = vec![NOT_COUNTED; clusters.len()];
        let mut puzzles: Vec<(u32, Position, (u64, u64))> = Vec::new();
        for candidate in minimal {
            let found = (candidate.cluster, candidate.position, order(&candidate.position));
            match &mut slots[candidate.cluster as usize] {
                slot @ &mut NOT_COUNTED => {
                    *slot = puzzles.len() as u32;
                    puzzles.push(found);
                }
                slot => {
                    let first = &mut puzzles[*slot as usize];
                    if found.2 < first.2 {
                        *first = found;
                    }
                }
            }
        }
        if puzzles.is_empty() {
            return Vec::new();
        }
        let ground =
            Ground { classes: &self.classes, blocks, partition: &self.partition, distances: &self.distances };
        let mut first = vec![true; puzzles.len()];
        let compare = |slot: usize, board: Board| {
            first[slot] = first[slot] && puzzles[slot].2 <= order(&board.position(blocks));
        };
        let histograms = self.histograms.of_clusters(&ground, clusters, &slots, puzzles.len(), compare);
        let mut interesting: Vec<Interesting> = std::iter::zip(puzzles, histograms)
            .zip(first)
            .map(|(((id, puzzle, _), mut histogram), first)| {
                let cluster = clusters[id as usize];
                // The solved boards are those that have no distance in memory.
                histogram[0] = cluster.boards - histogram.iter().sum::<u32>();
                let histogram = histogram[..=cluster.longest as usize].to_vec();
                Interesting { puzzle, histogram, classic: rows.is_classic(cluster.family), first }
            })
            .collect();
        interesting.sort_by_key(|cluster| blocks.number(&cluster.puzzle));
        interesting
    }
}

/// The hardest boards that need every vertical vehicle.
fn candidates(
    hardest: &mut Hardest,
    ground: &Ground,
    clusters: &Clusters,
    rows: &Rows,
    without: &Without,
) -> Vec<Candidate> {
    let blocks = ground.blocks;
    let promising =
        |cluster: &Cluster| cluster.longest > 2 || rows.has_vehicles(cluster.family, cluster.longest.into());
    let mut candidates = Vec::new();
    // The strip of the last board, and those that its boards are in without a vehicle.
    let (mut last, mut fewer) = (None, ArrayVec::new());
    hardest.of_clusters(ground, clusters, promising, |cluster, board| {
        let Board { h, strip, pair } = board;
        if last != Some((h, strip)) {
            last = Some((h, strip));
            fewer = without.strips(blocks, h, strip);
        }
        let (block, len) = (ground.block(h), blocks.strip_len(h));
        let distance = block[strip * len + pair];
        let of_strip = &block[strip * len..][..len];
        let mut in_edges = ground.edge_pairs(h).without_one(pair).iter();
        if in_edges.all(|&pair| of_strip[pair as usize] != distance)
            && fewer.iter().all(|&strip| block[strip * len + pair] != distance)
        {
            candidates.push(Candidate { position: board.position(blocks), distance, cluster });
        }
    });
    candidates
}
