//! What the tests of the command line share: running the program.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_tailback");

pub fn tailback(db: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("TAILBACK_DB").env_remove("NO_COLOR").arg("--db").arg(db);
    command
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
