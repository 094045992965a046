//! Cheap features of a board: no guesses, but what formulas may ask for.

use super::ways::{position_in, ways_out};
use crate::board::Square;
use crate::domains::rush_hour::{Cell, Scene};

/// Cells without a vehicle or a wall.
pub(super) fn free_cells(scene: &Scene) -> u32 {
    free_in(scene, 0..scene.size())
}

/// The same, in the columns right of the primary.
pub(super) fn free_ahead(scene: &Scene) -> u32 {
    free_in(scene, usize::from(scene.primary().end())..scene.size())
}

fn free_in(scene: &Scene, columns: std::ops::Range<usize>) -> u32 {
    let size = scene.size();
    let cells = (0..size).flat_map(|row| columns.clone().map(move |col| Square::new(row * size + col)));
    cells.filter(|&cell| scene.at(cell) == Cell::Empty).count() as u32
}

/// Vehicles that can move.
pub(super) fn mobile(scene: &Scene) -> u32 {
    scene.vehicles().iter().filter(|vehicle| scene.can_move(vehicle)).count() as u32
}

/// Moves that are possible: each vehicle, each way, each distance.
pub(super) fn open_moves(scene: &Scene) -> u32 {
    let is_free = |vehicle, position| scene.ahead(vehicle, position) == Cell::Empty;
    let moves = scene.vehicles().iter().map(|vehicle| {
        let back = (0..vehicle.start).rev().take_while(|&position| is_free(vehicle, position)).count();
        let on =
            (vehicle.end()..scene.size() as u8).take_while(|&position| is_free(vehicle, position)).count();
        back + on
    });
    moves.sum::<usize>() as u32
}

/// Free cells between the primary and the right edge, to the first one taken.
pub(super) fn primary_room(scene: &Scene) -> u32 {
    let primary = scene.primary();
    let ahead = primary.end()..scene.size() as u8;
    ahead.take_while(|&position| scene.ahead(primary, position) == Cell::Empty).count() as u32
}

/// Free cells between the primary and the right edge.
pub(super) fn free_way(scene: &Scene) -> u32 {
    let primary = scene.primary();
    let ahead = primary.end()..scene.size() as u8;
    ahead.filter(|&position| scene.ahead(primary, position) == Cell::Empty).count() as u32
}

/// Blockers longer than a car.
pub(super) fn long_blockers(scene: &Scene) -> u32 {
    scene.blockers().filter(|&(index, _)| scene.vehicles()[index].len > 2).count() as u32
}

/// The cells that the blockers have to slide at least to leave the cell where
/// they stand in the way, whatever is in theirs; one that cannot leave it counts
/// the size of the board.
pub(super) fn clearing(scene: &Scene) -> u32 {
    let least = scene.blockers().map(|(index, cell)| {
        let vehicle = &scene.vehicles()[index];
        let position = position_in(vehicle, cell, scene.size());
        let ways = ways_out(scene, vehicle, position).map(|way| u32::from(way.far));
        ways.min().unwrap_or(scene.size() as u32)
    });
    least.sum()
}

/// The vehicles in the way of the primary (order 1), in the way of those
/// (order 2), and so on; each counts in its lowest order alone. In the way of a
/// vehicle is what stands where it could leave the cell that is asked for,
/// either way.
pub(super) fn blockers_of_order(scene: &Scene, order: usize) -> u32 {
    orders(scene).nth(order - 1).unwrap_or(0)
}

/// The vehicles of all orders.
pub(super) fn entangled(scene: &Scene) -> u32 {
    orders(scene).sum()
}

fn orders(scene: &Scene) -> impl Iterator<Item = u32> {
    let mut asked_for = scene.blockers().fold(0u64, |cells, (_, cell)| cells | cell.bit());
    let mut met = 1u32 << scene.primary_index();
    std::iter::from_fn(move || {
        let (mut now, mut next) = (0u32, 0);
        while asked_for != 0 {
            let cell = Square::new(asked_for.trailing_zeros() as usize);
            asked_for &= asked_for - 1;
            let Cell::Vehicle(index) = scene.at(cell) else { continue };
            if met >> index & 1 != 0 {
                continue;
            }
            now |= 1 << index;
            let vehicle = &scene.vehicles()[index];
            let ways = ways_out(scene, vehicle, position_in(vehicle, cell, scene.size()));
            for position in ways.flat_map(|way| way.cells()) {
                next |= vehicle.square(position, scene.size()).bit();
            }
        }
        met |= now;
        asked_for = next;
        (now != 0).then_some(now.count_ones())
    })
}
