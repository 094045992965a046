//! 5×5 with walls: every single one, and some pairs.

use crate::IN_MOVES;
use crate::survey::{compare_walls, solve};

use rayon::prelude::*;
use tailback::board::{Metric, Square};
use tailback::retrograde::MoveTables;
use tailback::space::{Space, SpaceId, Spaces};

/// Beside the primary, where everything passes, and in a corner.
const CELLS: [&str; 3] = ["A3", "D2", "B5"];

#[test]
#[ignore = "takes minutes"]
fn every_cluster_with_one_wall_and_some_with_two() {
    let five = Space::of_size(5).unwrap();
    let tables = MoveTables::new(&five, Metric::Moves);
    let bits = CELLS.map(|name| Square::named(name, 5).unwrap().bit());
    let spaces: Vec<SpaceId> = Spaces::with_walls(5, 1..=1).iter().collect();
    let compared = spaces.into_par_iter().filter_map(|space| {
        let distances = solve(space);
        compare_walls(&tables, space, &[&distances, &IN_MOVES]);
        bits.contains(&space.walls).then_some((space.walls, distances))
    });
    let kept: Vec<(u64, oracle::Distances)> = compared.collect();
    for (at, (one, first)) in kept.iter().enumerate() {
        for (other, second) in &kept[..at] {
            let pair = SpaceId { size: 5, walls: one | other };
            compare_walls(&tables, pair, &[&solve(pair), first, second]);
        }
    }
}
