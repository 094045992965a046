//! A recursive heuristic that is never too high: what every solution needs.
//!
//! In any solution the primary reaches the right edge, so at some time each
//! vehicle in its way has left the cell where it stands in the way. A vehicle
//! that has left a cell was, at that time, far enough left or up, or far
//! enough right or down; and the vehicles that stand where it had to pass have
//! at some time left *those* cells. So a solution decides, for every cell that
//! must be left, for one of two ways, and each decision may bring more cells.
//!
//! A vehicle that goes both ways needs two moves; in steps, as many as it must
//! be away from its place, and the shorter way twice. The heuristic is the least
//! sum over all ways to decide. Real solutions decide in one of these ways, so
//! it is never too high; and if there is no way to decide, there is no solution.
//!
//! The least sum is found by deepening: all decisions of sum n are tried before
//! any of n + 1. Should that take too long, n is the value: it is not too high
//! either.

use super::ways::{position_in, ways_out};
use crate::board::{MAX_VEHICLES, Metric, Square};
use crate::search::{Cell, Scene};

/// Decisions to try before the sum reached so far has to do.
const MOST: u32 = 20_000;

/// The least sum; `None` is proof that there is no solution.
pub(super) fn least(scene: &Scene, metric: Metric) -> Option<u32> {
    if scene.is_solved() {
        return Some(0);
    }
    let primary = scene.primary();
    let mut cells = 0;
    for position in primary.end()..scene.size() as u8 {
        match scene.ahead(primary, position) {
            Cell::Empty => {}
            Cell::Wall => return None,
            Cell::Vehicle(_) => cells |= primary.square(position, scene.size()).bit(),
        }
    }
    let mut needs = Needs { scene, metric, ways: [None; 64], tried: 0, bound: 0, next: 0 };
    let mut ground = Decisions { cells, decided: 0, away: [[0; 2]; MAX_VEHICLES], sum: 0 };
    ground.away[scene.primary_index()][1] = scene.front().cells as u8;
    ground.sum = needs.cost(scene.primary_index(), ground.away[scene.primary_index()]);
    needs.next = ground.sum;
    while needs.next != u32::MAX {
        needs.bound = needs.next;
        needs.next = u32::MAX;
        if needs.decide(&ground) || needs.tried > MOST {
            return Some(needs.bound);
        }
    }
    None
}

/// Both ways out of a cell, if there are any.
type Ways = [Option<Out>; 2];

#[derive(Clone, Copy)]
struct Out {
    /// How far away the vehicle must be.
    far: u8,
    /// The taken cells that it enters.
    cells: u64,
}

struct Needs<'s> {
    scene: &'s Scene,
    metric: Metric,
    /// By cell, as far as they were asked for.
    ways: [Option<Ways>; 64],
    tried: u32,
    /// The highest sum of this round, and the least one beyond it.
    bound: u32,
    next: u32,
}

#[derive(Clone)]
struct Decisions {
    /// All cells that must be left.
    cells: u64,
    /// Those of them that are decided.
    decided: u64,
    /// How far each vehicle must be from its place at some time, both ways.
    away: [[u8; 2]; MAX_VEHICLES],
    sum: u32,
}

impl Needs<'_> {
    /// Can all cells be left for no more than the bound?
    fn decide(&mut self, so_far: &Decisions) -> bool {
        let open = so_far.cells & !so_far.decided;
        if open == 0 {
            return true;
        }
        self.tried += 1;
        if self.tried > MOST {
            return false;
        }
        let cell = open.trailing_zeros() as usize;
        let Cell::Vehicle(index) = self.scene.at(Square::new(cell)) else {
            unreachable!("only vehicles have to leave")
        };
        let ways = self.ways_out_of(cell, index);
        let mut decisions = so_far.clone();
        decisions.decided |= 1 << cell;
        // Far enough away already: decided for nothing.
        let is_free = |(way, away): (&Option<Out>, u8)| way.is_some_and(|way| way.far <= away);
        if ways.iter().zip(so_far.away[index]).any(is_free) {
            return self.decide(&decisions);
        }
        for (direction, way) in ways.iter().enumerate() {
            let Some(way) = way else { continue };
            let mut away = so_far.away[index];
            away[direction] = way.far;
            let sum = so_far.sum - self.cost(index, so_far.away[index]) + self.cost(index, away);
            if sum > self.bound {
                self.next = self.next.min(sum);
                continue;
            }
            decisions.cells = so_far.cells | way.cells;
            decisions.away[index] = away;
            decisions.sum = sum;
            if self.decide(&decisions) {
                return true;
            }
        }
        false
    }

    /// What a vehicle takes that must be so far away at some time.
    fn cost(&self, index: usize, [back, on]: [u8; 2]) -> u32 {
        let is_primary = index == self.scene.primary_index();
        match self.metric {
            Metric::Moves => u32::from(back > 0) + u32::from(on > 0),
            // It ends on the right.
            Metric::Steps if is_primary => 2 * u32::from(back) + u32::from(on),
            Metric::Steps => u32::from(back) + u32::from(on) + u32::from(back.min(on)),
        }
    }

    fn ways_out_of(&mut self, cell: usize, index: usize) -> Ways {
        if let Some(ways) = self.ways[cell] {
            return ways;
        }
        let (scene, vehicle) = (self.scene, &self.scene.vehicles()[index]);
        let position = position_in(vehicle, Square::new(cell), scene.size());
        let mut ways = [None; 2];
        for way in ways_out(scene, vehicle, position) {
            let is_taken = |&position: &u8| matches!(scene.ahead(vehicle, position), Cell::Vehicle(_));
            let taken = way.cells().filter(is_taken);
            let cells = taken.fold(0, |cells, position| cells | vehicle.square(position, scene.size()).bit());
            ways[usize::from(way.forward)] = Some(Out { far: way.far, cells });
        }
        self.ways[cell] = Some(ways);
        ways
    }
}
