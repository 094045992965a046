//! One row signature laid out: its horizontal configurations and where the
//! block of each begins.

use std::ops::Range;

use super::edges::EdgeMasks;
use super::line::PlacementId;
use super::{MAX_SIZE, SignatureId, Space};

/// The blocks of a signature. Building it takes one step per configuration
/// (on 6×6 at most 46,656 and 900 on average, on 7×7 ten million and 19,000).
#[derive(Debug)]
pub struct Blocks<'s> {
    space: &'s Space,
    rows: Vec<&'s [PlacementId]>,
    /// How far apart two configurations are that differ by one in a row.
    strides: [u32; MAX_SIZE],
    taken: Vec<u64>,
    first: Vec<u64>,
    first_strip: Vec<u32>,
    unsolved: usize,
}

impl<'s> Blocks<'s> {
    /// The most boards of a signature whose distances can be held: in memory, one byte a
    /// board, found by 32 bits. All signatures of tabulated
    /// boards are smaller.
    pub const MOST_BOARDS: u64 = 1 << 32;

    /// Lays out one signature.
    ///
    /// # Panics
    /// If the space has no such signature.
    pub fn new(space: &'s Space, id: SignatureId) -> Blocks<'s> {
        let rows = space.row_placements(id);
        let mut strides = [0; MAX_SIZE];
        let mut taken = vec![space.walls];
        let mut weight = rows.iter().map(|r| r.len() as u32).product::<u32>();
        for &row in space.rows_by_weight() {
            weight /= rows[row].len() as u32;
            strides[row] = weight;
            // With their number known each list is written without a look at its room.
            let mut with_row = Vec::with_capacity(taken.len() * rows[row].len());
            for above in taken {
                with_row.extend(rows[row].iter().map(|&p| above | space.taken_by(row, p)));
            }
            taken = with_row;
        }
        let mut first = Vec::with_capacity(taken.len() + 1);
        let mut first_strip = Vec::with_capacity(taken.len() + 1);
        let (mut boards, mut strips) = (0u64, 0u32);
        for &t in &taken {
            first.push(boards);
            first_strip.push(strips);
            boards += space.fillings(t);
            // Only those of large signatures of 7×7 wrap around.
            strips = strips.wrapping_add(space.strips(t));
        }
        first.push(boards);
        first_strip.push(strips);
        let primary = rows[space.primary_row()];
        let at_edge = primary.iter().filter(|&&p| space.primary_column(p) == space.size() - 2).count();
        let unsolved = (primary.len() - at_edge) * strides[space.primary_row()] as usize;
        Blocks { space, rows, strides, taken, first, first_strip, unsolved }
    }

    /// The space this belongs to.
    pub fn space(&self) -> &'s Space {
        self.space
    }

    /// How many configurations there are; there always is one.
    #[expect(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    /// How many configurations have the primary short of the right edge. They
    /// come first.
    pub fn unsolved(&self) -> usize {
        self.unsolved
    }

    /// How many boards the signature has.
    pub fn boards(&self) -> u64 {
        self.first[self.taken.len()]
    }

    /// Whether its distances can be held: it has no more than [`Blocks::MOST_BOARDS`].
    pub fn distances_fit(&self) -> bool {
        self.boards() <= Blocks::MOST_BOARDS
    }

    /// How many of its boards are not solved. They come first.
    pub fn unsolved_boards(&self) -> u64 {
        self.first[self.unsolved]
    }

    /// The number of the first board of block `h`, within the signature.
    #[inline]
    pub fn first(&self, h: usize) -> u64 {
        self.first[h]
    }

    /// The numbers of the boards of block `h`: their places in a list of all distances.
    #[inline]
    pub fn boards_in(&self, h: usize) -> Range<usize> {
        self.first[h] as usize..self.first[h + 1] as usize
    }

    /// The number of the first strip of block `h`, within the signature. Strips are
    /// numbered by 32 bits, so this is for signatures of no more than
    /// [`MOST_BOARDS`](Blocks::MOST_BOARDS).
    #[inline]
    pub fn first_strip(&self, h: usize) -> u32 {
        self.first_strip[h]
    }

    /// How many boards each strip of block `h` has.
    #[inline]
    pub fn strip_len(&self, h: usize) -> usize {
        self.space.pairs(self.taken[h])
    }

    /// The block that holds a board.
    pub fn block_of(&self, board: u64) -> usize {
        // Blocks are never empty: a column may always stay empty.
        self.first.partition_point(|&f| f <= board) - 1
    }

    /// The block that holds a strip.
    pub fn block_of_strip(&self, strip: u32) -> usize {
        self.first_strip.partition_point(|&f| f <= strip) - 1
    }

    /// The number of the first board of a strip, within the signature.
    pub fn first_in_strip(&self, strip: u32) -> u64 {
        let h = self.block_of_strip(strip);
        self.first[h] + u64::from(strip - self.first_strip[h]) * self.strip_len(h) as u64
    }

    /// Cuts a range of strips where blocks end: each block with its part.
    pub fn cut(&self, strips: Range<u32>) -> impl Iterator<Item = (usize, Range<u32>)> {
        (self.block_of_strip(strips.start)..self.len())
            .map(move |h| (h, strips.start.max(self.first_strip[h])..strips.end.min(self.first_strip[h + 1])))
            .take_while(|(_, part)| !part.is_empty())
    }

    /// The cells that the rows and walls take in a column under `h`.
    #[inline]
    pub fn mask(&self, h: usize, column: usize) -> u8 {
        super::column_mask(self.taken[h], column)
    }

    /// The cells that the rows and walls take in the edge columns under `h`.
    #[inline]
    pub fn edge_masks(&self, h: usize) -> EdgeMasks {
        EdgeMasks::of(self.taken[h], self.space.size())
    }

    /// The cells that the rows and walls take in all columns, [`MAX_SIZE`] bits each.
    #[inline]
    pub fn taken(&self, h: usize) -> u64 {
        self.taken[h]
    }

    /// The placements a row may have, in their order.
    pub fn row(&self, row: usize) -> &'s [PlacementId] {
        self.rows[row]
    }

    /// The number of row `row`'s placement under `h`.
    #[inline]
    pub fn row_digit(&self, h: usize, row: usize) -> usize {
        h / self.strides[row] as usize % self.rows[row].len()
    }

    /// The numbers of all rows' placements under one configuration after the other.
    pub fn row_digits(&self) -> impl Iterator<Item = [u8; MAX_SIZE]> {
        let mut next = [0; MAX_SIZE];
        std::iter::repeat_with(move || {
            let now = next;
            for &row in self.space.rows_by_weight().iter().rev() {
                next[row] += 1;
                if usize::from(next[row]) < self.rows[row].len() {
                    break;
                }
                next[row] = 0;
            }
            now
        })
        .take(self.len())
    }

    /// The slides of a row's vehicles out of one of its placements: for each, in
    /// one direction, the numbers of the placements it passes, nearest first,
    /// with the cell that is newly covered on the way to it. A wall ends a slide.
    pub fn slides(
        &self,
        row: usize,
        digit: usize,
    ) -> impl Iterator<Item = impl Iterator<Item = (usize, u8)>> {
        let choices = &self.space.rows[row];
        self.space.line().slides(self.rows[row][digit]).iter().map(move |slide| {
            let stops = slide.stops.iter().take_while(|(stop, _)| choices.holds(*stop));
            stops.map(|&(stop, entered)| (choices.digit(stop), entered))
        })
    }

    /// How far apart two configurations are that differ by one in `row`.
    #[inline]
    pub fn stride(&self, row: usize) -> usize {
        self.strides[row] as usize
    }
}
