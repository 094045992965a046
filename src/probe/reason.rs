//! Why a board cannot be solved: a few vehicles that are enough.
//!
//! Taking a vehicle away never makes a board harder, since every solution stays
//! one without it. So vehicles are taken away as long as the board stays unsolvable;
//! of what is left every vehicle is needed. If fewer could do, that is looked for
//! among the smaller sets, as far as there are few of them. A column that is closed
//! for itself is looked for first.

use std::{fmt, iter};

use super::{ProbeError, Session};
use crate::board::{Axis, Board, Metric, Square, Vehicle};
use crate::cluster::{self, Bounds, ClusterError};

/// Smaller sets that are looked at: a few milliseconds with a table.
const MOST_SETS: usize = 4_000;

/// Boards that a search for one set may look at: with fewer vehicles there may be
/// more boards.
const MOST_BOARDS: usize = 1 << 20;

/// What alone makes a board unsolvable.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reason {
    /// The primary, all walls, and only the vehicles that are needed.
    pub board: Board,
    /// Their letters.
    pub vehicles: Vec<char>,
    /// Is it known that no vehicle of them can be left out? It is not if a search
    /// was too large.
    pub is_minimal: bool,
    /// In what way, where that is simple.
    pub why: Why,
}

/// Why some vehicles make a board unsolvable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A wall stands between the primary and the exit.
    Wall(Square),
    /// A vehicle in the row of the primary stands before it and can never leave.
    Ahead,
    /// A vehicle covers this cell of the primary's way wherever it stands.
    Covers(Square),
    /// The vehicles of one column cover this cell, one or another, however they
    /// stand.
    Column(Square),
    /// They hold one another.
    Together,
}

impl Session {
    /// Why a board cannot be solved; none if it can be.
    pub fn reason(&mut self, board: &Board, bounds: Bounds) -> Result<Option<Reason>, ProbeError> {
        if self.distance(board, Metric::Moves, bounds)?.0.is_solvable() {
            return Ok(None);
        }
        let mut left = self.full_column(board, bounds)?.unwrap_or_else(|| board.clone());
        let mut is_minimal = true;
        for letter in farthest_first(&left) {
            let less = without(&left, letter);
            match self.is_unsolvable(&less, bounds)? {
                Some(true) => left = less,
                Some(false) => {}
                None => is_minimal = false,
            }
        }
        let left = self.smaller(board, left, bounds)?;
        Ok(Some(Reason { vehicles: others(&left), is_minimal, why: why(&left), board: left }))
    }

    /// The vehicles of one column that close the way alone: the simplest reason, and
    /// that of nearly half of the unsolvable boards of 6×6.
    fn full_column(&mut self, board: &Board, bounds: Bounds) -> Result<Option<Board>, ProbeError> {
        for column in board.primary().end()..board.size() as u8 {
            let is_there = |v: &&Vehicle| v.axis == Axis::Vertical && v.line == column;
            let few = part(board, board.vehicles().iter().filter(is_there));
            if few.vehicles().len() > 1 && self.is_unsolvable(&few, bounds)? == Some(true) {
                return Ok(Some(few));
            }
        }
        Ok(None)
    }

    /// None if a search was too large.
    fn is_unsolvable(&mut self, board: &Board, bounds: Bounds) -> Result<Option<bool>, ProbeError> {
        if opens_at_once(board) {
            return Ok(Some(false));
        }
        if !self.needs_search(board, Metric::Moves)? {
            return Ok(Some(!self.distance(board, Metric::Moves, bounds)?.0.is_solvable()));
        }
        let bounds = Bounds { boards: bounds.boards.min(MOST_BOARDS), ..bounds };
        match cluster::solve(board, Metric::Moves, bounds) {
            Ok(solution) => Ok(Some(solution.is_none())),
            Err(ClusterError::TooLarge { .. } | ClusterError::Memory { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A set of fewer vehicles that is enough, if there is one among the sets that
    /// are looked at. If the whole board can be solved without a vehicle, so can every
    /// part of it: that vehicle is in all sets.
    fn smaller(&mut self, board: &Board, found: Board, bounds: Bounds) -> Result<Board, ProbeError> {
        let mut needed = Vec::new();
        for letter in others(&found) {
            if self.is_unsolvable(&without(board, letter), bounds)? == Some(false) {
                needed.push(letter);
            }
        }
        let (needed, free): (Vec<Vehicle>, Vec<Vehicle>) = board
            .vehicles()
            .iter()
            .filter(|v| v.letter != board.primary().letter)
            .partition(|v| needed.contains(&v.letter));
        let mut sets = 0;
        for size in needed.len().max(1)..found.vehicles().len() - 1 {
            let mut chosen: Vec<usize> = (0..size - needed.len()).collect();
            loop {
                sets += 1;
                if sets > MOST_SETS {
                    return Ok(found);
                }
                let few = part(board, chosen.iter().map(|&index| &free[index]).chain(&needed));
                if self.is_unsolvable(&few, bounds)? == Some(true) {
                    return Ok(few);
                }
                if !next_choice(&mut chosen, free.len()) {
                    break;
                }
            }
        }
        Ok(found)
    }
}

/// The primary, all walls and some other vehicles of a board.
fn part<'v>(board: &'v Board, vehicles: impl Iterator<Item = &'v Vehicle>) -> Board {
    let vehicles: Vec<Vehicle> = iter::once(board.primary()).chain(vehicles).copied().collect();
    Board::from_parts(board.size(), board.walls(), vehicles, 0).expect("a part of a board is one")
}

/// A board without a vehicle that it has.
fn without(board: &Board, letter: char) -> Board {
    let index = board.find(letter).expect("it was not taken away");
    board.without_vehicle(index).expect("it is not the primary")
}

/// The letters of all vehicles but the primary.
fn others(board: &Board) -> Vec<char> {
    let primary = board.primary().letter;
    board.vehicles().iter().map(|vehicle| vehicle.letter).filter(|&letter| letter != primary).collect()
}

/// The next choice of rising indices below `count`, if there is one.
fn next_choice(chosen: &mut [usize], count: usize) -> bool {
    let len = chosen.len();
    let Some(place) = (0..len).rev().find(|&place| chosen[place] < count - len + place) else {
        return false;
    };
    chosen[place] += 1;
    for later in place + 1..len {
        chosen[later] = chosen[later - 1] + 1;
    }
    true
}

/// The letters of all vehicles but the primary, those far from its row first: the
/// reason is seldom among them.
fn farthest_first(board: &Board) -> Vec<char> {
    let row = board.primary().line;
    let away = |vehicle: &Vehicle| match vehicle.axis {
        Axis::Horizontal => vehicle.line.abs_diff(row),
        Axis::Vertical if (vehicle.start..vehicle.end()).contains(&row) => 0,
        Axis::Vertical => vehicle.start.abs_diff(row).min((vehicle.end() - 1).abs_diff(row)),
    };
    let primary = board.primary().letter;
    let mut vehicles: Vec<&Vehicle> = board.vehicles().iter().filter(|v| v.letter != primary).collect();
    vehicles.sort_by_key(|vehicle| std::cmp::Reverse(away(vehicle)));
    vehicles.into_iter().map(|vehicle| vehicle.letter).collect()
}

/// The cells between the primary and the exit.
fn way(board: &Board) -> impl Iterator<Item = Square> {
    let (size, primary) = (board.size(), *board.primary());
    (primary.end()..size as u8).map(move |column| primary.square(column, size))
}

/// Can everything in the primary's way leave it by one move each? Columns do not hinder
/// one another, so then the board can be solved, and no look-up is needed to see it.
fn opens_at_once(board: &Board) -> bool {
    let way = way(board).fold(0, |cells, square| cells | square.bit());
    let moves = board.moves();
    let is_in_way = |vehicle: Vehicle| vehicle.cells(board.size()) & way != 0;
    let leaves = |index: usize, vehicle: Vehicle| {
        moves.iter().any(|mv| {
            let start = vehicle.start.wrapping_add_signed(mv.delta);
            usize::from(mv.vehicle) == index && !is_in_way(Vehicle { start, ..vehicle })
        })
    };
    let mut vehicles = board.vehicles().iter().copied().enumerate();
    board.walls() & way == 0 && vehicles.all(|(index, vehicle)| !is_in_way(vehicle) || leaves(index, vehicle))
}

/// In what way the vehicles of this board make it unsolvable.
fn why(board: &Board) -> Why {
    let (size, primary) = (board.size(), board.primary());
    let row = usize::from(primary.line);
    if let Some(wall) = way(board).find(|square| board.walls() & square.bit() != 0) {
        return Why::Wall(wall);
    }
    let others: Vec<&Vehicle> = board.vehicles().iter().filter(|v| v.letter != primary.letter).collect();
    let Some(first) = others.first() else { return Why::Together };
    let is_ahead =
        |v: &&&Vehicle| v.axis == Axis::Horizontal && v.line == primary.line && v.start > primary.start;
    if others.len() == 1 && others.iter().any(|v| is_ahead(&v)) {
        return Why::Ahead;
    }
    let is_column = others.iter().all(|v| v.axis == Axis::Vertical && v.line == first.line);
    match (is_column, others.len()) {
        (true, 1) => Why::Covers(Square::at(row, usize::from(first.line), size)),
        (true, _) => Why::Column(Square::at(row, usize::from(first.line), size)),
        (false, _) => Why::Together,
    }
}

/// A sentence without a full stop.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let primary = self.board.primary().letter;
        let letters = in_words(&self.vehicles);
        match self.why {
            Why::Wall(square) => {
                write!(f, "the wall in {} stands in the way of {primary}", square.name(size))
            }
            Why::Ahead => write!(f, "{letters} stands before {primary} in its row and can never leave it"),
            Why::Covers(square) => {
                let way = if self.board.walls() == 0 {
                    "it is as long as its column allows"
                } else {
                    "it has no more room"
                };
                write!(f, "{letters} always covers {}: {way}", square.name(size))
            }
            Why::Column(square) => {
                write!(
                    f,
                    "{letters} have too little room in their column: one always covers {}",
                    square.name(size)
                )
            }
            Why::Together if self.vehicles.is_empty() => f.write_str("walls stand in the way"),
            Why::Together => write!(f, "{letters} hold one another, whatever else is taken away"),
        }
    }
}

/// `B, C and D`
fn in_words(letters: &[char]) -> String {
    let names: Vec<String> = letters.iter().map(char::to_string).collect();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
