//! What stands between the primary and the exit, and how far it is.

use crate::board::Square;
use crate::search::{Cell, Scene};

/// The vehicles between the primary and the exit, nearest first, each with the
/// first cell where it stands in the way.
pub(super) fn in_the_way(scene: &Scene) -> impl Iterator<Item = (usize, Square)> + '_ {
    let primary = scene.primary();
    let mut last = None;
    (primary.end()..scene.size() as u8).filter_map(move |position| {
        let Cell::Vehicle(index) = scene.ahead(primary, position) else { return None };
        // One in the same row covers more than one cell.
        let is_new = last.replace(index) != Some(index);
        is_new.then(|| (index, primary.square(position, scene.size())))
    })
}

pub(super) fn blockers(scene: &Scene) -> u32 {
    in_the_way(scene).count() as u32
}

pub(super) fn blocking(scene: &Scene) -> u32 {
    if scene.is_solved() { 0 } else { 1 + blockers(scene) }
}

pub(super) fn blocked_blockers(scene: &Scene) -> u32 {
    in_the_way(scene).map(|(index, _)| if can_move(scene, index) { 1 } else { 2 }).sum()
}

/// Can the vehicle move at all?
pub(super) fn can_move(scene: &Scene, index: usize) -> bool {
    let vehicle = &scene.vehicles()[index];
    let before = vehicle.start.checked_sub(1).map(|position| scene.ahead(vehicle, position));
    before == Some(Cell::Empty) || scene.ahead(vehicle, vehicle.end()) == Cell::Empty
}

/// Cells between the primary and the right edge.
pub(super) fn distance(scene: &Scene) -> u32 {
    scene.size() as u32 - u32::from(scene.primary().end())
}
