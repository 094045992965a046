//! The forms that lists have, and how a record is taken apart.

use std::borrow::Cow;

use serde_json::Value;

use super::columns::{self, Columns};
use super::entry::{Entry, ListError, id};
use super::words::{is_word_of_board, words};
use crate::board::{MAX_SIZE, MIN_SIZE, Reader, is_sign};

/// How the boards of a list are written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Form {
    /// A board a line with anything around it, or a row a line.
    #[default]
    Text,
    /// A line of names, then a board a line.
    Table(Columns),
    /// A JSON object a line.
    Json {
        /// The name of the board, unless it is a usual one.
        column: Option<String>,
    },
}

impl Form {
    /// Takes a record apart.
    pub fn entry<'r>(&self, record: &'r str) -> Result<Entry<'r>, ListError> {
        match self {
            Form::Text => Ok(text(record)),
            Form::Table(columns) => columns.entry(record),
            Form::Json { column } => json(record, column.as_deref()),
        }
    }
}

impl Form {
    /// The line that names the columns, if there is one.
    pub fn head(&self) -> Option<String> {
        match self {
            Form::Table(columns) => Some(columns.line(columns.names().iter().map(String::as_str))),
            Form::Text | Form::Json { .. } => None,
        }
    }

    /// A record with other values in some columns. In a text the values beside the
    /// board have no names: `names` are those of the values after it, and the first
    /// of them also that of a number before it.
    pub fn with(&self, record: &str, names: &[&str], changes: &[(&str, &str)]) -> Result<String, ListError> {
        let entry = self.entry(record)?;
        let changed = |name: &str| {
            changes.iter().find(|(column, _)| column.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
        };
        match self {
            Form::Table(columns) => columns.with(record, &changed),
            Form::Json { .. } => {
                let mut object: serde_json::Map<String, Value> = serde_json::from_str(record)
                    .map_err(|error| ListError::Json { why: error.to_string() })?;
                for (name, value) in &mut object {
                    if let Some(text) = changed(name) {
                        *value = serde_json::from_str(text).unwrap_or(Value::Null);
                    }
                }
                Ok(Value::Object(object).to_string())
            }
            Form::Text => Ok(with_words(record, &entry.board, names, &changed)),
        }
    }
}

/// A line of text with other words beside its board.
fn with_words<'v>(
    record: &str,
    board: &str,
    names: &[&str],
    changed: &dyn Fn(&str) -> Option<&'v str>,
) -> String {
    let between = if record.contains(',') { "," } else { " " };
    let mut words: Vec<&str> = record.split(between).map(str::trim).collect();
    let Some(place) = words.iter().position(|word| word.trim_matches('"') == board) else {
        return record.to_owned();
    };
    let is_before = place > 0 && words[place - 1].parse::<f64>().is_ok();
    let first = if is_before { place - 1 } else { place + 1 };
    for (index, name) in names.iter().enumerate() {
        if let (Some(word), Some(value)) = (words.get_mut(first + index), changed(name)) {
            *word = value;
        }
        if is_before {
            break;
        }
    }
    words.join(between)
}

/// A word with fewer signs is a row at most.
const LEAST: usize = MAX_SIZE;

/// The board of a line may stand between other words.
fn text(record: &str) -> Entry<'_> {
    let whole = Entry { board: Cow::from(record), ..Entry::default() };
    if is_word_of_board(record) || record.contains('\n') || id(record).is_some() {
        return whole;
    }
    // With tabs every part is what it is.
    let parts: Vec<&str> = record.split('\t').map(str::trim).filter(|part| !part.is_empty()).collect();
    if let Some(place) = parts.iter().position(|part| parts.len() > 1 && Reader::default().knows(part)) {
        return Entry {
            board: Cow::from(parts[place]),
            before: parts[..place].to_vec(),
            after: parts[place + 1..].to_vec(),
            ..Entry::default()
        };
    }
    let words: Vec<&str> = words(record).collect();
    let found = |(start, end): (usize, usize)| Entry {
        board: Cow::from(words[start..end].join(" ")),
        before: words[..start].to_vec(),
        after: words[end..].to_vec(),
        ..Entry::default()
    };
    let mut places: Vec<(usize, usize)> =
        (0..words.len()).filter(|&word| is_word_of_board(words[word])).map(|word| (word, word + 1)).collect();
    for size in MIN_SIZE..=MAX_SIZE {
        let rows = words.windows(size).enumerate();
        let is_row = |word: &&str| word.len() == size && word.chars().all(is_sign);
        places.extend(rows.filter(|(_, rows)| rows.iter().all(is_row)).map(|(at, _)| (at, at + size)));
    }
    // A name may look like a row, so what is a board is taken first.
    let knows = |place: &(usize, usize)| Reader::default().knows(&found(*place).board);
    if Reader::default().knows(record) {
        return whole;
    }
    // Of words that may be meant, the longest: what is wrong with it can be told.
    let is_meant = |word: &&str| word.len() > LEAST && word.chars().all(is_sign);
    let meant = || (0..words.len()).filter(|&at| is_meant(&words[at])).max_by_key(|&at| words[at].len());
    let meant = || meant().map(|at| (at, at + 1));
    match places.iter().copied().find(knows).or(places.last().copied()).or_else(meant) {
        Some(place) => found(place),
        None => whole,
    }
}

fn json<'r>(record: &'r str, column: Option<&str>) -> Result<Entry<'r>, ListError> {
    let wrong = |why: String| ListError::Json { why };
    let value: Value = serde_json::from_str(record).map_err(|error| wrong(error.to_string()))?;
    let Value::Object(object) = value else {
        return Err(wrong("it begins and ends otherwise".to_owned()));
    };
    let names: Vec<&str> = object.keys().map(String::as_str).collect();
    let Some(board) = columns::position(&names, column) else {
        let found = names.iter().map(|name| (*name).to_owned()).collect();
        return Err(ListError::NoBoard { wanted: column.unwrap_or(columns::BOARD[0]).to_owned(), found });
    };
    let mut entry = Entry::default();
    for (index, (name, value)) in object.into_iter().enumerate() {
        let value = plain(value);
        match index == board {
            true => entry.board = Cow::from(value),
            false => entry.values.push((Cow::from(name), Cow::from(value))),
        }
    }
    Ok(entry)
}

/// A value as text; of a list, its values with gaps between.
fn plain(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(values) => values.into_iter().map(plain).collect::<Vec<_>>().join(" "),
        value => value.to_string(),
    }
}
