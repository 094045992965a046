//! The space: every board of one size, numbered without gaps.
//!
//! A board of the space is one placement per line: N rows and N columns. The
//! kinds of its rows are its [`SignatureId`]; no move changes it. Within a
//! signature the rows' placements (a *horizontal configuration* h) leave some
//! cells of every column taken, and **given h the columns are independent of
//! each other**: the vertical placements that fit are a plain product. So a
//! board's number is
//!
//! ```text
//! first board of the signature + first board of block h + number inside the block
//! ```
//!
//! and both directions are a few table look-ups. [`blocks`] lays out one
//! signature, [`position`] turns boards into placements and back, [`rank`]
//! holds the numbers.
//!
//! Order, from the slowest to the fastest digit: the kinds of the rows from
//! the top; the placement of the primary's row (by the primary's column, so
//! that the solved boards of a signature come last); the placements of the
//! other rows from the top; the columns 1 … N−2; and last the *edge pair*,
//! columns 0 and N−1 together, by the pair of their kinds and then by their
//! placements. The boards that differ in the edge pair alone are neighbours in
//! this order: a *strip*. The edge columns come last because they are the ones
//! that horizontal vehicles leave free most often, so strips are long: the
//! search holds one in a few machine words (see [`crate::retrograde`]) and the
//! table stores one as a pattern (see [`crate::table`]).
//!
//! ```
//! use tailback::space::{Rank, Space};
//!
//! let space = Space::of_size(5).unwrap();
//! assert_eq!(space.boards(), 10_492_784);
//! let position = space.position(Rank(5_995_876)).unwrap();
//! assert_eq!(
//!     space.board(&position).to_string(),
//!     "..BBC\n\
//!      DDDEC\n\
//!      .AAEC\n\
//!      .FFF.\n\
//!      GGG..",
//! );
//! assert_eq!(space.rank(&position), Rank(5_995_876));
//! ```

pub mod blocks;
mod desk;
pub mod edges;
pub mod line;
pub mod position;
pub mod rank;

use std::sync::OnceLock;

pub use blocks::Blocks;
pub use desk::Desk;
use line::{KindId, Line, MAX_CELLS, PlacementId};
pub use position::{Location, Outside, Position};
pub use rank::{Rank, SignatureSize};

/// The most rows or columns of a tabulated board.
pub const MAX_SIZE: usize = MAX_CELLS;

/// The pairs of column masks.
const PAIRS: usize = 1 << (2 * MAX_CELLS);

/// The kinds of all rows, as one number: the top row's kind is the most
/// significant digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignatureId(pub u32);

/// The boards of one size under the rules: primary in a fixed row, cars and
/// trucks only, nothing right of the primary in its row.
#[derive(Debug)]
pub struct Space {
    size: usize,
    primary_row: usize,
    line: Line,
    /// The kinds of the primary's row: those that end in a car.
    primary_kinds: Vec<KindId>,
    /// For each of them its placements, by the primary's column.
    primary_placements: Vec<Vec<PlacementId>>,
    /// For each placement the columns it takes, [`MAX_CELLS`] bits a column.
    taken: Vec<u64>,
    /// For two neighbouring column masks, how many pairs of placements fit.
    pairs_fitting: Box<[u32; PAIRS]>,
    rows_by_weight: [usize; MAX_SIZE],
    sizes: OnceLock<Vec<SignatureSize>>,
}

impl Space {
    /// The space of boards of this size, if it is tabulated: 4, 5 or 6.
    pub fn of_size(size: usize) -> Option<&'static Space> {
        static SPACES: [OnceLock<Space>; 3] = [const { OnceLock::new() }; 3];
        let slot = SPACES.get(size.checked_sub(4)?)?;
        Some(slot.get_or_init(|| Space::new(size)))
    }

    fn new(size: usize) -> Space {
        let line = Line::new(size);
        let primary_kinds: Vec<KindId> =
            (0..line.kinds().len() as u8).filter(|&k| line.kinds()[k as usize].last() == Some(&2)).collect();
        let primary_placements = primary_kinds
            .iter()
            .map(|&k| {
                let mut ids = line.of_kind(k).to_vec();
                ids.sort_by_key(|&p| (primary_start(&line, p), p));
                ids
            })
            .collect();
        let taken = line
            .placements()
            .iter()
            .map(|p| (0..size).filter(|c| p.cells >> c & 1 == 1).fold(0, |m, c| m | 1u64 << (c * MAX_CELLS)))
            .collect();
        let fitting: Vec<u32> = (0..1u8 << MAX_CELLS).map(|m| line.fitting(m) as u32).collect();
        let one = (1 << MAX_CELLS) - 1;
        let pairs_fitting =
            Box::new(std::array::from_fn(|two| fitting[two & one] * fitting[two >> MAX_CELLS]));
        let primary_row = if size == 4 { 1 } else { 2 };
        let mut rows_by_weight = std::array::from_fn(|row| row);
        rows_by_weight[..=primary_row].rotate_right(1);
        Space {
            size,
            primary_row,
            line,
            primary_kinds,
            primary_placements,
            taken,
            pairs_fitting,
            rows_by_weight,
            sizes: OnceLock::new(),
        }
    }

    /// Rows and columns of a board.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The row of the primary, from the top.
    pub fn primary_row(&self) -> usize {
        self.primary_row
    }

    /// The tables of one line.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The columns 1 … N−2, which come before the edge pair in the order.
    pub fn middle_columns(&self) -> std::ops::Range<usize> {
        1..self.size - 1
    }

    /// How many row signatures there are.
    pub fn signatures(&self) -> u32 {
        (0..self.size).map(|row| self.kinds_of_row(row) as u32).product()
    }

    fn kinds_of_row(&self, row: usize) -> usize {
        if row == self.primary_row { self.primary_kinds.len() } else { self.line.kinds().len() }
    }

    /// The lengths in every row under a signature, from the top.
    pub fn row_kinds(&self, id: SignatureId) -> impl Iterator<Item = &[u8]> {
        self.row_placements(id).into_iter().map(|row| {
            let kind = self.line.placement(row[0]).kind;
            self.line.kinds()[kind as usize].as_slice()
        })
    }

    /// The placements of every row under a signature, in their order.
    fn row_placements(&self, id: SignatureId) -> Vec<&[PlacementId]> {
        let mut rest = id.0 as usize;
        let mut rows = vec![&[][..]; self.size];
        for row in (0..self.size).rev() {
            let kinds = self.kinds_of_row(row);
            rows[row] = if row == self.primary_row {
                &self.primary_placements[rest % kinds]
            } else {
                self.line.of_kind((rest % kinds) as u8)
            };
            rest /= kinds;
        }
        rows
    }

    /// The rows in the order of their weight in a board's number: the
    /// primary's row, then the others from the top.
    fn rows_by_weight(&self) -> &[usize] {
        &self.rows_by_weight[..self.size]
    }

    /// The column where the primary starts in a placement of its row.
    pub fn primary_column(&self, id: PlacementId) -> usize {
        primary_start(&self.line, id) as usize
    }

    /// How many ways the columns can be filled when the cells `taken` (packed,
    /// [`MAX_CELLS`] bits a column) belong to rows: the boards of a block.
    #[inline]
    fn fillings(&self, taken: u64) -> u32 {
        self.strips(taken) * self.pairs(taken) as u32
    }

    /// How many ways the edge columns can be filled: the boards of a strip.
    #[inline]
    fn pairs(&self, taken: u64) -> usize {
        let (left, right) = (column_mask(taken, 0), column_mask(taken, self.size - 1));
        self.line.fitting(left) * self.line.fitting(right)
    }

    /// How many ways the middle columns can be filled: the strips of a block.
    #[inline(always)]
    fn strips(&self, taken: u64) -> u32 {
        let pair = |column: usize| self.pairs_fitting[(taken >> (column * MAX_CELLS)) as usize % PAIRS];
        match self.size {
            4 => pair(1),
            5 => pair(1) * self.line.fitting(column_mask(taken, 3)) as u32,
            _ => pair(1) * pair(3),
        }
    }

    /// The cells that a row's placement takes, packed by column.
    #[inline]
    pub(crate) fn taken_by(&self, row: usize, id: PlacementId) -> u64 {
        self.taken[id as usize] << row
    }
}

/// The mask of one column out of the packed masks of all.
#[inline]
pub fn column_mask(taken: u64, column: usize) -> u8 {
    (taken >> (column * MAX_CELLS) & ((1 << MAX_CELLS) - 1)) as u8
}

fn primary_start(line: &Line, id: PlacementId) -> u8 {
    line.placement(id).vehicles.last().expect("the primary's row holds the primary").0
}
