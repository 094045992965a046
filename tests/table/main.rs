//! Tables: how they are solved, written, read, counted, and asked.

#[path = "../common/mod.rs"]
mod common;

mod census;
mod distances;
mod file;
mod probe;
mod retrograde;
mod shared;
mod walls;

use tailback::board::Metric;

#[test]
fn every_distance_of_4x4() {
    for metric in [Metric::Moves, Metric::Steps] {
        distances::compare(4, metric, &oracle::solve_space(4, metric == Metric::Steps));
    }
}
