//! One JSON object a line.

use super::{Format, Text, Writer, csv};
use crate::dataset::number::push_whole;
use crate::dataset::{ExportError, Label, Row, Schema};
use crate::probe::Prober;

/// The format.
pub const FORMAT: Format = Format {
    name: "jsonl",
    definition: "One JSON object a line",
    writer: Writer::Text(|schema| Box::new(Jsonl::new(schema))),
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
        // No name has anything in it that JSON would have to escape.
        let keys = csv::names(schema).into_iter().map(|name| format!(",\"{name}\":"));
        Jsonl { keys: keys.collect(), has_last_move: schema.needs_last_move() }
    }

    /// Appends the line of a row. What there is none of, and what is infinite,
    /// is null; a condition is true or false.
    fn write_row(&self, row: &Row, out: &mut String) {
        let mut keys = self.keys.iter();
        let mut key = |out: &mut String| out.push_str(keys.next().map_or("", |key| key));
        let start = out.len();
        key(out);
        out.extend(["\"", &row.board.text(), "\""]);
        for number in row.numbers() {
            key(out);
            match number {
                Some(number) => push_whole(number, out),
                None => out.push_str("null"),
            }
        }
        if self.has_last_move {
            key(out);
            match row.last_move {
                Some(last) => out.extend(["\"", &row.board.notation(last), "\""]),
                None => out.push_str("null"),
            }
        }
        for label in &row.labels {
            key(out);
            match label {
                Label::Condition(holds) => out.push_str(if *holds { "true" } else { "false" }),
                Label::Guess(value) if !value.is_finite() => out.push_str("null"),
                guess => guess.push_to(out),
            }
        }
        out.replace_range(start..=start, "{");
        out.push_str("}\n");
    }
}

impl Text for Jsonl {
    fn write(&self, rows: &[Row], _: &Prober, out: &mut Vec<u8>) -> Result<(), ExportError> {
        let mut line = String::new();
        for row in rows {
            line.clear();
            self.write_row(row, &mut line);
            out.extend(line.as_bytes());
        }
        Ok(())
    }
}
