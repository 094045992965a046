//! Patterns, which are exact distances of a part of a board.

use crate::boards::{any_board, in_x};
use crate::heuristics::{METRICS, all_4x4, some};

use std::collections::HashSet;

use proptest::prelude::*;
use rand::prelude::{IndexedRandom, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use tailback::board::{Board, Distance, Metric};
use tailback::cluster::Bounds;
use tailback::domains::rush_hour::heuristic::Pattern;
use tailback::domains::rush_hour::heuristic::value_of;
use tailback::domains::rush_hour::{Estimator, Scene, Traffic, TrafficState};
use tailback::formula::Heuristic;
use tailback::probe::Prober;
use tailback::search::{Domain, Guide, Value};

use oracle::heuristics as naive;

const BOARDS: [u32; 3] = [1, 10, 100];

fn of_size(boards: u32) -> Heuristic {
    Heuristic::from(Pattern { boards })
}

/// All states that can be reached, and those one move from each.
fn reachable(traffic: &Traffic) -> Vec<(TrafficState, Vec<TrafficState>)> {
    let mut seen = HashSet::from([traffic.start()]);
    let mut states = vec![traffic.start()];
    let mut found = Vec::new();
    while let Some(state) = states.pop() {
        let mut next = Vec::new();
        traffic.for_each_successor(&state, |state, _| next.push(state));
        states.extend(next.iter().filter(|&&state| seen.insert(state)));
        found.push((state, next));
    }
    found
}

/// Whatever board a search starts from, a pattern is never too high, and no
/// move changes it by more than 1.
#[test]
fn are_admissible_and_consistent_on_all_of_4x4() {
    let boards: Vec<Board> = all_4x4().collect();
    let prober = Prober::without_tables();
    for metric in METRICS {
        let distances = oracle::solve_space(4, metric == Metric::Steps);
        boards.par_iter().for_each(|start| {
            let traffic = Traffic::new(start, metric);
            let states = reachable(&traffic);
            let is_solvable = distances[&oracle::code_of(&start.text())] != oracle::UNSOLVABLE;
            for heuristic in BOARDS.map(of_size) {
                let mut guide = Estimator::new(&heuristic, &traffic, &prober, Bounds::default()).unwrap();
                assert!(Guide::<Traffic>::is_admissible(&guide));
                let mut value = |state| guide.estimate(&traffic, state, None).unwrap().0;
                for (state, next) in &states {
                    let here = value(state);
                    if is_solvable {
                        let distance = distances[&oracle::code_of(&traffic.board(*state).text())];
                        assert!(
                            here <= Value::from(u32::from(distance)),
                            "{heuristic} in {metric} of {start}"
                        );
                    }
                    for next in next {
                        let there = value(next);
                        let is_near = here <= there.plus(Value::ONE) && there <= here.plus(Value::ONE);
                        assert!(is_near, "{heuristic} in {metric} of {start}");
                    }
                }
            }
        });
    }
}

/// Along a walk, the oracle's distances of what is left; gives the number
/// of vehicles that were taken away.
fn walk(board: &Board, boards: u32, metric: Metric, random: &mut Pcg64) -> usize {
    let (text, size, steps) = (in_x(board), board.size(), metric == Metric::Steps);
    let left = naive::left_by_pattern(&text, size, boards as usize);
    let distances = oracle::distances_of_cluster(&naive::with_only(&text, &left), size, steps);
    let prober = Prober::without_tables();
    let traffic = Traffic::new(board, metric);
    let heuristic = of_size(boards);
    let mut guide = Estimator::new(&heuristic, &traffic, &prober, Bounds::default()).unwrap();
    let mut state = traffic.start();
    for step in 0..40 {
        let now = traffic.board(state);
        let expected = distances[&naive::with_only(&in_x(&now), &left)];
        let expected = expected.map_or(Value::INFINITE, Value::from);
        let found = guide.estimate(&traffic, &state, None).unwrap().0;
        assert_eq!(found, expected, "{heuristic} from {board} at {now}");
        if step == 0 {
            assert_eq!(
                value_of(&heuristic, &Scene::of(board), None, metric, Distance::UNSOLVABLE),
                expected,
                "{board}"
            );
        }
        let mut next = Vec::new();
        traffic.for_each_successor(&state, |state, _| next.push(state));
        let Some(&chosen) = next.choose(random) else { break };
        state = chosen;
    }
    board.vehicles().len() - left.len()
}

#[test]
fn are_distances_of_what_is_left() {
    let mut random = Pcg64::seed_from_u64(17);
    let boards = all_4x4().step_by(101).chain(some(5, 100)).chain(some(6, 50));
    let (mut less, mut whole) = (0, 0);
    for board in boards {
        for boards in BOARDS {
            for metric in METRICS {
                match walk(&board, boards, metric, &mut random) {
                    0 => whole += 1,
                    _ => less += 1,
                }
            }
        }
    }
    assert!(less > 100 && whole > 100, "{less} of less vehicles, {whole} of all");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]
    #[test]
    fn are_distances_of_what_is_left_of_any_board(
        board in any_board(),
        boards in prop::sample::select(&BOARDS[..]),
        seed in any::<u64>(),
    ) {
        for metric in METRICS {
                walk(&board, boards, metric, &mut Pcg64::seed_from_u64(seed));
            }
    }
}

#[test]
fn that_leave_all_vehicles_are_exact() {
    let largest = Heuristic::from(Pattern::MOST);
    let compare = |board: &Board, metric: Metric, exact: Option<u32>| {
        let value = value_of(&largest, &Scene::of(board), None, metric, Distance::UNSOLVABLE);
        assert_eq!(value, exact.map_or(Value::INFINITE, Value::from), "{metric} of {board}");
    };
    for metric in METRICS {
        let steps = metric == Metric::Steps;
        for (&code, &distance) in &oracle::solve_space(4, steps) {
            let exact = (distance != oracle::UNSOLVABLE).then_some(u32::from(distance));
            compare(&Board::parse(&oracle::text_of(code, 4)).unwrap(), metric, exact);
        }
        for board in some(5, 100) {
            compare(&board, metric, oracle::distance(&board.text(), 5, steps));
        }
    }
}
