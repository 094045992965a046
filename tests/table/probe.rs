//! Table, search and oracle agree on random boards of every size, with walls,
//! in the mirror, and where a rule decides.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::prelude::*;
use tailback::board::{Board, Distance, Metric};
use tailback::cluster::{self, Bounds};
use tailback::probe::{Prober, Session, Source, read_moves};
use tailback::progress::Observer;
use tailback::table::{BuildOptions, TableError, build};

const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];

/// A folder with the 4×4 and 5×5 tables, built once.
fn tables() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            for size in [4, 5] {
                for metric in METRICS {
                    build(&BuildOptions::new(folder.path(), size, metric), &()).unwrap();
                }
            }
            folder
        })
        .path()
}

/// What random boards may have.
#[derive(Clone, Copy)]
struct Taste {
    size: usize,
    row: usize,
    vehicles: usize,
    longest: usize,
    walls: usize,
}

/// A random board: pieces dropped where they fit.
fn random_board(random: &mut impl Rng, taste: Taste) -> String {
    let size = taste.size;
    let mut grid = vec!['.'; size * size];
    let primary = taste.row * size + random.random_range(0..size - 1);
    grid[primary..primary + 2].fill('A');
    for letter in ('B'..='Z').take(taste.vehicles) {
        let len = random.random_range(2..=taste.longest.min(size));
        let (line, start) = (random.random_range(0..size), random.random_range(0..=size - len));
        let across = random.random_bool(0.5);
        let cells: Vec<usize> =
            (start..start + len).map(|i| if across { line * size + i } else { i * size + line }).collect();
        if cells.iter().all(|&c| grid[c] == '.') {
            cells.iter().for_each(|&c| grid[c] = letter);
        }
    }
    for _ in 0..taste.walls {
        let cell = random.random_range(0..size * size);
        if grid[cell] == '.' {
            grid[cell] = 'x';
        }
    }
    grid.into_iter().collect()
}

/// All ways to ask give the oracle's answer; returns the source.
fn check(prober: &Prober, text: &str, size: usize, metric: Metric) -> Source {
    let board = Board::parse(text).unwrap();
    let steps = metric == Metric::Steps;
    let distances = oracle::distances_of_cluster(text, size, steps);
    let truth = Distance::from(distances[&oracle::plain(text)]);
    let mut session = prober.session();
    let (distance, source) = session.distance(&board, metric, Bounds::default()).unwrap();
    assert_eq!(distance, truth, "{metric}\n{board}");

    let rating = session.rate(&board, metric, Bounds::default()).unwrap();
    assert_eq!((rating.distance, rating.source), (truth, source));
    let mut after: Vec<(String, Distance)> = oracle::successors(text, size, steps)
        .into_iter()
        .map(|next| (next.notation, distances[&next.text].into()))
        .collect();
    let mut rated: Vec<(String, Distance)> =
        rating.moves.iter().map(|&(mv, d)| (board.notation(mv), d)).collect();
    assert!(rated.is_sorted_by_key(|&(_, d)| d), "best first");
    after.sort();
    rated.sort();
    assert_eq!(rated, after, "{metric}\n{board}");

    let answer = session.solve(&board, metric, Bounds::default()).unwrap();
    assert_eq!((answer.distance, answer.source), (truth, source));
    match (answer.solution, truth.known()) {
        (None, None) => {}
        (Some(moves), Some(distance)) => {
            assert_eq!(moves.len() as u32, distance);
            let end = moves.iter().fold(board.clone(), |b, &mv| b.apply(mv).unwrap());
            assert!(end.is_solved(), "{board}\n\n{end}");
        }
        other => panic!("{other:?}"),
    }
    source
}

fn clusters_are_small(text: &str, size: usize) -> bool {
    oracle::cluster(text, size, 3000).is_some()
}

#[test]
fn random_boards_of_all_sizes_get_the_oracles_answer() {
    let with = Prober::new(tables());
    let without = Prober::without_tables();
    let mut random = rand_pcg::Pcg64::seed_from_u64(1);
    let mut sources = [0; 3];
    for size in 4..=8 {
        let mut boards = 0;
        while boards < 60 {
            let taste = Taste {
                size,
                row: random.random_range(0..size),
                vehicles: size * 2 + 2,
                longest: if random.random_bool(0.3) { size } else { 3 },
                walls: if random.random_bool(0.5) { size / 2 } else { 0 },
            };
            let text = random_board(&mut random, taste);
            if !clusters_are_small(&text, size) {
                continue;
            }
            boards += 1;
            for metric in METRICS {
                let source = check(&with, &text, size, metric);
                sources[source as usize] += 1;
                let searched = check(&without, &text, size, metric);
                assert!(searched == Source::Search || (searched, source) == (Source::Rule, Source::Rule));
            }
        }
    }
    assert!(sources.iter().all(|&n| n > 20), "every source was asked: {sources:?}");
}

#[test]
fn tables_answer_their_boards_and_the_mirror_images() {
    let prober = Prober::new(tables());
    let mut random = rand_pcg::Pcg64::seed_from_u64(2);
    for (size, row) in [(4, 1), (4, 2), (5, 2)] {
        let mut answered = 0;
        for _ in 0..200 {
            let vehicles = random.random_range(0..2 * size);
            let text = random_board(&mut random, Taste { size, row, vehicles, longest: 3, walls: 0 });
            if !clusters_are_small(&text, size) {
                continue;
            }
            for metric in METRICS {
                let source = check(&prober, &text, size, metric);
                assert_ne!(source, Source::Search, "{text}");
                answered += usize::from(source == Source::Table);
            }
        }
        assert!(answered > 100);
    }
}

#[test]
fn a_vehicle_right_of_the_primary_is_decided_by_rule() {
    let prober = Prober::new(tables());
    for (text, size) in [
        (".....  .....  AA.BB  .....  .....", 5),
        ("......  ......  AA.BBB  ......  ......  ......", 6),
        ("x......  .......  .......  .......  .......  AABB...  .......", 7),
    ] {
        let board = Board::parse(text).unwrap();
        assert_eq!(board.size(), size);
        for metric in METRICS {
            let mut session = prober.session();
            let found = session.distance(&board, metric, Bounds::default()).unwrap();
            assert_eq!(found, (Distance::UNSOLVABLE, Source::Rule));
            assert_eq!(session.optimal_solutions(&board, metric, Bounds::default()).unwrap(), 0);
            let rating = session.rate(&board, metric, Bounds::default()).unwrap();
            assert_eq!(rating.moves.len(), board.moves_in(metric).len());
            assert!(rating.moves.iter().all(|m| m.1 == Distance::UNSOLVABLE));
        }
    }
}

#[test]
fn optimal_solutions_are_counted_alike() {
    let with = Prober::new(tables());
    let without = Prober::without_tables();
    let mut random = rand_pcg::Pcg64::seed_from_u64(3);
    let mut many = 0;
    for _ in 0..400 {
        let text = random_board(&mut random, Taste { size: 5, row: 2, vehicles: 11, longest: 3, walls: 0 });
        if !clusters_are_small(&text, 5) {
            continue;
        }
        let board = Board::parse(&text).unwrap();
        for metric in METRICS {
            let truth = if oracle::distance(&text, 5, metric == Metric::Steps).is_some() {
                oracle::optimal_solutions(&text, 5, metric == Metric::Steps)
            } else {
                0
            };
            assert_eq!(
                with.session().optimal_solutions(&board, metric, Bounds::default()).unwrap(),
                truth,
                "{board}"
            );
            assert_eq!(
                without.session().optimal_solutions(&board, metric, Bounds::default()).unwrap(),
                truth,
                "{board}"
            );
            many += usize::from(truth > 1);
        }
    }
    assert!(many > 20);
}

#[test]
fn the_cards_are_solved_without_a_table() {
    let prober = Prober::without_tables();
    let mut session = prober.session();
    let mut cards = 0;
    for file in [
        include_str!("../../src/domains/rush_hour/sets/jam.tsv"),
        include_str!("../../src/domains/rush_hour/sets/it3105.tsv"),
    ] {
        for line in file.lines().filter(|l| !l.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let Ok(board) = Board::parse(fields[1]) else { continue };
            let moves = fields[2].parse().unwrap();
            let steps = fields[3].parse().unwrap();
            for (metric, truth) in [(Metric::Moves, moves), (Metric::Steps, steps)] {
                assert_eq!(
                    session.distance(&board, metric, Bounds::default()).unwrap(),
                    (Distance::of(truth), Source::Search),
                    "{line}"
                );
                assert_eq!(
                    session.rate(&board, metric, Bounds::default()).unwrap().moves[0].1,
                    Distance::of(truth - 1)
                );
            }
            cards += 1;
        }
    }
    assert_eq!(cards, 47);
}

#[test]
fn a_damaged_table_is_an_error_and_not_a_search() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("4x4-moves.tailback"), b"TAILBACK but no table").unwrap();
    let board = Board::parse("....AA..........").unwrap();
    let prober = Prober::new(folder.path());
    let error = prober.session().distance(&board, Metric::Moves, Bounds::default()).expect_err("damaged");
    assert!(error.to_string().contains("damaged"), "{error}");
    assert!(
        prober.session().distance(&board, Metric::Steps, Bounds::default()).is_ok(),
        "the other metric is searched"
    );
}

/// Counts the questions of a search, which are as many as its work is long.
#[derive(Default)]
struct Asked(AtomicUsize);

impl Observer for Asked {
    fn wants_stop(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        false
    }
}

/// Guards against a search of the whole cluster for every move of a game.
#[test]
fn a_game_in_a_large_cluster_takes_one_search() {
    let board =
        Board::parse("BB.....C LL.....C FF.....C AA.....D HH.....D KK.....D II.....E GG.....E").unwrap();
    assert!(cluster::size(&board, 10_000_000).unwrap() > 1_000_000);
    let asked = |ask: &dyn Fn(&mut Session, Bounds)| {
        let observer = Asked::default();
        let bounds = Bounds { observer: &observer, ..Bounds::default() };
        ask(&mut Prober::without_tables().session(), bounds);
        observer.0.into_inner()
    };
    let once = asked(&|session, bounds| {
        assert_eq!(session.distance(&board, Metric::Moves, bounds).unwrap().0, Distance::UNSOLVABLE);
    });
    let moves = read_moves(&board, &"A+1 A-1 ".repeat(8)).unwrap();
    let game = asked(&|session, bounds| {
        let grade = session.grade(&board, &moves, Metric::Moves, bounds).unwrap();
        assert_eq!((grade.moves.len(), grade.total_loss()), (16, None));
    });
    assert!(game < 2 * once, "{game} questions, {once} of one search");
}

/// Guards programs with a misspelt name: all was searched, and nobody said why.
#[test]
fn a_folder_that_is_named_has_to_be_there() {
    let error = Prober::open(tables().join("no such")).expect_err("there is none");
    assert!(
        matches!(&error, TableError::NoFolder { .. }) && error.to_string().contains("no such"),
        "{error}"
    );
    assert!(Prober::open(tables().join("4x4-moves.tailback")).is_err(), "it is a file");
    let mut session = Prober::open(tables()).unwrap().session();
    let board = Board::parse("..B. AAB. ..CC ....").unwrap();
    let found = session.distance(&board, Metric::Moves, Bounds::default()).unwrap();
    assert_eq!(found, (Distance::of(3), Source::Table));
}

/// A worker of somebody's program: it has no lifetime, and lives on another thread.
struct Worker {
    session: Session,
    solved: usize,
}

#[test]
fn a_session_is_kept_in_a_struct_and_moved_into_a_thread() {
    let session = Prober::new(tables()).session();
    let mut worker = Worker { session, solved: 0 };
    let thread = std::thread::spawn(move || {
        for source in [Source::Table, Source::Search] {
            let board = Board::parse("..B. AAB. ..CC ....").unwrap();
            let answer = worker.session.solve(&board, Metric::Moves, Bounds::default()).unwrap();
            assert_eq!((answer.distance, answer.source), (Distance::of(3), source));
            worker.solved += 1;
            worker.session = Prober::without_tables().session();
        }
        worker
    });
    assert_eq!(thread.join().unwrap().solved, 2);
}

/// Who asks next has bounds of their own: nothing of the last question stays.
#[test]
fn bounds_are_those_of_the_question() {
    let board = Board::parse("..B.AAB...CC....").unwrap();
    let mut session = Prober::without_tables().session();
    let mut ask = |boards: usize| session.distance(&board, Metric::Moves, boards.into()).map(|found| found.0);
    assert!(ask(2).is_err());
    assert_eq!(ask(1_000).unwrap(), Distance::of(3));
    assert!(ask(2).is_err());
}
