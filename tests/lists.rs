//! Lists of boards that others wrote, whole and damaged.

use std::io;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tailback::lists::{Options, Record, Records};

const ROWS: [&str; 2] =
    [r#"{"board":"..B.AAB.........","moves":2}"#, r#"{"board":"....AABB.CC.....","moves":null}"#];

/// Two rows as a Parquet file.
fn parquet(compression: Compression) -> Vec<u8> {
    let schema = "message boards { required binary board (UTF8); optional int32 moves; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let mut group = file.next_row_group().unwrap();
    let boards = ["..B.AAB.........".into(), "....AABB.CC.....".into()];
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&boards, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int32Type>().write_batch(&[2], Some(&[1, 0]), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    file.into_inner().unwrap()
}

fn records(bytes: &[u8]) -> io::Result<Vec<Record>> {
    Records::new(bytes, Options::default()).collect()
}

/// Guards against "damaged" for what pandas and DuckDB write.
#[test]
fn parquet_in_all_usual_compressions() {
    let all = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::BROTLI(Default::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
    ];
    for compression in all {
        let records = records(&parquet(compression)).unwrap();
        let rows: Vec<&str> = records.iter().map(|record| record.whole().unwrap()).collect();
        assert_eq!(rows, ROWS, "{compression:?}");
    }
}

/// Guards against panics of the crate, and against rows that are missing.
#[test]
fn a_flipped_bit_of_parquet_is_an_error_or_another_value() {
    let whole = parquet(Compression::SNAPPY);
    // Without its first bytes it is no Parquet file, but lines of text.
    for bit in 8 * b"PAR1".len()..8 * whole.len() {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        match records(&bytes) {
            Ok(records) => assert_eq!(records.len(), ROWS.len(), "bit {bit}"),
            Err(error) => assert!(error.to_string().contains("Parquet"), "bit {bit}: {error}"),
        }
    }
}

/// Guards the lines behind a first one that was cut: all of them were lost with it.
#[test]
fn a_fragment_of_json_is_an_error_of_its_line_alone() {
    let whole = r#"{"board": "..B.AAB........."}"#;
    for fragment in [r#"{"board": "..B.AA"#, r#"{"board":"#, "{", r#"[{"board": "..B."#] {
        let list = format!("{fragment}\n{whole}\n{whole}\n");
        let mut records = Records::new(list.as_bytes(), Options::default());
        records.begin().unwrap();
        let form = records.form().clone();
        let is_board = |record: &Record| {
            form.entry(record.whole().unwrap()).is_ok_and(|entry| entry.board == "..B.AAB.........")
        };
        assert_eq!(records.map(Result::unwrap).filter(is_board).count(), 2, "{fragment}");
    }
    // One document with a fault far inside is one error.
    let error = records(format!("[\n{whole},\n{whole},\n{{\n").as_bytes()).unwrap_err();
    assert!(error.to_string().starts_with("this is no JSON: "), "{error}");
}
