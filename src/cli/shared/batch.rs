//! Many lines, one answer each: in order, in parallel, in little memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;
use serde::Serialize;
use tailback::lists::{Entry, Form, Record, Records};
use tailback::probe::{Prober, Session};

use super::{End, Failure, Result, Stdin, interrupt, output};

/// A board of the input, with what stands beside it.
#[derive(Clone, Copy)]
pub struct Line<'l> {
    pub form: &'l Form,
    pub record: &'l Record,
}

impl<'l> Line<'l> {
    pub fn number(&self) -> usize {
        self.record.number
    }

    /// The text, if it is all there.
    pub fn whole(&self) -> Result<&'l str> {
        Ok(self.record.whole()?)
    }

    /// The board and what stands beside it.
    pub fn entry(&self) -> Result<Entry<'l>> {
        Ok(self.form.entry(self.record.whole()?)?)
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
    pub fn new(line: &Line<'a>, error: &Failure) -> BadLine<'a> {
        BadLine { line: line.number(), board: line.record.text(), error: error.text().to_owned() }
    }
}

/// Opens a file of lines.
pub fn open(path: &Path) -> Result<File> {
    let cannot = |error| Failure::from(error).about(format_args!("cannot read {}", path.display()));
    let file = File::open(path).map_err(cannot)?;
    match file.metadata().map_err(cannot)?.is_dir() {
        true => Err(cannot(io::ErrorKind::IsADirectory.into())),
        false => Ok(file),
    }
}

/// Opens a file of lines; `-` is standard input.
pub fn input(path: &Path) -> Result<Box<dyn Read>> {
    Ok(if path == Path::new("-") { Box::new(Stdin::open()) } else { Box::new(open(path)?) })
}

/// Prints a reply to every line, and says how many there were. One may come with the end that it leads to: of
/// `noun`s so many lack something.
pub fn reply(
    prober: &Prober,
    mut records: Records<impl Read>,
    (noun, lack): (&str, &str),
    reply: impl Fn(&mut Session, &Line) -> Option<(String, Option<End>)> + Sync,
) -> Result<usize> {
    let (mut failed, mut end) = (0, End::Misused);
    let done = run(prober, &mut records, reply, |replies| {
        for error in replies.iter().filter_map(|(_, error)| *error) {
            failed += 1;
            end = end.min(error);
        }
        output::text(&replies.into_iter().map(|(json, _)| json + "\n").collect::<String>())
    })?;
    let summary = match failed {
        _ if interrupt::is_raised() => return Err(Failure::cut_short(done, None, &format!("{noun}s"))),
        0 => return Ok(done),
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
    records: &mut Records<impl Read>,
    answer: impl Fn(&mut Session, &Line) -> Option<T> + Sync,
    mut put: impl FnMut(Vec<T>) -> std::io::Result<()>,
) -> Result<usize> {
    // One for each thread, so that what it decoded serves its next lines as well.
    let sessions: Vec<_> = (0..rayon::current_num_threads()).map(|_| Mutex::new(prober.session())).collect();
    let mut done = 0;
    loop {
        let some = records
            .some()
            .map_err(|error| Failure::from(error).about("cannot read the boards").after_answers())?;
        let form = records.form();
        let answers: Vec<Option<T>> = some
            .par_iter()
            .map(|record| Line { form, record })
            .map(|line| {
                let session = &sessions[rayon::current_thread_index().unwrap_or(0)];
                let mut session = session.lock().expect("no thread panicked");
                if interrupt::is_raised() { None } else { answer(&mut session, &line) }
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
