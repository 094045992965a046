//! Builds that are killed outright, by SIGKILL, at random points.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::prelude::*;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tailback");
const KILLS: u64 = 10;
/// Far more than the slowest machine needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A slow 5×5 build on one thread, with checkpoints all the time.
fn build(folder: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["--json", "--db"]).arg(folder).args(["build", "--size", "5", "--threads", "1"]);
    command.args(["--level", "19", "--checkpoint", "0.001"]);
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

#[test]
fn a_build_killed_ten_times_ends_in_the_same_bytes() {
    let undisturbed = tempfile::tempdir().unwrap();
    assert!(build(undisturbed.path()).output().unwrap().status.success());
    let table = std::fs::read(undisturbed.path().join("5x5-moves.tailback")).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("5x5-moves.tailback.part");
    let finished = folder.path().join("5x5-moves.tailback");
    let mut random = rand_pcg::Pcg64::seed_from_u64(11);
    // All kills together let half of the table be written at most.
    let most = table.len() as u64 / (2 * KILLS);
    for _ in 0..KILLS {
        let mut child = build(folder.path()).spawn().unwrap();
        wait_for_growth(&mut child, &part, random.random_range(1..=most));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!finished.exists(), "killed in the middle, and the table is finished");
    }
    let output = build(folder.path()).output().unwrap();
    assert!(output.status.success());
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["resumed"].as_u64().unwrap() > 0, "it went on: {summary}");
    assert!(std::fs::read(finished).unwrap() == table, "other bytes");
    assert!(!part.exists());
}
