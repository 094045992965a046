//! The HTTP API and the command line give the same answers.

use std::fmt::Write;

use tailback::space::{Rank, Space};

use crate::common::{stdout, tables, tailback};
use crate::{STUCK, with_tables};

/// Boards from all over the space, and some outside of it.
fn boards() -> Vec<String> {
    let mut boards = Vec::new();
    for (size, count) in [(4, 3_000), (5, 7_000)] {
        let space = Space::of_size(size).unwrap();
        let step = space.boards() / count;
        boards
            .extend((0..count).map(|place| space.board(&space.position(Rank(place * step)).unwrap()).text()));
    }
    boards.push("..B.AAB..x......".to_owned());
    boards.push(STUCK.to_owned());
    boards
}

/// 10,000 boards in both metrics, as lists; and some of them one by one.
#[test]
fn api_and_command_line_agree() {
    let shared = with_tables();
    let boards = boards();
    for metric in ["moves", "steps"] {
        for command in ["lookup", "solve"] {
            let mut told = String::new();
            for part in boards.chunks(9_000) {
                let path = format!("/api/v1/{command}?metric={metric}");
                let reply = shared.ask("POST", &path, &[], (part.join("\n") + "\n").as_bytes());
                assert_eq!(reply.status, 200, "{}", reply.text());
                write!(told, "{}", reply.text()).unwrap();
            }
            let mut cli = tailback(tables());
            let output = cli.args([command, "--metric", metric, "-"]).write_stdin(boards.join("\n")).output();
            let expected = stdout(&output.unwrap());
            assert_eq!(expected.lines().count(), boards.len());
            for (api, cli) in told.lines().zip(expected.lines()) {
                assert_eq!(api, cli);
            }
            assert_eq!(told.lines().count(), boards.len());
        }
        for board in boards.iter().step_by(997) {
            let mut cli = tailback(tables());
            let expected =
                stdout(&cli.args(["lookup", "--json", "--metric", metric, board]).output().unwrap());
            let reply = shared.get(&format!("/api/v1/lookup?metric={metric}&board={board}"));
            assert_eq!(reply.text(), expected.trim_end());
        }
    }
}

/// Puzzles, counts, statistics and grades are the same, too.
#[test]
fn other_answers_agree() {
    let shared = with_tables();
    let cli = |args: &[&str]| {
        let output = tailback(tables()).args(args).output().unwrap();
        serde_json::from_str::<serde_json::Value>(&stdout(&output)).unwrap()
    };
    assert_eq!(
        shared.json("/puzzles?size=5&moves=10..&sort=-moves,vehicles&limit=30"),
        cli(&[
            "puzzles",
            "--json",
            "--size",
            "5",
            "--moves",
            "10..",
            "--sort",
            "-moves,vehicles",
            "--limit",
            "30"
        ])
    );
    assert_eq!(
        shared.json("/puzzles/count?size=5&rules=rush&kind=2,2"),
        cli(&["puzzles", "--json", "--size", "5", "--rules", "rush", "--having-kind", "2,2", "--count"])
    );
    let mut drawn = shared.json("/random?size=5&seed=9&limit=5&moves=3..");
    assert_eq!(drawn.as_object_mut().unwrap().remove("seed"), Some(9.into()));
    assert_eq!(
        drawn,
        cli(&[
            "puzzles", "--json", "--size", "5", "--random", "--seed", "9", "--limit", "5", "--moves", "3.."
        ])
    );
    let mut stats = shared.json("/stats?size=5&metric=steps");
    let mut expected = cli(&["stats", "--json", "--size", "5", "--metric", "steps"]);
    assert_eq!(stats["file"], "5x5-steps.tailback", "and not where it is");
    stats["file"].take();
    expected["file"].take();
    assert_eq!(stats, expected);
    let game = r#"{"board":"..B.AAB.........","moves":["B+1","B+1","A+2"],"metric":"steps"}"#;
    assert_eq!(
        shared.post("/grade", game).json(),
        cli(&["grade", "--json", "..B.AAB.........", "B+1 B+1 A+2", "--metric", "steps"])
    );
    let list = stdout(
        &tailback(tables())
            .args(["puzzles", "--size", "4", "--format", "csv", "--limit", "9"])
            .output()
            .unwrap(),
    );
    assert_eq!(shared.get("/api/v1/puzzles?size=4&format=csv&limit=9").text(), list);
    let list = stdout(
        &tailback(tables())
            .args(["puzzles", "--size", "4", "--format", "rush", "--limit", "9"])
            .output()
            .unwrap(),
    );
    assert_eq!(shared.get("/api/v1/puzzles?size=4&format=rush&limit=9").text(), list);
}
