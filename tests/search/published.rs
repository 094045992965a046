//! Published counts of nodes, made again.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use rayon::prelude::*;
use tailback::board::{Board, Metric};
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::{Exit, Scene, Traffic, TrafficState};
use tailback::puzzles::{Method, Puzzle, RushHour, Settings};
use tailback::search::{Algorithm, Domain, GoalTest, Limits, Report, Rules, Ties};

use crate::programs::{Card, HAGENBERG, Queue, RUSH_HOUR_AI, Reading, State, Successors, a_star};

/// The columns of a table, by name.
fn table(text: &'static str) -> Vec<HashMap<&'static str, &'static str>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'));
    let names: Vec<&str> = lines.next().unwrap().collect();
    lines.map(|line| names.iter().copied().zip(line).collect()).collect()
}

fn jam() -> Vec<HashMap<&'static str, &'static str>> {
    table(include_str!("../../src/domains/rush_hour/sets/jam.tsv"))
}

fn hagenberg() -> Vec<HashMap<&'static str, &'static str>> {
    table(include_str!("../data/hagenberg.tsv"))
}

fn rush_hour_ai() -> Vec<HashMap<&'static str, &'static str>> {
    table(include_str!("../data/rushhourai.tsv"))
}

fn number(row: &HashMap<&str, &str>, column: &str) -> u64 {
    row[column].parse().unwrap()
}

/// A heuristic of the plain program.
type Guess<'c> = &'c dyn Fn(&State) -> i32;

/// A search by rules of others.
fn search(board: &str, metric: Metric, method: &str, rules: Rules, exit: Exit) -> Report<()> {
    let mut words = method.split(' ');
    let algorithm: Algorithm = words.next().unwrap().parse().unwrap();
    let heuristic = words.next().map(|name| VOCABULARY.read(name).unwrap());
    let variants = if exit == Exit::Outside { vec![Exit::OUTSIDE] } else { Vec::new() };
    let oracle = RushHour.open(Settings { metric, variants, ..Settings::default() }).unwrap();
    let (_, instance) = oracle.read(board).unwrap();
    let report = instance.solve(&Method { algorithm, heuristic }, rules, &Limits::default());
    report.unwrap().without_actions()
}

fn length(report: &Report<()>) -> u64 {
    u64::from(report.solution().expect("it can be solved").cost)
}

const FOREIGN: Rules = Rules { goal_test: GoalTest::TakenOut, ties: Ties::Oldest, reopens: false };

/// Both programs, with their order of vehicles: every count of their tables, and
/// every length.
#[test]
fn the_programs_of_both_tables_of_cards() {
    let cards: Vec<_> = jam().into_iter().zip(hagenberg()).zip(rush_hour_ai()).collect();
    assert_eq!(cards.len(), 40);
    cards.par_iter().for_each(|((card, hagenberg), other)| {
        assert!(card["name"] == hagenberg["name"] && card["name"] == other["name"]);
        let (name, shortest) = (card["name"], number(card, "moves"));
        let card = Card::new(card["board"], other["order"]);
        let run = |queue, guess: Guess| {
            let (nodes, length) = a_star(&card, Successors::ByVehicle, queue, false, guess);
            (nodes, u64::from(length))
        };
        for (column, found) in [
            ("zero", run(Queue::Oldest, &|state| card.zero(state))),
            ("blocking", run(Queue::Oldest, &|state| card.blocking(state))),
            ("advanced", run(Queue::Oldest, &|state| card.advanced(state, HAGENBERG))),
        ] {
            assert_eq!(found, (number(hagenberg, column), shortest), "{name}, {column}");
        }
        for (column, found) in [
            ("zero", run(Queue::Heap, &|state| card.zero(state))),
            ("blocking", run(Queue::Heap, &|state| card.blocking(state))),
            ("distance", run(Queue::Heap, &|state| card.distance(state))),
            ("advanced", run(Queue::Heap, &|state| card.advanced(state, RUSH_HOUR_AI))),
            ("advanced_distance", run(Queue::Heap, &|state| card.advanced_distance(state, RUSH_HOUR_AI))),
        ] {
            let published = (number(other, column), number(other, &format!("{column}_moves")));
            assert_eq!(found, published, "{name}, {column}");
        }
    });
}

/// What the order of vehicles is worth, and the room behind a vehicle.
#[test]
fn what_else_decides_about_the_sums() {
    let sum = |queue, by_letters: bool, guess: &(dyn Fn(&Card, &State) -> i32 + Sync)| {
        let cards: Vec<_> = jam().into_iter().zip(rush_hour_ai()).collect();
        let nodes = cards.par_iter().map(|(row, other)| {
            let order = if by_letters { letters(row["board"]) } else { other["order"].to_owned() };
            let card = Card::new(row["board"], &order);
            a_star(&card, Successors::ByVehicle, queue, false, |state| guess(&card, state)).0
        });
        nodes.sum::<u64>()
    };
    let right = Reading { room_behind: 0, ..HAGENBERG };
    assert_eq!(sum(Queue::Oldest, false, &|card, state| card.advanced(state, HAGENBERG)), 642_123);
    assert_eq!(sum(Queue::Oldest, false, &|card, state| card.advanced(state, right)), 607_762);
    assert_eq!(sum(Queue::Heap, true, &|card, state| card.blocking(state)), 675_902);
    assert_eq!(sum(Queue::Heap, true, &|card, state| card.advanced(state, RUSH_HOUR_AI)), 566_675);
}

fn letters(board: &str) -> String {
    let letters: BTreeSet<char> = board.chars().filter(char::is_ascii_uppercase).collect();
    letters.into_iter().collect()
}

/// With our order of successors and of vehicles, the plain program counts what
/// ours does, by either rule.
#[test]
fn rules_are_what_a_plain_program_does() {
    jam().par_iter().step_by(3).for_each(|row| {
        let card = Card::new(row["board"], &letters(row["board"]));
        let guesses: [(&str, Guess); 5] = [
            ("zero", &|state| card.zero(state)),
            ("blocking", &|state| card.blocking(state)),
            ("distance", &|state| card.distance(state)),
            ("advanced-twice", &|state| card.advanced(state, RUSH_HOUR_AI)),
            ("advanced-twice-distance", &|state| card.advanced_distance(state, RUSH_HOUR_AI)),
        ];
        for (name, guess) in guesses {
            for (ties, queue) in [(Ties::Newest, Queue::Newest), (Ties::Oldest, Queue::Oldest)] {
                for reopens in [false, true] {
                    let (nodes, cost) = a_star(&card, Successors::ByLine, queue, reopens, guess);
                    let rules = Rules { ties, reopens, ..Rules::default() };
                    let found =
                        search(row["board"], Metric::Moves, &format!("astar {name}"), rules, Exit::Outside);
                    let found = (found.counts.generated, length(&found));
                    assert_eq!(found, (nodes, u64::from(cost)), "{} {name} {rules}", row["name"]);
                }
            }
        }
    });
}

/// Bounds on what A* generates with `zero` and with `blocking`, if the car has to
/// leave the board: from every board whose way is clear it can do so, which is
/// one successor more.
fn bounds(traffic: &Traffic) -> [(u64, u64); 2] {
    let mut depths: HashMap<TrafficState, u64> = HashMap::from([(traffic.start(), 0)]);
    let mut queue = VecDeque::from([traffic.start()]);
    let mut nodes = Vec::new();
    let mut distance = None;
    while let Some(state) = queue.pop_front() {
        let depth = depths[&state];
        let blockers = u64::from(Scene::of(&traffic.board(state)).front().blockers);
        let mut successors = u64::from(blockers == 0);
        if blockers == 0 {
            distance.get_or_insert(depth + 1);
        }
        traffic.for_each_successor(&state, |next, _| {
            successors += 1;
            depths.entry(next).or_insert_with(|| {
                queue.push_back(next);
                depth + 1
            });
        });
        nodes.push((depth, depth + 1 + blockers, successors));
    }
    let distance = distance.expect("every card has a solution");
    let sum = |counts: &dyn Fn(u64, u64) -> bool| -> u64 {
        let counted = nodes.iter().filter(|(depth, guess, _)| counts(*depth, *guess));
        1 + counted.map(|(_, _, successors)| successors).sum::<u64>()
    };
    [
        (sum(&|depth, _| depth < distance), sum(&|depth, _| depth <= distance)),
        (sum(&|_, f| f < distance), sum(&|_, f| f <= distance)),
    ]
}

/// Their counts are too high for our exit. With their exit they lie inside the
/// bounds on all cards; a search that takes the goal last reaches the upper ones.
/// With `blocking`, oldest first, ours are those of Pirklbauer and Zarhuber.
#[test]
fn counts_with_an_exit_one_cell_further() {
    let mut above = [Vec::new(), Vec::new()];
    let mut highest = 0;
    for ((card, hagenberg), other) in jam().iter().zip(&hagenberg()).zip(&rush_hour_ai()) {
        let traffic = Traffic::new(&Board::parse(card["board"]).unwrap(), Metric::Moves);
        let bounds = bounds(&traffic);
        for (index, name) in ["zero", "blocking"].into_iter().enumerate() {
            let (least, most) = bounds[index];
            for published in [hagenberg, other].map(|row| number(row, name)) {
                assert!(
                    (least..=most).contains(&published),
                    "{}: {published} not in {least}..={most}",
                    card["name"]
                );
            }
            let published = number(hagenberg, name);
            let most_at_edge = number(card, &format!("{name}_max"));
            above[index].extend(published.checked_sub(most_at_edge).filter(|&excess| excess > 0));
            highest += usize::from(index == 1 && published == most);

            let rules = Rules { ties: Ties::GoalLast, ..FOREIGN };
            let method = format!("astar {name}");
            let last = search(card["board"], Metric::Moves, &method, rules, Exit::Outside);
            assert_eq!((last.counts.generated, length(&last)), (most, number(card, "moves")));
            let edge = search(card["board"], Metric::Moves, &method, rules, Exit::Edge);
            assert_eq!((edge.counts.generated, length(&edge)), (most_at_edge, number(card, "moves")));
            let oldest = search(card["board"], Metric::Moves, &method, FOREIGN, Exit::Outside);
            assert!((least..=most).contains(&oldest.counts.generated));
            assert!(name == "zero" || oldest.counts.generated == published, "{}", card["name"]);
        }
    }
    assert_eq!(above.each_ref().map(Vec::len), [6, 38]);
    assert_eq!((above[1].iter().min(), above[1].iter().max()), (Some(&1), Some(&32)));
    assert_eq!(highest, 38);
}

/// As many moves, one step more.
#[test]
fn an_exit_one_cell_further() {
    for card in jam() {
        for (metric, more) in [(Metric::Moves, 0), (Metric::Steps, 1)] {
            for method in ["bfs", "astar perfect", "ida-tt advanced-admissible"] {
                let found = search(card["board"], metric, method, Rules::default(), Exit::Outside);
                assert_eq!(length(&found), number(&card, &metric.to_string()) + more, "{}", card["name"]);
            }
        }
    }
    // Solved already, and past a wall never.
    let moves = |board, exit| search(board, Metric::Moves, "bfs", Rules::default(), exit);
    assert_eq!(length(&moves("..AA............", Exit::Edge)), 0);
    assert_eq!(length(&moves("..AA............", Exit::Outside)), 1);
    assert!(moves("AA.x............", Exit::Outside).solution().is_none());
}

/// Goals that are found when they are generated: what a search generates ends
/// with the first one.
#[test]
fn goals_at_generation() {
    let rules = Rules { goal_test: GoalTest::Generated, ..Rules::default() };
    for card in jam() {
        let traffic = Traffic::new(&Board::parse(card["board"]).unwrap(), Metric::Moves);
        let mut met = HashSet::from([traffic.start()]);
        let mut queue = VecDeque::from([traffic.start()]);
        let (mut generated, mut is_done) = (1, false);
        while !is_done {
            let state = queue.pop_front().unwrap();
            traffic.for_each_successor(&state, |next, _| {
                generated += u64::from(!is_done);
                is_done |= traffic.is_goal(&next);
                if met.insert(next) {
                    queue.push_back(next);
                }
            });
        }
        let found = search(card["board"], Metric::Moves, "bfs", rules, Exit::Edge);
        assert_eq!((found.counts.generated, length(&found)), (generated, number(&card, "moves")));
        assert!(found.solution().unwrap().proven_optimal);
        for (method, is_shortest) in [
            ("astar zero", true),
            ("astar blocking", false),
            ("dfs", false),
            ("greedy hybrid", false),
            ("ida-tt zero", true),
            ("ida-tt blocking", true),
        ] {
            let [early, late] = [rules, Rules::default()]
                .map(|rules| search(card["board"], Metric::Moves, method, rules, Exit::Edge));
            assert!(early.counts.generated <= late.counts.generated, "{} {method}", card["name"]);
            assert!(length(&early) == number(&card, "moves") || !is_shortest, "{} {method}", card["name"]);
            if method.starts_with("astar") {
                assert!(!early.solution().unwrap().proven_optimal);
            }
        }
    }
}

/// Breadth-first search within what the order of successors leaves open; A* that
/// takes the goal last is theirs on three of four boards.
#[test]
fn the_course_counts_distinct_states() {
    let boards = table(include_str!("../../src/domains/rush_hour/sets/it3105.tsv"));
    let mut of_a_star = Vec::new();
    for row in table(include_str!("../data/it3105.tsv")) {
        let board = boards.iter().find(|board| board["name"] == row["name"]).unwrap();
        let traffic = Traffic::new(&Board::parse(board["board"]).unwrap(), Metric::Steps);
        let steps = number(board, "steps");
        for column in ["breadth_steps", "astar_steps"] {
            assert_eq!(number(&row, column), steps);
        }
        let window = levels(&traffic, steps);
        // More than all that are as near as a goal: it is found when it is taken out.
        let published = number(&row, "breadth");
        assert!((window[1]..=window[2]).contains(&published), "{published} {window:?}");
        for (goal_test, range) in
            [(GoalTest::Generated, window[0]..=window[1]), (GoalTest::TakenOut, window[1]..=window[2])]
        {
            let rules = Rules { goal_test, ..Rules::default() };
            let found = search(board["board"], Metric::Steps, "bfs", rules, Exit::Edge);
            assert!(range.contains(&found.counts.distinct.unwrap()), "{found:?} {range:?}");
            assert_eq!(length(&found), steps);
        }
        let rules = Rules { ties: Ties::GoalLast, ..Rules::default() };
        let last = search(board["board"], Metric::Steps, "astar distance-blockers", rules, Exit::Edge);
        assert_eq!(length(&last), steps);
        of_a_star.push((number(&row, "astar"), last.counts.distinct.unwrap()));
    }
    assert_eq!(of_a_star, [(89, 89), (656, 656), (1063, 1067), (7089, 7089)]);
}

/// The boards nearer to the start than a goal, those as near as one, and those
/// one step further.
fn levels(traffic: &Traffic, distance: u64) -> [u64; 3] {
    let mut depths: HashMap<TrafficState, u64> = HashMap::from([(traffic.start(), 0)]);
    let mut queue = VecDeque::from([traffic.start()]);
    while let Some(state) = queue.pop_front() {
        let depth = depths[&state] + 1;
        traffic.for_each_successor(&state, |next, _| {
            depths.entry(next).or_insert_with(|| {
                queue.push_back(next);
                depth
            });
        });
    }
    [distance - 1, distance, distance + 1]
        .map(|most| depths.values().filter(|&&depth| depth <= most).count() as u64)
}
