//! Builds that are killed outright, by SIGKILL, at random points.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::prelude::*;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tailback");
const KILLS: u64 = 10;
/// Far more than the slowest machine needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A slow build of one of the two 5×5 files on one thread, with checkpoints
/// all the time.
fn build(folder: &Path, only: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["--json", "--db"]).arg(folder).args(["build", "--only", only, "--size", "5"]);
    command.args(["--threads", "1", "--checkpoint", "0.001"]);
    if only == "table" {
        command.args(["--level", "19"]);
    }
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
fn kill_and_compare(folder: &Path, only: &str, name: &str, undisturbed: &[u8]) {
    let finished = folder.join(name);
    let part = folder.join(format!("{name}.part"));
    let mut random = rand_pcg::Pcg64::seed_from_u64(11);
    // All kills together let half of the file be written at most.
    let most = undisturbed.len() as u64 / (2 * KILLS);
    for _ in 0..KILLS {
        let mut child = build(folder, only).spawn().unwrap();
        wait_for_growth(&mut child, &part, random.random_range(1..=most));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!finished.exists(), "killed in the middle, and {name} is finished");
    }
    let output = build(folder, only).output().unwrap();
    assert!(output.status.success());
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["resumed"].as_u64().unwrap() > 0, "it went on: {summary}");
    assert!(std::fs::read(finished).unwrap() == undisturbed, "other bytes");
    assert!(!part.exists());
}

#[test]
fn builds_killed_ten_times_end_in_the_same_bytes() {
    let (undisturbed, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (only, name) in [("table", "5x5-moves.tailback"), ("catalogue", "5x5-catalogue.sqlite")] {
        assert!(build(undisturbed.path(), only).output().unwrap().status.success());
        let bytes = std::fs::read(undisturbed.path().join(name)).unwrap();
        kill_and_compare(killed.path(), only, name, &bytes);
    }
}
