//! Rounds in which all vehicles move at once and stay where they were, too.
//!
//! Each vehicle has the places that it may be at: first the one where it
//! stands. In a round it comes to have all those that a slide leads to from one
//! of them, where only such cells are in the way that another vehicle covers
//! wherever it may be. After as many rounds as a solution has moves, every
//! vehicle has all places where it is in that solution; so the rounds until the
//! primary may be at the exit are never too many.

use crate::board::{MAX_VEHICLES, Vehicle};
use crate::domains::rush_hour::Scene;

/// `None` is proof that there is no solution.
pub(super) fn rounds(scene: &Scene) -> Option<u32> {
    let size = scene.size();
    let vehicles = scene.vehicles();
    // By vehicle: its places, one bit each, and the cells that it covers at all
    // of them.
    let mut places = [0u8; MAX_VEHICLES];
    let mut always = [0u64; MAX_VEHICLES];
    for (index, vehicle) in vehicles.iter().enumerate() {
        places[index] = 1 << vehicle.start;
        always[index] = vehicle.cells(size);
    }
    let exit = 1 << (size - usize::from(scene.primary().len));
    let walls = scene.walls();
    for round in 0.. {
        if places[scene.primary_index()] & exit != 0 {
            return Some(round);
        }
        let blocked = always[..vehicles.len()].iter().fold(walls, |cells, covered| cells | covered);
        let mut is_new = false;
        for (index, vehicle) in vehicles.iter().enumerate() {
            let others = blocked & !always[index];
            let more = spread(vehicle, places[index], others, size);
            if more != places[index] {
                is_new = true;
                places[index] = more;
            }
        }
        if !is_new {
            return None;
        }
        for (index, vehicle) in vehicles.iter().enumerate() {
            always[index] = covered_always(vehicle, places[index], size);
        }
    }
    unreachable!("places are finite")
}

/// The places that slides lead to from these, with such cells in the way.
fn spread(vehicle: &Vehicle, places: u8, blocked: u64, size: usize) -> u8 {
    let is_free = |position: u8| blocked & vehicle.square(position, size).bit() == 0;
    let mut spread = places;
    let last = size as u8 - vehicle.len;
    for start in 0..last {
        let next = start + 1;
        if spread >> start & 1 != 0 && is_free(start + vehicle.len) {
            spread |= 1 << next;
        }
    }
    for start in (0..last).rev() {
        if spread >> (start + 1) & 1 != 0 && is_free(start) {
            spread |= 1 << start;
        }
    }
    spread
}

/// The cells that a vehicle covers at all of some places.
fn covered_always(vehicle: &Vehicle, places: u8, size: usize) -> u64 {
    let first = places.trailing_zeros() as u8;
    let last = 7 - places.leading_zeros() as u8;
    (last..first + vehicle.len).fold(0, |cells, position| cells | vehicle.square(position, size).bit())
}
