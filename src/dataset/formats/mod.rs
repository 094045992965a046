//! The formats of a dataset: how rows become bytes.
//!
//! Each is declared once, as a [`Format`] in a file of its own; the list is
//! here. What the command line offers and refuses follows from it.

pub mod csv;
pub mod hh_evolver;
mod jsonl;
pub mod parquet;
pub mod pddl;
pub mod rush;

use std::fmt;
use std::path::Path;

use super::{About, ExportError, Misfit, Output, Row, Schema, Written};
use crate::board::Metric;
use crate::cluster::Bounds;

/// A format: what it has room for, and who writes it.
pub struct Format {
    /// As it is written.
    pub name: &'static str,
    /// What it is.
    pub definition: &'static str,
    /// The distances that it has room for.
    pub distances: Distances,
    /// Does a row say the id of its board?
    pub has_id: bool,
    /// Are there columns for heuristics?
    pub has_heuristics: bool,
    /// Can a row say that its board is unsolvable?
    pub has_unsolvable: bool,
    /// Is there room for instances of other puzzles?
    pub has_instances: bool,
    /// What names of its files end in, if they tell it from others.
    pub extensions: &'static [&'static str],
    /// Does it make a folder?
    pub is_folder: bool,
    /// The most rows of a file.
    pub most_rows: Option<u64>,
    /// Nanoseconds that a row takes on one core, roughly: progress is told by it.
    row_cost: u64,
    writer: Writer,
}

/// The distances that a format has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distances {
    /// In one metric or more.
    Any,
    /// In one metric.
    One,
    /// In moves.
    Moves,
}

/// Makes what writes a file.
enum Writer {
    /// Text, line by line.
    Text(fn(&Schema) -> Box<dyn Text>),
    /// A file or folder that takes rows one after the other.
    Rows(fn(Output, &Schema, &About) -> OpenedRows),
}

type OpenedRows = Result<Box<dyn Rows>, ExportError>;

/// Writes rows as text, on any thread.
trait Text: Send + Sync {
    /// What stands before the rows.
    fn head(&self, about: &About, out: &mut Vec<u8>) -> Result<(), ExportError> {
        let _ = (about, out);
        Ok(())
    }

    /// Appends the lines of rows. A search for them goes as far as the bounds say.
    fn write(&self, rows: &[Row], bounds: Bounds, out: &mut Vec<u8>) -> Result<(), ExportError>;
}

/// Takes rows in their order.
trait Rows: Send {
    fn append(&mut self, rows: &[Row]) -> Result<(), ExportError>;

    /// All is written.
    fn finish(self: Box<Self>) -> Result<Written, ExportError>;
}

impl Format {
    /// All of them.
    pub const ALL: [&'static Format; 6] =
        [&hh_evolver::FORMAT, &csv::FORMAT, &jsonl::FORMAT, &parquet::FORMAT, &rush::FORMAT, &pddl::FORMAT];

    /// A format of text with room for everything, which others differ from.
    const ROOMY: Format = Format {
        name: "",
        definition: "",
        distances: Distances::Any,
        has_id: true,
        has_heuristics: true,
        has_unsolvable: true,
        has_instances: true,
        extensions: &[],
        is_folder: false,
        most_rows: None,
        row_cost: 2_000,
        writer: Writer::Text(|_| unreachable!("every format has its own")),
    };

    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static Format> {
        Format::ALL.into_iter().find(|format| format.name == name)
    }

    /// Does it make lines of text?
    pub fn is_text(&self) -> bool {
        matches!(self.writer, Writer::Text(_))
    }

    /// Is there room for rows of this schema, so many of them if that is known?
    pub fn check(&self, schema: &Schema, with_unsolvable: bool, rows: Option<u64>) -> Result<(), Misfit> {
        match (self.distances, self.most_rows) {
            (Distances::One, _) if schema.metrics.len() > 1 => Err(Misfit::Metrics),
            (Distances::Moves, _) if schema.metrics[..] != [Metric::Moves] => Err(Misfit::OnlyMoves),
            _ if with_unsolvable && !self.has_unsolvable => Err(Misfit::Unsolvable),
            _ if !schema.heuristics.is_empty() && !self.has_heuristics => Err(Misfit::Heuristics),
            // Whoever has no room for an id has none for these.
            _ if !schema.extras.is_empty() && !self.has_id => Err(Misfit::Extras),
            (_, Some(most)) if rows.is_some_and(|rows| rows > most) => Err(Misfit::Rows(most)),
            _ => Ok(()),
        }
    }

    /// Makes room for a file, or a folder, of this name.
    pub fn open(&self, path: &Path) -> Result<Output, ExportError> {
        if self.is_folder { Output::folder(path) } else { Output::file(path) }
    }

    /// Nanoseconds that so many rows take, roughly.
    pub(super) fn cost(&self, rows: u64, schema: &Schema) -> u64 {
        const HEURISTIC: u64 = 500;
        rows.saturating_mul(self.row_cost + schema.heuristics.len() as u64 * HEURISTIC)
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Writes rows in a format: what is the same for all files of a dataset.
pub struct Encoder<'a> {
    pub(super) format: &'static Format,
    schema: &'a Schema,
    about: &'a About,
    /// If the format is text.
    text: Option<Box<dyn Text>>,
}

/// Rows made ready for a file, by any thread: as text, if the format is text.
#[derive(Default)]
pub(super) struct Page {
    text: Vec<u8>,
    rows: Vec<Row>,
}

impl<'a> Encoder<'a> {
    /// An encoder of rows of this schema, if there is room for them.
    pub fn new(
        format: &'static Format,
        schema: &'a Schema,
        about: &'a About,
    ) -> Result<Encoder<'a>, ExportError> {
        format.check(schema, false, None)?;
        let text = match format.writer {
            Writer::Text(make) => Some(make(schema)),
            Writer::Rows(_) => None,
        };
        Ok(Encoder { format, schema, about, text })
    }

    pub(super) fn page(&self, rows: Vec<Row>, bounds: Bounds) -> Result<Page, ExportError> {
        let Some(text) = &self.text else { return Ok(Page { rows, ..Page::default() }) };
        let mut page = Page::default();
        text.write(&rows, bounds, &mut page.text)?;
        Ok(page)
    }

    /// Begins with what stands before the rows, in an output of this format.
    pub fn begin(&self, mut out: Output) -> Result<DataFile, ExportError> {
        if let Writer::Rows(make) = self.format.writer {
            return Ok(DataFile(Sink::Rows(make(out, self.schema, self.about)?)));
        }
        let mut head = Vec::new();
        self.text.as_ref().map_or(Ok(()), |text| text.head(self.about, &mut head))?;
        out.append(&head)?;
        Ok(DataFile(Sink::Text(out)))
    }
}

/// A file of a dataset that is being written.
pub struct DataFile(Sink);

enum Sink {
    Text(Output),
    Rows(Box<dyn Rows>),
}

impl DataFile {
    /// Writes a page of the same format.
    pub(super) fn append(&mut self, page: &Page) -> Result<(), ExportError> {
        match &mut self.0 {
            Sink::Text(out) => out.append(&page.text),
            Sink::Rows(file) => file.append(&page.rows),
        }
    }

    /// All is written.
    pub fn finish(self) -> Result<Written, ExportError> {
        match self.0 {
            Sink::Text(out) => out.finish(),
            Sink::Rows(file) => file.finish(),
        }
    }
}
