//! The search laboratory on the 40 cards, on one thread:
//! `cargo bench --bench search [-- ROUNDS]`.
//!
//! Prints, for each algorithm and heuristic, the nodes of all cards together,
//! and the median and best time over the rounds, with all that a caller pays:
//! the tables of the lines, the guide, the search. The runs take turns, so that
//! a slow minute of the machine hits all of them.

mod cards;

use std::time::{Duration, Instant};

use tailback::board::{Board, Metric};
use tailback::cluster::Bounds;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::{Estimator, Traffic};
use tailback::formula::Heuristic;
use tailback::probe::Prober;
use tailback::search::{Algorithm, Limits, SearchCounts, run};

const RUNS: [(&str, &str); 12] = [
    ("astar", "zero"),
    ("astar", "blocking"),
    ("astar", "blocked-blockers"),
    ("astar", "advanced"),
    ("astar", "advanced-admissible"),
    ("astar", "goal-distance"),
    ("astar", "hybrid"),
    ("astar", "perfect"),
    ("ida", "perfect"),
    ("ida-tt", "blocking"),
    ("greedy", "blocking"),
    ("bfs", "zero"),
];

fn main() {
    let rounds = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(21);
    let cards: Vec<Board> = cards::cards();
    let runs: Vec<(Algorithm, Heuristic)> = RUNS
        .iter()
        .map(|(algorithm, heuristic)| {
            (algorithm.parse().expect("known"), VOCABULARY.read(heuristic).expect("known"))
        })
        .collect();
    let prober = Prober::without_tables();
    let mut times = vec![Vec::new(); runs.len()];
    let mut counts = vec![SearchCounts::default(); runs.len()];
    for _ in 0..rounds {
        for (index, (algorithm, heuristic)) in runs.iter().enumerate() {
            let (count, time) = solve(&cards, *algorithm, heuristic, &prober);
            counts[index] = count;
            times[index].push(time);
        }
    }
    println!("algorithm heuristic            generated  expanded  median ms  best ms  expansions/s (best)");
    for (((algorithm, heuristic), counts), times) in runs.iter().zip(counts).zip(&mut times) {
        times.sort();
        let (median, best) = (times[times.len() / 2].as_secs_f64(), times[0].as_secs_f64());
        println!(
            "{algorithm:9} {heuristic:20} {:11} {:9} {:10.2} {:8.2} {:20.3e}",
            counts.generated,
            counts.expanded,
            median * 1e3,
            best * 1e3,
            counts.expanded as f64 / best
        );
    }
}

fn solve(
    cards: &[Board],
    algorithm: Algorithm,
    heuristic: &Heuristic,
    prober: &Prober,
) -> (SearchCounts, Duration) {
    let limits = Limits { without_distinct: true, ..Limits::default() };
    let mut sum = SearchCounts::default();
    let start = Instant::now();
    for card in cards {
        let traffic = Traffic::new(card, Metric::Moves);
        let mut guide =
            Estimator::new(heuristic, &traffic, prober, Bounds::default()).expect("a small cluster");
        let report = run(algorithm, &traffic, traffic.start(), &mut guide, &limits).expect("a small cluster");
        assert!(report.solution().is_some());
        sum.generated += report.counts.generated;
        sum.expanded += report.counts.expanded;
    }
    (sum, start.elapsed())
}
