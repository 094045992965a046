//! The recursive heuristic as it was published.
//!
//! Each vehicle in the way counts 1 and the cheaper of its two ways out: the
//! vehicles that stand in *its* way there, and so on. They are taken from the
//! left or the top; left or up is the way out if both are equally cheap. A
//! vehicle counts once and counts as gone after that, but what was met on the
//! way that was not taken does not count.
//!
//! The choice is made vehicle by vehicle, so two vehicles may take ways that
//! look equally cheap where one way out would have done for both: then the sum
//! is too high.

use super::ways::{Way, position_in, ways_out};
use crate::board::Square;
use crate::domains::rush_hour::{Cell, Scene};

/// `None` is proof that there is no solution.
pub(super) fn advanced(scene: &Scene) -> Option<u32> {
    if scene.is_solved() {
        return Some(0);
    }
    let mut seen = 1 << scene.primary_index();
    let mut sum = 1;
    for (index, cell) in scene.blockers() {
        if seen >> index & 1 == 0 {
            sum += to_clear(scene, index, cell, &mut seen)?;
        }
    }
    Some(sum)
}

/// What it takes that a vehicle leaves this cell.
fn to_clear(scene: &Scene, index: usize, cell: Square, seen: &mut u32) -> Option<u32> {
    *seen |= 1 << index;
    let vehicle = &scene.vehicles()[index];
    let position = position_in(vehicle, cell, scene.size());
    let mut least = None;
    for way in ways_out(scene, vehicle, position) {
        let mut seen_there = *seen;
        if let Some(cost) = along(scene, index, &way, &mut seen_there)
            && least.is_none_or(|(least, _)| cost < least)
        {
            least = Some((cost, seen_there));
        }
    }
    let (cost, seen_there) = least?;
    *seen = seen_there;
    Some(1 + cost)
}

/// What it takes that a way out is free.
fn along(scene: &Scene, index: usize, way: &Way, seen: &mut u32) -> Option<u32> {
    let vehicle = &scene.vehicles()[index];
    let mut sum = 0;
    for position in way.cells() {
        if let Cell::Vehicle(other) = scene.ahead(vehicle, position)
            && *seen >> other & 1 == 0
        {
            sum += to_clear(scene, other, vehicle.square(position, scene.size()), seen)?;
        }
    }
    Some(sum)
}
