//! Lists of puzzles and datasets.

use tailback::board::Reader;
use tailback::dataset::hh_evolver::{Claimed, Instance};
use tailback::lists::{Options, Records};
use tailback::puzzles::{Puzzle, PuzzleSet, RushHour, Settings};

/// Lists of any form: the reader ends, numbers rise, and what is read and written
/// again, a name and a board a line, is read the same.
pub fn list(input: &[u8]) {
    let reader = Reader::default();
    let mut records =
        Records::new(input, Options { column: None, longest: 1 << 10, has_head: input.len() % 2 == 1 });
    let (mut last, mut again, mut found) = (0, String::new(), Vec::new());
    while let Some(record) = records.next() {
        let Ok(record) = record else { break };
        assert!(record.number >= last, "record {} after {last}", record.number);
        last = record.number;
        let Ok(entry) = record.whole().and_then(|text| records.form().entry(text)) else { continue };
        let Ok(board) = reader.read(&entry.board) else { continue };
        again += &format!("{}\n", board.text());
        found.push(board);
    }
    let mut records = Records::new(again.as_bytes(), Options::default());
    let mut boards = Vec::new();
    while let Some(record) = records.next() {
        let record = record.expect("it is in memory");
        let entry = records.form().entry(record.whole().expect("it is short")).expect("it is text");
        boards.push(reader.read(&entry.board).expect("it was read before"));
    }
    assert_eq!(boards, found, "{again:?}");
    let text = String::from_utf8_lossy(input);
    let oracle = RushHour.open(Settings::default()).expect("it takes any");
    let read = |text: &str| PuzzleSet::parse("set", text, &oracle).ok();
    let puzzles = |set: PuzzleSet| -> Vec<(String, String)> {
        set.iter().map(|named| (named.name, named.puzzle.text())).collect()
    };
    let Some(set) = read(&text).map(puzzles) else { return };
    let again: String = set.iter().map(|(name, board)| format!("{name}\t{board}\n")).collect();
    assert_eq!(read(&again).map(puzzles), Some(set), "{again:?}");
}

/// Lines of a dataset of HH-Evolver: instances are read as written.
pub fn dataset(input: &[u8]) {
    for line in String::from_utf8_lossy(input).lines() {
        let Ok(instance) = Instance::parse(line) else { continue };
        let mut again = format!("\"{}\",", instance.board.replace('"', "\"\""));
        match instance.claimed {
            Claimed::Distance(distance) => again += &distance.to_string(),
            Claimed::Unsolvable => again += "Infinity",
            Claimed::NoAnswer => {}
        }
        for value in &instance.values {
            again.push(',');
            again += &value.map(|value| value.to_string()).unwrap_or_default();
        }
        assert_eq!(Instance::parse(&again), Ok(instance), "{again:?}");
    }
}
