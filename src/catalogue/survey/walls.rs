//! Whether hardest boards need every wall.
//!
//! Without a wall a board is of another space, so this takes a search on the spot.
//! Boards that moves connect stay connected when all lose the same wall: one search
//! answers for all hardest boards of a cluster.

use super::minimal::Candidate;
use crate::board::{Axis, Board, Metric, Vehicle, nth_letter};
use crate::cluster::{Bounds, Cluster};
use crate::space::{Position, Space};

/// Keeps the candidates that are nearer to the exit without any one of their walls.
pub fn keep_needing_walls(space: &Space, candidates: &mut Vec<Candidate>) {
    if space.id().walls == 0 {
        return;
    }
    candidates.sort_by_key(|candidate| candidate.cluster);
    let groups = candidates.chunk_by(|a, b| a.cluster == b.cluster);
    *candidates = groups.flat_map(|group| needing_walls(space, group)).collect();
}

/// Those of the hardest boards of one cluster that need every wall.
fn needing_walls(space: &Space, group: &[Candidate]) -> Vec<Candidate> {
    let mut left: Vec<Candidate> = group.to_vec();
    for wall in space.id().wall_cells() {
        let walls = space.id().walls & !wall.bit();
        let without = |candidate: &Candidate| board(space, walls, &candidate.position);
        let Some(first) = left.first() else { break };
        let cluster = Cluster::explore(&without(first), Metric::Moves, Bounds::NONE);
        let cluster = cluster.expect("there is no limit");
        left.retain(|candidate| {
            let distance = cluster.distance(&without(candidate));
            distance.is_some_and(|distance| distance < u32::from(candidate.distance))
        });
    }
    left
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
