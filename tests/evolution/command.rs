//! `tailback evolve`, as people use it.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;
use tailback::board::{Board, Distance, Metric};
use tailback::cluster::Cluster;
use tailback::domains::rush_hour::SETS;

use crate::common::desk::Desk;
use crate::common::{self, PROGRAM, code, stderr, stdout};

fn desk() -> Desk {
    Desk::new(common::tables())
}

const SMALL: &str = "name = \"small\"
[blocks]
numbers = [\"all\"]
[genome]
kind = \"weights\"
[population]
size = 20
[stop]
generations = 4
[data]
train = { draw = 200, size = 5 }
test = { draw = 50, size = 5, seed = 1 }
apart = [\"jam\"]
";

/// A desk on which the small experiment was run.
fn done() -> Desk {
    let desk = desk();
    desk.write("small.toml", SMALL);
    desk.run("evolve run small.toml --out out");
    desk
}

fn wrong(desk: &Desk, args: &str) -> (i32, String) {
    let output = desk.command(args, &[]).output().unwrap();
    (code(&output), stderr(&output))
}

#[test]
fn an_experiment_from_beginning_to_end() {
    let desk = desk();
    assert!(desk.run("evolve init").contains("[genome]"));
    desk.write("small.toml", SMALL);
    let told = desk.run("evolve run small.toml --out out --runs 2");
    assert!(told.starts_with("small\n\nrun  state"), "{told}");
    assert_eq!(told.matches("ended: generations").count(), 2, "{told}");
    let status: Value = serde_json::from_str(&desk.run("--json evolve status out")).unwrap();
    assert_eq!(status["runs"].as_array().unwrap().len(), 2);
    assert_eq!(status["runs"][1]["last"]["generation"], 3);
    assert_eq!(status["reproducible"], true);

    // What was bred is named wherever a heuristic is.
    let board = "..B.. AAB.. ..C.. ..C.. .....";
    let solved = desk.run_with("--json solve --algorithm wastar:2 --heuristic @out/best.txt", &[board]);
    let solved: Value = serde_json::from_str(&solved).unwrap();
    assert_eq!(solved["search"]["heuristic"], "@out/best.txt");
    desk.write("boards.txt", board);
    let compared = desk.run("compare --set boards.txt --algorithms greedy --heuristics zero,@out/best.txt");
    assert!(compared.contains("greedy @out/best.txt"), "{compared}");
    assert!(
        desk.run("heuristics --size 5 --sample 100 --heuristics @out/best.txt").contains("@out/best.txt")
    );
    desk.run("export csv --size 5 --count 20 --heuristics @out/best.txt,blocking --out some.csv");
    assert!(desk.text("some.csv").lines().next().unwrap().contains("@out/best.txt"));
}

#[test]
fn other_forms_of_boards() {
    let desk = desk();
    desk.run("export hh-evolver --size 5 --count 100 --out hh.csv");
    desk.run("export csv --size 5 --count 100 --seed 3 --out own.csv");
    desk.run("export rush --size 5 --count 30 --out boards.txt");
    let boards: Vec<String> =
        desk.text("boards.txt").lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect();
    desk.write("boards.txt", &boards.join("\n"));
    for (train, test) in [("hh.csv", "own.csv"), ("own.csv", "boards.txt")] {
        let text = SMALL
            .replace("{ draw = 200, size = 5 }", &format!("{{ file = \"{train}\" }}"))
            .replace("{ draw = 50, size = 5, seed = 1 }", &format!("{{ file = \"{test}\", most = 20 }}"));
        desk.write("files.toml", &text);
        let out = format!("from-{train}");
        desk.run(&format!("evolve run files.toml --out {out}"));
        assert_eq!(desk.text(&format!("{out}/test.tsv")).lines().count(), 20);
    }
}

#[test]
fn some_boards_of_a_set_and_those_around_them() {
    let desk = desk();
    let text = SMALL
        .replace("{ draw = 200, size = 5 }", "{ set = \"jam\" }")
        .replace("{ draw = 50, size = 5, seed = 1 }", "{ set = \"jam\", only = [\"Jam-2\", \"Jam-1\"] }")
        .replace("apart = [\"jam\"]", "");
    desk.write("cards.toml", &text);
    desk.run("evolve run cards.toml --out cards");
    assert_eq!(desk.text("cards/test.tsv").lines().count(), 2);
    assert_eq!(desk.text("cards/train.tsv").lines().count(), 38, "no family is on both sides");

    let text = text
        .replace("\"Jam-2\", \"Jam-1\"", "\"Jam-1\"")
        .replace("] }", "], around = 30 }")
        .replace("[stop]", "[fitness]\naim = \"rank-within\"\n[stop]");
    desk.write("around.toml", &text.replace("{ set = \"jam\" }", "{ set = \"jam\", most = 5, around = 30 }"));
    desk.run("evolve run around.toml --out around");
    let card = SETS[0].1.lines().find(|line| line.starts_with("Jam-1\t")).unwrap();
    let cluster =
        Cluster::explore(&Board::parse(card.split('\t').nth(1).unwrap()).unwrap(), Metric::Moves, 10_000)
            .unwrap();
    let drawn = desk.text("around/test.tsv");
    let mut distances = BTreeSet::new();
    for line in drawn.lines() {
        let (board, distance) = line.split_once('\t').unwrap();
        assert_eq!(
            cluster.distance(&Board::parse(board).unwrap()),
            Some(Distance::of(distance.parse().unwrap())),
            "{line}"
        );
        distances.insert(distance.to_owned());
    }
    assert!(drawn.lines().count() > 20 && distances.len() > 5, "{drawn}");

    desk.write("bad.toml", &text.replace("Jam-1", "Jam-99"));
    assert!(wrong(&desk, "evolve run bad.toml --out bad").1.contains("jam has no board 'Jam-99'"));
    desk.write("bad.toml", &text);
    let (code, told) = wrong(&desk, "evolve run bad.toml --out bad");
    assert!(code == 2 && told.contains("around"), "every family has one board: {told}");
}

#[test]
fn data_that_cannot_be_used() {
    let desk = desk();
    let bad = |name: &str, text: &str, remedy: &str| {
        desk.write(name, text);
        let text = SMALL.replace("{ draw = 200, size = 5 }", &format!("{{ file = \"{name}\" }}"));
        desk.write("bad.toml", &text);
        let (code, told) = wrong(&desk, "evolve run bad.toml --out bad");
        assert!(code == 2 && told.contains(remedy), "{code}: {told}");
        assert!(!desk.path("bad").exists());
    };
    bad(
        "a.csv",
        "board,length\n..B.AAB.........,2\n",
        "one column must be called board, and one moves or h*",
    );
    bad(
        "a.csv",
        "board,moves\n..B.AAB.........,Infinity\n",
        "line 2: the board cannot be solved: leave such",
    );
    bad("a.csv", "board,moves\n..B.AAB.........,NaN\n", "line 2: there is no distance");
    bad("a.csv", "board,moves\n..B.AAB.........,2.5\n", "line 2: a distance is a whole number");
    bad("a.csv", "board,moves\n..B.BBB.........,2\n", "line 2: ");
    // Tables know better.
    let board = ".......B..AAB............";
    bad("a.csv", &format!("board,moves\n{board},2\n{board},9\n"), "a.csv, line 3: the distance is 2, not 9");
    bad("a.csv", &format!("One\nTwo\n{board},3\n"), "a.csv, line 3: the distance is 2, not 3");
    bad(
        "a.jsonl",
        &format!("{{\"board\":\"{board}\",\"moves\":1}}\n"),
        "a.jsonl, line 1: the distance is 2, not 1",
    );
    bad("a.csv", "One\nTwo\n..B.AAB.........,Infinity\n", "line 3: the board cannot be solved");
    bad("a.csv", "One\nTwo\n", "train has no boards");
    bad("a.txt", "....AABB........\n", "cannot be solved: a training or test board needs a distance");
    bad("a.txt", "..B.AAB.\n", "a.txt, line 1");
    let text = SMALL.replace("{ draw = 200, size = 5 }", "{ file = \"nowhere.csv\" }");
    desk.write("bad.toml", &text);
    assert!(wrong(&desk, "evolve run bad.toml --out bad").1.contains("cannot read nowhere.csv"));
    desk.write("bad.toml", &SMALL.replace("{ draw = 200, size = 5 }", "{ set = \"hard\" }"));
    assert!(
        wrong(&desk, "evolve run bad.toml --out bad").1.contains("there is no set 'hard': the sets are jam")
    );
    desk.write("bad.toml", &SMALL.replace("[\"jam\"]", "[\"jm\"]"));
    assert!(wrong(&desk, "evolve run bad.toml --out bad").1.contains("cannot read jm"));
    desk.write("bad.toml", &SMALL.replace("draw = 200, size = 5", "draw = 200, size = 6"));
    assert!(wrong(&desk, "evolve run bad.toml --out bad").1.contains("tailback build --size 6"));
    desk.write("bad.toml", &SMALL.replace("size = 5 }", "size = 5, distances = \"90..\" }"));
    assert!(wrong(&desk, "evolve run bad.toml --out bad").1.contains("no board has such a distance"));
    desk.write("bad.toml", &SMALL.replace("kind", "knid"));
    let (code, told) = wrong(&desk, "evolve run bad.toml --out bad");
    assert!(code == 2 && told.contains("bad.toml, line 5: unknown field `knid`"), "{told}");
}

/// What a kill or a full disk left of a folder is begun again; what somebody else put
/// there stays.
#[test]
fn a_folder_that_was_cut_off() {
    let desk = desk();
    desk.write("small.toml", SMALL);
    fs::create_dir(desk.path("out")).unwrap();
    for name in [".lock", "train.tsv", "test.tsv.77.part"] {
        desk.write(&format!("out/{name}"), "..B");
    }
    let (code, told) = wrong(&desk, "evolve resume out");
    assert!(code == 2 && told.contains("has no experiment"), "{told}");
    desk.run("evolve run small.toml --out out");
    assert!(!desk.path("out/test.tsv.77.part").exists());
    assert_eq!(desk.text("out/train.tsv").lines().count(), 200);

    fs::create_dir(desk.path("mine")).unwrap();
    desk.write("mine/train.tsv", "mine");
    for _ in 0..2 {
        let (code, told) = wrong(&desk, "evolve run small.toml --out mine");
        assert!(code == 2 && told.contains("mine is not empty; name a new folder"), "{told}");
    }
    assert_eq!(desk.text("mine/train.tsv"), "mine");
}

/// Checksums are right, and what they protect is not.
#[test]
fn forged_checkpoints() {
    let desk = done();
    let checkpoint = "out/run-1/checkpoint";
    let whole = desk.text(checkpoint);
    let (head, body) = whole.split_once('\n').unwrap();
    let (head, body): (Value, Value) =
        (serde_json::from_str(head).unwrap(), serde_json::from_str(body).unwrap());
    for (what, forged, remedy) in [
        ("population", "[]", "no run that has begun can have such a population"),
        ("hall", "[]", "no run that has begun"),
        ("groups", "[[]]", "no run that has begun"),
        ("next_id", "18446744073709551615", "no run that has begun"),
        ("population", "0*mobile", "a formula is none that this experiment breeds"),
    ] {
        let (mut head, mut body) = (head.clone(), body.clone());
        match serde_json::from_str(forged) {
            Ok(value) => body[what] = value,
            Err(_) => body[what][0]["genome"] = forged.into(),
        }
        // More generations are to be bred.
        let body = body.to_string();
        head["crc32"] = crc32fast::hash(body.as_bytes()).into();
        desk.write(checkpoint, &format!("{head}\n{body}"));
        let (code, told) = wrong(&desk, "evolve resume out");
        assert!(code == 1 && told.contains(remedy), "{what}: {code}: {told}");
    }
}

/// The best of an experiment is a building block of the next.
#[test]
fn formulas_as_numbers() {
    let desk = done();
    let text =
        SMALL.replace("[\"all\"]", "[\n  \"blocking\", '@out/best.txt', # the best\n \"max(mobile,2)\"]");
    desk.write("next.toml", &text);
    desk.run("evolve run next.toml --out next");
    let best = desk.text("out/best.txt");
    let best = best.lines().last().unwrap();
    assert!(desk.text("next/experiment.toml").contains(&format!("\"blocking\", \"{best}\", # the best")));
    desk.run("evolve resume next");
    let report: Value = serde_json::from_str(&desk.run("--json evolve report next")).unwrap();
    let baselines = report["experiments"][0]["baselines"].as_array().unwrap();
    assert!(baselines.iter().any(|method| method["name"] == "max(mobile,2)"), "{report}");
    desk.write("next.toml", &text.replace("out/best", "nowhere"));
    let (code, told) = wrong(&desk, "evolve run next.toml --out other");
    assert!(code == 2 && told.contains("next.toml, line 4: cannot read nowhere.txt"), "{told}");
}

/// A distance that a building block disproves is not bred on.
#[test]
fn a_false_distance_is_an_error() {
    let desk = desk();
    // B is as long as its column allows.
    let unsolvable = "...BAA.B...B....";
    desk.write("a.csv", &format!("board,moves\n..B.AAB.........,2\n{unsolvable},3\n"));
    desk.write("bad.toml", &SMALL.replace("{ draw = 200, size = 5 }", "{ file = \"a.csv\" }"));
    let (code, told) = wrong(&desk, "evolve run bad.toml --out bad");
    assert!(code == 2 && told.contains("a.csv, line 3: the board cannot be solved"), "{code}: {told}");
    assert!(!desk.path("bad").exists());
    // Without a table a building block may know.
    let text = SMALL.replace("{ draw = 200, size = 5 }", "{ file = \"a.csv\" }");
    desk.write("bad.toml", &text.replace("{ draw = 50, size = 5, seed = 1 }", "{ set = \"jam\" }"));
    let output = desk.command_on(desk.folder.path(), "evolve run bad.toml --out bad", &[]).output().unwrap();
    let told = stderr(&output);
    assert!(common::code(&output) == 1 && told.contains("proves that board 2 cannot be solved"), "{told}");
    assert!(!desk.path("bad").exists());
}

#[test]
fn folders_in_use_or_damaged() {
    let desk = done();
    let (code, told) = wrong(&desk, "evolve run small.toml --out out");
    assert!(code == 2 && told.contains("out is not empty; go on with its experiment"), "{told}");
    fs::create_dir(desk.path("other")).unwrap();
    desk.write("other/file", "");
    let (code, told) = wrong(&desk, "evolve run small.toml --out other");
    assert!(code == 2 && told.contains("is not empty; name a new folder"), "{told}");
    for args in ["evolve resume nowhere", "evolve status other"] {
        let (code, told) = wrong(&desk, args);
        assert!(code == 2 && told.contains("has no experiment"), "{told}");
    }

    let lock = fs::File::open(desk.path("out/.lock")).unwrap();
    lock.lock().unwrap();
    let (code, told) = wrong(&desk, "evolve resume out");
    assert!(code == 1 && told.contains("another process is at work"), "{told}");
    let status: Value = serde_json::from_str(&desk.run("--json evolve status out")).unwrap();
    assert_eq!(status["running"], true);
    drop(lock);
    let status: Value = serde_json::from_str(&desk.run("--json evolve status out")).unwrap();
    assert_eq!(status["running"], false);

    let checkpoint = "out/run-1/checkpoint";
    let whole = desk.text(checkpoint);
    let damage = |text: &str, remedy: &str| {
        desk.write(checkpoint, text);
        for args in ["evolve resume out", "evolve status out"] {
            let (code, told) = wrong(&desk, args);
            assert!(code == 1 && told.contains(remedy), "{args}: {told}");
        }
    };
    damage(&whole.replace("\"version\":1", "\"version\":9"), "is of version 9, this program reads version 1");
    damage(&whole[..whole.len() / 2], "the checksum is wrong; begin anew");
    damage(&whole.replacen("\"cost\":", "\"cost\":1", 1), "the checksum is wrong");
    damage("", "it ends in its first line");
    damage("{}\n{}", "is damaged: missing field");
    desk.write(checkpoint, &whole);
    let log = desk.text("out/run-1/log.jsonl");
    desk.write("out/run-1/log.jsonl", "");
    assert!(wrong(&desk, "evolve resume out").1.contains("it has 0 of 4 generations"));
    desk.write("out/run-1/log.jsonl", &log);
    let boards = desk.text("out/train.tsv");
    desk.write("out/train.tsv", &boards.replacen("\t1", "\t2", 1));
    assert!(wrong(&desk, "evolve resume out").1.contains("train.tsv is not what the run began with"));
    desk.write("out/train.tsv", &boards);
    desk.run("evolve resume out");
}

/// A limit on the length of files is the nearest thing to a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let desk = desk();
    desk.write("long.toml", &SMALL.replace("generations = 4", "generations = 120"));
    let limited = format!(
        "trap '' XFSZ; ulimit -f 12; exec {PROGRAM} --db \"$0\" evolve run long.toml --out out --threads 1"
    );
    let output = Command::new("bash")
        .args(["-c", &limited])
        .arg(common::tables())
        .current_dir(&desk.folder)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}{}", stdout(&output));
    assert!(told.contains("what is saved is whole"), "{told}");
    desk.run("evolve resume out");
    assert_eq!(desk.text("out/run-1/log.jsonl").lines().count(), 120);
}

/// Ctrl-C pauses, and says how to go on.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_goes_on() {
    let desk = desk();
    desk.write("long.toml", &SMALL.replace("generations = 4", "generations = 1000000"));
    let mut command = Command::new(PROGRAM);
    command.arg("--db").arg(common::tables()).args(["evolve", "run", "long.toml", "--out", "out"]);
    let child = command
        .current_dir(&desk.folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !desk.path("out/run-1/checkpoint").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    common::interrupt_listening(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("go on with: tailback evolve resume out"), "{}", stderr(&output));
    assert!(stdout(&output).contains(" paused"), "{}", stdout(&output));
    let generations = desk.text("out/run-1/log.jsonl").lines().count();
    assert!(generations > 0);
}
