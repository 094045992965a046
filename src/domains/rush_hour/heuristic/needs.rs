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
//! any of n + 1. Cells with one way out are decided first, and the vehicles
//! whose cells are still open count with the least that they will take. Should
//! it take too long all the same, n is the value: it is not too high either.

use arrayvec::ArrayVec;

use super::ways::{position_in, ways_out};
use crate::board::{MAX_VEHICLES, Metric, Square};
use crate::domains::rush_hour::{Cell, Scene};

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
    let mut needs =
        Needs { scene, metric, numbers: [UNKNOWN; 64], ways: ArrayVec::new(), tried: 0, bound: 0, next: 0 };
    let mut ground = Decisions { cells, decided: 0, away: [[0; 2]; MAX_VEHICLES], sum: 0 };
    ground.away[scene.primary_index()][1] = scene.front().cells as u8;
    ground.sum = needs.cost(scene.primary_index(), ground.away[scene.primary_index()]);
    needs.next = ground.sum;
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
type Ways = [Option<Exit>; 2];

#[derive(Clone, Copy)]
struct Exit {
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

/// One way out of one cell.
struct Decision {
    cell: usize,
    /// The vehicle in the cell.
    index: usize,
    /// How far away it must then be, both ways.
    away: [u8; 2],
    /// The taken cells that it enters.
    cells: u64,
    /// What that adds to the sum.
    cost: u32,
}

/// What there is to decide.
enum Outlook {
    Done,
    Hopeless,
    Forced(Decision),
    Choice([Decision; 2]),
}

impl Decisions {
    fn take(&mut self, decision: Decision) {
        self.decided |= 1 << decision.cell;
        self.cells |= decision.cells;
        self.away[decision.index] = decision.away;
        self.sum += decision.cost;
    }
}

impl Needs<'_> {
    /// Can all cells be left for no more than the bound?
    fn decide(&mut self, mut so_far: Decisions) -> bool {
        loop {
            self.tried += 1;
            if self.tried > MOST {
                return false;
            }
            match self.survey(&mut so_far) {
                Outlook::Done => return true,
                Outlook::Hopeless => return false,
                Outlook::Forced(one) => so_far.take(one),
                Outlook::Choice([one, other]) => {
                    let mut first = so_far.clone();
                    first.take(one);
                    if self.decide(first) {
                        return true;
                    }
                    so_far.take(other);
                }
            }
        }
    }

    /// Looks at all cells that are not decided, and decides those that cost
    /// nothing.
    fn survey(&mut self, so_far: &mut Decisions) -> Outlook {
        // What each vehicle takes more, at least, for the worst of its cells.
        let mut more = [0; MAX_VEHICLES];
        let mut at_least = so_far.sum;
        let mut choice = None;
        let mut open = so_far.cells & !so_far.decided;
        while open != 0 {
            let cell = open.trailing_zeros() as usize;
            open &= open - 1;
            let Cell::Vehicle(index) = self.scene.at(Square::new(cell)) else {
                unreachable!("only vehicles have to leave")
            };
            let ways = self.ways_out_of(cell, index);
            let away = so_far.away[index];
            let is_free = |(way, away): (&Option<Exit>, u8)| way.is_some_and(|way| way.far <= away);
            if ways.iter().zip(away).any(is_free) {
                so_far.decided |= 1 << cell;
                continue;
            }
            let now = self.cost(index, away);
            let decision = |direction: usize| {
                let out = ways[direction]?;
                let mut away = away;
                away[direction] = out.far;
                Some(Decision { cell, index, away, cells: out.cells, cost: self.cost(index, away) - now })
            };
            let (least, found) = match (decision(0), decision(1)) {
                (None, None) => return Outlook::Hopeless,
                (Some(one), None) | (None, Some(one)) => (one.cost, Outlook::Forced(one)),
                (Some(one), Some(other)) => (one.cost.min(other.cost), Outlook::Choice([one, other])),
            };
            if least > more[index] {
                at_least += least - more[index];
                more[index] = least;
            }
            // What has to be done anyway first, then what costs most.
            let urgency = (matches!(found, Outlook::Forced(_)), least);
            if choice.as_ref().is_none_or(|(most, _)| urgency > *most) {
                choice = Some((urgency, found));
            }
        }
        if at_least > self.bound {
            self.next = self.next.min(at_least);
            return Outlook::Hopeless;
        }
        choice.map_or(Outlook::Done, |(_, outlook)| outlook)
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
            ways[usize::from(way.forward)] = Some(Exit { far: way.far, cells });
        }
        self.numbers[cell] = self.ways.len() as u8;
        self.ways.push(ways);
        ways
    }
}
