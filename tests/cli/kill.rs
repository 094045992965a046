//! Builds that are killed outright, by SIGKILL, at random points.

use crate::common::PROGRAM;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::prelude::*;

const KILLS: u64 = 10;
/// Far more than the slowest machine needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A slow build on one thread, with checkpoints all the time.
fn build(folder: &Path, what: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).args(["--json", "--db", "."]).arg("build").args(what);
    command.args(["--threads", "1", "--checkpoint", "0.001"]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Waits until a file is longer by `growth` than it was at its shortest: a
/// build that goes on first cuts off what was not secured.
fn wait_for_growth(child: &mut Child, part: &Path, growth: u64) {
    let length = || part.metadata().map_or(0, |m| m.len());
    let start = Instant::now();
    let mut shortest = length();
    loop {
        let now = length();
        shortest = shortest.min(now);
        if now >= shortest + growth {
            return;
        }
        if let Some(status) = child.try_wait().unwrap() {
            panic!("the build ended ({status}) before its file grew by {growth} bytes");
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the file does not grow: from {shortest} to {now} bytes");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills builds of a file in `folder` ten times, lets the last one end, and
/// compares.
fn kill_and_compare(folder: &Path, what: &[&str], name: &str, undisturbed: &[u8]) {
    let finished = folder.join(name);
    let part = folder.join(format!("{name}.part"));
    let mut random = rand_pcg::Pcg64::seed_from_u64(11);
    // All kills together let half of the file be written at most. The first comes when
    // there is something to go on from: a new file may grow before anything is secured.
    let quarter = undisturbed.len() as u64 / 4;
    for kill in 0..KILLS {
        let mut child = build(folder, what).spawn().unwrap();
        let growth = if kill == 0 { quarter } else { random.random_range(1..=quarter / KILLS) };
        wait_for_growth(&mut child, &part, growth);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!finished.exists(), "killed in the middle, and {name} is finished");
    }
    let output = build(folder, what).output().unwrap();
    assert!(output.status.success());
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["resumed"].as_u64().unwrap() > 0, "it went on: {summary}");
    assert!(std::fs::read(finished).unwrap() == undisturbed, "other bytes");
    assert!(!part.exists());
}

#[test]
fn builds_killed_ten_times_end_in_the_same_bytes() {
    let table = ["--only", "table", "--size", "5", "--level", "19"];
    let catalogue = ["--only", "catalogue", "--size", "5"];
    let shard = ["--plan", "5x5-moves.plan", "--shard", "2"];
    let (undisturbed, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&undisturbed, &killed] {
        let mut plan = Command::new(PROGRAM);
        plan.current_dir(folder).args(["--db", ".", "plan", "--shards", "2"]).args(table);
        assert!(plan.output().unwrap().status.success());
    }
    for (what, name) in [
        (&table[..], "5x5-moves.tailback"),
        (&catalogue, "5x5-catalogue.sqlite"),
        (&shard, "5x5-moves.shards/00002.shard"),
    ] {
        assert!(build(undisturbed.path(), what).output().unwrap().status.success());
        let bytes = std::fs::read(undisturbed.path().join(name)).unwrap();
        kill_and_compare(killed.path(), what, name, &bytes);
    }
}
