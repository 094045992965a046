//! `tailback export` as a user types it: the files, the manifest beside them, and
//! requests that cannot be.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

use common::desk::{Desk, column, sha256, table};
use common::{code, stderr, stdout, tables};

/// 2 moves, 4 steps, 5 boards in its cluster.
const SMALL: &str = "..B.AAB.........";
const WALLED: &str = "..B.AAB..x......";
const BLOCKED: &str = "....AABB.CC.....";
/// 60 moves, 103 steps.
const SIX: &str = "IBBx..I..LDDJAAL..J.KEEMFFK..MGGHHHM";

fn desk() -> Desk {
    Desk::new(tables())
}

mod manifests {
    use super::*;

    #[test]
    fn all_there_is_to_know() {
        let desk = desk();
        let args = "export csv --size 4 --per-distance 60 --metric both --heuristics blocking,max(zero,advanced) \
                    --include-unsolvable --seed 11 --name Small --out a.csv";
        let printed: Value = serde_json::from_str(&desk.run(&format!("{args} --json"))).unwrap();
        let mut manifest = desk.json("a.csv.manifest.json");
        assert_eq!(printed, manifest);

        // The files tell the same.
        let text = desk.text("a.csv");
        let rows = table(&text);
        let count = |name: &str| {
            let mut counts = vec![0u64; 0];
            for distance in column(&rows, name).iter().filter_map(|text| text.parse::<usize>().ok()) {
                counts.resize(counts.len().max(distance + 1), 0);
                counts[distance] += 1;
            }
            counts
        };
        let unsolvable = column(&rows, "moves").iter().filter(|moves| moves.is_empty()).count();
        assert_eq!(unsolvable, 60);
        let files = manifest["files"].take();
        let expected = json!([{
            "file": "a.csv",
            "part": null,
            "rows": rows.len(),
            "unsolvable": 60,
            "bytes": text.len(),
            "sha256": sha256(text.as_bytes()),
            "distances": {"moves": count("moves"), "steps": count("steps")},
        }]);
        assert_eq!(files, expected);
        let command = manifest["command"].take();
        let command: Vec<&str> =
            command.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let typed: Vec<&str> = args.split_whitespace().collect();
        assert_eq!(
            (command[0], command[1], &command[3..command.len() - 1]),
            ("tailback", "--db", &typed[..])
        );

        let version = env!("CARGO_PKG_VERSION");
        let expected = json!({
            "name": "Small",
            "description": format!(
                "4x4 Rush Hour boards: 60 at each of the distances in moves; drawn by lot; h* is exact in moves and steps; \
                 h1 blocking h2 max(zero advanced); seed 11; tailback {version}"
            ),
            "format": "csv",
            "metrics": ["moves", "steps"],
            "size": 4,
            "rules": "all",
            "boards": "60 at each of the distances in moves, drawn by lot",
            "primary": "A",
            "seed": 11,
            "include_unsolvable": true,
            "split": null,
            "split_seed": null,
            "heuristics": ["blocking", "max(zero,advanced)"],
            "builder": format!("tailback {version}"),
            "command": null,
            "licence": "CC0-1.0",
            "rows": 60 * 7 + 17 + 3,
            "left_out_unsolvable": 0,
            "population": [4592, 2682, 1219, 673, 194, 64, 17, 3],
            "population_unsolvable": 3702,
            "files": null,
        });
        assert_eq!(manifest, expected);
    }

    /// What a file says of itself is true, or is not there.
    #[test]
    fn an_old_one_does_not_outlive_its_file() {
        let desk = desk();
        desk.run("export csv --size 4 --count 5 --out a.csv");
        fs::remove_file(desk.path("a.csv.manifest.json")).unwrap();
        fs::create_dir(desk.path("a.csv.manifest.json")).unwrap();
        let output = desk.command("export csv --size 4 --count 9 --out a.csv", &[]).output().unwrap();
        assert_eq!(code(&output), 1);
        assert!(
            stderr(&output).contains("the manifest goes there, and it is a folder"),
            "{}",
            stderr(&output)
        );
        assert_eq!(desk.text("a.csv").lines().count(), 6);
        assert_eq!(desk.names(), ["a.csv", "a.csv.manifest.json"]);
    }

    /// The command in it makes the same file again.
    #[test]
    fn a_dataset_can_be_made_again() {
        let desk = desk();
        for args in ["hh-evolver --size 5 --count 50 --heuristics all", "parquet --size 4 --per-distance 9"] {
            desk.run(&format!("export {args} --seed 2 --out a"));
            let (bytes, manifest) = (desk.bytes("a"), desk.json("a.manifest.json"));
            fs::remove_file(desk.path("a")).unwrap();
            let words = manifest["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
            let mut again = Command::new(common::PROGRAM);
            again.current_dir(&desk.folder).args(words.skip(1)).assert().success();
            assert!(desk.bytes("a") == bytes);
            assert_eq!(manifest["files"][0]["sha256"], sha256(&bytes));
        }
    }
}

mod files {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Child, Stdio};
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_old_file_is_replaced() {
        let desk = desk();
        for name in ["a.csv", "a.csv.manifest.json"] {
            desk.write(name, &"old ".repeat(1000));
        }
        desk.run("export csv --size 4 --count 2 --out a.csv");
        assert_eq!(table(&desk.text("a.csv")).len(), 2);
        assert_eq!(desk.json("a.csv.manifest.json")["rows"], 2);
        assert_eq!(desk.names(), ["a.csv", "a.csv.manifest.json"]);
    }

    fn spawn(desk: &Desk, args: &str) -> Child {
        std::process::Command::new(common::PROGRAM)
            .arg("--db")
            .arg(tables())
            .current_dir(&desk.folder)
            .args(args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Millions of boards are more than any machine exports in a moment.
    #[cfg(target_os = "linux")]
    #[test]
    fn interrupted_at_work() {
        for (args, out) in [
            ("rush --size 5 --count 3000000 --out a.txt", ""),
            (
                "csv --size 5 --count 7000000 --heuristics all --split a=1,b=1 --out a.txt --json",
                "no file was",
            ),
            ("pddl --size 5 --count 2000000 --out planning", ""),
        ] {
            let desk = desk();
            desk.write("a.txt", "old");
            desk.write("a.a.txt", "old too");
            let before = desk.contents();
            let child = spawn(&desk, &format!("export {args}"));
            common::interrupt_at_work(&child);
            let output = child.wait_with_output().unwrap();
            assert_eq!(code(&output), 3, "{args}: {}", stderr(&output));
            assert!(stdout(&output).contains(out), "{}", stdout(&output));
            let said = stdout(&output) + &stderr(&output);
            assert!(said.contains("interrupted; no file was written"), "{said}");
            assert!(desk.contents() == before, "{args}: {:?}", desk.names());
        }
    }

    /// Sends boards, but no end, and waits until some of them are in the file
    /// beside the one that is to be.
    #[cfg(unix)]
    fn half_way(desk: &Desk) -> Child {
        let mut child = spawn(desk, "export jsonl --from - --heuristics all --out a.jsonl");
        let boards = format!("{SMALL}\n").repeat(20_000);
        child.stdin.as_mut().unwrap().write_all(boards.as_bytes()).unwrap();
        let part = desk.path("a.jsonl.tailback-0.part");
        for _ in 0..12_000 {
            if part.metadata().is_ok_and(|there| there.len() > 0) {
                return child;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        panic!("nothing is written before the end: {}", child.wait().unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn interrupted_half_way() {
        let desk = desk();
        desk.write("a.jsonl", "old");
        let mut child = half_way(&desk);
        common::interrupt(&child);
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        assert!(errors.any(|line| line.starts_with("stopping, and leaving nothing behind; ")));
        // It waits for boards no longer than they take to come.
        drop(child.stdin.take());
        let rest: Vec<String> = errors.collect();
        assert_eq!(child.wait().unwrap().code(), Some(3), "{rest:?}");
        assert_eq!((desk.names(), desk.text("a.jsonl").as_str()), (vec!["a.jsonl".to_owned()], "old"));
    }

    /// A second signal ends the program at once, and it tidies up all the same.
    #[cfg(unix)]
    #[test]
    fn interrupted_twice() {
        let desk = desk();
        let mut child = half_way(&desk);
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        common::interrupt(&child);
        assert!(errors.any(|line| line.starts_with("stopping, and leaving nothing behind; ")));
        common::interrupt(&child);
        assert_eq!(child.wait().unwrap().code(), Some(3));
        assert_eq!(desk.names(), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn killed_half_way() {
        for old in [None, Some("old")] {
            let desk = desk();
            old.inspect(|old| desk.write("a.jsonl", old));
            let mut child = half_way(&desk);
            child.kill().unwrap();
            child.wait().unwrap();
            let mut contents = desk.contents();
            let part = contents.remove("a.jsonl.tailback-0.part");
            assert!(part.is_some_and(|part| !part.is_empty()));
            assert_eq!(contents.remove("a.jsonl.manifest.json.tailback-0.part"), Some(Vec::new()));
            let old = old.map(|old| ("a.jsonl".to_owned(), old.as_bytes().to_vec()));
            assert_eq!(contents, old.into_iter().collect());
            // What is left goes.
            desk.run("export jsonl --size 4 --count 3 --out a.jsonl");
            assert_eq!(desk.text("a.jsonl").lines().count(), 3);
            assert_eq!(desk.names(), ["a.jsonl", "a.jsonl.manifest.json"]);
        }
    }

    /// `tailback export … | head -1` must end without an error.
    #[test]
    fn a_broken_pipe_is_no_error() {
        for format in ["csv", "jsonl", "hh-evolver", "rush"] {
            let mut child = spawn(&desk(), &format!("export {format} --size 4 --count 9000 --out -"));
            drop(child.stdout.take());
            let mut errors = String::new();
            child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(0), "{errors}");
            assert!(!errors.contains("error"), "{errors}");
        }
    }

    /// A pipe has a reader, and nothing beside it.
    #[cfg(unix)]
    #[test]
    fn into_a_pipe() {
        let desk = desk();
        Command::new("mkfifo").arg(desk.path("pipe")).assert().success();
        let reader = std::thread::spawn({
            let pipe = desk.path("pipe");
            move || fs::read_to_string(pipe).unwrap()
        });
        desk.run("export csv --size 4 --count 3 --out pipe");
        assert_eq!(reader.join().unwrap(), desk.run("export csv --size 4 --count 3 --out -"));
        assert_eq!(desk.names(), ["pipe"]);
    }

    /// A reader of a named pipe who goes away has lost something, unlike one of
    /// standard output who has had enough.
    #[cfg(unix)]
    #[test]
    fn into_a_pipe_that_breaks() {
        let desk = desk();
        Command::new("mkfifo").arg(desk.path("pipe")).assert().success();
        let child = spawn(&desk, "export csv --size 5 --count 300000 --out pipe");
        let mut head = [0; 5];
        fs::File::open(desk.path("pipe")).unwrap().read_exact(&mut head).unwrap();
        assert_eq!(&head, b"board");
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 1, "{}", stderr(&output));
        assert!(stderr(&output).contains("error: cannot write pipe: "), "{}", stderr(&output));
    }

    /// The summary would be among the rows.
    #[cfg(target_os = "linux")]
    #[test]
    fn standard_output_by_another_name() {
        let desk = desk();
        let rows = desk.run("export csv --size 4 --count 3 --out -");
        assert_eq!(desk.run("export csv --size 4 --count 3 --out /dev/stdout"), rows);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        for format in ["csv", "parquet"] {
            let mut command =
                desk().command(&format!("export {format} --size 4 --count 3 --out /dev/full"), &[]);
            let output = command.current_dir("/").output().unwrap();
            assert_eq!((code(&output), stdout(&output)), (1, String::new()));
            assert!(
                stderr(&output).contains("error: cannot write /dev/full: No space left"),
                "{}",
                stderr(&output)
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn any_name() {
        use std::os::unix::ffi::OsStrExt;

        let desk = desk();
        let name = std::ffi::OsStr::from_bytes(b"a\xff b.csv");
        let mut command = desk.command("export csv --size 4 --count 3 --out", &[]);
        command.arg(name).assert().success();
        assert!(desk.folder.path().join(name).exists());
        // A link stays one.
        desk.write("file.csv", "old");
        std::os::unix::fs::symlink("file.csv", desk.path("link.csv")).unwrap();
        desk.run("export csv --size 4 --count 3 --out link.csv");
        assert!(desk.path("link.csv").is_symlink());
        assert_eq!(desk.text("file.csv").lines().count(), 4);
    }

    #[test]
    fn progress_is_told() {
        let desk = desk();
        let output = desk.command("export csv --size 4 --count 300 --out a.csv", &[]).output().unwrap();
        common::assert_progress(&output, "progress boards=300 total=300 percent=100.0 boards_per_second=");
        let said = stdout(&output);
        assert!(said.starts_with("a.csv: 300 boards, up to ") && said.contains("\nWritten in "), "{said}");
    }

    #[test]
    fn help_has_examples_and_all_forms() {
        let help = desk().run("export --help");
        for form in ["hh-evolver", "csv", "jsonl", "parquet", "rush", "pddl"] {
            assert!(help.contains(&format!("- {form}: ")), "{form}");
            assert!(help.contains(&format!("\n  tailback export {form} ")), "{form}");
        }
        assert!(desk().run("--help").contains("\n  export "));
    }
}

mod refusals {
    use super::*;

    /// A request that must fail, in words and as JSON, and change nothing.
    fn refused(desk: &Desk, db: &Path, args: &str, more: &[&str], expected: i32, message: &str) {
        let before = desk.contents();
        let run = |json: &[&str]| -> Output {
            desk.command_on(db, &format!("export {args}"), &[more, json].concat()).output().unwrap()
        };
        let output = run(&[]);
        assert_eq!(
            (code(&output), stdout(&output)),
            (expected, String::new()),
            "{args}: {}",
            stderr(&output)
        );
        let words = stderr(&output);
        let error = words.lines().find(|line| line.starts_with("error: ")).expect("there is an error");
        assert!(error.contains(message), "{args}: {words}");
        let output = run(&["--json"]);
        assert_eq!(code(&output), expected);
        let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert!(json["error"].as_str().unwrap().contains(message), "{json}");
        assert!(desk.contents() == before, "{args}: {:?}", desk.names());
    }

    /// A desk with an old file, a list and a folder that is not empty.
    fn desk() -> Desk {
        let desk = super::desk();
        desk.write("old.csv", "old");
        desk.write("list.txt", &format!("{SMALL}\n"));
        fs::create_dir(desk.path("full")).unwrap();
        desk.write("full/file", "something");
        desk
    }

    #[test]
    fn what_does_not_exist() {
        let desk = desk();
        let drawn = "csv --size 4 --out old.csv";
        for (args, message) in [
            ("--count 9445", "there are only 9,444 solvable boards of 4×4: ask for fewer with --count"),
            ("--count 13147 --include-unsolvable", "there are only 13,146 boards of 4×4: ask for fewer"),
            ("--count 4 --distance 7", "there are only 3 such boards of 4×4: ask for fewer with --count"),
            ("--count 9445 --per-distance-weighted", "there are only 9,444 solvable boards of 4×4: ask"),
            ("--count 1 --distance 8..", "no board of 4×4 has such a distance: `tailback stats` lists"),
            ("--per-distance 1 --distance 8..", "no board of 4×4 has such a distance: `tailback stats`"),
            ("--count 1 --distance 5..3", "5..3"),
            ("--count 18446744073709551615", "there are only 9,444 solvable boards"),
            ("--count 3 --heuristics magic", "there is no heuristic 'magic': the heuristics are zero, "),
            ("--count 3 --heuristics blocking,zero,blocking", "--heuristics names blocking twice"),
            (
                "--count 3 --heuristics max(zero,blocking),max(zero,blocking)",
                "names max(zero,blocking) twice",
            ),
            ("--count 3 --heuristics blocking,", "a heuristic expected at 'the end'"),
            ("--count 9444 --vehicles ..4", " such boards; ask for fewer, or widen the filters"),
            (
                "--per-distance 3 --cars 9",
                "there are only 0 such boards; ask for fewer, or widen the filters",
            ),
            ("--from catalogue --moves 90..", "no puzzle of the catalogue matches: widen the filters"),
            (
                "--from catalogue --count 900 --rules all",
                "puzzles match: ask for fewer with --count, or widen",
            ),
            (
                "--from catalogue --having-kind 4",
                "no line of a 4×4 board has the kind \"4\"; the kinds are: ",
            ),
        ] {
            refused(&desk, tables(), &format!("{drawn} {args}"), &[], 2, message);
        }
    }

    #[test]
    fn which_boards() {
        let desk = desk();
        for (args, message) in [
            ("--size 4", "which boards? say --count N, --per-distance N, --from catalogue, --from FILE, "),
            ("--size 4 --count 3 --per-distance 3", "'--count <N>' cannot be used with '--per-distance <N>'"),
            ("--size 4 --per-distance 3 --from catalogue", "cannot be used with"),
            ("--size 4 --per-distance 3 --per-distance-weighted", "cannot be used with"),
            ("--size 4 --per-distance-weighted", "the following required arguments were not provided"),
            ("--count 3 --from list.txt", "--count draws boards, and a file is taken whole: leave one"),
            (&format!("--count 3 --whole-cluster {SMALL}"), "cannot be used with"),
            (&format!("--whole-family {SMALL} --whole-cluster {SMALL}"), "cannot be used with"),
            (&format!("--whole-family {SMALL} --from list.txt"), "cannot be used with"),
            ("--size 4 --from list.txt", "a board has its own size"),
            (&format!("--size 4 --whole-cluster {SMALL}"), "a board has its own size"),
            ("--size 4 --count 3 --moves 2..", "--moves is known of puzzles alone; use --distance RANGE"),
            ("--size 4 --per-distance 3 --solutions 1", "--solutions is known of puzzles alone; add --from"),
            ("--size 4 --count 3 --per-distance-weighted --cars 2..", "use --count alone, or --per-distance"),
            ("--size 4 --count 3 --rules all", "--rules is for puzzles, and these are boards"),
            ("--from list.txt --rules all", "filters are for boards that are drawn, or for puzzles: add "),
            ("--from list.txt --distance 3", "for boards drawn with --count or --per-distance"),
            ("--from catalogue --count 3 --per-distance-weighted", "for boards drawn with --count or"),
            ("--size 4 --count 3 --no-table", "--no-table is for the boards of a file"),
            (&format!("--whole-family {SMALL} --no-table"), "--no-table is for the boards of a file"),
            ("--size 4 --count 3 --primary X", "--primary is for boards of your own"),
            ("--size 4 --count 0", "invalid value '0' for '--count <N>'"),
            ("--size 7 --count 3", "invalid value '7' for '--size <SIZE>'"),
            ("--whole-cluster AA.B", "but this text has 4"),
            (&format!("--whole-cluster {BLOCKED}"), "--include-unsolvable exports them all the same"),
            (&format!("--whole-family {WALLED}"), "boards with walls and larger ones are in none"),
            (&format!("--whole-family {SIX}"), "boards with walls and larger ones are in none"),
        ] {
            refused(&desk, tables(), &format!("csv {args} --out old.csv"), &[], 2, message);
        }
    }

    #[test]
    fn what_a_form_has_no_room_for() {
        let desk = desk();
        for (args, message) in [
            ("hh-evolver --metric both --out old.csv", "hh-evolver has one h*: choose --metric moves or "),
            ("rush --metric steps --out old.csv", "rush counts moves: use --metric moves"),
            ("rush --metric both --out old.csv", "rush counts moves: use --metric moves"),
            ("rush --include-unsolvable --out old.csv", "rush has no word for unsolvable boards: export csv"),
            (
                "rush --heuristics zero --out old.csv",
                "rush and pddl have no columns for heuristics: export hh-evolver, csv, ",
            ),
            (
                "pddl --heuristics zero --out old.csv",
                "rush and pddl have no columns for heuristics: export hh-evolver, csv, ",
            ),
            ("parquet --out -", "only text goes to standard output: name a file with --out"),
            ("pddl --out -", "only text goes to standard output: name a file with --out"),
            ("pddl --out .", "the dataset needs a name: give it one with --out"),
            ("csv --out ..", "the dataset needs a name: give it one with --out"),
            ("csv --out a.csv/", "only pddl makes a folder: name a file with --out, without / at its end"),
            ("csv --split a=1,b=1 --out -", "the parts of a split need files: name one with --out"),
            (
                "csv --split a=1 --out old.csv",
                "such as train=80,valid=10,test=10 or in short 80/10/10; this has one part",
            ),
            ("csv --split a=1,a=2 --out old.csv", "'a' is there twice"),
            ("csv --split a=1,b=0 --out old.csv", "'0' is no such weight"),
            ("csv --split a=1,b --out old.csv", "'b' has no weight"),
            ("csv --split a=1,../b=2 --out old.csv", "a name has letters, digits, - and _ only, not '../b'"),
            ("xml --out old.csv", "invalid value 'xml' for '<FORMAT>'"),
            ("csv", "the following required arguments were not provided"),
        ] {
            refused(&desk, tables(), &format!("{args} --size 4 --count 3"), &[], 2, message);
        }
        // Standard output has the rows.
        let output = desk.command("export csv --size 4 --count 3 --out - --json", &[]).output().unwrap();
        assert_eq!(code(&output), 2);
        assert_eq!(stdout(&output), "{\"error\":\"--json describes a file: name one with --out\"}\n");
        for (option, text) in [("--name", "a\nb"), ("--description", "a\rb")] {
            for format in ["hh-evolver", "csv"] {
                let args = format!("{format} --size 4 --count 3 --out old.csv");
                refused(
                    &desk,
                    tables(),
                    &args,
                    &[option, text],
                    2,
                    "are one line each: take the line breaks",
                );
            }
        }
        let args = "hh-evolver --size 4 --count 3 --out old.csv --name";
        refused(
            &desk,
            tables(),
            args,
            &[&"long ".repeat(20_000)],
            2,
            "the name is too long: a line has at most",
        );
    }

    #[test]
    fn where_nothing_can_be_written() {
        let desk = desk();
        for (out, message) in [
            ("csv --out no/such.csv", "cannot write no/such.csv: there is no folder no: make it first"),
            ("pddl --out no/such", "cannot write no/such: there is no folder no: make it first"),
            ("csv --split a=1,b=1 --out no/a.csv", "cannot write no/a.a.csv: there is no folder no: make"),
            ("csv --out list.txt/a.csv", "cannot write list.txt/a.csv: there is no folder list.txt: make"),
            ("csv --out full", "cannot write full: it is a folder: name a file in it"),
            ("pddl --out list.txt", "cannot write list.txt: it is a file: name a folder"),
            ("pddl --out full/", "the folder is there and not empty: name another one, or empty it"),
            ("pddl --out list.txt", "cannot write list.txt: "),
        ] {
            refused(&desk, tables(), &format!("{out} --size 4 --count 3"), &[], 1, message);
        }
        assert_eq!(desk.text("full/file"), "something");
    }

    #[test]
    fn where_nothing_can_be_read() {
        let desk = desk();
        for (args, message) in [
            ("--from no.txt", "cannot read no.txt: "),
            ("--from full", "cannot read full: "),
            ("--count 3", "there is no table for boards of 6×6 in moves ("),
            (
                "--per-distance 3 --metric steps",
                "is missing); build it with: tailback build --size 6 --metric steps",
            ),
        ] {
            refused(&desk, tables(), &format!("csv {args} --out old.csv"), &[], 1, message);
        }
        let none = TempDir::new().unwrap();
        let args = "csv --size 5 --from catalogue --out old.csv";
        refused(&desk, none.path(), args, &[], 1, "there is no catalogue of puzzles of 5×5 (");
    }

    #[test]
    fn a_search_has_a_limit() {
        let desk = desk();
        desk.write("list.txt", &format!("{SMALL}\n{SIX}\n"));
        let message = format!("{SIX}: the search passed its limit of 100 boards");
        refused(&desk, tables(), "csv --from list.txt --limit 100 --out old.csv", &[], 1, &message);
        refused(&desk, tables(), "rush --from list.txt --limit 100 --out old.txt", &[], 1, &message);
        let args = format!("csv --whole-cluster {SIX} --limit 100 --out old.csv");
        refused(&desk, tables(), &args, &[], 1, "the search passed its limit of 100 boards");
    }

    /// In the header, and in the middle where the distances are.
    #[test]
    fn a_damaged_table() {
        let desk = desk();
        let db = TempDir::new().unwrap();
        let name = db.path().join("4x4-moves.tailback");
        let whole = fs::read(tables().join("4x4-moves.tailback")).unwrap();
        let requests = ["--size 4 --count 9444", "--size 4 --per-distance 3000", "--from all.txt"];
        let all = table(&desk.run("export csv --size 4 --count 9444 --out -"));
        desk.write("all.txt", &(column(&all, "board").join("\n") + "\n"));
        for at in [0, 40, whole.len() / 3, whole.len() - 9] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            fs::write(&name, damaged).unwrap();
            for request in requests {
                let args = format!("csv {request} --out old.csv");
                refused(&desk, db.path(), &args, &[], 1, "4x4-moves.tailback: ");
            }
        }
    }
}
