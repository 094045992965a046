//! Patterns on 5×5: exact distances of a part of a board.

use crate::{IN_MOVES, IN_STEPS};

use rayon::prelude::*;
use tailback::board::{Board, Metric};
use tailback::cluster::Bounds;
use tailback::domains::rush_hour::heuristic::Pattern;
use tailback::domains::rush_hour::{Estimator, Traffic, TrafficState};
use tailback::formula::Heuristic;
use tailback::probe::Prober;
use tailback::search::{Domain, Guide, Value};

/// No board is harder without one of its vehicles. So none is without several,
/// and whatever vehicles a pattern leaves, it is never too high.
#[test]
#[ignore = "takes minutes"]
fn no_vehicle_helps() {
    for distances in [&*IN_MOVES, &*IN_STEPS] {
        distances.par_iter().for_each(|(&code, &distance)| {
            let is_easier = oracle::with_one_less(code, 5).all(|less| distances[&less] <= distance);
            assert!(is_easier, "{}", oracle::text_of(code, 5));
        });
    }
}

/// Solving what is left takes some 100 µs a board, an hour for all of them:
/// that is what `scripts/check-patterns` does. Here are 103,890 of them, each
/// with the boards one move away.
#[test]
#[ignore = "takes minutes"]
fn are_admissible_and_consistent() {
    let prober = Prober::without_tables();
    for (metric, distances) in [(Metric::Moves, &*IN_MOVES), (Metric::Steps, &*IN_STEPS)] {
        let starts: Vec<oracle::Code> = distances.keys().copied().step_by(101).collect();
        starts.par_iter().for_each(|&code| {
            let board = Board::parse(&oracle::text_of(code, 5)).unwrap();
            let traffic = Traffic::new(&board, metric);
            let exact = |state| match distances[&oracle::code_of(&traffic.board(state).text())] {
                oracle::UNSOLVABLE => Value::INFINITE,
                distance => Value::from(u32::from(distance)),
            };
            for boards in [20, 200] {
                let heuristic = Heuristic::from(Pattern { boards });
                let mut guide = Estimator::new(&heuristic, &traffic, &prober, Bounds::default()).unwrap();
                let mut value = |state: TrafficState| {
                    let value = guide.estimate(&traffic, &state, None).unwrap().0;
                    assert!(value <= exact(state), "{heuristic} from {board} in {metric}");
                    value
                };
                let here = value(traffic.start());
                traffic.for_each_successor(&traffic.start(), |next, _| {
                    let there = value(next);
                    let is_near = here <= there.plus(Value::ONE) && there <= here.plus(Value::ONE);
                    assert!(is_near, "{heuristic} from {board} in {metric}");
                });
            }
        });
    }
}
