//! One JSON object a line.

use std::io::{self, Write};

use serde_json::Value;

use super::{Format, Text, csv};
use crate::cluster::Bounds;
use crate::dataset::{ExportError, ExtraValue, Label, Row, Schema};

/// The format.
pub const FORMAT: Format = Format {
    name: "jsonl",
    definition: "One JSON object a line",
    extensions: &["jsonl", "ndjson"],
    writer: super::Writer::Text(|schema| Box::new(Jsonl::new(schema))),
    ..Format::ROOMY
};

/// Writes rows as objects.
struct Jsonl {
    /// What stands before each value: the comma and the name.
    keys: Vec<String>,
    has_last_move: bool,
}

impl Jsonl {
    fn new(schema: &Schema) -> Jsonl {
        let keys = csv::names(schema).into_iter().map(|name| format!(",{}:", Value::from(name)));
        Jsonl { keys: keys.collect(), has_last_move: schema.needs_last_move() }
    }

    /// Appends the line of a row. What there is none of, and what is infinite,
    /// is null; a condition is true or false.
    fn write_row(&self, row: &Row, out: &mut Vec<u8>) -> io::Result<()> {
        let mut keys = self.keys.iter();
        let mut key = || keys.next().map_or("", |key| key);
        let start = out.len();
        write!(out, "{}\"{}\"", key(), row.subject.text())?;
        for number in row.numbers() {
            match number {
                Some(number) => write!(out, "{}{number}", key())?,
                None => write!(out, "{}null", key())?,
            }
        }
        if self.has_last_move {
            match &row.last_move {
                Some(last) => write!(out, "{}\"{last}\"", key())?,
                None => write!(out, "{}null", key())?,
            }
        }
        for label in &row.labels {
            match label {
                Label::Condition(holds) => write!(out, "{}{holds}", key())?,
                Label::Guess(value) if !value.is_finite() => write!(out, "{}null", key())?,
                guess => write!(out, "{}{guess}", key())?,
            }
        }
        for told in &row.extras {
            match told {
                ExtraValue::None => write!(out, "{}null", key())?,
                ExtraValue::Moves(moves) if moves.is_empty() => write!(out, "{}[]", key())?,
                // A move has nothing in it that JSON would have to escape.
                ExtraValue::Moves(moves) => write!(out, "{}[\"{}\"]", key(), moves.join("\",\""))?,
                number => write!(out, "{}\"{number}\"", key())?,
            }
        }
        out[start] = b'{';
        out.write_all(b"}\n")
    }
}

impl Text for Jsonl {
    fn write(&self, rows: &[Row], _: Bounds, out: &mut Vec<u8>) -> Result<(), ExportError> {
        rows.iter().try_for_each(|row| self.write_row(row, out)).expect("memory takes all bytes");
        Ok(())
    }
}
