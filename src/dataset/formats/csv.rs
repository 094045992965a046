//! Comma-separated values with a line of names.

use std::fmt::{Display, Write as _};

use super::{Format, Text, Writer};
use crate::cluster::Bounds;
use crate::dataset::{About, ExportError, Row, Schema};

/// The format.
pub const FORMAT: Format = Format {
    name: "csv",
    definition: "CSV with a line of names",
    extensions: &["csv"],
    writer: Writer::Text(|schema| {
        Box::new(Csv { names: names(schema), has_last_move: schema.needs_last_move() })
    }),
    ..Format::ROOMY
};

/// The names of the columns: the same in every format that has names.
pub fn names(schema: &Schema) -> Vec<String> {
    let mut names = vec!["board".to_owned(), "id".to_owned()];
    names.extend(schema.metrics.iter().map(ToString::to_string));
    names.extend(schema.needs_last_move().then(|| "last_move".to_owned()));
    names.extend(schema.heuristics.iter().map(ToString::to_string));
    names.extend(schema.extras.iter().map(|extra| extra.name().to_owned()));
    names
}

struct Csv {
    names: Vec<String>,
    has_last_move: bool,
}

impl Text for Csv {
    fn head(&self, _: &About, out: &mut Vec<u8>) -> Result<(), ExportError> {
        let mut lines = Lines::new(out);
        self.names.iter().for_each(|name| lines.field(name));
        lines.end();
        Ok(())
    }

    /// What there is none of is an empty field.
    fn write(&self, rows: &[Row], _: Bounds, out: &mut Vec<u8>) -> Result<(), ExportError> {
        let mut lines = Lines::new(out);
        for row in rows {
            lines.field(&row.subject.text());
            for number in row.numbers() {
                lines.shown_or(number, "");
            }
            if self.has_last_move {
                lines.shown_or(row.last_move.as_ref(), "");
            }
            row.labels.iter().for_each(|label| lines.shown_or(Some(label), ""));
            row.extras.iter().for_each(|told| lines.shown_or(Some(told), ""));
            lines.end();
        }
        Ok(())
    }
}

/// Lines of fields, in quotes where they need them.
pub(super) struct Lines<'o> {
    out: ::csv::Writer<&'o mut Vec<u8>>,
    field: String,
}

/// Nothing fails but what is written into.
const IN_MEMORY: &str = "memory takes all bytes, and lines may have any length";

impl Lines<'_> {
    pub fn new(out: &mut Vec<u8>) -> Lines<'_> {
        Lines { out: ::csv::WriterBuilder::new().flexible(true).from_writer(out), field: String::new() }
    }

    pub fn field(&mut self, text: &str) {
        self.out.write_field(text).expect(IN_MEMORY);
    }

    /// A value as it is shown, or what stands for none.
    pub fn shown_or(&mut self, value: Option<impl Display>, none: &str) {
        self.field.clear();
        let _ = match value {
            Some(value) => write!(self.field, "{value}"),
            None => self.field.write_str(none),
        };
        self.out.write_field(&self.field).expect(IN_MEMORY);
    }

    pub fn end(&mut self) {
        self.out.write_record(None::<&[u8]>).expect(IN_MEMORY);
    }
}
