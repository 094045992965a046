//! Files that are whole or not there, also when they cannot have their names
//! and when the program ends in the middle.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tailback::files::{Staged, commit_all, sweep};

/// Every file of a folder by name; a folder in it has no text.
fn contents(folder: &Path) -> BTreeMap<String, Option<String>> {
    let entry = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).ok())
    };
    fs::read_dir(folder).unwrap().map(Result::unwrap).map(entry).collect()
}

fn written(folder: &Path, names: [&str; 4]) -> Vec<Staged> {
    let written = |name: &str| {
        let staged = Staged::new(&folder.join(name)).unwrap();
        staged.write(format!("new {name}").as_bytes()).unwrap();
        staged
    };
    names.map(written).into()
}

const NAMES: [&str; 4] = ["a", "b", "c", "manifest"];

/// Guards against files without a manifest: a folder stands where the third
/// file goes, and the first two had their names by then.
#[test]
fn a_name_that_cannot_be_given_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "manifest"] {
        fs::write(folder.path().join(name), format!("old {name}")).unwrap();
    }
    let staged = written(folder.path(), NAMES);
    fs::create_dir_all(folder.path().join("c/not empty")).unwrap();
    let before = contents(folder.path());
    let (path, _) = commit_all(staged).unwrap_err();
    assert_eq!(path, folder.path().join("c"));
    let after = contents(folder.path());
    let is_part = |name: &String| name.ends_with(".part");
    assert_eq!(after, before.into_iter().filter(|(name, _)| !is_part(name)).collect());
    assert_eq!(after["a"].as_deref(), Some("old a"));
    assert_eq!(after["manifest"].as_deref(), Some("old manifest"));

    fs::remove_dir_all(folder.path().join("c")).unwrap();
    commit_all(written(folder.path(), NAMES)).unwrap();
    let expected = NAMES.map(|name| (name.to_owned(), Some(format!("new {name}"))));
    assert_eq!(contents(folder.path()), expected.into());
}

/// Guards against half a folder: a thread went on writing into it while it was
/// swept away.
#[test]
fn a_sweep_wins_against_a_thread_that_writes() {
    // What is swept is that of the whole process: a process of its own.
    const INSIDE: &str = "TAILBACK_TEST_SWEEP";
    if let Some(folder) = std::env::var_os(INSIDE) {
        let staged = Staged::new(&Path::new(&folder).join("problems")).unwrap();
        staged.create_dir().unwrap();
        let add = move || (0..).find_map(|number| staged.add(&format!("{number}"), b"text").err());
        let writer = std::thread::spawn(add);
        while fs::read_dir(&folder)
            .unwrap()
            .next()
            .is_some_and(|part| fs::read_dir(part.unwrap().path()).unwrap().count() < 20)
        {}
        sweep();
        assert!(writer.join().unwrap().is_some(), "nothing new is begun");
        assert!(Staged::new(&Path::new(&folder).join("more")).is_err());
        return;
    }
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_sweep_wins_against_a_thread_that_writes"])
            .env(INSIDE, folder.path())
            .output()
            .unwrap();
        assert!(status.status.success(), "{status:?}");
        assert_eq!(contents(folder.path()), BTreeMap::new());
    }
}
