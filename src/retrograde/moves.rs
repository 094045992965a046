//! What the search knows of moves before it sees a signature.

use std::ops::Range;

use super::edge_words::EdgeWords;
use super::isa::{EFFECTS, Outcomes};
use crate::board::Metric;
use crate::space::line::{KindId, Line, MASKS, MAX_PLACEMENTS, NO_DIGIT, PlacementId};
use crate::space::{MAX_SIZE, Space};

/// The moves on boards of one size counted in one metric: all tables that
/// solvers share. They are made together, so none can be of another metric. To
/// a column a wall is a cell that is taken, so they hold for any walls.
#[derive(Debug)]
pub struct MoveTables<'s> {
    pub(super) space: &'s Space,
    pub(super) metric: Metric,
    pub(super) edge_words: EdgeWords,
    pub(super) columns: ColumnTables,
}

impl<'s> MoveTables<'s> {
    /// Fills the tables for all spaces of the size of this one.
    pub fn new(space: &'s Space, metric: Metric) -> MoveTables<'s> {
        MoveTables {
            space,
            metric,
            edge_words: EdgeWords::new(space, metric),
            columns: ColumnTables::new(space, metric),
        }
    }

    /// The space that they were filled for.
    pub fn space(&self) -> &'s Space {
        self.space
    }

    /// What a move costs.
    pub fn metric(&self) -> Metric {
        self.metric
    }
}

/// What a move does to the digit of a middle column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effect(u8);

impl Effect {
    /// The column has nothing to do with the move.
    pub const NONE: Effect = Effect(0);

    /// A slide in a row passes the column's cell there, which must be free.
    #[inline]
    pub fn passed(row: usize) -> Effect {
        Effect(1 + 2 * row as u8)
    }

    /// A slide in a row takes the column's cell there, or frees it.
    #[inline]
    pub fn changed(row: usize) -> Effect {
        Effect(2 + 2 * row as u8)
    }

    /// One of the column's own vehicles moves: the move with this number among those that
    /// a digit has.
    #[inline]
    pub fn own(number: usize) -> Effect {
        Effect((EFFECTS - MAX_COLUMN_MOVES + number) as u8)
    }

    /// Its place among all.
    #[inline]
    pub fn number(self) -> u8 {
        self.0
    }
}

/// More than the moves that one column has.
const MAX_COLUMN_MOVES: usize = 8;
const _: () = assert!(2 * MAX_SIZE < EFFECTS - MAX_COLUMN_MOVES, "all effects have a number");

/// The digits of a middle column and what moves make of them, which depends on the
/// column's mask alone.
#[derive(Debug)]
pub(super) struct ColumnTables {
    /// By mask and digit.
    outcomes: Vec<Vec<Outcomes>>,
    /// By mask and digit: how many moves it has.
    moves: [[u8; MAX_PLACEMENTS]; MASKS],
    in_primary_row: [u64; MASKS],
    hopeless: [u8; MASKS],
}

impl ColumnTables {
    fn new(space: &Space, metric: Metric) -> ColumnTables {
        let line = space.line();
        let first_hopeless = first_hopeless_kind(line, space.primary_row());
        let mut tables = ColumnTables {
            outcomes: Vec::new(),
            moves: [[0; MAX_PLACEMENTS]; MASKS],
            in_primary_row: [0; MASKS],
            hopeless: [0; MASKS],
        };
        for mask in 0..1u8 << space.size() {
            for (digit, &p) in line.fit(mask).iter().enumerate() {
                let covers = u64::from(line.placement(p).cells >> space.primary_row() & 1);
                tables.in_primary_row[mask as usize] |= covers << digit;
                tables.moves[mask as usize][digit] = line.stops(mask, p, metric).count() as u8;
            }
            let outcomes = line.fit(mask).iter().map(|&p| outcomes(space, mask, p, metric));
            tables.outcomes.push(outcomes.collect());
            tables.hopeless[mask as usize] = line.kind_digits(mask, first_hopeless).start as u8;
        }
        tables
    }

    /// What every effect makes of some digits.
    #[inline]
    pub fn outcomes(&self, mask: u8, digits: Range<usize>) -> &[Outcomes] {
        &self.outcomes[mask as usize][digits]
    }

    /// How many moves each digit of a column has.
    #[inline]
    pub fn moves(&self, mask: u8) -> &[u8; MAX_PLACEMENTS] {
        &self.moves[mask as usize]
    }

    /// The digits whose placements cover the primary's row, as a set of bits.
    #[inline]
    pub fn in_primary_row(&self, mask: u8) -> u64 {
        self.in_primary_row[mask as usize]
    }

    /// The digit from which on all kinds always cover the primary's row: right
    /// of the primary, such a column can never let it pass.
    #[inline]
    pub fn hopeless(&self, mask: u8) -> usize {
        self.hopeless[mask as usize] as usize
    }
}

/// The digit that a column's placement has after every effect.
fn outcomes(space: &Space, mask: u8, p: PlacementId, metric: Metric) -> Outcomes {
    let line = space.line();
    let mut all = Outcomes([NO_DIGIT; EFFECTS]);
    let mut set = |effect: Effect, digit| all.0[effect.number() as usize] = digit;
    let digit = line.digit(mask, p);
    set(Effect::NONE, digit);
    for row in 0..space.size() {
        if line.placement(p).cells >> row & 1 == 0 {
            set(Effect::passed(row), digit);
            set(Effect::changed(row), line.digit(mask ^ 1 << row, p));
        }
    }
    for (number, to) in line.stops(mask, p, metric).enumerate() {
        set(Effect::own(number), line.digit(mask, to));
    }
    all
}

/// The kind from which on every kind covers a row in all its placements.
fn first_hopeless_kind(line: &Line, row: usize) -> KindId {
    let is_hopeless =
        |&kind: &KindId| line.of_kind(kind).iter().all(|&p| line.placement(p).cells >> row & 1 == 1);
    let kinds = line.kinds().len() as KindId;
    kinds - (0..kinds).rev().take_while(is_hopeless).count() as KindId
}
