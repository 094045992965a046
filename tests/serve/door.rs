//! Who is let in, and what every answer carries.

use std::io::{Read, Write};

use crate::common::tailback;
use crate::http::Server;
use crate::{SMALL, nothing, with_tables};

#[test]
fn names_that_are_not_ours_are_refused() {
    let shared = with_tables();
    for host in ["evil.example", "evil.example:80", "localhost.evil.example", "10.1.2.3", "", "[::2]"] {
        let reply = shared.ask("GET", "/", &[("Host", host)], b"");
        reply.assert_refused(421, "name");
    }
    for host in ["localhost", "localhost:1", "LOCALHOST", "127.0.0.1", "[::1]:8064"] {
        assert_eq!(shared.ask("GET", "/", &[("Host", host)], b"").status, 200, "{host}");
    }
    let two = shared.ask("GET", "/", &[("Host", "localhost"), ("Host", "evil.example")], b"");
    assert!(two.status >= 400, "{two:?}");
    assert!(shared.send(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").status >= 400, "no name at all");
    let named = Server::start(nothing(), &["--host", "puzzles.example.org"]);
    assert_eq!(named.ask("GET", "/", &[("Host", "puzzles.example.org")], b"").status, 200);
    named.ask("GET", "/", &[("Host", "other.example.org")], b"").assert_refused(421, "name");
}

#[test]
fn pages_of_other_hosts_may_not_ask_unless_that_is_wanted() {
    let shared = with_tables();
    let path = format!("/api/v1/lookup?board={SMALL}");
    for origin in ["https://evil.example", "null", "http://localhost:1"] {
        shared.ask("GET", &path, &[("Origin", origin)], b"").assert_refused(403, "other hosts");
        shared.ask("POST", "/api/v1/lookup", &[("Origin", origin)], b"").assert_refused(403, "other hosts");
    }
    let ours = format!("http://{}", shared.address);
    let reply = shared.ask("GET", &path, &[("Origin", &ours)], b"");
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, None));

    let open = Server::start(nothing(), &["--cors"]);
    let origin = ("Origin", "https://friend.example");
    let reply = open.ask("GET", &path, &[origin], b"");
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some(origin.1)));
    let asked = [origin, ("Access-Control-Request-Method", "POST")];
    let reply = open.ask("OPTIONS", "/api/v1/grade", &asked, b"");
    assert_eq!((reply.status, reply.header("access-control-allow-headers")), (204, Some("content-type")));
}

#[test]
fn paths_lead_nowhere_else() {
    let shared = with_tables();
    for path in [
        "/../Cargo.toml",
        "/page/../mod.rs",
        "/page/..%2fmod.rs",
        "/page/%2e%2e/mod.rs",
        "/page//etc/passwd",
        "/api/v1/../../etc/passwd",
        "/page/",
        "/nothing",
        "/api/v2/lookup",
        "/api/v1/experiments/..%2f..%2fetc",
    ] {
        let reply = shared.get(path);
        assert!([400, 403, 404].contains(&reply.status), "{path}: {}", reply.status);
    }
    shared.get("/nothing").assert_refused(404, "openapi.json");
}

#[test]
fn methods_are_those_of_the_description() {
    let shared = with_tables();
    for (method, path) in [
        ("POST", "/api/v1/stats"),
        ("PUT", "/api/v1/lookup"),
        ("DELETE", "/api/v1/puzzles"),
        ("GET", "/api/v1/grade"),
    ] {
        let reply = shared.ask(method, path, &[], b"");
        reply.assert_refused(405, "method");
        assert!(reply.header("allow").is_some(), "{method} {path}");
    }
    let mut stream = shared.connect();
    let head =
        format!("HEAD /api/v1/healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", shared.address);
    stream.write_all(head.as_bytes()).unwrap();
    let mut head = String::new();
    stream.read_to_string(&mut head).unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "no body: {head}");
    for nonsense in
        ["NONSENSE / HTTP/1.1\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"]
    {
        assert!(shared.send(nonsense.as_bytes()).status >= 400, "{nonsense:?}");
    }
}

#[test]
fn every_answer_is_safe_to_show() {
    let shared = with_tables();
    for path in ["/", "/page/app.js", "/api/v1/healthz", "/nothing", "/api/v1/lookup?board=bad"] {
        let reply = shared.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"), "{path}");
    }
}

#[test]
fn an_address_that_is_taken_is_told() {
    let shared = with_tables();
    let output = tailback(nothing()).args(["serve", "--addr", &shared.address]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("cannot listen to") && text.contains("--addr"), "{text}");
}
