//! The columns: their types, and the values that wait to be written.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::{Type, TypePtr};

use crate::dataset::{ExtraValue, Label, Row, Schema};
use crate::formula::Heuristic;
use crate::search::Value;

/// The greatest distance: readers are told that they need 16 bits. Signed
/// ones, so that a guess less a distance comes out right.
pub(super) const MOST: u32 = i16::MAX as u32;

/// A column, with its place in the rows where there are several of its sort.
pub(super) enum Column {
    Board(Cells<ByteArrayType>),
    Id(Cells<Int64Type>),
    Distance(usize, Cells<Int32Type>),
    LastMove(Cells<ByteArrayType>),
    Whole(usize, Cells<Int32Type>),
    Condition(usize, Cells<BoolType>),
    Real(usize, Cells<DoubleType>),
    Extra(usize, Cells<ByteArrayType>),
}

/// The columns in their order, each with what readers are told of it.
pub(super) fn columns(schema: &Schema) -> Result<Vec<(Column, TypePtr)>, ParquetError> {
    let text = || Some(LogicalType::String);
    let small = || Some(LogicalType::integer(16, true));
    let (optional, required) = (Repetition::OPTIONAL, Repetition::REQUIRED);

    let mut columns = vec![
        Cells::column("board", text(), required, Column::Board)?,
        Cells::column("id", None, optional, Column::Id)?,
    ];
    for (at, metric) in schema.metrics.iter().enumerate() {
        let of_cells = |cells| Column::Distance(at, cells);
        columns.push(Cells::column(&metric.to_string(), small(), optional, of_cells)?);
    }
    if schema.needs_last_move() {
        columns.push(Cells::column("last_move", text(), optional, Column::LastMove)?);
    }
    for (at, heuristic) in schema.heuristics.iter().enumerate() {
        let name = &heuristic.to_string();
        columns.push(match heuristic {
            Heuristic::Block(block) if block.is_condition() => {
                Cells::column(name, None, required, |cells| Column::Condition(at, cells))?
            }
            Heuristic::Block(_) => Cells::column(name, None, optional, |cells| Column::Whole(at, cells))?,
            _ => Cells::column(name, None, required, |cells| Column::Real(at, cells))?,
        });
    }
    for (at, extra) in schema.extras.iter().enumerate() {
        columns.push(Cells::column(extra.name(), text(), optional, |cells| Column::Extra(at, cells))?);
    }
    Ok(columns)
}

impl Column {
    /// Takes its value of a row.
    pub fn gather(&mut self, row: &Row) {
        let text = |text: String| ByteArray::from(text.into_bytes());
        match self {
            Column::Board(cells) => cells.push(Some(text(row.subject.text().into_owned()))),
            Column::Id(cells) => cells.push(row.rank.map(|rank| rank.0 as i64)),
            Column::Distance(at, cells) => cells.push(row.distances[*at].known().map(|number| number as i32)),
            Column::LastMove(cells) => cells.push(row.last_move.clone().map(text)),
            Column::Whole(at, cells) => cells.push(value(row.labels[*at]).ceil().map(|number| number as i32)),
            Column::Condition(at, cells) => cells.push(Some(value(row.labels[*at]) > Value::ZERO)),
            Column::Real(at, cells) => cells.push(Some(value(row.labels[*at]).as_f64())),
            Column::Extra(at, cells) => cells.push(match &row.extras[*at] {
                ExtraValue::None => None,
                told => Some(text(told.to_string())),
            }),
        }
    }

    /// Writes all values that it has taken.
    pub fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self {
            Column::Board(cells) | Column::LastMove(cells) | Column::Extra(_, cells) => cells.write(group),
            Column::Id(cells) => cells.write(group),
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
pub(super) struct Cells<T: DataType> {
    values: Vec<T::T>,
    /// By row: 1, or 0 for a null.
    levels: Vec<i16>,
}

impl<T: DataType> Cells<T> {
    fn column(
        name: &str,
        logical: Option<LogicalType>,
        repetition: Repetition,
        of_cells: impl FnOnce(Cells<T>) -> Column,
    ) -> Result<(Column, TypePtr), ParquetError> {
        let field = Type::primitive_type_builder(name, T::get_physical_type())
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()?;
        Ok((of_cells(Cells { values: Vec::new(), levels: Vec::new() }), Arc::new(field)))
    }

    fn push(&mut self, value: Option<T::T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let mut column = group.next_column()?.expect("the file has these columns");
        column.typed::<T>().write_batch(&self.values, Some(&self.levels), None)?;
        self.values.clear();
        self.levels.clear();
        column.close()
    }
}
