//! Every command reads boards in the same way: any form of one board, and lists of
//! any form.

use crate::common;

use common::clothes::clothes;
use common::desk::Desk;
use common::{code, stderr, stdout, tables};
use serde_json::Value;

/// 3 moves: `C-1`, `B+2`, `A+2`.
const PLAIN: &str = "..B.AAB..CC.....";
const OTHER: &str = "..B.AAB.........";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn one_board_by_every_command() {
    let desk = Desk::new(tables());
    for text in clothes(PLAIN) {
        let told = |args: &str, more: &[&str]| json(&desk.run_with(args, more))["board"].clone();
        for args in ["solve --json", "lookup --json", "hint --json", "show --json"] {
            assert_eq!(told(args, &["--", &text]), PLAIN, "{args} {text:?}");
        }
        assert_eq!(told("grade --json", &["--", &text, "C-1"]), PLAIN, "{text:?}");
        let drawn = desk.run_with("render -o -", &["--", &text]);
        assert!(drawn.contains(&format!("<desc>{PLAIN}</desc>")), "{text:?}");
        let dataset = desk.run_with("export csv --out -", &[&format!("--whole-cluster={text}")]);
        assert!(dataset.contains(PLAIN), "{text:?}");
        // As a list of one board, too, where a blank line would end it.
        if text.contains("\n\n") {
            continue;
        }
        desk.write("one.txt", &text);
        let answer = desk.run("solve --file one.txt");
        assert_eq!(json(answer.trim())["board"], PLAIN, "{text:?}: {answer}");
    }
}

/// Two boards in lists of every form.
fn lists() -> Vec<(&'static str, String)> {
    let rows = |plain: &str| {
        let rows: Vec<&str> = (0..4).map(|row| &plain[4 * row..4 * row + 4]).collect();
        rows.join("\n")
    };
    vec![
        ("lines", format!("{PLAIN}\n{OTHER}\n")),
        ("comments and blank lines", format!("# two\n\n{PLAIN}\n\n# more\n{OTHER}\n")),
        (
            "rows apart by spaces",
            format!("{}\n{}\n", rows(PLAIN).replace('\n', " "), rows(OTHER).replace('\n', "/")),
        ),
        ("names", format!("one {PLAIN}\ntwo {OTHER}\n")),
        ("names and numbers", format!("one\t{PLAIN}\t3\ntwo\t{OTHER}\t2\n")),
        ("the public list", format!("3 {PLAIN} 9\n2 {OTHER} 5\n")),
        ("a row a line", format!("{}\n\n{}\n", rows(PLAIN), rows(OTHER))),
        ("a row a line, no gap", format!("{}\n{}\n", rows(PLAIN), rows(OTHER))),
        (
            "framed",
            format!(
                "+----+\n|{}|\n+----+\n\n+----+\n|{}|\n+----+\n",
                rows(PLAIN).replace('\n', "|\n|"),
                rows(OTHER).replace('\n', "|\n|")
            ),
        ),
        ("csv", format!("id,board,moves\n1,{PLAIN},3\n2,{OTHER},2\n")),
        ("csv with quotes", format!("\"note\",\"Board\"\n\"a, b\",\"{PLAIN}\"\n\"c\",\"{OTHER}\"\n")),
        ("csv with semicolons", format!("board;h\n{PLAIN};3\n{OTHER};2\n")),
        ("tsv", format!("name\tboard\none\t{PLAIN}\ntwo\t{OTHER}\n")),
        ("csv with unknown names", format!("a,b,c\n1,{PLAIN},3\n2,{OTHER},2\n")),
        ("csv without names", format!("{PLAIN},3\n{OTHER},2\n")),
        ("HH-Evolver", format!("Two boards\n4×4, in moves\n{PLAIN},3,1\n{OTHER},2,1\n")),
        ("HH-Evolver with names", format!("boards\nin moves\nInstance,h*,h1\n{PLAIN},3,1\n{OTHER},2,1\n")),
        (
            "JSON lines",
            format!("{{\"board\":\"{PLAIN}\",\"moves\":3}}\n{{\"board\":\"{OTHER}\",\"moves\":2}}\n"),
        ),
        (
            "JSON lines with rows",
            format!(
                "{{\"state\":[\"{}\"]}}\n{{\"state\":[\"{}\"]}}\n",
                rows(PLAIN).replace('\n', "\",\""),
                rows(OTHER).replace('\n', "\",\"")
            ),
        ),
        ("a JSON list", format!("[\n  {{\"board\": \"{PLAIN}\"}},\n  {{\"board\": \"{OTHER}\"}}\n]\n")),
        ("a JSON list of texts", format!("[\"{PLAIN}\", \"{OTHER}\"]")),
        (
            "an object with puzzles",
            format!("{{\"size\":4,\"puzzles\":[{{\"board\":\"{PLAIN}\"}},{{\"board\":\"{OTHER}\"}}]}}\n"),
        ),
        ("a byte order mark and CR LF", format!("\u{feff}board,h\r\n{PLAIN},3\r\n{OTHER},2\r\n")),
    ]
}

#[test]
fn lists_of_every_form_by_every_command() {
    let desk = Desk::new(tables());
    for (what, list) in lists() {
        desk.write("list", &list);
        for args in ["solve --file list", "lookup --file list", "hint --file list"] {
            let told = desk.run(args);
            let boards: Vec<Value> = told.lines().map(|line| json(line)["board"].clone()).collect();
            assert_eq!(boards, [PLAIN, OTHER], "{what}, {args}: {told}");
        }
        let piped = desk.command("solve -", &[]).write_stdin(list.as_bytes()).output().unwrap();
        assert_eq!(stdout(&piped).lines().count(), 2, "{what}: {}", stderr(&piped));
        let drawn = desk.run("render --file list -o -");
        assert!([PLAIN, OTHER].iter().all(|board| drawn.contains(*board)), "{what}");
        let compared = desk.run("compare --set list --algorithms astar --heuristics zero --format csv");
        assert_eq!(compared.lines().count(), 3, "{what}: {compared}");
        let exported = desk.run("export csv --from list --out -");
        assert_eq!(exported.lines().count(), 3, "{what}: {exported}");
        let imported = desk.command("import list --json", &[]).output().unwrap();
        let boards: Vec<String> = stdout(&imported).lines().map(str::to_owned).collect();
        assert!(boards.len() == 3 && boards[1].contains(OTHER), "{what}: {boards:?}");
    }
}

/// What one command prints, the others read.
#[test]
fn what_is_printed_is_read() {
    let desk = Desk::new(tables());
    let printed = [
        "hardest --size 5 --limit 5 --format rush",
        "hardest --size 5 --limit 5 --format csv",
        "hardest --size 5 --limit 5 --format jsonl",
        "hardest --size 5 --limit 5 --json",
        "puzzles --size 5 --limit 5 --format rush",
        "puzzles --size 5 --limit 5 --format csv",
        "puzzles --size 5 --limit 5 --format jsonl",
        "puzzles --size 5 --limit 5 --json",
        "export csv --size 5 --count 5 --out -",
        "export jsonl --size 5 --count 5 --out -",
        "export hh-evolver --size 5 --count 5 --out -",
        "export rush --size 5 --count 5 --out -",
    ];
    let read = [
        "solve --file list",
        "lookup --file list",
        "hint --file list",
        "render --file list -o -",
        "compare --set list --algorithms astar --heuristics zero --format csv",
        "export csv --from list --out -",
    ];
    for args in printed {
        desk.write("list", &desk.run(args));
        for command in read {
            let told = desk.run(command);
            let boards = told.matches("<desc>").count().max(
                told.lines().filter(|l| !l.starts_with("puzzle,") && !l.starts_with("board,")).count().min(5),
            );
            assert_eq!(boards, 5, "{args} | {command}: {told}");
        }
    }
    desk.run("export parquet --size 5 --count 5 --out list.parquet");
    for command in ["solve --file list.parquet", "compare --set list.parquet --heuristics zero --format csv"]
    {
        assert!(desk.run(command).lines().count() >= 5, "{command}");
    }
    // A board that is printed for people.
    let drawn = desk.run(&format!("solve {PLAIN}"));
    let board: String = drawn.lines().take(6).map(|line| format!("{line}\n")).collect();
    assert_eq!(json(&desk.run_with("solve --json", &[&board]))["board"], PLAIN);
}

/// Slips, and what is said of them: the place and what to do.
#[test]
fn slips_are_named() {
    let desk = Desk::new(tables());
    desk.write("puzzles.txt", PLAIN);
    let slips = [
        ("..B.AAB..CC....", "15"),
        ("..B./AAB/.CC./....", "row 2 has 3 cells, but the others have 4"),
        ("..B.\nAAB.\n.CC.", "3 rows of 4 cells"),
        ("..B. AAB. .C?. ....", "'?' in row 3, column 3"),
        ("..B. AAB. .BB. ....", "'B' is bent"),
        ("AA.. .BB. .... ....", "which car is to reach the exit, A in row 1 or B in row 2?"),
        ("puzzles.txt", "--file puzzles.txt"),
        ("nowhere.csv", "a file is read with --file"),
        ("{\"board\":\"..B.AAB.........\"}", "from a file (--file) or from standard input (-)"),
        ("99999999999", "the starter catalogue of 6×6 puzzles has no puzzle 99999999999"),
        ("", "the board is empty"),
    ];
    for (text, words) in slips {
        for command in ["solve", "lookup", "hint", "render -o -", "show"] {
            let output = desk.command(command, &["--", text]).output().unwrap();
            let said = stderr(&output);
            assert!(code(&output) != 0 && said.contains(words), "{command} {text:?}: {said}");
        }
    }
    // People see the board as far as it was read.
    let output = desk.command("solve", &["..B./AAB/.CC./...."]).output().unwrap();
    assert!(stderr(&output).ends_with("\n  ..B.\n  AAB\n  .CC.\n  ....\n"), "{}", stderr(&output));
}

#[test]
fn the_red_car_is_told() {
    let desk = Desk::new(tables());
    let card = "AA...O P..Q.O PXXQ.O P..Q.. B...CC B.RRR.";
    let told = json(&desk.run_with("solve --json", &[card]));
    assert_eq!((told["primary"].as_str(), told["distance"].as_u64()), (Some("X"), Some(8)));
    assert!(desk.run_with("solve", &[card]).contains("The red car is X.\n"));
    let small = card.to_lowercase();
    let told = json(&desk.run_with("solve --json --primary x", &[&small]));
    assert_eq!(told["distance"].as_u64(), Some(8), "{told}");
    let told = json(&desk.run_with("solve --json", &[&small]));
    assert_eq!(told["distance"].as_u64(), Some(8), "{told}");
}
