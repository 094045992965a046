//! The same seed gives the same log and the same best, whatever the number of
//! threads and however often a run is stopped or killed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand::prelude::*;
use serde_json::Value;

use crate::common::{self, PROGRAM};

/// All aims, both populations: whatever takes part in a generation.
const EXPERIMENT: &str = "
name = \"small\"
seed = 7
runs = 2
[blocks]
numbers = [\"blocking\", \"hybrid\", \"mobile\", \"pattern:20\"]
conditions = [\"all\"]
[genome]
kind = \"policy\"
rules = 2
constants = [0, 5]
depth = 3
[population]
size = 60
groups = 4
group-boards = 5
[fitness]
multi = [[\"least-squares\", 2.0], [\"saved\", 1.0], [\"search\", 1.0]]
[search]
boards = 30
nodes = 2000
[stop]
generations = 12
[data]
train = { draw = 400, size = 5, seed = 1 }
test = { draw = 100, size = 5, seed = 2 }
";

/// All that comes of it: logs without the time, checkpoints without it, the
/// halls of fame and the best.
fn outcome(folder: &Path) -> Vec<String> {
    let mut outcome = vec![fs::read_to_string(folder.join("best.txt")).unwrap()];
    for run in ["run-1", "run-2"] {
        let read = |name: &str| fs::read_to_string(folder.join(run).join(name)).unwrap();
        for line in read("log.jsonl").lines() {
            let mut record: Value = serde_json::from_str(line).unwrap();
            record.as_object_mut().unwrap().remove("seconds").unwrap();
            outcome.push(record.to_string());
        }
        outcome.push(read("hall.jsonl"));
        let mut state: Value = serde_json::from_str(read("checkpoint").lines().nth(1).unwrap()).unwrap();
        state.as_object_mut().unwrap().remove("seconds").unwrap();
        outcome.push(state.to_string());
    }
    assert_eq!(outcome.len(), 1 + 2 * (12 + 2));
    outcome
}

fn evolve(db: &Path, args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("TAILBACK_DB").arg("--db").arg(db).arg("evolve").args(args);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn threads_and_kills_do_not_matter() {
    let db = common::tables();
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("small.toml"), EXPERIMENT).unwrap();
    let run = |out: &str, threads: &str| {
        let args = ["run", "small.toml", "--out", out, "--threads", threads];
        evolve(db, &args, here)
    };
    for threads in ["1", "2", "8"] {
        assert!(run(threads, threads).status().unwrap().success());
    }
    let expected = outcome(&here.join("1"));
    assert_eq!(outcome(&here.join("2")), expected, "two threads");
    assert_eq!(outcome(&here.join("8")), expected, "eight threads");

    let mut random = rand_pcg::Pcg64::seed_from_u64(3);
    let started = Instant::now();
    assert!(run("again", "2").status().unwrap().success());
    let whole = started.elapsed();
    let mut first = true;
    for _ in 0..10 {
        let mut child = match first {
            true => run("killed", "2"),
            false => evolve(db, &["resume", "killed"], here),
        }
        .spawn()
        .unwrap();
        // The boards have to be drawn before anything can be resumed.
        let begun = here.join("killed/experiment.toml");
        while !begun.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        first = false;
        std::thread::sleep(whole.mul_f64(random.random_range(0.0..0.25)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(evolve(db, &["resume", "killed"], here).status().unwrap().success());
    assert_eq!(outcome(&here.join("killed")), expected, "killed ten times");
    // What is done stays as it is.
    let before = fs::read(here.join("killed/run-2/checkpoint")).unwrap();
    assert!(evolve(db, &["resume", "killed"], here).status().unwrap().success());
    assert!(fs::read(here.join("killed/run-2/checkpoint")).unwrap() == before);
}
