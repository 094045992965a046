//! The Parquet form of a dataset, read back by the crate's own reader.

use crate::common;

use std::fs::File;
use std::io::{self, Read, Seek};

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::Field;
use tailback::board::{Board, Distance, Metric};
use tailback::dataset::parquet::ParquetWriter;
use tailback::dataset::{About, Label, Row, Schema, Subject};
use tailback::domains::rush_hour::VOCABULARY;
use tailback::search::Value;
use tailback::space::Rank;

use common::Full;

/// The rows of a full row group.
const GROUP: usize = 131_072;

fn schema(metrics: &[Metric], heuristics: &[&str]) -> Schema {
    Schema {
        metrics: metrics.iter().copied().collect(),
        heuristics: heuristics.iter().map(|text| VOCABULARY.read(text).unwrap()).collect(),
        extras: Vec::new(),
    }
}

fn everything() -> Schema {
    let heuristics = ["blockers", "move-freed", "max(advanced,0.5*distance)", "perfect", "blocking+0.5*zero"];
    schema(&[Metric::Moves, Metric::Steps], &heuristics)
}

fn about() -> About {
    About {
        name: "A name, \"quoted\"".to_owned(),
        description: String::new(),
        facts: vec![("seed".to_owned(), "7".to_owned()), ("rules".to_owned(), "1".to_owned())],
    }
}

fn row(text: &str, rank: Option<u64>, distances: [Option<u32>; 2], labels: [Label; 5]) -> Row {
    Row {
        subject: Subject::Board(Board::parse(text).unwrap()),
        rank: rank.map(Rank),
        distances: distances.map(Distance::from).into_iter().collect(),
        last_move: None,
        labels: labels.to_vec(),
        extras: Vec::new(),
    }
}

fn rows() -> [Row; 2] {
    let guess = |text: &str| Label::Guess(text.parse().unwrap());
    let never = Label::Guess(Value::INFINITE);
    let labels = [guess("2"), Label::Condition(true), guess("3.5"), guess("12"), guess("0.125")];
    let first = row("..B. AAB. .... ....", Some(u64::from(u32::MAX) + 1), [Some(3), Some(300)], labels);
    let labels = [never, Label::Condition(false), never, never, never];
    let second = row("..B. AAB. ..B. ...x", None, [None, None], labels);
    [Row { last_move: Some("B-2".to_owned()), ..first }, second]
}

fn written(schema: &Schema, parts: &[&[Row]]) -> File {
    let mut writer = ParquetWriter::new(tempfile::tempfile().unwrap(), schema, &about()).unwrap();
    parts.iter().for_each(|part| writer.append(part).unwrap());
    writer.finish().unwrap()
}

fn bytes(mut file: File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn reader(file: File) -> SerializedFileReader<File> {
    SerializedFileReader::new(file).unwrap()
}

fn read(file: File) -> Vec<Vec<Field>> {
    let rows = reader(file).into_iter().map(Result::unwrap);
    rows.map(|row| row.into_columns().into_iter().map(|(_, field)| field).collect()).collect()
}

#[test]
fn columns_have_their_names_and_types() {
    let reader = reader(written(&everything(), &[&rows()]));
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    let found: Vec<_> = columns
        .iter()
        .map(|column| {
            let required = column.self_type().get_basic_info().repetition() == Repetition::REQUIRED;
            (column.name(), column.physical_type(), column.logical_type_ref().cloned(), required)
        })
        .collect();
    let (text, small) = (Some(LogicalType::String), Some(LogicalType::integer(16, true)));
    let expected = [
        ("board", Physical::BYTE_ARRAY, text.clone(), true),
        ("id", Physical::INT64, None, false),
        ("moves", Physical::INT32, small.clone(), false),
        ("steps", Physical::INT32, small, false),
        ("last_move", Physical::BYTE_ARRAY, text, false),
        ("blockers", Physical::INT32, None, false),
        ("move-freed", Physical::BOOLEAN, None, true),
        ("max(advanced,0.5*distance)", Physical::DOUBLE, None, true),
        ("perfect", Physical::INT32, None, false),
        ("blocking+0.5*zero", Physical::DOUBLE, None, true),
    ];
    assert_eq!(found, expected);
}

#[test]
fn values_and_nulls_come_back() {
    let text = |text: &str| Field::Str(text.to_owned());
    let expected = [
        vec![
            text("..B.AAB........."),
            Field::Long(4_294_967_296),
            Field::Short(3),
            Field::Short(300),
            text("B-2"),
            Field::Int(2),
            Field::Bool(true),
            Field::Double(3.5),
            Field::Int(12),
            Field::Double(0.125),
        ],
        vec![
            text("..B.AAB...B....x"),
            Field::Null,
            Field::Null,
            Field::Null,
            Field::Null,
            Field::Null,
            Field::Bool(false),
            Field::Double(f64::INFINITY),
            Field::Null,
            Field::Double(f64::INFINITY),
        ],
    ];
    assert_eq!(read(written(&everything(), &[&rows()])), expected);
}

#[test]
fn only_a_condition_asks_for_the_last_move() {
    let schema = schema(&[Metric::Steps], &["blockers"]);
    let [full, _] = rows();
    let labels = full.labels[..1].to_vec();
    let row = Row { distances: [Distance::of(300)].into_iter().collect(), labels, ..full };
    let file = written(&schema, &[&[row]]);
    let names = ["board", "id", "steps", "blockers"];
    let reader = reader(file.try_clone().unwrap());
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    assert!(columns.iter().map(|column| column.name()).eq(names));
    assert_eq!(read(file)[0][2..], [Field::Short(300), Field::Int(2)]);
}

#[test]
fn the_file_says_what_it_is() {
    let reader = reader(written(&everything(), &[&rows()]));
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.created_by(), Some(concat!("tailback ", env!("CARGO_PKG_VERSION"))));
    let said = metadata.key_value_metadata().unwrap();
    let said: Vec<_> = said.iter().map(|entry| (&*entry.key, entry.value.as_deref().unwrap())).collect();
    let expected = [
        ("tailback.name", "A name, \"quoted\""),
        ("tailback.description", ""),
        ("tailback.seed", "7"),
        ("tailback.rules", "1"),
    ];
    assert_eq!(said, expected);
}

#[test]
fn pages_are_packed_and_columns_have_statistics() {
    let reader = reader(written(&everything(), &[&rows()]));
    let group = reader.metadata().row_group(0);
    for column in group.columns() {
        assert!(matches!(column.compression(), Compression::ZSTD(_)), "{}", column.column_path());
        assert!(column.statistics().is_some(), "{}", column.column_path());
    }
    let has_dictionary = |at: usize| group.column(at).encodings().any(|e| e == Encoding::RLE_DICTIONARY);
    assert_eq!([0, 1, 2, 3].map(has_dictionary), [false, false, true, true]);
    let Some(Statistics::Int32(steps)) = group.column(3).statistics() else { panic!("steps are numbers") };
    assert_eq!((steps.min_opt(), steps.max_opt(), steps.null_count_opt()), (Some(&300), Some(&300), Some(1)));
}

#[test]
fn the_bytes_do_not_depend_on_how_rows_are_handed_over() {
    let schema = everything();
    let rows: Vec<Row> = rows().into_iter().cycle().take(2 * GROUP + 5).collect();
    let whole = bytes(written(&schema, &[&rows]));
    let cut: Vec<&[Row]> = rows.chunks(777).collect();
    assert!(bytes(written(&schema, &cut)) == whole);
    let (start, rest) = rows.split_at(GROUP);
    assert!(bytes(written(&schema, &[&[], start, rest])) == whole);
    let backward: Vec<Row> = rows.iter().rev().skip(1).cloned().collect();
    assert!(bytes(written(&schema, &[&backward])) != whole);
}

#[test]
fn row_groups_are_full_but_the_last() {
    let rows: Vec<Row> = rows().into_iter().cycle().take(2 * GROUP + 5).collect();
    for (count, groups) in [(2 * GROUP + 5, vec![GROUP, GROUP, 5]), (GROUP, vec![GROUP])] {
        let reader = reader(written(&everything(), &[&rows[..count]]));
        let found = reader.metadata().row_groups().iter().map(|group| group.num_rows() as usize);
        assert_eq!(found.collect::<Vec<_>>(), groups);
        assert_eq!(reader.metadata().file_metadata().num_rows() as usize, count);
    }
}

#[test]
fn a_dataset_without_rows_is_a_file() {
    let file = written(&everything(), &[]);
    let reader = reader(file.try_clone().unwrap());
    assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    assert_eq!(reader.metadata().file_metadata().schema_descr().num_columns(), 10);
    assert!(read(file).is_empty());
}

#[test]
fn a_file_that_is_not_finished_does_not_open() {
    let mut file = tempfile::tempfile().unwrap();
    let rows: Vec<Row> = rows().into_iter().cycle().take(GROUP).collect();
    let mut writer = ParquetWriter::new(file.try_clone().unwrap(), &everything(), &about()).unwrap();
    writer.append(&rows).unwrap();
    drop(writer);
    file.rewind().unwrap();
    assert!(file.metadata().unwrap().len() > 1000);
    assert!(SerializedFileReader::new(file).is_err());
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let mut writer = ParquetWriter::new(Vec::new(), &everything(), &about()).unwrap();
    let [full, _] = rows();
    let far = Row { distances: [32_767, 32_768].map(Distance::of).into_iter().collect(), ..full.clone() };
    let error = writer.append(&[far]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert!(error.to_string().contains("up to 32767, not 32768"), "{error}");
    let short = Row { labels: Vec::new(), ..full };
    let error = writer.append(&[short]).unwrap_err();
    assert!(error.to_string().contains("2 distances and 0 labels"), "{error}");
}

#[test]
fn a_full_disk_is_told_as_such() {
    let mut writer = ParquetWriter::new(Full(100), &everything(), &about()).unwrap();
    writer.append(&rows()).unwrap();
    let error = writer.finish().map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
