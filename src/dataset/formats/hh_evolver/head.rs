//! The first two lines: name and description.

use super::{LONGEST, quotes};
use crate::dataset::{About, HeadError};

/// The lines of name and description, each with its end.
///
/// ```
/// use tailback::dataset::{About, hh_evolver};
///
/// let about = About { name: "Easy, mostly".into(), description: "4×4 in moves".into(), facts: vec![] };
/// assert_eq!(hh_evolver::head(&about)?, "\"Easy, mostly\"\n4×4 in moves\n");
/// # Ok::<(), tailback::dataset::HeadError>(())
/// ```
pub fn head(about: &About) -> Result<String, HeadError> {
    Ok(line("name", &about.name)? + &line("description", &about.description)?)
}

fn line(what: &'static str, text: &str) -> Result<String, HeadError> {
    if text.contains(['\n', '\r']) {
        return Err(HeadError::LineBreak { what });
    }
    let at_an_end = text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
    let needs_quotes = at_an_end || text.contains([',', '"']) || text.starts_with(MARK);
    let line = if needs_quotes { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() };
    match line.len() {
        0..=LONGEST => Ok(line + "\n"),
        _ => Err(HeadError::TooLong { what, longest: LONGEST }),
    }
}

/// The byte order mark, which some programs put before everything else.
const MARK: char = '\u{feff}';

/// What a line says. One that is not in quotes from end to end is not ours,
/// and its quotes are its own.
pub fn read(line: &str) -> String {
    match quotes::read(line) {
        Some((text, "")) => text,
        _ => line.to_owned(),
    }
}
