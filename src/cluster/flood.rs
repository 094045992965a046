//! Which boards belong to a cluster: a flood fill in bulk.
//!
//! While the rows stand still, the columns are independent of each other: each
//! can take every placement of one *stretch*, the placements that slides
//! connect under the cells that the rows cover. So a *block*, which is the
//! rows' placements and a stretch for each column, holds the product of its
//! stretches, and any of its boards reaches all the others. Only slides of
//! rows lead from block to block.
//!
//! Blocks are far fewer than boards, and the number of boards is known before
//! memory is taken for them.

use arrayvec::ArrayVec;

use super::ClusterError;
use super::bounds::{Bounds, Reserved};
use super::family::{Family, Key, PRIMARY_LINE, lane, nibble};
use super::line::{Line, MAX_PLACEMENTS};
use super::search::BATCH_ROOM;
use super::set::{KeySet, Put};
use crate::board::Metric;

/// The blocks of a cluster.
pub(super) struct Flood<'a> {
    family: &'a Family,
    rows: Vec<Row>,
    columns: Vec<Column>,
    /// Each block as the key of its first board.
    blocks: Vec<Key>,
    set: KeySet,
    /// Boards in all blocks.
    count: usize,
    /// Memory of [`spread`](Flood::spread), kept between calls.
    found: Vec<Key>,
    reserved: Reserved,
}

/// Blocks between two questions whether to stop.
pub(super) const ASK_EVERY: usize = 1 << 10;

/// A row that can change.
struct Row {
    line: usize,
    place: u8,
    /// Placements one step away: entry `placement << size | covered`.
    targets: Vec<u16>,
    /// What each placement covers, in the lanes of the columns.
    cover: ArrayVec<u64, MAX_PLACEMENTS>,
}

/// A column that can change.
struct Column {
    line: usize,
    place: u8,
    /// The stretch of a placement: entry `placement << size | covered`.
    stretches: Vec<u16>,
    /// For each row, the placements that leave its cell free.
    free: [u16; 8],
}

/// A stretch for each column.
type Stretches = ArrayVec<u16, 8>;

impl<'a> Flood<'a> {
    /// Fills the cluster of a board; an error if it is out of bounds.
    pub fn fill(family: &'a Family, start: Key, bounds: Bounds) -> Result<Flood<'a>, ClusterError> {
        let mut reserved = bounds.reserve();
        let row_lines = [PRIMARY_LINE].into_iter().chain(family.columns_end..family.lines.len());
        let column_lines = 1..family.columns_end;
        let mut flood = Flood {
            family,
            rows: row_lines.map(|line| Row::new(line, &family.lines[line])).collect(),
            columns: column_lines.map(|line| Column::new(line, &family.lines[line], family.size())).collect(),
            blocks: Vec::new(),
            set: KeySet::with_room(super::FIRST_ROOM, &mut reserved)?,
            count: 0,
            found: Vec::new(),
            reserved,
        };
        flood.add(flood.block_of(start))?;
        let mut next = 0;
        while next < flood.blocks.len() {
            if next % ASK_EVERY == 0 && bounds.observer.wants_stop() {
                return Err(ClusterError::Stopped);
            }
            flood.spread(flood.blocks[next])?;
            if flood.count > bounds.boards {
                return Err(ClusterError::TooLarge { limit: bounds.boards });
            }
            next += 1;
        }
        Ok(flood)
    }

    /// Boards in the cluster.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All goal boards, in a list that has room to the end of a search from them.
    pub fn goals(&self, reserved: &mut Reserved) -> Result<Vec<Key>, ClusterError> {
        // The primary's placement is the same all over a block.
        self.boards(reserved, |block| self.family.is_goal(block))
    }

    /// The boards of all blocks that `choose` takes.
    pub fn boards(
        &self,
        reserved: &mut Reserved,
        choose: impl Fn(Key) -> bool,
    ) -> Result<Vec<Key>, ClusterError> {
        let mut boards = Vec::new();
        // A search makes room for a batch before it knows which of it are new.
        reserved.grow_to(&mut boards, self.count + BATCH_ROOM)?;
        for &block in self.blocks.iter().filter(|&&block| choose(block)) {
            let from = boards.len();
            boards.push(block);
            // The product grows column by column; a block is its own first
            // board, so its placement is there already.
            for (column, stretch) in self.columns.iter().zip(self.stretches(block, self.covered(block))) {
                let to = boards.len();
                let first = stretch.trailing_zeros();
                for placement in placements(stretch & (stretch - 1)) {
                    let change = (first as Key ^ placement as Key) << (4 * column.line);
                    for index in from..to {
                        boards.push(boards[index] ^ change);
                    }
                }
            }
        }
        Ok(boards)
    }

    /// Adds all blocks that are one step of a row away.
    fn spread(&mut self, block: Key) -> Result<(), ClusterError> {
        let covered = self.covered(block);
        let stretches = self.stretches(block, covered);
        let size = self.family.size();
        let mut found = std::mem::take(&mut self.found);
        for row in &self.rows {
            // A cell is in the way if its column cannot leave it free.
            let free = |column: &Column, stretch: u16| stretch & column.free[usize::from(row.place)];
            let mut blocked = lane(self.family.fixed.by_row, row.place);
            for (column, &stretch) in self.columns.iter().zip(&stretches) {
                blocked |= usize::from(free(column, stretch) == 0) << column.place;
            }
            let now = nibble(block, row.line);
            for to in placements(row.targets[now << size | blocked]) {
                let covered = covered & !row.cover[now] | row.cover[to];
                let changed = row.cover[now] ^ row.cover[to];
                let mut after: ArrayVec<Key, MAX_PLACEMENTS> = ArrayVec::new();
                after.push(block ^ ((now ^ to) as Key) << (4 * row.line));
                for (column, &stretch) in self.columns.iter().zip(&stretches) {
                    if lane(changed, column.place) == 0 {
                        continue;
                    }
                    // The column that the row has left keeps one stretch; the
                    // one it has entered may fall into several.
                    let mut rest = free(column, stretch);
                    let mut firsts: ArrayVec<Key, MAX_PLACEMENTS> = ArrayVec::new();
                    while rest != 0 {
                        let next = rest.trailing_zeros() as usize;
                        let stretch = column.stretch(next, lane(covered, column.place), size);
                        firsts.push(Key::from(stretch.trailing_zeros()));
                        rest &= !stretch;
                    }
                    after = after
                        .iter()
                        .flat_map(|&key| {
                            let shift = 4 * column.line;
                            firsts.iter().map(move |&first| key & !(15 << shift) | first << shift)
                        })
                        .collect();
                }
                found.extend(after);
            }
        }
        for block in found.drain(..) {
            self.add(block)?;
        }
        self.found = found;
        Ok(())
    }

    fn add(&mut self, block: Key) -> Result<(), ClusterError> {
        self.set.reserve(1, &mut self.reserved)?;
        if let Put::New { .. } = self.set.put(block) {
            let stretches = self.stretches(block, self.covered(block));
            let sizes = stretches.iter().map(|stretch| stretch.count_ones() as usize);
            self.count = self.count.saturating_add(sizes.fold(1, usize::saturating_mul));
            self.reserved.grow(&mut self.blocks, 1)?;
            self.blocks.push(block);
        }
        Ok(())
    }

    /// The first board of the block of a board.
    fn block_of(&self, board: Key) -> Key {
        let mut block = board;
        for (column, stretch) in self.columns.iter().zip(self.stretches(board, self.covered(board))) {
            let shift = 4 * column.line;
            block = block & !(15 << shift) | Key::from(stretch.trailing_zeros()) << shift;
        }
        block
    }

    fn stretches(&self, board: Key, covered: u64) -> Stretches {
        let size = self.family.size();
        let columns = self.columns.iter();
        columns.map(|c| c.stretch(nibble(board, c.line), lane(covered, c.place), size)).collect()
    }

    /// What walls and rows cover, for the columns.
    fn covered(&self, board: Key) -> u64 {
        let rows = self.rows.iter();
        rows.fold(self.family.fixed.by_col, |lanes, row| lanes | row.cover[nibble(board, row.line)])
    }
}

impl Row {
    fn new(number: usize, line: &Line) -> Row {
        Row {
            line: number,
            place: line.index,
            targets: line.shape.targets(Metric::Steps).to_vec(),
            cover: (0..line.shape.placements.len()).map(|placement| line.cover(placement)).collect(),
        }
    }
}

impl Column {
    fn new(number: usize, line: &Line, size: usize) -> Column {
        let targets = line.shape.targets(Metric::Steps);
        let count = line.shape.placements.len();
        let mut stretches = vec![0; targets.len()];
        for covered in 0..1 << size {
            for from in 0..count {
                if usize::from(line.shape.placements[from].cells) & covered != 0 {
                    continue;
                }
                let (mut stretch, mut edge) = (1u16 << from, 1u16 << from);
                while edge != 0 {
                    let next = edge.trailing_zeros() as usize;
                    edge |= targets[next << size | covered] & !stretch;
                    stretch |= edge;
                    edge &= !(1 << next);
                }
                stretches[from << size | covered] = stretch;
            }
        }
        let mut free = [0; 8];
        for (row, free) in free.iter_mut().enumerate() {
            for (number, placement) in line.shape.placements.iter().enumerate() {
                *free |= u16::from(placement.cells >> row & 1 == 0) << number;
            }
        }
        Column { line: number, place: line.index, stretches, free }
    }

    fn stretch(&self, placement: usize, covered: usize, size: usize) -> u16 {
        self.stretches[placement << size | covered]
    }
}

/// The members of a set of placements.
fn placements(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}
