//! The recursive heuristic as it was published.
//!
//! Each vehicle in the way counts 1 and the cheaper of its two ways out: the
//! vehicles that stand in *its* way there. A vehicle counts once, and counts as
//! gone after that, even if it was met on the way that was not taken. The
//! choice is made vehicle by vehicle, so two vehicles may take ways that look
//! equally cheap where one way out would have done for both: then the sum is
//! too high.

use super::blockers::in_the_way;
use super::ways::{Way, ways_out};
use crate::search::{Cell, Scene};

/// `None` is proof that there is no solution.
pub(super) fn advanced(scene: &Scene) -> Option<u32> {
    if scene.is_solved() {
        return Some(0);
    }
    let mut seen = 1 << scene.primary_index();
    let mut sum = 1;
    for (index, position) in in_the_way(scene) {
        if seen >> index & 1 == 0 {
            sum += to_clear(scene, index, position, &mut seen)?;
        }
    }
    Some(sum)
}

/// What it takes that a vehicle leaves this position of its line.
fn to_clear(scene: &Scene, index: usize, position: u8, seen: &mut u32) -> Option<u32> {
    *seen |= 1 << index;
    let vehicle = &scene.vehicles()[index];
    let mut least = None;
    for way in ways_out(scene, vehicle, position) {
        let cost = along(scene, index, &way, seen);
        least = match (least, cost) {
            (Some(a), Some(b)) => Some(u32::min(a, b)),
            (a, b) => a.or(b),
        };
    }
    least.map(|least| 1 + least)
}

/// What it takes that a way out is free.
fn along(scene: &Scene, index: usize, way: &Way, seen: &mut u32) -> Option<u32> {
    let vehicle = &scene.vehicles()[index];
    let mut sum = 0;
    for position in way.cells() {
        if let Cell::Vehicle(other) = scene.ahead(vehicle, position)
            && *seen >> other & 1 == 0
        {
            let place = vehicle.square(position, scene.size());
            let theirs = super::ways::position_in(&scene.vehicles()[other], place, scene.size());
            sum += to_clear(scene, other, theirs, seen)?;
        }
    }
    Some(sum)
}
