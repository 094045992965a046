//! The recursive heuristic of RushHourAi, as that program computes it.
//!
//! It is meant to count the vehicles in the way, those in theirs, and so on. What
//! it does count: each vehicle that crosses the primary's way twice, and of those
//! that keep it from leaving only the ones on a side whose opposite is shut by the
//! edge. A vehicle that stands right below or right of another one is overlooked,
//! and walls are unknown to it. All is asked in the order of the vehicles, and who
//! was asked once is not asked again, even if it did not count: so the value
//! depends on that order.

use crate::board::Vehicle;
use crate::domains::rush_hour::Scene;

/// The program's `advanced`: 0 when solved, and nothing for the primary itself.
pub(super) fn advanced(scene: &Scene) -> u32 {
    if scene.is_solved() {
        return 0;
    }
    let vehicles = scene.vehicles();
    let primary = scene.primary();
    let is_ahead = |other: &Vehicle| {
        other.axis != primary.axis && other.line >= primary.end() && crosses(primary, other)
    };
    let mut asked = Asked { scene, vehicles: 1 << scene.primary_index() };
    let ahead = (0..vehicles.len()).filter(|&index| is_ahead(&vehicles[index]));
    ahead.map(|index| 1 + asked.cost_of_leaving(index, needs(primary, &vehicles[index], [0, 0]))).sum()
}

/// Its sum with the cells to the edge.
pub(super) fn advanced_distance(scene: &Scene) -> u32 {
    match scene.is_solved() {
        true => 0,
        false => advanced(scene) + scene.size() as u32 - u32::from(scene.primary().end()),
    }
}

/// Who was asked already, one bit a vehicle.
struct Asked<'s> {
    scene: &'s Scene,
    vehicles: u32,
}

impl Asked<'_> {
    /// A vehicle that has to slide so far on or so far back, and what keeps it
    /// from doing so.
    fn cost_of_leaving(&mut self, index: usize, [on, back]: [u8; 2]) -> u32 {
        self.vehicles |= 1 << index;
        let (all, size) = (self.scene.vehicles(), self.scene.size() as u8);
        let vehicle = &all[index];
        let is_shut = [vehicle.end() + on > size, vehicle.start < back];
        let mut sum = 1;
        for (number, other) in all.iter().enumerate() {
            if self.vehicles >> number & 1 != 0 || !crosses(vehicle, other) {
                continue;
            }
            let Some((side, room)) = beside(vehicle, other) else { continue };
            if room >= [on, back][side] {
                continue;
            }
            let cost = self.cost_of_leaving(number, needs(vehicle, other, [on, back]));
            sum += if is_shut[1 - side] { cost } else { 0 };
        }
        sum
    }
}

/// Does another vehicle reach into the line of this one?
fn crosses(vehicle: &Vehicle, other: &Vehicle) -> bool {
    match vehicle.axis == other.axis {
        true => vehicle.line == other.line,
        false => (other.start..other.end()).contains(&vehicle.line),
    }
}

/// On which side another vehicle of its line is, 0 for on and 1 for back, and the
/// room between. One that crosses the very next cell on is on neither.
fn beside(vehicle: &Vehicle, other: &Vehicle) -> Option<(usize, u8)> {
    let (first, end) = match vehicle.axis == other.axis {
        true => (other.start, other.end()),
        false => (other.line, other.line + 1),
    };
    match vehicle.axis == other.axis || first != vehicle.end() {
        true if first > vehicle.start => Some((0, first - vehicle.end())),
        true => Some((1, vehicle.start - end)),
        false => None,
    }
}

/// How far another vehicle has to slide, on or back, to leave the line of this
/// one; of the same line, as far as this one.
fn needs(vehicle: &Vehicle, other: &Vehicle, own: [u8; 2]) -> [u8; 2] {
    match vehicle.axis == other.axis {
        true => own,
        false => [vehicle.line - other.start + 1, other.end() - vehicle.line],
    }
}
