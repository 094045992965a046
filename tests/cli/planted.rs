//! The audit of datasets finds every planted fault, whatever the shape of the file.

use crate::common;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};
use tailback::board::{Board, Metric};
use tailback::dataset::parquet::ParquetWriter;
use tailback::dataset::{About, Row, Schema, Subject};
use tempfile::TempDir;

use common::{code, stderr, stdout, tables, tailback};

const ROWS: usize = 1000;
const FAULTS: usize = 200;

/// A board and the distance that a file claims; none says that it is unsolvable.
type Claim = (String, Option<u32>);

/// Boards with their distances, some unsolvable.
fn truth() -> Vec<Claim> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("boards.csv");
    let count = ROWS.to_string();
    let args = ["export", "csv", "--size", "5", "--include-unsolvable", "--count", &count, "--out"];
    tailback(tables()).args(args).arg(&file).assert().success();
    let text = std::fs::read_to_string(file).unwrap();
    let row = |line: &str| {
        let values: Vec<&str> = line.split(',').collect();
        (values[0].to_owned(), values[2].parse().ok())
    };
    let rows: Vec<Claim> = text.lines().skip(1).map(row).collect();
    assert!(rows.len() == ROWS && rows.iter().any(|(_, distance)| distance.is_none()));
    rows
}

/// The same with so many of them wrong, and which.
fn planted(seed: u64) -> (Vec<Claim>, BTreeSet<usize>) {
    let mut rows = truth();
    let mut random = Pcg64::seed_from_u64(seed);
    let mut places: Vec<usize> = (0..ROWS).collect();
    places.shuffle(&mut random);
    // The first and the last line are the likeliest to be passed over.
    let faults: BTreeSet<usize> = places
        .into_iter()
        .filter(|place| ![0, ROWS - 1].contains(place))
        .take(FAULTS - 2)
        .chain([0, ROWS - 1])
        .collect();
    for &fault in &faults {
        let claimed = &mut rows[fault].1;
        *claimed = match *claimed {
            None => Some(random.random_range(0..20)),
            Some(_) if random.random_bool(0.1) => None,
            Some(0) => Some(random.random_range(1..20)),
            Some(distance) if random.random_bool(0.5) => Some(distance - 1),
            Some(distance) => Some(distance + random.random_range(1..3)),
        };
    }
    (rows, faults)
}

/// A distance as text, or what stands for none.
fn told(distance: Option<u32>, none: &str) -> String {
    distance.map_or(none.to_owned(), |distance| distance.to_string())
}

/// The rows as text: what stands before them, and each.
fn lines(head: &str, rows: &[Claim], line: impl Fn(&str, Option<u32>) -> String) -> Vec<u8> {
    let rows: String = rows.iter().map(|(board, distance)| line(board, *distance) + "\n").collect();
    (head.to_owned() + &rows).into_bytes()
}

fn parquet(rows: &[Claim]) -> Vec<u8> {
    let schema =
        Schema { metrics: [Metric::Moves].into_iter().collect(), heuristics: vec![], extras: vec![] };
    let row = |(board, distance): &Claim| Row {
        subject: Subject::Board(Board::parse(board).unwrap()),
        rank: None,
        distances: [(*distance).into()].into_iter().collect(),
        last_move: None,
        labels: vec![],
        extras: vec![],
    };
    let rows: Vec<Row> = rows.iter().map(row).collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut writer =
        ParquetWriter::new(File::create(file.path()).unwrap(), &schema, &About::default()).unwrap();
    writer.append(&rows).unwrap();
    writer.finish().unwrap();
    std::fs::read(file.path()).unwrap()
}

/// The lines that do not agree, from 0, and the exit code.
fn audit(file: &Path, first: usize, fix: Option<&Path>) -> (BTreeSet<usize>, i32) {
    let mut command = tailback(tables());
    command.args(["import-dataset", "--json"]).arg(file);
    if let Some(fix) = fix {
        command.arg("--fix").arg(fix);
    }
    let output = command.output().unwrap();
    let told = stdout(&output);
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, told) = told.split_last().unwrap();
    assert_eq!((&summary["lines"], told.len()), (&json!(ROWS), ROWS), "{}", stderr(&output));
    let wrong: BTreeSet<usize> = (told.iter())
        .filter(|line| line["agrees"] == false)
        .map(|line| line["line"].as_u64().unwrap() as usize - first)
        .collect();
    assert_eq!(summary["differ"], wrong.len());
    assert_eq!(summary["agree"], ROWS - wrong.len());
    (wrong, code(&output))
}

#[test]
fn in_every_shape() {
    let csv = |none: &'static str| move |board: &str, d: Option<u32>| format!("{board},{}", told(d, none));
    let (rows, faults) = planted(1);
    assert_eq!(faults.len(), FAULTS);
    let object = |board: &str, d: Option<u32>| json!({"board": board, "moves": d, "n": 7}).to_string();
    let tabs = |board: &str, d: Option<u32>| format!("7\t{board}\t{}", told(d, "inf"));
    // The name of the file, its bytes, and the number of its first line.
    let shapes = [
        ("head.csv", lines("board,moves\n", &rows, csv("")), 2),
        ("plain.csv", lines("", &rows, csv("Infinity")), 1),
        ("strange.csv", lines("what,distance\n", &rows, csv("-1")), 2),
        ("columns.tsv", lines("number\tboard\tmoves\n", &rows, tabs), 2),
        ("boards.jsonl", lines("", &rows, object), 1),
        ("boards.parquet", parquet(&rows), 1),
        ("evolver.csv", lines("A name\nand what it is, in words\n", &rows, csv("Infinity")), 3),
        ("named.csv", lines("A name\nof boards\nInstance,h*\n", &rows, csv("")), 4),
    ];
    for (name, bytes, first) in shapes {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let fixed = folder.path().join("fixed.jsonl");
        let (found, exit) = audit(&file, first, Some(&fixed));
        assert_eq!((&found, exit), (&faults, 1), "{name}");
        let (found, exit) = audit(&fixed, first, None);
        assert_eq!((found.len(), exit), (0, 0), "{name}, as it was fixed");
    }
}

/// Guards against JSON lines under the name of a Parquet file.
#[test]
fn the_rows_of_parquet_become_json_lines_only_under_such_a_name() {
    let folder = TempDir::new().unwrap();
    let [file, fixed] = ["boards.parquet", "fixed.parquet"].map(|name| folder.path().join(name));
    std::fs::write(&file, parquet(&planted(1).0)).unwrap();
    let output =
        tailback(tables()).arg("import-dataset").arg(&file).arg("--fix").arg(&fixed).output().unwrap();
    assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{}", stderr(&output));
    assert!(stderr(&output).contains("name a file for --fix that ends in .jsonl"), "{}", stderr(&output));
    assert!(!fixed.exists());
}
