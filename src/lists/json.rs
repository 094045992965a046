//! JSON in other forms than an object a line: an object or a list over many lines,
//! and objects that have a list of puzzles.

use serde_json::{Value, json};

use crate::board::{MAX_SIZE, MIN_SIZE};

/// The longest JSON text, in bytes.
pub const LONGEST: usize = 1 << 30;
/// What a list of puzzles within an object may be called.
const LISTS: [&str; 3] = ["puzzles", "levels", "boards"];

/// Is the first thing an object or a list?
pub fn begins(bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(first, Some(b'{' | b'['))
}

/// Does a line begin a value that goes on in the next one?
pub fn is_begun(line: &[u8]) -> bool {
    let is_list = line.trim_ascii_start().starts_with(b"[");
    let read = serde_json::from_slice::<serde::de::IgnoredAny>(line);
    begins(line) && (is_list && read.is_ok() || read.is_err_and(|error| error.is_eof()))
}

/// Is a line an object by itself?
pub fn is_whole(line: &[u8]) -> bool {
    begins(line) && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

/// The objects of a text, each on one line.
pub fn records(bytes: &[u8]) -> serde_json::Result<Vec<String>> {
    let mut found = Vec::new();
    for value in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
        expand(value?, &mut found);
    }
    Ok(found)
}

/// The puzzles of an object that has a list of them.
pub fn members(text: &str) -> Option<Vec<String>> {
    let may_have = LISTS.iter().any(|name| text.contains(&format!("\"{name}\":")));
    let value: Value = may_have.then(|| serde_json::from_str(text).ok()).flatten()?;
    LISTS.iter().any(|name| value[name].is_array()).then(|| {
        let mut found = Vec::new();
        expand(value, &mut found);
        found
    })
}

fn expand(value: Value, found: &mut Vec<String>) {
    match value {
        Value::Array(values) if !is_rows(&values) => {
            values.into_iter().for_each(|value| expand(value, found))
        }
        Value::Object(mut object) => {
            let list = LISTS.iter().find(|name| object.get(**name).is_some_and(Value::is_array));
            match list.and_then(|name| object.remove(*name)) {
                Some(list) => expand(list, found),
                None => found.push(Value::Object(object).to_string()),
            }
        }
        board => found.push(json!({ "board": board }).to_string()),
    }
}

/// Are these the rows of one board?
fn is_rows(values: &[Value]) -> bool {
    let len = values.len();
    let is_row = |value: &Value| match value {
        Value::String(row) => row.chars().count() == len,
        Value::Array(cells) => cells.len() == len,
        _ => false,
    };
    (MIN_SIZE..=MAX_SIZE).contains(&len) && values.iter().all(is_row)
}
