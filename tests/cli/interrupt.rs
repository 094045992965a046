//! Signals and memory: whatever a command waits for or searches, the first
//! Ctrl-C ends it well, and a search too large for the memory spares the others.
#![cfg(target_os = "linux")]

use crate::common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use common::{PROGRAM, code, stderr, stdout};
use serde_json::{Value, json};
use tempfile::TempDir;

const EASY: &str = "..B.AAB.........";
/// No primary passes D, and there are more boards than any search may look at.
const ENDLESS: &str = "BB.....C..FF...C....GG.CAA.....DHH.....DLMII...DLM..JJKE......KE";

fn spawn(folder: &Path, args: &[&str]) -> Child {
    Command::new(PROGRAM)
        .args(["--db", "none"])
        .args(args)
        .current_dir(folder)
        .env_remove("TAILBACK_DB")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The end of a program that was interrupted, while its input stays open. One
/// that does not end is killed.
fn end(mut child: Child) -> Output {
    for _ in 0..6_000 {
        if child.try_wait().unwrap().is_some() {
            return child.wait_with_output().unwrap();
        }
        sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("it goes on");
}

/// Guards against a first Ctrl-C that is noticed with the next line only.
#[test]
fn while_it_waits_for_input() {
    let folder = TempDir::new().unwrap();
    let game = format!(r#"{{"board": "{EASY}", "moves": "B+2 A+2"}}"#);
    let claim = format!("2 {EASY}");
    let lists: [(&[&str], &str); 5] = [
        (&["solve", "-"], EASY),
        (&["lookup", "-"], EASY),
        (&["solve", "--algorithm", "bfs", "-"], EASY),
        (&["grade", "-"], &game),
        (&["import", "--json", "-"], &claim),
    ];
    for (args, line) in lists {
        let mut child = spawn(folder.path(), args);
        // An answer shows that it waits for the next line.
        writeln!(child.stdin.as_ref().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains(EASY), "{args:?}: {answer}");
        common::interrupt(&child);
        let input = child.stdin.take();
        let output = end(child);
        drop(input);
        assert_eq!(code(&output), 3, "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("error: interrupted after 1 "), "{args:?}: {}", stderr(&output));
    }
    let wholes: [&[&str]; 4] = [
        &["export", "csv", "--from", "-", "--out", "boards.csv"],
        &["import-dataset", "-"],
        &["compare", "--set", "-"],
        &["render", "-", "-o", "boards.svg"],
    ];
    for args in wholes {
        let mut child = spawn(folder.path(), args);
        common::interrupt_listening(&child);
        let input = child.stdin.take();
        let output = end(child);
        drop(input);
        assert_eq!(code(&output), 3, "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).ends_with("error: interrupted\n"), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Guards against lists that the signal killed: the pipe is full, the signal comes, and
/// what is printed is whole puzzles with the right end.
#[test]
fn while_puzzles_are_listed() {
    let folder = TempDir::new().unwrap();
    for args in [
        &["puzzles", "--format", "jsonl"][..],
        &["puzzles", "--json"],
        &["puzzles", "--limit", "1000000"],
        &["hardest", "--limit", "10000", "--format", "csv"],
    ] {
        let args = [args, &["--rules", "all"]].concat();
        let mut child = spawn(folder.path(), &args);
        let mut out = BufReader::new(child.stdout.take().unwrap());
        // It listens by then, and waits until somebody reads on.
        assert!(!out.fill_buf().unwrap().is_empty());
        common::interrupt(&child);
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        assert!(errors.any(|line| line.starts_with("stopping ")), "{args:?}");
        let text = std::io::read_to_string(out).unwrap();
        assert!(errors.any(|line| line == "error: interrupted"), "{args:?}");
        assert_eq!(child.wait().unwrap().code(), Some(3), "{args:?}");
        assert!(text.ends_with('\n'), "{args:?}");
    }
}

/// Guards against searches of half a minute that hear no signal.
#[test]
fn during_a_long_search() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("boards.txt", format!("{EASY}\n{ENDLESS}\n{EASY}\n"));
    write("list.txt", format!("2 {EASY}\n8 {ENDLESS}\n"));
    write("dataset.csv", format!("name\ndescription\n{ENDLESS},8\n"));
    write("games.jsonl", format!("{{\"board\": \"{ENDLESS}\", \"moves\": \"A+1\"}}\n"));
    let commands: [&[&str]; 12] = [
        &["solve", ENDLESS],
        &["solve", ENDLESS, "--json"],
        &["lookup", ENDLESS],
        &["grade", ENDLESS, "A+1"],
        &["show", ENDLESS],
        &["render", "--solution", ENDLESS, "-o", "way.svg"],
        &["solve", "--file", "boards.txt"],
        &["grade", "--file", "games.jsonl"],
        &["import", "list.txt", "--json"],
        &["import-dataset", "dataset.csv", "--json"],
        &["export", "csv", "--from", "boards.txt", "--out", "boards.csv"],
        &["export", "csv", "--whole-cluster", ENDLESS, "--out", "boards.csv"],
    ];
    for args in commands {
        let child = spawn(folder.path(), args);
        common::interrupt_at_work(&child);
        let output = end(child);
        assert_eq!(code(&output), 3, "{args:?}: {}", stderr(&output));
        let told = stdout(&output) + &stderr(&output);
        assert!(told.contains("interrupted"), "{args:?}: {told}");
        // What stands before the board in hand is told, and nothing of that
        // one or those behind it.
        if args.contains(&"boards.txt") && args[0] == "solve" {
            let answers: Vec<Value> =
                stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(answers.len(), 1);
            assert_eq!((&answers[0]["board"], &answers[0]["distance"]), (&json!(EASY), &json!(2)));
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// Guards against an abort that took the answers of two thousand easy boards
/// along, because two hard ones had no memory.
#[test]
fn a_board_that_does_not_fit_spares_the_others() {
    let folder = TempDir::new().unwrap();
    let easy = format!("{EASY}\n").repeat(100);
    fs::write(folder.path().join("boards.txt"), format!("{easy}{ENDLESS}\n{ENDLESS}\n{easy}")).unwrap();
    let output = Command::new("sh")
        .args(["-c", r#"ulimit -v 400000; exec "$0" --db none solve --file boards.txt"#, PROGRAM])
        .current_dir(folder.path())
        .env_remove("TAILBACK_DB")
        .env("RAYON_NUM_THREADS", "2")
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 202);
    for (index, answer) in answers.iter().enumerate() {
        if [100, 101].contains(&index) {
            assert!(answer["error"].as_str().unwrap().contains("MB of memory"), "{answer}");
        } else {
            assert_eq!(answer["distance"], 2, "{answer}");
        }
    }
}

/// Guards against an error that is told to a full disk alone.
#[test]
fn standard_output_is_full() {
    let folder = TempDir::new().unwrap();
    for args in [["solve", EASY].as_slice(), &["solve", "no board"], &["solve", "-"]] {
        let mut child = Command::new(PROGRAM)
            .args(args)
            .args(["--json", "--db", "none"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        writeln!(child.stdin.take().unwrap(), "{EASY}").unwrap_or(());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), if args[1] == "no board" { 2 } else { 1 }, "{}", stderr(&output));
        assert!(stderr(&output).starts_with("error: "), "{args:?}: {}", stderr(&output));
    }
}
