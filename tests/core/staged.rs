//! Files that are whole or not there, also when they cannot have their names
//! and when the program ends in the middle.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tailback::files::{Staged, commit_all, sweep, write_whole};

/// Every file of a folder by name; a folder in it has no text.
fn contents(folder: &Path) -> BTreeMap<String, Option<String>> {
    let entry = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).ok())
    };
    fs::read_dir(folder).unwrap().map(Result::unwrap).map(entry).collect()
}

fn written(folder: &Path, names: [&str; 4]) -> Vec<Staged> {
    let written = |name: &str| {
        let staged = Staged::file(&folder.join(name)).unwrap();
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
        let staged = Staged::folder(&Path::new(&folder).join("problems")).unwrap();
        let add = move || (0..).find_map(|number| staged.add(format!("{number}"), b"text").err());
        let writer = std::thread::spawn(add);
        while fs::read_dir(&folder)
            .unwrap()
            .next()
            .is_some_and(|part| fs::read_dir(part.unwrap().path()).unwrap().count() < 20)
        {}
        sweep();
        assert!(writer.join().unwrap().is_some(), "nothing new is begun");
        assert!(Staged::file(&Path::new(&folder).join("more")).is_err());
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

/// Guards against two writers of one process that wrote into one part: each cut what
/// the other had, and the second could not have its name.
#[test]
fn two_writers_of_one_name_have_a_part_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let [first, second] = ["first", "the second"].map(|text| {
        let staged = Staged::file(&path).unwrap();
        staged.write(text.as_bytes()).unwrap();
        staged
    });
    assert_ne!(first.part(), second.part());
    first.commit().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    second.commit().unwrap();
    assert_eq!(contents(folder.path()), [("a".to_owned(), Some("the second".to_owned()))].into());
    let folders = [(), ()].map(|()| Staged::folder(&folder.path().join("folder")).unwrap());
    for staged in &folders {
        staged.add("file", b"text").unwrap();
        assert!(staged.add("file", b"again").is_err(), "nothing in it is replaced");
    }
    assert_ne!(folders[0].part(), folders[1].part());
}

/// Guards what a link leads to that somebody put where a part goes.
#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_part_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let part = Staged::file(&path).unwrap().part().to_owned();
    let victim = folder.path().join("victim");
    fs::write(&victim, "kept").unwrap();
    std::os::unix::fs::symlink(&victim, &part).unwrap();
    write_whole(&path, b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "kept");
    assert!(part.is_symlink(), "nor is it ours to remove");
}

/// A killed program cannot tidy up: the next one does, whatever is left, and leaves
/// alone what is still being written.
#[test]
fn what_the_killed_have_left_goes() {
    let folder = tempfile::tempdir().unwrap();
    for (path, is_folder) in [(folder.path().join("a"), false), (folder.path().join("b"), true)] {
        let begin = || if is_folder { Staged::folder(&path) } else { Staged::file(&path) }.unwrap();
        let all = [begin(), begin(), begin()];
        let parts = all.each_ref().map(|staged| staged.part().to_owned());
        let [gone, still, _] = all;
        drop(gone);
        // As after a kill: nobody holds them.
        for part in [&parts[0], &parts[2]] {
            let _ = fs::remove_dir_all(part).or_else(|_| fs::remove_file(part));
            match is_folder {
                true => fs::create_dir(part).and_then(|()| fs::write(part.join("file"), "half")).unwrap(),
                false => fs::write(part, "half").unwrap(),
            }
        }
        let next = begin();
        assert_eq!(next.part(), parts[0]);
        if cfg!(unix) || !is_folder {
            assert!(!parts[2].exists(), "{}", parts[2].display());
        }
        assert!(still.part().exists());
    }
}
