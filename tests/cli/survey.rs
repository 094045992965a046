//! `tailback survey` as a user types it.

use crate::common;

use common::{answers, code, stderr, stdout, tailback};
use tempfile::TempDir;

#[test]
fn all_signatures_are_the_whole_space() {
    let nowhere = TempDir::new().unwrap();
    let found = &answers(nowhere.path(), &["survey", "--size", "4", "--signatures", "1000"])[0];
    assert_eq!((&found["surveyed"], &found["boards_surveyed"]), (&found["signatures"], &found["boards"]));
    assert_eq!((found["boards"].as_u64(), found["puzzles"].as_u64()), (Some(13_146), Some(32)));
    assert_eq!((found["hardest"]["moves"].as_u64(), found["furthest"]["moves"].as_u64()), (Some(7), Some(7)));
    let search =
        &answers(nowhere.path(), &["survey", "--size", "4", "--signatures", "1000", "--search-only"])[0];
    assert_eq!((&search["boards_surveyed"], &search["furthest"]), (&found["boards"], &found["furthest"]));
    assert!(search["puzzles"].is_null() && search["all"].is_null() && search["search"].is_object());
    for part in ["search", "all"] {
        assert!(found[part]["core_hours"].as_f64() > Some(0.0), "{part}: {found}");
    }
}

#[test]
fn the_seed_decides() {
    let nowhere = TempDir::new().unwrap();
    let boards = |seed: &str| {
        let args = ["survey", "--size", "5", "--signatures", "5", "--seed", seed];
        answers(nowhere.path(), &args)[0]["boards_surveyed"].as_u64().unwrap()
    };
    assert_eq!(boards("4"), boards("4"));
    assert_ne!(boards("4"), boards("5"));
}

#[test]
fn one_of_seven() {
    let nowhere = TempDir::new().unwrap();
    let survey =
        |args: &[&str]| tailback(nowhere.path()).args(["survey", "--size", "7"]).args(args).output().unwrap();
    // One of those that the library's tests compare with the oracle.
    let found = stdout(&survey(&["--signature", "658128"]));
    assert!(found.contains("1 signatures surveyed") && found.contains(" 3 puzzles"), "{found}");
    assert!(!found.contains("all boards"), "nobody knows the error of one: {found}");
    let searched = stdout(&survey(&["--signature", "658128", "--search-only"]));
    assert!(searched.contains("1 signatures searched") && !searched.contains("puzzle"), "{searched}");
    let board = |text: &str| text.lines().find(|line| line.contains("Furthest board")).map(str::to_owned);
    assert!(board(&found).is_some() && board(&searched) == board(&found), "{searched}");
    let large = stdout(&survey(&["--signature", "0"]));
    assert!(large.contains("1 left out as too large"), "{large}");
}

#[test]
fn wrong_usage() {
    let nowhere = TempDir::new().unwrap();
    for (args, told) in [
        (&["--size", "4"][..], "--signatures"),
        (&["--size", "8", "--signatures", "1"], "invalid value '8'"),
        (&["--size", "4", "--signatures", "0"], "'0'"),
        (&["--size", "4", "--signature", "128"], "4×4 has signatures 0 to 127"),
        (&["--size", "4", "--signature", "1", "--signatures", "1"], "cannot be used with"),
        (&["--size", "4", "--signature", "1", "--search-only", "--memory", "1"], "cannot be used with"),
        (&["--size", "4", "--signatures", "1", "--wall", "D2"], "no board"),
        (&["--size", "4", "--signatures", "1", "--wall", "E1"], "no cell"),
        (&["--size", "7", "--signatures", "1", "--wall", "A1", "--wall", "A2", "--wall", "A3"], "2 walls"),
    ] {
        let output = tailback(nowhere.path()).arg("survey").args(args).output().unwrap();
        assert_eq!(code(&output), 2, "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{args:?}: {}", stderr(&output));
    }
}
