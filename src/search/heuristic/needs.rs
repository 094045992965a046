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

use arrayvec::ArrayVec;

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
    let front = scene.front();
    let mut cells = 0;
    for position in primary.end()..scene.size() as u8 {
        match scene.ahead(primary, position) {
            Cell::Empty => {}
            Cell::Wall => return None,
            Cell::Vehicle(_) => cells |= primary.square(position, scene.size()).bit(),
        }
    }
    let mut needs =
        Needs { scene, metric, numbers: [UNKNOWN; 64], ways: ArrayVec::new(), tried: 0, bound: 0, next: 0 };
    let mut ground = Decisions { cells, decided: 0, away: [[0; 2]; MAX_VEHICLES], sum: 0 };
    ground.away[scene.primary_index()][1] = front.cells as u8;
    ground.sum = needs.cost(scene.primary_index(), ground.away[scene.primary_index()]);
    // Every blocker has to go, so less will not do.
    needs.next = ground.sum + front.blockers;
    while needs.next != u32::MAX {
        needs.bound = needs.next;
        needs.next = u32::MAX;
        if needs.decide(ground.clone()) || needs.tried > MOST {
            return Some(needs.bound);
        }
    }
    None
}

/// The ways of a cell that was not asked for yet.
const UNKNOWN: u8 = u8::MAX;

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
    /// By cell, where in the list below its ways are.
    numbers: [u8; 64],
    /// Of the cells that were asked for.
    ways: ArrayVec<Ways, 64>,
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

/// What can be done about a cell.
enum Choices {
    /// The vehicle must be far enough away anyway.
    Free,
    None,
    One(Choice),
    Two(Choice, Choice),
}

struct Choice {
    index: usize,
    away: [u8; 2],
    /// That must be left as well.
    cells: u64,
    sum: u32,
}

impl Decisions {
    fn take(&mut self, cell: usize, choice: &Choice) {
        self.decided |= 1 << cell;
        self.cells |= choice.cells;
        self.away[choice.index] = choice.away;
        self.sum = choice.sum;
    }
}

impl Needs<'_> {
    /// Can all cells be left for no more than the bound?
    fn decide(&mut self, mut so_far: Decisions) -> bool {
        self.tried += 1;
        if self.tried > MOST {
            return false;
        }
        // What has to be decided in one way comes first, again and again.
        let undecided = loop {
            let open = so_far.cells & !so_far.decided;
            let mut undecided = None;
            let mut rest = open;
            while rest != 0 {
                let cell = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                match self.choices(&so_far, cell) {
                    Choices::Free => so_far.decided |= 1 << cell,
                    Choices::None => return false,
                    Choices::One(choice) => so_far.take(cell, &choice),
                    Choices::Two(a, b) => undecided = undecided.or(Some((cell, a, b))),
                }
            }
            match undecided {
                None if so_far.cells & !so_far.decided == 0 => return true,
                Some(undecided) if so_far.cells & !so_far.decided == open => break undecided,
                _ => {}
            }
        };
        let (cell, first, second) = undecided;
        let mut other = so_far.clone();
        so_far.take(cell, &first);
        if self.decide(so_far) {
            return true;
        }
        other.take(cell, &second);
        self.decide(other)
    }

    /// The ways to leave a cell that do not cost too much.
    fn choices(&mut self, so_far: &Decisions, cell: usize) -> Choices {
        let Cell::Vehicle(index) = self.scene.at(Square::new(cell)) else {
            unreachable!("only vehicles have to leave")
        };
        let before = so_far.away[index];
        let mut choices = Choices::None;
        for (direction, way) in self.ways_out_of(cell, index).into_iter().enumerate() {
            let Some(way) = way else { continue };
            if way.far <= before[direction] {
                return Choices::Free;
            }
            let mut away = before;
            away[direction] = way.far;
            let sum = so_far.sum - self.cost(index, before) + self.cost(index, away);
            if sum > self.bound {
                self.next = self.next.min(sum);
                continue;
            }
            let choice = Choice { index, away, cells: way.cells, sum };
            choices = match choices {
                Choices::None => Choices::One(choice),
                Choices::One(other) => Choices::Two(other, choice),
                other => other,
            };
        }
        choices
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
        if self.numbers[cell] != UNKNOWN {
            return self.ways[usize::from(self.numbers[cell])];
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
        self.numbers[cell] = self.ways.len() as u8;
        self.ways.push(ways);
        ways
    }
}
