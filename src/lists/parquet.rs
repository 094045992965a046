//! The rows of a Parquet file, as JSON objects.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::{fmt, io};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Map, Value};

/// How such a file begins.
pub const MAGIC: &[u8] = b"PAR1";

pub fn rows(bytes: Vec<u8>) -> io::Result<Vec<String>> {
    let damaged = |why: &dyn fmt::Display| {
        io::Error::new(io::ErrorKind::InvalidData, format!("the Parquet file is damaged: {why}"))
    };
    let read = || {
        let file = SerializedFileReader::new(Bytes::from(bytes))?;
        let rows = file.get_row_iter(None)?.map(|row| {
            let columns = row?.into_columns().into_iter();
            let object: Map<String, Value> = columns.map(|(name, field)| (name, value(&field))).collect();
            Ok(Value::Object(object).to_string())
        });
        let rows: Vec<String> = rows.collect::<Result<_, ParquetError>>()?;
        match file.metadata().file_metadata().num_rows() {
            promised if promised == rows.len() as i64 => Ok(rows),
            promised => Err(ParquetError::General(format!("{} of {promised} rows are there", rows.len()))),
        }
    };
    match caught(read) {
        Ok(Ok(rows)) => Ok(rows),
        Ok(Err(ParquetError::NYI(what))) => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("Parquet of this kind is not read: {what}"),
        )),
        Ok(Err(error)) => Err(damaged(&error)),
        Err(panic) => Err(damaged(&panic)),
    }
}

/// Runs a reader that panics at some damaged bytes, and makes its panic an error that
/// nobody else hears of.
fn caught<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    thread_local!(static IS_QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                usual(info)
            }
        }));
    });
    IS_QUIET.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_QUIET.set(false);
    done.map_err(|panic: Box<dyn Any + Send>| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<&str>().unwrap_or(&"its reader gave up").to_string(),
    })
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => Value::from(*value),
        Field::Str(text) => Value::from(text.as_str()),
        Field::Bytes(bytes) => Value::from(String::from_utf8_lossy(bytes.data())),
        Field::Byte(number) => Value::from(*number),
        Field::Short(number) => Value::from(*number),
        Field::Int(number) => Value::from(*number),
        Field::Long(number) => Value::from(*number),
        Field::UByte(number) => Value::from(*number),
        Field::UShort(number) => Value::from(*number),
        Field::UInt(number) => Value::from(*number),
        Field::ULong(number) => Value::from(*number),
        Field::Float(number) => Value::from(*number),
        Field::Double(number) => Value::from(*number),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => Value::from(other.to_string()),
    }
}
