//! The rows of a dataset: what the program writes is read back, and every
//! number in it is what the naive oracle finds.

use crate::common;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::OnceLock;

use rayon::prelude::*;
use tailback::board::{Board, Metric};
use tailback::dataset::hh_evolver::{Claimed, Instance, unquoted};
use tailback::dataset::{Draw, Drawn, Tables, last_move};
use tailback::domains::rush_hour::Scene;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::Condition;
use tailback::domains::rush_hour::heuristic::value_of;
use tailback::formula::Heuristic;
use tailback::space::Space;
use tailback::table::{BuildOptions, Table, build};

use oracle::heuristics as naive;

const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];
const COUNT: usize = 10_000;
const SEED: u64 = 5;
/// Beside every heuristic that has a name.
const COMBINED: [&str; 2] = ["max(blocking,0.5*distance)", "0.5*blocking+0.25*move-freed"];

/// A dataset of 5×5 that the program made, and the boards that the library
/// draws for the same seed.
struct Made {
    file: String,
    drawn: Vec<Drawn>,
}

/// All names but that of patterns, which have tests of their own.
fn columns() -> Vec<&'static str> {
    let is_here = |name: &&str| *name != "pattern" && !name.starts_with("evolved-");
    VOCABULARY.names().filter(is_here).chain(COMBINED).collect()
}

fn made(metric: Metric) -> &'static Made {
    static MADE: [OnceLock<Made>; 2] = [const { OnceLock::new() }; 2];
    MADE[metric as usize].get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        build(&BuildOptions::new(folder.path(), 5, metric), &()).unwrap();
        let out = folder.path().join("boards.csv");
        common::tailback(folder.path())
            .args(["export", "hh-evolver", "--size", "5", "--name", "Five, \"by\" five"])
            .args(["--count", &COUNT.to_string(), "--seed", &SEED.to_string()])
            .args(["--metric", &metric.to_string(), "--heuristics", &columns().join(",")])
            .arg("--out")
            .arg(&out)
            .assert()
            .success();
        let table = Table::open(folder.path(), 5, metric).unwrap();
        let tables = [&table];
        let mut draw = Draw::new(Tables { by_metric: &tables }, COUNT as u64, SEED, false);
        let drawn = std::iter::from_fn(|| draw.next_batch(&())).flat_map(Result::unwrap).collect();
        Made { file: std::fs::read_to_string(out).unwrap(), drawn }
    })
}

/// The lines below name and description.
fn lines(file: impl BufRead) -> impl Iterator<Item = Instance> {
    file.lines().skip(2).map(|line| Instance::parse(&line.unwrap()).unwrap())
}

fn instances(file: &str) -> Vec<Instance> {
    lines(file.as_bytes()).collect()
}

/// So many of a list, evenly spread.
fn spread<T>(list: &[T], count: usize) -> impl ParallelIterator<Item = &T>
where
    T: Sync,
{
    assert!(list.len() >= count, "there are only {}", list.len());
    (0..count).into_par_iter().map(move |n| &list[n * list.len() / count])
}

/// What is said of the distance is what a search finds that shares no code
/// with the program.
fn assert_searched(instance: &Instance, size: usize, metric: Metric) {
    let found = oracle::distance(&instance.board, size, metric == Metric::Steps);
    let found = found.map_or(Claimed::Unsolvable, |distance| Claimed::Distance(f64::from(distance)));
    assert_eq!(instance.claimed, found, "{} in {metric}", instance.board);
}

#[test]
fn a_file_reads_back_identically() {
    for metric in METRICS {
        let Made { file, drawn } = made(metric);
        let head: Vec<String> = file.lines().take(2).map(unquoted).collect();
        assert_eq!(head[0], "Five, \"by\" five");
        assert!(head[1].contains(&format!("h* is exact in {metric}")));
        assert_eq!(drawn.len(), COUNT);
        let heuristics: Vec<Heuristic> =
            columns().iter().map(|name| VOCABULARY.read(name).unwrap()).collect();
        let expected = drawn.par_iter().map(|drawn| {
            let board = Space::of(drawn.space).unwrap().board(&drawn.position);
            let before = last_move(&board, metric, SEED).map(|last| board.apply(last.reversed()).unwrap());
            let (scene, before) = (Scene::of(&board), before.as_ref().map(Scene::of));
            let distance = drawn.distances[0].known().unwrap();
            let condition = |heuristic: &Heuristic| match *heuristic {
                Heuristic::Block(block) => Condition::try_from(block).ok(),
                _ => None,
            };
            let value = |heuristic: &Heuristic| match condition(heuristic) {
                Some(condition) => {
                    let holds = before.as_ref().is_some_and(|before| condition.holds(before, &scene));
                    Some(if holds { 1.0 } else { -1.0 })
                }
                None => Some(value_of(heuristic, &scene, before.as_ref(), metric, distance.into()).as_f64()),
            };
            Instance {
                board: board.text(),
                claimed: Claimed::Distance(f64::from(distance)),
                values: heuristics.iter().map(value).collect(),
            }
        });
        let (read, expected) = (instances(file), expected.collect::<Vec<Instance>>());
        assert_eq!(read.len(), COUNT);
        for (read, expected) in read.iter().zip(&expected) {
            assert_eq!(read, expected);
        }
        assert_eq!(file.lines().count(), 2 + COUNT);
    }
}

#[test]
fn distances_are_those_of_an_independent_search() {
    for metric in METRICS {
        let read = instances(&made(metric).file);
        spread(&read, 1000).for_each(|instance| assert_searched(instance, 5, metric));
        let is_far = |line: &&Instance| matches!(line.claimed, Claimed::Distance(6.0..));
        assert!(spread(&read, 1000).filter(is_far).count() > 2, "the sample has hard boards");
    }
}

/// The same for lines of any file, `TAILBACK_DATASET` in the metric
/// `TAILBACK_METRIC`: scripts/check-datasets names those of 6×6, which need a
/// table that tests do not build. Without a name it is the file above.
#[test]
fn distances_of_a_named_file() {
    let path = std::env::var("TAILBACK_DATASET").ok();
    let metric: Metric = std::env::var("TAILBACK_METRIC").map_or(Metric::Moves, |name| name.parse().unwrap());
    let open = || -> Box<dyn BufRead> {
        match &path {
            Some(path) => Box::new(BufReader::new(File::open(path).unwrap())),
            None => Box::new(made(metric).file.as_bytes()),
        }
    };
    let all = lines(open()).count();
    // A large file does not fit into memory.
    let some: Vec<Instance> = lines(open()).step_by((all / 1000).max(1)).take(1000).collect();
    assert!(!some.is_empty(), "{path:?} has no boards");
    some.par_iter().for_each(|instance| {
        let size = Board::parse(&instance.board).unwrap().size();
        assert_searched(instance, size, metric);
    });
}

mod columns {
    use super::*;

    /// The value of a column by its definition; nothing if that takes too long.
    fn by_definition(column: &str, instance: &Instance, before: Option<&str>) -> Option<f64> {
        let text = &instance.board;
        let count = |name: &str| {
            let value = naive::value(name, text, 5).ok()?;
            Some(value.map_or(f64::INFINITY, f64::from))
        };
        let holds = |name: &str| before.is_some_and(|before| naive::holds(name, before, text, 5));
        match column {
            "perfect" => match instance.claimed {
                Claimed::Distance(distance) => Some(distance),
                _ => Some(f64::INFINITY),
            },
            "move-freed" | "move-to-secluded" => Some(if holds(column) { 1.0 } else { -1.0 }),
            "max(blocking,0.5*distance)" => Some(count("blocking")?.max(0.5 * count("distance")?)),
            "0.5*blocking+0.25*move-freed" => {
                Some(0.5 * count("blocking")? + if holds("move-freed") { 0.25 } else { 0.0 })
            }
            name => count(name),
        }
    }

    #[test]
    fn hold_their_definitions() {
        for metric in METRICS {
            let read = instances(&made(metric).file);
            let compared: usize = spread(&read, 1000)
                .map(|instance| {
                    let board = Board::parse(&instance.board).unwrap();
                    let before = last_move(&board, metric, SEED)
                        .map(|last| board.apply(last.reversed()).unwrap().text());
                    assert_eq!(instance.values.len(), columns().len());
                    let compare = |(name, value): (&str, &Option<f64>)| {
                        let expected = by_definition(name, instance, before.as_deref());
                        assert!(expected.is_none() || expected == *value, "{name} of {}", instance.board);
                        usize::from(expected.is_some())
                    };
                    columns().into_iter().zip(&instance.values).map(compare).sum::<usize>()
                })
                .sum();
            assert!(compared > 990 * columns().len(), "{compared}");
        }
    }

    /// Both answers, or a column that is always the same would do.
    #[test]
    fn of_conditions_say_both() {
        for metric in METRICS {
            let read = instances(&made(metric).file);
            for name in ["move-freed", "move-to-secluded"] {
                let column = columns().iter().position(|column| *column == name).unwrap();
                for value in [1.0, -1.0] {
                    let lines = read.iter().filter(|instance| instance.values[column] == Some(value));
                    assert!(lines.count() > 50, "{name} is {value}");
                }
            }
        }
    }
}

mod last_moves {
    use super::*;

    /// One that led to the board: undone, it is a legal move, and played again
    /// it gives the board.
    #[test]
    fn are_legal_moves_undone() {
        for metric in METRICS {
            let mut none = 0;
            for code in oracle::all_boards(4) {
                let board = Board::parse(&oracle::text_of(code, 4)).unwrap();
                let ways = oracle::successors(&board.text(), 4, metric == Metric::Steps);
                let Some(last) = last_move(&board, metric, 1) else {
                    assert!(ways.is_empty(), "{board}");
                    none += 1;
                    continue;
                };
                let before = board.apply(last.reversed()).unwrap();
                assert!(ways.iter().any(|way| way.text == before.text()), "{board}");
                assert_eq!(before.apply(last).unwrap(), board);
            }
            assert!(none > 0, "boards on which nothing moves are among them");
        }
    }

    /// Every move comes for some seeds, and equally often.
    #[test]
    fn are_drawn_by_lot() {
        let board = Board::parse("..B. AAB. .... .CC.").unwrap();
        let ways = board.moves();
        let mut counts = BTreeMap::new();
        let seeds = 1000 * ways.len() as u64;
        for seed in 0..seeds {
            let last = last_move(&board, Metric::Moves, seed).unwrap();
            *counts.entry(board.notation(last)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), ways.len());
        // Five standard deviations of each.
        assert!(counts.values().all(|&count: &i32| (count - 1000).abs() < 160), "{counts:?}");
    }

    /// Letters do not matter: a board read from a file has the same last move.
    #[test]
    fn are_those_of_the_same_board_with_other_letters() {
        let renamed = |text: &str, primary| Board::parse_with_primary(text, primary).unwrap();
        let boards = [
            renamed("..B. AAB. .... .CC.", 'A'),
            renamed("..C. AAC. .... .BB.", 'A'),
            renamed("..A. RRA. .... .BB.", 'R'),
        ];
        for seed in 0..100 {
            let before = |board: &Board| {
                let last = last_move(board, Metric::Moves, seed).unwrap();
                board.apply(last.reversed()).unwrap().shape()
            };
            assert_eq!(before(&boards[0]), before(&boards[1]));
            assert_eq!(before(&boards[0]), before(&boards[2]));
        }
    }
}
