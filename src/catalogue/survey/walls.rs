//! Whether hardest boards need every wall. Without one a board is of another space,
//! so this takes a search on the spot.

use super::minimal::Candidate;
use super::spot::keep_nearer;
use crate::space::Space;

/// Keeps the candidates that are nearer to the exit without any one of their walls.
pub fn keep_needing_walls(space: &Space, candidates: &mut Vec<Candidate>) {
    for wall in space.id().wall_cells() {
        let walls = space.id().walls & !wall.bit();
        keep_nearer(space, walls, candidates, |candidate| candidate.position);
    }
}
