//! A dataset as one Parquet file: typed columns, packed with zstd, for
//! programs that read tables.
//!
//! Rows are gathered column by column and leave as row groups of a fixed
//! number, so memory is bounded, and the bytes depend on the rows alone, not
//! on how they were handed over. What a file says of its row groups is kept to
//! the end: some kilobytes for each.

mod column;

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use self::column::Column;
use super::{Format, Rows, Writer};
use crate::dataset::{About, ExportError, Output, Row, Schema, Written};
use crate::table::format::OUR_VERSION;

/// The format.
pub const FORMAT: Format = Format {
    name: "parquet",
    definition: "Apache Parquet",
    extensions: &["parquet"],
    most_rows: Some(MOST_ROWS),
    writer: Writer::Rows(|out, schema, about| {
        let path = out.path().to_owned();
        match ParquetWriter::new(out, schema, about) {
            Ok(writer) => Ok(Box::new(writer)),
            Err(error) => Err(ExportError::io(&path, error)),
        }
    }),
    ..Format::ROOMY
};

impl Rows for ParquetWriter<Output> {
    fn append(&mut self, rows: &[Row]) -> Result<(), ExportError> {
        self.append(rows).map_err(|error| ExportError::io(self.file.inner().path(), error))
    }

    fn finish(self: Box<Self>) -> Result<Written, ExportError> {
        let path = self.file.inner().path().to_owned();
        ParquetWriter::finish(*self).map_err(|error| ExportError::io(&path, error))?.finish()
    }
}

/// The rows of a row group; the last one may have fewer.
const GROUP: usize = 1 << 17;

/// The most rows of a file: the format counts row groups with 15 bits.
const MOST_ROWS: u64 = 32_767 * GROUP as u64;

/// Packing is a small part of the work: level 1 saves little of it for 5% more
/// bytes, level 5 saves no bytes.
const LEVEL: i32 = 3;

/// Writes rows into a Parquet file. Without [`finish`](ParquetWriter::finish)
/// the file has no end, and no reader opens it.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    /// Rows that wait for their group to be full.
    gathered: usize,
    metrics: usize,
    heuristics: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// A file without rows.
    pub fn new(out: W, schema: &Schema, about: &About) -> io::Result<ParquetWriter<W>> {
        let open = || {
            let (columns, fields): (Vec<_>, Vec<_>) = column::columns(schema)?.into_iter().unzip();
            let boards = Type::group_type_builder("boards").with_fields(fields).build()?;
            let file = SerializedFileWriter::new(out, Arc::new(boards), Arc::new(properties(about)?))?;
            Ok((file, columns))
        };
        let (file, columns) = open().map_err(plain)?;
        let (metrics, heuristics) = (schema.metrics.len(), schema.heuristics.len());
        Ok(ParquetWriter { file, columns, gathered: 0, metrics, heuristics })
    }

    /// Adds rows at the end. After an error the file is not to be finished.
    pub fn append(&mut self, rows: &[Row]) -> io::Result<()> {
        for row in rows {
            self.check(row)?;
            self.columns.iter_mut().for_each(|column| column.gather(row));
            self.gathered += 1;
            if self.gathered == GROUP {
                self.write_group().map_err(plain)?;
            }
        }
        Ok(())
    }

    /// Writes what is left and the end of the file.
    pub fn finish(mut self) -> io::Result<W> {
        if self.gathered > 0 {
            self.write_group().map_err(plain)?;
        }
        self.file.into_inner().map_err(plain)
    }

    fn check(&self, row: &Row) -> io::Result<()> {
        let wrong = |what: String| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        let (metrics, heuristics) = (row.distances.len(), row.labels.len());
        if (metrics, heuristics) != (self.metrics, self.heuristics) {
            return wrong(format!(
                "a row has {metrics} distances and {heuristics} labels, its dataset {} and {}",
                self.metrics, self.heuristics
            ));
        }
        match row.distances.iter().find(|distance| distance.known() > Some(column::MOST)) {
            Some(distance) => {
                let board = row.subject.text();
                wrong(format!(
                    "{board}: a Parquet file holds distances up to {}, not {distance}",
                    column::MOST
                ))
            }
            None => Ok(()),
        }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            column.write(&mut group)?;
        }
        group.close()?;
        self.gathered = 0;
        Ok(())
    }
}

fn properties(about: &About) -> Result<WriterProperties, ParquetError> {
    let named = [("name", &about.name), ("description", &about.description)];
    let facts = about.facts.iter().map(|(key, text)| (&key[..], text));
    let said = named.into_iter().chain(facts);
    let said = said.map(|(key, text)| KeyValue::new(format!("tailback.{key}"), text.clone()));
    Ok(WriterProperties::builder()
        .set_created_by(format!("tailback {OUR_VERSION}"))
        .set_key_value_metadata(Some(said.collect()))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        // Figures of every page would be kept in memory to the end.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        // Nearly every board comes once.
        .set_column_dictionary_enabled(ColumnPath::from("board"), false)
        .set_column_dictionary_enabled(ColumnPath::from("id"), false)
        .build())
}

/// What went wrong with the file below, without the wrapping.
fn plain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
