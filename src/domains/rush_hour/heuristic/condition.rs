//! Conditions on the last move: true or false.

use super::feature::mobile;
use crate::board::Vehicle;
use crate::domains::rush_hour::{Cell, Scene};
use crate::formula::{Facts, Kind};

/// A question about the move that led to a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// Can more vehicles move than before?
    MoveFreed,
    /// Did the vehicle go where no other vehicle can ever go?
    MoveToSecluded,
}

impl Condition {
    /// All of them.
    pub const ALL: [Condition; 2] = [Condition::MoveFreed, Condition::MoveToSecluded];

    /// What is known of it.
    pub const fn facts(self) -> Facts {
        let (name, definition) = match self {
            Condition::MoveFreed => {
                ("move-freed", "1 if more vehicles can move than before the last move, else 0")
            }
            Condition::MoveToSecluded => (
                "move-to-secluded",
                "1 if the last move took its vehicle to cells that no other vehicle can ever cover, else 0",
            ),
        };
        let source = "after Hauptman, Elyasaf, Sipper and Karmon, GP-Rush, 2009";
        Facts {
            kind: Kind::Condition,
            name,
            definition,
            source,
            admissible_in_moves: None,
            admissible_in_steps: None,
        }
    }

    /// Does it hold after the move from one board to the next?
    pub fn holds(self, before: &Scene, after: &Scene) -> bool {
        match self {
            Condition::MoveFreed => mobile(after) > mobile(before),
            Condition::MoveToSecluded => is_to_secluded(before, after),
        }
    }
}

fn is_to_secluded(before: &Scene, after: &Scene) -> bool {
    let size = after.size();
    let mut moved =
        before.vehicles().iter().zip(after.vehicles()).filter(|(old, new)| old.start != new.start);
    let Some((old, new)) = moved.next() else { return false };
    let entered = new.cells(size) & !old.cells(size);
    let others = after
        .vehicles()
        .iter()
        .filter(|other| (other.axis, other.line, other.start) != (new.axis, new.line, new.start));
    others.map(|other| reach(after, other)).all(|cells| cells & entered == 0)
}

/// The cells that a vehicle could cover if no line crossed its own.
fn reach(scene: &Scene, vehicle: &Vehicle) -> u64 {
    let size = scene.size();
    // Room for the others of the line, which stay on their sides.
    let room = |cells: &mut dyn Iterator<Item = u8>| {
        cells.map(|position| scene.ahead(vehicle, position)).take_while(|&cell| cell != Cell::Wall).fold(
            (0, 0),
            |(all, others), cell| match cell {
                Cell::Vehicle(index) if is_kin(&scene.vehicles()[index], vehicle) => (all + 1, others + 1),
                _ => (all + 1, others),
            },
        )
    };
    let (before, before_others) = room(&mut (0..vehicle.start).rev());
    let (after, after_others) = room(&mut (vehicle.end()..size as u8));
    let from = vehicle.start - before + before_others;
    let to = vehicle.end() + after - after_others;
    (from..to).fold(0, |cells, position| cells | vehicle.square(position, size).bit())
}

/// Are they in the same line?
fn is_kin(a: &Vehicle, b: &Vehicle) -> bool {
    (a.axis, a.line) == (b.axis, b.line)
}
