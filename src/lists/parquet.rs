//! The rows of a Parquet file, as JSON objects.

use std::io;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Map, Value};

/// How such a file begins.
pub const MAGIC: &[u8] = b"PAR1";

pub fn rows(bytes: Vec<u8>) -> io::Result<Vec<String>> {
    let wrong = |error: parquet::errors::ParquetError| {
        io::Error::new(io::ErrorKind::InvalidData, format!("the Parquet file is damaged: {error}"))
    };
    let file = SerializedFileReader::new(Bytes::from(bytes)).map_err(wrong)?;
    let rows = file.get_row_iter(None).map_err(wrong)?;
    rows.map(|row| {
        let object: Map<String, Value> =
            row.map_err(wrong)?.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect();
        Ok(Value::Object(object).to_string())
    })
    .collect()
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
