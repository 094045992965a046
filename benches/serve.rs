//! The server under load: `cargo bench --bench serve`.
//!
//! Needs the 6×6 table in moves that `tailback build` makes, in `db` or in the folder
//! that TAILBACK_DB names. Server and load share the machine. Prints look-ups of random
//! boards a second over keep-alive connections, the times of answers at 5,000 a second,
//! and the server's memory after a thousand and after a million requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand::prelude::*;
use tailback::space::{Rank, Space};

const CONNECTIONS: usize = 16;
/// Requests a second for the times of answers.
const STEADY: u32 = 5_000;

struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start() -> Server {
        let folder = PathBuf::from(std::env::var_os("TAILBACK_DB").unwrap_or_else(|| "db".into()));
        assert!(folder.join("6x6-moves.tailback").is_file(), "{} has no table of 6×6", folder.display());
        let mut child = Command::new(env!("CARGO_BIN_EXE_tailback"))
            .args(["serve", "--json", "--quiet", "--addr", "127.0.0.1:0", "--db"])
            .arg(&folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: serde_json::Value = serde_json::from_str(&line).unwrap();
        let url = told["url"].as_str().unwrap();
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// Resident memory in MiB.
    fn memory(&self) -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kilobytes.unwrap_or(f64::NAN) / 1024.0
    }
}

/// A connection that asks again and again.
struct Caller {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Caller {
    fn new(address: &str) -> Caller {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Caller { stream, buffer: vec![0; 1 << 16] }
    }

    fn ask(&mut self, request: &[u8]) {
        self.stream.write_all(request).unwrap();
        let mut filled = 0;
        loop {
            let count = self.stream.read(&mut self.buffer[filled..]).unwrap();
            assert!(count > 0, "the server hung up");
            filled += count;
            let bytes = &self.buffer[..filled];
            let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let head = std::str::from_utf8(&bytes[..end]).unwrap();
            assert!(head.starts_with("HTTP/1.1 200"), "{head}");
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            if filled == end + 4 + length.parse::<usize>().unwrap() {
                return;
            }
        }
    }
}

fn requests(address: &str, count: usize) -> Vec<Vec<u8>> {
    let space = Space::of_size(6).unwrap();
    let mut random = StdRng::seed_from_u64(1);
    let request = |_| {
        let rank = Rank(random.random_range(0..space.boards()));
        let board = space.board(&space.position(rank).unwrap()).text();
        format!("GET /api/v1/lookup?board={board} HTTP/1.1\r\nHost: {address}\r\n\r\n").into_bytes()
    };
    (0..count).map(request).collect()
}

/// Asks all requests over some connections, one after the other on each.
fn run(address: &str, requests: &[Vec<u8>], count: usize) -> f64 {
    let next = AtomicUsize::new(0);
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut caller = Caller::new(address);
                while let Some(request) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&n| n < count) {
                    caller.ask(&requests[request % requests.len()]);
                }
            });
        }
    });
    count as f64 / started.elapsed().as_secs_f64()
}

/// Asks at a steady pace. A time counts from when the request was due, so that one slow
/// answer is not hidden by the requests that it kept from being sent.
fn steady(address: &str, requests: &[Vec<u8>], seconds: u32) -> Vec<Duration> {
    let started = Instant::now();
    let count = (STEADY * seconds) as usize;
    let next = AtomicUsize::new(0);
    let mut times = Vec::new();
    thread::scope(|scope| {
        let work = || {
            let mut caller = Caller::new(address);
            let mut times = Vec::new();
            while let Some(place) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&n| n < count) {
                let due = started + Duration::from_secs(1) * place as u32 / STEADY;
                thread::sleep(due.saturating_duration_since(Instant::now()));
                caller.ask(&requests[place % requests.len()]);
                times.push(due.elapsed());
            }
            times
        };
        let threads: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().for_each(|thread| times.extend(thread.join().unwrap()));
    });
    times.sort();
    times
}

fn main() {
    let server = Server::start();
    let requests = requests(&server.address, 200_000);
    run(&server.address, &requests, 1_000);
    let first = server.memory();
    println!("memory after 1,000 requests      {first:9.1} MiB");
    for _ in 0..3 {
        println!(
            "look-ups of random boards        {:9.0} a second",
            run(&server.address, &requests, 100_000)
        );
    }
    let times = steady(&server.address, &requests, 20);
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "at {STEADY} a second: median {:.2} ms, 90% {:.2} ms, 99% {:.2} ms, 99.9% {:.2} ms",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999)
    );
    run(&server.address, &requests, 600_000);
    let last = server.memory();
    println!("memory after 1,001,000 requests  {last:9.1} MiB: {:+.1}", last - first);
}
