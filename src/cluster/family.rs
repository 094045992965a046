//! All boards with the same vehicles in the same lines, as 64-bit keys.
//!
//! A move changes one line and never its kind, so a board of a family is
//! known by the placement of each line: four bits a line, 16 lines at most.

use std::ops::Range;

use arrayvec::ArrayVec;

pub(crate) use super::line::{Line, MAX_PLACEMENTS, Shapes, Slide};

use crate::board::{Axis, Board, Metric, Vehicle};

/// A board of a family: four bits for the placement of each line. Never all
/// ones, since placement 15 does not exist.
pub(crate) type Key = u64;

/// The primary's row is the first line.
pub(crate) const PRIMARY_LINE: usize = 0;

/// At most 8 rows and 8 columns.
pub(crate) const MAX_LINES: usize = 16;

/// The lines of a board that can change: the primary's row, then columns,
/// then the other rows. The search profits from this order, see
/// [`Slides::for_each_new`].
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// The board that the family was made from.
    board: Board,
    pub lines: ArrayVec<Line, MAX_LINES>,
    /// Lines from 1 up to here, this one not included, are columns.
    pub columns_end: usize,
    /// Placements of the primary's line in which it touches the right edge.
    goals: u16,
    /// Walls, and vehicles that never move: by row and by column, a byte each.
    pub fixed: Crossing,
}

/// Cells of the board as lanes of one byte a line.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Crossing {
    pub by_row: u64,
    pub by_col: u64,
}

impl Crossing {
    fn add(&mut self, row: usize, col: usize) {
        self.by_row |= 1 << (row * 8 + col);
        self.by_col |= 1 << (col * 8 + row);
    }
}

impl Family {
    pub fn new(board: &Board) -> Family {
        Family::with(board, &mut Shapes::default())
    }

    /// With shapes that were met before.
    pub fn with(board: &Board, shapes: &mut Shapes) -> Family {
        let size = board.size();
        let mut fixed = Crossing::default();
        for row in 0..size {
            for col in 0..size {
                if board.walls() >> (row * size + col) & 1 != 0 {
                    fixed.add(row, col);
                }
            }
        }

        let primary = board.primary();
        let mut family =
            Family { board: board.clone(), lines: ArrayVec::new(), columns_end: 1, goals: 0, fixed };
        let walls = fixed;
        let row = |index| (Axis::Horizontal, index);
        let columns = (0..size as u8).rev().map(|index| (Axis::Vertical, index));
        let rows = (0..size as u8).rev().filter(|&index| index != primary.line);
        let lines = [row(primary.line)].into_iter().chain(columns);
        for (axis, index) in lines.chain(rows.map(row)) {
            let mut vehicles: ArrayVec<(u8, Vehicle), 4> = (0..)
                .zip(board.vehicles().iter().copied())
                .filter(|(_, vehicle)| vehicle.axis == axis && vehicle.line == index)
                .collect();
            if vehicles.is_empty() {
                continue;
            }
            vehicles.sort_unstable_by_key(|(_, vehicle)| vehicle.start);
            let lanes = match axis {
                Axis::Horizontal => walls.by_row,
                Axis::Vertical => walls.by_col,
            };
            let walls = lane(lanes, index) as u8;
            let line = Line::new(shapes, (axis, index), size as u8, walls, &vehicles);

            if axis == Axis::Horizontal && index == primary.line {
                family.goals = goals(&line, board);
            } else if line.shape.placements.len() == 1 {
                family.add_fixed(&line);
                continue;
            }
            family.columns_end += usize::from(axis == Axis::Vertical);
            family.lines.push(line);
        }
        family
    }

    /// The key of a board, if it is of this family.
    pub fn key(&self, board: &Board) -> Option<Key> {
        let ours = &self.board;
        let same = board.size() == ours.size()
            && board.walls() == ours.walls()
            && board.primary_index() == ours.primary_index()
            && board.vehicles().len() == ours.vehicles().len();
        let kin = |(a, b): (&Vehicle, &Vehicle)| {
            (a.letter, a.axis, a.line, a.len) == (b.letter, b.axis, b.line, b.len)
        };
        if !same || !board.vehicles().iter().zip(ours.vehicles()).all(kin) {
            return None;
        }
        let mut key = 0;
        let mut fixed = u32::MAX;
        for (index, line) in self.lines.iter().enumerate() {
            let starts: ArrayVec<u8, 4> =
                line.vehicles.iter().map(|&vehicle| board.vehicles()[usize::from(vehicle)].start).collect();
            key |= (line.shape.find(&starts)? as Key) << (4 * index);
            line.vehicles.iter().for_each(|&vehicle| fixed &= !(1 << vehicle));
        }
        // Vehicles outside the lines of the family never move.
        let mut pairs = board.vehicles().iter().zip(ours.vehicles()).enumerate();
        pairs.all(|(index, (a, b))| fixed >> index & 1 == 0 || a.start == b.start).then_some(key)
    }

    /// The board of a key of this family.
    pub fn board_of(&self, key: Key) -> Board {
        let mut vehicles: ArrayVec<Vehicle, 32> = self.board.vehicles().iter().copied().collect();
        for (index, line) in self.lines.iter().enumerate() {
            let placement = &line.shape.placements[nibble(key, index)];
            for (&vehicle, &start) in line.vehicles.iter().zip(&placement.starts) {
                vehicles[usize::from(vehicle)].start = start;
            }
        }
        let board = &self.board;
        Board::from_parts(board.size(), board.walls(), vehicles, board.primary_index())
            .expect("every key that a search meets is a legal board")
    }

    /// The slide from one board to another that differs in one line only.
    pub fn slide_between(&self, from: Key, to: Key) -> Slide {
        let index = (from ^ to).trailing_zeros() as usize / 4;
        let slide = self.lines[index].slide(nibble(from, index), nibble(to, index));
        slide.expect("two neighbours are one slide apart")
    }

    pub fn size(&self) -> usize {
        self.board.size()
    }

    #[inline]
    pub fn is_goal(&self, key: Key) -> bool {
        self.goals >> nibble(key, PRIMARY_LINE) & 1 != 0
    }

    /// Can the primary never reach the edge, wherever the others stand?
    pub fn is_hopeless(&self) -> bool {
        self.goals == 0
    }

    fn add_fixed(&mut self, line: &Line) {
        for position in 0..self.board.size() {
            if line.shape.placements[0].cells >> position & 1 != 0 {
                match line.axis {
                    Axis::Horizontal => self.fixed.add(usize::from(line.index), position),
                    Axis::Vertical => self.fixed.add(position, usize::from(line.index)),
                }
            }
        }
    }
}

/// The placement of a line.
#[inline]
pub(crate) fn nibble(key: Key, line: usize) -> usize {
    (key >> (4 * line) & 15) as usize
}

/// One byte of a [`Crossing`].
#[inline]
pub(super) fn lane(lanes: u64, index: u8) -> usize {
    (lanes >> (8 * index) & 0xff) as usize
}

fn goals(line: &Line, board: &Board) -> u16 {
    let primary = line
        .vehicles
        .iter()
        .position(|&vehicle| usize::from(vehicle) == board.primary_index())
        .expect("the primary is in its line");
    let exit = (board.size() - 2) as u8;
    (line.shape.placements.iter().enumerate())
        .filter(|(_, placement)| placement.starts[primary] == exit)
        .fold(0, |goals, (index, _)| goals | 1 << index)
}

/// The slides of a family in one metric, as tables for the search.
#[derive(Clone, Debug)]
pub(crate) struct Slides {
    size: usize,
    fixed: Crossing,
    /// How many words of four lines are in use.
    words: usize,
    lines: [[LineTables; 4]; MAX_LINES / 4],
    /// What a placement covers, in the lanes of the lines that cross it.
    cover: [[u64; MAX_PLACEMENTS + 1]; MAX_LINES],
    /// The lines that are columns.
    columns: Range<usize>,
    /// The other rows, which follow the columns.
    rows: Range<usize>,
    /// The line of each row and of each column; 0 if it has none.
    line_of_row: [u8; 8],
    line_of_column: [u8; 8],
    /// Sets of placements: entry `base + (placement << size) + covered`.
    targets: Vec<u16>,
    /// Cells that a slide of a line frees or passes: entry `from << 4 | to`.
    left: [[u8; 256]; MAX_LINES],
}

/// Where the tables of a line are.
#[derive(Clone, Copy, Default, Debug)]
struct LineTables {
    base: u32,
    /// Row or column number.
    place: u8,
    is_column: bool,
}

/// Sets of placements, 16 bits a line: one loop over the bits of a word misses
/// fewer branches than one loop a line.
type Targets = [u64; MAX_LINES / 4];

/// All placements of the lines before a line.
const BEFORE: [Targets; MAX_LINES] = {
    let mut before = [[0; MAX_LINES / 4]; MAX_LINES];
    let mut line = 0;
    while line < MAX_LINES {
        let mut earlier = 0;
        while earlier < line {
            before[line][earlier / 4] |= 0xffff << (earlier % 4 * 16);
            earlier += 1;
        }
        line += 1;
    }
    before
};

/// How a board was first reached: the line in the high four bits, and the
/// placement it had before in the low ones.
pub(crate) type Via = u8;

/// A board the search starts from. Placement 15 does not exist.
pub(crate) const FROM_NOWHERE: Via = 0x0f;
/// A goal the search starts from, together with *all* other goals of its
/// cluster. A slide outside the primary's row leads from goal to goal.
pub(super) const FROM_ALL_GOALS: Via = 0x1f;

impl Slides {
    pub fn new(family: &Family, metric: Metric) -> Slides {
        let count = family.lines.len();
        let mut slides = Slides {
            size: family.board.size(),
            fixed: family.fixed,
            words: count.div_ceil(4),
            lines: Default::default(),
            cover: [[0; MAX_PLACEMENTS + 1]; MAX_LINES],
            columns: 1..family.columns_end,
            rows: family.columns_end..count,
            line_of_row: [0; 8],
            line_of_column: [0; 8],
            // Lines that are not in use share a block without targets.
            targets: vec![0; 1 << family.board.size()],
            left: [[0; 256]; MAX_LINES],
        };
        for (index, line) in family.lines.iter().enumerate() {
            for placement in 0..line.shape.placements.len() {
                slides.cover[index][placement] = line.cover(placement);
            }
            let is_column = line.axis == Axis::Vertical;
            let base = slides.targets.len() as u32;
            slides.lines[index / 4][index % 4] = LineTables { base, place: line.index, is_column };
            slides.targets.extend(line.shape.targets(metric));
            let line_of = if is_column { &mut slides.line_of_column } else { &mut slides.line_of_row };
            line_of[usize::from(line.index)] = index as u8;

            let left = &mut slides.left[index];
            for (from, to, slide) in &line.shape.slides {
                left[from << 4 | to] = slide.left;
            }
        }
        slides
    }

    /// Calls `child` with each neighbour of a board that may be new, and how
    /// it is reached.
    ///
    /// If the board was first reached over line X, most neighbours over
    /// another line Y are also reached with the two slides the other way
    /// round. One of the two ways is enough: the one that ends with the
    /// *earlier* line. So lines before X are tried in full, and lines after X
    /// only where X's slide has opened the way. And a second slide along X to
    /// a place that one slide would have reached is never needed. The module's
    /// page has the proof.
    #[inline]
    pub fn for_each_new(&self, key: Key, via: Via, mut child: impl FnMut(Key, Via)) {
        let lanes = self.lanes(key);
        let words = match via {
            FROM_NOWHERE => self.full(key, lanes, self.words),
            FROM_ALL_GOALS => [self.full(key, lanes, 1)[0] & 0xffff, 0, 0, 0],
            _ => self.worth_trying(key, via, lanes),
        };
        for (number, mut word) in words.into_iter().enumerate() {
            while word != 0 {
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                let line = number * 4 + bit / 16;
                let before = nibble(key, line);
                let change = (before ^ (bit % 16)) as Key;
                child(key ^ change << (4 * line), (line << 4 | before) as Via);
            }
        }
    }

    /// What vehicles of other lines cover, for rows and for columns.
    #[inline]
    fn lanes(&self, key: Key) -> [u64; 2] {
        let Crossing { mut by_row, mut by_col } = self.fixed;
        let mut placements = key;
        let mut next = |cover: &[u64; MAX_PLACEMENTS + 1]| {
            let covered = cover[nibble(placements, 0)];
            placements >>= 4;
            covered
        };
        by_col |= next(&self.cover[PRIMARY_LINE]);
        for cover in &self.cover[self.columns.clone()] {
            by_row |= next(cover);
        }
        for cover in &self.cover[self.rows.clone()] {
            by_col |= next(cover);
        }
        [by_row, by_col]
    }

    /// The cells of a row that columns cover, and walls.
    #[inline]
    pub fn crossing(&self, key: Key, row: u8) -> usize {
        let columns = self.columns.clone().zip(&self.cover[self.columns.clone()]);
        lane(columns.fold(self.fixed.by_row, |lanes, (line, cover)| lanes | cover[nibble(key, line)]), row)
    }

    /// All targets of the lines of the first few words. (Not inlined, it makes
    /// exploring the largest cluster 4 to 9 % slower.)
    #[inline(always)]
    fn full(&self, mut key: Key, lanes: [u64; 2], words: usize) -> Targets {
        let mut full = [0; MAX_LINES / 4];
        for (word, lines) in full.iter_mut().zip(&self.lines[..words]) {
            for (number, line) in lines.iter().enumerate() {
                let set = self.targets(line, nibble(key, 0), line.covered(lanes));
                *word |= u64::from(set) << (16 * number);
                key >>= 4;
            }
        }
        full
    }

    /// The targets that are worth trying after the slide `via`.
    #[inline]
    fn worth_trying(&self, key: Key, via: Via, lanes: [u64; 2]) -> Targets {
        let (index, before) = (usize::from(via >> 4), usize::from(via & 15));
        let (line, now) = (&self.lines[index / 4][index % 4], nibble(key, index));
        let mut words = self.full(key, lanes, index.div_ceil(4));
        for (word, before) in words.iter_mut().zip(BEFORE[index]) {
            *word &= before;
        }
        let mut put = |index: usize, set: u16| words[index / 4] |= u64::from(set) << (index % 4 * 16);

        let covered = line.covered(lanes);
        let straight = self.targets(line, before, covered) | 1 << before;
        put(index, self.targets(line, now, covered) & !straight);

        let line_of = if line.is_column { &self.line_of_row } else { &self.line_of_column };
        let mut left = self.left[index][before << 4 | now];
        while left != 0 {
            let crossing = usize::from(line_of[left.trailing_zeros() as usize & 7] & 15);
            left &= left - 1;
            if crossing > index {
                // Not what could be done with X's cells still covered.
                let (other, at) = (&self.lines[crossing / 4][crossing % 4], nibble(key, crossing));
                let covered = other.covered(lanes);
                let known = self.targets(other, at, covered | 1 << line.place);
                put(crossing, self.targets(other, at, covered) & !known);
            }
        }
        words
    }

    #[inline]
    fn targets(&self, line: &LineTables, placement: usize, covered: usize) -> u16 {
        self.targets[line.base as usize + (placement << self.size) + covered]
    }
}

impl LineTables {
    /// The cells of the line that other lines cover.
    #[inline]
    fn covered(&self, lanes: [u64; 2]) -> usize {
        lane(lanes[usize::from(self.is_column)], self.place)
    }
}
