//! Why a command fails: what it says, what to do about it, and its exit code.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use tailback::table::with_reasons;

use super::output;

pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// How a command ends, as an exit code. The smaller is the worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// A broken pipe: the reader of our output has closed it, which is no error.
    Unheard = 0,
    Failed = 1,
    /// Wrong usage, or an input that cannot be read.
    Misused = 2,
    Interrupted = 3,
}

/// Made where something goes wrong: from an error of the library, which knows
/// the facts, with the advice of [`super::advice`], or here and now.
#[derive(Debug)]
pub struct Failure {
    end: End,
    text: String,
    /// The rows of a board that could not be read, for people.
    rows: Vec<String>,
    /// Standard output has answers already, and stays as it is.
    has_answers: bool,
}

impl Failure {
    fn new(end: End, text: impl Display) -> Failure {
        Failure { end, text: text.to_string(), rows: Vec::new(), has_answers: false }
    }

    pub fn failed(text: impl Display) -> Failure {
        Failure::new(End::Failed, text)
    }

    /// Options that do not go together, a request that cannot be, an input that
    /// cannot be read.
    pub fn misused(text: impl Display) -> Failure {
        Failure::new(End::Misused, text)
    }

    /// Refuses the first of these usages that is there, and says why.
    pub fn refuse<const N: usize>(usages: [(bool, &str); N]) -> Result<()> {
        let wrong = usages.into_iter().find(|(is_there, _)| *is_there);
        wrong.map_or(Ok(()), |(_, why)| Err(Failure::misused(why)))
    }

    /// A signal ended the work.
    pub fn interrupted() -> Failure {
        Failure::new(End::Interrupted, "interrupted")
    }

    /// A signal cut the work short, whose answers so far are printed.
    pub fn cut_short(done: usize, all: Option<usize>, unit: &str) -> Failure {
        if done == 0 && all.is_none() {
            return Failure::interrupted().after_answers();
        }
        let all = all.map_or(String::new(), |all| format!(" of {all}"));
        Failure::new(End::Interrupted, format!("interrupted after {done}{all} {unit}")).after_answers()
    }

    /// What the library says, and what it says of the reason.
    pub fn of(error: &dyn Error) -> Failure {
        Failure::failed(with_reasons(error))
    }

    pub fn ends(self, end: End) -> Failure {
        Failure { end, ..self }
    }

    /// What to do about it.
    pub fn advise(self, advice: impl Display) -> Failure {
        Failure { text: format!("{}; {advice}", self.text), ..self }
    }

    /// What it is about.
    pub fn about(self, what: impl Display) -> Failure {
        Failure { text: format!("{what}: {}", self.text), ..self }
    }

    /// As far as the board was read.
    pub fn showing(self, rows: &[String]) -> Failure {
        Failure { rows: rows.to_vec(), ..self }
    }

    /// It is about all answers, which are printed already.
    pub fn after_answers(self) -> Failure {
        Failure { has_answers: true, ..self }
    }

    pub fn end(&self) -> End {
        self.end
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Did a signal end it?
    pub fn is_interrupted(&self) -> bool {
        self.end == End::Interrupted
    }

    /// Says what went wrong: as JSON on standard output, or in words on standard
    /// error if standard output has answers already, or takes nothing.
    pub fn report(&self, json: bool) -> ExitCode {
        if self.end != End::Unheard {
            let object = serde_json::json!({ "error": self.text });
            let is_told = json && !self.has_answers && output::json(&object).is_ok();
            if !is_told {
                let rows: String = self.rows.iter().map(|row| format!("\n  {row}")).collect();
                output::alarm(&format!("error: {}{rows}", self.text));
            }
        }
        ExitCode::from(self.end as u8)
    }
}

/// Standard output takes no more; errors of files have the names of these.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        let end = match error.kind() {
            io::ErrorKind::BrokenPipe => End::Unheard,
            _ => End::Failed,
        };
        Failure::of(&error).ends(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The small tables of the tests are counted before anybody can interrupt.
    #[test]
    fn interrupted_with_nothing_to_tell() {
        assert!(Failure::interrupted().is_interrupted());
        assert_eq!(Failure::interrupted().end() as u8, 3);
    }
}
