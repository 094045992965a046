//! What was bred is text, and means the same wherever it is read.

use serde_json::Value;
use tailback::board::{Board, Distance, Metric};
use tailback::domains::rush_hour::Scene;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::value_of;
use tailback::formula::Heuristic;

use crate::common::desk::Desk;
use crate::common::tables;
use crate::{board, boards};

/// Policies of trees, the richest genome; without conditions, so that a board
/// alone decides its value.
const POLICIES: &str = "name = \"policies\"
[blocks]
numbers = [\"all\", \"features\"]
[genome]
kind = \"policy\"
values = \"trees\"
constants = [0, 9]
[population]
size = 60
[stop]
generations = 6
[data]
train = { draw = 500, size = 5 }
test = { draw = 50, size = 5, seed = 1 }
";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn it_has_the_same_values_everywhere() {
    let desk = Desk::new(tables());
    desk.write("policies.toml", POLICIES);
    desk.run("evolve run policies.toml --out out");
    let hall = desk.text("out/run-1/hall.jsonl");
    let bred = json(hall.lines().next().unwrap())["genome"].as_str().unwrap().to_owned();
    let short = desk.text("out/best.txt");
    let short = short.lines().last().unwrap();

    // As it was bred and as it is printed, written and read again.
    let bred: Heuristic = VOCABULARY.read(&bred).unwrap();
    let again: Heuristic = VOCABULARY.read(&bred.to_string()).unwrap();
    let read: Heuristic = VOCABULARY.read(short).unwrap();
    let value = |heuristic: &Heuristic, board: &Board| {
        value_of(heuristic, &Scene::of(board), None, Metric::Moves, Distance::UNSOLVABLE)
    };
    let mut different = std::collections::BTreeSet::new();
    for labelled in boards(10_000, 8) {
        let board = board(&labelled);
        let [a, b, c] = [&bred, &again, &read].map(|heuristic| value(heuristic, &board));
        assert!(a == b && b == c, "{a}, {b}, {c} for {}", board.text());
        different.insert(a);
    }
    assert!(different.len() > 2, "a constant shows nothing");

    // Exported.
    desk.run("export csv --size 5 --count 10000 --seed 4 --heuristics @out/best.txt --out all.csv");
    let exported = desk.text("all.csv");
    for line in exported.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let expected = value(&bred, &Board::parse(fields[0]).unwrap());
        assert_eq!(fields[3].parse::<f64>().unwrap(), expected.as_f64(), "{line}");
    }
    assert_eq!(exported.lines().count(), 10_001);

    // In searches and in statistics, the file and the formula do the same.
    let formula = bred.to_string();
    let same = |command: &str, pointer: &str| {
        let of = |heuristic: &str| {
            let told = json(&desk.run_with(command, &[heuristic]));
            let found = told.pointer(pointer).unwrap_or_else(|| panic!("{command}: no {pointer} in {told}"));
            found.clone()
        };
        assert_eq!(of("@out/best.txt"), of(&formula), "{command}");
    };
    same("--json solve ..B..AAB....C....C....... --algorithm greedy --heuristic", "/search/generated");
    same("--json heuristics --size 5 --sample 10000 --heuristics", "/heuristics/0/mean_error");
    desk.run("export rush --size 5 --count 40 --out list.txt");
    let listed: Vec<String> =
        desk.text("list.txt").lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect();
    desk.write("boards.txt", &listed.join("\n"));
    for puzzle in 0..40 {
        let pointer = format!("/results/{puzzle}/runs/0/generated");
        same("--json compare --set boards.txt --algorithms astar --heuristics", &pointer);
    }
}
