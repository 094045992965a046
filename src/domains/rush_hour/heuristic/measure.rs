//! The published heuristics: what each is called, what it counts, and what is
//! claimed of it.

use super::{advanced, goal, needs};
use crate::board::Metric;
use crate::domains::rush_hour::{Front, Scene};
use crate::search::Value;

/// A number that depends on the board alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Measure {
    /// Nothing.
    Zero,
    /// Vehicles between the primary and the exit.
    Blockers,
    /// 0 when solved, else 1 and the blockers.
    Blocking,
    /// Blockers; one that cannot move at all counts 2.
    BlockedBlockers,
    /// Cells between the primary and the right edge.
    Distance,
    /// Distance and blockers.
    DistanceBlockers,
    /// Blockers, and the vehicles in their way, and so on.
    Advanced,
    /// The fewest moves by which all of them can have got out of the way.
    AdvancedAdmissible,
    /// The fewest steps by which all of them can have got out of the way.
    AdvancedDistance,
    /// Cells from each vehicle to its place on a deduced goal board.
    GoalDistance,
    /// The same, and the vehicles that stand in the way there.
    Hybrid,
}

/// What is known of a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// As it is written.
    pub name: &'static str,
    /// What it counts.
    pub definition: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Never too high in moves?
    pub admissible_in_moves: bool,
    /// Never too high in steps?
    pub admissible_in_steps: bool,
}

/// What is known of the exact distance as a heuristic.
pub const PERFECT: Facts = Facts {
    name: "perfect",
    definition: "the exact distance",
    source: "the table, or a search where there is none",
    admissible_in_moves: true,
    admissible_in_steps: true,
};

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 11] = [
        Measure::Zero,
        Measure::Blockers,
        Measure::Blocking,
        Measure::BlockedBlockers,
        Measure::Distance,
        Measure::DistanceBlockers,
        Measure::Advanced,
        Measure::AdvancedAdmissible,
        Measure::AdvancedDistance,
        Measure::GoalDistance,
        Measure::Hybrid,
    ];

    /// What is known of it.
    pub fn facts(self) -> Facts {
        let (name, definition, source, [admissible_in_moves, admissible_in_steps]) = match self {
            Measure::Zero => ("zero", "0", "folklore", [true, true]),
            Measure::Blockers => {
                ("blockers", "vehicles between the primary and the exit", "folklore", [true, true])
            }
            Measure::Blocking => (
                "blocking",
                "0 when solved, else 1 + blockers",
                "university assignment on A* with the 40 cards (FH Hagenberg, among others)",
                [true, true],
            ),
            Measure::BlockedBlockers => (
                "blocked-blockers",
                "each blocker counts 1 if it can move at all, 2 if it cannot",
                "student projects",
                // In steps: each blocker takes one, and the primary enters its cell.
                [false, true],
            ),
            Measure::Distance => {
                ("distance", "cells from the primary to the right edge", "folklore", [false, true])
            }
            Measure::DistanceBlockers => (
                "distance-blockers",
                "distance + blockers",
                "university assignments (IT3105 at NTNU, among others)",
                [false, true],
            ),
            Measure::Advanced => (
                "advanced",
                "0 when solved, else 1 + blockers + the vehicles in their way, recursively: the cheaper of the \
                 two directions, each vehicle at most once",
                "Pirklbauer and Zarhuber, FH Hagenberg",
                [false, false],
            ),
            Measure::AdvancedAdmissible => (
                "advanced-admissible",
                "the fewest moves by which every vehicle in the way, recursively, can have cleared it",
                "this project, after advanced",
                [true, true],
            ),
            Measure::AdvancedDistance => (
                "advanced-distance",
                "the same in steps: every vehicle counts the cells it must slide at least",
                "this project, after advanced",
                [false, true],
            ),
            Measure::GoalDistance => (
                "goal-distance",
                "cells from each vehicle to its place on a deduced goal board, where the blockers stand clear",
                "after Hauptman, Elyasaf, Sipper and Karmon, GP-Rush, 2009",
                [false, false],
            ),
            Measure::Hybrid => (
                "hybrid",
                "goal-distance + the vehicles that stand in each one's way there",
                "after Hauptman, Elyasaf, Sipper and Karmon, GP-Rush, 2009",
                [false, false],
            ),
        };
        Facts { name, definition, source, admissible_in_moves, admissible_in_steps }
    }

    /// Is it never too high in this metric?
    pub fn is_admissible(self, metric: Metric) -> bool {
        match metric {
            Metric::Moves => self.facts().admissible_in_moves,
            Metric::Steps => self.facts().admissible_in_steps,
        }
    }

    /// Its value for a board. [`Value::INFINITE`] is proof that there is no
    /// solution.
    pub fn of(self, scene: &Scene) -> Value {
        if let Some(value) = self.of_front(scene.front()) {
            return value;
        }
        let count = match self {
            Measure::BlockedBlockers => Some(blocked_blockers(scene)),
            Measure::Advanced => advanced::advanced(scene),
            Measure::AdvancedAdmissible => needs::least(scene, Metric::Moves),
            Measure::AdvancedDistance => needs::least(scene, Metric::Steps),
            Measure::GoalDistance => Some(goal::goal_distance(scene)),
            Measure::Hybrid => Some(goal::hybrid(scene)),
            _ => unreachable!("the front was enough"),
        };
        count.map_or(Value::INFINITE, Value::from)
    }

    /// Its value, if what is in front of the primary is enough to know it.
    #[inline]
    pub(super) fn of_front(self, front: Front) -> Option<Value> {
        let count = match self {
            Measure::Zero => 0,
            Measure::Blockers => front.blockers,
            Measure::Blocking if front.cells == 0 => 0,
            Measure::Blocking => 1 + front.blockers,
            Measure::Distance => front.cells,
            Measure::DistanceBlockers => front.cells + front.blockers,
            _ => return None,
        };
        Some(Value::from(count))
    }
}

fn blocked_blockers(scene: &Scene) -> u32 {
    scene.blockers().map(|(index, _)| if scene.can_move(&scene.vehicles()[index]) { 1 } else { 2 }).sum()
}
