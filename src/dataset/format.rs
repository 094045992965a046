//! The forms of a dataset: how rows become bytes.

use std::path::{Path, PathBuf};

use super::jsonl::Jsonl;
use super::output::{Folder, Output, Place, Written};
use super::parquet::ParquetWriter;
use super::problems::Problems;
use super::{About, ExportError, Row, Schema, csv, hh_evolver, rush};
use crate::board::Metric;
use crate::cluster::{self, Bounds};

/// The form of a dataset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The CSV of the HH-Evolver system.
    HhEvolver,
    /// CSV with a line of names.
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// Three columns of text.
    Rush,
    /// A folder of planning problems.
    Pddl,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] =
        [Format::HhEvolver, Format::Csv, Format::Jsonl, Format::Parquet, Format::Rush, Format::Pddl];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Format::HhEvolver => "hh-evolver",
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
            Format::Parquet => "parquet",
            Format::Rush => "rush",
            Format::Pddl => "pddl",
        }
    }

    /// What it is.
    pub fn definition(self) -> &'static str {
        match self {
            Format::HhEvolver => "The CSV of the HH-Evolver system",
            Format::Csv => "CSV with a line of names",
            Format::Jsonl => "One JSON object a line",
            Format::Parquet => "Apache Parquet",
            Format::Rush => "Moves, board, boards of the cluster",
            Format::Pddl => "A folder with a planning problem for each board",
        }
    }

    /// Makes room for a file, or a folder, of this name.
    pub fn open(self, path: &Path) -> Result<Place, ExportError> {
        match self {
            Format::Pddl => Folder::new(path).map(Place::Folder),
            _ => Output::file(path).map(Place::File),
        }
    }
}

/// Rows made ready for a file, by any thread.
#[derive(Debug)]
pub enum Page {
    /// As text.
    Text(String),
    /// As they are.
    Rows(Vec<Row>),
}

/// Writes rows in a form: what is the same for all files of a dataset.
#[derive(Debug)]
pub struct Form<'a> {
    format: Format,
    schema: &'a Schema,
    about: &'a About,
    jsonl: Jsonl,
    /// Of a cluster that is counted.
    bounds: Bounds<'a>,
}

impl<'a> Form<'a> {
    /// A form for rows of this schema. Where clusters are counted, they have
    /// these bounds.
    pub fn new(
        format: Format,
        schema: &'a Schema,
        about: &'a About,
        bounds: impl Into<Bounds<'a>>,
    ) -> Form<'a> {
        Form { format, schema, about, jsonl: Jsonl::new(schema), bounds: bounds.into() }
    }

    /// Does a row say its rank?
    pub fn has_rank(&self) -> bool {
        matches!(self.format, Format::Csv | Format::Jsonl | Format::Parquet)
    }

    /// An empty page.
    pub fn page(&self) -> Page {
        match self.format {
            Format::Parquet | Format::Pddl => Page::Rows(Vec::new()),
            _ => Page::Text(String::new()),
        }
    }

    /// Adds a row to a page.
    pub fn add(&self, row: Row, page: &mut Page) -> Result<(), ExportError> {
        match page {
            Page::Rows(rows) => rows.push(row),
            Page::Text(text) => match self.format {
                Format::HhEvolver => hh_evolver::write_row(&row, text),
                Format::Jsonl => self.jsonl.write_row(&row, text),
                Format::Rush => {
                    let boards = cluster::size(&row.board, self.bounds)
                        .map_err(|error| ExportError::of_board(&row.board, Metric::Moves, error.into()))?;
                    let moves = row.distances[0].expect("unsolvable boards do not go into this form");
                    rush::push_line(moves, &row.board.text(), boards, text);
                }
                _ => csv::write_row(self.schema, &row, text),
            },
        }
        Ok(())
    }

    /// Begins with what stands before the rows, in a place for this format.
    pub fn begin(&self, place: Place) -> Result<Sheet<'a>, ExportError> {
        let mut out = match place {
            Place::File(out) => out,
            Place::Folder(folder) => return Ok(Sheet::Pddl(Problems::new(folder, self.schema))),
        };
        let head = match self.format {
            Format::HhEvolver => hh_evolver::head(self.about)?,
            Format::Csv => csv::head(self.schema),
            Format::Parquet => {
                let path = out.path().to_owned();
                let writer = ParquetWriter::new(out, self.schema, self.about);
                return match writer {
                    Ok(writer) => Ok(Sheet::Parquet(path.clone(), Box::new(writer))),
                    Err(error) => Err(ExportError::io(&path, error)),
                };
            }
            _ => String::new(),
        };
        out.append(&head)?;
        Ok(Sheet::Text(out))
    }
}

/// A file of a dataset that is being written.
pub enum Sheet<'a> {
    /// Text.
    Text(Output),
    /// Parquet, and its name.
    Parquet(PathBuf, Box<ParquetWriter<Output>>),
    /// Planning problems.
    Pddl(Problems<'a>),
}

impl Sheet<'_> {
    /// Writes a page of the same form.
    pub fn append(&mut self, page: &Page) -> Result<(), ExportError> {
        match (self, page) {
            (Sheet::Text(out), Page::Text(text)) => out.append(text),
            (Sheet::Parquet(path, writer), Page::Rows(rows)) => {
                writer.append(rows).map_err(|error| ExportError::io(path, error))
            }
            (Sheet::Pddl(problems), Page::Rows(rows)) => rows.iter().try_for_each(|row| problems.add(row)),
            _ => unreachable!("pages and sheets of one form go together"),
        }
    }

    /// All is written.
    pub fn finish(self) -> Result<Written, ExportError> {
        match self {
            Sheet::Text(out) => out.finish(),
            Sheet::Parquet(path, writer) => {
                writer.finish().map_err(|error| ExportError::io(&path, error))?.finish()
            }
            Sheet::Pddl(problems) => problems.finish(),
        }
    }
}
