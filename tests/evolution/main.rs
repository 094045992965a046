//! Evolution: what is bred, from what, and that nothing of it is lost.

#[path = "../common/mod.rs"]
mod common;

mod command;
mod data;
mod errors;
mod fitness;
mod report;
mod same_result;
mod text;
mod truth;

use tailback::board::Metric;
use tailback::dataset::{Lot, Tables, Wanted};
use tailback::evolution::Labelled;

/// Boards of 5×5 that can be solved, each with its distance.
fn boards(count: u64, seed: u64) -> Vec<Labelled> {
    let table = common::table(5, Metric::Moves);
    let tables = [table];
    let tables = Tables { by_metric: &tables };
    let lot = Lot {
        tables,
        wanted: Wanted::Count(count),
        distances: None,
        with_unsolvable: false,
        shape: None,
        seed,
    };
    let drawn = lot.drawn(&()).unwrap();
    let label = |drawn: &tailback::dataset::Drawn| Labelled {
        board: table.space().board(&drawn.position),
        distance: drawn.distances[0].known().unwrap(),
    };
    drawn.iter().map(label).collect()
}
