//! Costs against naive computations.

use std::collections::BTreeMap;

use tailback::board::Metric;
use tailback::cluster::Bounds;
use tailback::dataset::last_move;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::value_of;
use tailback::domains::rush_hour::{Estimator, Scene, Traffic};
use tailback::evolution::{Aim, Arena, Judge, Sample, Weighing};
use tailback::formula::Heuristic;
use tailback::formula::Kind;
use tailback::probe::Prober;
use tailback::puzzles::Labelled;
use tailback::search::{Algorithm, Blind, Limits, Verdict, run};

use crate::{board, boards};

const BLOCKS: [&str; 6] = ["blocking", "hybrid", "mobile", "pattern:20", "move-freed", "move-to-secluded"];
const SEED: u64 = 5;

fn formulas() -> Vec<Heuristic> {
    [
        "blocking",
        "0.3*hybrid+0.25*mobile+0.001*blocking",
        "mobile - hybrid",
        "if(move-freed or hybrid<=3,pattern:20*1.5,hybrid/mobile)",
        "rules(move-to-secluded -> 2; blocking>=mobile -> min(hybrid,mobile); 0.5*pattern:20)",
    ]
    .map(|text| VOCABULARY.read(text).unwrap())
    .to_vec()
}

fn sample(boards: &[Labelled]) -> Sample {
    let blocks: Vec<Heuristic> = BLOCKS.iter().map(|name| VOCABULARY.read(name).unwrap()).collect();
    Sample::new(boards, &blocks, SEED, &()).unwrap()
}

/// The value for a board, one by one.
fn value(heuristic: &Heuristic, labelled: &Labelled) -> f64 {
    let (board, distance) = (&board(labelled), labelled.distance);
    let before = last_move(board, Metric::Moves, SEED).map(|last| board.apply(last.reversed()).unwrap());
    let before = before.as_ref().map(Scene::of);
    value_of(heuristic, &Scene::of(board), before.as_ref(), Metric::Moves, distance.into()).as_f64()
}

/// Pair by pair; one that is called equal counts half.
fn share_in_wrong_order(values: &[f64], distances: &[u32]) -> f64 {
    let (mut wrong, mut pairs) = (0.0, 0.0);
    for a in 0..values.len() {
        for b in 0..a {
            let (near, far) = if distances[a] < distances[b] { (a, b) } else { (b, a) };
            if distances[near] != distances[far] {
                pairs += 1.0;
                wrong += match values[near].total_cmp(&values[far]) {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 1.0,
                };
            }
        }
    }
    if pairs == 0.0 { 0.0 } else { wrong / pairs }
}

#[test]
fn squared_errors_and_order() {
    for count in [1, 2, 255, 256, 257, 700] {
        let boards = boards(count, count);
        let sample = sample(&boards);
        for heuristic in formulas() {
            let values: Vec<f64> = boards.iter().map(|labelled| value(&heuristic, labelled)).collect();
            let errors: Vec<f64> = values
                .iter()
                .zip(&boards)
                .map(|(value, b)| (value - f64::from(b.distance)).powi(2))
                .collect();
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            let found = sample.squared_error(&heuristic).unwrap();
            assert!((found - mean).abs() < 1e-9 * (1.0 + mean), "{heuristic}: {found}, not {mean}");
            let some: Vec<usize> = (0..boards.len()).step_by(3).collect();
            let of_some = sample.squared_errors(&heuristic, &some).unwrap();
            assert!(some.iter().zip(of_some).all(|(&at, found)| (errors[at] - found).abs() < 1e-9));

            let distances: Vec<u32> = boards.iter().map(|labelled| labelled.distance).collect();
            let expected = share_in_wrong_order(&values, &distances);
            let found = sample.disorder(&heuristic).unwrap();
            assert!((found - expected).abs() < 1e-12, "{heuristic}: {found}, not {expected}");
        }
    }
}

#[test]
fn order_within_families() {
    // Many boards of 5×5 share a family, most of them at other distances.
    let boards = boards(700, 3);
    let sample = sample(&boards);
    assert!(sample.has_order_within());
    let mut families: BTreeMap<u64, Vec<&Labelled>> = BTreeMap::new();
    boards.iter().for_each(|labelled| families.entry(labelled.instance.group()).or_default().push(labelled));
    families.retain(|_, boards| boards.len() > 1);
    assert!(families.len() > 20);
    for heuristic in formulas() {
        let shares = families.values().map(|boards| {
            let values: Vec<f64> = boards.iter().map(|labelled| value(&heuristic, labelled)).collect();
            let distances: Vec<u32> = boards.iter().map(|labelled| labelled.distance).collect();
            share_in_wrong_order(&values, &distances)
        });
        let expected = shares.sum::<f64>() / families.len() as f64;
        let found = sample.disorder_within(&heuristic).unwrap();
        assert!((found - expected).abs() < 1e-12, "{heuristic}: {found}, not {expected}");
    }
}

#[test]
fn searches() {
    let boards = boards(40, 9);
    let prober = Prober::without_tables();
    // Taken down for the judge, worked out for the naive searches.
    let blocks: Vec<Heuristic> =
        VOCABULARY.guesses().chain(VOCABULARY.of_kind(Kind::Feature)).map(Heuristic::from).collect();
    let weighing = Weighing { length: 2.0, nodes: 0.01, unsolved: 50.0 };
    for (algorithm, nodes) in [("wastar:2", 100_000), ("greedy", 15), ("wida-tt:2", 3_000)] {
        let algorithm: Algorithm = algorithm.parse().unwrap();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let arena = Arena::new(&boards, &blocks, algorithm, limits.clone(), &()).unwrap();
        let judge = Judge { sample: sample(&boards), arena: Some(arena), weighing };
        for heuristic in formulas() {
            let (mut cost, mut left, mut unsolved) = (0.0, 0.0, 0);
            for labelled in &boards {
                let traffic = Traffic::new(&board(labelled), Metric::Moves);
                let Ok(blind) = run(algorithm, &traffic, traffic.start(), &mut Blind, &limits);
                let mut guide = Estimator::new(&heuristic, &traffic, &prober, Bounds::default()).unwrap();
                let report = run(algorithm, &traffic, traffic.start(), &mut guide, &limits).unwrap();
                let nodes = report.counts.generated as f64;
                cost += 0.01 * nodes;
                match report.verdict {
                    Verdict::Solved(solution) => {
                        cost += 2.0 * f64::from(solution.cost);
                        left += nodes / blind.counts.generated as f64;
                    }
                    _ => {
                        unsolved += 1;
                        left += 1.0;
                    }
                }
            }
            let count = boards.len() as f64;
            let expected = cost / count + 50.0 * f64::from(unsolved) / count;
            let found = judge.cost(Aim::Search, &heuristic).unwrap();
            assert!((found - expected).abs() < 1e-9, "{algorithm} {heuristic}: {found}, not {expected}");
            let found = judge.cost(Aim::Saved, &heuristic).unwrap();
            assert!((found - left / count).abs() < 1e-12, "{algorithm} {heuristic}");
            assert!(nodes > 15 || unsolved > 0, "the limit is felt");
        }
    }
}

#[test]
fn a_formula_of_other_blocks_has_no_cost() {
    let sample = sample(&boards(10, 1));
    let error = sample.squared_error(&VOCABULARY.read("blocking+distance").unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "there is no column of distance");
}
