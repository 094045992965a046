//! The program as a user types it: every command, every flag, every exit code.

use crate::common;

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{
    PROGRAM, assert_progress, code, one_by_one, stderr, stdout, tables, tailback, with_broken_pipe,
};

const SMALL: &str = "..B.AAB.........";
const CARD: &str = "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo";
const MIDDLE: &str = ".......B..AAB............";
const WALLED: &str = "..B.AAB..x......";
const BLOCKED: &str = "....AABB........";

/// Runs the program on the tables above.
fn run(args: &[&str]) -> Output {
    tailback(tables()).args(args).output().unwrap()
}

/// The answer of a command that must succeed, as one JSON object.
fn answer(args: &[&str]) -> Value {
    let output = run(&[args, &["--json"]].concat());
    assert_eq!(code(&output), 0, "{args:?}: {}", stdout(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The output of a command on a terminal of its own, if the machine can do
/// that; otherwise says on standard error, past the test harness, that it
/// cannot.
fn on_terminal(command: &str) -> Option<String> {
    let script = || std::process::Command::new("script");
    // Other systems have another `script`, with other options.
    let there = script().arg("--version").output().is_ok_and(|o| stdout(&o).contains("util-linux"));
    if !there {
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let _ = writeln!(std::io::stderr(), "{test} skipped: no `script` program (util-linux)");
        return None;
    }
    let output = script()
        .args(["-qec", command, "/dev/null"])
        .stdin(Stdio::null())
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stdout(&output));
    Some(stdout(&output))
}

mod build {
    use super::*;

    #[test]
    fn summary() {
        let db = TempDir::new().unwrap();
        let output = tailback(db.path())
            .args(["build", "--size", "4", "--metric", "steps", "--threads", "2", "--level", "3", "--json"])
            .output()
            .unwrap();
        assert_eq!(code(&output), 0);
        let file = db.path().join("4x4-steps.tailback");
        let [summary] = &lines(&output)[..] else { panic!("one line expected: {}", stdout(&output)) };
        assert_eq!(summary["size"], 4);
        assert_eq!(summary["metric"], "steps");
        assert_eq!(summary["level"], 3);
        assert_eq!(summary["path"], file.to_str().unwrap());
        assert_eq!(summary["bytes"], fs::metadata(&file).unwrap().len());
        assert_eq!(summary["boards"], 13_146);
        assert_eq!(summary["resumed"], 0);
        assert_eq!(summary["already_built"], false);
        assert!(summary["seconds"].as_f64().unwrap() > 0.0);
        assert!(summary["boards_per_second"].as_u64().unwrap() > 0);

        assert_progress(&output, "progress boards=13146 total=13146 percent=100.0 boards_per_second=");
    }

    #[test]
    fn twice_is_once() {
        let db = TempDir::new().unwrap();
        let build = || tailback(db.path()).args(["build", "--size", "4"]).output().unwrap();
        let first = stdout(&build());
        assert!(first.contains("13,146 boards of 4×4 in moves") && first.contains("Built in"), "{first}");
        let bytes = fs::read(db.path().join("4x4-moves.tailback")).unwrap();

        let second = build();
        assert_eq!(code(&second), 0);
        assert!(stdout(&second).contains("built already"), "{}", stdout(&second));
        assert_eq!(bytes, fs::read(db.path().join("4x4-moves.tailback")).unwrap());
        let third = tailback(db.path()).args(["build", "--size", "4", "--json"]).output().unwrap();
        assert_eq!(
            (&lines(&third)[0]["already_built"], &lines(&third)[0]["level"]),
            (&json!(true), &json!(tailback::table::DEFAULT_LEVEL))
        );
    }

    #[test]
    fn another_level_than_the_one_asked_for() {
        let db = TempDir::new().unwrap();
        let build = |args: &[&str]| {
            let output = tailback(db.path()).args(["build", "--size", "4"]).args(args).output().unwrap();
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            stdout(&output)
        };
        build(&["--level", "3"]);
        let other = build(&["--level", "12"]);
        assert!(other.contains("built already, at level 3; nothing to do (delete the file"), "{other}");
        let json = build(&["--level", "12", "--json"]);
        assert!(json.contains(r#""level":3"#), "{json}");
        for args in [&["--level", "3"][..], &[]] {
            assert!(build(args).contains("It was built already; nothing to do."), "{args:?}");
        }
    }

    #[test]
    fn the_catalogue_follows_the_table() {
        let db = TempDir::new().unwrap();
        let build = || tailback(db.path()).args(["build", "--size", "5", "--json"]).output().unwrap();
        let output = build();
        let [table, catalogue] = &lines(&output)[..] else { panic!("two lines: {}", stdout(&output)) };
        assert_eq!((&table["product"], &catalogue["product"]), (&json!("table"), &json!("catalogue")));
        let file = db.path().join("5x5-catalogue.sqlite");
        assert_eq!(catalogue["path"], file.to_str().unwrap());
        assert_eq!(catalogue["bytes"], fs::metadata(&file).unwrap().len());
        assert_eq!(catalogue["size"], 5);
        assert_eq!(catalogue["puzzles"], 2_411);
        assert_eq!(catalogue["boards"], 10_492_784);
        assert_eq!(catalogue["resumed"], 0);
        assert_eq!(catalogue["already_built"], false);
        assert!(catalogue["seconds"].as_f64().unwrap() > 0.0);
        assert_progress(&output, "progress boards=10492784 total=10492784");

        let bytes = fs::read(&file).unwrap();
        let again = build();
        assert!(lines(&again).iter().all(|line| line["already_built"] == true), "{}", stdout(&again));
        assert!(fs::read(&file).unwrap() == bytes);
        let words = tailback(db.path()).args(["build", "--size", "5"]).output().unwrap();
        assert!(stdout(&words).contains("2,411 puzzles of 5×5"), "{}", stdout(&words));
    }

    #[test]
    fn only_the_table_or_only_the_catalogue() {
        let db = TempDir::new().unwrap();
        let build =
            |args: &[&str]| tailback(db.path()).args(["build", "--size", "4"]).args(args).output().unwrap();
        let there = || {
            let files =
                fs::read_dir(db.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
            let mut files: Vec<String> = files.filter(|name| name.starts_with("4x4")).collect();
            files.sort();
            files
        };
        let missing = build(&["--only", "catalogue"]);
        assert_eq!(code(&missing), 1);
        assert!(stderr(&missing).contains("tailback build"), "{}", stderr(&missing));
        assert!(there().is_empty());
        for table in [["--metric", "both"], ["--level", "9"]] {
            let wrong = build(&[&["--only", "catalogue"], &table[..]].concat());
            assert_eq!(code(&wrong), 2);
            assert!(stderr(&wrong).contains(table[0]), "{}", stderr(&wrong));
            assert!(stderr(&wrong).contains("about tables"), "{}", stderr(&wrong));
        }

        assert_eq!(code(&build(&["--metric", "steps"])), 0);
        assert_eq!(there(), ["4x4-steps.tailback"], "the catalogue needs the table in moves");
        assert_eq!(code(&build(&["--only", "table"])), 0);
        assert_eq!(there(), ["4x4-moves.tailback", "4x4-steps.tailback"]);
        let catalogue = build(&["--only", "catalogue"]);
        assert_eq!(code(&catalogue), 0);
        assert!(stdout(&catalogue).contains("32 puzzles of 4×4"), "{}", stdout(&catalogue));
        assert_eq!(there().len(), 3);
        // A catalogue needs its table no more.
        fs::remove_file(db.path().join("4x4-moves.tailback")).unwrap();
        let again = build(&["--only", "catalogue"]);
        assert!(stdout(&again).contains("built already"), "{}", stdout(&again));
    }

    /// The same command goes on; another level does not, and says which file
    /// is in the way, once.
    #[test]
    #[cfg(unix)]
    fn unfinished_with_other_settings() {
        let db = TempDir::new().unwrap();
        interrupt(&db, &["build", "--size", "5", "--threads", "1", "--level", "19", "--checkpoint", "0.001"]);
        let output = tailback(db.path()).args(["build", "--size", "5", "--level", "3"]).output().unwrap();
        assert_eq!(code(&output), 1);
        assert_eq!(stderr(&output).matches("5x5-moves.tailback.part").count(), 1, "{}", stderr(&output));
        assert!(stderr(&output).contains("19"), "{}", stderr(&output));
    }

    #[test]
    fn both_metrics_and_any_number_of_threads() {
        let db = TempDir::new().unwrap();
        let build = ["build", "--size", "5", "--metric", "both", "--threads", "1", "--json"];
        let output = tailback(db.path()).args(build).output().unwrap();
        let products: Vec<[Value; 2]> =
            lines(&output).iter().map(|line| [line["product"].clone(), line["metric"].clone()]).collect();
        let expected = [["table", "moves"].map(Value::from), ["table", "steps"].map(Value::from)];
        assert_eq!(products[..2], expected);
        assert_eq!(products[2..], [["catalogue".into(), Value::Null]]);
        for name in ["5x5-moves.tailback", "5x5-steps.tailback", "5x5-catalogue.sqlite"] {
            assert!(
                fs::read(db.path().join(name)).unwrap() == fs::read(tables().join(name)).unwrap(),
                "{name}"
            );
        }
    }

    #[test]
    fn folder_from_the_environment() {
        let db = TempDir::new().unwrap();
        let mut command = Command::new(PROGRAM);
        command.env("TAILBACK_DB", db.path()).args(["build", "--size", "4"]).assert().success();
        assert!(db.path().join("4x4-moves.tailback").exists());
    }

    #[test]
    fn refused_while_another_build_runs() {
        let db = TempDir::new().unwrap();
        let lock = fs::File::create(db.path().join(".build.lock")).unwrap();
        lock.try_lock().unwrap();
        let build = || tailback(db.path()).args(["build", "--size", "4"]).output().unwrap();
        let refused = build();
        assert_eq!(code(&refused), 1);
        assert!(stderr(&refused).contains("another build is running"), "{}", stderr(&refused));
        drop(lock);
        assert_eq!(code(&build()), 0);
    }

    /// Root may write anywhere, but not below a file.
    #[test]
    fn unwritable_folder() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let output = tailback(&file.join("db")).args(["build", "--size", "4"]).output().unwrap();
        assert_eq!(code(&output), 1);
        let message = stderr(&output);
        assert!(message.starts_with("error: cannot write to ") && message.contains("--db"), "{message}");
    }

    #[test]
    #[cfg(unix)]
    fn read_only_folder() {
        use std::os::unix::fs::PermissionsExt;
        let folder = TempDir::new().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        if fs::write(folder.path().join("probe"), "").is_ok() {
            return; // Root: see the test above.
        }
        let output = tailback(folder.path()).args(["build", "--size", "4"]).output().unwrap();
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).starts_with("error: cannot write to "), "{}", stderr(&output));
    }

    /// A limit on the length of files is the nearest thing to a full disk
    /// that needs no rights.
    #[test]
    #[cfg(unix)]
    fn full_disk_then_more_room() {
        let db = TempDir::new().unwrap();
        let limited = format!("trap '' XFSZ; ulimit -f 200; exec {PROGRAM} --db \"$0\" build --size 5");
        let output = Command::new("sh").arg("-c").arg(limited).arg(db.path()).output().unwrap();
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains("the disk is full"), "{}", stderr(&output));
        assert!(!db.path().join("5x5-moves.tailback").exists());

        tailback(db.path()).args(["build", "--size", "5"]).assert().success();
        let name = "5x5-moves.tailback";
        assert!(fs::read(db.path().join(name)).unwrap() == fs::read(tables().join(name)).unwrap());
    }

    /// Interrupts a 5×5 build as soon as its file has grown by some records.
    #[cfg(unix)]
    fn interrupt(db: &TempDir, args: &[&str]) {
        let part = db.path().join("5x5-moves.tailback.part");
        let mut child = std::process::Command::new(PROGRAM)
            .arg("--db")
            .arg(db.path())
            .args(args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while part.metadata().map_or(0, |m| m.len()) < 50_000 {
            assert!(child.try_wait().unwrap().is_none(), "the build has ended before it was interrupted");
            assert!(start.elapsed() < Duration::from_secs(120), "the build writes nothing");
            std::thread::sleep(Duration::from_millis(1));
        }
        common::interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 3);
        assert!(stderr(&output).contains("run the same command again"), "{}", stderr(&output));
        assert!(!db.path().join("5x5-moves.tailback").exists());
    }

    /// Level 19, one thread and constant checkpoints: the build is slow, and
    /// its file shows how far it is.
    #[test]
    #[cfg(unix)]
    fn interrupted_then_continued() {
        let args = ["build", "--size", "5", "--threads", "1", "--level", "19", "--checkpoint", "0.001"];
        let db = TempDir::new().unwrap();
        interrupt(&db, &args);

        let output = tailback(db.path()).args(args).arg("--json").output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(lines(&output)[0]["resumed"].as_u64().unwrap() > 0, "{}", stdout(&output));
        let whole = TempDir::new().unwrap();
        tailback(whole.path()).args(args).assert().success();
        let read = |db: &TempDir| fs::read(db.path().join("5x5-moves.tailback")).unwrap();
        assert!(read(&db) == read(&whole));
    }

    #[test]
    fn wrong_numbers_are_wrong_usage() {
        for args in [["--size", "7"], ["--level", "20"], ["--threads", "0"], ["--metric", "cells"]] {
            let output = run(&[&["build"], &args[..]].concat());
            assert_eq!(code(&output), 2, "{args:?}");
            assert!(stderr(&output).contains(args[0]), "{}", stderr(&output));
        }
        let told = stderr(&run(&["build", "--size", "7"]));
        assert!(told.contains("`tailback solve` searches single boards of it"), "{told}");
    }

    #[test]
    fn a_bar_on_a_terminal() {
        // Work of less than a second shows nothing.
        let command = format!("(echo {SMALL}; sleep 1.3; echo {SMALL}) | {PROGRAM} import -");
        let elsewhere = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert!(stderr(&elsewhere).contains("progress lines=2 lines_per_second="), "{}", stderr(&elsewhere));
        assert!(!stderr(&elsewhere).contains('\x1b'), "{}", stderr(&elsewhere));
        let quiet = Command::new("sh").args(["-c", &format!("{command} --quiet")]).output().unwrap();
        assert_eq!(stderr(&quiet), "");

        let Some(seen) = on_terminal(&format!("sh -c '{command}'")) else { return };
        assert!(seen.contains("2 lines") && seen.contains("/s"), "{seen}");
        assert!(!seen.contains("progress lines="), "{seen}");
    }
}

mod lookup {
    use super::*;

    #[test]
    fn from_the_table() {
        let expected = json!({
            "board": SMALL, "primary": "A", "size": 4, "metric": "moves", "solvable": true, "distance": 2,
            "source": "table", "id": 14,
            "choices": [{"move": "B+2", "distance": 1, "loss": 0}, {"move": "B+1", "distance": 2, "loss": 1}],
        });
        assert_eq!(answer(&["lookup", SMALL]), expected);
        assert_eq!(answer(&["lookup", "ooBo AABo\noooo\toooo"]), expected);
    }

    #[test]
    fn every_source() {
        let source = |args: &[&str]| {
            let answer = answer(&[&["lookup"], args].concat());
            (
                answer["source"].as_str().unwrap().to_owned(),
                answer["id"].is_number(),
                answer["distance"].as_u64(),
            )
        };
        let expect = |args: &[&str], name: &str, rank, distance| {
            assert_eq!(source(args), (name.to_owned(), rank, distance), "{args:?}");
        };
        expect(&[SMALL], "table", true, Some(2));
        expect(&[SMALL, "--no-table"], "search", false, Some(2));
        expect(&["........AAB...B."], "table", true, Some(2)); // mirrored
        expect(&[BLOCKED], "rule", false, None);
        expect(&[WALLED], "search", false, Some(2));
        expect(&["AAB...B........."], "search", false, Some(2)); // another row
        expect(&[MIDDLE], "table", true, Some(2));
        expect(&[MIDDLE, "--metric", "steps"], "table", true, Some(4));
        expect(&[CARD], "search", false, Some(8));
        expect(&["....... ....... ....... AA..B.. ....B.. ....... ......."], "search", false, Some(2));
    }
    #[test]
    fn the_callers_letters() {
        let board = "..Z. XXZ. .... ....";
        let found = answer(&["lookup", board, "--primary", "X"]);
        assert_eq!(found["board"], "..Z.XXZ.........");
        assert_eq!(found["choices"][0], json!({"move": "Z+2", "distance": 1, "loss": 0}));

        // The only red car in the row of the exit needs no name, and any case will do.
        for args in [&["lookup", board][..], &["lookup", board, "--primary", "x"]] {
            assert_eq!(answer(args), found);
        }
        let wrong = run(&["lookup", board, "--primary", "Y"]);
        assert_eq!(code(&wrong), 2);
        assert!(stderr(&wrong).contains("'Y'"), "{}", stderr(&wrong));
    }

    #[test]
    fn for_people() {
        let output = run(&["lookup", SMALL]);
        let expected = "\
┌─────────┐
│ . . B . │
│ A A B .  →
│ . . . . │
│ . . . . │
└─────────┘
2 moves to the exit (from the table).

move  then           in words
 B+2     1  best     B down 2
 B+1     2  loses 1  B down 1
";
        assert_eq!(stdout(&output), expected);
        assert_eq!(stderr(&output), "");
        let solved = stdout(&run(&["lookup", "....B.AAB......."]));
        assert!(
            solved.contains("Solved already (from the table).") && solved.contains("loses 1"),
            "{solved}"
        );
        let blocked = stdout(&run(&["lookup", BLOCKED]));
        assert!(blocked.contains("Unsolvable (by rule)"), "{blocked}");
        let walled = stdout(&run(&["lookup", WALLED]));
        assert!(walled.contains("(by search)"), "{walled}");
    }

    #[test]
    fn a_hint_without_a_table() {
        let db = TempDir::new().unwrap();
        let hint = |args: &[&str]| {
            let output = tailback(db.path()).arg("lookup").args(args).output().unwrap();
            assert_eq!(code(&output), 0);
            stderr(&output)
        };
        assert!(
            hint(&[SMALL]).contains("tailback build --only table --size 4 --metric moves"),
            "{}",
            hint(&[SMALL])
        );
        assert!(hint(&[WALLED]).contains("tailback build --only table --size 4 --wall B3 --metric moves"));
        // No table would help, or none is wanted, or nobody reads it.
        for args in [&[BLOCKED][..], &[SMALL, "--no-table"], &[SMALL, "--json"]] {
            assert_eq!(hint(args), "", "{args:?}");
        }
    }

    #[test]
    fn a_search_has_a_limit() {
        let output = run(&["lookup", CARD, "--limit", "10"]);
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains("limit of 10 boards"), "{}", stderr(&output));
        assert_eq!(code(&run(&["lookup", CARD, "--limit", "100000"])), 0);
    }

    #[test]
    fn unreadable_boards() {
        for (board, word) in [("", "empty"), ("...", "16, 25, 36"), ("..B. .... .... ....", "one cell")] {
            let output = run(&["lookup", board]);
            assert_eq!(code(&output), 2, "{board}");
            assert!(
                stderr(&output).starts_with("error: ") && stderr(&output).contains(word),
                "{}",
                stderr(&output)
            );
            assert_eq!(stdout(&output), "");

            let output = run(&["lookup", board, "--json"]);
            assert_eq!(code(&output), 2, "{board}");
            assert!(lines(&output)[0]["error"].as_str().unwrap().contains(word));
            assert_eq!(stderr(&output), "");
        }
    }

    #[test]
    fn a_board_is_needed() {
        assert_eq!(code(&run(&["lookup"])), 2);
        assert_eq!(code(&run(&["lookup", SMALL, "--file", "boards.txt"])), 2);
    }

    /// Guards the good one of two tables: the rank was looked up in the other
    /// one, and the error told to delete this one.
    #[test]
    fn of_two_tables_the_good_one_answers() {
        let db = TempDir::new().unwrap();
        for name in ["4x4-moves.tailback", "4x4-steps.tailback"] {
            fs::copy(tables().join(name), db.path().join(name)).unwrap();
        }
        let path = db.path().join("4x4-moves.tailback");
        let mut bytes = fs::read(&path).unwrap();
        bytes[100] ^= 1;
        fs::write(&path, bytes).unwrap();
        let solve = |metric: &str| {
            tailback(db.path()).args(["solve", "--json", "--metric", metric, SMALL]).output().unwrap()
        };
        let found = solve("steps");
        assert_eq!((code(&found), &lines(&found)[0]), (0, &answer(&["solve", "--metric", "steps", SMALL])));
        let error = lines(&solve("moves"))[0]["error"].as_str().unwrap().to_owned();
        assert!(error.contains("4x4-moves.tailback: the table is damaged"), "{error}");
    }

    #[test]
    fn a_damaged_table_is_an_error() {
        let db = TempDir::new().unwrap();
        let file = db.path().join("4x4-moves.tailback");
        fs::write(&file, "something else, and long enough to be read as a table").unwrap();
        let output = tailback(db.path()).args(["lookup", SMALL]).output().unwrap();
        assert_eq!(code(&output), 1);
        let message = stderr(&output);
        assert!(message.starts_with(&format!("error: {}: ", file.display())), "{message}");

        // Other lines have their answers, and two lines in give two lines out.
        for args in [&["lookup", "-"][..], &["lookup", "-", "--json"]] {
            let input = format!("{SMALL}\n{MIDDLE}\n");
            let output = tailback(db.path()).args(args).write_stdin(input).output().unwrap();
            assert_eq!(code(&output), 1);
            let answers = lines(&output);
            assert_eq!(answers.len(), 2, "{answers:?}");
            assert_eq!((&answers[0]["line"], &answers[1]["distance"]), (&json!(1), &json!(2)));
            assert!(answers[0]["error"].as_str().unwrap().contains("4x4-moves.tailback"));
            assert!(stderr(&output).contains("error: 1 board has no answer"), "{}", stderr(&output));
        }
    }
}

mod batch {
    use super::*;

    fn feed(args: &[&str], input: impl Into<Vec<u8>>) -> Vec<Value> {
        let output = tailback(tables()).args(args).write_stdin(input).output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
        lines(&output)
    }

    #[test]
    fn a_bad_line_harms_no_other() {
        let input = format!("{SMALL}\n\n# a comment\nbad\r\n  {BLOCKED}\r\n\u{fffd}\n{CARD}");
        let answers = feed(&["lookup", "-"], input);
        assert_eq!(answers.len(), 5);
        assert_eq!(answers[0]["board"], SMALL);
        assert_eq!((&answers[1]["line"], &answers[1]["board"]), (&json!(4), &json!("bad")));
        assert!(answers[1]["error"].as_str().unwrap().contains("this text has 3"));
        assert_eq!(answers[2]["source"], "rule");
        assert_eq!(answers[3]["line"], 6);
        assert_eq!((&answers[4]["source"], &answers[4]["distance"]), (&json!("search"), &json!(8)));
    }

    #[test]
    fn bytes_that_are_no_text() {
        let answers = feed(&["lookup", "-"], [b"\xff\xfe\n", SMALL.as_bytes()].concat());
        assert_eq!(answers[0]["line"], 1);
        assert!(answers[0]["error"].is_string());
        assert_eq!(answers[1]["distance"], 2);
    }

    #[test]
    fn a_line_without_end() {
        let long = "A".repeat(1 << 20);
        let answers = feed(&["lookup", "-"], format!("{SMALL}\n{long}\n# {long}\n{SMALL}\n{long}"));
        assert_eq!(answers.len(), 4);
        assert_eq!((&answers[0]["distance"], &answers[2]["distance"]), (&json!(2), &json!(2)));
        for (cut, line) in [(&answers[1], 2), (&answers[3], 5)] {
            assert_eq!(cut["line"], line);
            assert!(cut["error"].as_str().unwrap().contains("65536 bytes"), "{cut}");
            let board = cut["board"].as_str().unwrap();
            assert!(board.len() < 100 && board.ends_with("A…"), "{cut}");
        }
    }

    #[test]
    fn nothing_in_nothing_out() {
        assert_eq!(feed(&["solve", "-"], ""), Vec::<Value>::new());
        assert_eq!(feed(&["solve", "-"], "\n# nothing\n\n"), Vec::<Value>::new());
    }

    /// More than one read brings, so that order and numbers span reads.
    #[test]
    fn many_lines_in_order() {
        let boards = [SMALL, MIDDLE, WALLED, BLOCKED, "no board"];
        let input: String = (0..20_000).map(|i| format!("{}\n", boards[i * i % 7 % 5])).collect();
        let answers = feed(&["solve", "-"], input);
        assert_eq!(answers.len(), 20_000);
        for (i, answer) in answers.iter().enumerate() {
            assert_eq!(answer["board"], boards[i * i % 7 % 5]);
            if answer["board"] == "no board" {
                assert_eq!(answer["line"], i + 1);
            }
        }
    }

    /// A program may send a board and wait for its answer.
    #[test]
    fn an_answer_comes_before_the_next_line() {
        let boards = [SMALL, WALLED].map(str::to_owned);
        let answers = one_by_one(&["lookup", "-", "--no-table"], &boards);
        assert!(answers.iter().map(|answer| &answer["board"]).eq(&boards), "{answers:?}");
    }

    #[test]
    fn from_a_file() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("boards.txt");
        fs::write(&file, format!("{}\n{}\n", SMALL.replace('A', "X"), CARD.replace('A', "X"))).unwrap();
        let args =
            ["solve", "--file", file.to_str().unwrap(), "--primary", "X", "--metric", "steps", "--count"];
        let answers = feed(&args, "");
        assert_eq!((&answers[0]["distance"], &answers[1]["distance"]), (&json!(4), &json!(16)));
        assert_eq!(answers[0]["solution"].as_array().unwrap().len(), 4);
        assert!(answers.iter().all(|answer| answer["optimal_solutions"].as_u64().unwrap() > 0));

        let missing = run(&["solve", "--file", "no/such/file"]);
        assert_eq!(code(&missing), 1);
        assert!(stderr(&missing).starts_with("error: cannot read no/such/file: "), "{}", stderr(&missing));
    }

    /// `tailback … | head -1` must end quietly.
    #[test]
    fn a_broken_pipe_is_no_error() {
        assert_eq!(with_broken_pipe(&["lookup", "-", "--no-table"], SMALL), (Some(0), String::new()));
    }
}

mod solve {
    use super::*;

    #[test]
    fn from_the_table_and_by_search() {
        let found = answer(&["solve", SMALL]);
        let expected = json!({
            "board": SMALL, "size": 4, "metric": "moves", "solvable": true, "distance": 2,
            "source": "table", "primary": "A", "id": 14, "solution": ["B+2", "A+2"],
        });
        assert_eq!(found, expected);
        assert_eq!(answer(&["solve", SMALL, "--no-table"])["solution"], json!(["B+2", "A+2"]));
        assert_eq!(answer(&["solve", SMALL, "--metric", "steps"])["solution"].as_array().unwrap().len(), 4);
        assert_eq!(answer(&["solve", "....B.AAB......."])["solution"], json!([]));
    }

    #[test]
    fn unsolvable_is_an_answer() {
        let found = answer(&["solve", BLOCKED, "--count"]);
        let (solvable, distance, solution) = (&found["solvable"], &found["distance"], &found["solution"]);
        assert_eq!((solvable, distance, solution), (&json!(false), &Value::Null, &Value::Null));
        assert_eq!(found["optimal_solutions"], 0);
    }

    #[test]
    fn counted() {
        assert_eq!(answer(&["solve", SMALL, "--count"])["optimal_solutions"], 1);
        assert_eq!(answer(&["solve", SMALL])["optimal_solutions"], Value::Null);
        let by_table = answer(&["solve", SMALL, "--count", "--metric", "steps"]);
        let by_search = answer(&["solve", SMALL, "--count", "--metric", "steps", "--no-table"]);
        assert_eq!(by_table["optimal_solutions"], by_search["optimal_solutions"]);
        let words = stdout(&run(&["solve", SMALL, "--count"]));
        assert!(words.contains("Optimal solutions: 1."), "{words}");
    }

    /// The search for a solution looks at fewer boards than a cluster has.
    #[test]
    fn solved_but_not_counted() {
        let card_of_22_139_boards = "BooCCCBooDoEAAoDFEGGGoFEooHoIIJJHKKo";
        let args = ["solve", card_of_22_139_boards, "--count", "--limit", "10000"];
        let found = answer(&args);
        assert_eq!((&found["distance"], &found["optimal_solutions"]), (&json!(8), &Value::Null));
        assert!(found.as_object().unwrap().contains_key("optimal_solutions"), "{found}");
        assert_eq!(found["solution"].as_array().unwrap().len(), 8);

        let output = run(&args);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("8 moves to the exit"), "{}", stdout(&output));
        assert!(!stdout(&output).contains("Optimal solutions"), "{}", stdout(&output));
        let note = stderr(&output);
        assert!(note.contains("not counted") && note.contains("limit of "), "{note}");
    }

    /// 8 moves fit on a line, the 60 of this board do not.
    #[test]
    fn long_solutions_wrap() {
        let short = stdout(&run(&["solve", CARD]));
        assert_eq!(short.lines().last().unwrap().split(", ").count(), 8, "{short}");
        let long = stdout(&run(&["solve", "IBBx..I..LDDJAAL..J.KEEMFFK..MGGHHHM"]));
        let (_, moves) = long.split_once("\n\n").unwrap();
        assert_eq!(moves.split(',').count(), 60, "{moves}");
        assert!(moves.lines().count() > 1 && moves.lines().all(|line| line.len() <= 80), "{moves}");
    }

    #[test]
    fn board_after_board() {
        let plain = stdout(&run(&["solve", SMALL, "--boards"]));
        assert_eq!(plain.matches('┌').count(), 3, "{plain}");
        assert!(plain.contains("1. B down 2\n") && plain.contains("2. A right 2\n"), "{plain}");
        assert!(plain.contains("│ . . A A  →"), "{plain}");
        assert_eq!(stdout(&run(&["solve", SMALL, "--animate"])), plain);
        for flag in ["--boards", "--animate"] {
            let output = tailback(tables()).args(["solve", "-", flag]).write_stdin(SMALL).output().unwrap();
            assert_eq!(code(&output), 2);
            assert!(stderr(&output).contains("one board"), "{}", stderr(&output));
        }
    }

    #[test]
    fn colour_and_animation_on_a_terminal() {
        let command = |flags: &str| format!("{PROGRAM} --db {} solve {SMALL} {flags}", tables().display());
        for flags in ["", "--animate"] {
            let elsewhere = stdout(&Command::new("sh").args(["-c", &command(flags)]).output().unwrap());
            assert!(elsewhere.contains("│ A A B .  →") && !elsewhere.contains('\x1b'), "{elsewhere}");
        }
        let Some(seen) = on_terminal(&command("--animate")) else { return };
        assert!(seen.contains("48;5;160m A "), "{seen}");
        assert_eq!(seen.matches("\x1b[J").count(), 3, "{seen}");
        assert!(seen.contains("0/2  start  playing") && seen.contains("2/2  A right 2"), "{seen}");
        let dumb = on_terminal(&format!("TERM=dumb {}", command("--animate"))).unwrap();
        assert!(dumb.contains("2. A right 2") && !dumb.contains('\x1b'), "{dumb}");
        let plain = on_terminal(&format!("NO_COLOR=1 {}", command(""))).unwrap();
        assert!(plain.contains("│ A A B .  →") && !plain.contains('\x1b'), "{plain}");
        let coloured = on_terminal(&format!("NO_COLOR= {}", command(""))).unwrap();
        assert!(coloured.contains('\x1b'), "{coloured}");
    }
}

mod stats {
    use super::*;

    #[test]
    fn counts() {
        let found = answer(&["stats", "--size", "5"]);
        assert_eq!((&found["size"], &found["metric"]), (&json!(5), &json!("moves")));
        assert_eq!(found["boards"], 10_492_784);
        let histogram: Vec<u64> = serde_json::from_value(found["histogram"].clone()).unwrap();
        assert_eq!(found["solvable"], histogram.iter().sum::<u64>());
        assert_eq!(found["unsolvable"], 10_492_784 - histogram.iter().sum::<u64>());
        assert_eq!(found["max_distance"], histogram.len() - 1);
        assert_ne!(histogram.last(), Some(&0));
        let file = tables().join("5x5-moves.tailback");
        assert_eq!(found["file"], file.to_str().unwrap());
        let bytes = fs::metadata(file).unwrap().len();
        assert_eq!(found["bytes"], bytes);
        assert_eq!(found["bits_per_board"], 8.0 * bytes as f64 / 10_492_784.0);
        assert_eq!(found["builder"], env!("CARGO_PKG_VERSION"));

        let steps = answer(&["stats", "--size", "4", "--metric", "steps"]);
        assert_eq!((&steps["boards"], &steps["metric"]), (&json!(13_146), &json!("steps")));
    }

    #[test]
    fn for_people() {
        let table = stdout(&run(&["stats", "--size", "4"]));
        assert!(table.starts_with("4×4 boards by moves, from "), "{table}");
        assert!(table.contains("13,146  100.00%") && table.contains('█'), "{table}");
        let rows = answer(&["stats", "--size", "4"])["histogram"].as_array().unwrap().len();
        assert_eq!(table.lines().count(), rows + 6, "{table}");
    }

    #[test]
    fn pictures() {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        let plot = |name: &str| run(&["stats", "--size", "5", "--plot", path(name).to_str().unwrap()]);
        assert_eq!(code(&plot("a.svg")), 0);
        let svg = fs::read_to_string(path("a.svg")).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("All 5×5") && svg.contains("10,492,784"), "{svg}");
        let bars = answer(&["stats", "--size", "5"])["histogram"].as_array().unwrap().len();
        assert_eq!(svg.matches("<title>").count(), bars);

        assert_eq!(code(&plot("a.PNG")), 0);
        assert!(fs::read(path("a.PNG")).unwrap().starts_with(b"\x89PNG\r\n"));

        for name in ["a.gif", "a"] {
            let output = plot(name);
            assert_eq!(code(&output), 2);
            assert!(stderr(&output).contains(".svg, .png or .pdf"), "{}", stderr(&output));
            assert!(!path(name).exists());
        }
        let output = plot("no/folder.svg");
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).starts_with("error: cannot write "), "{}", stderr(&output));
    }

    #[test]
    fn recounted() {
        for metric in ["moves", "steps"] {
            let args = ["stats", "--size", "5", "--metric", metric];
            let said = answer(&args);
            let mut counted = answer(&[&args[..], &["--recount", "--threads", "2"]].concat());
            assert!(said["recounted_seconds"].is_null());
            let seconds = counted.as_object_mut().unwrap().remove("recounted_seconds");
            assert!(seconds.unwrap().as_f64().unwrap() > 0.0);
            assert_eq!(counted, said);
        }
        let output = run(&["stats", "--size", "4", "--recount"]);
        let (said, counted) = (stdout(&run(&["stats", "--size", "4"])), stdout(&output));
        let (title, rest) = said.split_once('\n').unwrap();
        assert!(counted.starts_with(title) && counted.ends_with(rest), "{counted}");
        assert!(counted.contains("\nAll boards counted again in "), "{counted}");
        assert_progress(&output, "progress boards=13146 total=13146 percent=100.0");
        assert_eq!(code(&run(&["stats", "--threads", "2"])), 2, "there is nothing to share");
    }

    #[test]
    fn a_header_that_counts_wrong() {
        let db = TempDir::new().unwrap();
        let mut bytes = fs::read(tables().join("5x5-moves.tailback")).unwrap();
        // One board more at distance 0 (bytes 128 on), one less at 1.
        for (at, more) in [(128, 1), (136, -1)] {
            let count = i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) + more;
            bytes[at..at + 8].copy_from_slice(&count.to_le_bytes());
        }
        common::forge::reseal(&mut bytes);
        fs::write(db.path().join("5x5-moves.tailback"), bytes).unwrap();
        let stats =
            |args: &[&str]| tailback(db.path()).args(["stats", "--size", "5"]).args(args).output().unwrap();
        assert_eq!(code(&stats(&[])), 0, "the header alone looks right");
        let output = stats(&["--recount"]);
        assert_eq!((code(&output), stdout(&output)), (1, String::new()));
        let error = stderr(&output);
        assert!(error.contains("5x5-moves.tailback: the header counts other distances"), "{error}");
        assert!(error.contains("rebuild the table"), "{error}");
        let output = stats(&["--recount", "--json"]);
        assert_eq!(code(&output), 1);
        assert!(lines(&output)[0]["error"].as_str().unwrap().contains("rebuild the table"));
    }

    #[test]
    fn a_damaged_frame_is_found_by_counting() {
        let db = TempDir::new().unwrap();
        let mut bytes = fs::read(tables().join("5x5-steps.tailback")).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(db.path().join("5x5-steps.tailback"), bytes).unwrap();
        let args = ["stats", "--size", "5", "--metric", "steps", "--recount"];
        let output = tailback(db.path()).args(args).output().unwrap();
        assert_eq!((code(&output), stdout(&output)), (1, String::new()));
        let error = stderr(&output);
        assert!(error.contains("5x5-steps.tailback: the table is damaged"), "{error}");
    }

    #[test]
    fn without_a_table() {
        let output = run(&["stats"]);
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains("tailback build --size 6 --metric moves"), "{}", stderr(&output));
        let output = run(&["stats", "--json"]);
        assert_eq!(code(&output), 1);
        assert!(lines(&output)[0]["error"].is_string());
    }
}

mod verify {
    use super::*;

    /// Guards the first Ctrl-C: it killed the program, with no exit code.
    #[cfg(target_os = "linux")]
    #[test]
    fn stops_when_asked_to() {
        let mut command = std::process::Command::new(common::PROGRAM);
        let args = ["verify", "--size", "5", "--metric", "moves", "--sample", "1000000000000"];
        let child = command.arg("--db").arg(tables()).args(args).stderr(Stdio::piped()).spawn().unwrap();
        common::interrupt_at_work(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 3);
        assert!(stderr(&output).contains("error: interrupted"), "{}", stderr(&output));
    }

    #[test]
    fn every_table_of_the_folder() {
        let output = run(&["verify", "--json", "--sample", "1000"]);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
        let found = lines(&output);
        let tables: Vec<_> = found.iter().map(|t| (t["size"].clone(), t["metric"].clone())).collect();
        let expected = [(4, "moves"), (4, "steps"), (5, "moves"), (5, "steps")];
        assert_eq!(tables, expected.map(|(size, metric)| (json!(size), json!(metric))));
        for table in &found {
            assert_eq!((&table["ok"], &table["full"]), (&json!(true), &json!(false)));
            assert_eq!(table["boards"], 1000);
            assert!(table["frames"].as_u64().unwrap() > 0 && table["seconds"].is_f64());
        }
        assert_progress(&output, "progress boards=1000 total=1000 percent=100.0");
    }

    #[test]
    fn chosen_tables() {
        let found = answer(&["verify", "--size", "5", "--metric", "steps", "--full"]);
        assert_eq!((&found["boards"], &found["full"]), (&json!(10_492_784), &json!(true)));
        let found = answer(&["verify", "--size", "4", "--metric", "moves"]);
        assert_eq!((&found["boards"], &found["full"]), (&json!(20_000), &json!(false)));
        let output = run(&["verify", "--size", "4", "--sample", "10", "--seed", "7"]);
        assert_eq!(stdout(&output).matches("ok.").count(), 2, "{}", stdout(&output));
        assert_eq!(code(&run(&["verify", "--full", "--sample", "10"])), 2);
    }

    #[test]
    fn a_changed_byte_fails() {
        let db = TempDir::new().unwrap();
        let file = db.path().join("4x4-moves.tailback");
        let mut bytes = fs::read(tables().join("4x4-moves.tailback")).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&file, bytes).unwrap();
        for args in [&["verify"][..], &["verify", "--full"]] {
            let output = tailback(db.path()).args(args).output().unwrap();
            assert_eq!(code(&output), 1);
            assert!(
                stderr(&output).contains("4x4-moves.tailback: the table is damaged"),
                "{}",
                stderr(&output)
            );
            assert_eq!(stdout(&output), "");
        }
    }

    #[test]
    fn without_a_table() {
        let db = TempDir::new().unwrap();
        for args in [&["verify"][..], &["verify", "--size", "6", "--metric", "steps"]] {
            let output = tailback(db.path()).args(args).output().unwrap();
            assert_eq!(code(&output), 1);
            assert!(stderr(&output).contains("tailback build"), "{}", stderr(&output));
        }
    }
}

mod program {
    use super::*;

    /// A hint or an error that nobody can read must not end in a panic.
    #[test]
    fn a_closed_standard_error() {
        let db = TempDir::new().unwrap();
        let code = |args: &[&str]| {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let mut command = std::process::Command::new(PROGRAM);
            command.arg("--db").arg(db.path()).args(args).stdout(Stdio::null()).stderr(writer);
            command.status().unwrap().code()
        };
        assert_eq!(code(&["lookup", SMALL]), Some(0)); // a hint
        assert_eq!(code(&["build", "--size", "4"]), Some(0)); // progress
        assert_eq!(code(&["stats"]), Some(1)); // an error
        assert_eq!(code(&["lookup", "bad"]), Some(2));
        assert_eq!(code(&["park"]), Some(2));
    }

    #[test]
    fn completions() {
        for (shell, word) in
            [("bash", "_tailback()"), ("zsh", "#compdef tailback"), ("fish", "complete -c tailback")]
        {
            let output = run(&["completions", shell]);
            assert_eq!(code(&output), 0);
            assert!(stdout(&output).contains(word), "{shell}");
        }
        assert_eq!(code(&run(&["completions", "dos"])), 2);
        // Values that are read by a parser of their own are offered, too.
        let bash = stdout(&run(&["completions", "bash"]));
        for names in ["astar", "ida-tt", "blocked-blockers", "free-cells", "moves steps"] {
            assert!(bash.contains(names), "{names}");
        }
    }

    #[test]
    fn the_manual() {
        let page = stdout(&run(&["man"]));
        assert!(page.contains(".TH tailback 1") && page.contains("data folder"), "{page}");
        let folder = TempDir::new().unwrap();
        let output = run(&["man", "--out", folder.path().to_str().unwrap()]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let names: Vec<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        for name in ["tailback.1", "tailback-lookup.1", "tailback-import-dataset.1"] {
            assert!(names.iter().any(|found| found == name), "{names:?}");
        }
        let export = fs::read_to_string(folder.path().join("tailback-export.1")).unwrap();
        assert!(export.contains("per\\-distance"), "{export}");

        // Half a manual is none.
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("tailback-verify.1/not empty")).unwrap();
        let output = run(&["man", "--out", folder.path().to_str().unwrap()]);
        assert_eq!((code(&output), fs::read_dir(&folder).unwrap().count()), (1, 1), "{}", stderr(&output));
        assert!(stderr(&output).contains("cannot write to "), "{}", stderr(&output));
    }

    /// Without --db and without `db` here, the data folder of the user is read; it
    /// is never built in.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_data_folder_of_the_user() {
        let home = TempDir::new().unwrap();
        let here = home.path().join("here");
        fs::create_dir(&here).unwrap();
        let run = |args: &[&str], variables: &[(&str, &std::path::Path)]| {
            let mut command = Command::new(PROGRAM);
            command.env_clear().envs(variables.iter().copied()).current_dir(&here).args(args);
            command.output().unwrap()
        };
        let in_home = home.path().join(".local/share/tailback");
        let elsewhere = home.path().join("data");
        let output = run(&["build", "--size", "4", "--db", in_home.to_str().unwrap()], &[]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let is_found = |variables: &[(&str, &std::path::Path)]| {
            let output = run(&["lookup", "--json", SMALL], variables);
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            stdout(&output).contains("\"source\":\"table\"")
        };
        assert!(!is_found(&[]));
        assert!(is_found(&[("HOME", home.path())]));
        assert!(!is_found(&[("HOME", home.path()), ("XDG_DATA_HOME", &elsewhere)]));
        assert!(is_found(&[("XDG_DATA_HOME", &home.path().join(".local/share"))]));
        // A folder that is named or here comes first.
        assert!(!is_found(&[("HOME", home.path()), ("TAILBACK_DB", &elsewhere)]));
        let output = run(&["build", "--size", "4", "--only", "table"], &[("HOME", home.path())]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(here.join("db/4x4-moves.tailback").is_file());
    }

    #[test]
    fn help_shows_examples() {
        for command in ["build", "lookup", "solve", "grade", "import", "stats", "verify", "completions"] {
            let output = run(&[command, "--help"]);
            assert_eq!(code(&output), 0);
            assert!(stdout(&output).contains(&format!("Examples:\n  tailback {command}")), "{command}");
        }
        let help = stdout(&run(&["--help"]));
        assert!(help.contains("Exit codes:") && help.contains("TAILBACK_DB"), "{help}");
    }

    #[test]
    fn version() {
        assert_eq!(stdout(&run(&["--version"])), format!("tailback {}\n", env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn wrong_usage() {
        for args in [&[][..], &["park"], &["stats", "--size", "7"], &["lookup", "--metric", "x", SMALL]] {
            let output = run(args);
            assert_eq!(code(&output), 2, "{args:?}");
            assert_eq!(stdout(&output), "");
        }
    }

    /// Guards against a panic: whether to answer in JSON was asked of text alone.
    #[cfg(unix)]
    #[test]
    fn wrong_usage_that_is_no_text() {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"b\xffd");
        let ask = |args: &[&str]| tailback(tables()).args(args).arg(name).output().unwrap();
        let output = ask(&["park"]);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{}", stderr(&output));
        let output = ask(&["lookup", "--json"]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        let told: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert!(told["error"].is_string(), "{told}");
    }
}
