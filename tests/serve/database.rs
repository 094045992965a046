//! A database that is built, replaced, damaged or deleted while the server runs.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::SMALL;
use crate::common::{tables, tailback};
use crate::http::Server;

/// Asks until an answer is as wanted: changes are seen within a second or two.
#[track_caller]
fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_there() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what} never came");
        thread::sleep(Duration::from_millis(100));
    }
}

fn lookup(server: &Server) -> Value {
    server.json(&format!("/lookup?board={SMALL}"))
}

fn copy(name: &str, to: &Path) {
    fs::copy(tables().join(name), to.join(name)).unwrap();
}

#[test]
fn a_database_may_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(
        (lookup(&server)["source"].clone(), lookup(&server)["distance"].clone()),
        ("search".into(), 2.into())
    );
    let tag = |server: &Server| {
        let reply = server.get(&format!("/api/v1/lookup?board={SMALL}"));
        reply.header("etag").unwrap().to_owned()
    };
    let before = tag(&server);

    // Built beside it.
    tailback(folder.path()).args(["build", "--size", "4"]).assert().success();
    wait_for("the table", || lookup(&server)["source"] == "table");
    assert_ne!(tag(&server), before, "an answer of another database");
    let status = server.json("/status");
    assert_eq!(status["tables"][0]["size"], 4);
    assert!(server.json("/puzzles?size=4&limit=1")["matching"].as_u64().unwrap() > 0);

    // Replaced in one step by the same.
    let table = folder.path().join("4x4-moves.tailback");
    let other = folder.path().join("other");
    fs::copy(&table, &other).unwrap();
    fs::rename(&other, &table).unwrap();
    for _ in 0..20 {
        assert_eq!(lookup(&server)["distance"], 2);
    }

    // Deleted: what is open answers, then searches do.
    fs::remove_file(&table).unwrap();
    wait_for("the search", || lookup(&server)["source"] == "search");
    fs::remove_file(folder.path().join("4x4-catalogue.sqlite")).unwrap();
    wait_for("no catalogue", || server.get("/api/v1/puzzles?size=4").status == 404);
    assert_eq!(server.json("/healthz")["status"], "ok");
}

/// Written over in place, by a program that knows no better: an error or a right
/// answer, never a wrong one, and never the end of the server.
#[test]
fn a_table_that_is_written_over_gives_no_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["4x4-moves.tailback", "5x5-moves.tailback", "4x4-catalogue.sqlite"] {
        copy(name, folder.path());
    }
    let server = Server::start(folder.path(), &[]);
    assert_eq!(lookup(&server)["source"], "table");
    let whole = fs::read(folder.path().join("5x5-moves.tailback")).unwrap();
    let boards = ["..B....B..AAB.......CC...", "B.CC.B....AA..D....D.....", ".BB......CAA..CDD........"];
    let right: Vec<Value> = boards
        .iter()
        .map(|board| server.json(&format!("/lookup?board={board}"))["distance"].clone())
        .collect();
    for round in 0..6u8 {
        let path = folder.path().join("5x5-moves.tailback");
        match round % 3 {
            0 => fs::write(&path, &whole[..whole.len() / 2]).unwrap(),
            1 => fs::write(&path, vec![round; whole.len()]).unwrap(),
            _ => fs::write(&path, &whole).unwrap(),
        }
        for (board, right) in boards.iter().zip(&right) {
            let reply = server.get(&format!("/api/v1/lookup?board={board}"));
            match reply.status {
                200 => assert_eq!(reply.json()["distance"], *right, "{board}"),
                503 => assert!(reply.header("retry-after").is_some()),
                other => panic!("{other}: {}", reply.text()),
            }
        }
        thread::sleep(Duration::from_millis(400));
    }
    wait_for("the table", || {
        let reply = server.get(&format!("/api/v1/lookup?board={}", boards[0]));
        reply.status == 200 && reply.json()["source"] == "table"
    });
    // A catalogue that is cut.
    let catalogue = folder.path().join("4x4-catalogue.sqlite");
    let whole = fs::read(&catalogue).unwrap();
    fs::write(&catalogue, &whole[..whole.len() / 2]).unwrap();
    wait_for("an error", || server.get("/api/v1/puzzles?size=4").status == 503);
    fs::write(&catalogue, &whole).unwrap();
    wait_for("the puzzles", || server.get("/api/v1/puzzles?size=4").status == 200);
}

/// A pipe has no end and no beginning: whoever opens one waits for the other side.
#[test]
#[cfg(unix)]
fn a_pipe_with_the_name_of_a_table_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = |name: &str| {
        let path = folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    pipe("4x4-moves.tailback");
    let server = Server::start(folder.path(), &[]);
    let lookup = format!("/api/v1/lookup?board={SMALL}");
    server.get(&lookup).assert_refused(503, "cannot be used");
    pipe("5x5-catalogue.sqlite");
    // It still looks for changes.
    fs::remove_file(folder.path().join("4x4-moves.tailback")).unwrap();
    copy("4x4-moves.tailback", folder.path());
    wait_for("the table", || {
        let reply = server.get(&lookup);
        reply.status == 200 && reply.json()["source"] == "table"
    });
    wait_for("the new list of tables", || server.json("/status")["tables"][0]["size"] == 4);
}

#[test]
fn a_fault_is_logged_once_and_then_counted() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("4x4-moves.tailback"), "TAILBACK but no table").unwrap();
    let server = Server::start(folder.path(), &[]);
    for _ in 0..40 {
        server.get(&format!("/api/v1/lookup?board={SMALL}")).assert_refused(503, "cannot be used");
    }
    // The rest is for people.
    let log = server.log();
    let lines = log.iter().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let fields: Vec<&Value> = lines.iter().map(|line| &line["fields"]).collect();
    assert_eq!(fields.len(), 2, "{lines:?}");
    assert!(fields[0]["error"].as_str().unwrap().contains("damaged"), "{lines:?}");
    assert_eq!(fields[1]["requests"], 39);
}
