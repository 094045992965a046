//! Lists whose every line claims something: read them, check them, and tell.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use indicatif::HumanCount;
use serde::Serialize;
use tailback::probe::{Prober, Session};
use tailback::progress::{Observer, Progress};

use super::batch::{self, BadLine, Line, Lines};
use super::{Failure, Result, Watch, interrupt, output};

/// A list to be checked.
pub struct List {
    lines: Lines<UntilStopped>,
    /// If it is known.
    len: Option<u64>,
}

/// A line that was not checked.
pub struct Unchecked {
    line: usize,
    json: String,
    error: String,
    pub is_unreadable: bool,
    /// A signal ended the search for its answer.
    is_stopped: bool,
}

impl Unchecked {
    pub fn new(line: &Line, error: Failure) -> Unchecked {
        Unchecked {
            line: line.number,
            json: output::to_json(&BadLine::new(line, &error)),
            is_stopped: error.is_interrupted(),
            error: error.text().to_owned(),
            is_unreadable: false,
        }
    }

    pub fn unreadable(line: &Line, error: Failure) -> Unchecked {
        Unchecked { is_unreadable: true, ..Unchecked::new(line, error) }
    }
}

/// An input that ends when the program is told to stop.
struct UntilStopped(Box<dyn Read>);

impl Read for UntilStopped {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        if interrupt::is_raised() { Ok(0) } else { self.0.read(bytes) }
    }
}

/// Opens a list; `-` is standard input. `split` reads what stands before the
/// lines, and says what is left and how many lines that was.
pub fn open<H>(
    path: &Path,
    longest: usize,
    split: impl Fn(Box<dyn Read>) -> Result<(H, Box<dyn Read>, usize)>,
) -> Result<(H, List)> {
    interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
    let split = |input| -> Result<_> {
        let split = split(input).map_err(|error| match interrupt::is_raised() {
            true => Failure::interrupted(),
            false => error,
        });
        let (head, rest, number) = split?;
        Ok((head, Lines::after(number, UntilStopped(rest), longest)))
    };
    // Only a file can be read twice.
    let is_counted = path != Path::new("-") && path.is_file();
    let count = |lines: Lines<_>| lines.each().try_fold(0, |count, line| line.map(|_| count + 1));
    let len = match is_counted {
        true => Some(count(split(batch::input(path)?)?.1)?),
        false => None,
    };
    let (head, lines) = split(batch::input(path)?)?;
    Ok((head, List { lines, len }))
}

impl List {
    /// Checks every line, in parallel, and tells of each in order. Ctrl-C ends
    /// the list where it is; then what is left undone is the result.
    pub fn check<T: Send>(
        self,
        prober: &Prober,
        started: Instant,
        check: impl Fn(&mut Session, &Line) -> Result<T, Unchecked> + Sync,
        mut tell: impl FnMut(Result<T, Unchecked>) -> Option<String>,
    ) -> Result<Option<Failure>> {
        let watch = Watch::since(started);
        let advanced = |done| watch.advanced(Progress { unit: "lines", done, before: 0, total: self.len });
        let checked_so_far = AtomicU64::new(0);
        advanced(0);
        let check = |session: &mut Session, line: &Line| {
            let checked = check(session, line);
            advanced(checked_so_far.fetch_add(1, Ordering::Relaxed) + 1);
            (!matches!(checked, Err(Unchecked { is_stopped: true, .. }))).then_some(checked)
        };
        let done = batch::run(prober, self.lines, check, |lines| {
            let mut text = String::new();
            for line in lines {
                text.extend(tell(line).map(|said| said + "\n"));
            }
            watch.aside(|| output::text(&text))
        });
        watch.finish();
        let done = done?;
        let all = self.len.map(|len| len as usize);
        let is_partial = interrupt::is_raised() && all.is_none_or(|all| done < all);
        Ok(is_partial.then(|| Failure::cut_short(done, all, "lines")))
    }
}

/// What is told of a line: to programs everything, to people what they want to
/// know.
pub fn said<T: Serialize>(
    line: &Result<T, Unchecked>,
    json: bool,
    in_words: impl FnOnce(&T) -> Option<String>,
) -> Option<String> {
    match line {
        Ok(checked) if json => Some(output::to_json(checked)),
        Ok(checked) => in_words(checked),
        Err(unchecked) if json => Some(unchecked.json.clone()),
        Err(Unchecked { line, error, .. }) => Some(format!("line {line}: error: {error}")),
    }
}

/// How many lines there are, and what became of them.
pub fn overview<const N: usize>(lines: u64, parts: [(u64, &str, &str); N], repeated: u64) -> String {
    let mut text = format!("{}: {}", counts([(lines, "line", "lines")]), counts(parts));
    if repeated > 0 {
        text += &format!("; {}", counts([(repeated, "repeats a board", "repeat a board")]));
    }
    text
}

/// The end of a command: an error if something is wrong or was not checked, and
/// another if there are only lines that cannot be read.
pub fn verdict(noun: &str, [differ, unchecked, unreadable]: [u64; 3]) -> Result<()> {
    let said = counts([
        (differ, &format!("{noun} is not as claimed"), &format!("{noun}s are not as claimed")),
        (unchecked, &format!("{noun} could not be checked"), &format!("{noun}s could not be checked")),
        (unreadable, "line cannot be read", "lines cannot be read"),
    ]);
    match (differ + unchecked, unreadable) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::misused(said).after_answers()),
        _ => Err(Failure::failed(said).after_answers()),
    }
}

/// `1 line, 2 puzzles`, without those that there are none of.
pub fn counts<const N: usize>(parts: [(u64, &str, &str); N]) -> String {
    let parts = parts.into_iter().filter(|&(count, ..)| count > 0);
    let said = parts
        .map(|(count, one, many)| format!("{} {}", HumanCount(count), if count == 1 { one } else { many }));
    said.collect::<Vec<_>>().join(", ")
}
