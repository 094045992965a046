//! `tailback heuristics` as a user types it.

use crate::common;

use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use common::{PROGRAM, code, stderr, stdout, tables, tailback};

fn heuristics(args: &[&str]) -> Output {
    tailback(tables()).arg("heuristics").args(args).output().unwrap()
}

fn words(args: &[&str]) -> String {
    let output = heuristics(args);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// The figures as JSON, without the times, which are never the same.
fn figures(args: &[&str]) -> Value {
    let mut value: Value = serde_json::from_str(&words(&[args, &["--json"]].concat())).unwrap();
    for list in ["heuristics", "conditions"] {
        for entry in value[list].as_array_mut().unwrap() {
            assert!(entry.as_object_mut().unwrap().remove("nanoseconds").unwrap().is_u64());
        }
    }
    value
}

fn entry<'v>(value: &'v Value, name: &str) -> &'v Value {
    let lists = ["heuristics", "conditions"].map(|list| value[list].as_array().unwrap());
    lists
        .into_iter()
        .flatten()
        .find(|entry| entry["name"] == name)
        .unwrap_or_else(|| panic!("{name} is missing"))
}

#[test]
fn for_people() {
    let text = words(&["--size", "4", "--all"]);
    let line = |start: &str| {
        let line =
            text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start} in {text}"));
        line.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    assert!(
        text.starts_with("All 13,146 boards of 4×4 by moves: 9,444 solvable, 3,702 unsolvable\n"),
        "{text}"
    );
    let perfect = line("perfect ");
    assert_eq!(perfect[..8], ["perfect", "+0.000", "0.000", "1.000", "100.00%", "0.00%", "-", "100.00%"]);
    assert_eq!(perfect[9], "yes");
    let distance = line("distance ");
    assert_eq!(distance[..8], ["distance", "-0.193", "0.355", "0.740", "73.66%", "8.08%", "1", "0.00%"]);
    assert_eq!(distance[9], "-");
    assert_eq!(line("zero ")[3], "-", "what never changes has no correlation");
    assert!(text.contains("\ndistance             ....AA..........  2 instead of 1\n"), "{text}");
    assert_eq!(line("move-to-secluded ").len(), 6);
}

#[test]
fn for_programs() {
    let value = figures(&["--size", "4", "--all", "--metric", "steps"]);
    assert_eq!(
        (&value["size"], &value["metric"], &value["all"], &value["seed"]),
        (&4.into(), &"steps".into(), &true.into(), &Value::Null)
    );
    assert_eq!((&value["boards"], &value["of"]), (&13_146.into(), &13_146.into()));
    assert_eq!((&value["solvable"], &value["unsolvable"]), (&9444.into(), &3702.into()));
    let names: Vec<&str> =
        value["heuristics"].as_array().unwrap().iter().map(|h| h["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 12);
    assert_eq!(names[..3], ["perfect", "zero", "blockers"]);
    let perfect = entry(&value, "perfect");
    assert_eq!((&perfect["exact"], &perfect["mean_absolute_error"]), (&9444.into(), &0.0.into()));
    assert_eq!(perfect["proven_unsolvable"], 3702);
    let hybrid = entry(&value, "hybrid");
    assert_eq!(hybrid["admissible"], false);
    assert_eq!(
        hybrid["worst"],
        serde_json::json!({"board": "..BCAABC..DD..EE", "estimate": 16.0, "distance": 10})
    );
    let freed = entry(&value, "move-freed");
    assert_eq!(freed["moves"], 9224);
    assert!(freed["progress_if_true"].as_f64() > freed["progress_if_false"].as_f64());
}

#[test]
fn the_list_needs_no_table() {
    let nowhere = TempDir::new().unwrap();
    let output = tailback(nowhere.path()).args(["heuristics", "--list"]).output().unwrap();
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    assert!(stdout(&output).contains("\ndistance: never too high in steps\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("\nmove-freed: a condition on the last move\n"));
    let output = tailback(nowhere.path()).args(["heuristics", "--list", "--json"]).output().unwrap();
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let list = value["heuristics"].as_array().unwrap();
    assert_eq!(list.len(), 33);
    let named = |name: &str| list.iter().find(|entry| entry["name"] == name).unwrap();
    assert_eq!(named("pattern")["admissible_in_steps"], true);
    assert!(named("mobile")["admissible_in_moves"].is_null(), "a feature is no guess");
    for entry in list {
        assert!(!entry["definition"].as_str().unwrap().is_empty(), "{entry}");
        assert!(!entry["source"].as_str().unwrap().is_empty(), "{entry}");
    }
    assert_eq!(list[0]["admissible_in_moves"], true);
    assert_eq!(list[13]["admissible_in_moves"], Value::Null);
}

#[test]
fn claims_pass_the_check() {
    for metric in ["moves", "steps"] {
        let output = heuristics(&["--check", "--size", "4", "--all", "--metric", metric]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    // Too high, but nobody claims that it never is.
    assert_eq!(code(&heuristics(&["--check", "--size", "4", "--all", "--heuristics", "hybrid"])), 0);
}

#[test]
fn a_false_claim_fails_the_check() {
    // A table that says 1 where more is true shows the claims to be false.
    let folder = TempDir::new().unwrap();
    common::forge::forge_table(folder.path(), 4, |blocks, _| {
        Some(vec![1; blocks.unsolved_boards() as usize])
    });
    let run = |args: &[&str]| {
        let args = [&["heuristics", "--size", "4", "--all", "--heuristics", "blocking"], args].concat();
        tailback(folder.path()).args(args).output().unwrap()
    };
    assert_eq!(code(&run(&[])), 0);
    let output = run(&["--check"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("blocking"));
    let error = stderr(&output);
    assert!(
        error.contains("error: blocking is said never to be too high in moves, but is 3 for "),
        "{error}"
    );
    let output = run(&["--check", "--json"]);
    assert_eq!(code(&output), 1);
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(value["heuristics"][0]["worst"]["distance"], 1);
}

#[test]
fn a_false_proof_fails_the_check() {
    let folder = TempDir::new().unwrap();
    common::forge::forge_table(folder.path(), 4, |blocks, _| {
        Some(vec![9; blocks.unsolved_boards() as usize])
    });
    let args = ["heuristics", "--size", "4", "--all", "--heuristics", "advanced", "--check"];
    let output = tailback(folder.path()).args(args).output().unwrap();
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains(" unsolvable, it takes 9 moves"), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("advanced calls 2,523 solvable boards unsolvable, such as "),
        "{}",
        stdout(&output)
    );
}

#[test]
fn the_same_sample_gives_the_same_figures() {
    let sample = ["--size", "5", "--sample", "20000"];
    let with = |more: &[&str]| figures(&[&sample, more].concat());
    let one = with(&["--threads", "1"]);
    assert_eq!(one["boards"], 20_000);
    assert_eq!(with(&["--threads", "2"]), one);
    assert_eq!(with(&["--seed", "0"]), one);
    let other = with(&["--seed", "1"]);
    assert_eq!(other["seed"], 1);
    assert_ne!(other["heuristics"], one["heuristics"]);
    assert_ne!(other["conditions"], one["conditions"]);
}

#[test]
fn combinations_keep_their_commas() {
    let list = "blocking,max(blocking,advanced-admissible),0.5*blocking+0.5*distance,move-freed";
    let value = figures(&["--size", "4", "--all", "--heuristics", list]);
    let both = entry(&value, "max(blocking,advanced-admissible)");
    assert_eq!((&both["admissible"], &both["over"]), (&true.into(), &0.into()));
    assert_eq!(entry(&value, "0.5*blocking+0.5*distance")["worst"]["estimate"], 1.5);
    assert_eq!(value["heuristics"].as_array().unwrap().len(), 3);
    assert_eq!(value["conditions"].as_array().unwrap().len(), 1);
}

#[test]
fn conditions_alone_are_measured_alone() {
    let text = words(&["--size", "4", "--all", "--heuristics", "move-freed"]);
    assert!(text.starts_with("All 13,146 boards of 4×4 by moves\n\nConditions, "), "{text}");
}

/// A condition within a combination asks about a last move, which is drawn.
#[test]
fn conditions_in_combinations_have_a_last_move() {
    let of = |list: &str| -> Value {
        let output = heuristics(&["--size", "4", "--all", "--json", "--heuristics", list]);
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let value = of("blocking,blocking+10*move-freed,move-freed");
    let mean = |at: usize| value["heuristics"][at]["mean_error"].as_f64().unwrap();
    let more = mean(1) - mean(0);
    assert!(more > 0.1 && more < 10.0, "{value}");
}

#[test]
fn wrong_usage_is_code_2() {
    for (list, message) in [
        ("nonsense", "there is no heuristic 'nonsense': the heuristics are zero, blockers, "),
        ("zero,", "a heuristic expected at 'the end'"),
    ] {
        let output = heuristics(&["--size", "4", "--heuristics", list]);
        assert_eq!(code(&output), 2, "{list}");
        assert!(stderr(&output).contains(message), "{list}: {}", stderr(&output));
    }
    for args in
        [&["--all", "--sample", "5"][..], &["--sample", "0"], &["--threads", "0"], &["--list", "--check"]]
    {
        assert_eq!(code(&heuristics(args)), 2, "{args:?}");
    }
}

#[test]
fn a_missing_table_is_code_1() {
    let output = heuristics(&["--size", "6"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("tailback build"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_there_is() {
    // Far more boards than anybody has the time for.
    let mut child = std::process::Command::new(PROGRAM)
        .args(["--json", "--db"])
        .arg(tables())
        .args([
            "heuristics",
            "--size",
            "4",
            "--sample",
            "100000000000",
            "--heuristics",
            "zero",
            "--threads",
            "1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // With one thread, parts are done one after the other; they are far smaller.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let is_under_way = |line: &String| {
        let boards = line.strip_prefix("progress boards=").and_then(|rest| rest.split(' ').next());
        boards.is_some_and(|boards| boards.parse::<u64>().unwrap() > 300_000)
    };
    assert!(lines.any(|line| is_under_way(&line)));
    common::interrupt(&child);
    let errors: Vec<String> = lines.collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 3, "{errors:?}");
    assert!(errors.iter().any(|line| line.starts_with("error: interrupted after ")), "{errors:?}");
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let boards = value["boards"].as_u64().unwrap();
    assert!(0 < boards && boards < 100_000_000_000, "{boards}");
    assert_eq!(value["solvable"].as_u64().unwrap() + value["unsolvable"].as_u64().unwrap(), boards);
}
