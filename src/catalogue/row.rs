//! A puzzle as a row of the database, and back.
//!
//! SQLite notices a broken page, but not a changed byte inside a value. So each
//! row ends with a checksum of the others, and no row is believed without it.

use std::fmt;
use std::io::Write;

use rusqlite::types::{ToSqlOutput, Type, ValueRef};
use rusqlite::{Row, Statement};
use zstd::bulk::{Compressor, Decompressor};

use super::column::Holds;
use super::{Column, Puzzle, Value};

/// Level 19 saves 5 bytes of 80 and takes six times as long.
const LEVEL: i32 = 1;
/// A histogram's length: no distance is above 254.
const MOST_BYTES: usize = 4 * 256;

/// The stored columns in the order of the checksum: numbers, then texts, then
/// what is compressed.
fn stored() -> Vec<Column> {
    let mut stored: Vec<Column> = Column::ALL.to_vec();
    stored.retain(|column| column.about().follows.is_none());
    stored.sort_by_key(|column| match column.about().holds {
        Holds::Histogram => 2,
        holds => u8::from(!holds.is_number()),
    });
    stored
}

/// Selects rows for an [`Unpacker`].
pub fn select(which: &str) -> String {
    let names: Vec<&str> = stored().into_iter().map(Column::name).collect();
    format!("SELECT {}, checksum FROM puzzles {which}", names.join(", "))
}

/// Inserts the rows of a [`Packer`].
pub fn insert() -> String {
    let names: Vec<&str> = stored().into_iter().map(Column::name).collect();
    let places = "?, ".repeat(names.len());
    format!("INSERT INTO puzzles ({}, checksum) VALUES ({places}?)", names.join(", "))
}

/// Adds a value to what the checksum of a row is of: numbers and texts with a
/// line break behind each, and the bytes of the histogram.
fn add(row: &mut Vec<u8>, value: ValueRef) {
    let mut add_line = |number: fmt::Arguments| writeln!(row, "{number}").expect("memory takes everything");
    match value {
        ValueRef::Null => {}
        ValueRef::Integer(number) => add_line(format_args!("{number}")),
        ValueRef::Real(number) => add_line(format_args!("{number}")),
        ValueRef::Text(text) => {
            row.extend_from_slice(text);
            row.push(b'\n');
        }
        ValueRef::Blob(bytes) => row.extend_from_slice(bytes),
    }
}

/// Puts puzzles into rows.
pub struct Packer {
    columns: Vec<Column>,
    compressor: Compressor<'static>,
}

impl Packer {
    pub fn new() -> std::io::Result<Packer> {
        Ok(Packer { columns: stored(), compressor: Compressor::new(LEVEL)? })
    }

    /// Inserts one row by the statement of [`insert`].
    pub fn insert(&mut self, statement: &mut Statement, puzzle: &Puzzle) -> rusqlite::Result<()> {
        let mut row = Vec::with_capacity(512);
        for (place, &column) in (1..).zip(&self.columns) {
            let compressed;
            let value = match puzzle.value(column) {
                Value::None => ValueRef::Null,
                // SQLite has no larger numbers.
                Value::Whole(number) => ValueRef::Integer(i64::try_from(*number).unwrap_or(i64::MAX)),
                Value::Real(number) => ValueRef::Real(*number),
                Value::Text(text) => ValueRef::Text(text.as_bytes()),
                Value::Counts(counts) => {
                    let counts: Vec<u8> =
                        counts.iter().flat_map(|&count| (count as u32).to_le_bytes()).collect();
                    compressed = (self.compressor.compress(&counts))
                        .map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))?;
                    ValueRef::Blob(&compressed)
                }
            };
            add(&mut row, value);
            statement.raw_bind_parameter(place, ToSqlOutput::Borrowed(value))?;
        }
        statement.raw_bind_parameter(self.columns.len() + 1, crc32fast::hash(&row))?;
        statement.raw_execute()?;
        Ok(())
    }
}

/// Makes puzzles of rows.
pub struct Unpacker {
    columns: Vec<Column>,
    decompressor: Decompressor<'static>,
}

impl Unpacker {
    pub fn new() -> std::io::Result<Unpacker> {
        Ok(Unpacker { columns: stored(), decompressor: Decompressor::new()? })
    }

    /// Reads a row of [`select`]; an error if it is not what was written.
    pub fn read(&mut self, row: &Row) -> rusqlite::Result<Puzzle> {
        let place = self.columns.len();
        let id = row.get_ref(0)?;
        let damaged = |what: &str| {
            let what = format!("the row of puzzle {} {what}", id.as_i64().unwrap_or(0));
            rusqlite::Error::FromSqlConversionFailure(place, Type::Integer, what.into())
        };
        let mut bytes = Vec::with_capacity(512);
        for place in 0..place {
            add(&mut bytes, row.get_ref(place)?);
        }
        if crc32fast::hash(&bytes) != row.get::<_, u32>(place)? {
            return Err(damaged("has another checksum"));
        }
        let mut values = vec![Value::None; Column::ALL.len()];
        for (place, &column) in self.columns.iter().enumerate() {
            values[column as usize] = match (column.about().holds, row.get_ref(place)?) {
                (Holds::Text | Holds::Words, value) => Value::Text(value.as_str()?.to_owned()),
                (Holds::Real, value) => Value::Real(value.as_f64()?),
                (Holds::Histogram, value) => {
                    let counts = self.decompressor.decompress(value.as_blob()?, MOST_BYTES);
                    let counts = counts.map_err(|_| damaged("has a histogram that zstd cannot read"))?;
                    let (counts, rest) = counts.as_chunks();
                    if !rest.is_empty() {
                        return Err(damaged("has a histogram of another length"));
                    }
                    Value::Counts(counts.iter().map(|&count| u32::from_le_bytes(count).into()).collect())
                }
                (_, value) => {
                    let number = u128::try_from(value.as_i64()?);
                    Value::Whole(number.map_err(|_| damaged("has a negative number"))?)
                }
            };
        }
        let puzzle = Puzzle::new(|column| std::mem::replace(&mut values[column as usize], Value::None));
        match puzzle.histogram().len() as u64 == puzzle.number(Column::Moves) + 1 {
            true => Ok(puzzle),
            false => Err(damaged("has a histogram of another length")),
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::types::Value as Cell;
    use rusqlite::{Connection, params_from_iter};

    use super::*;
    use crate::catalogue::summary::PuzzlesByMoves;

    /// A row with a right checksum, whatever its values are.
    fn read(mut row: Vec<Cell>) -> rusqlite::Result<Puzzle> {
        let mut bytes = Vec::new();
        row.iter().for_each(|cell| add(&mut bytes, cell.into()));
        row.push(i64::from(crc32fast::hash(&bytes)).into());
        let select = format!("SELECT ?{}", ", ?".repeat(row.len() - 1));
        let db = Connection::open_in_memory()?;
        db.query_row(&select, params_from_iter(row), |row| Unpacker::new().unwrap().read(row))
    }

    fn usual() -> Vec<Cell> {
        let cell = |column: Column| match column.about().holds {
            Holds::Text | Holds::Words => "A+1".to_owned().into(),
            Holds::Real => 1.5.into(),
            Holds::Histogram => zstd::bulk::compress(&[1, 0, 0, 0, 2, 0, 0, 0], LEVEL).unwrap().into(),
            _ => 1.into(),
        };
        stored().into_iter().map(cell).collect()
    }

    /// Guards against a panic: with a right checksum a row may hold anything.
    #[test]
    fn a_row_of_anything_is_read_or_refused() {
        assert_eq!(read(usual()).unwrap().histogram(), [1, 2]);
        for (place, column) in stored().into_iter().enumerate() {
            for cell in [
                Cell::Null,
                (-1).into(),
                i64::MIN.into(),
                i64::MAX.into(),
                f64::NAN.into(),
                "12".to_owned().into(),
                vec![0; 9].into(),
                zstd::bulk::compress(&[0; 4_000], LEVEL).unwrap().into(),
                zstd::bulk::compress(&[0; 7], LEVEL).unwrap().into(),
                zstd::bulk::compress(&[], LEVEL).unwrap().into(),
            ] {
                let mut row = usual();
                row[place] = cell.clone();
                let is_negative = matches!(cell, Cell::Integer(number) if number < 0);
                match read(row) {
                    Err(_) => {}
                    Ok(_) if is_negative => panic!("{column} is {cell:?}"),
                    Ok(puzzle) => {
                        PuzzlesByMoves::default().add(&puzzle);
                        assert!(Column::ALL.iter().all(|column| *puzzle.value(*column) != Value::None));
                    }
                }
            }
        }
    }
}
