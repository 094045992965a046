//! Reads a dataset line by line, in little memory however long it is.

use std::io::{self, BufRead, Chain, Cursor, Read};

use super::head::{self, MARK};
use super::{Instance, LONGEST, LineError};
use crate::board::Board;

/// A dataset that is read. It gives its instances one after the other, each
/// with the number of its line; one that cannot be read does not end it.
///
/// ```
/// use tailback::dataset::hh_evolver::{Claimed, Reader};
///
/// let text = "Two boards\n4×4 in moves\n..B.AAB.........,2\n....AABB.CC.....,Infinity\n";
/// let mut reader = Reader::new(text.as_bytes())?;
/// assert_eq!(reader.name(), "Two boards");
/// let (line, instance) = reader.next().unwrap()?;
/// assert_eq!((line, instance.claimed), (3, Claimed::Distance(2.0)));
/// let (line, instance) = reader.next().unwrap()?;
/// assert_eq!((line, instance.claimed), (4, Claimed::Unsolvable));
/// assert!(reader.next().is_none());
/// # Ok::<(), tailback::dataset::hh_evolver::ReadError>(())
/// ```
pub struct Reader<R> {
    name: String,
    description: String,
    /// The instances. What had to be read of them to find the end of the head
    /// comes first.
    rest: Chain<Cursor<Vec<u8>>, R>,
    /// Lines read.
    number: usize,
}

/// Why a dataset cannot be read, or a line of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input failed.
    #[error("cannot read the dataset")]
    Io(#[from] io::Error),
    /// There are fewer than two lines.
    #[error("the dataset has no {what}: its first line is its name, its second line its description")]
    NoHead {
        /// `name` or `description`.
        what: &'static str,
    },
    /// A line is wrong; the next one may be right.
    #[error("line {line}: {error}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        error: LineError,
    },
}

impl<R: BufRead> Reader<R> {
    /// Reads the head.
    pub fn new(mut input: R) -> Result<Reader<R>, ReadError> {
        let name = head_line(&mut input, 1, "name")?;
        let name = head::read(name.strip_prefix(MARK).unwrap_or(&name));
        let description = head::read(&head_line(&mut input, 2, "description")?);
        let mut third = Vec::new();
        input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut third)?;
        let is_header = is_header(&third);
        if is_header {
            if !third.ends_with(b"\n") {
                input.skip_until(b'\n')?;
            }
            third.clear();
        }
        let number = if is_header { 3 } else { 2 };
        Ok(Reader { name, description, rest: Cursor::new(third).chain(input), number })
    }

    /// What the dataset is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says of itself.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The input without what was read of it, and how many lines that was, for
    /// those who share the work of [`Instance::parse`] among threads.
    pub fn into_rest(self) -> (impl BufRead, usize) {
        (self.rest, self.number)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<(usize, Instance), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match read_line(&mut self.rest) {
                Ok(line) => line?,
                Err(error) => return Some(Err(error.into())),
            };
            self.number += 1;
            let number = self.number;
            match line {
                Ok(text) if text.trim().is_empty() || text.trim_start().starts_with('#') => {}
                line => {
                    let instance = line.and_then(|text| Instance::parse(&text));
                    let wrong = |error| ReadError::Line { line: number, error };
                    return Some(instance.map(|instance| (number, instance)).map_err(wrong));
                }
            }
        }
    }
}

/// The next line without its end; `None` after the last. What is no UTF-8 is
/// no board either, and in a name a � is better than nothing.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, LineError>>> {
    let mut bytes = Vec::new();
    // The end of a line may have two bytes.
    input.by_ref().take(LONGEST as u64 + 2).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let text = bytes.strip_suffix(b"\n");
    let is_whole = text.is_some();
    let text = text.unwrap_or(&bytes);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    if text.len() > LONGEST {
        if !is_whole {
            input.skip_until(b'\n')?;
        }
        return Ok(Some(Err(LineError::TooLong)));
    }
    Ok(Some(Ok(String::from_utf8_lossy(text).into_owned())))
}

fn head_line(input: &mut impl BufRead, line: usize, what: &'static str) -> Result<String, ReadError> {
    let text = read_line(input)?.ok_or(ReadError::NoHead { what })?;
    text.map_err(|error| ReadError::Line { line, error })
}

/// Does a line begin with the name of the first column?
fn is_header(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    let is_word = line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"Instance"));
    // A board may begin with these letters, too.
    let is_board = |instance: Instance| Board::parse(&instance.board).is_ok();
    is_word && !Instance::parse(&String::from_utf8_lossy(line)).is_ok_and(is_board)
}
