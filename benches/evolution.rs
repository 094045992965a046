//! What evolution costs: `cargo bench --bench evolution [-- ROUNDS]`.
//!
//! 1. Least squares: 1,000 policies, 10,000 boards, 100 generations, on all
//!    cores, with all that a run does but the saving.
//! 2. Search fitness: nodes a second, against the laboratory's own A* with the
//!    same formula; the runs take turns.
//!
//! `cargo bench --bench evolution -- FORMULAS BOARDS` judges the formulas of a
//! file (one a line) by the boards of another (board, tab, distance) on one
//! thread, and prints the mean squared error of each and the time of all
//! together: what `scripts/race-deap` runs.

mod cards;

use std::time::{Duration, Instant};

use tailback::board::{Board, Metric};
use tailback::cluster::Bounds;
use tailback::dataset::{Draw, Tables};
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::{Estimator, Traffic};
use tailback::evolution::{Arena, Evolution, Experiment, Sample, State, judge};
use tailback::formula::Heuristic;
use tailback::formula::Kind;
use tailback::probe::Prober;
use tailback::puzzles::{Labelled, PUZZLES, Settings};
use tailback::search::{Algorithm, Limits, run};
use tailback::table::{BuildOptions, Table, build};

const POLICIES: &str = "
name = \"speed\"
[blocks]
numbers = [\"all\", \"features\"]
conditions = [\"all\"]
[genome]
kind = \"policy\"
values = \"VALUES\"
constants = [0, 20]
depth = 4
parts = 30
[population]
size = 1000
[stop]
generations = 100
[data]
train = { set = \"jam\" }
test = { set = \"jam\" }
";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if let [formulas, boards] = &args[..] {
        return race(formulas, boards);
    }
    let rounds = args.first().and_then(|arg| arg.parse().ok()).unwrap_or(5);
    let boards = boards(10_000);
    for values in ["weights", "trees"] {
        policies(values, &boards);
    }
    searches(rounds);
}

/// Boards of 5×5, drawn from a table that is built for it.
fn boards(count: u64) -> Vec<Labelled> {
    let folder = std::env::temp_dir().join(format!("tailback-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the table");
    build(&BuildOptions::new(&folder, 5, Metric::Moves), &()).expect("a table");
    let table = Table::open(&folder, 5, Metric::Moves).expect("the table");
    std::fs::remove_dir_all(&folder).expect("the table stays open");
    let tables = [&table];
    let mut draw = Draw::new(Tables { by_metric: &tables }, count, 1, false);
    let mut boards = Vec::new();
    while let Some(batch) = draw.next_batch(&()) {
        boards.extend(batch.expect("a whole table").iter().map(|drawn| {
            let distance = drawn.distances[0].known().expect("solvable boards are drawn");
            labelled(&table.space().board(&drawn.position), distance)
        }));
    }
    boards
}

fn labelled(board: &Board, distance: u32) -> Labelled {
    let oracle = PUZZLES[0].open(Settings::default()).expect("nothing to open");
    let (_, instance) = oracle.read(&board.to_string()).expect("a board");
    Labelled { instance, distance }
}

fn policies(values: &str, boards: &[Labelled]) {
    let experiment = Experiment::parse(&POLICIES.replace("VALUES", values)).expect("it is right");
    let training = judge(&experiment, boards, &()).expect("exact distances");
    let test = judge(&experiment, &boards[..100], &()).expect("exact distances");
    let evolution = Evolution {
        breeder: &experiment.breeder,
        breeding: &experiment.breeding,
        training: &training,
        test: &test,
        seed: 1,
        observer: &(),
    };
    let start = Instant::now();
    let mut state = State::default();
    let mut last = None;
    for _ in 0..100 {
        last = evolution.advance(&mut state).expect("all columns are there");
    }
    let seconds = start.elapsed().as_secs_f64();
    let judged = state.evaluations as f64 * boards.len() as f64;
    println!(
        "least squares: 1,000 policies of {values} × {} boards × 100 generations: {seconds:.1} s, {} formulas judged, \
         {:.0} million boards a second, best {:.3}",
        boards.len(),
        state.evaluations,
        judged / seconds / 1e6,
        last.expect("a hundred").champion
    );
}

/// Nodes a second of search fitness and of plain A*, on the 40 cards.
fn searches(rounds: usize) {
    let boards: Vec<Board> = cards::cards();
    let cards: Vec<Labelled> = boards.iter().map(|board| labelled(board, 0)).collect();
    let prober = Prober::without_tables();
    let limits = Limits { without_distinct: true, ..Limits::default() };
    let blocks: Vec<Heuristic> =
        VOCABULARY.guesses().chain(VOCABULARY.of_kind(Kind::Feature)).map(Heuristic::from).collect();
    for text in ["blocking+0.3*mobile", "0.5*advanced+0.25*hybrid+0.1*open-moves"] {
        let formula: Heuristic = VOCABULARY.read(text).expect("a formula");
        let arena = Arena::new(&cards, &blocks, Algorithm::A_STAR, limits.clone(), &()).expect("boards");
        let (mut fitness, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            fitness.push(rate(|| {
                arena.outcomes(&formula).expect("small clusters").iter().map(|outcome| outcome.nodes).sum()
            }));
            plain.push(rate(|| {
                let nodes = |board: &Board| {
                    let traffic = Traffic::new(board, Metric::Moves);
                    let mut guide = Estimator::new(&formula, &traffic, &prober, Bounds::default())
                        .expect("a small cluster");
                    let report = run(Algorithm::A_STAR, &traffic, traffic.start(), &mut guide, &limits);
                    report.expect("a small cluster").counts.generated
                };
                boards.iter().map(nodes).sum()
            }));
        }
        let best = |rates: &[f64]| rates.iter().copied().fold(0.0, f64::max);
        println!(
            "search fitness, {text}: {:.2} million nodes a second, plain A* {:.2}, ratio {:.2}",
            best(&fitness) / 1e6,
            best(&plain) / 1e6,
            best(&fitness) / best(&plain)
        );
    }
}

fn rate(work: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let nodes = work();
    nodes as f64 / start.elapsed().as_secs_f64()
}

fn race(formulas: &str, boards: &str) {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let formulas: Vec<Heuristic> =
        read(formulas).lines().map(|line| VOCABULARY.read(line).expect("a formula")).collect();
    let row = |line: &str| {
        let (board, distance) = line.split_once('\t').expect("a tab");
        labelled(&Board::parse(board).expect("a board"), distance.parse().expect("a distance"))
    };
    let boards: Vec<Labelled> = read(boards).lines().map(row).collect();
    let blocks: Vec<Heuristic> =
        VOCABULARY.guesses().chain(VOCABULARY.of_kind(Kind::Feature)).map(Heuristic::from).collect();
    let sample = Sample::new(&boards, &blocks, 0, &()).expect("exact distances");
    // The fastest of a few rounds: it is over in no time.
    let mut fastest = Duration::MAX;
    let mut errors = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        errors = formulas.iter().map(|formula| sample.squared_error(formula).expect("all blocks")).collect();
        fastest = fastest.min(start.elapsed());
    }
    errors.iter().for_each(|error| println!("{error}"));
    println!("seconds {}", fastest.as_secs_f64());
}
