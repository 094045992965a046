//! `tailback import` as a user types it, and against the oracle.

use crate::common;

use std::fs;
use std::io::Write;
use std::process::Output;

use rand::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{code, drop_vehicles, stderr, stdout, tables, tailback, with_broken_pipe};

/// 2 moves, 5 boards in its cluster.
const SMALL: &str = "..B.AAB.........";
/// 2 moves, 5 boards, by search.
const WALLED: &str = "..B.AAB..x......";
const BLOCKED: &str = "....AABB.CC.....";
const CARD: &str = "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo";

/// Runs `import` on the tables above, with the list on standard input.
fn import(args: &[&str], list: &str) -> Output {
    tailback(tables()).args(["import", "-"]).args(args).write_stdin(list).output().unwrap()
}

/// The answers to a list, and the summary after them.
fn answers(args: &[&str], list: &str) -> (Vec<Value>, Value) {
    let output = import(&[args, &["--json"]].concat(), list);
    let mut lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().expect("there is a summary");
    assert!(summary["lines"].is_u64(), "{summary}");
    (lines, summary)
}

/// Exit code, the report without the seconds, and the error if there is one.
fn report(args: &[&str], list: &str) -> (i32, String, String) {
    let output = import(args, list);
    let text = stdout(&output);
    let (text, seconds) = text.rsplit_once(" (").unwrap();
    assert!(seconds.ends_with(" s).\n"), "{seconds}");
    let error = stderr(&output).lines().find(|line| line.starts_with("error: ")).unwrap_or("").to_owned();
    (code(&output), text.to_owned(), error)
}

fn all_right(report: (i32, String, String), text: &str) {
    assert_eq!(report, (0, text.to_owned(), String::new()));
}

mod lists {
    use super::*;

    #[test]
    fn every_card_of_the_boxed_game() {
        let cards = include_str!("../../src/domains/rush_hour/sets/jam.tsv")
            .lines()
            .filter(|line| line.starts_with("Jam-"));
        let list: String = cards
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                format!("{} {} {}\n", fields[2], fields[1], fields[4])
            })
            .collect();
        all_right(report(&[], &list), "40 lines: 40 agree");
    }

    #[test]
    fn one_two_and_three_columns() {
        let list = format!(
            "# moves, board, cluster\n\n2 {SMALL} 5\r\n  2\t{WALLED}\t5  \n2 {SMALL}\n{WALLED}\n\
             2 ..B. AAB. .... .... 5\nooBo AABo oooo oooo\n60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332\n"
        );
        let expected = format!(
            "line 6: {WALLED}: 2 moves\nline 8: {SMALL}: 2 moves\n\
             7 lines: 5 agree, 2 claim nothing; 4 repeat a board"
        );
        all_right(report(&[], &list), &expected);
        all_right(report(&["--no-table"], &list), &expected);
    }

    #[test]
    fn for_programs() {
        let list = format!("2 {SMALL} 5\n3 {WALLED}\n\n{BLOCKED}\nbad\n2 {} 5\n", SMALL.replace('B', "Z"));
        let (lines, summary) = answers(&[], &list);
        assert_eq!(
            lines[..3],
            [
                json!({
                    "line": 1, "board": SMALL, "claimed": {"moves": 2, "cluster_boards": 5},
                    "found": {"moves": 2, "cluster_boards": 5}, "agrees": true, "source": "table",
                    "repeated": false, "mirrored": false,
                }),
                json!({
                    "line": 2, "board": WALLED, "claimed": {"moves": 3, "cluster_boards": null},
                    "found": {"moves": 2, "cluster_boards": null}, "agrees": false, "source": "search",
                    "repeated": false, "mirrored": false,
                }),
                json!({
                    "line": 4, "board": BLOCKED, "claimed": {"moves": null, "cluster_boards": null},
                    "found": {"moves": null, "cluster_boards": null}, "agrees": null, "source": "rule",
                    "repeated": false, "mirrored": false,
                }),
            ]
        );
        assert_eq!((&lines[3]["line"], &lines[3]["board"]), (&json!(5), &json!("bad")));
        assert!(lines[3]["error"].as_str().unwrap().contains("this text has 3"), "{}", lines[3]);
        assert_eq!((&lines[4]["line"], &lines[4]["repeated"]), (&json!(6), &json!(true)));
        assert_eq!(lines.len(), 5);
        assert!(summary["seconds"].as_f64().unwrap() > 0.0);
        for (name, count) in [
            ("lines", 5),
            ("agree", 2),
            ("differ", 1),
            ("unclaimed", 1),
            ("unchecked", 0),
            ("unreadable", 1),
            ("repeated", 1),
        ] {
            assert_eq!(summary[name], count, "{name}");
        }
    }

    #[test]
    fn from_a_file() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("list.txt");
        let import = |path: &str| tailback(tables()).args(["import", path]).output().unwrap();
        fs::write(&file, format!("# a comment\n2 {SMALL} 5\n3 {SMALL}")).unwrap();
        let output = import(file.to_str().unwrap());
        assert_eq!(code(&output), 1);
        assert!(
            stdout(&output).starts_with(&format!("line 3: {SMALL}: 3 moves claimed, 2 found\n2 lines: "))
        );

        fs::write(&file, "").unwrap();
        let output = import(file.to_str().unwrap());
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).starts_with("Nothing was read ("), "{}", stdout(&output));

        let missing = import("no/such/file");
        assert_eq!((code(&missing), stdout(&missing)), (1, String::new()));
        assert!(stderr(&missing).starts_with("error: cannot read no/such/file: "), "{}", stderr(&missing));
        let a_folder = import(folder.path().to_str().unwrap());
        assert_eq!((code(&a_folder), stdout(&a_folder)), (1, String::new()));
        assert!(stderr(&a_folder).contains("error: cannot read"), "{}", stderr(&a_folder));
    }

    /// With a known end and without.
    #[test]
    fn progress() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("list.txt");
        fs::write(&file, format!("# a comment\n2 {SMALL} 5\nbad\n\n")).unwrap();
        let output = tailback(tables()).arg("import").arg(&file).output().unwrap();
        common::assert_progress(&output, "progress lines=2 total=2 percent=100.0 lines_per_second=");

        let mut child = std::process::Command::new(common::PROGRAM)
            .args(["import", "-"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "2 {SMALL} 5").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1100));
        writeln!(input, "2 {SMALL} 5").unwrap();
        drop(input);
        let told = stderr(&child.wait_with_output().unwrap());
        assert!(told.starts_with("progress lines=2 lines_per_second="), "{told}");
    }

    /// More than one read brings, so that order and numbers span reads.
    #[test]
    fn many_lines_in_order() {
        let line = |i: usize| match i * i % 13 % 4 {
            0 => format!("2 {SMALL} 5\n"),
            1 => format!("1 {WALLED} 5\n"),
            2 => "no board\n".to_owned(),
            _ => format!("{BLOCKED}\n"),
        };
        let list: String = (0..10_000).map(line).collect();
        let (lines, summary) = answers(&[], &list);
        assert_eq!((lines.len(), &summary["lines"]), (10_000, &json!(10_000)));
        let mut differ = 0;
        for (i, answer) in lines.iter().enumerate() {
            assert_eq!(answer["line"], i + 1);
            match i * i % 13 % 4 {
                0 => assert_eq!(answer["agrees"], true),
                1 => {
                    assert_eq!(answer["agrees"], false);
                    differ += 1;
                }
                2 => assert!(answer["error"].is_string()),
                _ => assert_eq!(answer["agrees"], Value::Null),
            }
        }
        assert_eq!(summary["differ"], differ);
        assert_eq!(summary["repeated"], 10_000 - 3 - summary["unreadable"].as_u64().unwrap());
    }
}

mod claims {
    use super::*;

    #[test]
    fn wrong_ones_are_found() {
        for (line, message) in [
            (format!("3 {SMALL} 5"), "3 moves claimed, 2 found"),
            (format!("1 {SMALL}"), "1 move claimed, 2 found"),
            (format!("2 {SMALL} 6"), "a cluster of 6 boards claimed, 5 found"),
            (
                format!("1 {SMALL} 1234567"),
                "1 move claimed, 2 found; a cluster of 1,234,567 boards claimed, 5 found",
            ),
            (format!("0 {SMALL} 5"), "0 moves claimed, 2 found"),
        ] {
            let (code, text, error) = report(&[], &format!("2 {WALLED} 5\n{line}\n"));
            assert_eq!(text, format!("line 2: {SMALL}: {message}\n2 lines: 1 agrees, 1 differs"));
            assert_eq!((code, error.as_str()), (1, "error: 1 puzzle is not as claimed"), "{line}");
        }
        let (code, text, _) = report(&[], &format!("4 {BLOCKED}\n"));
        assert_eq!(
            (code, text),
            (1, format!("line 1: {BLOCKED}: 4 moves claimed, but it is unsolvable\n1 line: 1 differs"))
        );
        all_right(report(&[], BLOCKED), &format!("line 1: {BLOCKED}: unsolvable\n1 line: 1 claims nothing"));
    }

    #[test]
    fn sizes_of_clusters_may_be_left_out() {
        let list = format!("2 {SMALL} 6\n");
        assert_eq!(report(&[], &list).0, 1);
        all_right(report(&["--no-clusters"], &list), "1 line: 1 agrees");
        let (lines, _) = answers(&["--no-clusters"], &list);
        assert_eq!(lines[0]["claimed"], json!({"moves": 2, "cluster_boards": 6}));
        assert_eq!(lines[0]["found"], json!({"moves": 2, "cluster_boards": null}));
        assert_eq!(report(&["--no-clusters"], &format!("3 {SMALL} 5\n")).0, 1);
    }

    #[test]
    fn lines_that_cannot_be_read() {
        let huge = format!("{} {SMALL}", "9".repeat(20));
        let long = "A".repeat(10_000);
        let list = format!("bad\n2 {SMALL} 5\n{SMALL} 5\n12\n{huge}\n2 {SMALL} five\n{long}\n2 {SMALL} 5\n");
        let (exit, text, error) = report(&[], &list);
        assert_eq!((exit, error.as_str()), (2, "error: 6 lines cannot be read"));
        let said: Vec<&str> = text.lines().collect();
        for (said, (number, message)) in said.iter().zip([
            (1, "this text has 3"),
            (3, "5 after the board is a cluster size, but there are no moves"),
            (4, "has no puzzle 12"),
            (5, "99999999999999999999 is too large"),
            (6, "five"),
            (7, "this text has 10000"),
        ]) {
            assert!(said.starts_with(&format!("line {number}: error: ")) && said.contains(message), "{said}");
        }
        assert_eq!(said[6..], ["8 lines: 2 agree, 6 cannot be read; 1 repeats a board"]);

        let output = import(&["--json"], &list);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).ends_with("error: 6 lines cannot be read\n"), "{}", stderr(&output));
        assert_eq!(stdout(&output).lines().count(), 9);
    }

    /// A wrong claim is worse than a line that cannot be read.
    #[test]
    fn wrong_and_unreadable() {
        let (code, text, error) = report(&[], &format!("bad\n3 {SMALL}\nbad\n"));
        assert_eq!((code, error.as_str()), (1, "error: 1 puzzle is not as claimed, 2 lines cannot be read"));
        assert!(text.ends_with("3 lines: 1 differs, 2 cannot be read"), "{text}");
    }

    #[test]
    fn a_search_has_a_limit() {
        // The search passes the limit, or the cluster does.
        for list in [format!("8 {CARD}"), format!("2 {SMALL} 5")] {
            let (code, text, error) = report(&["--limit", "4"], &format!("{list}\n"));
            assert_eq!((code, error.as_str()), (1, "error: 1 puzzle could not be checked"), "{list}");
            assert!(text.starts_with("line 1: error: ") && text.contains("limit of 4 boards"), "{text}");
            assert!(text.ends_with("1 line: 1 has no answer"), "{text}");
        }
        all_right(report(&["--limit", "5"], &format!("2 {SMALL} 5")), "1 line: 1 agrees");
    }

    #[test]
    fn a_damaged_table_is_an_error() {
        let db = TempDir::new().unwrap();
        fs::write(db.path().join("4x4-moves.tailback"), "something else").unwrap();
        let list = format!("2 {SMALL}\n8 {CARD}\n");
        let output = tailback(db.path()).args(["import", "-"]).write_stdin(list).output().unwrap();
        assert_eq!(code(&output), 1);
        let text = stdout(&output);
        assert!(text.starts_with("line 1: error: ") && text.contains("4x4-moves.tailback: "), "{text}");
        assert!(text.contains("2 lines: 1 agrees, 1 has no answer"), "{text}");
    }

    #[test]
    fn every_source() {
        let list = format!("{SMALL}\n{WALLED}\n{BLOCKED}\n8 {CARD} 1247\n");
        let sources = |args: &[&str]| {
            let (lines, _) = answers(args, &list);
            lines.iter().map(|line| line["source"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(sources(&[]), ["table", "search", "rule", "search"]);
        assert_eq!(sources(&["--no-table"]), ["search", "search", "rule", "search"]);
    }

    #[test]
    fn another_primary() {
        let list = format!("2 {} 5\n", SMALL.replace('A', "X"));
        all_right(report(&["--primary", "X"], &list), "1 line: 1 agrees");
        all_right(report(&[], &list), "1 line: 1 agrees");
        let (code, text, _) = report(&["--primary", "Y"], &list);
        assert_eq!(code, 2);
        assert!(text.contains("'Y'"), "{text}");
    }

    /// Boards that differ in letters only are one board; others are not.
    #[test]
    fn repeated_boards() {
        let list = [
            ("BBCCAA..........", false),
            ("CCZZAA..........", true),
            ("BBBBAA..........", false),
            ("BBCCAAx.........", false),
            ("........AA..BBCC", false),
            ("BBAA............", false),
            ("AABB............", false),
            ("BBCC.AA.........", false),
            ("BBCCAA..........", true),
        ];
        let text: String = list.iter().map(|(board, _)| format!("{board}\n")).collect();
        let (lines, summary) = answers(&[], &text);
        for ((board, repeated), line) in list.iter().zip(&lines) {
            assert_eq!(line["repeated"], *repeated, "{board}");
        }
        assert_eq!((lines.len(), &summary["repeated"]), (9, &json!(2)));
    }

    /// Mirror images are told of always, near-duplicates on request.
    #[test]
    fn boards_that_are_alike() {
        let list = [
            ("..B.AAB.........", false, false),
            // Upside down.
            ("........AAB...B.", true, true),
            // One vehicle more.
            ("..B.AAB.......CC", false, true),
            // One vehicle elsewhere in its line.
            ("....AAB...B.....", false, true),
            ("BBB.AA.C.D.C.DEE", false, false),
        ];
        let text: String = list.iter().map(|(board, ..)| format!("{board}\n")).collect();
        let (lines, summary) = answers(&["--alike"], &text);
        for ((board, mirrored, alike), line) in list.iter().zip(&lines) {
            assert_eq!(line["like"].is_u64(), *alike, "{board}: {line}");
            assert_eq!(line["mirrored"], *mirrored, "{board}: {line}");
        }
        assert_eq!((lines.len(), &summary["mirrored"], &summary["alike"]), (5, &json!(1), &json!(3)));
        let (lines, summary) = answers(&[], &text);
        assert_eq!(lines[1]["mirrored"], true, "{}", lines[1]);
        assert_eq!(summary["mirrored"], 1);
        assert!(summary["alike"].is_null(), "{summary}");
    }

    #[test]
    fn wrong_usage() {
        for args in [&["import"][..], &["import", "-", "--metric", "moves"], &["import", "a", "b"]] {
            let output = tailback(tables()).args(args).output().unwrap();
            assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}");
        }
    }
}

/// A random board with or without walls, and its true numbers.
fn random_puzzle(random: &mut impl Rng, size: usize) -> Option<(String, Option<u32>, usize)> {
    let mut grid = vec!['.'; size * size];
    let row = random.random_range(0..size);
    let primary = row * size + random.random_range(0..size - 1);
    grid[primary..primary + 2].fill('A');
    drop_vehicles(random, &mut grid, size);
    for _ in 0..random.random_range(0..3) {
        let cell = random.random_range(0..size * size);
        if grid[cell] == '.' {
            grid[cell] = 'x';
        }
    }
    let board: String = grid.into_iter().collect();
    let cluster = oracle::cluster(&board, size, 2000)?;
    let moves = oracle::distance(&board, size, false);
    Some((board, moves, cluster.len()))
}

#[test]
fn the_oracle_finds_the_same_numbers() {
    let mut random = rand_pcg::Pcg64::seed_from_u64(6);
    let mut list = String::new();
    let mut expected = Vec::new();
    while expected.len() < 400 {
        let size = random.random_range(4..=5);
        let Some((board, moves, cluster)) = random_puzzle(&mut random, size) else { continue };
        // A third of the moves and a third of the clusters are wrong.
        let claimed_moves = moves.unwrap_or(7) + u32::from(random.random_ratio(1, 3));
        let claimed_cluster = cluster + usize::from(random.random_ratio(1, 3));
        list += &format!("{claimed_moves} {board} {claimed_cluster}\n");
        let agrees = moves == Some(claimed_moves) && cluster == claimed_cluster;
        expected.push((json!({"moves": moves, "cluster_boards": cluster}), agrees));
    }
    for args in [&[][..], &["--no-table"]] {
        let (lines, summary) = answers(&[args, &["--primary", "A"]].concat(), &list);
        assert_eq!(lines.len(), expected.len());
        for (line, (found, agrees)) in lines.iter().zip(&expected) {
            assert_eq!((&line["found"], &line["agrees"]), (found, &json!(agrees)), "{}", line["board"]);
        }
        let differ = expected.iter().filter(|(_, agrees)| !agrees).count();
        assert!(differ > 100 && differ < 300, "{differ}");
        assert_eq!(
            (&summary["differ"], &summary["agree"]),
            (&json!(differ), &json!(expected.len() - differ))
        );
    }
}

/// `tailback import … | head -1` must end without an error.
#[test]
fn a_broken_pipe_is_no_error() {
    let (code, errors) = with_broken_pipe(&["import", "-", "--no-table", "--json"], SMALL);
    assert_eq!(code, Some(0), "{errors}");
    assert!(!errors.contains("error"), "{errors}");
}
