//! The space: every board of one size and one set of walls, numbered without
//! gaps.
//!
//! A board of the space is one placement per line: N rows and N columns. The
//! kinds of its rows are its [`SignatureId`]; no move changes it. Within a
//! signature the rows' placements (a *horizontal configuration* h) leave some
//! cells of every column taken, as walls do, and **given h the columns are independent of
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
mod count;
pub mod edges;
mod groups;
mod id;
pub mod line;
pub mod position;
pub mod rank;
mod ranker;
mod row;
mod spaces;

use std::sync::{Arc, OnceLock};

pub use blocks::Blocks;
use edges::EdgeMasks;
use groups::Groups;
pub use id::{SpaceError, SpaceId};
use line::{Line, PAIRS, PairsFitting, PlacementId};
pub use position::{Location, Outside, Position};
pub use rank::{Rank, SignatureSize};
pub use ranker::Ranker;
use row::Row;
pub use spaces::Spaces;

/// The fewest rows and columns of a board with a number.
pub const MIN_SIZE: usize = 4;
/// The most rows and columns of a board with a number. All other bounds follow
/// from this one.
pub const MAX_SIZE: usize = 7;
/// The most rows and columns of boards that there are tables of, and catalogues that are
/// whole. Larger spaces are searched signature by signature.
pub const MAX_TABULATED: usize = 6;

/// The kinds of all rows, as one number: the top row's kind is the most
/// significant digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignatureId(pub u32);

/// The boards of one size and one set of walls under the rules: primary in a fixed row, cars and
/// trucks only, nothing right of the primary in its row.
#[derive(Debug)]
pub struct Space {
    id: SpaceId,
    primary_row: usize,
    line: Arc<Line>,
    /// What each row may hold, from the top.
    rows: Vec<Row>,
    /// The cells of the walls, [`MAX_SIZE`] bits a column.
    walls: u64,
    /// For each placement the columns it takes, [`MAX_SIZE`] bits a column.
    taken: Vec<u64>,
    /// For two neighbouring column masks, how many pairs of placements fit.
    pairs_fitting: Arc<PairsFitting>,
    /// Every cell that is in no middle column, packed the same way.
    not_middle: u64,
    rows_by_weight: [usize; MAX_SIZE],
    boards: OnceLock<u64>,
    sizes: OnceLock<Vec<SignatureSize>>,
    groups: OnceLock<Groups>,
}

impl Space {
    fn new(id: SpaceId) -> Space {
        let size = id.size;
        let line = Line::of(size);
        let primary_row = id.primary_row();
        let rows = (0..size).map(|row| Row::new(&line, id.walls_in_row(row), row == primary_row)).collect();
        let walls = (0..size).fold(0, |cells, column| {
            (0..size)
                .filter(|row| id.walls_in_row(*row) >> column & 1 == 1)
                .fold(cells, |cells, row| cells | 1 << (column * MAX_SIZE + row))
        });
        let taken = line
            .placements()
            .iter()
            .map(|p| (0..size).filter(|c| p.cells >> c & 1 == 1).fold(0, |m, c| m | 1u64 << (c * MAX_SIZE)))
            .collect();
        let pairs_fitting = line.pairs_fitting().clone();
        let not_middle = (1..size - 1).fold(u64::MAX, |cells, c| cells & !(FULL << (c * MAX_SIZE)));
        let mut rows_by_weight = std::array::from_fn(|row| row);
        rows_by_weight[..=primary_row].rotate_right(1);
        Space {
            id,
            primary_row,
            line,
            rows,
            walls,
            taken,
            pairs_fitting,
            not_middle,
            rows_by_weight,
            boards: OnceLock::new(),
            sizes: OnceLock::new(),
            groups: OnceLock::new(),
        }
    }

    /// Which space it is.
    pub fn id(&self) -> SpaceId {
        self.id
    }

    /// Rows and columns of a board.
    pub fn size(&self) -> usize {
        self.id.size
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
        1..self.size() - 1
    }

    /// How many row signatures there are. None if a wall keeps the primary from
    /// the exit wherever it stands.
    pub fn signatures(&self) -> u32 {
        self.rows.iter().map(|row| row.kinds() as u32).product()
    }

    /// The lengths in every row under a signature, from the top.
    ///
    /// # Panics
    /// If the space has no such signature.
    pub fn row_kinds(&self, id: SignatureId) -> impl Iterator<Item = &[u8]> {
        self.row_placements(id).into_iter().map(|row| {
            let kind = self.line.placement(row[0]).kind;
            self.line.kinds()[kind as usize].as_slice()
        })
    }

    /// The placements of every row under a signature, in their order.
    fn row_placements(&self, id: SignatureId) -> Vec<&[PlacementId]> {
        assert!(id.0 < self.signatures(), "signature {} of {}", id.0, self.signatures());
        let mut rest = id.0 as usize;
        let mut rows = vec![&[][..]; self.size()];
        for (placements, row) in rows.iter_mut().zip(&self.rows).rev() {
            *placements = row.placements(rest % row.kinds());
            rest /= row.kinds();
        }
        rows
    }

    /// The rows in the order of their weight in a board's number: the
    /// primary's row, then the others from the top.
    fn rows_by_weight(&self) -> &[usize] {
        &self.rows_by_weight[..self.size()]
    }

    /// The column where the primary starts in a placement of its row.
    pub fn primary_column(&self, id: PlacementId) -> usize {
        row::last_start(&self.line, id)
    }

    /// How many ways the columns can be filled when the cells `taken` (packed,
    /// [`MAX_SIZE`] bits a column) belong to rows or are walls: the boards of a block.
    #[inline]
    fn fillings(&self, taken: u64) -> u64 {
        u64::from(self.strips(taken)) * self.pairs(taken) as u64
    }

    /// How many ways the edge columns can be filled: the boards of a strip.
    #[inline]
    fn pairs(&self, taken: u64) -> usize {
        EdgeMasks::of(taken, self.size()).pairs(&self.line)
    }

    /// How many ways the middle columns can be filled: the strips of a block.
    #[inline(always)]
    fn strips(&self, taken: u64) -> u32 {
        // Where everything is taken, only the empty placement fits.
        let taken = taken | self.not_middle;
        let pair = |column: usize| self.pairs_fitting[(taken >> (column * MAX_SIZE)) as usize % PAIRS];
        let most = pair(1) * pair(3);
        // Boards that are in tables have no middle column further right.
        if self.size() > MAX_TABULATED { most * pair(5) } else { most }
    }

    /// The cells that a row's placement takes, packed by column.
    #[inline]
    pub(crate) fn taken_by(&self, row: usize, id: PlacementId) -> u64 {
        self.taken[id as usize] << row
    }
}

/// The mask of a column that is all taken.
const FULL: u64 = (1 << MAX_SIZE) - 1;

/// The mask of one column out of the packed masks of all.
#[inline]
pub fn column_mask(taken: u64, column: usize) -> u8 {
    (taken >> (column * MAX_SIZE) & FULL) as u8
}
