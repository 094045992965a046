//! A dataset as one Parquet file: typed columns, packed with zstd, for
//! programs that read tables.
//!
//! Rows are gathered column by column and leave as row groups of a fixed
//! number, so memory is bounded, and the bytes depend on the rows alone, not
//! on how they were handed over. A file holds at most 32,767 row groups, which
//! is 4,294,836,224 rows.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};

use super::{About, Label, Row, Schema};
use crate::search::{Heuristic, Value};
use crate::table::format::OUR_VERSION;

/// The rows of a row group; the last one may have fewer.
const GROUP: usize = 1 << 17;

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
        let (columns, fields): (Vec<Column>, Vec<Type>) = columns(schema).map_err(plain)?.into_iter().unzip();
        let fields = fields.into_iter().map(Arc::new).collect();
        let message = Type::group_type_builder("boards").with_fields(fields).build().map_err(plain)?;
        let file =
            SerializedFileWriter::new(out, Arc::new(message), Arc::new(properties(about).map_err(plain)?));
        Ok(ParquetWriter {
            file: file.map_err(plain)?,
            columns,
            gathered: 0,
            metrics: schema.metrics.len(),
            heuristics: schema.heuristics.len(),
        })
    }

    /// Adds rows at the end. After an error the file cannot be finished.
    pub fn append(&mut self, rows: &[Row]) -> io::Result<()> {
        for row in rows {
            self.check(row)?;
            self.columns.iter_mut().for_each(|column| column.gather(row));
            self.gathered += 1;
            if self.gathered == GROUP {
                self.write_group()?;
            }
        }
        Ok(())
    }

    /// Writes what is left and the end of the file.
    pub fn finish(mut self) -> io::Result<W> {
        if self.gathered > 0 {
            self.write_group()?;
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
        match row.distances.iter().flatten().find(|&&distance| distance > i16::MAX as u32) {
            Some(distance) => {
                wrong(format!("a Parquet file holds distances up to {}, not {distance}", i16::MAX))
            }
            None => Ok(()),
        }
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = self.file.next_row_group().map_err(plain)?;
        for column in &mut self.columns {
            column.write(&mut group).map_err(plain)?;
        }
        group.close().map_err(plain)?;
        self.gathered = 0;
        Ok(())
    }
}

/// A column and its values that wait, with its place in the row.
enum Column {
    Board(Cells<ByteArrayType>),
    Rank(Cells<Int64Type>),
    Distance(usize, Cells<Int32Type>),
    LastMove(Cells<ByteArrayType>),
    Whole(usize, Cells<Int32Type>),
    Condition(usize, Cells<BoolType>),
    Real(usize, Cells<DoubleType>),
}

impl Column {
    fn gather(&mut self, row: &Row) {
        let text = |text: String| ByteArray::from(text.into_bytes());
        match self {
            Column::Board(cells) => cells.push(Some(text(row.board.text()))),
            Column::Rank(cells) => cells.push(row.rank.map(|rank| rank.0 as i64)),
            Column::Distance(at, cells) => cells.push(row.distances[*at].map(|n| n as i32)),
            Column::LastMove(cells) => cells.push(row.last_move.map(|mv| text(row.board.notation(mv)))),
            Column::Whole(at, cells) => cells.push(value(row.labels[*at]).ceil().map(|n| n as i32)),
            Column::Condition(at, cells) => cells.push(Some(value(row.labels[*at]) > Value::ZERO)),
            Column::Real(at, cells) => cells.push(Some(value(row.labels[*at]).as_f64())),
        }
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self {
            Column::Board(cells) | Column::LastMove(cells) => cells.write(group),
            Column::Rank(cells) => cells.write(group),
            Column::Distance(_, cells) | Column::Whole(_, cells) => cells.write(group),
            Column::Condition(_, cells) => cells.write(group),
            Column::Real(_, cells) => cells.write(group),
        }
    }
}

/// A condition that holds counts 1, as in a search.
fn value(label: Label) -> Value {
    match label {
        Label::Guess(value) => value,
        Label::Condition(holds) => Value::from(u32::from(holds)),
    }
}

/// Values of a column, without those that are null.
struct Cells<T: DataType> {
    values: Vec<T::T>,
    /// By row: 1, or 0 for a null.
    levels: Vec<i16>,
}

impl<T: DataType> Cells<T> {
    fn new() -> Cells<T> {
        Cells { values: Vec::new(), levels: Vec::new() }
    }

    fn push(&mut self, value: Option<T::T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let mut column = group.next_column()?.expect("the file has the columns of the schema");
        column.typed::<T>().write_batch(&self.values, Some(&self.levels), None)?;
        self.values.clear();
        self.levels.clear();
        column.close()
    }
}

/// The columns in order, each with its description for readers.
fn columns(schema: &Schema) -> Result<Vec<(Column, Type)>, ParquetError> {
    const OPTIONAL: Repetition = Repetition::OPTIONAL;
    const REQUIRED: Repetition = Repetition::REQUIRED;
    let small = LogicalType::integer(16, true);

    let mut columns = vec![
        (
            Column::Board(Cells::new()),
            field("board", Physical::BYTE_ARRAY, Some(LogicalType::String), REQUIRED)?,
        ),
        (Column::Rank(Cells::new()), field("rank", Physical::INT64, None, OPTIONAL)?),
    ];
    for (at, metric) in schema.metrics.iter().enumerate() {
        let field = field(&metric.to_string(), Physical::INT32, Some(small.clone()), OPTIONAL)?;
        columns.push((Column::Distance(at, Cells::new()), field));
    }
    if schema.needs_last_move() {
        let field = field("last_move", Physical::BYTE_ARRAY, Some(LogicalType::String), OPTIONAL)?;
        columns.push((Column::LastMove(Cells::new()), field));
    }
    for (at, heuristic) in schema.heuristics.iter().enumerate() {
        let (column, physical, repetition) = match heuristic {
            Heuristic::Measure(_) | Heuristic::Perfect => {
                (Column::Whole(at, Cells::new()), Physical::INT32, OPTIONAL)
            }
            Heuristic::Condition(_) => (Column::Condition(at, Cells::new()), Physical::BOOLEAN, REQUIRED),
            Heuristic::Max(_) | Heuristic::Sum(_) => {
                (Column::Real(at, Cells::new()), Physical::DOUBLE, REQUIRED)
            }
        };
        columns.push((column, field(&heuristic.to_string(), physical, None, repetition)?));
    }
    Ok(columns)
}

fn field(
    name: &str,
    physical: Physical,
    logical: Option<LogicalType>,
    repetition: Repetition,
) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()
}

fn properties(about: &About) -> Result<WriterProperties, ParquetError> {
    let named = [("name", &about.name), ("description", &about.description)];
    let facts = about.facts.iter().map(|(key, text)| (key.as_str(), text));
    let said = named
        .into_iter()
        .chain(facts)
        .map(|(key, text)| KeyValue::new(format!("tailback.{key}"), text.clone()));
    Ok(WriterProperties::builder()
        .set_created_by(format!("tailback {OUR_VERSION}"))
        .set_key_value_metadata(Some(said.collect()))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        // Figures of each page would grow with the rows, in memory.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        // Nearly every board comes once.
        .set_column_dictionary_enabled(ColumnPath::from("board"), false)
        .set_column_dictionary_enabled(ColumnPath::from("rank"), false)
        .build())
}

/// What went wrong with the file itself, without the wrapping.
fn plain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
