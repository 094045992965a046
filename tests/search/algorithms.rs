//! The algorithms of the search laboratory: on the cards, against the oracle,
//! at their limits.

use crate::boards;

use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;
use tailback::board::{Board, Metric, Move};
use tailback::cluster::Bounds;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::{Estimator, Traffic};
use tailback::formula::Heuristic;
use tailback::probe::Prober;
use tailback::search::{Algorithm, Blind, Limits, Report, SearchCounts, Solution, Stop, Verdict, run};
use tailback::space::{Rank, Space};
use tailback::table::{BuildOptions, build};

const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];
const WITHOUT: Limits = Limits { nodes: None, time: None, memory: None, stop: None, without_distinct: false };

static NO_TABLES: LazyLock<Prober> = LazyLock::new(Prober::without_tables);

/// A row of a set: the name, the board and numbers.
struct Fact {
    name: &'static str,
    board: Board,
    numbers: Vec<u64>,
}

impl Fact {
    fn distance(&self, metric: Metric) -> u32 {
        self.numbers[metric as usize] as u32
    }
}

fn facts(text: &'static str) -> Vec<Fact> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let numbers = fields[2..].iter().filter_map(|field| field.parse().ok()).collect();
            Fact { name: fields[0], board: Board::parse(fields[1]).unwrap(), numbers }
        })
        .collect()
}

fn cards() -> Vec<Fact> {
    let cards = facts(include_str!("../../src/domains/rush_hour/sets/jam.tsv"));
    assert_eq!(cards.len(), 40);
    cards
}

fn named(text: &str) -> Algorithm {
    text.parse().unwrap()
}

/// Searches; algorithms without a guide leave the heuristic alone.
fn search_with(
    prober: &Prober,
    board: &Board,
    metric: Metric,
    algorithm: Algorithm,
    heuristic: &str,
    limits: &Limits,
) -> Report<Move> {
    let traffic = Traffic::new(board, metric);
    let report = if algorithm.is_guided() {
        let heuristic: Heuristic = VOCABULARY.read(heuristic).unwrap();
        let mut guide = Estimator::new(&heuristic, &traffic, prober, Bounds::default()).unwrap();
        run(algorithm, &traffic, traffic.start(), &mut guide, limits).unwrap()
    } else {
        let Ok(report) = run(algorithm, &traffic, traffic.start(), &mut Blind, limits);
        report
    };
    let SearchCounts { generated, expanded, distinct, stored } = report.counts;
    assert!(generated >= 1 && stored >= 1, "{algorithm}");
    assert!(distinct.is_none_or(|distinct| distinct >= 1 && distinct <= generated), "{algorithm}");
    if let Verdict::Solved(solution) = &report.verdict {
        replay(board, metric, solution);
        assert!(expanded > solution.actions.len() as u64, "{algorithm}");
    }
    report
}

fn search(board: &Board, metric: Metric, algorithm: &str, heuristic: &str, limits: &Limits) -> Report<Move> {
    search_with(&NO_TABLES, board, metric, named(algorithm), heuristic, limits)
}

/// A solution leads to a solved board, every move is legal, no board before
/// the last is solved, and the cost is what it says.
fn replay(board: &Board, metric: Metric, solution: &Solution<Move>) {
    let mut board = board.clone();
    for &mv in &solution.actions {
        assert!(!board.is_solved());
        assert!(metric == Metric::Moves || mv.delta.abs() == 1);
        board = board.apply(mv).unwrap();
    }
    assert!(board.is_solved());
    assert_eq!(solution.cost as usize, solution.actions.len());
}

/// The cost of a solution that is proven optimal.
fn proven(report: &Report<Move>) -> u32 {
    let solution = report.solution().unwrap_or_else(|| panic!("{report:?}"));
    assert!(solution.proven_optimal);
    solution.cost
}

mod known_boards {
    use super::*;

    #[test]
    fn a_star_generates_as_many_nodes_as_published_on_the_cards() {
        for card in cards() {
            let [_, _, _, zero_min, zero_max, blocking_min, blocking_max] = card.numbers[..] else {
                panic!("{}", card.name)
            };
            for (algorithm, heuristic, least, most) in [
                ("astar", "zero", zero_min, zero_max),
                ("astar", "blocking", blocking_min, blocking_max),
                // The same order, but for that among equals.
                ("bfs", "", zero_min, zero_max),
                ("wastar:0", "blocking", zero_min, zero_max),
            ] {
                let report = search(&card.board, Metric::Moves, algorithm, heuristic, &WITHOUT);
                let generated = report.counts.generated;
                assert_eq!(proven(&report), card.distance(Metric::Moves), "{} {algorithm}", card.name);
                assert!((least..=most).contains(&generated), "{} {algorithm} {generated}", card.name);
            }
        }
    }

    #[test]
    fn exact_algorithms_agree_on_the_cards() {
        let limits = Limits { without_distinct: true, ..WITHOUT };
        for card in cards() {
            for (algorithm, heuristic, metric) in [
                ("ida-tt", "blocking", Metric::Moves),
                ("astar", "advanced-admissible", Metric::Moves),
                ("astar", "advanced-admissible", Metric::Steps),
                ("wastar:0.5", "advanced-distance", Metric::Steps),
                ("astar", "max(blocking,0.5*distance+0.5*advanced-distance)", Metric::Steps),
            ] {
                let report = search(&card.board, metric, algorithm, heuristic, &limits);
                assert_eq!(proven(&report), card.distance(metric), "{} {algorithm} {heuristic}", card.name);
            }
        }
    }

    /// Without memory most cards take too long.
    #[test]
    fn searches_without_memory_agree_where_they_end() {
        for (algorithm, nodes, at_least) in [("iddfs", 3_000_000, 1), ("ida", 500_000, 3)] {
            let limits = Limits { nodes: Some(nodes), without_distinct: true, ..WITHOUT };
            let mut solved = 0;
            for card in cards() {
                let distance = card.distance(Metric::Moves);
                let report = search(&card.board, Metric::Moves, algorithm, "blocking", &limits);
                match report.verdict {
                    Verdict::Solved(_) => {
                        assert_eq!(proven(&report), distance, "{} {algorithm}", card.name);
                        solved += 1;
                    }
                    Verdict::Stopped { reason, at_least } => {
                        assert_eq!(reason, Stop::Nodes);
                        assert!((1..=distance).contains(&at_least), "{} {algorithm}", card.name);
                    }
                    Verdict::Unsolvable => panic!("{} {algorithm}", card.name),
                }
                assert_eq!(report.counts.distinct, None);
                // The states of the way, and those that wait beside it.
                assert!(report.counts.stored < 60 * u64::from(distance), "{} {algorithm}", card.name);
            }
            assert!(solved >= at_least, "{algorithm} solved {solved} cards");
        }
    }

    #[test]
    fn hasty_algorithms_prove_nothing() {
        let mut longer = 0;
        for card in cards() {
            for (algorithm, heuristic) in
                [("dfs", ""), ("greedy", "blocking"), ("greedy", "hybrid"), ("astar", "hybrid")]
            {
                for metric in METRICS {
                    let report = search(&card.board, metric, algorithm, heuristic, &WITHOUT);
                    let solution = report.solution().unwrap();
                    assert!(!solution.proven_optimal, "{} {algorithm}", card.name);
                    assert!(solution.cost >= card.distance(metric), "{} {algorithm}", card.name);
                    longer += usize::from(solution.cost > card.distance(metric));
                }
            }
        }
        assert!(longer > 100, "only {longer} solutions are too long");
    }

    #[test]
    fn the_boards_of_the_course() {
        let published = [("easy-3", 16), ("medium-1", 24), ("hard-3", 33), ("expert-2", 73)];
        let boards = facts(include_str!("../../src/domains/rush_hour/sets/it3105.tsv"));
        assert_eq!(boards.len(), 7);
        for (name, steps) in published {
            let board = boards.iter().find(|fact| fact.name == name).unwrap();
            assert_eq!(board.distance(Metric::Steps), steps);
        }
        for fact in boards {
            for (algorithm, heuristic, metric) in [
                ("bfs", "", Metric::Moves),
                ("bfs", "", Metric::Steps),
                ("astar", "distance-blockers", Metric::Steps),
                ("astar", "advanced-distance", Metric::Steps),
            ] {
                let report = search(&fact.board, metric, algorithm, heuristic, &WITHOUT);
                assert_eq!(proven(&report), fact.distance(metric), "{} {algorithm}", fact.name);
            }
        }
    }

    /// Who knows all distances walks straight to the exit.
    #[test]
    fn the_perfect_heuristic_expands_the_solution_alone() {
        for card in cards() {
            for metric in METRICS {
                for algorithm in ["astar", "ida", "ida-tt", "greedy"] {
                    let report = search(&card.board, metric, algorithm, "perfect", &WITHOUT);
                    let distance = card.distance(metric);
                    assert_eq!(report.solution().unwrap().cost, distance, "{} {algorithm}", card.name);
                    assert_eq!(report.counts.expanded, u64::from(distance) + 1, "{} {algorithm}", card.name);
                }
            }
        }
    }

    #[test]
    fn the_perfect_heuristic_of_a_table_expands_the_solution_alone() {
        let folder = tempfile::tempdir().unwrap();
        for (size, step) in [(4, 97), (5, 40_009)] {
            for metric in METRICS {
                build(&BuildOptions::new(folder.path(), size, metric), &()).unwrap();
            }
            let with_table = Prober::new(folder.path());
            let space = Space::of_size(size).unwrap();
            let mut solvable = 0;
            for rank in (0..space.boards()).step_by(step) {
                let board = space.board(&space.position(Rank(rank)).unwrap());
                for metric in METRICS {
                    let search = |algorithm: &str, prober| {
                        search_with(prober, &board, metric, named(algorithm), "perfect", &WITHOUT)
                    };
                    for algorithm in ["astar", "ida"] {
                        let report = search(algorithm, &with_table);
                        let without = search(algorithm, &NO_TABLES);
                        assert_eq!((&report.verdict, report.counts), (&without.verdict, without.counts));
                        let expected = match report.verdict {
                            Verdict::Solved(_) => u64::from(proven(&report)) + 1,
                            Verdict::Unsolvable => 0,
                            Verdict::Stopped { .. } => panic!("{board}"),
                        };
                        assert_eq!(report.counts.expanded, expected, "{algorithm} {metric}\n{board}");
                        solvable += usize::from(expected > 1);
                    }
                }
            }
            assert!(solvable > 100, "{solvable}");
        }
    }
}

mod oracles_boards {
    use super::*;

    /// Searches that look at every state once, or in rounds that end.
    const COMPLETE: [&str; 8] =
        ["bfs", "dfs", "greedy", "astar", "wastar:2", "wastar:5", "ida-tt", "wida-tt:1.5"];
    /// Searches that may go round and round in an unsolvable board.
    const FORGETFUL: [&str; 3] = ["iddfs", "ida", "wida:3"];
    const HEURISTICS: [&str; 8] = [
        "zero",
        "blocking",
        "advanced",
        "advanced-admissible",
        "hybrid",
        "perfect",
        "0.3*move-freed+0.7*advanced-distance",
        "max(distance-blockers,0.5*goal-distance)",
    ];

    /// All algorithms with all these heuristics say what the oracle says.
    /// Counts the boards that forgetful searches solved.
    fn check(board: &Board, heuristics: &[&str]) -> usize {
        let limits = Limits { nodes: Some(20_000), ..WITHOUT };
        let mut solved = 0;
        for metric in METRICS {
            let truth = oracle::distance(&boards::in_x(board), board.size(), metric == Metric::Steps);
            for name in COMPLETE.into_iter().chain(FORGETFUL) {
                let (algorithm, is_complete) = (named(name), COMPLETE.contains(&name));
                let heuristics = if algorithm.is_guided() { heuristics } else { &["zero"] };
                for heuristic in heuristics {
                    let limits = if is_complete { &WITHOUT } else { &limits };
                    let report = search(board, metric, name, heuristic, limits);
                    let admissible = VOCABULARY.read(heuristic).unwrap().is_admissible(metric);
                    let told = format!("{name} {heuristic} {metric} {:?} {truth:?}\n{board}", report.verdict);
                    match report.verdict {
                        Verdict::Solved(solution) => {
                            let distance = truth.unwrap_or_else(|| panic!("{told}"));
                            let weight = match algorithm {
                                Algorithm::AStar { weight } | Algorithm::IdaStar { weight, .. } => {
                                    Some(weight)
                                }
                                Algorithm::BreadthFirst | Algorithm::IterativeDeepening => Some(1.into()),
                                Algorithm::DepthFirst | Algorithm::Greedy => None,
                            };
                            let weight = weight.map(|weight| weight.as_f64().max(1.0)).filter(|_| admissible);
                            let exact = weight == Some(1.0);
                            assert_eq!(solution.proven_optimal, exact || distance == 0, "{told}");
                            assert!(solution.cost >= distance, "{told}");
                            if let Some(weight) = weight {
                                assert!(f64::from(solution.cost) <= weight * f64::from(distance), "{told}");
                            }
                            solved += usize::from(!is_complete && distance > 0);
                        }
                        Verdict::Unsolvable => assert_eq!(truth, None, "{told}"),
                        Verdict::Stopped { reason, at_least } => {
                            assert!(!is_complete && reason == Stop::Nodes, "{told}");
                            assert!(truth.is_none_or(|distance| at_least <= distance), "{told}");
                        }
                    }
                }
            }
        }
        solved
    }

    #[test]
    fn boards_of_four_by_four() {
        let space = Space::of_size(4).unwrap();
        let mut solved = 0;
        for rank in (0..space.boards()).step_by(53) {
            solved += check(&space.board(&space.position(Rank(rank)).unwrap()), &HEURISTICS);
        }
        assert!(solved > 1000, "{solved}");
    }

    #[test]
    fn boards_of_five_by_five() {
        let space = Space::of_size(5).unwrap();
        for rank in (0..space.boards()).step_by(200_003) {
            check(&space.board(&space.position(Rank(rank)).unwrap()), &HEURISTICS);
        }
    }

    #[test]
    fn boards_that_no_table_has() {
        for text in [
            // A wall to go round.
            "..B.CC ..B..D AAB..D x....D EE.x.. ......",
            // A wall in the way, and one that holds the blocker.
            "....... ....... AA..x.. ....... ....... ....... .......",
            "...B.. ...B.. AA.B.. ...x.. ...... CC....",
            // Two vehicles fill a column; one waits in the row.
            "..BD AABD ..C. ..C.",
            ".... AABB .CC. ....",
            // Larger than any table.
            ".BBBB.. C.....D C.....D CAA.E.D ....E.. FFF.E.G ......G",
            "xxxxxxxx xB.....x xB....Cx AA....Cx xxxx..Cx xxxx...x xxxxDDDx xxxxxxxx",
            // Solved.
            "..AA .... BB.. ....",
            "x.AA BBBB .... CCCC",
        ] {
            check(&Board::parse(text).unwrap(), &HEURISTICS);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_boards(
            board in boards::any_board(),
            heuristics in prop::sample::subsequence(&HEURISTICS[..], 3),
        ) {
            prop_assume!(oracle::cluster(&boards::in_x(&board), board.size(), 1500).is_some());
            check(&board, &heuristics);
        }
    }
}

mod counting {
    use super::*;

    /// A board at its distance from the start, as the oracle sees it.
    struct Reached {
        text: String,
        depth: u32,
        successors: Vec<String>,
    }

    /// Everything that can be reached, level by level.
    fn levels(board: &Board, metric: Metric) -> Vec<Reached> {
        let start = board.text();
        let mut depths = HashMap::from([(start.clone(), 0)]);
        let mut list = vec![start];
        let mut reached: Vec<Reached> = Vec::new();
        while let Some(text) = list.get(reached.len()).cloned() {
            let depth = depths[&text];
            let successors = oracle::successors(&text, board.size(), metric == Metric::Steps);
            let successors: Vec<String> = successors.into_iter().map(|next| next.text).collect();
            for next in &successors {
                if !depths.contains_key(next) {
                    depths.insert(next.clone(), depth + 1);
                    list.push(next.clone());
                }
            }
            reached.push(Reached { text, depth, successors });
        }
        reached
    }

    /// 0 when solved, else 1 and the vehicles between A and the right edge.
    fn blocking(text: &str, size: usize) -> u32 {
        let cells: Vec<char> = text.chars().collect();
        let last = cells.iter().rposition(|&cell| cell == 'A').unwrap();
        let mut ahead = cells[last + 1..last - last % size + size].to_vec();
        if ahead.is_empty() {
            return 0;
        }
        ahead.dedup();
        1 + ahead.iter().filter(|&&cell| cell != '.' && cell != 'x').count() as u32
    }

    /// Whatever the order among equals: boards below the distance by cost and
    /// guess are expanded, those beyond are not.
    fn check(board: &Board, metric: Metric, name: &str, heuristic: &str) {
        let (size, reached) = (board.size(), levels(board, metric));
        let guess = |text: &str| if heuristic == "blocking" { blocking(text, size) } else { 0 };
        let is_goal = |reached: &&Reached| oracle::is_solved(&reached.text, size);
        let distance = reached.iter().filter(is_goal).map(|reached| reached.depth).min();
        let counts = search(board, metric, name, heuristic, &WITHOUT).counts;

        let mut bounds = Vec::new();
        for with_equals in [false, true] {
            let is_expanded = |reached: &&Reached| match distance {
                None => true,
                Some(_) if is_goal(reached) => false,
                Some(distance) => {
                    let sum = reached.depth + guess(&reached.text);
                    sum < distance || (with_equals && sum == distance)
                }
            };
            let goal = u64::from(distance.is_some());
            let expanded: Vec<&Reached> = reached.iter().filter(is_expanded).collect();
            let successors = expanded.iter().flat_map(|reached| &reached.successors);
            let mut distinct: Vec<&String> = successors.clone().chain([&reached[0].text]).collect();
            distinct.sort();
            distinct.dedup();
            bounds.push([1 + successors.count() as u64, expanded.len() as u64 + goal, distinct.len() as u64]);
        }
        let counted = [counts.generated, counts.expanded, counts.distinct.unwrap()];
        for (index, count) in counted.into_iter().enumerate() {
            let (least, most) = (bounds[0][index], bounds[1][index]);
            assert!((least..=most).contains(&count), "{name} {heuristic} {counts:?} {bounds:?}\n{board}");
        }
        assert_eq!(counts.stored, counts.distinct.unwrap());
    }

    #[test]
    fn counts_are_those_of_a_naive_search() {
        let space = Space::of_size(5).unwrap();
        let ranks = (0..space.boards()).step_by(175_003).map(Rank);
        let mut boards: Vec<Board> = ranks.map(|rank| space.board(&space.position(rank).unwrap())).collect();
        // Unsolvable, so all counts are certain.
        for text in [
            "....... ....... AA..x.. ....... ....... ..CC... .......",
            "..BD AABD ..C. ..C.",
            ".... AABB .CC. ....",
        ] {
            let board = Board::parse(text).unwrap();
            assert_eq!(oracle::distance(&board.text(), board.size(), false), None);
            boards.push(board);
        }
        for board in boards {
            for metric in METRICS {
                check(&board, metric, "bfs", "zero");
                check(&board, metric, "astar", "zero");
                check(&board, metric, "astar", "blocking");
            }
        }
    }

    /// Each state once: all of them if there is no solution.
    #[test]
    fn an_unsolvable_board_is_searched_to_its_end() {
        let board = Board::parse("....... .BB.... AA..x.. ....... ....... ..CC... .......").unwrap();
        for metric in METRICS {
            let reached = levels(&board, metric);
            let successors: usize = reached.iter().map(|reached| reached.successors.len()).sum();
            for (algorithm, heuristic) in
                [("bfs", ""), ("dfs", ""), ("greedy", "zero"), ("astar", "blocking")]
            {
                let report = search(&board, metric, algorithm, heuristic, &WITHOUT);
                assert_eq!(report.verdict, Verdict::Unsolvable);
                let SearchCounts { generated, expanded, distinct, .. } = report.counts;
                assert_eq!(
                    (generated, expanded, distinct),
                    (1 + successors as u64, reached.len() as u64, Some(reached.len() as u64)),
                    "{algorithm}"
                );
                assert_eq!(report.branching_factor(), None);
            }
            // A wall ahead is proof without a search.
            let counts = search(&board, metric, "astar", "advanced-admissible", &WITHOUT).counts;
            assert_eq!(counts, SearchCounts { generated: 1, expanded: 0, distinct: Some(1), stored: 1 });
        }
    }

    #[test]
    fn distinct_states_of_searches_without_memory() {
        let board = Board::parse("..B.AAB...CC....").unwrap();
        for metric in METRICS {
            let all = levels(&board, metric).len() as u64;
            for algorithm in ["iddfs", "ida", "ida-tt", "dfs"] {
                let counts = search(&board, metric, algorithm, "blocking", &WITHOUT).counts;
                assert!((3..=all).contains(&counts.distinct.unwrap()), "{algorithm} {counts:?} {all}");
                let without = Limits { without_distinct: true, ..WITHOUT };
                let uncounted = search(&board, metric, algorithm, "blocking", &without).counts;
                assert_eq!(uncounted, SearchCounts { distinct: None, ..counts });
            }
        }
    }

    #[test]
    fn a_solved_board_is_one_node() {
        let board = Board::parse("..AA .... BB.. ....").unwrap();
        for (algorithm, _) in Algorithm::NAMES {
            let report = search(&board, Metric::Moves, algorithm, "hybrid", &WITHOUT);
            assert_eq!(proven(&report), 0, "{algorithm}");
            let counts = SearchCounts { generated: 1, expanded: 1, distinct: Some(1), stored: 1 };
            assert_eq!(report.counts, counts, "{algorithm}");
            assert_eq!(report.branching_factor(), None);
        }
    }
}

mod limits {
    use super::*;

    /// The first card: 8 moves.
    const CARD: &str = "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo";

    fn stopped(algorithm: &str, heuristic: &str, limits: &Limits) -> (Stop, u32, SearchCounts) {
        let board = Board::parse(CARD).unwrap();
        let report = search(&board, Metric::Moves, algorithm, heuristic, limits);
        match report.verdict {
            Verdict::Stopped { reason, at_least } => (reason, at_least, report.counts),
            other => panic!("{algorithm}: {other:?}"),
        }
    }

    #[test]
    fn at_once() {
        let flag = AtomicBool::new(true);
        for (limits, expected) in [
            (Limits { nodes: Some(0), ..WITHOUT }, Stop::Nodes),
            (Limits { nodes: Some(1), ..WITHOUT }, Stop::Nodes),
            (Limits { time: Some(Duration::ZERO), ..WITHOUT }, Stop::Time),
            (Limits { stop: Some(&flag), ..WITHOUT }, Stop::Interrupted),
            // Who asks to stop comes first.
            (
                Limits { stop: Some(&flag), time: Some(Duration::ZERO), memory: Some(0), ..WITHOUT },
                Stop::Interrupted,
            ),
        ] {
            for (algorithm, _) in Algorithm::NAMES {
                let (reason, at_least, counts) = stopped(algorithm, "blocking", &limits);
                assert_eq!((reason, counts.expanded, counts.generated), (expected, 0, 1), "{algorithm}");
                assert!(at_least <= 3, "{algorithm}: the guess is 3");
            }
        }
    }

    #[test]
    fn memory() {
        for (algorithm, _) in Algorithm::NAMES {
            let (reason, at_least, _) =
                stopped(algorithm, "blocking", &Limits { memory: Some(1), ..WITHOUT });
            assert_eq!(reason, Stop::Memory, "{algorithm}");
            assert!(at_least <= 8, "{algorithm}");
        }
        // More room, more boards.
        let kept = |memory| stopped("bfs", "", &Limits { memory: Some(memory), ..WITHOUT }).2.stored;
        assert!(kept(20_000) < kept(200_000));
    }

    #[test]
    fn nodes() {
        let (board, distance) = (Board::parse(CARD).unwrap(), 8);
        for (algorithm, _) in Algorithm::NAMES {
            for heuristic in ["zero", "blocking", "advanced-admissible", "hybrid"] {
                let mut last = 0;
                for nodes in [10, 100, 1_000, 5_000] {
                    let limits = Limits { nodes: Some(nodes), ..WITHOUT };
                    let report = search(&board, Metric::Moves, algorithm, heuristic, &limits);
                    let Verdict::Stopped { reason, at_least } = report.verdict else { continue };
                    assert_eq!(reason, Stop::Nodes);
                    assert!(
                        (last..=distance).contains(&at_least),
                        "{algorithm} {heuristic} {nodes} {at_least}"
                    );
                    last = at_least;
                    // The last expansion went beyond: 100,032 for 100,000.
                    assert_eq!(report.counts.generated, nodes, "{algorithm}");
                    assert_eq!(report.branching_factor(), None);
                }
                let is_blind = !named(algorithm).is_guided() && algorithm != "dfs";
                let is_exact =
                    is_blind || ["astar", "ida", "ida-tt"].contains(&algorithm) && heuristic != "hybrid";
                assert_eq!(last > 0, is_exact, "{algorithm} {heuristic}");
            }
        }
    }

    /// A limit that is not reached changes nothing.
    #[test]
    fn wide_enough() {
        let flag = AtomicBool::new(false);
        let limits = Limits {
            nodes: Some(100_000_000),
            time: Some(Duration::from_secs(1_000_000)),
            memory: Some(1 << 40),
            stop: Some(&flag),
            without_distinct: false,
        };
        let board = Board::parse(CARD).unwrap();
        for (algorithm, heuristic) in
            [("bfs", ""), ("dfs", ""), ("astar", "blocking"), ("ida-tt", "advanced")]
        {
            let limited = search(&board, Metric::Moves, algorithm, heuristic, &limits);
            let free = search(&board, Metric::Moves, algorithm, heuristic, &WITHOUT);
            assert_eq!((limited.verdict, limited.counts), (free.verdict, free.counts), "{algorithm}");
        }
    }
}
