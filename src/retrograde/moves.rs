//! What the search knows of moves before it sees a signature.

use arrayvec::ArrayVec;

use super::edge_words::EdgeWords;
use crate::board::Metric;
use crate::space::line::{KindId, Line, MASKS, MAX_PLACEMENTS, NO_DIGIT};
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

/// For every placement that fits a mask, the moves that it has: how far away
/// the digits are that they lead to.
type Moves = [ArrayVec<i8, MAX_COLUMN_MOVES>; MAX_PLACEMENTS];

/// More than the moves that one column has.
pub(super) const MAX_COLUMN_MOVES: usize = 8;

/// What a slide in one row makes of the digits of a column: [`NO_DIGIT`] of those whose
/// placement covers the cell and is in the way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slid {
    /// If it takes the cell, or frees it.
    pub changed: [u8; MAX_PLACEMENTS],
    /// If it only passes.
    pub passed: [u8; MAX_PLACEMENTS],
}

impl Slid {
    fn of(line: &Line, mask: u8, row: usize) -> Slid {
        let [mut changed, mut passed] = [[NO_DIGIT; MAX_PLACEMENTS]; 2];
        for (digit, &p) in line.fit(mask).iter().enumerate() {
            changed[digit] = line.digit(mask ^ 1 << row, p);
            if line.placement(p).cells >> row & 1 == 0 {
                passed[digit] = digit as u8;
            }
        }
        Slid { changed, passed }
    }
}

/// The moves of a middle column, which depend on its mask alone.
#[derive(Debug)]
pub(super) struct ColumnTables {
    moves: Vec<Moves>,
    /// By mask and row.
    slid: Vec<[Slid; MAX_SIZE]>,
    in_primary_row: [u64; MASKS],
    hopeless: [u8; MASKS],
}

impl ColumnTables {
    fn new(space: &Space, metric: Metric) -> ColumnTables {
        let line = space.line();
        let first_hopeless = first_hopeless_kind(line, space.primary_row());
        let mut tables = ColumnTables {
            moves: Vec::new(),
            slid: Vec::new(),
            in_primary_row: [0; MASKS],
            hopeless: [0; MASKS],
        };
        for mask in 0..1u8 << space.size() {
            let mut moves: Moves = std::array::from_fn(|_| ArrayVec::new());
            for (digit, &p) in line.fit(mask).iter().enumerate() {
                let away = |to| line.digit(mask, to) as i8 - digit as i8;
                moves[digit] = line.stops(mask, p, metric).map(away).collect();
                let covers = u64::from(line.placement(p).cells >> space.primary_row() & 1);
                tables.in_primary_row[mask as usize] |= covers << digit;
            }
            tables.moves.push(moves);
            tables.slid.push(std::array::from_fn(|row| Slid::of(line, mask, row.min(space.size() - 1))));
            tables.hopeless[mask as usize] = line.kind_digits(mask, first_hopeless).start as u8;
        }
        tables
    }

    /// How far away the digits are that one move of a column leads to.
    #[inline]
    pub fn moves(&self, mask: u8, digit: usize) -> &[i8] {
        &self.moves[mask as usize][digit]
    }

    /// What a slide in a row makes of the digits.
    #[inline]
    pub fn slid(&self, mask: u8, row: usize) -> &Slid {
        &self.slid[mask as usize][row]
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

/// The kind from which on every kind covers a row in all its placements.
fn first_hopeless_kind(line: &Line, row: usize) -> KindId {
    let is_hopeless =
        |&kind: &KindId| line.of_kind(kind).iter().all(|&p| line.placement(p).cells >> row & 1 == 1);
    let kinds = line.kinds().len() as KindId;
    kinds - (0..kinds).rev().take_while(is_hopeless).count() as KindId
}
