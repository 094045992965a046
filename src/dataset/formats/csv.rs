//! Comma-separated values with a line of names.

use super::{Format, Text, Writer};
use crate::dataset::number::push_whole;
use crate::dataset::{About, ExportError, Row, Schema};
use crate::probe::Prober;

/// The format.
pub const FORMAT: Format = Format {
    name: "csv",
    definition: "CSV with a line of names",
    writer: Writer::Text(|schema| {
        Box::new(Csv { names: names(schema), has_last_move: schema.needs_last_move() })
    }),
    ..Format::ROOMY
};

/// The names of the columns: the same in every format that has names.
pub fn names(schema: &Schema) -> Vec<String> {
    let mut names = vec!["board".to_owned(), "rank".to_owned()];
    names.extend(schema.metrics.iter().map(ToString::to_string));
    names.extend(schema.needs_last_move().then(|| "last_move".to_owned()));
    names.extend(schema.heuristics.iter().map(ToString::to_string));
    names
}

struct Csv {
    names: Vec<String>,
    has_last_move: bool,
}

impl Text for Csv {
    fn head(&self, _: &About) -> Result<String, ExportError> {
        let mut lines = Lines::new(Vec::new());
        self.names.iter().for_each(|name| lines.field(name));
        lines.end();
        Ok(String::from_utf8(lines.into_inner()).expect("names are text"))
    }

    /// What there is none of is an empty field.
    fn write(&self, rows: &[Row], _: &Prober, out: &mut Vec<u8>) -> Result<(), ExportError> {
        let mut lines = Lines::new(out);
        for row in rows {
            lines.field(&row.board.text());
            for number in row.numbers() {
                lines.built(|text| number.into_iter().for_each(|number| push_whole(number, text)));
            }
            if self.has_last_move {
                lines.field(&row.last_move.map_or(String::new(), |last| row.board.notation(last)));
            }
            row.labels.iter().for_each(|label| lines.built(|text| label.push_to(text)));
            lines.end();
        }
        Ok(())
    }
}

/// Lines of fields, in quotes where they need them.
pub(super) struct Lines<W: std::io::Write> {
    out: ::csv::Writer<W>,
    field: String,
}

/// Nothing fails but what is written into, and that is memory.
const IN_MEMORY: &str = "memory takes all bytes, and lines may have any length";

impl<W: std::io::Write> Lines<W> {
    pub fn new(out: W) -> Lines<W> {
        Lines { out: ::csv::WriterBuilder::new().flexible(true).from_writer(out), field: String::new() }
    }

    pub fn field(&mut self, text: &str) {
        self.out.write_field(text).expect(IN_MEMORY);
    }

    /// A field that is appended to a text.
    pub fn built(&mut self, push: impl FnOnce(&mut String)) {
        self.field.clear();
        push(&mut self.field);
        self.out.write_field(&self.field).expect(IN_MEMORY);
    }

    pub fn end(&mut self) {
        self.out.write_record(None::<&[u8]>).expect(IN_MEMORY);
    }

    pub fn into_inner(self) -> W {
        self.out.into_inner().unwrap_or_else(|_| unreachable!("{IN_MEMORY}"))
    }
}
