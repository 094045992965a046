//! All of 5×5, and whole row signatures of 6×6, against the oracle: what takes
//! minutes, so they are run by `cargo test -- --ignored` alone. The programs of the
//! rooms have quick tests of the same things.

#[path = "../common/mod.rs"]
mod common;

#[path = "../catalogue/columns.rs"]
mod columns;
#[path = "../table/distances.rs"]
mod distances;
#[path = "../catalogue/survey.rs"]
mod survey;

mod clusters;
mod patterns;
mod reasons;
mod retrograde;
mod walls;

use std::sync::LazyLock;

use tailback::board::{Board, Distance, Metric};
use tailback::cluster::{DEFAULT_LIMIT, rate};
use tailback::domains::rush_hour::heuristic::Measure;
use tailback::domains::rush_hour::quality::Trial;
use tailback::formula::Heuristic;
use tailback::formula::Kind;
use tailback::search::quality::Sample;

/// The oracle's distances, found once for all tests: 0.8 GB each.
static IN_MOVES: LazyLock<oracle::Distances> = LazyLock::new(|| oracle::solve_space(5, false));
static IN_STEPS: LazyLock<oracle::Distances> = LazyLock::new(|| oracle::solve_space(5, true));

#[test]
#[ignore = "takes minutes"]
fn every_distance_in_moves() {
    distances::compare(5, Metric::Moves, &IN_MOVES);
}

#[test]
#[ignore = "takes minutes"]
fn every_distance_in_steps() {
    distances::compare(5, Metric::Steps, &IN_STEPS);
}

#[test]
#[ignore = "takes minutes"]
fn every_cluster() {
    survey::compare_all(5, &IN_MOVES);
}

#[test]
#[ignore = "takes minutes"]
fn every_column_of_every_puzzle() {
    columns::compare_all(5, 2_411);
}

#[test]
#[ignore = "takes minutes"]
fn searches_on_the_spot() {
    for (metric, space) in [(Metric::Moves, &IN_MOVES), (Metric::Steps, &IN_STEPS)] {
        assert_eq!(space.len(), 10_492_784);
        let expected = |distance: u8| match distance {
            oracle::UNSOLVABLE => Distance::UNSOLVABLE,
            distance => Distance::of(distance.into()),
        };
        for (&code, &distance) in space.iter().step_by(499) {
            let board = Board::parse(&oracle::text_of(code, 5)).unwrap();
            let found = rate(&board, metric, DEFAULT_LIMIT).unwrap();
            assert_eq!(found.distance, expected(distance), "{board}");
            for (mv, distance) in found.moves {
                let after = oracle::code_of(&board.apply(mv).unwrap().text());
                assert_eq!(distance, expected(space[&after]), "{board}");
            }
        }
    }
}

/// Every claim of a heuristic holds on every board.
#[test]
#[ignore = "takes minutes"]
fn claims_of_heuristics() {
    for metric in [Metric::Moves, Metric::Steps] {
        // What is called unsolvable is so in both metrics.
        let is_needed = |measure: &Measure| {
            measure.facts().kind != Kind::Feature
                && (metric == Metric::Moves || measure.facts().is_admissible(metric))
        };
        let measures: Vec<Heuristic> =
            Measure::ALL.into_iter().filter(is_needed).map(Heuristic::from).collect();
        let trial = Trial { table: common::table(5, metric), heuristics: &measures, conditions: &[] };
        let quality = trial.run(Sample::All, &()).unwrap();
        assert_eq!(quality.instances, 10_492_784);
        for (heuristic, accuracy) in measures.iter().zip(quality.accuracies) {
            assert_eq!(accuracy.false_proof, None, "{heuristic}");
            let is_wrong = heuristic.is_admissible(metric) && accuracy.over > 0;
            assert!(!is_wrong, "{heuristic} in {metric}: {:?}", accuracy.worst);
        }
    }
}
