//! A puzzle as a row of the database, and back.
//!
//! SQLite notices a broken page, but not a changed byte inside a value. So each
//! row ends with a checksum of the others, and no row is believed without it.

use std::fmt::Write;

use rusqlite::types::Type;
use rusqlite::{Row, Statement};
use zstd::bulk::{Compressor, Decompressor};

use super::Puzzle;

/// Every stored column, in the order of their values here.
pub const STORED: &str = "id, moves, steps, cars, trucks, free_cells, line_kinds, cluster_boards, \
     goal_boards, hardest_boards, optimal_solutions, optimal_first_moves, moving_vehicles, possible_moves, \
     classic, rush, board, solution, moves_histogram, checksum";

/// As many question marks.
pub const PLACES: &str = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";

/// The first columns of [`STORED`] are numbers.
const NUMBERS: usize = 16;
const BOARD: usize = NUMBERS;
const SOLUTION: usize = NUMBERS + 1;
const HISTOGRAM: usize = NUMBERS + 2;
const CHECKSUM: usize = NUMBERS + 3;

/// Level 19 saves 5 bytes of 80 and takes six times as long.
const LEVEL: i32 = 1;
/// A histogram's length: no distance is above 254.
const MOST_BYTES: usize = 4 * 256;

/// CRC-32 of the numbers, board and solution as text, each with a line break
/// behind it, and of the histogram's bytes.
fn checksum(numbers: &[i64], board: &str, solution: &str, histogram: &[u8]) -> u32 {
    let mut text = String::with_capacity(512);
    for number in numbers {
        writeln!(text, "{number}").expect("a string takes everything");
    }
    for part in [board, solution] {
        text.push_str(part);
        text.push('\n');
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(text.as_bytes());
    hasher.update(histogram);
    hasher.finalize()
}

/// SQLite has no larger numbers.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Puts puzzles into rows.
pub struct Packer(Compressor<'static>);

impl Packer {
    pub fn new() -> std::io::Result<Packer> {
        Ok(Packer(Compressor::new(LEVEL)?))
    }

    /// Inserts one row by a statement with [`PLACES`] for [`STORED`].
    pub fn insert(&mut self, statement: &mut Statement, puzzle: &Puzzle) -> rusqlite::Result<()> {
        let numbers: [i64; NUMBERS] = [
            integer(puzzle.id),
            puzzle.moves.into(),
            puzzle.steps.into(),
            puzzle.cars.into(),
            puzzle.trucks.into(),
            puzzle.free_cells.into(),
            puzzle.line_kinds.into(),
            integer(puzzle.cluster_boards()),
            puzzle.goal_boards().into(),
            puzzle.hardest_boards().into(),
            integer(puzzle.optimal_solutions),
            puzzle.optimal_first_moves.into(),
            puzzle.moving_vehicles.into(),
            puzzle.possible_moves.into(),
            puzzle.classic.into(),
            puzzle.rush.into(),
        ];
        let counts: Vec<u8> = puzzle.histogram.iter().flat_map(|count| count.to_le_bytes()).collect();
        let histogram =
            self.0.compress(&counts).map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))?;
        let checksum = checksum(&numbers, &puzzle.board, &puzzle.solution, &histogram);
        for (place, number) in numbers.iter().enumerate() {
            statement.raw_bind_parameter(place + 1, number)?;
        }
        statement.raw_bind_parameter(BOARD + 1, &puzzle.board)?;
        statement.raw_bind_parameter(SOLUTION + 1, &puzzle.solution)?;
        statement.raw_bind_parameter(HISTOGRAM + 1, &histogram)?;
        statement.raw_bind_parameter(CHECKSUM + 1, checksum)?;
        statement.raw_execute()?;
        Ok(())
    }
}

/// Makes puzzles of rows.
pub struct Unpacker(Decompressor<'static>);

impl Unpacker {
    pub fn new() -> std::io::Result<Unpacker> {
        Ok(Unpacker(Decompressor::new()?))
    }

    /// Reads a row of [`STORED`]; an error if it is not what was written.
    pub fn read(&mut self, row: &Row) -> rusqlite::Result<Puzzle> {
        let mut numbers = [0; NUMBERS];
        for (place, number) in numbers.iter_mut().enumerate() {
            *number = row.get(place)?;
        }
        let (board, solution) = (row.get_ref(BOARD)?.as_str()?, row.get_ref(SOLUTION)?.as_str()?);
        let histogram = row.get_ref(HISTOGRAM)?.as_blob()?;
        let stored: u32 = row.get(CHECKSUM)?;
        let damaged = |what: &str| {
            let what = format!("the row of puzzle {} {what}", numbers[0]);
            rusqlite::Error::FromSqlConversionFailure(CHECKSUM, Type::Integer, what.into())
        };
        if checksum(&numbers, board, solution, histogram) != stored {
            return Err(damaged("has another checksum"));
        }
        let counts = self.0.decompress(histogram, MOST_BYTES);
        let counts = counts.map_err(|_| damaged("has a histogram that zstd cannot read"))?;
        let (counts, rest) = counts.as_chunks::<4>();
        let moves = numbers[1] as usize;
        if counts.len() != moves + 1 || !rest.is_empty() {
            return Err(damaged("has a histogram of another length"));
        }
        let small = |place: usize| numbers[place] as u32;
        Ok(Puzzle {
            id: numbers[0] as u64,
            board: board.to_owned(),
            moves: small(1),
            steps: small(2),
            cars: small(3),
            trucks: small(4),
            free_cells: small(5),
            line_kinds: small(6),
            histogram: counts.iter().map(|&count| u32::from_le_bytes(count)).collect(),
            optimal_solutions: numbers[10] as u64,
            optimal_first_moves: small(11),
            solution: solution.to_owned(),
            moving_vehicles: small(12),
            possible_moves: small(13),
            classic: numbers[14] == 1,
            rush: numbers[15] == 1,
        })
    }
}
