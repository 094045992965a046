//! An unfinished table with other bytes: the build that finds it ends in the
//! right table or says why not.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use tailback::board::Metric;
use tailback::progress::{Observer, Progress};
use tailback::table::{BuildOptions, build};

use crate::edits::{Input, edit};
use crate::table;

const NAME: &str = "4x4-moves.tailback";

/// Stops a build once it has come so far.
struct StopAt(u64, AtomicU64);

impl Observer for StopAt {
    fn advanced(&self, progress: Progress) {
        self.1.fetch_max(progress.done, Ordering::Relaxed);
    }

    fn wants_stop(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

fn plan(folder: &std::path::Path) -> BuildOptions {
    BuildOptions {
        threads: 1,
        checkpoint_every: std::time::Duration::ZERO,
        ..BuildOptions::new(folder, 4, Metric::Moves)
    }
}

/// Half of a table.
static HALF: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is room");
    let stop = StopAt(6_000, AtomicU64::new(0));
    build(&plan(folder.path()), &stop).expect_err("it is stopped");
    std::fs::read(folder.path().join(format!("{NAME}.part"))).expect("it is there")
});

pub fn part(input: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let mut bytes = HALF.clone();
    let mut input = Input(input);
    let seals = input.byte();
    edit(&mut bytes, &mut input);
    for (block, bit) in bytes.chunks_exact_mut(4096).zip([1, 2, 4]) {
        if seals & bit != 0 {
            let checksum = crc32fast::hash(&block[..4092]);
            block[4092..].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    std::fs::write(folder.path().join(format!("{NAME}.part")), bytes).expect("there is room");
    // A forged checkpoint may lie about the counts of the boards before it; the
    // build then must not fall, but cannot know.
    if let Ok(report) = build(&plan(folder.path()), &())
        && seals & 7 == 0
    {
        assert!(std::fs::read(report.path).expect("it is there") == table::bytes(), "other bytes");
    }
}
