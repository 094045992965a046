//! Whether hardest boards are nearer to the exit without something, by searches on
//! the spot.
//!
//! Boards that moves connect stay connected when all lose the same wall or the same
//! vehicle: one search answers for all hardest boards of a cluster.

use super::minimal::Candidate;
use crate::board::{Axis, Board, Metric, Vehicle, nth_letter};
use crate::cluster::{Bounds, Cluster};
use crate::space::{Position, Space};

/// Keeps the candidates that are nearer to the exit as they are in `without`, among
/// these walls.
pub fn keep_nearer(
    space: &Space,
    walls: u64,
    candidates: &mut Vec<Candidate>,
    without: impl Fn(&Candidate) -> Position,
) {
    candidates.sort_by_key(|candidate| candidate.cluster);
    let without = |candidate: &Candidate| board(space, walls, &without(candidate));
    let of_cluster = |group: &[Candidate]| {
        let cluster = Cluster::explore(&without(&group[0]), Metric::Moves, Bounds::NONE);
        let cluster = cluster.expect("there is no limit");
        let is_nearer = |candidate: &&Candidate| {
            let distance = cluster.distance(&without(candidate));
            distance.is_some_and(|distance| distance < u32::from(candidate.distance))
        };
        group.iter().filter(is_nearer).copied().collect::<Vec<Candidate>>()
    };
    *candidates = candidates.chunk_by(|a, b| a.cluster == b.cluster).flat_map(of_cluster).collect();
}

/// A board with other walls. Vehicles have their letters by their places in the
/// lines, so all boards of a cluster have the same.
fn board(space: &Space, walls: u64, position: &Position) -> Board {
    let size = space.size();
    let mut vehicles: Vec<Vehicle> = Vec::new();
    let mut primary = 0;
    let rows = position.rows[..size].iter().map(|&id| (Axis::Horizontal, id));
    let columns = position.columns[..size].iter().map(|&id| (Axis::Vertical, id));
    for (number, (axis, id)) in rows.chain(columns).enumerate() {
        for &(start, len) in &space.line().placement(id).vehicles {
            let letter = nth_letter(vehicles.len());
            vehicles.push(Vehicle { letter, axis, line: (number % size) as u8, start, len });
        }
        if number == space.primary_row() {
            primary = vehicles.len() - 1;
        }
    }
    Board::from_parts(size, walls, vehicles, primary).expect("fewer walls leave the vehicles as they are")
}
