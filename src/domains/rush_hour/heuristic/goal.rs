//! Distances to a deduced goal board.
//!
//! Nobody knows the goal board that a solution will end at, but one can be
//! deduced: the primary stands at the exit, and its row is clear from where it
//! stood to there. A vehicle that stands on one of these cells goes to the
//! nearest place where it covers no cell that is asked for, whatever stands
//! there now, without a wall on the way; left or up if both ways are equally
//! far. The cells of its new place are then asked for as well, and so on until
//! nobody has to go. Vehicles go in the order in which their cells are asked
//! for, of one place from the left or the top. One that finds no place stays
//! where it is.

use std::collections::VecDeque;

use arrayvec::ArrayVec;

use crate::board::{MAX_VEHICLES, Vehicle};
use crate::domains::rush_hour::{Cell, Scene};

/// The cells that all vehicles are from their places, together.
pub(super) fn goal_distance(scene: &Scene) -> u32 {
    cells(scene, &goal(scene))
}

/// The same, and the vehicles that stand in each one's way.
pub(super) fn hybrid(scene: &Scene) -> u32 {
    let places = goal(scene);
    let in_the_way = trips(scene, &places).map(|(from, to)| {
        let cells = if to > from.start { from.end()..to + from.len } else { to..from.start };
        let mut others = 0u32;
        for position in cells {
            if let Cell::Vehicle(other) = scene.ahead(from, position) {
                others |= 1 << other;
            }
        }
        others.count_ones()
    });
    cells(scene, &places) + in_the_way.sum::<u32>()
}

fn cells(scene: &Scene, places: &[u8]) -> u32 {
    trips(scene, places).map(|(from, to)| u32::from(from.start.abs_diff(to))).sum()
}

/// The vehicles that have to go somewhere, and where to.
fn trips<'s>(scene: &'s Scene, places: &'s [u8]) -> impl Iterator<Item = (&'s Vehicle, u8)> {
    let pairs = scene.vehicles().iter().zip(places.iter().copied());
    pairs.filter(|(vehicle, place)| vehicle.start != *place)
}

/// Where each vehicle stands on the deduced goal board.
fn goal(scene: &Scene) -> ArrayVec<u8, MAX_VEHICLES> {
    let size = scene.size();
    let mut places: ArrayVec<u8, MAX_VEHICLES> = scene.vehicles().iter().map(|v| v.start).collect();
    if scene.is_solved() {
        return places;
    }
    let primary = *scene.primary();
    places[scene.primary_index()] = size as u8 - primary.len;
    let mut placed = 1u32 << scene.primary_index();
    let mut queue = VecDeque::new();
    // The way to the exit has to be clear, the exit itself included.
    let mut taken = 0u64;
    for position in primary.start..size as u8 {
        let cell = primary.square(position, size);
        taken |= cell.bit();
        queue.push_back(cell);
    }
    while let Some(cell) = queue.pop_front() {
        let Cell::Vehicle(index) = scene.at(cell) else { continue };
        if placed >> index & 1 != 0 {
            continue;
        }
        placed |= 1 << index;
        let vehicle = &scene.vehicles()[index];
        let Some(place) = nearest(scene, vehicle, taken) else { continue };
        places[index] = place;
        for position in place..place + vehicle.len {
            let cell = vehicle.square(position, size);
            taken |= cell.bit();
            queue.push_back(cell);
        }
    }
    places
}

/// The nearest place for a vehicle on cells that are not taken, without a wall
/// on the way.
fn nearest(scene: &Scene, vehicle: &Vehicle, taken: u64) -> Option<u8> {
    let size = scene.size();
    let is_wall = |position| scene.ahead(vehicle, position) == Cell::Wall;
    let fits = |place: u8| {
        (place..place + vehicle.len).all(|position| taken & vehicle.square(position, size).bit() == 0)
    };
    let back = (0..vehicle.start).rev().take_while(|&place| !is_wall(place)).find(|&place| fits(place));
    let on = (vehicle.end()..size as u8)
        .take_while(|&last| !is_wall(last))
        .map(|last| last + 1 - vehicle.len)
        .find(|&place| fits(place));
    match (back, on) {
        (Some(back), Some(on)) if vehicle.start - back <= on - vehicle.start => Some(back),
        (back, on) => on.or(back),
    }
}
