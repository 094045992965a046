//! The code for every machine, on boards so few that Miri can run it
//! (`scripts/check-memory`).

use std::collections::HashMap;

use tailback::board::{Board, Metric};
use tailback::cluster::{Cluster, DEFAULT_LIMIT};
use tailback::domains::rush_hour::Traffic;
use tailback::retrograde::{Code, MoveTables, Solver};
use tailback::search::{Algorithm, Blind, Limits, Verdict, run};
use tailback::space::{Blocks, Location, Rank, Space};

const BOARD: &str = "..B.AAB.CC......";

/// The distances of all boards that can be reached, as the oracle finds them.
fn truth(metric: Metric) -> HashMap<String, Option<u32>> {
    oracle::distances_of_cluster(BOARD, 4, metric == Metric::Steps)
}

#[test]
fn ranks() {
    let space = Space::of_size(4).unwrap();
    for rank in (0..space.boards()).step_by(1499).map(Rank) {
        let position = space.position(rank).unwrap();
        assert_eq!(space.rank(&position), rank);
        assert_eq!(space.locate(&space.board(&position)), Ok(Location::Inside(position)));
    }
}

#[test]
fn backward_search() {
    let space = Space::of_size(4).unwrap();
    let inside = |text: &str| match space.locate(&Board::parse(text).unwrap()) {
        Ok(Location::Inside(position)) => position,
        other => panic!("{text}: {other:?}"),
    };
    let blocks = Blocks::new(&space, space.signature_of(&inside(BOARD)));
    // Filling the tables takes Miri minutes.
    let metrics = if cfg!(miri) { &[Metric::Moves][..] } else { &[Metric::Moves, Metric::Steps] };
    for &metric in metrics {
        let tables = MoveTables::new(&space, metric);
        let mut distances = Vec::new();
        Solver::new(&tables).with_code(Code::Portable).solve(&blocks, &mut distances);
        for (text, distance) in truth(metric).iter().filter(|(_, distance)| **distance != Some(0)) {
            let found = distances[blocks.number(&inside(text)) as usize];
            assert_eq!(Some(u32::from(found)), *distance, "{text} in {metric}");
        }
    }
}

#[test]
fn cluster_and_searches() {
    let board = Board::parse(BOARD).unwrap();
    for metric in [Metric::Moves, Metric::Steps] {
        let truth = truth(metric);
        let cluster = Cluster::explore(&board, metric, DEFAULT_LIMIT).unwrap();
        let found: HashMap<String, Option<u32>> =
            cluster.boards().map(|(board, distance)| (board.text().to_string(), distance.known())).collect();
        assert_eq!(found, truth, "{metric}");

        let traffic = Traffic::new(&board, metric);
        for algorithm in [Algorithm::BreadthFirst, Algorithm::DepthFirst, Algorithm::IterativeDeepening] {
            let Ok(report) = run(algorithm, &traffic, traffic.start(), &mut Blind, &Limits::default());
            let Verdict::Solved(solution) = report.verdict else { panic!("{algorithm} in {metric}") };
            assert!(Some(solution.cost) >= truth[BOARD], "{algorithm} in {metric}");
        }
    }
}
