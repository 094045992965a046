//! `tailback solve` with an algorithm and a heuristic, as a user types it.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use common::{PROGRAM, code, stderr, stdout, tables, tailback};

const SMALL: &str = "..B.AAB.........";
const CARD: &str = "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo";
/// 49 moves: a search without memory does not end.
const HARD: &str = "BBBCDEFGGCDEFoAADEHHIooooJIoKKoJLLMM";
const SOLVED: &str = "BB....AA........";
/// The wall holds B in the way of A.
const WALLED_IN: &str = "..B.AAB...x.CC..";

static NOTHING: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

/// Runs `solve` without tables.
fn solve(args: &[&str]) -> Output {
    tailback(NOTHING.path()).arg("solve").args(args).output().unwrap()
}

fn feed(args: &[&str], input: &str) -> Output {
    tailback(NOTHING.path()).arg("solve").args(args).write_stdin(input).output().unwrap()
}

/// One JSON object, and the exit code.
fn answered(args: &[&str], expected: i32) -> Value {
    let output = solve(&[args, &["--json"]].concat());
    assert_eq!(code(&output), expected, "{args:?}: {} {}", stdout(&output), stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn answer(args: &[&str]) -> Value {
    answered(args, 0)
}

fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The line after the drawing.
fn sentence(args: &[&str]) -> String {
    let output = solve(args);
    stdout(&output)
        .lines()
        .find(|line| line.ends_with('.'))
        .unwrap_or_else(|| panic!("{output:?}"))
        .to_owned()
}

/// Wrong usage, told in words.
fn refused(args: &[&str]) -> String {
    let output = solve(args);
    assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}");
    stderr(&output)
}

/// Takes away what depends on the machine, after a look at it.
fn without_time(mut answer: Value) -> Value {
    let search = answer["search"].as_object_mut().unwrap();
    assert!(search.remove("seconds").unwrap().as_f64().unwrap() >= 0.0);
    answer
}

mod one_board {
    use super::*;

    #[test]
    fn for_people() {
        let output = solve(&["--heuristic", "blocking", SMALL]);
        let text = stdout(&output);
        let (before, after) = text.split_once("         seconds        0.0").unwrap();
        assert_eq!(
            before,
            "\
┌─────────┐
│ . . B . │
│ A A B .  →
│ . . . . │
│ . . . . │
└─────────┘
Solved in 2 moves by astar with blocking, proven optimal.

       generated            7
        expanded            3
        distinct            5
          stored            5
branching factor        2.000
"
        );
        assert_eq!(after.split_once('\n').unwrap().1, "\nB down 2, A right 2\n");
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    }

    #[test]
    fn for_programs() {
        let expected = json!({
            "board": SMALL, "size": 4, "metric": "moves", "solvable": true, "distance": 2,
            "source": "search", "primary": "A", "id": null, "solution": ["B+2", "A+2"],
            "search": {
                "algorithm": "astar", "heuristic": "blocking", "length": 2, "generated": 7, "expanded": 3,
                "distinct": 5, "stored": 5, "branching_factor": 2.0, "proven_optimal": true,
                "stopped": null, "at_least": null,
            },
        });
        let mut found = without_time(answer(&["--heuristic", "blocking", SMALL]));
        let factor = found["search"]["branching_factor"].as_f64().unwrap();
        assert!((factor - 2.0).abs() < 1e-9, "{factor}");
        found["search"]["branching_factor"] = json!(2.0);
        assert_eq!(found, expected);
    }

    /// Every distance is exact: a solution that may be too long has none.
    #[test]
    fn a_distance_is_proven() {
        for (algorithm, is_exact) in
            [("bfs", true), ("ida-tt", true), ("dfs", false), ("greedy", false), ("wastar", false)]
        {
            let found = answer(&["--algorithm", algorithm, CARD]);
            let search = &found["search"];
            let length = found["solution"].as_array().unwrap().len();
            assert_eq!((&found["solvable"], &search["length"]), (&json!(true), &json!(length)), "{found}");
            assert_eq!(search["proven_optimal"], json!(is_exact), "{algorithm}");
            assert_eq!(found["distance"], if is_exact { json!(8) } else { json!(null) }, "{algorithm}");
            assert!(length >= 8);
            let told = sentence(&["--algorithm", algorithm, CARD]);
            assert!(told.starts_with(&format!("Solved in {length} moves by {algorithm}")), "{told}");
            let end = if is_exact { ", proven optimal." } else { ", not proven optimal." };
            assert!(told.ends_with(end), "{told}");
        }
    }

    #[test]
    fn other_ends() {
        assert_eq!(sentence(&["--algorithm", "bfs", SOLVED]), "Solved already (by bfs).");
        let found = answer(&["--algorithm", "greedy", SOLVED]);
        assert_eq!((&found["distance"], &found["solution"]), (&json!(0), &json!([])));
        assert_eq!(found["search"]["branching_factor"], json!(null));

        assert_eq!(sentence(&["--heuristic", "zero", WALLED_IN]), "Unsolvable (by astar with zero).");
        let found = answer(&["--heuristic", "zero", WALLED_IN]);
        let fields = ["solvable", "distance", "solution"].map(|name| found[name].clone());
        assert_eq!(fields, [json!(false), json!(null), json!(null)]);
        assert_eq!((&found["search"]["length"], &found["search"]["stopped"]), (&json!(null), &json!(null)));
        assert_eq!(found["search"]["proven_optimal"], json!(false));
    }

    #[test]
    fn defaults() {
        let heuristic = |args: &[&str]| answer(args)["search"]["heuristic"].clone();
        assert_eq!(heuristic(&["--algorithm", "astar", SMALL]), json!("blocking"));
        assert_eq!(
            heuristic(&["--algorithm", "wida-tt", SMALL, "--metric", "steps"]),
            json!("distance-blockers")
        );
        assert_eq!(heuristic(&["--algorithm", "bfs", SMALL]), json!(null));
        let search = &answer(&["--heuristic", " blocking + 0.5*distance", SMALL])["search"];
        assert_eq!(
            (&search["algorithm"], &search["heuristic"]),
            (&json!("astar"), &json!("blocking+0.5*distance"))
        );
        assert_eq!(answer(&["--algorithm", "wastar", SMALL])["search"]["algorithm"], json!("wastar:2"));
        assert_eq!(answer(&["--algorithm", "wida:1.5", SMALL])["search"]["algorithm"], json!("wida:1.5"));
    }

    #[test]
    fn steps() {
        let args = ["--algorithm", "astar", "--metric", "steps", SMALL];
        assert_eq!(sentence(&args), "Solved in 4 steps by astar with distance-blockers, proven optimal.");
        let found = answer(&args);
        assert_eq!((&found["distance"], &found["metric"]), (&json!(4), &json!("steps")));
        assert_eq!(found["solution"], json!(["B+1", "B+1", "A+1", "A+1"]));
    }

    #[test]
    fn the_boards_on_the_way() {
        let text = stdout(&solve(&["--algorithm", "bfs", "--boards", SMALL]));
        assert!(text.contains("\n\n2. A right 2\n┌─────────┐\n│ . . . . │\n│ . . A A  →"), "{text}");
        assert_eq!(text.matches('┌').count(), 3);
        assert_eq!(text.lines().last(), Some("B down 2, A right 2"));
    }

    /// A table serves the perfect heuristic alone.
    #[test]
    fn with_a_table() {
        let search = |heuristic: &str| {
            let args = ["solve", "--json", "--heuristic", heuristic, SMALL];
            let output = tailback(tables()).args(args).output().unwrap();
            assert_eq!(code(&output), 0, "{}", stdout(&output));
            lines(&output).remove(0)
        };
        let found = search("zero");
        assert_eq!((&found["source"], &found["id"]), (&json!("search"), &json!(null)));
        assert!(found["search"]["expanded"].as_u64().unwrap() > 3);
        let found = search("perfect");
        assert_eq!((&found["distance"], &found["search"]["expanded"]), (&json!(2), &json!(3)));
        // Without a table the cluster is explored, within the limit.
        let error = answered(&["--heuristic", "perfect", "--limit", "3", CARD], 1);
        assert!(error["error"].as_str().unwrap().contains("--limit"), "{error}");
    }
}

mod wrong_usage {
    use super::*;

    #[test]
    fn options_that_do_not_go_together() {
        for algorithm in ["bfs", "dfs", "iddfs"] {
            let told = refused(&["--algorithm", algorithm, "--heuristic", "zero", SMALL]);
            assert!(
                told.starts_with("error: bfs, dfs and iddfs use no heuristic: leave --heuristic out"),
                "{told}"
            );
        }
        for search in [["--algorithm", "bfs"], ["--heuristic", "zero"]] {
            let told = refused(&["--count", search[0], search[1], SMALL]);
            assert!(told.contains("'--count' cannot be used with"), "{told}");
        }
        let told = refused(&["--algorithm", "bfs", "--boards", "-"]);
        assert!(told.contains("--boards and --animate show one board"), "{told}");
    }

    #[test]
    fn limits_without_a_search() {
        for limit in
            [&["--max-nodes", "500"][..], &["--max-seconds", "5"], &["--max-memory", "5"], &["--no-distinct"]]
        {
            let told = refused(&[&[SMALL], limit].concat());
            assert!(told.contains("--algorithm <ALG>|--heuristic <H>"), "{told}");
            assert_eq!(code(&solve(&[&[SMALL, "--heuristic", "zero"], limit].concat())), 0);
        }
    }

    #[test]
    fn names_that_nobody_knows() {
        let told = refused(&["--algorithm", "dijkstra", SMALL]);
        assert!(told.contains("there is no algorithm 'dijkstra'") && told.contains("ida-tt"), "{told}");
        let told = refused(&["--algorithm", "astar:2", SMALL]);
        assert!(told.contains("only wastar, wida and wida-tt take a weight"), "{told}");
        let told = refused(&["--heuristic", "guess", SMALL]);
        assert!(
            told.contains("there is no heuristic 'guess'") && told.contains("advanced-admissible"),
            "{told}"
        );
        let told = refused(&["--heuristic", "max(blocking", SMALL]);
        assert!(told.contains("',' or ')' expected at 'the end'"), "{told}");
        let told = refused(&["--heuristic", "1001*zero", SMALL]);
        assert!(told.contains("a weight is at most 1000, '1001' is more"), "{told}");
        for seconds in ["-1", "x", "inf"] {
            let told = refused(&["--algorithm", "bfs", &format!("--max-seconds={seconds}"), SMALL]);
            assert!(told.contains("a time is a number of seconds"), "{told}");
        }
    }

    #[test]
    fn a_board_that_cannot_be_read() {
        let error = answered(&["--algorithm", "bfs", "AA.B"], 2);
        assert!(error["error"].as_str().unwrap().contains("this text has 4"), "{error}");
    }

    #[test]
    fn the_help_names_them_all() {
        let help = stdout(&solve(&["--help"]));
        for word in
            ["ida-tt", "wastar:1.5", "advanced-admissible", "perfect", "--max-nodes", "--heuristic blocking"]
        {
            assert!(help.contains(word), "{word}: {help}");
        }
    }
}

mod limits {
    use super::*;

    #[test]
    fn of_one_board() {
        for (limit, reason, option) in [
            (["--max-nodes", "1000"], "nodes", "--max-nodes"),
            (["--max-seconds", "0"], "time", "--max-seconds"),
            (["--max-memory", "0"], "memory", "--max-memory"),
        ] {
            let args = ["--algorithm", "iddfs", limit[0], limit[1], HARD];
            let found = answered(&args, 1);
            let search = &found["search"];
            assert_eq!((&search["stopped"], &search["length"]), (&json!(reason), &json!(null)));
            let at_least = search["at_least"].as_u64().unwrap();
            assert!(at_least <= 49, "{at_least}");
            assert_eq!((&found["solvable"], &found["distance"]), (&json!(null), &json!(null)));
            assert_eq!(found["solution"], json!(null));

            let known = if at_least > 0 { format!(": at least {at_least} moves") } else { String::new() };
            assert_eq!(sentence(&args), format!("Stopped at the limit of {reason}{known}."));
            let output = solve(&args);
            assert_eq!(code(&output), 1);
            let told = format!("error: no answer within the limit of {reason}; raise {option}");
            assert!(stderr(&output).starts_with(&told), "{}", stderr(&output));
            assert!(stdout(&output).contains("       generated "));
        }
    }

    #[test]
    fn nobody_counts_distinct_states() {
        let found = answer(&["--algorithm", "ida-tt", "--no-distinct", CARD]);
        assert_eq!(found["search"]["distinct"], json!(null));
        let text = stdout(&solve(&["--algorithm", "ida-tt", "--no-distinct", CARD]));
        assert!(text.contains("  stored ") && !text.contains("distinct"), "{text}");
    }
}

mod many_boards {
    use super::*;

    #[test]
    fn one_answer_a_line() {
        let input = format!("# three boards and a slip\n{SMALL}\nAA.B\n{WALLED_IN}\n{SOLVED}\n");
        let output = feed(&["--algorithm", "bfs", "-"], &input);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
        let found = lines(&output);
        assert_eq!(found.len(), 4);
        assert_eq!(without_time(found[0].clone()), without_time(answer(&["--algorithm", "bfs", SMALL])));
        assert_eq!(found[1]["line"], json!(3));
        let distances: Vec<&Value> = found.iter().map(|found| &found["distance"]).collect();
        assert_eq!(distances, [&json!(2), &json!(null), &json!(null), &json!(0)]);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boards.txt");
        std::fs::write(&path, &input).unwrap();
        let from_file = solve(&["--algorithm", "bfs", "--file", path.to_str().unwrap()]);
        let timeless = |output: &Output| -> Vec<Value> {
            let has_search = |found: &Value| found.get("search").is_some();
            lines(output).into_iter().filter(has_search).map(without_time).collect()
        };
        assert_eq!(timeless(&from_file), timeless(&output));
    }

    #[test]
    fn a_limit_is_for_each_board() {
        let input = format!("{HARD}\n{SMALL}\n{CARD}\n");
        let output = feed(&["--algorithm", "ida", "--max-nodes", "20", "-"], &input);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
        let stopped: Vec<Value> =
            lines(&output).iter().map(|found| found["search"]["stopped"].clone()).collect();
        assert_eq!(stopped, [json!("nodes"), json!(null), json!("nodes")]);
    }
}

mod interrupted {
    use super::*;

    /// Starts a search that would run for years.
    fn start(args: &[&str]) -> Child {
        Command::new(PROGRAM)
            .arg("--db")
            .arg(NOTHING.path())
            .args(["solve", "--algorithm", "iddfs"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn one_board() {
        for for_programs in [false, true] {
            let child = start(if for_programs { &["--json", HARD] } else { &[HARD] });
            common::interrupt_at_work(&child);
            let output = child.wait_with_output().unwrap();
            assert_eq!(code(&output), 3);
            assert!(stderr(&output).contains("stopping with what is known so far"), "{}", stderr(&output));
            assert!(stderr(&output).ends_with("error: interrupted\n"), "{}", stderr(&output));
            if for_programs {
                let found = lines(&output).remove(0);
                assert_eq!(
                    (&found["solvable"], &found["search"]["stopped"]),
                    (&json!(null), &json!("interrupted"))
                );
                assert!(found["search"]["at_least"].as_u64().unwrap() <= 49, "{found}");
            } else {
                assert!(stdout(&output).contains("\nInterrupted: at least "), "{}", stdout(&output));
                assert!(stdout(&output).contains("       generated "));
            }
        }
    }

    /// Those that come later are not searched.
    #[test]
    #[cfg(unix)]
    fn many_boards() {
        let mut child = start(&["-"]);
        let mut input = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut answers = answers.map(|line| -> Value { serde_json::from_str(&line.unwrap()).unwrap() });
        writeln!(input, "{SMALL}").unwrap();
        assert_eq!(answers.next().unwrap()["distance"], json!(2));
        write!(input, "{HARD}\n{SMALL}\n").unwrap();
        drop(input);
        common::interrupt(&child);
        let mut known = 1;
        for found in answers {
            known += 1;
            let stopped = &found["search"]["stopped"];
            // The small one may have been first.
            assert!(stopped == "interrupted" || found["distance"] == 2, "{found}");
        }
        assert_eq!(child.wait().unwrap().code(), Some(3));
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert!(told.ends_with(&format!("error: interrupted after {known} boards\n")), "{told}");
    }
}
