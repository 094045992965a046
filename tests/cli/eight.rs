//! Another puzzle than Rush Hour in every command of the laboratory.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::common::{code, stderr, stdout, tables, tailback};

fn run(args: &[&str]) -> Output {
    tailback(tables()).args(args).output().unwrap()
}

fn words(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn refused(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(code(&output), 2, "{args:?}: {}", stdout(&output));
    stderr(&output)
}

#[test]
fn solve() {
    let text = words(&["solve", "--puzzle", "eight", "8 6 7 / 2 5 4 / 3 . 1"]);
    assert!(text.contains("31 moves"), "{text}");
    let json: Value = serde_json::from_str(&words(&[
        "solve",
        "--puzzle",
        "eight",
        "--algorithm",
        "ida",
        "--heuristic",
        "manhattan",
        "--json",
        "867254301",
    ]))
    .unwrap();
    assert_eq!((&json["puzzle"], &json["distance"]), (&"eight".into(), &31.into()));
    assert_eq!(json["solution"].as_array().unwrap().len(), 31);
    let unsolvable = run(&["solve", "--puzzle", "eight", "--json", "213456780"]);
    let json: Value = serde_json::from_str(&stdout(&unsolvable)).unwrap();
    assert_eq!((&json["solvable"], &json["distance"]), (&false.into(), &Value::Null));
    assert!(refused(&["solve", "--puzzle", "eight", "123"]).contains("tiles 1 to 8 and a gap"));
    assert!(refused(&["solve", "--puzzle", "fifteen", "123"]).contains("the puzzles are rush-hour, eight"));
    assert!(refused(&["solve", "--puzzle", "eight", "--metric", "steps", "867254301"]).contains("--metric"));
}

#[test]
fn compare() {
    let args = ["compare", "--puzzle", "eight", "--algorithms", "astar,ida", "--heuristics"];
    let csv = words(&[&args[..], &["manhattan,linear-conflict", "--format", "csv"]].concat());
    // 31 distances, two algorithms, two heuristics, a line of names.
    assert_eq!(csv.lines().count(), 1 + 31 * 4, "{csv}");
    assert!(refused(&[&args[..], &["blocking"]].concat()).contains("there is no heuristic 'blocking'"));
}

#[test]
fn heuristics() {
    let json: Value =
        serde_json::from_str(&words(&["heuristics", "--puzzle", "eight", "--all", "--json"])).unwrap();
    let entry = |name: &str| {
        let all = json["heuristics"].as_array().unwrap().iter();
        all.clone().find(|entry| entry["name"] == name).unwrap_or_else(|| panic!("{name} is missing: {json}"))
    };
    for name in ["misplaced", "manhattan", "linear-conflict", "gaschnig"] {
        assert_eq!(entry(name)["over"], 0, "{name}");
    }
    assert!(entry("manhattan")["mean_error"].as_f64() > entry("misplaced")["mean_error"].as_f64());
}

#[test]
fn export() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("eight.csv");
    let path = path.to_str().unwrap();
    let args = ["export", "hh-evolver", "--puzzle", "eight", "--per-distance", "1", "--out"];
    let columns = ["--heuristics", "manhattan,move-home,perfect"];
    words(&[&args[..], &[path], &columns].concat());
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("eight in moves"));
    assert!(
        lines.next().unwrap().starts_with("instances of eight: 1 at each distance; drawn at random;"),
        "{text}"
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 32);
    for row in &rows {
        let distance: u32 = row[1].parse().unwrap();
        assert!(row[2].parse::<u32>().unwrap() <= distance && row[4] == row[1], "{row:?}");
        assert!(["1", "-1"].contains(&row[3]), "{row:?}");
        let solved: Value =
            serde_json::from_str(&words(&["solve", "--puzzle", "eight", "--json", row[0]])).unwrap();
        assert_eq!(solved["distance"], distance, "{row:?}");
    }
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(format!("{path}.manifest.json")).unwrap()).unwrap();
    assert_eq!((&manifest["puzzle"], &manifest["rows"]), (&"eight".into(), &rows.len().into()));

    // The same seed gives the same bytes, whatever the threads, and a file gives what is drawn.
    let again = words(&[&args[..], &["-", "--threads", "1"], &columns].concat());
    assert_eq!(again, text);
    let list = folder.path().join("list.txt");
    fs::write(&list, "far\t867254301\n213456780\n").unwrap();
    let list = list.to_str().unwrap();
    let from = ["export", "csv", "--puzzle", "eight", "--from", list, "--out", "-"];
    assert_eq!(words(&from), "board,id,moves\n867254301,,31\n");
    let all = words(&[&from[..], &["--include-unsolvable"]].concat());
    assert_eq!(all, "board,id,moves\n867254301,,31\n213456780,,\n");
    let jsonl =
        ["export", "jsonl", "--puzzle", "eight", "--from", list, "--heuristics", "move-home", "--out", "-"];
    let row: Value = serde_json::from_str(&words(&jsonl)).unwrap();
    assert!(row["last_move"].is_string() && row["move-home"].is_boolean(), "{row}");

    for (args, told) in [
        (&["pddl", "--count", "3"][..], "boards of Rush Hour"),
        (&["csv", "--count", "3", "--walls", "1"], "options for boards"),
        (&["csv", "--count", "3", "--with", "solution"], "options for boards"),
        (&["csv"], "which instances?"),
        (&["csv", "--from", list, "--distance", "3.."], "leave one of them out"),
        (&["csv", "--count", "200000"], "181440"),
        (&["csv", "--count", "3", "--metric", "both"], "--metric"),
        (&["csv", "--count", "3", "--heuristics", "blocking"], "there is no heuristic"),
    ] {
        let out = folder.path().join("refused");
        let args = [&["export"], args, &["--puzzle", "eight", "--out", out.to_str().unwrap()]].concat();
        let error = refused(&args);
        assert!(error.contains(told), "{args:?}: {error}");
        assert!(!out.exists());
    }
}

#[test]
fn a_split_leaves_no_group_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("eight.jsonl");
    let args = ["export", "jsonl", "--puzzle", "eight", "--count", "2000", "--split", "80/20", "--out"];
    words(&[&args[..], &[out.to_str().unwrap()]].concat());
    let boards = |part: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.path().join(format!("eight.{part}.jsonl"))).unwrap();
        let board =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["board"].as_str().unwrap().to_owned();
        text.lines().map(board).collect()
    };
    let (train, test) = (boards("train"), boards("test"));
    assert!(train.len() + test.len() == 2000 && (300..500).contains(&test.len()), "{}", test.len());
    let mirrored = |board: &String| -> String {
        let tiles: Vec<char> = board.chars().collect();
        let turned = (0..9).map(|cell| tiles[cell % 3 * 3 + cell / 3]);
        turned.map(|tile| "014725836".chars().nth(tile.to_digit(10).unwrap() as usize).unwrap()).collect()
    };
    assert_eq!(mirrored(&"012453786".to_owned()), "023156478");
    assert!(train.iter().all(|board| !test.contains(&mirrored(board))));
}

#[test]
fn evolve() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = folder.path().join("eight.toml");
    let text = "
name = \"tiles\"
puzzle = \"eight\"
[blocks]
numbers = [\"misplaced\", \"manhattan\", \"inversions\"]
[genome]
kind = \"weights\"
[population]
size = 20
[stop]
generations = 5
[data]
train = { draw = 300 }
test = { draw = 100 }
";
    fs::write(&experiment, text).unwrap();
    let into = folder.path().join("run");
    let into = into.to_str().unwrap();
    words(&["evolve", "run", experiment.to_str().unwrap(), "--out", into]);
    let best = fs::read_to_string(folder.path().join("run/best.txt")).unwrap();
    let formula = best.lines().last().unwrap();
    let csv = words(&["compare", "--puzzle", "eight", "--heuristics", formula, "--format", "csv"]);
    assert_eq!(csv.lines().count(), 1 + 31, "{best}");
    let report = folder.path().join("report");
    words(&["evolve", "report", into, "--out", report.to_str().unwrap()]);
    assert!(fs::read_to_string(report.join("report.html")).unwrap().contains("tiles"));
}
