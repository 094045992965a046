//! What the commands print with.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
pub use tailback::answers::to_json;
use tailback::board::Metric;

use super::Global;

/// What standard output is called in errors.
pub const STDOUT: &str = "standard output";

/// Prints one JSON object on one line.
pub fn json(value: &impl Serialize) -> io::Result<()> {
    writeln!(io::stdout(), "{}", to_json(value))
}

/// Prints everything for programs in one JSON object, and the same for people in words.
pub fn tell(global: &Global, told: &impl Serialize, in_words: impl FnOnce() -> String) -> io::Result<()> {
    if global.json { json(told) } else { text(&in_words()) }
}

/// Prints text as it is.
pub fn text(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// A note for people beside the result, unless they want quiet. A closed standard
/// error is no reason to fail.
pub fn note(text: &str) {
    if !is_quiet() {
        alarm(text);
    }
}

/// A warning that people get even if they want quiet.
pub fn alarm(text: &str) {
    let lines: Vec<String> = text.lines().map(printable).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// A line with names from files, for a terminal, which takes control characters for
/// commands.
pub fn printable(line: &str) -> String {
    line.replace(char::is_control, "\u{fffd}")
}

static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// From now on there are neither notes nor progress.
pub fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Does somebody want neither notes nor progress?
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Colour goes to terminals that know it, unless `NO_COLOR` is set.
pub fn colour() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    wants_colour(io::stdout().is_terminal(), no_color || is_dumb())
}

/// Can the terminal neither move its cursor nor change colours?
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

fn wants_colour(is_terminal: bool, is_plain: bool) -> bool {
    is_terminal && !is_plain
}

/// Characters that fit in a line.
pub fn width() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(width), _)) if io::stdout().is_terminal() => usize::from(width).max(20),
        _ => 80,
    }
}

/// Words, as many on a line as fit.
pub fn wrapped<'a>(words: impl IntoIterator<Item = &'a str>, width: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in words {
        if used > 0 && used + 1 + word.len() > width {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += word.len();
    }
    out.push('\n');
    out
}

/// Texts with commas between, as many on a line as fit.
pub fn listed(texts: impl Iterator<Item = String>) -> String {
    let mut texts: Vec<String> = texts.map(|text| text + ",").collect();
    texts.last_mut().map(String::pop);
    wrapped(texts.iter().map(String::as_str), width())
}

/// `1 move`, `2 steps`.
pub fn counted(distance: u32, metric: Metric) -> String {
    match (distance, metric) {
        (1, Metric::Moves) => "1 move".into(),
        (1, Metric::Steps) => "1 step".into(),
        _ => format!("{distance} {metric}"),
    }
}

/// A share of something, in percent.
pub fn percent(count: u64, of: u64) -> String {
    match 100.0 * count as f64 / of as f64 {
        share if count > 0 && share < 0.01 => "<0.01%".to_owned(),
        share => format!("{share:.2}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wrap_at_the_width() {
        assert_eq!(wrapped(["A+1", "B-2", "C+3"], 7), "A+1 B-2\nC+3\n");
        assert_eq!(wrapped(["A+1"], 1), "A+1\n");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, Metric::Moves), "1 move");
        assert_eq!(counted(1, Metric::Steps), "1 step");
        assert_eq!(counted(0, Metric::Steps), "0 steps");
    }

    #[test]
    fn little_is_not_nothing() {
        assert_eq!(percent(0, 10), "0.00%");
        assert_eq!(percent(1, 3), "33.33%");
        assert_eq!(percent(1, 100_000), "<0.01%");
    }

    #[test]
    fn colour_is_for_terminals_without_no_color() {
        assert!(wants_colour(true, false));
        assert!(!wants_colour(true, true));
        assert!(!wants_colour(false, false));
    }
}
