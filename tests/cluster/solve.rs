//! The exact solver of one cluster, against published facts and the oracle.

use std::sync::atomic::{AtomicUsize, Ordering};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use tailback::board::{Axis, Board, Distance, Metric, Vehicle, nth_letter};
use tailback::cluster::{self, Bounds, Cluster, ClusterError, DEFAULT_LIMIT, Memory, rate, solve};
use tailback::progress::Observer;

const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];

struct Fact {
    name: String,
    board: Board,
    moves: u32,
    steps: u32,
    cluster: usize,
}

/// The rows of a file in `src/domains/rush_hour/sets`.
fn facts(file: &str) -> Vec<Fact> {
    let text =
        std::fs::read_to_string(format!("{}/src/domains/rush_hour/sets/{file}", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Fact {
                name: fields[0].to_owned(),
                board: Board::parse(fields[1]).unwrap(),
                moves: fields[2].parse().unwrap(),
                steps: fields[3].parse().unwrap(),
                cluster: fields[4].parse().unwrap(),
            }
        })
        .collect()
}

/// A solution leads to a solved board, every move is legal, no board before
/// the last is solved, and the length is what it says.
fn replay(board: &Board, metric: Metric, solution: &tailback::cluster::Solution) {
    let mut board = board.clone();
    for &mv in &solution.moves {
        assert!(!board.is_solved());
        assert!(metric == Metric::Moves || mv.delta.abs() == 1);
        board = board.apply(mv).unwrap();
    }
    assert!(board.is_solved());
    assert_eq!(solution.distance as usize, solution.moves.len());
}

fn check_facts(file: &str, count: usize) {
    let facts = facts(file);
    assert_eq!(facts.len(), count);
    for Fact { name, board, moves, steps, cluster: size } in facts {
        for (metric, distance) in [(Metric::Moves, moves), (Metric::Steps, steps)] {
            let cluster = Cluster::explore(&board, metric, DEFAULT_LIMIT).unwrap();
            assert_eq!(cluster.len(), size, "{name}");
            assert_eq!(cluster.distance(&board), Some(Distance::of(distance)), "{name}");
            replay(&board, metric, &cluster.solution(&board).unwrap());

            let solution = solve(&board, metric, DEFAULT_LIMIT).unwrap().unwrap();
            assert_eq!(solution.distance, distance, "{name}");
            replay(&board, metric, &solution);
            let mirrored = solve(&board.mirrored(), metric, DEFAULT_LIMIT).unwrap().unwrap();
            assert_eq!(mirrored.distance, distance, "{name} upside down");

            let rated = rate(&board, metric, DEFAULT_LIMIT).unwrap();
            assert_eq!(rated.distance, Distance::of(distance), "{name}");
            assert_eq!(rated.moves, cluster.rated_moves(&board), "{name}");
        }
    }
}

#[test]
fn the_forty_cards() {
    check_facts("jam.tsv", 40);
}

#[test]
fn the_course_boards() {
    check_facts("it3105.tsv", 7);
}

#[test]
fn the_largest_cluster() {
    let board = Board::parse("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...").unwrap();
    for metric in METRICS {
        let cluster = Cluster::explore(&board, metric, DEFAULT_LIMIT).unwrap();
        assert_eq!(cluster.len(), 541_934);
        assert_eq!(cluster.histogram().iter().sum::<u64>(), 541_934);
        let solution = solve(&board, metric, DEFAULT_LIMIT).unwrap().unwrap();
        assert_eq!(cluster.distance(&board), Some(Distance::of(solution.distance)));
        // The law of distances, on a sample.
        for (board, distance) in cluster.boards().step_by(1001) {
            let (_, best) = cluster.rated_moves(&board)[0];
            assert!(distance.is_solvable());
            assert_eq!(distance == Distance::SOLVED, board.is_solved());
            assert!(distance == Distance::SOLVED || distance == best.one_more());
        }
    }
}

/// A random board of this size: walls, long vehicles, any primary row.
fn random_board(rng: &mut Pcg64, size: usize) -> Board {
    let n = size as u8;
    let vehicle = |rng: &mut Pcg64, index: usize| {
        let len = if rng.random_bool(0.1) { rng.random_range(2..=n) } else { rng.random_range(2..=3) };
        let axis = if rng.random_bool(0.5) { Axis::Horizontal } else { Axis::Vertical };
        let (line, start) = (rng.random_range(0..n), rng.random_range(0..=n - len));
        Vehicle { letter: nth_letter(index), axis, line, start, len }
    };
    let (line, start) = (rng.random_range(0..n), rng.random_range(0..n - 1));
    let primary = Vehicle { letter: 'A', axis: Axis::Horizontal, line, start, len: 2 };
    let mut vehicles = vec![primary];
    let mut taken = primary.cells(size);
    let mut walls = 0;
    for _ in 0..rng.random_range(0..3) {
        let wall = 1u64 << rng.random_range(0..size * size);
        walls |= wall & !taken;
    }
    taken |= walls;
    for _ in 0..rng.random_range(0..size * size) {
        let next = vehicle(rng, vehicles.len());
        if taken & next.cells(size) == 0 {
            taken |= next.cells(size);
            vehicles.push(next);
        }
    }
    Board::from_parts(size, walls, vehicles, 0).unwrap()
}

#[test]
fn random_boards_against_the_oracle() {
    let mut rng = Pcg64::seed_from_u64(2026);
    for size in 4..=8 {
        let (mut solvable, mut unsolvable) = (0, 0);
        while solvable < 12 || unsolvable < 6 {
            let board = random_board(&mut rng, size);
            // The oracle knows walls as x.
            let in_x = |board: &Board| board.text().replace('#', "x");
            let text = in_x(&board);
            if oracle::cluster(&text, size, 3_000).is_none() {
                continue;
            }
            for metric in METRICS {
                let steps = metric == Metric::Steps;
                let expected = oracle::distances_of_cluster(&text, size, steps);
                let cluster = Cluster::explore(&board, metric, DEFAULT_LIMIT).unwrap();
                assert_eq!(cluster.len(), expected.len(), "{board}");
                let size = cluster::size(&board, DEFAULT_LIMIT).unwrap();
                assert_eq!(size, expected.len() as u64, "{board}");
                for (board, distance) in cluster.boards() {
                    assert_eq!(distance.known(), expected[&in_x(&board)], "{board}");
                    assert_eq!(cluster.distance(&board), Some(distance), "{board}");
                }
                check_board(&board, metric, &cluster, expected[&text].into());
            }
            match oracle::distance(&text, size, false) {
                Some(_) => solvable += 1,
                None => unsolvable += 1,
            }
        }
    }
}

/// Every answer about one board fits its distance.
fn check_board(board: &Board, metric: Metric, cluster: &Cluster, distance: Distance) {
    let steps = metric == Metric::Steps;
    let solved = solve(board, metric, DEFAULT_LIMIT).unwrap();
    assert_eq!(solved.as_ref().map(|solution| solution.distance), distance.known(), "{board}");
    if let Some(solution) = solved {
        replay(board, metric, &solution);
        replay(board, metric, &cluster.solution(board).unwrap());
    }
    assert_eq!(cluster.is_solvable(), distance.is_solvable());
    assert_eq!(cluster.solution(board).is_some(), distance.is_solvable());
    let ways = oracle::optimal_solutions(&board.text(), board.size(), steps);
    assert_eq!(cluster.optimal_solutions(board, &()).unwrap(), ways, "{board}");

    let rated = rate(board, metric, DEFAULT_LIMIT).unwrap();
    assert_eq!(rated.distance, distance, "{board}");
    assert_eq!(rated.moves, cluster.rated_moves(board), "{board}");
    assert_eq!(rated.moves.len(), board.moves_in(metric).len());
    assert!(rated.moves.is_sorted_by_key(|&(_, distance)| distance));
    for (mv, distance) in rated.moves {
        assert_eq!(cluster.distance(&board.apply(mv).unwrap()), Some(distance), "{board}");
    }
}

#[test]
fn the_whole_4x4_space() {
    for metric in METRICS {
        let space = oracle::solve_space(4, metric == Metric::Steps);
        assert_eq!(space.len(), 13_146);
        for (&code, &distance) in &space {
            let board = Board::parse(&oracle::text_of(code, 4)).unwrap();
            assert_eq!(oracle::code_of(&board.text()), code);
            let found = solve(&board, metric, DEFAULT_LIMIT).unwrap();
            let expected = (distance != oracle::UNSOLVABLE).then_some(u32::from(distance));
            assert_eq!(found.map(|solution| solution.distance), expected, "{board}");
        }
    }
}

#[test]
fn a_small_limit_is_an_error() {
    let board = Board::parse("BCCoDoBEFoDGBEFAAGHHHIoGooJIKKLLJMMo").unwrap();
    for metric in METRICS {
        assert!(Cluster::explore(&board, metric, 4_780).is_ok());
        assert_eq!(cluster::size(&board, 4_780), Ok(4_780));
        let errors = [
            Cluster::explore(&board, metric, 4_779).map(|_| ()).unwrap_err(),
            cluster::size(&board, 4_779).map(|_| ()).unwrap_err(),
            solve(&board, metric, 1_000).map(|_| ()).unwrap_err(),
            rate(&board, metric, 1_000).map(|_| ()).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, ClusterError::TooLarge { limit: 1_000 | 4_779, .. }), "{error}");
        }
    }
}

#[test]
fn a_huge_cluster_stops_at_the_limit() {
    // One car in each line of an 8×8 board: far more boards than memory.
    let board = Board::parse(
        "BB......
         ..CC....
         ....DD..
         AA....G.
         .H..I.G.
         .H..IJ..
         .....J..
         KK....LL",
    )
    .unwrap();
    let error = Cluster::explore(&board, Metric::Steps, 200_000).unwrap_err();
    assert!(matches!(error, ClusterError::TooLarge { limit: 200_000 }));
    // A near goal is found all the same.
    assert_eq!(solve(&board, Metric::Moves, 200_000).unwrap().unwrap().distance, 2);
    assert_eq!(rate(&board, Metric::Moves, 200_000).unwrap().distance, Distance::of(2));
}

#[test]
fn unsolvable_boards() {
    for text in [
        // A vehicle right of the primary in its row never leaves.
        "...... ...... AA..BB ...... ...... ......",
        // A wall in the primary's way.
        "...... ...... AA...x ...... ...... ......",
        // A column that is full of vehicles.
        "..B... ..B... AAB... ..C... ..C... ..C...",
        // A truck between two walls.
        "...x.. ...B.. AA.B.. ...B.. ...x.. ......",
    ] {
        let board = Board::parse(text).unwrap();
        for metric in METRICS {
            assert_eq!(solve(&board, metric, DEFAULT_LIMIT).unwrap(), None, "{board}");
            let rated = rate(&board, metric, DEFAULT_LIMIT).unwrap();
            assert_eq!(rated.distance, Distance::UNSOLVABLE);
            assert!(rated.moves.iter().all(|&(_, d)| d == Distance::UNSOLVABLE));
            let cluster = Cluster::explore(&board, metric, DEFAULT_LIMIT).unwrap();
            assert!(!cluster.is_solvable() && cluster.contains(&board));
            assert_eq!(cluster.distance(&board), Some(Distance::UNSOLVABLE));
            assert_eq!(cluster.depth(), Distance::UNSOLVABLE);
            assert_eq!((cluster.goal_boards(), cluster.optimal_solutions(&board, &()).unwrap()), (0, 0));
            assert!(cluster.histogram().is_empty() && cluster.hardest().is_empty());
            assert_eq!(cluster.rated_moves(&board), rated.moves);
            let boards = oracle::cluster(&board.text(), 6, usize::MAX).unwrap();
            assert_eq!(cluster.len(), boards.len(), "{board}");
        }
    }
}

#[test]
fn boards_of_other_clusters() {
    let board = Board::parse("..B. AAB. .... ....").unwrap();
    let cluster = Cluster::explore(&board, Metric::Moves, DEFAULT_LIMIT).unwrap();
    for other in [
        "..C. AAC. .... ....",
        ".B.. .B.. AA.. ....",
        "..B. AAB. x... ....",
        "..B. AAB. ..B. ....",
        "..B. AAB. .... CC..",
        "AABB .... .... ....",
        "AA... ..... ..... ..... .....",
    ] {
        let other = Board::parse(other).unwrap();
        assert!(!cluster.contains(&other));
        assert_eq!(cluster.distance(&other), None);
        assert!(cluster.rated_moves(&other).is_empty() && cluster.solution(&other).is_none());
        assert_eq!(cluster.optimal_solutions(&other, &()).unwrap(), 0);
    }
}

/// Guards against taking a vehicle that walls hold for one that may differ:
/// the two boards together would overlap.
#[test]
fn a_vehicle_held_elsewhere_is_another_cluster() {
    let board = Board::parse("B.... B.... x.AA. ..... .CC..").unwrap();
    let other = Board::parse("CC... ..... x.AA. B.... B....").unwrap();
    let third = Board::parse("..CC. ..... x.AA. B.... B....").unwrap();
    for metric in METRICS {
        let cluster = Cluster::explore(&board, metric, DEFAULT_LIMIT).unwrap();
        assert!(cluster.contains(&board) && !cluster.contains(&other) && !cluster.contains(&third));
    }
    let top = Board::parse("B.CC. B.... x.AA. ..... .....").unwrap();
    let cluster = Cluster::explore(&top, Metric::Moves, DEFAULT_LIMIT).unwrap();
    assert!(cluster.contains(&top) && !cluster.contains(&other) && !cluster.contains(&third));
}

#[test]
fn a_solved_board() {
    let board = Board::parse(".... ..AA .... ....").unwrap();
    for metric in METRICS {
        let solution = solve(&board, metric, DEFAULT_LIMIT).unwrap().unwrap();
        assert!(solution.moves.is_empty() && solution.distance == 0);
        let cluster = Cluster::explore(&board, metric, DEFAULT_LIMIT).unwrap();
        assert_eq!((cluster.goal_boards(), cluster.optimal_solutions(&board, &()).unwrap()), (1, 1));
        let after: Vec<_> = cluster.rated_moves(&board).into_iter().map(|(_, d)| d).collect();
        assert!(after.iter().all(|&d| d == Distance::of(1)));
    }
}

#[test]
fn the_hardest_of_a_card() {
    // Card 40 is 51 moves from the exit, and no board without walls is more.
    let board = Board::parse("BCCoDoBEFoDGBEFAAGHHHIoGooJIKKLLJMMo").unwrap();
    let cluster = Cluster::explore(&board, Metric::Moves, DEFAULT_LIMIT).unwrap();
    assert_eq!(cluster.depth(), Distance::of(51));
    let hardest = cluster.hardest();
    assert!(hardest.contains(&board) && hardest.is_sorted_by_key(Board::order));
    assert_eq!(hardest.len() as u64, *cluster.histogram().last().unwrap());
}

/// Stops a search at its n-th question.
struct StopAfter(AtomicUsize);

impl Observer for StopAfter {
    fn wants_stop(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

/// An unsolvable 8×8 board of a large cluster, so that every search sees all of it.
fn unsolvable_8x8() -> Board {
    Board::parse("BB.....C .......C FF.....C AA.....D HH.....D .....K.D II...K.E ....GG.E").unwrap()
}

#[test]
fn every_search_can_be_stopped() {
    fn bounds(observer: &StopAfter) -> Bounds<'_> {
        Bounds { observer, ..DEFAULT_LIMIT.into() }
    }
    let board = unsolvable_8x8();
    let stopped = Err(ClusterError::Stopped);
    for asked in [0, 1, 2] {
        let observer = || StopAfter(AtomicUsize::new(asked));
        for metric in METRICS {
            assert_eq!(solve(&board, metric, bounds(&observer())).map(|_| ()), stopped);
            assert_eq!(rate(&board, metric, bounds(&observer())).map(|_| ()), stopped);
            assert_eq!(Cluster::explore(&board, metric, bounds(&observer())).map(|_| ()), stopped);
        }
        assert_eq!(cluster::size(&board, bounds(&observer())).map(|_| ()), stopped);
    }
}

/// Searches that do not fit side by side are answered one after the other, and
/// what does not fit alone is an error; nothing stays taken.
#[test]
fn searches_share_their_memory() {
    let board = unsolvable_8x8();
    let within = |memory: &Memory| solve(&board, Metric::Moves, Bounds { memory, ..DEFAULT_LIMIT.into() });
    let mut megabytes = 1;
    let memory = &loop {
        let memory = Memory::new(megabytes << 20);
        match within(&memory) {
            Ok(_) => break memory,
            Err(error) => assert!(matches!(error, ClusterError::Memory { others: 0, .. }), "{error}"),
        }
        megabytes += megabytes / 4 + 1;
    };
    assert!(megabytes > 4, "the first search fits already");
    std::thread::scope(|scope| {
        let searches: Vec<_> = (0..4).map(|_| scope.spawn(|| within(memory))).collect();
        for search in searches {
            assert_eq!(search.join().unwrap(), Ok(None));
        }
    });
    assert_eq!(within(memory), Ok(None));
    // A cluster has its part as long as it lives.
    let small = Board::parse("..B. AAB. .... ....").unwrap();
    let tight = &Memory::new(100_000);
    let explored =
        || Cluster::explore(&small, Metric::Moves, Bounds { memory: tight, ..DEFAULT_LIMIT.into() });
    let kept = explored().unwrap();
    let error = std::iter::repeat_with(explored).take(10).collect::<Result<Vec<_>, _>>().unwrap_err();
    assert!(matches!(error, ClusterError::Memory { others: 1.., .. }), "{error}");
    drop(kept);
    assert!(explored().is_ok());
}
