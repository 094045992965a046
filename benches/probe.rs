//! Look-ups and on-the-spot searches: `cargo bench --bench probe`.
//!
//! Needs the 6×6 tables that `tailback build` makes, in `db` or in the folder
//! that TAILBACK_DB names; without one it measures the searches alone. Every
//! figure is a median, so a busy machine shifts it little.

mod cards;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rand::prelude::*;
use tailback::board::{Board, Metric};
use tailback::cluster::{Bounds, Cluster, DEFAULT_LIMIT};
use tailback::probe::Prober;
use tailback::space::{Position, Rank, Space};
use tailback::table::{Table, TableError, file_name};

const LARGEST_CLUSTER: &str = "BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...";
const FARTHEST: [(Metric, &str); 2] = [
    (Metric::Moves, "BCCoDoBEFoDGBEFAAGHHHIoGooJIKKLLJMMo"),
    (Metric::Steps, "BBBCDEFGGCDEFoAADEHHIooooJIoKKoJLLMM"),
];

fn main() {
    let folder = PathBuf::from(std::env::var_os("TAILBACK_DB").unwrap_or_else(|| "db".into()));
    for metric in [Metric::Moves, Metric::Steps] {
        match Table::open(&folder, 6, metric) {
            Ok(_) => tables(&folder, metric),
            Err(TableError::Missing { path, .. }) => println!("no {}, skipped", path.display()),
            Err(error) => panic!("{error}"),
        }
    }
    searches();
}

fn print(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_nanos() as f64 / 1e3;
    println!("{what:58} median {:10.3} µs   90% {:10.3} µs   99% {:10.3} µs", at(0.5), at(0.9), at(0.99));
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn tables(folder: &PathBuf, metric: Metric) {
    // Into the page cache.
    let bytes = std::fs::read(folder.join(file_name(6, metric))).expect("readable");
    println!("6×6 {metric}: {} bytes", bytes.len());
    drop(bytes);

    let read = || Table::open(folder, 6, metric).expect("opens");
    // SAFETY: nobody writes to a finished table.
    let map = || unsafe { Table::map(folder, 6, metric) }.expect("opens");
    let mut opening: Vec<Duration> = (0..200).map(|_| timed(read)).collect();
    print(&format!("{metric}: read, open the table"), &mut opening);
    let mut opening: Vec<Duration> = (0..200).map(|_| timed(map)).collect();
    print(&format!("{metric}: map, open the table"), &mut opening);

    let (table, map) = (read(), map());
    let space = Space::of_size(6).expect("tabulated");
    let mut random = rand_pcg::Pcg64::seed_from_u64(6);
    let positions: Vec<Position> = (0..20_000)
        .map(|_| space.position(Rank(random.random_range(0..space.boards()))).expect("in range"))
        .collect();
    let unsolved: Vec<Position> = positions.iter().copied().filter(|p| !space.board(p).is_solved()).collect();
    for (how, table, what, list) in [
        ("read", &table, "random", &positions),
        ("map", &map, "random", &positions),
        ("read", &table, "random unsolved", &unsolved),
        ("map", &map, "random unsolved", &unsolved),
    ] {
        let mut probe = table.probe();
        let mut cold = Vec::new();
        let mut warm = Vec::new();
        for position in list {
            probe.forget();
            cold.push(timed(|| probe.distance(position).expect("reads")));
            warm.push(
                timed(|| (0..16).for_each(|_| _ = std::hint::black_box(probe.distance(position)))) / 16,
            );
        }
        print(&format!("{metric}: {how}, {what}, nothing decoded"), &mut cold);
        print(&format!("{metric}: {how}, {what}, frame decoded"), &mut warm);
    }

    let (_, text) = FARTHEST.into_iter().find(|f| f.0 == metric).expect("both metrics");
    let board = Board::parse(text).expect("a board");
    // SAFETY: as above.
    let prober = unsafe { Prober::mapping(folder) };
    let (distance, _) = prober.session().distance(&board, metric, Bounds::default()).expect("reads");
    let mut solving: Vec<Duration> = (0..200)
        .map(|_| timed(|| prober.session().solve(&board, metric, Bounds::default()).expect("reads")))
        .collect();
    print(&format!("{metric}: whole solution of a board at {distance}, cold"), &mut solving);
    let mut rating: Vec<Duration> = (0..200)
        .map(|_| timed(|| prober.session().rate(&board, metric, Bounds::default()).expect("reads")))
        .collect();
    print(&format!("{metric}: all moves of that board, cold"), &mut rating);
}

fn searches() {
    let prober = Prober::without_tables();
    let cards: Vec<Board> = cards::cards();
    for metric in [Metric::Moves, Metric::Steps] {
        let mut best: Vec<Duration> = cards
            .iter()
            .map(|card| {
                let solve = || prober.session().solve(card, metric, Bounds::default()).expect("small");
                let mut runs: Vec<Duration> = (0..21).map(|_| timed(solve)).collect();
                runs.sort_unstable();
                runs[10]
            })
            .collect();
        print(&format!("{metric}: search of each of the 40 cards (median of 21)"), &mut best);
    }
    let board = Board::parse(LARGEST_CLUSTER).expect("a board");
    for metric in [Metric::Moves, Metric::Steps] {
        let explore = || Cluster::explore(&board, metric, DEFAULT_LIMIT).expect("within the limit");
        assert_eq!(explore().len(), 541_934);
        let mut whole: Vec<Duration> = (0..15).map(|_| timed(explore)).collect();
        print(&format!("{metric}: the largest cluster, all its distances"), &mut whole);
        let mut solving: Vec<Duration> = (0..15)
            .map(|_| {
                timed(|| prober.session().solve(&board, metric, Bounds::default()).expect("within the limit"))
            })
            .collect();
        print(&format!("{metric}: a board of the largest cluster, solved"), &mut solving);
    }
}
