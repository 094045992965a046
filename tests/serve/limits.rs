//! What is too much: the stated error, and others are not disturbed.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::http::{Reply, Server};
use crate::{CARD, SMALL, nothing, with_tables};

/// A board whose cluster is far past what the server searches.
const VAST: &str = "BB.....J..CC...J....DD.JAA.....J..EE...K....FF.KGG.....K.....HHK";

#[test]
fn requests_that_are_too_large_are_refused() {
    let shared = with_tables();
    let body = vec![b'.'; 10_000_000];
    for path in ["/api/v1/lookup", "/api/v1/solve", "/api/v1/grade", "/api/v1/read"] {
        shared.ask("POST", path, &[], &body).assert_refused(413, "at most 4194304 bytes");
    }
    // Without a length, in one chunk that does not end.
    let head = format!(
        "POST /api/v1/lookup HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n",
        shared.address
    );
    let mut bytes = head.into_bytes();
    bytes.extend(format!("{:x}\r\n", body.len()).bytes());
    bytes.extend(&body);
    shared.send(&bytes).assert_refused(413, "at most");
    let lines = format!("{SMALL}\n").repeat(100_000);
    shared.ask("POST", "/api/v1/lookup", &[], lines.as_bytes()).assert_refused(413, "at most 10000 boards");
    let long = format!("/api/v1/lookup?board={}", "B".repeat(20_000));
    shared.get(&long).assert_refused(414, "at most 8192 bytes");
    // Past the room of a head the connection ends, with a status alone.
    let endless = format!("/api/v1/lookup?board={}", "B".repeat(1_000_000));
    assert!([414, 431].contains(&shared.get(&endless).status));
    let moves = "B+1 B-1 ".repeat(2_000);
    let game = format!(r#"{{"board":"{SMALL}","moves":"{moves}"}}"#);
    shared.post("/grade", &game).assert_refused(413, "at most 2000 moves");
}

#[test]
fn a_search_that_is_too_large_is_refused_politely() {
    let server = Server::start(nothing(), &[]);
    let path = format!("/api/v1/lookup?board={VAST}");
    server.get(&path).assert_refused(422, "1000000 boards");
    let cluster = format!("/api/v1/cluster?board={VAST}");
    server.get(&cluster).assert_refused(422, "1000000 boards");
    // In a list it is an answer of its own.
    let lines = server.ask("POST", "/api/v1/lookup", &[], format!("{SMALL}\n{VAST}\n").as_bytes());
    assert_eq!(lines.status, 200);
    assert!(lines.text().lines().nth(1).unwrap().contains("1000000 boards"), "{}", lines.text());
}

#[test]
fn too_many_searches_are_told_to_come_again() {
    let server = Server::start(nothing(), &["--threads", "1"]);
    let (busy, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let path = format!("/api/v1/lookup?board={VAST}");
    thread::scope(|scope| {
        for _ in 0..120 {
            scope.spawn(|| {
                let reply = server.get(&path);
                match reply.status {
                    429 | 503 => {
                        assert!(reply.header("retry-after").is_some());
                        busy.fetch_add(1, Ordering::Relaxed)
                    }
                    422 => answered.fetch_add(1, Ordering::Relaxed),
                    other => panic!("{other}: {}", reply.text()),
                };
            });
        }
        // What needs no search is answered all the while.
        for _ in 0..20 {
            assert_eq!(server.get("/api/v1/healthz").status, 200);
        }
    });
    assert_eq!(busy.load(Ordering::Relaxed) + answered.load(Ordering::Relaxed), 120);
    assert!(busy.load(Ordering::Relaxed) > 0, "65 may wait, 120 came");
}

/// A vehicle right of the red car: unsolvable by rule, and why is a search of its own.
#[test]
fn reasons_that_take_long_keep_nobody_waiting() {
    let server = Server::start(nothing(), &["--threads", "2"]);
    let blocked = VAST.replace("AA.....J", "AA...LLJ");
    thread::scope(|scope| {
        for path in ["lookup", "without"] {
            let (server, path) = (&server, format!("/api/v1/{path}?board={blocked}"));
            scope.spawn(move || assert!([200, 422, 503].contains(&server.get(&path).status)));
        }
        for _ in 0..20 {
            let started = Instant::now();
            assert_eq!(server.get("/api/v1/healthz").status, 200);
            assert!(started.elapsed() < Duration::from_secs(5), "a thread that answers was busy");
        }
    });
}

/// Callers who hang up leave no searches behind that would take the turns of others.
#[test]
fn who_hangs_up_is_not_searched_for() {
    let server = Server::start(nothing(), &["--threads", "1"]);
    let head = format!("GET /api/v1/cluster?board={VAST} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    for _ in 0..40 {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(5));
    }
    let started = Instant::now();
    while server.get(&format!("/api/v1/lookup?board={CARD}")).status != 200 {
        assert!(started.elapsed() < Duration::from_secs(60), "the turns never came back");
    }
}

/// 96 readers who read nothing of long lists, each over a megabyte. More than one is
/// asked for at once, as the first may go into the buffers of the system.
#[test]
#[cfg(target_os = "linux")]
fn what_waits_for_readers_takes_little_memory_and_goes_back() {
    const READERS: usize = 96;
    const BUDGET: usize = 64 << 20;
    let server = Server::start(nothing(), &[]);
    let path = "/api/v1/puzzles?format=json&limit=20000&rules=all";
    let whole = server.get(path);
    assert_eq!((whole.status, whole.header("transfer-encoding")), (200, Some("chunked")));
    assert!(whole.body.len() * READERS > BUDGET + BUDGET / 2, "the lists are long enough");

    let before = server.memory();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).repeat(8);
    let readers: Vec<_> = (0..READERS)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    let started = Instant::now();
    let mut most = before;
    while started.elapsed() < Duration::from_secs(5) {
        most = most.max(server.memory());
        thread::sleep(Duration::from_millis(50));
    }
    assert!(most - before < BUDGET, "{} bytes for readers", most - before);

    drop(readers);
    let started = Instant::now();
    while server.memory() > before + BUDGET / 4 {
        assert!(started.elapsed() < Duration::from_secs(60), "{} bytes are kept", server.memory() - before);
        thread::sleep(Duration::from_millis(100));
    }
}

/// 1,000 idle callers and 1,000 who send their request drop by drop stop nobody, and
/// are cut off in the end.
#[test]
fn idle_and_slow_callers_stop_nobody() {
    const CALLERS: usize = 1_000;
    rlimit::increase_nofile_limit(3 * CALLERS as u64).unwrap();
    let server = with_tables();
    let mut idle: Vec<_> = (0..CALLERS).map(|_| server.connect()).collect();
    let slow: Vec<_> = (0..CALLERS).map(|_| server.connect()).collect();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let request = b"GET /api/v1/lookup?board=..B.AAB......... HTTP/1.1\r\nHost: localhost\r\n\r\n";
            for byte in request.iter().cycle() {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                // Those that were cut off cannot be sent to.
                slow.iter().for_each(|stream| drop((&*stream).write_all(&[*byte])));
                thread::sleep(Duration::from_millis(500));
            }
        });
        for _ in 0..50 {
            assert_eq!(server.get(&format!("/api/v1/lookup?board={SMALL}")).status, 200);
        }
        // A body drop by drop.
        let mut drops = server.connect();
        let head = format!(
            "POST /api/v1/lookup HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000\r\n\r\n",
            server.address
        );
        drops.write_all(head.as_bytes()).unwrap();
        let mut feet = drops.try_clone().unwrap();
        let is_over = &is_over;
        scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) && feet.write_all(b".").is_ok() {
                thread::sleep(Duration::from_millis(200));
            }
        });
        Reply::read(&mut drops).assert_refused(408, "15 seconds");
        // By now the heads are overdue as well.
        thread::sleep(Duration::from_secs(2));
        for stream in idle.iter_mut().step_by(CALLERS / 3) {
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).unwrap();
            assert!(
                rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"),
                "{}",
                String::from_utf8_lossy(&rest)
            );
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(server.get("/api/v1/healthz").status, 200);
}

/// What was taken on is answered when the server is told to end, and nothing else
/// is: every answer that began is whole.
#[test]
fn a_server_that_ends_loses_no_answer() {
    let server = with_tables();
    let address = server.address.clone();
    let (whole, cut) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let head = format!("GET /api/v1/solve?board={CARD} HTTP/1.1\r\nHost: {address}\r\n\r\n");
                'connections: loop {
                    let Ok(mut stream) = std::net::TcpStream::connect(&address) else { break };
                    loop {
                        if stream.write_all(head.as_bytes()).is_err() {
                            continue 'connections;
                        }
                        match answer(&mut stream) {
                            Some(true) => whole.fetch_add(1, Ordering::Relaxed),
                            Some(false) => cut.fetch_add(1, Ordering::Relaxed),
                            // Closed before a byte of an answer: not taken on.
                            None => continue 'connections,
                        };
                    }
                }
            });
        }
        thread::sleep(Duration::from_millis(500));
        server.terminate();
    });
    assert_eq!(server.wait(), 0);
    assert!(whole.load(Ordering::Relaxed) > 100, "{whole:?}");
    assert_eq!(cut.load(Ordering::Relaxed), 0, "of {whole:?}");
}

/// Is an answer whole? None if there was none.
fn answer(stream: &mut std::net::TcpStream) -> Option<bool> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let count = stream.read(&mut part).unwrap_or(0);
        if count == 0 {
            return (!bytes.is_empty()).then_some(false);
        }
        bytes.extend(&part[..count]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            if body.len() == length.parse::<usize>().unwrap() {
                return Some(head.starts_with("HTTP/1.1 200"));
            }
        }
    }
}
