//! A desk: a folder of its own in which the program is run, and readers of what
//! it wrote there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::{code, stderr, stdout, tailback};

pub struct Desk {
    pub folder: TempDir,
    db: &'static Path,
}

impl Desk {
    /// A desk for commands on these tables.
    pub fn new(db: &'static Path) -> Desk {
        Desk { folder: TempDir::new().unwrap(), db }
    }

    /// A command with these words, and with more that may have spaces.
    pub fn command(&self, args: &str, more: &[&str]) -> Command {
        self.command_on(self.db, args, more)
    }

    pub fn command_on(&self, db: &Path, args: &str, more: &[&str]) -> Command {
        let mut command = tailback(db);
        command.current_dir(&self.folder).args(args.split_whitespace()).args(more);
        command
    }

    /// Must succeed; gives what it says on standard output.
    pub fn run(&self, args: &str) -> String {
        self.run_with(args, &[])
    }

    pub fn run_with(&self, args: &str, more: &[&str]) -> String {
        let output = self.command(args, more).output().unwrap();
        assert_eq!(code(&output), 0, "{args} {more:?}: {}", stderr(&output));
        stdout(&output)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.bytes(name)).unwrap()
    }

    /// What is in the folder, by name, and what is in the files.
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap());
        let bytes = |path: PathBuf| if path.is_file() { fs::read(path).unwrap() } else { Vec::new() };
        entries.map(|entry| (entry.file_name().into_string().unwrap(), bytes(entry.path()))).collect()
    }

    pub fn names(&self) -> Vec<String> {
        self.contents().into_keys().collect()
    }
}

pub type Row = BTreeMap<String, String>;

/// A CSV with names, as rows by name.
pub fn table(text: &str) -> Vec<Row> {
    let mut lines = text.lines().map(fields);
    let names = lines.next().unwrap();
    let row = |row: Vec<String>| {
        assert_eq!(row.len(), names.len(), "{row:?}");
        names.iter().cloned().zip(row).collect()
    };
    lines.map(row).collect()
}

pub fn column<'r>(rows: &'r [Row], name: &str) -> Vec<&'r str> {
    rows.iter().map(|row| row[name].as_str()).collect()
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
