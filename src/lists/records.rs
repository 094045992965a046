//! An input is cut into records, one for each board.

use std::io::{self, BufRead, BufReader, Read};

use super::columns::{Columns, has_number};
use super::entry::{ListError, id};
use super::form::Form;
use super::words::{is_word_of_board, words};
use super::{json, parquet};
use crate::board::{MAX_SIZE, MIN_SIZE, Reader, is_frame, is_grid, is_sign, signs_of};

/// What one read of the input may bring.
const BUFFER: usize = 1 << 16;
/// What is quoted of a line that is too long, in characters.
const QUOTED: usize = 64;
/// Lines before the first board: the name of an HH-Evolver dataset, its
/// description, and the names of its columns.
const MOST_BEFORE: usize = 3;

/// How a list is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The column of the board, unless it has a usual name.
    pub column: Option<String>,
    /// The longest line, in bytes.
    pub longest: usize,
    /// It is a dataset: lines before the first board that have neither a board nor a
    /// number are its name and what it is, be it one line only.
    pub has_head: bool,
}

/// A board of a list, with what stands beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The number of its first line, or of its row, from 1.
    pub number: usize,
    text: String,
    /// The line was longer than so many bytes, and this is its beginning.
    cut_at: Option<usize>,
}

/// The records of an input, in order.
pub struct Records<R> {
    input: BufReader<R>,
    options: Options,
    /// Once it is known.
    form: Option<Form>,
    is_parquet: bool,
    /// Lines that come before the first board, until it is there.
    before: Vec<Record>,
    /// What an HH-Evolver dataset says of itself.
    head: Vec<String>,
    /// The rows of a board that is not whole yet.
    rows: Option<Rows>,
    /// May a board with a row a line begin? Not under a line that has a whole board:
    /// there a short line is a mistake.
    may_begin: bool,
    /// Records that were read but not given.
    ready: std::collections::VecDeque<Record>,
    /// Lines read.
    number: usize,
}

/// A board with a row a line.
struct Rows {
    record: Record,
    found: usize,
    size: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { column: None, longest: 1 << 16, has_head: false }
    }
}

impl Record {
    /// The text, if it is all there.
    pub fn whole(&self) -> Result<&str, ListError> {
        match self.cut_at {
            None => Ok(&self.text),
            Some(longest) => Err(ListError::TooLong { longest }),
        }
    }

    /// The text, or its beginning.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl<R: Read> Records<R> {
    /// Cuts an input.
    pub fn new(input: R, options: Options) -> Records<R> {
        Records {
            input: BufReader::with_capacity(BUFFER, input),
            options,
            form: None,
            is_parquet: false,
            before: Vec::new(),
            head: Vec::new(),
            rows: None,
            may_begin: true,
            ready: std::collections::VecDeque::new(),
            number: 0,
        }
    }

    /// Reads as far as the first record, so that form and head are known.
    pub fn begin(&mut self) -> io::Result<()> {
        self.ready = self.some()?.into();
        Ok(())
    }

    /// The form of the list; known when there is a record.
    pub fn form(&self) -> &Form {
        self.form.as_ref().unwrap_or(&Form::Text)
    }

    /// Is it a Parquet file? Its rows are given as JSON objects.
    pub fn is_parquet(&self) -> bool {
        self.is_parquet
    }

    /// The first lines of an HH-Evolver dataset: its name and what it is.
    pub fn head(&self) -> &[String] {
        &self.head
    }

    /// How many records there are.
    pub fn count(self) -> io::Result<u64> {
        let mut records = self;
        records.try_fold(0, |count, record| record.map(|_| count + 1))
    }

    /// The next records: waits for one, and takes what has come with it. Empty at
    /// the end only.
    pub fn some(&mut self) -> io::Result<Vec<Record>> {
        if !self.ready.is_empty() {
            return Ok(self.ready.drain(..).collect());
        }
        if self.number == 0 && self.form.is_none() && self.input.fill_buf()?.starts_with(parquet::MAGIC) {
            self.read_parquet()?;
        }
        let is_json = self.number == 0 && self.form.is_none() && json::begins(self.input.fill_buf()?);
        let first_longest = if is_json { json::LONGEST } else { self.options.longest };
        let mut bytes = Vec::new();
        loop {
            // One document may be all of the input.
            let longest = if self.number == 0 { first_longest } else { self.options.longest };
            if self.input.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            self.number += 1;
            let is_cut = bytes.len() > longest && bytes.last() != Some(&b'\n');
            if is_cut {
                self.input.skip_until(b'\n')?;
            }
            if self.number == 1 && json::is_begun(&bytes) {
                self.read_document(std::mem::take(&mut bytes))?;
                break;
            }
            self.take_line(&String::from_utf8_lossy(&bytes), is_cut);
            bytes.clear();
            if !self.ready.is_empty() && !self.input.buffer().contains(&b'\n') {
                return Ok(self.ready.drain(..).collect());
            }
        }
        self.end();
        Ok(self.ready.drain(..).collect())
    }

    fn read_parquet(&mut self) -> io::Result<()> {
        self.is_parquet = true;
        self.form = Some(Form::Json { column: self.options.column.clone() });
        let mut bytes = Vec::new();
        self.input.read_to_end(&mut bytes)?;
        for text in parquet::rows(bytes)? {
            self.number += 1;
            self.ready.push_back(Record { number: self.number, text, cut_at: None });
        }
        Ok(())
    }

    /// One JSON value over many lines, whose first one is here.
    fn read_document(&mut self, mut bytes: Vec<u8>) -> io::Result<()> {
        self.input.by_ref().take(json::LONGEST as u64).read_to_end(&mut bytes)?;
        match json::records(&bytes) {
            Ok(texts) => {
                self.form = Some(Form::Json { column: self.options.column.clone() });
                for text in texts {
                    self.ready.push_back(Record { number: self.number, text, cut_at: None });
                    self.number += 1;
                }
            }
            // The first line is a fragment, and the others are what they are.
            Err(error) if error.line() <= 2 || second_line(&bytes).is_some_and(json::is_whole) => {
                for (line, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
                    self.number = number;
                    self.take_line(&String::from_utf8_lossy(line), line.len() > self.options.longest);
                }
            }
            Err(error) => {
                let told = format!("this is no JSON: {error}");
                return Err(io::Error::new(io::ErrorKind::InvalidData, told));
            }
        }
        Ok(())
    }

    fn take_line(&mut self, line: &str, is_cut: bool) {
        let line = line.trim_start_matches('\u{feff}').trim();
        let text = match is_cut {
            true => line.chars().take(QUOTED).chain(['…']).collect(),
            false => line.to_owned(),
        };
        let record = Record { number: self.number, text, cut_at: is_cut.then_some(self.options.longest) };
        match self.form {
            // The first line of a dataset is its name, whatever it begins with.
            None if is_comment(line) && self.options.has_head => self.before.push(record),
            _ if is_comment(line) => {}
            None => self.find_form(record),
            Some(Form::Text) => self.take_text(record),
            Some(_) if line.is_empty() => {}
            Some(Form::Json { .. }) => self.take_json(record),
            Some(_) => self.ready.push_back(record),
        }
    }

    /// The first line with a board shows what the lines before it are.
    fn find_form(&mut self, record: Record) {
        let column = self.options.column.as_deref();
        let line = record.text.as_str();
        if line.is_empty() || is_around(line) {
            // The name of a dataset may be empty, or nothing but quotes.
            if self.options.has_head && self.number <= 2 {
                self.before.push(record);
            }
            return;
        }
        if line.starts_with('{') && !is_grid(line) {
            self.settle(Form::Json { column: self.options.column.clone() }, 0);
            self.take_json(record);
        } else if let Some(columns) = Columns::named(line, column).filter(|columns| columns.names().len() > 1)
        {
            self.settle(Form::Table(columns), self.head_len(true));
        } else if has_board(line) {
            let above = self.before.last().and_then(|names| {
                Columns::named(&names.text, column).or_else(|| Columns::above(&names.text, line))
            });
            match above {
                Some(columns) if self.before.iter().filter(|line| !line.text.is_empty()).count() == 1 => {
                    self.settle(Form::Table(columns), self.before.len());
                    self.head.pop();
                    self.ready.push_back(record);
                }
                _ => {
                    let head = self.head_len(has_number(line));
                    self.settle(Form::Text, head);
                    self.take_text(record);
                }
            }
        } else {
            // A name may look like a row, but not like two.
            let [this, last] =
                [Some(&record), self.before.last()].map(|line| line.and_then(|line| row_len(&line.text)));
            let are_rows = this.is_some() && this == last && !self.options.has_head;
            self.before.push(record);
            if are_rows || self.before.len() > MOST_BEFORE {
                self.settle(Form::Text, 0);
            }
        }
    }

    /// How many of the lines so far are a head. Without a hint there have to be two,
    /// above boards with a value.
    fn head_len(&self, has_value: bool) -> usize {
        let may_be = self.options.has_head || has_value && self.before.len() >= 2;
        let head = self.before.iter().take_while(|line| !may_be_data(&line.text)).count();
        match may_be && (self.options.has_head || head == self.before.len()) {
            true => head,
            false => 0,
        }
    }

    /// An object, or one with a list of them.
    fn take_json(&mut self, record: Record) {
        let number = record.number;
        match json::members(&record.text) {
            None => self.ready.push_back(record),
            Some(members) => {
                self.ready.extend(members.into_iter().map(|text| Record { number, text, cut_at: None }));
            }
        }
    }

    /// The form is known. So many of the lines before are a head; the others should
    /// have been boards.
    fn settle(&mut self, form: Form, head: usize) {
        let is_text = form == Form::Text;
        self.form = Some(form);
        let mut before = std::mem::take(&mut self.before);
        let others = before.split_off(head);
        self.head = before.into_iter().map(|record| record.text).collect();
        for record in others {
            match is_text {
                true => self.take_text(record),
                false => self.ready.push_back(record),
            }
        }
    }

    /// A line of text: a board, a row of one, or nothing.
    fn take_text(&mut self, record: Record) {
        let line = record.text.as_str();
        // Most lines are a board each, with a word before it at most.
        if self.rows.is_none() && words(line).take(2).any(is_word_of_board) {
            self.may_begin = false;
            self.ready.push_back(record);
            return;
        }
        if is_around(line) {
            self.may_begin = true;
            return;
        }
        let cells = signs_of(line);
        match &mut self.rows {
            Some(rows) if cells.as_ref().is_some_and(|cells| (1..=2 * MAX_SIZE - 1).contains(cells)) => {
                rows.record.text.push('\n');
                rows.record.text.push_str(line);
                rows.found += 1;
                if rows.found == rows.size {
                    self.end_rows();
                }
            }
            Some(_) => {
                self.end_rows();
                self.take_text(record);
            }
            None if line.is_empty() => self.may_begin = true,
            None => match row_len(line).filter(|_| self.may_begin) {
                Some(size) => self.rows = Some(Rows { record, found: 1, size }),
                None => {
                    self.may_begin &= !words(line).any(is_word_of_board);
                    self.ready.push_back(record);
                }
            },
        }
    }

    fn end_rows(&mut self) {
        self.ready.extend(self.rows.take().map(|rows| rows.record));
    }

    fn end(&mut self) {
        if self.form.is_none() && !self.before.is_empty() {
            self.settle(Form::Text, self.head_len(false));
        }
        self.end_rows();
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        if self.ready.is_empty() {
            match self.some() {
                Ok(some) => self.ready = some.into(),
                Err(error) => return Some(Err(error)),
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

/// A side of a frame, or brackets around the rows.
fn is_around(line: &str) -> bool {
    is_frame(line) || !line.is_empty() && signs_of(line) == Some(0)
}

/// Has the line a board, or the number of a puzzle?
fn has_board(line: &str) -> bool {
    let knows = |text: &str| Reader::default().knows(text);
    id(line).is_some() || words(line).any(|word| is_word_of_board(word) && knows(word)) || knows(line)
}

/// The cells of a row, if it is one; a number is none.
fn row_len(line: &str) -> Option<usize> {
    signs_of(line).filter(|cells| (MIN_SIZE..=MAX_SIZE).contains(cells) && id(line).is_none())
}

/// May the line be meant as a board with a value? Then it is no description.
fn may_be_data(line: &str) -> bool {
    let is_like_board = |word: &str| {
        // A board has one sign for empty cells, and words have not so many of one.
        let of = |sign: char| word.chars().filter(|c| *c == sign).count();
        let free = ".o0-_*".chars().map(of).max().unwrap_or(0);
        word.len() > 12 && word.chars().all(is_sign) && 4 * free >= word.len()
    };
    has_number(line)
        || words(line).any(|word| is_like_board(word) || is_word_of_board(word) && has_board(word))
}

/// A line with `#`, unless it is a wall.
fn is_comment(line: &str) -> bool {
    let is_whole = |cells: usize| cells <= MAX_SIZE || (MIN_SIZE..=MAX_SIZE).any(|size| size * size == cells);
    line.starts_with('#') && !(line.len() > 3 && !line.contains(' ') && signs_of(line).is_some_and(is_whole))
}

fn second_line(bytes: &[u8]) -> Option<&[u8]> {
    bytes.split(|&byte| byte == b'\n').nth(1)
}
