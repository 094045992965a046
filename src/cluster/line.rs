//! One row or column: its vehicles, and what they can do there.
//!
//! The vehicles of a line keep their order for ever, so the line is always in
//! one of a few placements: at most C(6,2) = 15 of them, two cars in a line
//! of 8. Four bits hold the placement, and 16 bits a set of placements.
//!
//! What vehicles of the same lengths can do from the same places between the same
//! walls is the same in every line of every board: their *shape*. Whoever looks at many
//! boards keeps the shapes it has met.

use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use crate::board::{Axis, Metric, Move, Vehicle};

/// At most four vehicles fit in a line of 8.
const MAX_IN_LINE: usize = 4;
/// More than any line has.
pub(crate) const MAX_PLACEMENTS: usize = 15;

/// A line of a board.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub axis: Axis,
    pub index: u8,
    /// Board indices of the vehicles, from the left or top.
    pub vehicles: ArrayVec<u8, MAX_IN_LINE>,
    pub shape: Arc<Shape>,
}

impl Line {
    /// The line of these vehicles (from the left or top, with their board
    /// indices), in which walls stand at the `walls` bits.
    pub fn new(
        shapes: &mut Shapes,
        (axis, index): (Axis, u8),
        size: u8,
        walls: u8,
        vehicles: &[(u8, Vehicle)],
    ) -> Line {
        let stand = vehicles.iter().map(|(_, vehicle)| (vehicle.start, vehicle.len)).collect();
        let vehicles = vehicles.iter().map(|(index, _)| *index).collect();
        Line { axis, index, vehicles, shape: shapes.of(size, walls, stand) }
    }

    /// The one slide that leads from a placement to another, if there is one.
    pub fn slide(&self, from: usize, to: usize) -> Option<Slide> {
        let slide = self.shape.slide(from, to)?;
        Some(Slide { vehicle: self.vehicles[usize::from(slide.vehicle)], ..slide })
    }

    /// What a placement covers, in lanes of a byte for each crossing line.
    pub fn cover(&self, placement: usize) -> u64 {
        self.shape.placements[placement].lanes << self.index
    }
}

/// The shapes that were met.
#[derive(Debug, Default)]
pub(crate) struct Shapes(FxHashMap<u64, Arc<Shape>>);

impl Shapes {
    /// The shape of vehicles of which start and length are given, from the left or top.
    /// The placement where they stand is its first.
    fn of(&mut self, size: u8, walls: u8, vehicles: ArrayVec<(u8, u8), MAX_IN_LINE>) -> Arc<Shape> {
        // The size is not 0, so keys of more vehicles are larger than any of fewer.
        let first = u64::from(size) << 8 | u64::from(walls);
        let key = vehicles.iter().fold(first, |key, &(start, len)| key << 8 | u64::from(start << 4 | len));
        self.0.entry(key).or_insert_with(|| Arc::new(Shape::new(size, walls, vehicles))).clone()
    }
}

/// All placements of the vehicles of a line that slides within the line can reach.
#[derive(Debug)]
pub(crate) struct Shape {
    pub placements: ArrayVec<Placement, MAX_PLACEMENTS>,
    /// All slides, with the placements they lead from and to. The vehicles are those
    /// of the line, from 0.
    pub slides: Vec<(usize, usize, Slide)>,
    lengths: ArrayVec<u8, MAX_IN_LINE>,
    walls: u8,
    size: u8,
    /// By metric, once they were asked for.
    targets: [OnceLock<Vec<u16>>; 2],
}

/// One way to put the vehicles into the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    pub starts: ArrayVec<u8, MAX_IN_LINE>,
    /// Covered cells, one bit each.
    pub cells: u8,
    /// The same in the first of the lanes of a byte for each crossing line.
    lanes: u64,
}

/// A single slide from one placement to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    /// Its board index; in a shape its place in the line.
    pub vehicle: u8,
    /// Where the vehicle stood.
    pub start: u8,
    pub delta: i8,
    /// Cells that were not covered and are passed or covered by the slide.
    pub entered: u8,
    /// Cells that are left free but were covered or passed by the slide.
    pub left: u8,
}

impl Slide {
    pub fn mv(&self) -> Move {
        Move { vehicle: self.vehicle, delta: self.delta }
    }
}

impl Shape {
    fn new(size: u8, walls: u8, vehicles: ArrayVec<(u8, u8), MAX_IN_LINE>) -> Shape {
        let lengths = vehicles.iter().map(|(_, len)| *len).collect();
        let mut shape = Shape {
            placements: ArrayVec::new(),
            slides: Vec::new(),
            lengths,
            walls,
            size,
            targets: Default::default(),
        };
        shape.reach(vehicles.iter().map(|(start, _)| *start).collect());
        shape.slides = shape.all_slides();
        shape
    }

    /// Start and length of every vehicle in a placement, in order.
    pub fn vehicles_at(&self, placement: &Placement) -> impl Iterator<Item = (u8, u8)> {
        placement.starts.iter().copied().zip(self.lengths.iter().copied())
    }

    /// The index of the placement with these starts.
    pub fn find(&self, starts: &[u8]) -> Option<usize> {
        self.placements.iter().position(|p| *p.starts == *starts)
    }

    /// The one slide that leads from a placement to another, if there is one.
    fn slide(&self, from: usize, to: usize) -> Option<Slide> {
        let (old, new) = (&self.placements[from], &self.placements[to]);
        let mut moved = (0..self.lengths.len()).filter(|&v| old.starts[v] != new.starts[v]);
        let vehicle = moved.next()?;
        if moved.next().is_some() {
            return None;
        }
        let (a, b, len) = (old.starts[vehicle], new.starts[vehicle], self.lengths[vehicle]);
        let before = run(a, len);
        let after = run(b, len);
        let swept = run(a.min(b), a.abs_diff(b) + len);
        let others = old.cells & !before;
        if swept & (others | self.walls) != 0 {
            return None;
        }
        Some(Slide {
            vehicle: vehicle as u8,
            start: a,
            delta: b as i8 - a as i8,
            entered: swept & !before,
            left: swept & !after,
        })
    }

    fn all_slides(&self) -> Vec<(usize, usize, Slide)> {
        let all = 0..self.placements.len();
        let pairs = all.clone().flat_map(|from| all.clone().map(move |to| (from, to)));
        pairs.filter_map(|(from, to)| Some((from, to, self.slide(from, to)?))).collect()
    }

    /// Sets of placements one slide away, for each placement and each set of
    /// cells that other lines cover: entry `placement << size | covered`.
    pub fn targets(&self, metric: Metric) -> &[u16] {
        self.targets[metric as usize].get_or_init(|| self.new_targets(metric))
    }

    fn new_targets(&self, metric: Metric) -> Vec<u16> {
        let mut table = vec![0u16; self.placements.len() << self.size];
        for of_placement in self.slides.chunk_by(|a, b| a.0 == b.0) {
            let from = of_placement[0].0;
            let row = &mut table[from << self.size..(from + 1) << self.size];
            // What stays possible when one single cell is covered.
            let mut spared = [0u16; 8];
            for (_, to, slide) in of_placement {
                if metric == Metric::Steps && slide.delta.abs() != 1 {
                    continue;
                }
                row[0] |= 1 << to;
                for (cell, spared) in spared.iter_mut().enumerate() {
                    *spared |= u16::from(slide.entered >> cell & 1 == 0) << to;
                }
            }
            // One more cell at a time: what stays possible with it covered as well.
            for (cell, spared) in spared[..usize::from(self.size)].iter().enumerate() {
                let (without, with) = row[..2 << cell].split_at_mut(1 << cell);
                with.iter_mut().zip(without).for_each(|(with, without)| *with = *without & spared);
            }
        }
        table
    }

    /// Collects every placement that slides within the line can reach.
    fn reach(&mut self, starts: ArrayVec<u8, MAX_IN_LINE>) {
        self.add(starts);
        let mut next = 0;
        while next < self.placements.len() {
            for vehicle in 0..self.lengths.len() {
                for forward in [false, true] {
                    let mut starts = self.placements[next].starts.clone();
                    let start = starts[vehicle];
                    starts[vehicle] = if forward { start + 1 } else { start.wrapping_sub(1) };
                    if self.fits(&starts) && self.find(&starts).is_none() {
                        self.add(starts);
                    }
                }
            }
            next += 1;
        }
    }

    fn fits(&self, starts: &[u8]) -> bool {
        let mut free_from = 0;
        starts.iter().zip(&self.lengths).all(|(&start, &len)| {
            let fits = start >= free_from && start <= self.size - len && run(start, len) & self.walls == 0;
            free_from = start.saturating_add(len);
            fits
        })
    }

    fn add(&mut self, starts: ArrayVec<u8, MAX_IN_LINE>) {
        let cells = starts.iter().zip(&self.lengths).fold(0, |cells, (&start, &len)| cells | run(start, len));
        let lanes = (0..8).fold(0, |lanes, place| lanes | u64::from(cells >> place & 1) << (8 * place));
        self.placements.push(Placement { starts, cells, lanes });
    }
}

/// The bits of `len` cells from `start`.
fn run(start: u8, len: u8) -> u8 {
    (((1u16 << len) - 1) << start) as u8
}
