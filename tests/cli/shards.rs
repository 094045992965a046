//! Builds in shards, as people and schedulers start them.

use crate::common;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use common::{PROGRAM, code, stderr, stdout, tailback};

/// What a command answers that succeeds, in the folder of the database itself.
fn run(db: &Path, args: &str) -> String {
    let output = tailback(db).args(args.split(' ')).current_dir(db).output().unwrap();
    assert_eq!(code(&output), 0, "{args}: {}", stderr(&output));
    stdout(&output)
}

fn json(db: &Path, args: &str) -> Value {
    serde_json::from_str(&run(db, &format!("{args} --json"))).unwrap()
}

#[test]
fn a_build_in_shards() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    let (run, json) = (|args: &str| run(db, args), |args: &str| json(db, args));
    let make = "plan --only catalogue --size 4 --walls 0..1 --shards 3";
    let planned = json(make);
    let plan = "4x4-walls-0-1-catalogue.plan";
    let path = db.join(plan);
    assert_eq!((&planned["plan"], &planned["shards"]), (&path.to_str().into(), &3.into()), "{planned}");
    assert!(run(make).contains("the catalogue of 4×4 with 0 to 1 walls in 3 shards"));
    let text = run(&format!("status {plan}"));
    assert!(text.contains("missing           3  1-3") && text.contains("Nothing is running"), "{text}");
    assert_eq!(run(&format!("status {plan} --todo")), "1-3\n");

    let done = json(&format!("build --plan {plan} --shard 2"));
    assert_eq!(
        (&done["shard"], &done["shards"], &done["already_built"]),
        (&2.into(), &3.into(), &false.into())
    );
    assert!(run(&format!("build --plan {plan} --shard 2")).contains("It was done already"));
    assert_eq!(run(&format!("status {plan} --todo")), "1,3\n");
    let refused = tailback(db).args(["merge", plan]).current_dir(db).output().unwrap();
    assert_eq!(code(&refused), 1);
    let told = stderr(&refused);
    assert!(
        told.contains("2 of 3 shards cannot be merged: shard 1: it is missing; shard 3: it is missing"),
        "{told}"
    );
    for shard in [1, 3] {
        assert!(run(&format!("build --plan {plan} --shard {shard} --threads 1")).contains("Done in"));
    }
    let status = json(&format!("status {plan} --check"));
    assert_eq!((&status["done"], &status["merged"]), (&serde_json::json!([1, 2, 3]), &false.into()));
    assert!(run(&format!("status {plan}")).contains("Next: tailback merge"));
    let merged = json(&format!("merge {plan}"));
    assert_eq!((&merged["product"], &merged["puzzles"]), (&"catalogue".into(), &32.into()), "{merged}");
    assert!(run(&format!("status {plan}")).contains("4x4-walls-0-1-catalogue.sqlite is there"));
    let one = db.join("one");
    let alone =
        tailback(&one).args(["build", "--only", "catalogue", "--size", "4", "--walls", "0..1"]).output();
    assert_eq!(code(&alone.unwrap()), 0);
    let bytes = |folder: &Path| std::fs::read(folder.join("4x4-walls-0-1-catalogue.sqlite")).unwrap();
    assert!(bytes(db) == bytes(&one));
}

/// What is told of the puzzles of some shards is what the catalogue of all has in the end.
#[test]
fn puzzles_of_the_shards_that_are_done() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    let (run, json) = (|args: &str| run(db, args), |args: &str| json(db, args));
    let so_far = || match json("status five.plan --puzzles")["puzzles"].take() {
        Value::Array(spaces) => spaces,
        other => panic!("{other}"),
    };
    let together = |spaces: &[Value]| spaces.iter().map(|of| of["all"].as_u64().unwrap()).sum::<u64>();
    run("plan --only catalogue --size 5 --walls 0..1 --shards 3 --out five.plan");
    assert!(so_far().is_empty());
    for shard in [3, 1] {
        run(&format!("build --plan five.plan --shard {shard}"));
    }
    let some = so_far();
    assert!(some.iter().any(|of| of["wall_cells"][0] == "E5"), "{some:?}");
    run("build --plan five.plan --shard 2");
    let (all, text) = (so_far(), run("status five.plan --puzzles"));
    let merged = json("merge five.plan");
    assert!(together(&some) < together(&all) && merged["puzzles"] == together(&all), "{merged}");
    for of in &all {
        assert_eq!(of["signatures"], of["surveyed"], "{of}");
        let (name, walls) = match of["wall_cells"][0].as_str() {
            None => ("none", "--walls 0".to_owned()),
            Some(wall) => (wall, format!("--wall {wall}")),
        };
        for rules in ["all", "classic", "rush"] {
            let found = json(&format!("puzzles --size 5 --count --rules {rules} {walls}"));
            assert_eq!(of[rules], found["count"], "{rules}, {walls}");
        }
        let hardest = json(&format!("puzzles --size 5 --rules all --sort=-moves --limit 1 {walls}"));
        assert_eq!(of["longest_moves"], hardest["puzzles"][0]["moves"], "{walls}");
        let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let line = words.into_iter().find(|words| words.first() == Some(&name));
        assert_eq!(line.expect("a line for each")[3].replace(',', ""), of["all"].to_string(), "{text}");
    }

    // A shard that is damaged anywhere is not counted, whatever can be read of it.
    let shard = db.join("five.shards/00002.shard");
    let mut bytes = std::fs::read(&shard).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&shard, bytes).unwrap();
    assert_eq!(so_far(), some);
}

/// How many puzzles all shards have is told by those that are done.
#[test]
fn puzzles_of_all_shards_are_projected() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    let (run, json) = (|args: &str| run(db, args), |args: &str| json(db, args));
    let count = |status: &Value, rules: &str| {
        status["puzzles"].as_array().unwrap().iter().map(|of| of[rules].as_u64().unwrap()).sum::<u64>()
    };
    run("plan --only catalogue --size 5 --walls 1 --shards 4 --out five.plan");
    let text = std::fs::read_to_string(db.join("five.plan")).unwrap();
    let shards = text.lines().filter(|line| line.starts_with("shard "));
    let boards: Vec<f64> = shards.map(|line| line.split(' ').nth(4).unwrap().parse().unwrap()).collect();
    let all_boards: f64 = boards.iter().sum();
    let mut before = [0; 3];
    let mut done: Vec<(f64, [f64; 3])> = Vec::new();
    for shard in [3, 1, 4, 2] {
        run(&format!("build --plan five.plan --shard {shard}"));
        let (status, words) = (json("status five.plan --puzzles"), run("status five.plan --puzzles"));
        let now = ["all", "classic", "rush"].map(|rules| count(&status, rules));
        let found = std::array::from_fn(|place| (now[place] - before[place]) as f64);
        done.push((boards[shard - 1], found));
        before = now;
        if done.len() == 1 {
            assert!(
                status["projected"].is_null()
                    && words.contains("Too few shards are done to estimate the number of puzzles"),
                "{words}"
            );
            continue;
        }
        let n = done.len() as f64;
        let boards: f64 = done.iter().map(|of| of.0).sum();
        for (place, rules) in ["all", "classic", "rush"].into_iter().enumerate() {
            let puzzles: f64 = done.iter().map(|of| of.1[place]).sum();
            let squares: f64 = done.iter().map(|of| (of.1[place] - of.0 * puzzles / boards).powi(2)).sum();
            // Student's t for 95%, with one and two degrees of freedom.
            let student = [12.706, 4.303, 0.0][done.len() - 2];
            let error = student * all_boards / boards * ((1.0 - n / 4.0) * squares * n / (n - 1.0)).sqrt();
            let told = &status["projected"][rules];
            assert_eq!(told["puzzles"], (puzzles * all_boards / boards).round() as u64, "{status}");
            assert_eq!(told["error"], error.round() as u64, "{status}");
        }
        assert_eq!(words.contains("By these all have about"), done.len() < 4, "{words}");
    }
    assert!(before[0] > before[2] && before[2] > 0, "{before:?}");
}

#[test]
fn counts_in_shards() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    let run = |args: &str| run(db, args);
    let planned = run("plan --only counts --size 4 --shards 2 --out four.plan");
    assert!(
        planned.contains("four.plan: the counts of 4×4 in moves in 2 shards, 13,146 boards"),
        "{planned}"
    );
    for shard in 1..=2 {
        run(&format!("build --plan four.plan --shard {shard}"));
    }
    let merged = run("merge four.plan");
    assert!(merged.contains("4x4-moves-counts.csv: 13,146 boards of 4×4 in moves"), "{merged}");
    let (_, furthest) = merged.split_once("Furthest board: 7 moves, #").unwrap();
    let (_, board) = furthest.trim_end().rsplit_once(' ').unwrap();
    assert!(run(&format!("lookup {board}")).contains("7 moves to the exit"), "{board}");
    assert!(run("status four.plan").contains("4x4-moves-counts.csv is there"));
}

#[test]
fn shards_that_cannot_be_say_why() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "plan --only table --size 4 --shards 4 --out four.plan");
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["build", "--plan", "four.plan", "--shard", "5"],
            2,
            "no shard 5: the plan has shards 1 to 4; name one",
        ),
        (&["build", "--plan", "four.plan", "--shard", "0"], 2, "no shard 0"),
        (&["build", "--plan", "four.plan"], 2, "--shard <N>"),
        (&["build", "--shard", "1"], 2, "--plan <FILE>"),
        (&["build", "--plan", "four.plan", "--shard", "1", "--size", "4"], 2, "cannot be used with"),
        (
            &["build", "--plan", "five.plan", "--shard", "1"],
            2,
            "there is no plan five.plan; make one with: tailback plan",
        ),
        (&["status", "five.plan"], 2, "there is no plan"),
        (
            &["status", "four.plan", "--puzzles"],
            2,
            "--puzzles is about catalogues, and this plan is of the table of 4×4 in moves",
        ),
        (&["status", "four.plan", "--puzzles", "--todo"], 2, "cannot be used with"),
        (&["merge", "five.plan"], 2, "there is no plan"),
        (&["plan", "--only", "table", "--size", "4", "--shards", "99999"], 2, "shards cannot be made of it"),
        (&["plan", "--only", "table", "--size", "4", "--shards", "0"], 2, "it: 1 to"),
        (
            &["plan", "--only", "table", "--size", "4", "--shards", "1", "--out", "four"],
            2,
            "the name of a plan ends with .plan, not as four",
        ),
        (
            &["plan", "--only", "table", "--walls", "0..1", "--shards", "4"],
            2,
            "--walls needs --only catalogue",
        ),
        (&["plan", "--only", "catalogue", "--metric", "steps", "--shards", "4"], 2, "are about tables"),
        (
            &["plan", "--only", "counts", "--size", "7", "--walls", "0..2", "--shards", "4"],
            2,
            "name fewer walls",
        ),
        (&["plan", "--only", "counts", "--level", "4", "--shards", "4"], 2, "--level is about tables"),
        (&["plan", "--only", "table", "--size", "7", "--shards", "4"], 2, "--only counts --size 7"),
        (&["plan", "--only", "table", "--wall", "F3", "--shards", "4"], 2, "a wall closes the way"),
        (
            &["plan", "--only", "table", "--size", "4", "--shards", "5", "--out", "four.plan"],
            1,
            "four.plan is another plan; name another file with --out",
        ),
    ];
    for (args, expected, words) in cases {
        let output = tailback(folder.path()).args(*args).current_dir(folder.path()).output().unwrap();
        let text = stderr(&output);
        assert!(code(&output) == *expected && text.contains(words), "{args:?}: {}, {text}", code(&output));
    }
}

/// Whoever comes first does it; the others find it done, or leave it.
#[test]
fn processes_that_start_together_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    run(db, "plan --only table --size 4 --shards 2");
    let plan = db.join("4x4-moves.plan");
    let shard = db.join("4x4-moves.shards/00001.shard");
    let start = || {
        let mut command = Command::new(PROGRAM);
        command.args(["build", "--shard", "1", "--plan"]).arg(&plan);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut whole: Option<Vec<u8>> = None;
    for round in 0..10 {
        // Missing, or damaged.
        match &whole {
            Some(whole) if round % 2 == 1 => {
                let mut bytes = whole.clone();
                bytes[whole.len() / 2] ^= 1;
                std::fs::write(&shard, bytes).unwrap();
            }
            _ => drop(std::fs::remove_file(&shard)),
        }
        let all: Vec<_> = (0..4).map(|_| start()).collect();
        for process in all {
            let output = process.wait_with_output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let is_busy = output.status.code() == Some(1) && text.contains("another process is at shard 1");
            assert!(output.status.success() || is_busy, "{:?}: {text}", output.status);
        }
        let bytes = std::fs::read(&shard).unwrap();
        assert!(*whole.get_or_insert_with(|| bytes.clone()) == bytes, "round {round}");
        assert_eq!(std::fs::read_dir(shard.parent().unwrap()).unwrap().count(), 1, "round {round}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path();
    run(db, "plan --only table --size 5 --shards 2");
    let plan = db.join("5x5-moves.plan");
    // Blocks of 512 bytes: a shard has about 350 kB.
    let limited = format!("trap '' XFSZ; ulimit -f 200; exec {PROGRAM} build --plan \"$0\" --shard 1");
    let output = Command::new("sh").arg("-c").arg(limited).arg(&plan).stdin(Stdio::null()).output().unwrap();
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("the disk is full"), "{}", stderr(&output));
    let status = run(db, "status 5x5-moves.plan");
    assert!(status.contains("shard 1: ") && status.contains("the disk is full"), "{status}");
    for shard in 1..=2 {
        run(db, &format!("build --plan 5x5-moves.plan --shard {shard}"));
    }
    run(db, "merge 5x5-moves.plan");
    assert!(run(db, "verify --full").contains("5x5-moves.tailback: ok"));
}
