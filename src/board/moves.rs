//! Moves: which slides are legal, playing them, writing and reading them.

use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use super::{Axis, Board, Metric, MoveError, Square};

/// One slide of one vehicle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Index in [`Board::vehicles`].
    pub vehicle: u8,
    /// Cells to slide: positive is right or down, negative left or up.
    pub delta: i8,
}

impl Move {
    /// The move that takes this one back.
    pub fn reversed(self) -> Move {
        // What saturates is longer than any board, and stays so.
        Move { delta: self.delta.saturating_neg(), ..self }
    }
}

/// All moves of a board. In a line of 8 the slides are never more than 8
/// (a gap cell can be reached from its two ends only), so 16 lines have at
/// most 128.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveList(ArrayVec<Move, 128>);

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = IntoMoves;

    #[inline]
    fn into_iter(self) -> IntoMoves {
        IntoMoves(self.0.into_iter())
    }
}

impl<'l> IntoIterator for &'l MoveList {
    type Item = &'l Move;
    type IntoIter = std::slice::Iter<'l, Move>;

    #[inline]
    fn into_iter(self) -> std::slice::Iter<'l, Move> {
        self.0.iter()
    }
}

/// The moves of a [`MoveList`], one after the other.
#[derive(Debug)]
pub struct IntoMoves(arrayvec::IntoIter<Move, 128>);

impl Iterator for IntoMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for IntoMoves {}

impl Metric {
    /// What a slide counts.
    pub fn cost(self, mv: Move) -> u32 {
        match self {
            Metric::Moves => 1,
            Metric::Steps => mv.delta.unsigned_abs().into(),
        }
    }
}

impl Board {
    /// All legal slides of any length, by vehicle; for each vehicle first
    /// left or up, then right or down, the short ones first.
    ///
    /// ```
    /// use tailback::board::Board;
    ///
    /// let board = Board::parse(
    ///     "..B.
    ///      AAB.
    ///      ....
    ///      ....",
    /// )?;
    /// let moves: Vec<String> = board.moves().iter().map(|&mv| board.notation(mv)).collect();
    /// assert_eq!(moves, ["B+1", "B+2"]);
    /// # Ok::<(), tailback::board::BoardError>(())
    /// ```
    pub fn moves(&self) -> MoveList {
        self.slides(self.size)
    }

    /// All legal slides by one cell, in the same order.
    pub fn steps(&self) -> MoveList {
        self.slides(1)
    }

    /// All ways to go on that cost 1 in this metric.
    pub fn moves_in(&self, metric: Metric) -> MoveList {
        match metric {
            Metric::Moves => self.moves(),
            Metric::Steps => self.steps(),
        }
    }

    /// The board after a move, if the move is legal.
    pub fn apply(&self, mv: Move) -> Result<Board, MoveError> {
        self.check(mv)?;
        let mut board = self.clone();
        board.play_unchecked(mv);
        Ok(board)
    }

    /// Plays a move that is known to be legal, for instance from
    /// [`moves`](Board::moves). An illegal one leaves a board that makes no
    /// sense, so use [`apply`](Board::apply) for moves from outside.
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let vehicle = &mut self.vehicles[usize::from(mv.vehicle)];
        vehicle.start = vehicle.start.wrapping_add_signed(mv.delta);
    }

    /// Is the move legal, and if not, why not?
    pub fn check(&self, mv: Move) -> Result<(), MoveError> {
        let Some(vehicle) = self.vehicles.get(usize::from(mv.vehicle)) else {
            return Err(MoveError::NoSuchVehicle {
                index: usize::from(mv.vehicle),
                count: self.vehicles.len(),
            });
        };
        let (letter, delta) = (vehicle.letter, mv.delta);
        if delta == 0 {
            return Err(MoveError::Nowhere { letter });
        }
        let start = i32::from(vehicle.start) + i32::from(delta);
        if start < 0 || start + i32::from(vehicle.len) > i32::from(self.size) {
            return Err(MoveError::OffBoard { letter, delta });
        }
        // Nearest cell first, so that the message names what it meets.
        for cell in 1..=delta.unsigned_abs() {
            let position = if delta > 0 { vehicle.end() - 1 + cell } else { vehicle.start - cell };
            let square = vehicle.square(position, self.size());
            if let Some(by) = self.at(square) {
                let place = square.place(self.size());
                return Err(MoveError::Blocked { letter, delta, by, place });
            }
        }
        Ok(())
    }

    /// A move as text: the letter, the sign, the cells. `B+2` is right or
    /// down by two, `C-1` left or up by one.
    ///
    /// # Panics
    /// If the board has no such vehicle.
    pub fn notation(&self, mv: Move) -> String {
        let letter = self.vehicles[usize::from(mv.vehicle)].letter;
        format!("{letter}{:+}", mv.delta)
    }

    /// A move in words, such as `B right 2` or `C up 1`.
    ///
    /// ```
    /// use tailback::board::Board;
    ///
    /// let board = Board::parse("..B. AAB. .... ....")?;
    /// let down = board.parse_move("B+2")?;
    /// assert_eq!(board.in_words(down), "B down 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the board has no such vehicle.
    pub fn in_words(&self, mv: Move) -> String {
        let vehicle = &self.vehicles[usize::from(mv.vehicle)];
        let [back, on] = directions(vehicle.axis);
        let word = if mv.delta < 0 { back } else { on };
        format!("{} {word} {}", vehicle.letter, mv.delta.unsigned_abs())
    }

    /// Reads a move in words: the letter, the direction, the number of cells.
    pub fn parse_words(&self, letter: char, word: &str, cells: i8) -> Result<Move, MoveError> {
        let vehicle = self.find(letter).ok_or(MoveError::NoSuchLetter { letter })?;
        let [back, on] = directions(self.vehicles[vehicle].axis);
        let delta = match word {
            _ if word.eq_ignore_ascii_case(on) => cells,
            _ if word.eq_ignore_ascii_case(back) => cells.saturating_neg(),
            _ => return Err(MoveError::Direction { letter, found: word.to_owned(), back, on }),
        };
        Ok(Move { vehicle: vehicle as u8, delta })
    }

    /// Reads a move such as `B+2`. It names a vehicle of this board but need
    /// not be legal; [`apply`](Board::apply) checks that.
    ///
    /// ```
    /// use tailback::board::{Board, MoveError};
    ///
    /// let board = Board::parse("..B. AAB. .... ....")?;
    /// let mv = board.parse_move("A+1")?;
    /// assert!(matches!(board.apply(mv), Err(MoveError::Blocked { by: 'B', .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let wrong = || MoveError::Notation { found: text.to_owned() };
        let mut rest = text.chars();
        let letter = rest.next().ok_or_else(wrong)?;
        let number = rest.as_str();
        let digits = number.strip_prefix(['+', '-']).ok_or_else(wrong)?;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        let delta: i8 = number.parse().map_err(|_| wrong())?;
        let vehicle = self.find(letter).ok_or(MoveError::NoSuchLetter { letter })?;
        Ok(Move { vehicle: vehicle as u8, delta })
    }

    fn slides(&self, farthest: u8) -> MoveList {
        let occupied = self.occupied();
        let mut list = MoveList::default();
        for (index, vehicle) in self.vehicles.iter().enumerate() {
            let stride = match vehicle.axis {
                Axis::Horizontal => 1,
                Axis::Vertical => self.size(),
            };
            let is_free = |square: usize| occupied & Square::new(square).bit() == 0;
            let first = vehicle.square(vehicle.start, self.size()).index();
            let last = first + (usize::from(vehicle.len) - 1) * stride;
            let vehicle_index = index as u8;

            let back = vehicle.start.min(farthest);
            for cells in (1..=back).take_while(|&c| is_free(first - usize::from(c) * stride)) {
                list.0.push(Move { vehicle: vehicle_index, delta: -(cells as i8) });
            }
            let on = (self.size - vehicle.end()).min(farthest);
            for cells in (1..=on).take_while(|&c| is_free(last + usize::from(c) * stride)) {
                list.0.push(Move { vehicle: vehicle_index, delta: cells as i8 });
            }
        }
        list
    }
}

/// The words for the two directions of a vehicle, first left or up.
fn directions(axis: Axis) -> [&'static str; 2] {
    match axis {
        Axis::Horizontal => ["left", "right"],
        Axis::Vertical => ["up", "down"],
    }
}
