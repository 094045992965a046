//! The program as a server, and a caller that may be as rude as it likes: bytes over
//! a socket, with no library that would mend them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::NamedTempFile;

use crate::common::PROGRAM;

/// A server that ends with the test.
pub struct Server {
    child: Child,
    pub address: String,
    /// For experiments, if there are any.
    pub token: String,
    log: NamedTempFile,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Server {
    pub fn start(db: &Path, args: &[&str]) -> Server {
        Server::at("127.0.0.1:0", db, args)
    }

    pub fn at(address: &str, db: &Path, args: &[&str]) -> Server {
        let log = NamedTempFile::new().unwrap();
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--json", "--log", "warn", "--addr", address, "--db"])
            .arg(db)
            .args(args)
            .env_remove("TAILBACK_DB")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.reopen().unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let url = told["url"].as_str().unwrap();
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let token = told["token"].as_str().unwrap_or_default().to_owned();
        Server { child, address, token, log }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// Sends bytes as they are, and reads until the server closes.
    pub fn send(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // The server may have had enough before all is sent.
        let _ = stream.write_all(bytes);
        Reply::read(&mut stream)
    }

    /// Asks with some headers more.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head += &format!("Host: {}\r\n", self.address);
        }
        if !self.token.is_empty()
            && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
        {
            head += &format!("Authorization: Bearer {}\r\n", self.token);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if method != "GET" {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        self.send(&[head.as_bytes(), b"\r\n", body].concat())
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }

    /// The JSON of a route that answers.
    pub fn json(&self, path: &str) -> Value {
        let reply = self.get(&format!("/api/v1{path}"));
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    pub fn post(&self, path: &str, body: &str) -> Reply {
        let headers = [("Content-Type", "application/json")];
        self.ask("POST", &format!("/api/v1{path}"), &headers, body.as_bytes())
    }

    /// Its bytes in memory.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
    }

    /// What a polite end is asked for with.
    pub fn terminate(&self) {
        assert!(Command::new("kill").arg(self.child.id().to_string()).status().unwrap().success());
    }

    pub fn wait(mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap()
    }

    /// Ends it, and gives the lines that it logged.
    pub fn log(mut self) -> Vec<String> {
        self.terminate();
        self.child.wait().unwrap();
        fs::read_to_string(self.log.path()).unwrap().lines().map(str::to_owned).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    /// Reads one answer from a stream that may stay open.
    pub fn read(stream: &mut impl Read) -> Reply {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("this is no answer: {line:?}"));
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            match line.trim_end().split_once(": ") {
                Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.to_owned())),
                None => break,
            }
        }
        let mut reply = Reply { status, headers, body: Vec::new() };
        if reply.header("transfer-encoding") == Some("chunked") {
            reply.body = chunks(&mut reader);
            return reply;
        }
        let length = reply.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        reply.body = vec![0; length];
        reader.read_exact(&mut reply.body).unwrap();
        reply
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("this is no JSON: {self:?}"))
    }

    /// Is it refused with this status, a code, and a sentence that has some words?
    #[track_caller]
    pub fn assert_refused(&self, status: u16, words: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        let told = self.json();
        let sentence = told["error"].as_str().unwrap();
        assert!(sentence.contains(words), "{sentence}");
        assert!(told["code"].is_string());
    }
}

/// A body that comes in chunks, each with its length before it.
fn chunks(reader: &mut impl BufRead) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let length = usize::from_str_radix(line.trim_end(), 16).unwrap_or_else(|_| panic!("{line:?}"));
        let mut chunk = vec![0; length + 2];
        reader.read_exact(&mut chunk).unwrap();
        if length == 0 {
            return body;
        }
        body.extend(&chunk[..length]);
    }
}

/// A text as a part of an address.
pub fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}
