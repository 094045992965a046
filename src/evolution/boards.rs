//! Hard boards, bred where no table can list them.
//!
//! A board is changed at random (a vehicle added, taken away, moved, made longer
//! or shorter), or put together of two, and then replaced by the farthest board
//! of its cluster. So evolution goes from cluster to cluster, and what counts is
//! how hard the hardest board of each is.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::board::{Axis, Board, MAX_VEHICLES, Metric, Vehicle, nth_letter};
use crate::cluster::{Bounds, Cluster};
use crate::domains::rush_hour::Traffic;
use crate::progress::{Count, Observer};
use crate::random::Chance;
use crate::search::{Algorithm, Blind, Limits, run};

/// The blind search of [`HardBoardSearch::nodes`].
pub const BLIND: &str = "ida-tt";

/// How hard boards are bred.
#[derive(Clone, PartialEq, Debug)]
pub struct HardBoardSearch {
    /// Rows of the boards.
    pub size: usize,
    /// What a distance counts.
    pub metric: Metric,
    /// A board is hard if a blind search takes many nodes, up to this many; if nothing is
    /// said, if it is far from the exit.
    pub nodes: Option<u64>,
    /// Boards that go on to the next generation.
    pub population: usize,
    /// Generations, the first included.
    pub generations: u64,
    /// The most boards of a cluster: a larger one is not looked at.
    pub limit: usize,
    /// Decides everything.
    pub seed: u64,
}

/// A hard board.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct HardBoard {
    /// The first of the farthest boards of its cluster.
    pub board: Board,
    /// Its exact distance.
    pub distance: u32,
    /// Boards of its cluster.
    pub cluster: u64,
    /// Nodes of a blind search, if it was asked for.
    pub nodes: Option<u64>,
}

/// What came of a hunt.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct HardBoards {
    /// The hardest boards, the hardest first; no two of one family.
    pub boards: Vec<HardBoard>,
    /// Generations that were done.
    pub generations: u64,
    /// Clusters that were explored.
    pub clusters: u64,
}

/// Of a generation, so many parts in ten are new boards.
const NEW: usize = 1;
/// How many are drawn when a parent is chosen.
const TOURNAMENT: usize = 3;

impl HardBoardSearch {
    /// Breeds hard boards. Once the observer wants to stop, what was found so
    /// far is the result.
    pub fn run(&self, observer: &dyn Observer) -> HardBoards {
        let done = Count::new(observer, "generations", self.generations);
        let mut bag = HardBoards { boards: Vec::new(), generations: 0, clusters: 0 };
        for generation in 0..self.generations {
            let children: Vec<Option<HardBoard>> = (0..self.population)
                .into_par_iter()
                .map(|index| {
                    let mut chance = Chance::of(&[self.seed, generation, index as u64]);
                    let board = self.child(index, &bag.boards, &mut chance);
                    if observer.wants_stop() { None } else { self.judge(&board, observer) }
                })
                .collect();
            if observer.wants_stop() {
                break;
            }
            bag.clusters += children.len() as u64;
            bag.boards.extend(children.into_iter().flatten());
            self.keep_the_best(&mut bag.boards);
            bag.generations += 1;
            done.add(1);
        }
        bag
    }

    /// Sorts, and keeps one board of a family.
    fn keep_the_best(&self, boards: &mut Vec<HardBoard>) {
        boards.sort_by_cached_key(|hard| {
            let hardness = hard.nodes.unwrap_or(hard.distance.into());
            (u64::MAX - hardness, hard.board.vehicles().len(), hard.board.order())
        });
        let mut families = FxHashSet::default();
        boards.retain(|hard| families.insert(hard.board.family()));
        boards.truncate(self.population);
    }

    fn child(&self, index: usize, parents: &[HardBoard], chance: &mut Chance) -> Board {
        if parents.is_empty() || index < self.population * NEW / 10 {
            return self.random(chance);
        }
        // They stand hardest first.
        let pick = |chance: &mut Chance| {
            let place = (0..TOURNAMENT).map(|_| chance.below(parents.len())).min().unwrap_or(0);
            &parents[place].board
        };
        let mut vehicles = Vehicles::of(pick(chance));
        if chance.happens(0.2) {
            vehicles.mix(pick(chance), chance);
        }
        for _ in 0..1 + chance.below(3) {
            vehicles.change(chance);
        }
        vehicles.board()
    }

    fn random(&self, chance: &mut Chance) -> Board {
        let row = (self.size - 1) / 2;
        let primary = Vehicle {
            letter: 'A',
            axis: Axis::Horizontal,
            line: row as u8,
            start: chance.below(self.size - 2) as u8,
            len: 2,
        };
        let mut vehicles = Vehicles { size: self.size, walls: 0, list: vec![primary] };
        let wanted = self.size + chance.below(self.size);
        for _ in 0..wanted {
            vehicles.add(chance);
        }
        vehicles.board()
    }

    /// The farthest board of a cluster, if it is small enough and can be solved.
    fn judge(&self, board: &Board, observer: &dyn Observer) -> Option<HardBoard> {
        let bounds = Bounds { observer, ..Bounds::from(self.limit) };
        let cluster = Cluster::explore(board, self.metric, bounds).ok()?;
        let distance = cluster.depth().known()?;
        let board = cluster.hardest().into_iter().next()?;
        let nodes = self.nodes.map(|most| blind_nodes(&board, self.metric, most));
        Some(HardBoard { board: relettered(&board), distance, cluster: cluster.len() as u64, nodes })
    }
}

/// The nodes that a blind search of a board takes, up to a limit.
pub fn blind_nodes(board: &Board, metric: Metric, most: u64) -> u64 {
    let algorithm: Algorithm = BLIND.parse().expect("it is one");
    let traffic = Traffic::new(board, metric);
    let limits = Limits { nodes: Some(most), without_distinct: true, ..Limits::default() };
    let Ok(report) = run(algorithm, &traffic, traffic.start(), &mut Blind, &limits);
    report.counts.generated
}

/// The same board with letters in reading order; the primary is A.
fn relettered(board: &Board) -> Board {
    let mut vehicles = Vehicles::of(board);
    let size = board.size();
    vehicles.list[1..].sort_by_key(|vehicle| vehicle.square(vehicle.start, size).index());
    vehicles.board()
}

/// The vehicles of a board, the primary first.
struct Vehicles {
    size: usize,
    walls: u64,
    list: Vec<Vehicle>,
}

impl Vehicles {
    fn of(board: &Board) -> Vehicles {
        let mut list = board.vehicles().to_vec();
        list.swap(0, board.primary_index());
        Vehicles { size: board.size(), walls: board.walls(), list }
    }

    fn board(&self) -> Board {
        let vehicles = self.list.iter().enumerate().map(|(index, vehicle)| {
            let letter = nth_letter(index);
            Vehicle { letter, ..*vehicle }
        });
        Board::from_parts(self.size, self.walls, vehicles, 0).expect("nothing is put where something is")
    }

    fn taken(&self) -> u64 {
        self.list.iter().fold(self.walls, |cells, vehicle| cells | vehicle.cells(self.size))
    }

    /// Puts a vehicle where there is room for it. None stands in the
    /// primary's row: it could never leave, or only be in the way on the left.
    fn put(&mut self, vehicle: Vehicle) -> bool {
        let is_beside = vehicle.axis == Axis::Horizontal && vehicle.line == self.list[0].line;
        let has_room = self.list.len() < MAX_VEHICLES && usize::from(vehicle.end()) <= self.size;
        let fits = has_room && !is_beside && vehicle.cells(self.size) & self.taken() == 0;
        if fits {
            self.list.push(vehicle);
        }
        fits
    }

    /// Adds a car or a truck where there is room; gives up after some tries.
    fn add(&mut self, chance: &mut Chance) {
        for _ in 0..20 {
            let axis = if chance.happens(0.5) { Axis::Vertical } else { Axis::Horizontal };
            let len = if chance.happens(0.35) { 3 } else { 2 };
            let line = chance.below(self.size) as u8;
            let start = chance.below(self.size - usize::from(len) + 1) as u8;
            if self.put(Vehicle { letter: 'A', axis, line, start, len }) {
                return;
            }
        }
    }

    fn change(&mut self, chance: &mut Chance) {
        let others = self.list.len() - 1;
        match chance.below(4) {
            0 => self.add(chance),
            1 if others > 0 => {
                self.list.remove(1 + chance.below(others));
            }
            2 if others > 0 => {
                self.list.remove(1 + chance.below(others));
                self.add(chance);
            }
            3 if others > 0 => {
                let old = self.list.remove(1 + chance.below(others));
                let new = Vehicle { len: 5 - old.len.clamp(2, 3), ..old };
                let before = Vehicle { start: new.start.saturating_sub(1), ..new };
                if !self.put(new) && !self.put(before) {
                    self.put(old);
                }
            }
            _ => self.add(chance),
        }
    }

    /// Takes the vehicles of another board in some columns and rows, where there
    /// is room once our own there are gone.
    fn mix(&mut self, other: &Board, chance: &mut Chance) {
        let cut = chance.below(2 * self.size);
        let line = |vehicle: &Vehicle| {
            usize::from(vehicle.line) + if vehicle.axis == Axis::Vertical { self.size } else { 0 }
        };
        let is_theirs = |vehicle: &Vehicle| line(vehicle) >= cut;
        let primary = self.list[0];
        let theirs: Vec<Vehicle> = Vehicles::of(other).list[1..].iter().copied().filter(is_theirs).collect();
        let ours: Vec<Vehicle> =
            self.list[1..].iter().copied().filter(|vehicle| !is_theirs(vehicle)).collect();
        self.list = vec![primary];
        for vehicle in ours.into_iter().chain(theirs) {
            self.put(vehicle);
        }
    }
}
