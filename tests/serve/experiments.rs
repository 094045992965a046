//! Experiments: off unless asked for, for those who have the token, and all that a
//! page needs of them.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::Server;
use crate::routes::assert_is;
use crate::{nothing, with_tables};

/// A short experiment that needs no table.
const SHORT: &str = r#"
name = "short"
seed = 1
[blocks]
numbers = ["blocking", "mobile"]
[genome]
kind = "tree"
constants = [0, 5]
depth = 3
parts = 9
[population]
size = 20
[fitness]
aim = "least-squares"
[stop]
generations = GENERATIONS
[data]
train = { set = "jam", only = ["Jam-1", "Jam-2"], around = 10 }
test = { set = "jam", only = ["Jam-3", "Jam-4"], around = 10 }
"#;

fn begin(server: &Server, name: &str, generations: u32) -> crate::http::Reply {
    let text = SHORT.replace("GENERATIONS", &generations.to_string());
    server.post("/experiments", &json!({"name": name, "text": text}).to_string())
}

#[track_caller]
fn wait_for(server: &Server, name: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    let started = Instant::now();
    loop {
        let all = server.json("/experiments");
        assert_is("api experiments", &all);
        let found = all["experiments"].as_array().unwrap().iter().find(|one| one["name"] == name).cloned();
        let found = found.unwrap_or_else(|| panic!("{name} is not listed: {all}"));
        if is_there(&found) {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "{found}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn experiments_begin_pause_go_on_and_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(nothing(), &["--experiments", folder.path().to_str().unwrap()]);
    assert_eq!(server.json("/status")["experiments"], true);
    assert_eq!(server.json("/experiments")["experiments"], json!([]));
    for template in server.json("/experiments")["templates"].as_array().unwrap() {
        let template = server.json(&format!("/experiments/templates/{}", template.as_str().unwrap()));
        assert_is("api template", &template);
        let parsed = tailback::evolution::Experiment::parse(template["text"].as_str().unwrap());
        assert!(parsed.is_ok(), "{parsed:?}");
    }

    let begun = begin(&server, "endless", 1_000_000);
    assert_eq!(begun.status, 201, "{}", begun.text());
    assert_is("api experiment", &begun.json());
    assert_eq!(begun.json()["state"], "running", "it is listed at once");
    begin(&server, "second", 3).assert_refused(429, "pause it first");
    wait_for(&server, "endless", |one| one["generations"].as_u64().unwrap() >= 2);
    begin(&server, "endless", 3).assert_refused(409, "another name");
    let paused = server.post("/experiments/endless/pause", "").json();
    assert_eq!(paused["state"], "paused", "{paused}");
    let generations = paused["generations"].as_u64().unwrap();

    let one = server.json("/experiments/endless");
    assert_is("api experiment with curves", &one);
    assert_eq!(one["curves"][0]["records"].as_array().unwrap().len() as u64, generations);
    let tree = server.get("/api/v1/experiments/endless/best.svg");
    assert!(tree.status == 200 && tree.text().starts_with("<svg"), "{}", tree.text());
    assert_eq!(server.post("/experiments/endless/resume", "").json()["state"], "running");
    wait_for(&server, "endless", |one| one["generations"].as_u64().unwrap() > generations);
    // A server that ends pauses it.
    server.terminate();
    assert_eq!(server.wait(), 0);
    let server = Server::start(nothing(), &["--experiments", folder.path().to_str().unwrap()]);
    wait_for(&server, "endless", |one| one["state"] == "paused");
    assert_eq!(begin(&server, "short", 3).status, 201);
    let ended = wait_for(&server, "short", |one| one["state"] == "ended");
    assert_eq!((&ended["generations"], &ended["of"]), (&json!(3), &json!(3)));
    assert!(ended["best"].is_string() && ended["cost"].is_number());
    assert!(folder.path().join("short/best.txt").is_file());
}

#[test]
fn bad_experiments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(nothing(), &["--experiments", folder.path().to_str().unwrap()]);
    for name in ["", "..", "../x", "a/b", ".hidden", "templates", "a b", &"n".repeat(65), "\u{0}"] {
        begin(&server, name, 1).assert_refused(400, "name:");
    }
    let post = |body: &Value| server.post("/experiments", &body.to_string());
    post(&json!({"name": "a", "text": "nonsense"})).assert_refused(400, "line 1");
    post(&json!({"name": "a"})).assert_refused(400, "text");
    let files = SHORT
        .replace("GENERATIONS", "1")
        .replace("set = \"jam\", only = [\"Jam-1\", \"Jam-2\"]", "file = \"/etc/passwd\"");
    post(&json!({"name": "a", "text": files})).assert_refused(400, "not from files");
    let apart = SHORT.replace("GENERATIONS", "1") + "apart = [\"/etc/passwd\"]\n";
    post(&json!({"name": "a", "text": apart})).assert_refused(400, "not from files");
    let plain = server.ask("POST", "/api/v1/experiments", &[("Content-Type", "text/plain")], b"{}");
    plain.assert_refused(415, "application/json");
    assert_eq!(server.get("/api/v1/experiments/none").status, 404);
    assert_eq!(server.post("/experiments/none/pause", "").status, 404);
    assert_eq!(server.post("/experiments/none/resume", "").status, 404);
    assert_eq!(server.get("/api/v1/experiments/templates/none").status, 404);
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing was made");
    // Boards that no table has: the experiment ends with the reason.
    let table = SHORT.replace("GENERATIONS", "1").replace(
        "train = { set = \"jam\", only = [\"Jam-1\", \"Jam-2\"], around = 10 }",
        "train = { draw = 10, size = 6 }",
    );
    assert_eq!(post(&json!({"name": "tableless", "text": table})).status, 201);
    let failed = wait_for(&server, "tableless", |one| one["state"] == "paused");
    assert!(failed["error"].is_string(), "{failed}");
}

#[test]
fn experiments_need_the_token_of_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--experiments", folder.path().to_str().unwrap(), "--cors"];
    let server = Server::start(nothing(), &args);
    let other = Server::start(nothing(), &args);
    assert!(server.token.len() == 32 && server.token != other.token);
    // From this machine, and as a proxy that adds no header would ask.
    for given in ["", "Bearer ", &format!("Bearer {}", other.token), &server.token] {
        let headers = [("Authorization", given)];
        for (method, path) in [("GET", ""), ("POST", ""), ("GET", "/a"), ("POST", "/a/pause")] {
            let reply = server.ask(method, &format!("/api/v1/experiments{path}"), &headers, b"{}");
            reply.assert_refused(403, "token of this start");
        }
        assert_eq!(server.ask("GET", "/api/v1/status", &headers, b"").json()["experiments"], false);
    }
    assert_eq!(server.json("/status")["experiments"], true);
    assert_eq!(server.json("/experiments")["experiments"], json!([]));
    with_tables().get("/api/v1/experiments").assert_refused(403, "off");
    assert_eq!(with_tables().json("/status")["experiments"], false);
}
