//! Lists whose every line claims something: read them, check them, and report.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use indicatif::HumanCount;
use serde::Serialize;
use tailback::lists::Records;
use tailback::probe::{Prober, Session};
use tailback::progress::{Observer, Progress};

use super::batch::{self, BadLine, Line};
use super::{Failure, Result, Watch, interrupt, output};

/// A list to be checked.
pub struct ClaimList {
    records: Records<UntilStopped>,
    /// If it is known.
    len: Option<u64>,
}

/// A line that was not checked.
pub struct Unchecked {
    line: usize,
    json: String,
    error: String,
    /// As it is in the list.
    pub text: String,
    pub is_unreadable: bool,
    /// A signal ended the search for its answer.
    is_stopped: bool,
}

impl Unchecked {
    pub fn new(line: &Line, error: Failure) -> Unchecked {
        Unchecked {
            line: line.number(),
            json: output::to_json(&BadLine::new(line, &error)),
            is_stopped: error.is_interrupted(),
            error: error.text().to_owned(),
            text: line.record.text().to_owned(),
            is_unreadable: false,
        }
    }

    pub fn unreadable(line: &Line, error: Failure) -> Unchecked {
        Unchecked { is_unreadable: true, ..Unchecked::new(line, error) }
    }
}

/// An input that ends when the program is interrupted.
pub struct UntilStopped(Box<dyn Read>);

impl Read for UntilStopped {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        if interrupt::is_raised() { Ok(0) } else { self.0.read(bytes) }
    }
}

/// Opens a list; `-` is standard input.
pub fn open(path: &Path, records: impl Fn(UntilStopped) -> Records<UntilStopped>) -> Result<ClaimList> {
    interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
    // Only a file can be read twice.
    let is_counted = path != Path::new("-") && path.is_file();
    let records = || Ok::<_, Failure>(records(UntilStopped(batch::input(path)?)));
    let len = if is_counted { Some(records()?.count()?) } else { None };
    // A signal ends the count before its time.
    let len = len.filter(|_| !interrupt::is_raised());
    let mut records = records()?;
    records.begin()?;
    Ok(ClaimList { records, len })
}

impl ClaimList {
    /// The lines before the first board, if they are a head.
    pub fn head(&self) -> &[String] {
        self.records.head()
    }

    /// The line that names the columns, if there is one.
    pub fn names(&self) -> Option<String> {
        self.records.form().head()
    }

    /// Is it a Parquet file, whose rows are no lines?
    pub fn is_parquet(&self) -> bool {
        self.records.is_parquet()
    }

    /// Checks every line, in parallel, and reports each in order. Ctrl-C ends
    /// the list where it is; then what is left undone is the result.
    pub fn check<T: Send>(
        &mut self,
        prober: &Prober,
        started: Instant,
        check: impl Fn(&mut Session, &Line) -> Result<T, Unchecked> + Sync,
        mut tell: impl FnMut(Result<T, Unchecked>) -> Option<String>,
    ) -> Result<Option<Failure>> {
        let watch = Watch::since(started);
        let total = self.len;
        let advanced = |done| watch.advanced(Progress { unit: "lines", done, before: 0, total });
        let checked_so_far = AtomicU64::new(0);
        advanced(0);
        let check = |session: &mut Session, line: &Line| {
            let checked = check(session, line);
            advanced(checked_so_far.fetch_add(1, Ordering::Relaxed) + 1);
            (!matches!(checked, Err(Unchecked { is_stopped: true, .. }))).then_some(checked)
        };
        let done = batch::run(prober, &mut self.records, check, |lines| {
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

/// The report of a line: for programs everything, for people what they want to
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
