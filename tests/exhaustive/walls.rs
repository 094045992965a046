//! 5×5 with walls: every single one, and some pairs.

use crate::survey::{compare_walls, solve};
use crate::{IN_MOVES, oracle};

use tailback::board::{Metric, Square};
use tailback::retrograde::MoveTables;
use tailback::space::{Space, SpaceId, Spaces};

/// Beside the primary, where everything passes, and in a corner.
const CELLS: [&str; 3] = ["A3", "D2", "B5"];

#[test]
fn every_cluster_with_one_wall_and_some_with_two() {
    let five = Space::of_size(5).unwrap();
    let tables = MoveTables::new(&five, Metric::Moves);
    let bits = CELLS.map(|name| Square::named(name, 5).unwrap().bit());
    let mut kept: Vec<(u64, oracle::Distances)> = Vec::new();
    for space in Spaces::with_walls(5, 1..=1).iter() {
        let distances = solve(space);
        compare_walls(&tables, space, &[&distances, &IN_MOVES]);
        if bits.contains(&space.walls) {
            kept.push((space.walls, distances));
        }
    }
    for (at, (one, first)) in kept.iter().enumerate() {
        for (other, second) in &kept[..at] {
            let pair = SpaceId { size: 5, walls: one | other };
            compare_walls(&tables, pair, &[&solve(pair), first, second]);
        }
    }
}
