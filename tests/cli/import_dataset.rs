//! `tailback import-dataset` as a user types it, and against the oracle.

use crate::common;

use std::fs;
use std::process::Output;

use rand::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{code, stderr, stdout, tables, tailback, with_broken_pipe};

/// 2 moves, 4 steps.
const FAR: &str = "..B.AAB.........";
const WALLED: &str = "..B.AAB..x......";
const BLOCKED: &str = "....AABB.CC.....";
/// 8 moves, 16 steps.
const CARD: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

/// A file with these lines after its head.
fn dataset(lines: &[String]) -> String {
    format!("A dataset\nof some boards, in moves\n{}\n", lines.join("\n"))
}

/// Runs `import-dataset` on the tables above, with the file on standard input.
fn import(args: &[&str], file: &str) -> Output {
    tailback(tables()).args(["import-dataset", "-"]).args(args).write_stdin(file).output().unwrap()
}

/// What is said of every line, and the summary after it.
fn answers(args: &[&str], file: &str) -> (Vec<Value>, Value) {
    let output = import(&[args, &["--json"]].concat(), file);
    let mut lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().expect("there is a summary");
    assert!(summary["lines"].is_u64(), "{summary}");
    (lines, summary)
}

/// Exit code, the report without the seconds, and the error if there is one.
fn report(args: &[&str], file: &str) -> (i32, String, String) {
    let output = import(args, file);
    let text = stdout(&output);
    let (before, after) = text.split_once(" s).\n").unwrap();
    let (before, _) = before.rsplit_once(" (").unwrap();
    let error = stderr(&output).lines().find(|line| line.starts_with("error: ")).unwrap_or("").to_owned();
    (code(&output), format!("{before}.\n{after}"), error)
}

mod files {
    use super::*;

    fn all_right(file: &str, text: &str) {
        assert_eq!(report(&[], file), (0, format!("{text}.\n"), String::new()), "{file}");
    }

    #[test]
    fn everything_is_exact() {
        let lines = [
            format!("{FAR},2"),
            format!("{WALLED},2.0,7,8"),
            format!("{BLOCKED},Infinity"),
            format!("{BLOCKED},-1"),
            format!("{BLOCKED},"),
            format!("{CARD},8,1"),
        ];
        all_right(&dataset(&lines), "A dataset: 6 lines: 6 agree; 2 repeat a board");
    }

    #[test]
    fn in_every_dress() {
        let plain = format!("A name\nof it\n{FAR},2\n{WALLED},2\n");
        for file in [
            format!("\u{feff}{plain}"),
            plain.replace('\n', "\r\n"),
            plain.replace("A name", "\"A name\""),
            plain.replace("of it\n", "of it\nInstance,h*\n"),
            plain.replace("of it\n", "\nInstance,h*,h1\r\n"),
            plain.replace(FAR, &format!("\"{FAR}\"")),
            format!("{plain}\n\n# the end"),
            plain.replace(',', " ; ").replace(" ; ", " , "),
        ] {
            all_right(&file, "A name: 2 lines: 2 agree");
        }
        all_right(&plain.replace("A name", "\"A \"\"name\"\", so\""), "A \"name\", so: 2 lines: 2 agree");
        all_right(&plain.replace("A name", "A name, so"), "A name, so: 2 lines: 2 agree");
        all_right(&plain.replace("A name", ""), "2 lines: 2 agree");
        // A name is not to command the terminal.
        all_right(&plain.replace("A name", "A\u{1b} name"), "A name: 2 lines: 2 agree");
    }

    #[test]
    fn from_a_file() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("boards.csv");
        let import = |path: &str| tailback(tables()).args(["import-dataset", path]).output().unwrap();
        fs::write(&file, format!("# A name\n\nInstance,h*\n\n{FAR},2\n{FAR},3\n")).unwrap();
        let output = import(file.to_str().unwrap());
        assert_eq!(code(&output), 1);
        assert!(
            stdout(&output)
                .starts_with(&format!("line 6: {FAR}: 3 moves claimed, 2 found\n# A name: 2 lines: ")),
            "{}",
            stdout(&output)
        );
        common::assert_progress(&output, "progress lines=2 total=2 percent=100.0 lines_per_second=");

        let missing = import("no/such/file");
        assert_eq!((code(&missing), stdout(&missing)), (1, String::new()));
        assert!(stderr(&missing).starts_with("error: cannot read no/such/file: "), "{}", stderr(&missing));
        let a_folder = import(folder.path().to_str().unwrap());
        assert_eq!((code(&a_folder), stdout(&a_folder)), (1, String::new()));
        assert!(stderr(&a_folder).starts_with("error: cannot read "), "{}", stderr(&a_folder));
    }

    /// No line with data is taken for a name, a description or names of columns.
    #[test]
    fn without_a_head() {
        let board = format!("{FAR},2\n");
        for (file, lines) in [
            (board.repeat(3), "3 lines: 3 agree; 2 repeat a board"),
            (format!("Instance,h*\n{board}{board}"), "2 lines: 2 agree; 1 repeats a board"),
            ("board,id,moves\n..B.AAB.........,14,2\n\n".to_owned(), "1 line: 1 agrees"),
            ("{\"board\":\"..B.AAB.........\",\"moves\":2}\n\n".to_owned(), "1 line: 1 agrees"),
            (format!("2 {FAR}\n"), "1 line: 1 agrees"),
        ] {
            all_right(&file, &format!("-: {lines}"));
        }
        // Neither a first board that is wrong, nor one that cannot be read, is passed over.
        let (code, text, _) = report(&[], &format!("{FAR},3\n{board}{board}"));
        assert!(
            code == 1 && text.starts_with(&format!("line 1: {FAR}: 3 moves claimed, 2 found\n")),
            "{text}"
        );
        let (code, text, _) = report(&[], &format!("..B.AAB........,3\n{board}"));
        assert!(code == 2 && text.starts_with("line 1: error: "), "{text}");
        for file in ["", "A name\n", "A name\nof it\n"] {
            let output = import(&[], file);
            assert_eq!(common::code(&output), 2, "{file}");
            assert!(stderr(&output).ends_with("error: there is no board to check\n"), "{}", stderr(&output));
        }
    }

    /// More than one read brings, so that order and numbers span reads.
    #[test]
    fn many_lines_in_order() {
        let line = |i: usize| match i * i % 13 % 4 {
            0 => format!("{FAR},2"),
            1 => format!("{WALLED},1"),
            2 => "no board".to_owned(),
            _ => format!("{BLOCKED},inf"),
        };
        let lines: Vec<String> = (0..10_000).map(line).collect();
        let (answers, summary) = answers(&[], &dataset(&lines));
        assert_eq!((answers.len(), &summary["lines"]), (10_000, &json!(10_000)));
        for (i, answer) in answers.iter().enumerate() {
            assert_eq!(answer["line"], i + 3);
            match i * i % 13 % 4 {
                1 => assert_eq!(answer["fault"], "wrong_distance"),
                2 => assert!(answer["error"].is_string()),
                _ => assert_eq!(answer["agrees"], true),
            }
        }
    }
}

mod claims {
    use super::*;

    #[test]
    fn wrong_ones_are_found() {
        let lines = [
            format!("{FAR},5"),
            format!("{CARD},7"),
            format!("{CARD},8.5"),
            format!("{WALLED},1"),
            format!("{BLOCKED},4"),
            format!("{FAR},-1"),
            format!("{FAR},Infinity"),
            format!("{FAR},"),
            format!("{FAR},2"),
        ];
        let (code, text, error) = report(&[], &dataset(&lines));
        let expected = format!(
            "line 3: {FAR}: 5 moves claimed, 2 found\n\
             line 4: {CARD}: 7 moves claimed, 8 found\n\
             line 5: {CARD}: 8.5 moves claimed, 8 found\n\
             line 6: {WALLED}: 1 move claimed, 2 found\n\
             line 7: {BLOCKED}: 4 moves claimed, but it is unsolvable\n\
             line 8: {FAR}: no answer claimed, but it takes 2 moves\n\
             line 9: {FAR}: unsolvable claimed, but it takes 2 moves\n\
             line 10: {FAR}: no answer claimed, but it takes 2 moves\n\
             A dataset: 9 lines: 1 agrees, 8 differ; 5 repeat a board.\n\
             4 distances are wrong: 2 too high, 2 too low; by 1.38 on average, by 3 at most (line 3).\n\
             3 boards without a distance can be solved, 1 board with a distance cannot be solved.\n"
        );
        assert_eq!(text, expected);
        assert_eq!((code, error.as_str()), (1, "error: 8 instances are not as claimed"));
    }

    #[test]
    fn for_programs() {
        let lines = [
            format!("{FAR},2"),
            format!("{FAR},4.0"),
            format!("{WALLED},2.5"),
            format!("{BLOCKED},Infinity"),
            format!("{CARD},"),
            "bad,1".to_owned(),
        ];
        let (lines, mut summary) = answers(&[], &dataset(&lines));
        let agrees = json!({
            "line": 3, "board": FAR, "claims": "distance", "claimed": 2, "found": 2, "agrees": true,
            "fault": null, "is_other_metric": null, "wrong_values": [], "source": "table",
            "repeated": false,
        });
        assert_eq!(lines[0], agrees);
        let differing = |changes: Value| {
            let mut line = agrees.clone();
            line.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            line
        };
        assert_eq!(
            lines[1..5],
            [
                differing(json!({
                    "line": 4, "claimed": 4, "agrees": false, "fault": "wrong_distance",
                    "is_other_metric": true, "repeated": true,
                })),
                differing(json!({
                    "line": 5, "board": WALLED, "claimed": 2.5, "agrees": false, "fault": "wrong_distance",
                    "is_other_metric": false, "source": "search",
                })),
                differing(json!({
                    "line": 6, "board": BLOCKED, "claims": "unsolvable", "claimed": null, "found": null,
                    "source": "rule",
                })),
                differing(json!({
                    "line": 7, "board": CARD, "claims": "no_answer", "claimed": null, "found": 8,
                    "agrees": false, "fault": "false_no_answer", "source": "search",
                })),
            ]
        );
        assert_eq!((&lines[5]["line"], &lines[5]["board"]), (&json!(8), &json!("bad,1")));
        assert!(lines[5]["error"].as_str().unwrap().contains("this text has 3"), "{}", lines[5]);
        assert!(summary.as_object_mut().unwrap().remove("seconds").unwrap().as_f64().unwrap() > 0.0);
        assert_eq!(
            summary,
            json!({
                "name": "A dataset", "description": "of some boards, in moves", "metric": "moves",
                "lines": 6, "agree": 2, "differ": 3, "unchecked": 0, "unreadable": 1, "repeated": 1,
                "false_answers": 0, "false_no_answers": 1, "wrong_distances": 2, "too_high": 2, "too_low": 0,
                "mean_error": 1.25, "largest_error": {"line": 4, "error": 2.0},
                "other_metric": {"metric": "steps", "exact": 1, "looked_at": 2}, "heuristics": [],
            })
        );
    }

    #[test]
    fn steps_instead_of_moves() {
        let claims = [(FAR, 4), (CARD, 16), (WALLED, 9), (FAR, 2), (CARD, 8)];
        let lines = claims.map(|(board, claimed)| format!("{board},{claimed}"));
        let (code, text, _) = report(&[], &dataset(&lines));
        assert_eq!(code, 1);
        let (said, hint) = (
            format!("line 3: {FAR}: 4 moves claimed, 2 found (it is right in steps)\n"),
            "\n2 of the 3 wrong distances are exact in steps: was the file made in steps? Try --metric steps.\n",
        );
        assert!(text.starts_with(&said) && text.ends_with(hint), "{text}");

        // The other way round.
        let (_, text, _) = report(&["--metric", "steps"], &dataset(&lines));
        let said = format!(
            "line 5: {WALLED}: 9 steps claimed, 4 found\n\
             line 6: {FAR}: 2 steps claimed, 4 found (it is right in moves)\n"
        );
        let hint = "\n2 of the 3 wrong distances are exact in moves: was the file made in moves? Try --metric moves.\n";
        assert!(text.starts_with(&said) && text.ends_with(hint), "{text}");

        // A chance hit is told, without a question.
        let mut chance = vec![format!("{FAR},7"); 9];
        chance.push(lines[0].clone());
        let (_, text, _) = report(&[], &dataset(&chance));
        assert!(text.ends_with("\n1 of the 10 wrong distances is exact in steps.\n"), "{text}");
    }

    /// With a table for one metric alone, not every wrong line may take a
    /// search in the other.
    #[test]
    fn the_other_metric_is_not_searched_for_ever() {
        let db = TempDir::new().unwrap();
        fs::copy(tables().join("4x4-moves.tailback"), db.path().join("4x4-moves.tailback")).unwrap();
        let lines = vec![format!("{FAR},4"); 20_000];
        let import = |args: &[&str]| {
            let mut command = tailback(db.path());
            command.args(["import-dataset", "-"]).args(args).write_stdin(dataset(&lines)).output().unwrap()
        };
        let summary = |args: &[&str]| -> Value {
            serde_json::from_str(stdout(&import(args)).lines().last().unwrap()).unwrap()
        };
        let found = summary(&["--json"]);
        let looked_at = found["other_metric"]["looked_at"].as_u64().unwrap();
        assert!((100..10_000).contains(&looked_at), "{looked_at}");
        assert_eq!(
            (&found["wrong_distances"], &found["other_metric"]["exact"]),
            (&json!(20_000), &json!(looked_at))
        );
        assert!(
            stdout(&import(&[])).contains(" wrong distances that were looked at are exact in steps: was")
        );
        // Where all is searched, that is as well.
        assert_eq!(summary(&["--json", "--no-table"])["other_metric"]["exact"], 20_000);
    }

    #[test]
    fn lines_that_cannot_be_read() {
        let long = format!("{FAR},2,{}", "1,".repeat(40_000));
        let lines = [
            "bad,2",
            FAR,
            &format!("{FAR},two"),
            &format!("{FAR},2"),
            &format!("{FAR},-3"),
            &long,
            &format!("\"{FAR},2"),
        ];
        let file = dataset(&lines.map(str::to_owned));
        let (exit, text, error) = report(&[], &file);
        assert_eq!((exit, error.as_str()), (2, "error: 6 lines cannot be read"));
        let said: Vec<&str> = text.lines().collect();
        for (said, (number, message)) in said.iter().zip([
            (3, "this text has 3"),
            (4, "there is no h*"),
            (5, "\"two\" is no number, but h* should be one"),
            (7, "-3 cannot be h*"),
            (8, "at most 65536 bytes"),
            (9, "quote"),
        ]) {
            assert!(said.starts_with(&format!("line {number}: error: ")) && said.contains(message), "{said}");
        }
        assert_eq!(said[6..], ["A dataset: 7 lines: 1 agrees, 6 cannot be read."]);

        // A wrong claim is worse.
        let (code, _, error) = report(&[], &format!("{file}{FAR},3\n"));
        assert_eq!(
            (code, error.as_str()),
            (1, "error: 1 instance is not as claimed, 6 lines cannot be read")
        );
    }

    #[test]
    fn a_search_has_a_limit() {
        let (code, text, error) =
            report(&["--limit", "4"], &dataset(&[format!("{CARD},8"), format!("{FAR},2")]));
        assert_eq!((code, error.as_str()), (1, "error: 1 instance could not be checked"));
        assert!(text.starts_with("line 3: error: ") && text.contains("limit of 4 boards"), "{text}");
        assert!(text.ends_with("2 lines: 1 agrees, 1 has no answer.\n"), "{text}");
    }

    /// Guards against rows that are lost: what could not be checked may be right.
    #[test]
    fn what_cannot_be_checked_is_kept_as_it_is() {
        let folder = TempDir::new().unwrap();
        let fixed = folder.path().join("fixed.csv");
        let file = dataset(&[format!("{FAR},3"), format!("{CARD},7"), "no board,1".to_owned()]);
        let args = ["--limit", "10", "--no-table", "--fix", fixed.to_str().unwrap()];
        let output = import(&args, &file);
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        assert_eq!(fs::read_to_string(&fixed).unwrap(), dataset(&[format!("{FAR},2"), format!("{CARD},7")]));
        let said = "fixed.csv: the dataset as it should be, without 1 line that cannot be read, \
                    but for 1 line that could not be checked and stayed as before\n";
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }

    /// Guards against a header alone that is called the dataset.
    #[test]
    fn without_distances_nothing_is_written() {
        let folder = TempDir::new().unwrap();
        let fixed = folder.path().join("fixed.csv");
        let output = import(&["--fix", fixed.to_str().unwrap()], &format!("board,n\n{FAR},far\n"));
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("not written, for no line can be read"), "{}", stderr(&output));
        assert!(!fixed.exists());
    }

    #[test]
    fn a_damaged_table_is_an_error() {
        let db = TempDir::new().unwrap();
        fs::write(db.path().join("4x4-moves.tailback"), "something else").unwrap();
        let file = dataset(&[format!("{FAR},2"), format!("{CARD},8")]);
        let output = tailback(db.path()).args(["import-dataset", "-"]).write_stdin(file).output().unwrap();
        assert_eq!(code(&output), 1);
        let text = stdout(&output);
        assert!(text.starts_with("line 3: error: ") && text.contains("4x4-moves.tailback: "), "{text}");
        assert!(text.contains("2 lines: 1 agrees, 1 has no answer"), "{text}");
    }

    #[test]
    fn another_primary() {
        let file = dataset(&[format!("{},2", FAR.replace('A', "X"))]);
        assert_eq!(report(&["--primary", "X"], &file).0, 0);
        assert_eq!(report(&[], &file).0, 0);
        let (code, text, _) = report(&["--primary", "Y"], &file);
        assert_eq!(code, 2);
        assert!(text.contains("'Y'"), "{text}");
    }

    #[test]
    fn wrong_usage() {
        for args in [
            &["import-dataset"][..],
            &["import-dataset", "-", "--metric", "both"],
            &["import-dataset", "-", "--heuristics", "magic"],
            &["import-dataset", "a", "b"],
        ] {
            let output = tailback(tables()).args(args).output().unwrap();
            assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}");
        }
    }
}

mod heuristics {
    use super::*;

    /// B stands in the way, and can leave it.
    const ALL: &str = "blocking,distance,perfect,0.5*distance";

    #[test]
    fn columns_are_checked() {
        let right = format!("{FAR},2,2,2,2,1");
        let file = dataset(&[right.clone(), format!("{BLOCKED},Infinity,2,2,Infinity,1.0004")]);
        assert_eq!(
            report(&["--heuristics", ALL], &file),
            (
                0,
                "A dataset: 2 lines: 2 agree.\nAll values of 4 heuristics are right.\n".into(),
                String::new()
            )
        );
        let lines = [
            right,
            format!("{FAR},2,3,2,2,1.5"),
            format!("{FAR},2,2,,2,1"),
            format!("{FAR},3,1,2,2,1"),
            format!("{BLOCKED},Infinity,2,2,,1"),
            format!("{BLOCKED},Infinity,2,2,-1,1"),
            format!("{BLOCKED},Infinity,2,2,99,1"),
            format!("{FAR},2,2,2,Infinity,1"),
        ];
        let (code, text, error) = report(&["--heuristics", ALL], &dataset(&lines));
        let expected = format!(
            "line 4: {FAR}: blocking 3 claimed, 2 found; 0.5*distance 1.5 claimed, 1 found\n\
             line 5: {FAR}: distance nothing claimed, 2 found\n\
             line 6: {FAR}: 3 moves claimed, 2 found; blocking 1 claimed, 2 found\n\
             line 9: {BLOCKED}: perfect 99 claimed, Infinity found\n\
             line 10: {FAR}: perfect Infinity claimed, 2 found\n\
             A dataset: 8 lines: 3 agree, 5 differ; 6 repeat a board.\n\
             1 distance is wrong: 1 too high; by 1 on average, by 1 at most (line 6).\n\
             Wrong values: blocking in 2 lines, distance in 1 line, perfect in 2 lines, 0.5*distance in 1 line.\n"
        );
        assert_eq!(text, expected);
        assert_eq!((code, error.as_str()), (1, "error: 5 instances are not as claimed"));

        let (answers, summary) = answers(&["--heuristics", ALL], &dataset(&lines));
        assert_eq!(
            answers[1]["wrong_values"],
            json!([
                {"heuristic": "blocking", "claimed": 3, "found": 2},
                {"heuristic": "0.5*distance", "claimed": 1.5, "found": 1},
            ])
        );
        assert_eq!(summary["heuristics"][0], json!({"name": "blocking", "checked": true, "differ": 2}));
    }

    /// By the oracle, which shares no code with the program.
    #[test]
    fn values_of_an_independent_implementation() {
        let distances = oracle::solve_space(4, false);
        let mut lines = Vec::new();
        for (&board, &distance) in distances.iter().take(500) {
            let text = oracle::text_of(board, 4);
            let h = if distance == oracle::UNSOLVABLE { "Infinity".to_owned() } else { distance.to_string() };
            let values = [
                oracle::heuristics::blocking(&text, 4),
                oracle::heuristics::distance(&text, 4),
                oracle::heuristics::blocked_blockers(&text, 4),
            ];
            lines.push(format!("{text},{h},{},{},{}", values[0], values[1], values[2]));
        }
        let args = ["--heuristics", "blocking,distance,blocked-blockers"];
        let (_, summary) = answers(&args, &dataset(&lines));
        assert_eq!((&summary["agree"], &summary["lines"]), (&json!(500), &json!(500)), "{summary}");
    }

    #[test]
    fn the_number_of_columns_must_match() {
        let lines =
            [format!("{FAR},2"), format!("{FAR},2,2"), format!("{FAR},2,2,2"), format!("{FAR},2,2,2,2")];
        let (code, text, _) = report(&["--heuristics", "blocking,distance"], &dataset(&lines));
        let expected = "line 3: error: there are 0 columns after h*, and 2 heuristics are named; name those of all columns, in order (--heuristics)\n\
             line 4: error: there is 1 column after h*, and 2 heuristics are named; name those of all columns, in order (--heuristics)\n\
             line 6: error: there are 3 columns after h*, and 2 heuristics are named; name those of all columns, in order (--heuristics)\n\
             A dataset: 4 lines: 1 agrees, 3 cannot be read.\n\
             All values of 2 heuristics are right.\n";
        assert_eq!((code, text.as_str()), (2, expected));
        let (_, text, _) = report(&["--heuristics", "all"], &dataset(&lines[..1]));
        assert!(text.ends_with("1 cannot be read.\nNot checked, for the last move depends on the seed (--seed): move-freed, move-to-secluded.\n"), "{text}");
    }

    #[test]
    fn without_a_seed_conditions_are_not_checked() {
        let file = dataset(&[format!("{FAR},2,1,2,-1")]);
        let (code, text, _) = report(&["--heuristics", "move-freed,blocking,move-to-secluded+zero"], &file);
        let expected = "A dataset: 1 line: 1 agrees.\nAll values of 1 heuristic are right.\n\
             Not checked, for the last move depends on the seed (--seed): move-freed, move-to-secluded+zero.\n";
        assert_eq!((code, text.as_str()), (0, expected));
        let (_, summary) = answers(&["--heuristics", "move-freed,blocking,zero"], &file);
        assert_eq!(summary["heuristics"][0], json!({"name": "move-freed", "checked": false, "differ": 0}));
    }

    /// What leads to a board depends on the seed, the board and the metric; the
    /// oracle says what holds after it.
    #[test]
    fn with_a_seed_conditions_are_checked() {
        for (metric, steps) in [("moves", false), ("steps", true)] {
            let args =
                format!("export jsonl --size 4 --per-distance 20 --distance 1.. --metric {metric} --seed 5");
            let args = format!("{args} --heuristics move-freed,move-to-secluded --out -");
            let exported = tailback(tables()).args(args.split(' ')).output().unwrap();
            let exported = stdout(&exported);
            let lines = exported.lines().map(|line| {
                let row: Value = serde_json::from_str(line).unwrap();
                let (board, last) = (row["board"].as_str().unwrap(), row["last_move"].as_str().unwrap());
                let flipped = |sign| if sign == '+' { '-' } else { '+' };
                let undone: String =
                    last.chars().map(|c| if "+-".contains(c) { flipped(c) } else { c }).collect();
                let before = oracle::successors(board, 4, steps).into_iter().find(|b| b.notation == undone);
                let before = before.unwrap().text;
                let holds = [
                    oracle::heuristics::move_freed(&before, board, 4),
                    oracle::heuristics::move_to_secluded(&before, board, 4),
                ];
                let [freed, secluded] = holds.map(|holds| if holds { 1 } else { -1 });
                format!("{board},{},{freed},{secluded}", row[metric])
            });
            let mut lines: Vec<String> = lines.collect();
            assert!(lines.len() > 100, "{}", lines.len());
            let audit = |seed: &str, lines: &[String]| {
                let args =
                    ["--metric", metric, "--heuristics", "move-freed,move-to-secluded", "--seed", seed];
                report(&args, &dataset(lines))
            };
            let right = format!(
                "A dataset: {0} lines: {0} agree.\nAll values of 2 heuristics are right.\n",
                lines.len()
            );
            assert_eq!(audit("5", &lines), (0, right, String::new()));
            // Another seed, other last moves.
            let (code, text, _) = audit("6", &lines);
            assert_eq!(code, 1);
            assert!(text.contains("\nWrong values: move-freed in "), "{text}");

            let mut fields: Vec<String> = lines[7].split(',').map(str::to_owned).collect();
            let other = if fields[2] == "1" { "-1" } else { "1" };
            let fault = format!("line 10: {}: move-freed {other} claimed, {} found\n", fields[0], fields[2]);
            fields[2] = other.to_owned();
            lines[7] = fields.join(",");
            let (code, text, _) = audit("5", &lines);
            assert_eq!(code, 1);
            assert!(text.starts_with(&fault), "{text}");
        }
        let output = import(&["--seed", "5"], &dataset(&[]));
        assert_eq!(code(&output), 2, "a seed is for heuristics");
        assert!(stderr(&output).contains("--heuristics <LIST>"), "{}", stderr(&output));
    }
}

/// Every board of 4×4 in both metrics: a third of the distances is wrong, and a
/// few of those are the distance in the other metric.
#[test]
fn the_oracle_finds_the_same_faults() {
    let mut random = rand_pcg::Pcg64::seed_from_u64(7);
    let spaces = [false, true].map(|steps| oracle::solve_space(4, steps));
    for (metric, own, other) in [("moves", &spaces[0], &spaces[1]), ("steps", &spaces[1], &spaces[0])] {
        let mut boards: Vec<_> = own.keys().copied().collect();
        boards.sort_unstable();
        let known = |distance: u8| (distance != oracle::UNSOLVABLE).then_some(u32::from(distance));
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        let mut sum = 0;
        for board in boards {
            let (distance, aside) = (known(own[&board]), known(other[&board]));
            let is_wrong = random.random_ratio(1, 3);
            let claimed = match (is_wrong, distance) {
                (false, distance) => distance,
                (true, None) => Some(random.random_range(0..9)),
                (true, Some(_)) if random.random_ratio(1, 4) => None,
                (true, Some(_)) if random.random_ratio(1, 4) => aside,
                (true, Some(distance)) => Some(distance.saturating_add_signed(random.random_range(-4..9))),
            };
            let text = claimed.map_or("Infinity".to_owned(), |claimed| claimed.to_string());
            lines.push(format!("{},{text}", oracle::text_of(board, 4)));
            let (fault, is_other) = match (claimed, distance) {
                _ if claimed == distance => (json!(null), json!(null)),
                (Some(_), None) => (json!("false_answer"), json!(null)),
                (None, _) => (json!("false_no_answer"), json!(null)),
                (Some(claimed), Some(distance)) => {
                    sum += claimed.abs_diff(distance);
                    (json!("wrong_distance"), json!(Some(claimed) == aside))
                }
            };
            expected.push((json!(distance), fault, is_other));
        }
        for args in [&["--metric", metric][..], &["--no-table", "--metric", metric]] {
            let (answers, summary) = answers(args, &dataset(&lines));
            assert_eq!(answers.len(), 13_146);
            for (answer, (found, fault, is_other)) in answers.iter().zip(&expected) {
                let told = (&answer["found"], &answer["fault"], &answer["is_other_metric"]);
                assert_eq!(told, (found, fault, is_other), "{answer}");
            }
            let count = |of: &str| expected.iter().filter(|(_, fault, _)| *fault == json!(of)).count();
            let wrong = count("wrong_distance");
            assert!(wrong > 1000 && count("false_answer") > 1000 && count("false_no_answer") > 500);
            assert_eq!(summary["wrong_distances"], wrong);
            assert_eq!(summary["false_answers"], count("false_answer"));
            assert_eq!(summary["false_no_answers"], count("false_no_answer"));
            assert_eq!(summary["mean_error"], f64::from(sum) / wrong as f64);
            let exact = expected.iter().filter(|(.., is_other)| *is_other == json!(true)).count();
            assert!(exact > 100, "{exact}");
            assert_eq!(summary["other_metric"]["exact"], exact);
            assert_eq!(summary["other_metric"]["looked_at"], wrong);
        }
    }
}

/// `tailback import-dataset … | head -1` must end without an error.
#[test]
fn a_broken_pipe_is_no_error() {
    let line = format!("{FAR},3");
    let (code, errors) =
        with_broken_pipe(&["import-dataset", "-", "--no-table", "--json"], &format!("n\nd\n{line}"));
    assert_eq!(code, Some(0), "{errors}");
    assert!(!errors.contains("error"), "{errors}");
}

/// What is known is told, of a list as well.
#[cfg(target_os = "linux")]
#[test]
fn interrupted() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("boards.csv");
    let lines = 50_000;
    // The head of a dataset is a comment in a list.
    for (command, line) in [("import-dataset", format!("{CARD},8\n")), ("import", format!("8 {CARD}\n"))] {
        fs::write(&file, format!("# name\n# description\n{}", line.repeat(lines))).unwrap();
        let answers = folder.path().join("answers.jsonl");
        let child = std::process::Command::new(common::PROGRAM)
            .args([command, "--json", "--no-table"])
            .arg(&file)
            // A pipe that nobody reads yet would be full soon.
            .stdout(fs::File::create(&answers).unwrap())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        common::interrupt_at_work(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let told = fs::read_to_string(&answers).unwrap();
        let summary: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        let done = summary["lines"].as_u64().unwrap();
        assert!(done < lines as u64, "{done}");
        assert_eq!((&summary["agree"], told.lines().count() as u64), (&json!(done), done + 1));
        let error = format!("error: interrupted after {done} of {lines} lines\n");
        assert!(stderr(&output).ends_with(&error), "{}", stderr(&output));
    }
}
