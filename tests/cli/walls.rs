//! Walls, as people name them.

use crate::common;

use serde_json::Value;

use common::{answers, code, stderr, stdout, tailback};

#[test]
fn a_table_and_a_catalogue_of_one_wall() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    let built = answers(db, &["build", "--size", "5", "--wall", "d2"]);
    assert_eq!(built.len(), 2);
    for (built, file) in built.iter().zip(["5x5-D2-moves.tailback", "5x5-D2-catalogue.sqlite"]) {
        assert_eq!((&built["spaces"], &built["boards"]), (&"5x5-D2".into(), &3_363_721.into()), "{built}");
        assert!(db.join(file).exists(), "{file}");
    }
    let board = ".BC..DBCx.DAAE..FFEG....G";
    let found = &answers(db, &["lookup", board])[0];
    assert_eq!(found["source"], "table", "{found}");
    // Without the table the same is searched for, and a hint says what to build.
    let nowhere = db.join("nowhere");
    let output = tailback(&nowhere).args(["lookup", board]).output().unwrap();
    assert!(stderr(&output).contains("`tailback build --only table --size 5 --wall D2 --metric moves`"));
    assert_eq!(answers(&nowhere, &["lookup", board])[0]["distance"], found["distance"]);

    let listed =
        &answers(db, &["puzzles", "--size", "5", "--wall", "D2", "--rules", "all", "--limit", "3"])[0];
    let puzzles = listed["puzzles"].as_array().unwrap();
    assert_eq!(listed["matching"], built[1]["puzzles"], "{listed}");
    for puzzle in puzzles {
        assert_eq!((&puzzle["walls"], &puzzle["wall_cells"][0]), (&1.into(), &"D2".into()), "{puzzle}");
        let id = puzzle["id"].to_string();
        assert_eq!(answers(db, &["show", &id, "--size", "5"])[0]["board"], puzzle["board"]);
        let shown = &answers(db, &["show", puzzle["board"].as_str().unwrap()])[0];
        for column in ["id", "moves", "steps", "classic", "rush", "wall_cells", "solution", "line_kinds"] {
            assert_eq!(shown[column], puzzle[column], "{column} of {puzzle}");
        }
    }
    let verified = tailback(db).args(["verify", "--full"]).output().unwrap();
    assert!(stdout(&verified).contains("5x5-D2-moves.tailback: ok"), "{}", stderr(&verified));
    let verified = tailback(db).args(["verify", "--catalogue"]).output().unwrap();
    assert!(stdout(&verified).contains("5x5-D2-catalogue.sqlite: ok"), "{}", stderr(&verified));
    let counted = &answers(db, &["stats", "--size", "5", "--wall", "D2"])[0];
    assert_eq!(counted["boards"], 3_363_721);
}

#[test]
fn a_catalogue_of_many_walls() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    let built = &answers(db, &["build", "--size", "4", "--only", "catalogue", "--walls", "0..2"])[0];
    assert_eq!((&built["spaces"], &built["puzzles"]), (&"4x4-walls-0-2".into(), &32.into()));
    assert!(!db.join("4x4-moves.tailback").exists(), "no table is written");
    let count = |walls: &[&str]| {
        let args = [&["puzzles", "--size", "4", "--rules", "all", "--count"], walls].concat();
        answers(db, &args)[0]["count"].as_u64().unwrap()
    };
    // No board of 4×4 needs a wall.
    assert_eq!(
        ["0", "1", "2", "0..2", "1..", "..2"].map(|walls| count(&["--walls", walls])),
        [32, 0, 0, 32, 0, 32]
    );
    assert_eq!((count(&[]), count(&["--wall", "D1"])), (32, 0));

    let output = tailback(db).args(["puzzles", "--size", "4", "--walls", "3"]).output().unwrap();
    let text = stderr(&output);
    assert!(text.contains("there is no catalogue of puzzles of 4×4 with 3 walls"), "{text}");
    assert!(text.contains("tailback build --only catalogue --size 4 --walls 3..3"), "{text}");
}

/// A table with fewer walls only saves time, so one that cannot be read stops no
/// build; but whoever wonders why it takes longer is told.
#[test]
fn a_table_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    std::fs::write(db.join("4x4-moves.tailback"), "no table at all").unwrap();
    let build = || {
        let mut command = tailback(db);
        command.args(["build", "--size", "4", "--only", "catalogue", "--walls", "0..1"]);
        command
    };
    let told = stderr(&build().output().unwrap());
    assert!(told.contains("a table that would save time cannot be used"), "{told}");
    assert!(told.contains("4x4-moves.tailback: this is not a Tailback table"), "{told}");
    let catalogue = db.join("4x4-walls-0-1-catalogue.sqlite");
    let without = std::fs::read(&catalogue).unwrap();
    for file in [&catalogue, &db.join("4x4-moves.tailback")] {
        std::fs::remove_file(file).unwrap();
    }
    answers(db, &["build", "--size", "4", "--only", "table"]);
    let told = stderr(&build().output().unwrap());
    assert!(!told.contains("cannot be used"), "{told}");
    assert!(std::fs::read(&catalogue).unwrap() == without, "the table changed the catalogue");
}

/// More walls than ids reach to.
const MANY: [&str; 19] = [
    "build", "--wall", "A1", "--wall", "B1", "--wall", "C1", "--wall", "D1", "--wall", "E1", "--wall", "F1",
    "--wall", "A2", "--wall", "B2", "--wall", "C2",
];

#[test]
fn walls_that_cannot_be_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["build", "--wall", "G1"],
            2,
            "\"G1\" is no cell of a 6×6 board; a cell is a column and a row, from A1",
        ),
        (&["build", "--wall", "A7"], 2, "to F6"),
        (&["build", "--wall", "3"], 2, "no cell"),
        (&["build", "--wall", ""], 2, "no cell"),
        (&["build", "--size", "4", "--wall", "E1"], 2, "to D4"),
        (&["build", "--wall", "D2", "--wall", "d2"], 2, "the wall on D2 is named twice"),
        (&["build", "--wall", "F3"], 2, "a wall closes the way of the primary; name a wall on another cell"),
        (&["build", "--wall", "E3", "--only", "catalogue"], 2, "closes the way"),
        (&MANY, 2, "boards with more than 8 walls are not tabulated; name fewer walls"),
        (&["build", "--walls", "0..2"], 2, "--walls needs --only catalogue"),
        (&["build", "--only", "catalogue", "--walls", "0..40"], 2, "too much"),
        (&["build", "--only", "catalogue", "--walls", "1.."], 2, "too much"),
        (&["build", "--only", "catalogue", "--walls", "2..1"], 2, "its end is before its start"),
        (&["build", "--only", "catalogue", "--walls", "1", "--wall", "A1"], 2, "cannot be used with"),
        (&["stats", "--size", "5", "--wall", "F1"], 2, "no cell"),
        (&["stats", "--size", "5", "--wall", "A1"], 1, "tailback build --size 5 --wall A1 --metric moves"),
        (&["puzzles", "--size", "5", "--wall", "A1"], 1, "tailback build --size 5 --wall A1"),
        (&["puzzles", "--wall", "Z9"], 2, "no cell"),
        (&["puzzles", "--wall", "A1", "--walls", "1"], 2, "cannot be used with"),
    ];
    for (args, expected, words) in cases {
        let output = tailback(folder.path()).args(*args).output().unwrap();
        let text = stderr(&output);
        assert!(code(&output) == *expected && text.contains(words), "{args:?}: {}, {text}", code(&output));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was begun");
    // Such a board is searched, and shown without an id.
    let board = "###.AA.B#.#B####";
    let output = tailback(folder.path()).args(["lookup", board]).output().unwrap();
    assert!(stdout(&output).contains("(by search"), "{}", stderr(&output));
    assert_eq!(answers(folder.path(), &["show", board])[0]["id"], Value::Null);
}
