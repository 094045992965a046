//! Errors become a message and an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use tailback::board::BoardError;
use tailback::probe::IllegalMove;
use tailback::table::BuildError;

use super::filters::UnknownKind;
use super::output;

const FAILED: u8 = 1;
pub const USAGE: u8 = 2;
pub const INTERRUPTED: u8 = 3;

/// Options that do not go together, where clap cannot see it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub &'static str);

/// Something about a whole batch of boards or puzzles.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Batch(pub String);

/// A line of a batch that cannot be read, or a batch that has such lines.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// Says what went wrong: as JSON on standard output, or in words on standard
/// error. Standard output of a batch belongs to its answers, one for each line.
pub fn report(error: &anyhow::Error, json: bool) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    if json && !error.is::<Batch>() && !error.is::<Unreadable>() {
        // Nobody is left to tell if this fails.
        let _ = writeln!(io::stdout(), "{}", serde_json::json!({ "error": error.to_string() }));
    } else {
        output::note(&format!("error: {error}"));
    }
    ExitCode::from(code(error))
}

/// The exit code of an error.
pub fn code(error: &anyhow::Error) -> u8 {
    let input = error.is::<BoardError>() || error.is::<IllegalMove>() || error.is::<Unreadable>();
    if input || error.is::<Usage>() || error.is::<UnknownKind>() {
        USAGE
    } else if let Some(BuildError::Stopped) = error.downcast_ref() {
        INTERRUPTED
    } else {
        FAILED
    }
}

/// Whoever read our output has had enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
