//! The number of a board, and the board of a number.
//!
//! [`Rank`] is the stable identity of a board: documents may quote it. It
//! counts all boards of the space, solved ones included, in the order that
//! [`crate::space`] describes.
//!
//! To find the first board of block h quickly, a signature is cut into
//! *sections*: all configurations that share the placement of the primary's
//! row and of the first other row. With the first board of the section known
//! (a table file holds it), at most 6⁴ configurations are left to add up (on 7×7
//! 10⁵).

use std::iter::Sum;
use std::ops::AddAssign;
use std::sync::Mutex;

use arrayvec::ArrayVec;

use super::edges::{EdgeMasks, EdgePair};
use super::line::{MAX_OF_KIND, NO_DIGIT, PlacementId};
use super::{Blocks, MAX_SIZE, MAX_TABULATED, Position, SignatureId, Space, column_mask, count};

/// The rows, by weight, whose placements the configurations of a section share.
const SECTION_ROWS: usize = 2;

/// What the last rows by weight may take, all combinations: of the last one, of the
/// last two, of the last three.
#[derive(Default)]
struct Suffixes {
    one: ArrayVec<u64, MAX_OF_KIND>,
    two: ArrayVec<u64, { MAX_OF_KIND.pow(2) }>,
    three: ArrayVec<u64, { MAX_OF_KIND.pow(3) }>,
}

impl Suffixes {
    /// The combinations of so many rows, if they are listed.
    #[inline(always)]
    fn of(&self, rows: usize) -> Option<&[u64]> {
        match rows {
            0 => Some(&[0]),
            1 => Some(&self.one),
            2 => Some(&self.two),
            3 => Some(&self.three),
            _ => None,
        }
    }
}

/// A number of boards or of strips.
trait Count: Copy + Default + AddAssign + Sum {}
impl Count for u32 {}
impl Count for u64 {}

/// The number of a board in its space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u64);

/// Signatures that a thread counts at a time.
const SHARE: usize = 256;

/// Where a signature's boards begin and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureSize {
    /// The rank of its first board.
    pub first: u64,
    /// Its boards.
    pub boards: u32,
    /// Its boards that are not solved: the first ones.
    pub unsolved: u32,
}

/// Where a block is in its section. All positions with the same rows share it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockPlace {
    strips_before: u32,
    /// The cells that the rows take.
    taken: u64,
}

impl Space {
    /// The sizes of all signatures. The first call counts them (less than half
    /// a second for 6×6 on two cores).
    ///
    /// # Panics
    /// If the boards are not tabulated: 7×7 has 10,629,366 signatures, and counting
    /// them all takes minutes. [`Space::first_of`] tells where one begins.
    pub fn sizes(&self) -> &[SignatureSize] {
        assert!(
            self.size() <= MAX_TABULATED,
            "signatures of boards that are not tabulated are counted one by one"
        );
        self.sizes.get_or_init(|| self.count_all())
    }

    fn count_all(&self) -> Vec<SignatureSize> {
        let mut sizes = vec![SignatureSize { first: 0, boards: 0, unsolved: 0 }; self.signatures() as usize];
        let shares = Mutex::new(sizes.chunks_mut(SHARE).zip((0..).step_by(SHARE)));
        let count = || {
            let next = || shares.lock().expect("no thread panicked").next();
            while let Some((share, first)) = next() {
                for (size, id) in share.iter_mut().zip(first..) {
                    let blocks = Blocks::new(self, SignatureId(id));
                    let fits = |boards| u32::try_from(boards).expect("tabulated boards are fewer");
                    (size.boards, size.unsolved) = (fits(blocks.boards()), fits(blocks.unsolved_boards()));
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // What no thread can be started for is left to the others.
                let _ = std::thread::Builder::new().spawn_scoped(scope, count);
            }
            count();
        });
        let mut first = 0;
        for size in &mut sizes {
            size.first = first;
            first += size.boards as u64;
        }
        sizes
    }

    /// How many boards the space has.
    pub fn boards(&self) -> u64 {
        *self.boards.get_or_init(|| count::boards(self.id, &self.line))
    }

    /// The signature of a position.
    ///
    /// # Panics
    /// If the position is of another space.
    #[inline]
    pub fn signature_of(&self, position: &Position) -> SignatureId {
        self.must_have(position);
        let id = self.rows.iter().zip(&position.rows).fold(0, |id, (row, &placement)| {
            id * row.kinds() + row.kind_digit(self.line().placement(placement).kind)
        });
        SignatureId(id as u32)
    }

    /// The rank of a position.
    ///
    /// # Panics
    /// If the position is of another space.
    pub fn rank(&self, position: &Position) -> Rank {
        let id = self.signature_of(position);
        Rank(self.first_of(id) + self.number_in_signature(position))
    }

    /// The number of a position within its signature.
    ///
    /// # Panics
    /// If the position is of another space.
    pub fn number_in_signature(&self, position: &Position) -> u64 {
        self.must_have(position);
        let (before, taken) = self.before(position, 0, |taken| self.fillings(taken));
        let (strip, pair) = self.number_in_block(&position.columns, taken);
        before + u64::from(strip) * self.pairs(taken) as u64 + u64::from(pair)
    }

    /// Where the block of a position is in its section.
    #[inline]
    pub(crate) fn block_in_section(&self, position: &Position) -> BlockPlace {
        let (strips_before, taken) = self.before(position, SECTION_ROWS, |taken| self.strips(taken));
        BlockPlace { strips_before, taken }
    }

    /// The strip of a position within its signature and its number within the
    /// strip, given the number of the first strip of its section. Nothing if
    /// that number is far too large.
    #[inline]
    pub(crate) fn strip_of(
        &self,
        position: &Position,
        section_first: u32,
        block: BlockPlace,
    ) -> Option<(u32, u32)> {
        let (strip, pair) = self.number_in_block(&position.columns, block.taken);
        Some((section_first.checked_add(block.strips_before + strip)?, pair))
    }

    /// The rank of the first board of a signature.
    pub fn first_of(&self, id: SignatureId) -> u64 {
        if self.size() > MAX_TABULATED {
            return self.groups().first_of(self, id);
        }
        self.sizes()[id.0 as usize].first
    }

    /// How many boards a signature has.
    pub fn boards_of(&self, id: SignatureId) -> u64 {
        if self.size() > MAX_TABULATED {
            return Blocks::new(self, id).boards();
        }
        self.sizes()[id.0 as usize].boards.into()
    }

    /// The signature that holds a rank, if there is one.
    pub fn signature_at(&self, rank: Rank) -> Option<SignatureId> {
        if self.size() > MAX_TABULATED {
            return self.groups().signature_at(self, rank);
        }
        let sizes = self.sizes();
        let at = sizes.partition_point(|size| size.first <= rank.0).checked_sub(1)?;
        (rank.0 - sizes[at].first < u64::from(sizes[at].boards)).then_some(SignatureId(at as u32))
    }

    /// The section of its signature that a position is in.
    pub(crate) fn section_of(&self, position: &Position) -> usize {
        let [primary, next, ..] = self.rows_by_weight;
        let digit = |row: usize| self.rows[row].digit(position.rows[row]);
        digit(primary) * self.row_choices(next, position.rows[next]).len() + digit(next)
    }

    /// The sum of `count` over the configurations before the position's own
    /// that have the first `shared` rows by weight in common with it; and the
    /// cells its rows take.
    #[inline]
    fn before<N: Count>(&self, position: &Position, shared: usize, count: impl Fn(u64) -> N) -> (N, u64) {
        let rows = self.rows_by_weight();
        let mut taken = self.walls;
        for &row in &rows[..shared] {
            taken |= self.taken_by(row, position.rows[row]);
        }
        let mut suffixes = Suffixes::default();
        let last = |back: usize| {
            let row = rows[rows.len() - back];
            self.row_choices(row, position.rows[row]).iter().map(move |&p| self.taken_by(row, p))
        };
        suffixes.one.extend(last(1));
        for mask in last(2) {
            suffixes.two.extend(suffixes.one.iter().map(|m| m | mask));
        }
        if rows.len() - shared > 3 {
            for mask in last(3) {
                suffixes.three.extend(suffixes.two.iter().map(|m| m | mask));
            }
        }
        let mut sum = N::default();
        for (i, &row) in rows.iter().enumerate().skip(shared) {
            let own = position.rows[row];
            for &p in self.row_choices(row, own).iter().take_while(|&&p| p != own) {
                sum += self.after(position, &suffixes, i, taken | self.taken_by(row, p), &count);
            }
            taken |= self.taken_by(row, own);
        }
        (sum, taken)
    }

    /// The sum of `count` over all placements of the rows after the `i`th by
    /// weight, where the rows up to it take these cells.
    #[inline]
    fn after<N: Count, F: Fn(u64) -> N>(
        &self,
        position: &Position,
        suffixes: &Suffixes,
        i: usize,
        taken: u64,
        count: &F,
    ) -> N {
        if let Some(suffixes) = suffixes.of(self.size() - 1 - i) {
            return suffixes.iter().map(|&m| count(taken | m)).sum();
        }
        let row = self.rows_by_weight()[i + 1];
        let choices = self.row_choices(row, position.rows[row]).iter();
        choices.map(|&p| self.after(position, suffixes, i + 1, taken | self.taken_by(row, p), count)).sum()
    }

    /// The strip of a board with these columns inside its block, and its number in the
    /// strip.
    #[inline]
    fn number_in_block(&self, columns: &[PlacementId; MAX_SIZE], taken: u64) -> (u32, u32) {
        let pair = EdgePair { left: columns[0], right: columns[self.size() - 1] };
        let pair = EdgeMasks::of(taken, self.size()).digit(self.line(), pair);
        (self.strip_number(taken, columns) as u32, pair as u32)
    }

    /// The strip that these middle columns are in, inside its block.
    #[inline]
    fn strip_number(&self, taken: u64, columns: &[PlacementId; MAX_SIZE]) -> usize {
        let line = self.line();
        self.middle_columns().fold(0, |number, c| {
            let mask = column_mask(taken, c);
            let digit = line.digit(mask, columns[c]);
            debug_assert_ne!(digit, NO_DIGIT, "a position's vehicles do not overlap");
            number * line.fitting(mask) + digit as usize
        })
    }

    /// The middle columns of a strip of a block: the inverse.
    #[inline]
    fn set_strip_columns(&self, taken: u64, strip: usize, columns: &mut [PlacementId; MAX_SIZE]) {
        let mut rest = strip;
        for c in self.middle_columns().rev() {
            let fit = self.line().fit(column_mask(taken, c));
            columns[c] = fit[rest % fit.len()];
            rest /= fit.len();
        }
    }

    /// The placements of the same kind in the same row, in their order.
    fn row_choices(&self, row: usize, id: PlacementId) -> &[PlacementId] {
        let row = &self.rows[row];
        row.placements(row.kind_digit(self.line().placement(id).kind))
    }
}

impl Blocks<'_> {
    /// How many sections hold unsolved boards. They come first.
    pub fn unsolved_sections(&self) -> usize {
        self.unsolved() / self.section_len()
    }

    /// The first configuration of a section.
    pub fn section_start(&self, section: usize) -> usize {
        section * self.section_len()
    }

    fn section_len(&self) -> usize {
        self.stride(self.space().rows_by_weight()[1])
    }

    /// The configuration of a position of this signature.
    ///
    /// # Panics
    /// If the position is of another space.
    #[inline]
    pub fn configuration(&self, position: &Position) -> usize {
        self.space().must_have(position);
        let rows = self.space().rows.iter().zip(&position.rows).enumerate();
        rows.map(|(row, (choices, &id))| choices.digit(id) * self.stride(row)).sum()
    }

    /// The strip of a position under its configuration, counted from the first
    /// of the signature, and its number in the strip.
    pub fn strip(&self, h: usize, position: &Position) -> (u32, u32) {
        let (strip, pair) = self.space().number_in_block(&position.columns, self.taken(h));
        (self.first_strip(h) + strip, pair)
    }

    /// The number of a position of this signature.
    pub fn number(&self, position: &Position) -> u64 {
        let h = self.configuration(position);
        let (strip, pair) = self.space().number_in_block(&position.columns, self.taken(h));
        self.first(h) + u64::from(strip) * self.strip_len(h) as u64 + u64::from(pair)
    }

    /// The strip that holds a board, counted from the first of the signature,
    /// and the board's number in the strip.
    pub fn strip_at(&self, number: u64) -> (u32, u32) {
        let h = self.block_of(number);
        let (in_block, pairs) = (number - self.first(h), self.strip_len(h) as u64);
        (self.first_strip(h) + (in_block / pairs) as u32, (in_block % pairs) as u32)
    }

    /// The position of a board of this signature.
    pub fn position(&self, number: u64) -> Position {
        let h = self.block_of(number);
        let (in_block, pairs) = ((number - self.first(h)) as usize, self.strip_len(h));
        self.position_in(h, in_block / pairs, in_block % pairs)
    }

    /// The position of a board of block `h`, by its strip and its number there.
    pub fn position_in(&self, h: usize, strip: usize, pair: usize) -> Position {
        let space = self.space();
        let size = space.size();
        let mut position = Position { space: space.id, rows: [0; MAX_SIZE], columns: [0; MAX_SIZE] };
        for row in 0..size {
            position.rows[row] = self.row(row)[self.row_digit(h, row)];
        }
        let pair = self.edge_masks(h).pair(space.line(), pair);
        (position.columns[0], position.columns[size - 1]) = (pair.left, pair.right);
        space.set_strip_columns(self.taken(h), strip, &mut position.columns);
        position
    }
}

#[cfg(test)]
mod tests {
    use std::panic::AssertUnwindSafe;

    use super::*;
    use crate::space::line::Line;
    use crate::space::{SpaceId, Spaces};

    #[test]
    fn counts_are_those_of_the_design() {
        for (size, boards) in [(4, 13_146), (5, 10_492_784), (6, 40_148_868_698)] {
            let space = Space::of_size(size).expect("tabulated");
            assert_eq!(space.boards(), boards);
            let last = space.sizes().last().expect("there are signatures");
            assert_eq!(last.first + u64::from(last.boards), boards);
        }
    }

    #[test]
    fn counts_with_walls_are_those_of_the_design() {
        let sum = |walls: usize| {
            let spaces = Spaces::with_walls(6, walls..=walls).iter().collect::<Vec<SpaceId>>();
            let boards = spaces.iter().map(|&id| count::boards(id, &Line::of(6)));
            boards.fold((0, 0, 0), |(sum, some, most), boards| {
                (sum + boards, some + usize::from(boards > 0), most.max(boards))
            })
        };
        assert_eq!((sum(1).0, sum(1).1), (425_142_952_981, 34));
        assert_eq!(sum(2), (2_240_809_119_610, 561, 8_071_073_227));
    }

    #[test]
    fn signatures_add_up_with_walls() {
        for id in Spaces::with_walls(4, 0..=2).iter().chain(Spaces::with_walls(5, 1..=1).iter()) {
            let space = Space::of(id).expect("tabulated");
            let boards: u64 = space.sizes().iter().map(|size| u64::from(size.boards)).sum();
            assert_eq!(space.boards(), boards, "{id}");
        }
    }

    /// Guards programs with boards of several spaces: one of another gave a number of some
    /// other board.
    #[test]
    fn a_position_is_of_one_space() {
        let space = |walls| Space::of(SpaceId { size: 4, walls }).expect("tabulated");
        let (one, other) = (space(0), space(1));
        let position = other.position(Rank(7)).expect("in range");
        assert_eq!((position.space(), other.rank(&position)), (other.id(), Rank(7)));
        let uses: [&dyn Fn(); 6] = [
            &|| _ = one.rank(&position),
            &|| _ = one.board(&position),
            &|| _ = one.order(&position),
            &|| _ = one.kinds_in(&position),
            &|| _ = Blocks::new(&one, SignatureId(0)).number(&position),
            &|| _ = Blocks::new(&one, SignatureId(one.signatures())),
        ];
        for a_use in uses {
            assert!(std::panic::catch_unwind(AssertUnwindSafe(a_use)).is_err());
        }
    }

    #[test]
    fn rank_and_position_are_inverse() {
        for (size, step) in [(4, 1), (5, 997), (6, 91_823_713)] {
            let space = Space::of_size(size).expect("tabulated");
            for rank in (0..space.boards()).step_by(step) {
                let position = space.position(Rank(rank)).expect("in range");
                assert_eq!(space.rank(&position), Rank(rank));
                let board = space.board(&position);
                let found = space.locate(&board);
                assert_eq!(found, Ok(crate::space::Location::Inside(position)), "{board}");
            }
            assert_eq!(space.position(Rank(space.boards())), None);
        }
    }
}
