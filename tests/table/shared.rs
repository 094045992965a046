//! The tables that tests share: built once by whoever comes first.

use crate::common::built_once;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[test]
fn are_built_once_and_whole() {
    let shelf = tempfile::tempdir().unwrap();
    // Of a build that was killed, and of an older program.
    for name in ["unfinished", "older"] {
        fs::create_dir(shelf.path().join(name)).unwrap();
        fs::write(shelf.path().join(name).join("table"), "stale").unwrap();
    }
    let builds = AtomicUsize::new(0);
    let build = |folder: &Path| {
        builds.fetch_add(1, Ordering::Relaxed);
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("table"), "whole").unwrap();
    };
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let folder = built_once(shelf.path(), "newer", build);
                assert_eq!(fs::read_to_string(folder.join("table")).unwrap(), "whole");
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
    assert!(!shelf.path().join("older").exists());
}
