//! Which car is to reach the exit: see [`Reader::primary`](super::Reader::primary).

use std::collections::BTreeSet;

use super::Grid;
use crate::board::{Axis, BoardError, Vehicle};

/// Letters that sources give the red car.
const RED: [char; 3] = ['A', 'X', 'R'];

pub fn is_red(letter: char) -> bool {
    RED.contains(&letter.to_ascii_uppercase())
}

/// May it be the primary?
pub fn is_car(vehicle: &Vehicle) -> bool {
    vehicle.axis == Axis::Horizontal && vehicle.len == 2
}

/// The row of the exit, from 0: the third of 6×6.
pub fn exit_row(size: usize) -> usize {
    (size - 1) / 2
}

/// The letter that is said to be the primary's, as it stands in the text.
pub fn checked(letter: char, grid: &Grid) -> Result<char, BoardError> {
    let is_there = |letter: char| grid.cells.contains(&letter);
    let other = match letter.is_ascii_lowercase() {
        true => letter.to_ascii_uppercase(),
        false => letter.to_ascii_lowercase(),
    };
    match letter {
        'o' | 'x' if !is_there(letter) && !is_there(other) => {
            Err(BoardError::BadPrimaryLetter { found: letter })
        }
        'o' => Ok('O'),
        _ if !letter.is_ascii_alphabetic() => Err(BoardError::BadPrimaryLetter { found: letter }),
        _ if !is_there(letter) && is_there(other) => Ok(other),
        _ => Ok(letter),
    }
}

/// The index of the primary.
pub fn find(vehicles: &[Vehicle], size: usize, named: Option<char>) -> Result<usize, BoardError> {
    let position = |letter: char| vehicles.iter().position(|vehicle| vehicle.letter == letter);
    if let Some(letter) = named {
        // A red `x` is called `X`.
        let letter = if letter == 'x' { 'X' } else { letter };
        let has_x = position('X').is_some();
        return position(letter).ok_or(BoardError::NoPrimary { primary: letter, has_x });
    }
    let cars: Vec<usize> = (0..vehicles.len()).filter(|&index| is_car(&vehicles[index])).collect();
    let some = |test: &dyn Fn(&Vehicle) -> bool| -> Vec<usize> {
        cars.iter().copied().filter(|&index| test(&vehicles[index])).collect()
    };
    let row = |vehicle: &Vehicle| usize::from(vehicle.line);
    let red = some(&|vehicle| is_red(vehicle.letter));
    let at_exit = some(&|vehicle| row(vehicle) == exit_row(size));
    let red_at_exit = some(&|vehicle| row(vehicle) == exit_row(size) && is_red(vehicle.letter));
    // The same board upside down has its exit there.
    let red_below = some(&|vehicle| row(vehicle) == size / 2 && is_red(vehicle.letter));
    let is_at_exit = |vehicle: &Vehicle| vehicle.axis == Axis::Horizontal && row(vehicle) == exit_row(size);
    let is_free = !vehicles.iter().any(is_at_exit);
    let choice = match (&at_exit[..], &red_at_exit[..], &red[..]) {
        (_, &[one], _) if red_below.iter().all(|&other| other == one) => return Ok(one),
        (&[one], [], []) | ([], [], &[one]) => return Ok(one),
        ([], [], []) if cars.len() == 1 && is_free => return Ok(cars[0]),
        ([], [], []) => match position('A') {
            // What is wrong with it is told.
            Some(index) => return Ok(index),
            None => cars,
        },
        _ => [at_exit, red].concat(),
    };
    if choice.is_empty() {
        return Err(BoardError::NoPrimary { primary: 'A', has_x: position('X').is_some() });
    }
    let place = |index: usize| (row(&vehicles[index]) + 1, vehicles[index].letter);
    let asked: BTreeSet<(usize, char)> = choice.into_iter().map(place).collect();
    Err(BoardError::WhichPrimary { cars: asked.into_iter().map(|(row, letter)| (letter, row)).collect() })
}
