//! The published heuristics, and features of boards: what each is called, what
//! it counts, and what is claimed of it.

use super::{advanced, feature, goal, needs, rounds, twice};
use crate::board::Metric;
use crate::domains::rush_hour::{Front, Scene};
use crate::formula::{Facts, Kind};
use crate::search::Value;

/// What is known of the exact distance as a heuristic.
pub(super) const PERFECT: Facts = Facts {
    kind: Kind::Exact,
    name: "perfect",
    definition: "the exact distance",
    source: "the table, or a search where there is none",
    admissible_in_moves: Some(true),
    admissible_in_steps: Some(true),
};

/// What is known of patterns.
pub(super) const PATTERN: Facts = Facts {
    kind: Kind::Pattern,
    name: "pattern",
    definition: "the exact distance with vehicles taken away until no more than 10000 boards can be reached, or \
                 so many as are given, such as pattern:1000; the primary stays, then those in its way, then \
                 those in theirs",
    source: "this project, after pattern databases",
    admissible_in_moves: Some(true),
    admissible_in_steps: Some(true),
};

/// Where the features come from.
const FEATURE: &str = "this project: a feature for formulas, no guess";

/// A program that has a table of its own.
const RUSH_HOUR_AI: &str = "RushHourAi (FH Hagenberg), to make its table again";

/// Makes the measures and the list of what is known of them: name, definition,
/// source, and whether they are admissible in moves and in steps; nothing of
/// that for what is no guess.
macro_rules! measures {
    ($($measure:ident: $name:literal, $definition:literal, $source:expr $(, $claims:expr)?;)+) => {
        /// A number that depends on the board alone.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Measure {
            $(#[doc = $definition] $measure),+
        }

        const FACTS: &[Facts] = &[$(Facts {
            kind: kind(Measure::$measure),
            name: $name,
            definition: $definition,
            source: $source,
            admissible_in_moves: claim(&[$($claims)?], 0),
            admissible_in_steps: claim(&[$($claims)?], 1),
        }),+];

        impl Measure {
            /// All of them.
            pub const ALL: [Measure; FACTS.len()] = [$(Measure::$measure),+];
        }
    };
}

/// The guesses come first, then the features, then what other programs have.
const fn kind(measure: Measure) -> Kind {
    match measure as usize {
        number if number > Measure::Entangled as usize => Kind::Foreign,
        number if number >= Measure::Rounds as usize => Kind::Feature,
        _ => Kind::Guess,
    }
}

const fn claim(claims: &[[bool; 2]], metric: usize) -> Option<bool> {
    if claims.is_empty() { None } else { Some(claims[0][metric]) }
}

measures! {
    Zero: "zero", "0", "folklore", [true, true];
    Blockers: "blockers", "vehicles between the primary and the exit", "folklore", [true, true];
    Blocking: "blocking", "0 when solved, else 1 + blockers",
        "university assignment on A* with the 40 cards (FH Hagenberg, among others)", [true, true];
    // In steps: each blocker takes one, and the primary enters its cell.
    BlockedBlockers: "blocked-blockers", "each blocker counts 1 if it can move at all, 2 if it cannot",
        "student projects", [false, true];
    Distance: "distance", "cells from the primary to the right edge", "folklore", [false, true];
    DistanceBlockers: "distance-blockers", "distance + blockers",
        "university assignments (IT3105 at NTNU, among others)", [false, true];
    Advanced: "advanced",
        "0 when solved, else 1 + blockers + the vehicles in their way, recursively: the cheaper of the \
         two directions, each vehicle at most once",
        "Pirklbauer and Zarhuber, FH Hagenberg", [false, false];
    AdvancedAdmissible: "advanced-admissible",
        "the fewest moves by which every vehicle in the way, recursively, can have cleared it",
        "this project, after advanced", [true, true];
    AdvancedDistance: "advanced-distance",
        "the same in steps: every vehicle counts the cells it must slide at least",
        "this project, after advanced", [false, true];
    GoalDistance: "goal-distance",
        "cells from each vehicle to its place on a deduced goal board, where the blockers stand clear",
        "after Hauptman, Elyasaf, Sipper and Karmon, GP-Rush, 2009", [false, false];
    Hybrid: "hybrid", "goal-distance + the vehicles that stand in each one's way there",
        "after Hauptman, Elyasaf, Sipper and Karmon, GP-Rush, 2009", [false, false];
    Rounds: "rounds",
        "rounds until the primary may be at the exit, if all vehicles move at once and stay where they were, too",
        "this project: a feature for formulas, after the layers of a relaxed plan", [true, true];
    Size: "size", "rows of the board", FEATURE;
    Vehicles: "vehicles", "vehicles on the board", FEATURE;
    FreeCells: "free-cells", "cells without a vehicle or a wall", FEATURE;
    FreeAhead: "free-ahead", "free cells in the columns right of the primary", FEATURE;
    FreeWay: "free-way", "free cells between the primary and the right edge", FEATURE;
    PrimaryRoom: "primary-room", "cells that the primary can slide to the right at once", FEATURE;
    Mobile: "mobile", "vehicles that can move", FEATURE;
    OpenMoves: "open-moves", "moves that are possible: each vehicle, each way, each distance", FEATURE;
    LongBlockers: "long-blockers", "blockers of three cells and more", FEATURE;
    Clearing: "clearing",
        "cells that the blockers have to slide at least to clear the way, whatever is in theirs", FEATURE;
    SecondBlockers: "blockers-2", "vehicles that stand where the blockers could go to clear the way", FEATURE;
    ThirdBlockers: "blockers-3", "vehicles that stand where those of blockers-2 could go", FEATURE;
    Entangled: "entangled", "blockers, blockers-2, blockers-3 and so on together, each vehicle once and the primary never", FEATURE;
    AdvancedTwice: "advanced-twice",
        "0 when solved, else twice the blockers, and the vehicles in their way where the edge shuts the other \
         one: what the program calls advanced",
        RUSH_HOUR_AI, [false, false];
    AdvancedTwiceDistance: "advanced-twice-distance",
        "0 when solved, else advanced-twice + cells from the primary to the right edge",
        RUSH_HOUR_AI, [false, false];
}

impl Measure {
    /// What is known of it.
    pub const fn facts(self) -> Facts {
        FACTS[self as usize]
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
            Measure::Rounds => rounds::rounds(scene),
            Measure::Size => Some(scene.size() as u32),
            Measure::Vehicles => Some(scene.vehicles().len() as u32),
            Measure::FreeCells => Some(feature::free_cells(scene)),
            Measure::FreeAhead => Some(feature::free_ahead(scene)),
            Measure::FreeWay => Some(feature::free_way(scene)),
            Measure::PrimaryRoom => Some(feature::primary_room(scene)),
            Measure::Mobile => Some(feature::mobile(scene)),
            Measure::OpenMoves => Some(feature::open_moves(scene)),
            Measure::LongBlockers => Some(feature::long_blockers(scene)),
            Measure::Clearing => Some(feature::clearing(scene)),
            Measure::SecondBlockers => Some(feature::blockers_of_order(scene, 2)),
            Measure::ThirdBlockers => Some(feature::blockers_of_order(scene, 3)),
            Measure::Entangled => Some(feature::entangled(scene)),
            Measure::AdvancedTwice => Some(twice::advanced(scene)),
            Measure::AdvancedTwiceDistance => Some(twice::advanced_distance(scene)),
            Measure::Zero
            | Measure::Blockers
            | Measure::Blocking
            | Measure::Distance
            | Measure::DistanceBlockers => unreachable!("the front was enough"),
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
