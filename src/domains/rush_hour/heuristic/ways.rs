//! The two ways in which a vehicle can leave a cell.

use std::ops::Range;

use crate::board::{Axis, Square, Vehicle};
use crate::domains::rush_hour::{Cell, Scene};

/// A slide that takes a vehicle off a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// Right or down?
    pub forward: bool,
    /// How far it has to slide, at least.
    pub far: u8,
    first: u8,
}

impl Way {
    /// The positions of its line that it enters.
    pub fn cells(&self) -> Range<u8> {
        self.first..self.first + self.far
    }
}

/// The ways to leave a position that the vehicle covers, whatever stands
/// there; ways over a wall or off the board are none. Left or up comes first.
pub(super) fn ways_out(scene: &Scene, vehicle: &Vehicle, position: u8) -> impl Iterator<Item = Way> {
    let back = vehicle.end() - position;
    let on = position - vehicle.start + 1;
    let back = vehicle.start.checked_sub(back).map(|first| Way { forward: false, far: back, first });
    let on = Some(Way { forward: true, far: on, first: vehicle.end() });
    let is_open = move |way: &Way| way.cells().all(|position| scene.ahead(vehicle, position) != Cell::Wall);
    [back, on].into_iter().flatten().filter(is_open)
}

/// A cell as a position in a vehicle's line.
pub(super) fn position_in(vehicle: &Vehicle, square: Square, size: usize) -> u8 {
    match vehicle.axis {
        Axis::Horizontal => square.col(size) as u8,
        Axis::Vertical => square.row(size) as u8,
    }
}
