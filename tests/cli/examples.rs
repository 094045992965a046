//! Every example of the help runs.
//!
//! They speak of 6×6, whose database is large. So they run on the tables of 5×5, with
//! `--size 5` where a command knows sizes and the example names none. Where
//! `TAILBACK_DB` names a complete database, they run on that as they stand.

use crate::common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use tailback::shards::{Plan, Product, Run};
use tempfile::TempDir;

use common::{PROGRAM, own_tables, stderr, stdout};

const SMALL: &str = "..B.AAB.........";

fn help(words: &[&str]) -> String {
    stdout(&Command::new(PROGRAM).args(words).arg("--help").output().unwrap())
}

/// The commands that a help lists.
fn commands(help: &str) -> Vec<String> {
    let Some(list) = help.split("Commands:\n").nth(1) else { return Vec::new() };
    let list = list.split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

/// The examples of a help, without what is said of them.
fn examples(help: &str) -> Vec<String> {
    let Some(list) = help.split("Examples:\n").nth(1) else { return Vec::new() };
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let command = |line: &str| line.trim().split("   ").next().unwrap().trim().to_owned();
    lines.map(command).filter(|line| line.contains("tailback")).collect()
}

/// A folder with all files that an example reads.
fn desk(example: &str) -> TempDir {
    let desk = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(desk.path().join(name), text).unwrap();
    let boards = format!("{SMALL}\n\n..B.\nAAB.\n..CC\n....\n");
    for name in ["boards.txt", "mine.txt", "hard.txt", "set.txt"] {
        write(name, &boards);
    }
    write("list.txt", &format!("2 {SMALL} 5\n"));
    write("puzzles.txt", &format!("2 {SMALL} 5\n"));
    write("games.jsonl", &format!("{{\"board\": \"{SMALL}\", \"moves\": \"B+2 A+2\"}}\n"));
    write("boards.csv", &format!("board,moves,steps,blocking,distance\n{SMALL},2,4,2,2\n"));
    for folder in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc", "policy"]
    {
        fs::create_dir_all(desk.path().join(folder)).unwrap();
    }
    write("policy/best.txt", "blocking\n");
    if example.contains(".plan") {
        plans(&desk.path().join("db"));
    }
    let packed = Command::new("gzip").args(["-k", "boards.csv"]).current_dir(desk.path()).status();
    assert!(packed.unwrap().success());
    desk
}

/// Small plans, whatever their names say: one that was just made, and one that is done
/// but for merging.
fn plans(folder: &Path) {
    let plan = |name: &str, shards| {
        let plan = Plan::new(folder.join(name), Product::Catalogue(4.into()), shards, &()).unwrap();
        plan.write().unwrap();
        plan
    };
    plan("6x6-moves.plan", 20);
    Run::new(&plan("6x6-walls-0-2-catalogue.plan", 1), 1).run(&()).unwrap();
}

fn run(example: &str, desk: &Path, tables: &Path) -> Result<(), String> {
    let own = std::env::var_os("TAILBACK_DB");
    let db = own.as_deref().map_or(tables, Path::new);
    let mut line = example.replace(" BOARD", &format!(" {SMALL}"));
    if own.is_none() {
        let sized = |part: &str| {
            let words: Vec<&str> = part.split_whitespace().collect();
            let at = words.iter().position(|word| *word == "tailback");
            let name = at.and_then(|at| words.get(at + 1)).copied().unwrap_or_default();
            let is_sized = help(&[name]).contains("--size <")
                && !["--size", "--from boards", "--whole-cluster", "--list", "--plan", "--puzzle"]
                    .iter()
                    .any(|word| part.contains(word));
            if is_sized { part.replacen(name, &format!("{name} --size 5"), 1) } else { part.to_owned() }
        };
        // What 5×5 has not.
        for (six, five) in [
            ("40..", "10.."),
            ("30..", "10.."),
            ("3,3", "2,3"),
            ("7207405423", "0"),
            ("--size 6", "--size 5"),
        ] {
            line = line.replace(six, five);
        }
        line = line.split('|').map(sized).collect::<Vec<_>>().join("|");
    }
    let folder = Path::new(PROGRAM).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(desk)
        .env("PATH", path)
        .env("HOME", desk)
        .env("TAILBACK_DB", db)
        .output()
        .unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{line}: {}{}", stderr(&output), stdout(&output))),
    }
}

/// Examples that cannot run here, and why.
fn is_left_out(example: &str) -> bool {
    // A build of 6×6 takes minutes, and is tried by the tests of builds.
    let builds = example.starts_with("tailback build") && std::env::var_os("TAILBACK_DB").is_some();
    // Bred for minutes: the tests of evolution run an experiment.
    // Serves until it is ended: tests/serve does both.
    builds || example.starts_with("tailback evolve") || example.starts_with("tailback serve")
}

#[test]
fn every_example_runs() {
    let mut all: Vec<String> = examples(&help(&[]));
    for command in commands(&help(&[])) {
        let text = help(&[&command]);
        assert!(!examples(&text).is_empty(), "{command} has no example");
        all.extend(examples(&text));
    }
    all.retain(|example| !is_left_out(example));
    let all: BTreeSet<String> = all.into_iter().collect();
    assert!(all.len() > 60, "{}", all.len());
    let tables = own_tables();
    let failed: Vec<String> = all
        .iter()
        .filter_map(|example| {
            let desk = desk(example);
            run(example, desk.path(), tables.path()).err()
        })
        .collect();
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), all.len(), failed.join("\n"));
}
