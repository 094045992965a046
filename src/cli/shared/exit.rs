//! Errors become a message and an exit code.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use tailback::board::BoardError;
use tailback::cluster::ClusterError;
use tailback::dataset::ExportError;
use tailback::dataset::hh_evolver::ReadError;
use tailback::domains::rush_hour::SetError;
use tailback::probe::{IllegalMove, ProbeError};
use tailback::search::Stop;
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

/// Something about all answers, which are printed already.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Batch(pub String);

/// A line of a batch that cannot be read, or a batch that has such lines.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// No puzzle of a set has this name.
#[derive(Debug, thiserror::Error)]
#[error("{set} has no puzzle '{name}'")]
pub struct UnknownPuzzle {
    pub set: String,
    pub name: String,
}

/// What was asked for cannot be, such as more boards than there are.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadRequest(pub String);

/// Work that was stopped. What it knew is printed, so standard output is
/// complete without this.
#[derive(Debug, thiserror::Error)]
pub enum Partial {
    #[error("{}", match .0 {
        Stop::Nodes => "no answer within the limit of nodes: raise --max-nodes",
        Stop::Time => "no answer within the limit of time: raise --max-seconds",
        Stop::Memory => "no answer within the limit of memory: raise --max-memory; ida and iddfs with --no-distinct store next to nothing",
        Stop::States => "no answer within the states that a search can number; ida and iddfs with --no-distinct store next to nothing",
        Stop::Interrupted => "interrupted",
    })]
    Search(Stop),
    #[error("interrupted after {done}{} {unit}", .all.map_or(String::new(), |all| format!(" of {all}")))]
    Interrupted {
        done: usize,
        /// If that is known.
        all: Option<usize>,
        unit: &'static str,
    },
}

impl Partial {
    /// An input that was cut short after so many lines.
    pub fn lines(done: usize, unit: &'static str) -> Partial {
        Partial::Interrupted { done, all: None, unit }
    }
}

/// Work that was stopped before there was anything to tell.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Says what went wrong: as JSON on standard output, or in words on standard
/// error if standard output has the answers of a batch, or what a search knew,
/// or takes nothing.
pub fn report(error: &anyhow::Error, json: bool) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    let has_answers = error.is::<Batch>() || error.is::<Unreadable>() || error.is::<Partial>();
    let is_told =
        json && !has_answers && output::json(&serde_json::json!({ "error": error.to_string() })).is_ok();
    if !is_told {
        output::note(&format!("error: {error}"));
    }
    ExitCode::from(code(error))
}

/// The exit code of an error.
pub fn code(error: &anyhow::Error) -> u8 {
    let input = error.is::<BoardError>() || error.is::<IllegalMove>() || error.is::<Unreadable>();
    let usage = error.is::<Usage>()
        || error.is::<UnknownKind>()
        || error.is::<UnknownPuzzle>()
        || error.is::<BadRequest>()
        || matches!(error.downcast_ref(), Some(ExportError::Head(_)));
    let no_dataset = matches!(error.downcast_ref(), Some(ReadError::NoHead { .. } | ReadError::Line { .. }));
    if input || no_dataset || usage || error.is::<SetError>() {
        USAGE
    } else if is_interrupted(error) {
        INTERRUPTED
    } else {
        FAILED
    }
}

/// Did a signal end it?
pub fn is_interrupted(error: &anyhow::Error) -> bool {
    let is_stopped = |error: &ProbeError| matches!(error, ProbeError::Cluster(ClusterError::Stopped));
    let of_export = |error: &ExportError| match error {
        ExportError::Probe { error, .. } => is_stopped(error),
        error => matches!(error, ExportError::Stopped),
    };
    error.is::<Interrupted>()
        || matches!(error.downcast_ref(), Some(ClusterError::Stopped))
        || matches!(error.downcast_ref(), Some(BuildError::Stopped))
        || matches!(
            error.downcast_ref(),
            Some(Partial::Search(Stop::Interrupted) | Partial::Interrupted { .. })
        )
        || error.downcast_ref().is_some_and(is_stopped)
        || error.downcast_ref().is_some_and(of_export)
}

/// Whoever read our output has had enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let written = match error.downcast_ref() {
        Some(ExportError::Io { path, error }) if path == Path::new(output::STDOUT) => Some(error),
        _ => error.downcast_ref::<io::Error>(),
    };
    written.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The small tables of the tests are counted before anybody can interrupt.
    #[test]
    fn interrupted_with_nothing_to_tell() {
        assert_eq!(code(&Interrupted.into()), INTERRUPTED);
    }
}
