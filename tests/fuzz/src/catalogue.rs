//! A catalogue with other bytes or other cells: every puzzle that it tells of
//! is right, and so is how many there are, or it is an error.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use rusqlite::Connection;
use tailback::board::Metric;
use tailback::catalogue::{self, Catalogue, Column, Puzzle, Query, Sort};
use tailback::table;

use crate::edits::{Input, edit};

const NAME: &str = "4x4-catalogue.sqlite";

/// The catalogue of 4×4 boards, and its puzzles.
static TRUTH: LazyLock<(Vec<u8>, HashMap<u64, Puzzle>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is room");
    table::build(&table::BuildOptions::new(folder.path(), 4, Metric::Moves), &()).expect("it is built");
    catalogue::build(&catalogue::BuildOptions::new(folder.path(), 4), &()).expect("it is built");
    let bytes = std::fs::read(folder.path().join(NAME)).expect("it is there");
    let puzzles = Catalogue::open(folder.path(), 4)
        .and_then(|catalogue| catalogue.select(&Query::default())?.collect::<Result<Vec<Puzzle>, _>>());
    (bytes, puzzles.expect("it is whole").into_iter().map(|puzzle| (puzzle.id(), puzzle)).collect())
});

pub fn catalogue(input: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let mut input = Input(input);
    let mut bytes = TRUTH.0.clone();
    let in_cells = input.byte() % 2 == 1;
    if !in_cells {
        edit(&mut bytes, &mut input);
    }
    let path = folder.path().join(NAME);
    std::fs::write(&path, bytes).expect("there is room");
    if in_cells {
        edit_cells(&path, &mut input);
    }
    let Ok(catalogue) = Catalogue::open(folder.path(), 4) else { return };
    for sort in [vec![], vec![Sort::falling(Column::Moves)]] {
        let query = Query { sort, ..Query::default() };
        if let Ok(count) = catalogue.count(&query) {
            assert_eq!(count, TRUTH.1.len());
        }
        let Ok(puzzles) = catalogue.select(&query) else { continue };
        for puzzle in puzzles.map_while(Result::ok) {
            assert_eq!(Some(&puzzle), TRUTH.1.get(&puzzle.id()));
        }
    }
    for (&id, puzzle) in TRUTH.1.iter().take(3) {
        if let Ok(found) = catalogue.find(id) {
            assert_eq!(found.as_ref(), Some(puzzle));
        }
    }
    let _ = (catalogue.clusters(), catalogue.totals(), catalogue.check(&()));
}

/// Cells with other numbers or texts, or rows that are gone: SQLite finds
/// nothing wrong with that.
fn edit_cells(path: &Path, input: &mut Input) {
    const COLUMNS: [(&str, &str); 22] = [
        ("about", "value"),
        ("clusters", "clusters"),
        ("clusters", "longest_moves"),
        ("clusters", "puzzles"),
        ("packed_columns", "bytes_per_puzzle"),
        ("packed_columns", "cells"),
        ("packed_columns", "checksum"),
        ("packed_columns", "chunk"),
        ("packed_columns", "name"),
        ("puzzles", "board"),
        ("puzzles", "cars"),
        ("puzzles", "checksum"),
        ("puzzles", "classic"),
        ("puzzles", "cluster_boards"),
        ("puzzles", "id"),
        ("puzzles", "line_kinds"),
        ("puzzles", "moves"),
        ("puzzles", "moves_histogram"),
        ("puzzles", "optimal_solutions"),
        ("puzzles", "solution"),
        ("totals", "puzzles"),
        ("totals", "rules"),
    ];
    let db = Connection::open(path).expect("it is there");
    for _ in 0..3 {
        if input.is_empty() {
            return;
        }
        let (table, column) = COLUMNS[usize::from(input.byte()) % COLUMNS.len()];
        let row = input.number();
        let of_row = format!("WHERE {column} = (SELECT {column} FROM {table} LIMIT 1 OFFSET {row})");
        // What the column or a rule of the file does not allow stays as it is.
        let _ = match input.byte() % 4 {
            0 => db.execute(&format!("DELETE FROM {table} {of_row}"), []),
            1 => db.execute(
                &format!("UPDATE {table} SET {column} = ?1 {of_row}"),
                [input.number() as i64 - 300],
            ),
            2 => db.execute(&format!("UPDATE {table} SET {column} = {column} + 1 {of_row}"), []),
            _ => {
                let mut bytes = vec![0; input.number() % 64];
                edit(&mut bytes, input);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let set = format!("UPDATE {table} SET {column} = ?1 {of_row}");
                db.execute(&set, [&text]).or_else(|_| db.execute(&set, [&bytes]))
            }
        };
    }
}
