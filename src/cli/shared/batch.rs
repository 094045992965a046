//! Many lines, one answer each: in order, in parallel, in little memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;
use serde::Serialize;
use tailback::probe::{Prober, Session};

use super::{End, Failure, Result, Stdin, interrupt, output};

/// What one read of the input may bring.
const BUFFER: usize = 1 << 16;
/// What is quoted of a line that is too long, in characters.
const QUOTED: usize = 64;

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    pub number: usize,
    text: String,
    /// The line was longer than so many bytes, and this is its beginning.
    cut_at: Option<usize>,
}

impl Line {
    /// The text, if it is all there.
    pub fn whole(&self) -> Result<&str> {
        match self.cut_at {
            None => Ok(&self.text),
            Some(longest) => Err(Failure::misused(format!(
                "a line has at most {longest} bytes, this one is longer: one board a line"
            ))),
        }
    }
}

/// A line that is no board, or a board without an answer.
#[derive(Serialize)]
pub struct BadLine<'a> {
    line: usize,
    board: &'a str,
    error: String,
}

impl<'a> BadLine<'a> {
    pub fn new(line: &'a Line, error: &Failure) -> BadLine<'a> {
        BadLine { line: line.number, board: &line.text, error: error.text().to_owned() }
    }
}

/// Opens a file of lines.
pub fn open(path: &Path) -> Result<File> {
    File::open(path)
        .map_err(|error| Failure::from(error).about(format_args!("cannot read {}", path.display())))
}

/// Opens a file of lines; `-` is standard input.
pub fn input(path: &Path) -> Result<Box<dyn Read>> {
    Ok(if path == Path::new("-") { Box::new(Stdin::open()) } else { Box::new(open(path)?) })
}

/// Prints a reply to every line. One may come with the end that it leads to: of
/// `noun`s so many lack something.
pub fn reply(
    prober: &Prober,
    lines: Lines<impl Read>,
    (noun, lack): (&str, &str),
    reply: impl Fn(&mut Session, &Line) -> Option<(String, Option<End>)> + Sync,
) -> Result<()> {
    let (mut failed, mut end) = (0, End::Misused);
    let done = run(prober, lines, reply, |replies| {
        for error in replies.iter().filter_map(|(_, error)| *error) {
            failed += 1;
            end = end.min(error);
        }
        output::text(&replies.into_iter().map(|(json, _)| json + "\n").collect::<String>())
    })?;
    let summary = match failed {
        _ if interrupt::is_raised() => return Err(Failure::cut_short(done, None, &format!("{noun}s"))),
        0 => return Ok(()),
        1 => format!("1 {noun} has {lack}; its line says why"),
        n => format!("{n} {noun}s have {lack}; their lines say why"),
    };
    Err(Failure::failed(summary).ends(end).after_answers())
}

/// Answers every line, in parallel, and puts the answers out in order. What one
/// read brings is answered before the next read, so memory stays small and a
/// program that waits for an answer gets it.
///
/// A signal ends the input, and with it the answers: at the first line that has
/// none. Says how many have one.
pub fn run<T: Send>(
    prober: &Prober,
    mut lines: Lines<impl Read>,
    answer: impl Fn(&mut Session, &Line) -> Option<T> + Sync,
    mut put: impl FnMut(Vec<T>) -> std::io::Result<()>,
) -> Result<usize> {
    // One for each thread, so that what it decoded serves its next lines as well.
    let sessions: Vec<_> = (0..rayon::current_num_threads()).map(|_| Mutex::new(prober.session())).collect();
    let mut done = 0;
    loop {
        let some = lines
            .some()
            .map_err(|error| Failure::from(error).about("cannot read the boards").after_answers())?;
        let answers: Vec<Option<T>> = some
            .par_iter()
            .map(|line| {
                let session = &sessions[rayon::current_thread_index().unwrap_or(0)];
                let mut session = session.lock().expect("no thread panicked");
                if interrupt::is_raised() { None } else { answer(&mut session, line) }
            })
            .collect();
        let answers: Vec<T> = answers.into_iter().map_while(|answer| answer).collect();
        done += answers.len();
        let is_over = some.is_empty() || answers.len() < some.len();
        put(answers)?;
        if is_over {
            return Ok(done);
        }
    }
}

/// The lines of an input, but for blank ones and comments.
pub struct Lines<R> {
    input: BufReader<R>,
    /// In bytes.
    longest: usize,
    /// Lines read.
    number: usize,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R, longest: usize) -> Lines<R> {
        Lines::after(0, input, longest)
    }

    /// The lines after so many others, which are counted but not looked at.
    pub fn after(number: usize, input: R, longest: usize) -> Lines<R> {
        Lines { input: BufReader::with_capacity(BUFFER, input), longest, number }
    }

    /// Every line, one after the other.
    pub fn each(mut self) -> impl Iterator<Item = std::io::Result<Line>> {
        let mut at_hand = Vec::new().into_iter();
        std::iter::from_fn(move || {
            if at_hand.len() == 0 {
                match self.some() {
                    Ok(lines) => at_hand = lines.into_iter(),
                    Err(error) => return Some(Err(error)),
                }
            }
            at_hand.next().map(Ok)
        })
    }

    /// The next lines: waits for one, and takes what has come with it. Empty at
    /// the end only.
    fn some(&mut self) -> std::io::Result<Vec<Line>> {
        let mut lines = Vec::new();
        let mut bytes = Vec::new();
        while self.input.by_ref().take(self.longest as u64 + 1).read_until(b'\n', &mut bytes)? > 0 {
            self.number += 1;
            let number = self.number;
            let cut_at = (bytes.len() > self.longest && bytes.last() != Some(&b'\n')).then_some(self.longest);
            if cut_at.is_some() {
                self.input.skip_until(b'\n')?;
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim();
            if cut_at.is_some() && !text.starts_with('#') {
                let text = text.chars().take(QUOTED).chain(['…']).collect();
                lines.push(Line { number, text, cut_at });
            } else if !text.is_empty() && !text.starts_with('#') {
                lines.push(Line { number, text: text.to_owned(), cut_at });
            }
            bytes.clear();
            if !lines.is_empty() && !self.input.buffer().contains(&b'\n') {
                break;
            }
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = 4 << 10;

    #[test]
    fn lines_keep_their_numbers() {
        let mut lines = Lines::new("one\n\n# two\r\n three \r\nfour".as_bytes(), LONGEST);
        let line = |number, text: &str| Line { number, text: text.to_owned(), cut_at: None };
        assert_eq!(lines.some().unwrap(), [line(1, "one"), line(4, "three")]);
        assert_eq!(lines.some().unwrap(), [line(5, "four")]);
        assert_eq!(lines.some().unwrap(), []);
        let after: Vec<Line> =
            Lines::after(2, "\nfour".as_bytes(), LONGEST).each().map(Result::unwrap).collect();
        assert_eq!(after, [line(4, "four")]);
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_is_whole() {
        let longest = "a".repeat(LONGEST);
        let text = format!("{longest}\n{longest}a\n#{longest}\nnext\n{longest}ä{longest}");
        // A buffer smaller than a line, too.
        for capacity in [100, BUFFER] {
            let input = BufReader::with_capacity(capacity, text.as_bytes());
            let lines = Lines { input, longest: LONGEST, number: 0 };
            let lines: Vec<Line> = lines.each().map(Result::unwrap).collect();
            let cut =
                |number| Line { number, text: format!("{}…", "a".repeat(QUOTED)), cut_at: Some(LONGEST) };
            let whole = |number, text: &str| Line { number, text: text.to_owned(), cut_at: None };
            assert_eq!(lines, [whole(1, &longest), cut(2), whole(4, "next"), cut(5)]);
        }
    }
}
