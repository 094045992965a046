//! `tailback pack` and `tailback hint` as a user types them.

use crate::common;

use std::collections::BTreeSet;

use serde_json::Value;
use tailback::board::{Board, Distinct};

use common::desk::Desk;
use common::{code, stderr, stdout, tables};

fn desk() -> Desk {
    Desk::new(tables())
}

#[test]
fn a_graded_set() {
    let desk = desk();
    let said = desk.run("pack --size 5 --levels 30 --tiers 4 --out set");
    assert!(said.starts_with("set: 30 levels in 4 tiers, from 3 to "), "{said}");
    let pack: Value = desk.json("set/pack.json");
    let levels = pack["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 30);
    let moves: Vec<u64> = levels.iter().map(|level| level["moves"].as_u64().unwrap()).collect();
    assert!(moves.is_sorted() && moves[0] == 3, "{moves:?}");
    let tiers: Vec<u64> = levels.iter().map(|level| level["tier"].as_u64().unwrap()).collect();
    assert!(tiers.is_sorted());
    assert_eq!(tiers.iter().collect::<BTreeSet<_>>().len(), 4);

    let mut distinct = Distinct::new(1);
    let files: BTreeSet<String> = std::fs::read_dir(desk.path("set"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let told: BTreeSet<String> =
        pack["files"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    assert_eq!(files, told);
    for level in levels {
        let mut board = Board::parse(level["board"].as_str().unwrap()).unwrap();
        assert!(distinct.admits(&board), "{board} is like another");
        assert!(files.contains(level["picture"].as_str().unwrap()));
        let solution = level["solution"].as_array().unwrap();
        assert_eq!(solution.len() as u64, level["moves"].as_u64().unwrap());
        for mv in solution {
            board = board.apply(board.parse_move(mv.as_str().unwrap()).unwrap()).unwrap();
        }
        assert!(board.is_solved());
    }
    let csv = desk.text("set/pack.csv");
    assert_eq!(csv.lines().count(), 31);
    assert!(csv.starts_with("level,tier,id,board,moves,"));
    let page = desk.text("set/index.html");
    assert_eq!(page.matches("<figure>").count(), 30);
    assert!(desk.bytes("set/pack.pdf").starts_with(b"%PDF-"));
    // The same again, and another by another seed.
    desk.run("pack --size 5 --levels 30 --tiers 4 --out again");
    assert_eq!(desk.json("again/pack.json"), pack);
    assert_eq!(desk.bytes("again/pack.pdf"), desk.bytes("set/pack.pdf"));
    desk.run("pack --size 5 --levels 30 --tiers 4 --seed 1 --out other");
    assert_ne!(desk.json("other/pack.json")["levels"], pack["levels"]);
    // Other commands read it.
    assert_eq!(desk.run("lookup --file set/pack.json").lines().count(), 30);
    assert_eq!(desk.run("lookup --file set/pack.csv").lines().count(), 30);
}

#[test]
fn what_cannot_be_packed() {
    let desk = desk();
    desk.write("there", "");
    for (args, word) in [
        ("pack --size 5 --levels 5 --out there", "is there already"),
        ("pack --size 5 --levels 5000 --moves 20 --out set", "puzzles match that are not alike"),
        ("pack --size 5 --levels 0 --out set", "--levels"),
        ("pack --size 5 --levels 5", "--out"),
        ("pack --size 5 --levels 5 --title 渋滞 --out set", "Latin letters only: choose another --title"),
    ] {
        let output = desk.command(args, &[]).output().unwrap();
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args}");
        assert!(stderr(&output).contains(word), "{args}: {}", stderr(&output));
    }
    assert_eq!(desk.names(), ["there"]);
}

#[test]
fn hints_in_three_degrees() {
    let desk = desk();
    let hint = |args: &str| desk.run_with(&format!("hint {args}"), &["..B. AAB. .... ...."]);
    assert_eq!(hint(""), "2 moves to the exit (from the table).\nMove B.\n");
    assert_eq!(hint("--degree move"), "2 moves to the exit (from the table).\nMove B down 2.\n");
    let line = "2 moves to the exit (from the table).\n  1. B down 2\n  2. A right 2\n";
    assert_eq!(hint("--degree line"), line);
    assert_eq!(desk.run("hint ......AA........"), "Solved already (from the table).\n");
    let stuck = desk.run("hint ....AABB........");
    assert!(stuck.starts_with("Unsolvable (by rule): B stands before A in its row"), "{stuck}");
}
