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

use tailback::board::{Board, Metric};
use tailback::dataset::{Lot, Tables, Wanted};
use tailback::puzzles::{Labelled, PUZZLES, Settings};

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
    let oracle = PUZZLES[0].open(Settings::default()).unwrap();
    let label = |drawn: &tailback::dataset::Drawn| Labelled {
        instance: oracle.read(&table.space().board(&drawn.position).text()).unwrap().1,
        distance: drawn.distances[0].known().unwrap(),
    };
    drawn.iter().map(label).collect()
}

fn board(labelled: &Labelled) -> Board {
    Board::parse(&labelled.instance.text()).unwrap()
}
