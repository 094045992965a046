//! What can be wrong with a board or a move: found, expected, what to do.

// The messages say what the variants and their fields are.
#![allow(missing_docs)]

use super::{MAX_SIZE, MIN_SIZE, Place};

/// Why a text or a list of vehicles is not a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    #[error("the board is empty: write its cells row by row, for example 36 characters for a 6×6 board")]
    Empty,

    #[error(
        "a board has 16, 25, 36, 49 or 64 cells (4×4 to 8×8), but this text has {found}{}",
        stray_hint(*.stray)
    )]
    WrongLength {
        found: usize,
        /// The first character that cannot be a cell, often the cause.
        stray: Option<char>,
    },

    #[error(
        "a {size}×{size} board has rows of {size} cells, but there is a gap after {found} cells of row {row}: \
         put spaces or line breaks between whole rows only"
    )]
    BrokenRow { size: usize, row: usize, found: usize },

    #[error("row {row} has {found} {}, but the others have {size}: every row has as many cells as there are rows", cells(*.found))]
    RowLength { row: usize, found: usize, size: usize },

    #[error("there are {found} rows of {size} cells, but a board has as many rows as columns")]
    Rows { found: usize, size: usize },

    #[error("the x in {place} may be walls, or a vehicle x: write # for walls, or X for the vehicle")]
    WallsOrVehicle { place: Place },

    #[error("which car is to reach the exit, {}?", cars_in_words(.cars))]
    WhichPrimary {
        /// Letters and rows, from 1.
        cars: Vec<(char, usize)>,
    },

    #[error(
        "{found:?} in {place} is no cell: use '.' or 'o' for an empty cell, 'x' for a wall and a letter for a vehicle"
    )]
    UnknownCharacter { found: char, place: Place },

    #[error(
        "vehicle '{letter}' is bent: it starts in {place} but not all its cells are in one row or one column; \
         give two vehicles two letters"
    )]
    Bent { letter: char, place: Place },

    #[error("vehicle '{letter}' is split: it starts in {place} and has a gap; give two vehicles two letters")]
    Split { letter: char, place: Place },

    #[error(
        "vehicle '{letter}' has one cell only, in {place}, but a vehicle has at least 2; a wall is a small 'x'"
    )]
    OneCell { letter: char, place: Place },

    #[error("there is no primary '{primary}' on the board")]
    NoPrimary {
        primary: char,
        /// Is there an `X`, which many sources use for the primary?
        has_x: bool,
    },

    #[error(
        "the primary '{primary}' stands upright in column {col}, but it must lie in a row, since the exit is on the right"
    )]
    VerticalPrimary { primary: char, col: usize },

    #[error("the primary '{primary}' has {found} cells, but it must have 2")]
    PrimaryLength { primary: char, found: usize },

    #[error(
        "{found:?} cannot be the primary: choose a letter other than 'o' (empty) and 'x' (wall), for example 'A' or 'X'"
    )]
    BadPrimaryLetter { found: char },

    #[error("a board is {MIN_SIZE}×{MIN_SIZE} to {MAX_SIZE}×{MAX_SIZE}, not {found}×{found}")]
    BadSize { found: usize },

    #[error("{found:?} cannot name a vehicle: use a letter other than 'o' (empty) and 'x' (wall)")]
    BadLetter { found: char },

    #[error("two vehicles are called '{letter}': give each its own letter")]
    SameLetter { letter: char },

    #[error("vehicle '{letter}' has {found} cells, but a vehicle on this board has 2 to {size}")]
    VehicleLength { letter: char, found: usize, size: usize },

    #[error("vehicle '{letter}' does not lie within the {size}×{size} board")]
    OffBoard { letter: char, size: usize },

    #[error("vehicle '{letter}' covers {place}, which a wall or another vehicle already covers")]
    Overlap { letter: char, place: Place },

    #[error("a wall lies outside the {size}×{size} board: cell {index}, but the last one is {}", .size * .size - 1)]
    WallOffBoard { size: usize, index: usize },

    #[error("vehicle number {index} is to be the primary, but there are only {count}")]
    BadPrimaryIndex { index: usize, count: usize },
}

fn cells(count: usize) -> &'static str {
    if count == 1 { "cell" } else { "cells" }
}

/// `A in row 1, B in row 2 or X in row 3`
fn cars_in_words(cars: &[(char, usize)]) -> String {
    let car = |&(letter, row): &(char, usize)| format!("{letter} in row {row}");
    match cars {
        [rest @ .., last] if !rest.is_empty() => {
            format!("{} or {}", rest.iter().map(car).collect::<Vec<_>>().join(", "), car(last))
        }
        _ => cars.iter().map(car).collect(),
    }
}

fn stray_hint(stray: Option<char>) -> String {
    match stray {
        Some(found) => {
            format!("; {found:?} is no cell: put spaces or line breaks between rows, or nothing at all")
        }
        None => String::new(),
    }
}

/// Why a move cannot be read or played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    #[error(
        "{found:?} is no move: write the letter, the sign and the number of cells, for example B+2 (right or down) or C-1 (left or up)"
    )]
    Notation { found: String },

    #[error("'{letter}' moves {back} or {on}, not {found}")]
    Direction { letter: char, found: String, back: &'static str, on: &'static str },

    #[error("there is no vehicle '{letter}' on the board")]
    NoSuchLetter { letter: char },

    #[error("there is no vehicle number {index}: the board has {count}")]
    NoSuchVehicle { index: usize, count: usize },

    #[error("a move of '{letter}' by 0 cells is no move")]
    Nowhere { letter: char },

    #[error("'{letter}' cannot move by {delta:+}: it would leave the board")]
    OffBoard { letter: char, delta: i8 },

    #[error("'{letter}' cannot move by {delta:+}: '{by}' is in the way in {place}")]
    Blocked {
        letter: char,
        delta: i8,
        /// The vehicle in the way, or `x` for a wall.
        by: char,
        place: Place,
    },
}
