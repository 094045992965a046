//! All of 4×4 against the oracle; `tests/exhaustive` has all of 5×5.

use crate::columns;
use crate::survey::{compare_all, compare_walls, solve};

use std::collections::BTreeMap;

use tailback::board::Metric;
use tailback::retrograde::MoveTables;
use tailback::space::{Space, SpaceId, Spaces};

#[test]
fn every_column() {
    columns::compare_all(4, 32);
}

#[test]
fn every_cluster_with_up_to_two_walls() {
    let four = Space::of_size(4).unwrap();
    let tables = MoveTables::new(&four, Metric::Moves);
    let spaces = Spaces::with_walls(4, 0..=2);
    let distances: BTreeMap<SpaceId, oracle::Distances> =
        spaces.iter().map(|space| (space, solve(space))).collect();
    for space in spaces.iter() {
        let less = space.wall_cells().map(|cell| SpaceId { walls: space.walls - cell.bit(), ..space });
        let maps: Vec<&oracle::Distances> =
            [space].into_iter().chain(less).map(|id| &distances[&id]).collect();
        compare_walls(&tables, space, &maps);
    }
}

#[test]
fn every_cluster() {
    compare_all(4, &oracle::solve_space(4, false));
}
