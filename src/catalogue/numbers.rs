//! The boards of one family by their numbers in the signature.

use std::cell::RefCell;

use arrayvec::ArrayVec;

use crate::board::Axis;
use crate::cluster::family::{Family, Key, MAX_PLACEMENTS};
use crate::space::edges::{EdgeKinds, EdgePair};
use crate::space::line::PlacementId;
use crate::space::{Blocks, MAX_SIZE, Position};

/// Tells the number of a board of a family by its key. Much of a puzzle's time goes into
/// this.
pub struct Numbers<'a> {
    blocks: &'a Blocks<'a>,
    /// The configuration of one board.
    configuration: usize,
    rows: ArrayVec<OfLine<isize>, MAX_SIZE>,
    columns: [OfLine<PlacementId>; MAX_SIZE],
    edge_kinds: EdgeKinds,
    /// The last configurations that were asked for, each at its number modulo [`KNOWN`].
    known: RefCell<Box<[OfConfiguration; KNOWN]>>,
}

/// So many configurations are remembered.
const KNOWN: usize = 512;

/// How the boards of a family under one configuration are numbered.
#[derive(Clone, Copy)]
struct OfConfiguration {
    h: usize,
    /// The number that a board would have if the digits of all columns were 0, also
    /// where those are of other kinds; modulo 2^64.
    origin: u64,
    /// What the digit of each column counts.
    strides: [u32; MAX_SIZE],
    masks: [u8; MAX_SIZE],
}

impl OfConfiguration {
    const NONE: OfConfiguration =
        OfConfiguration { h: usize::MAX, origin: 0, strides: [0; MAX_SIZE], masks: [0; MAX_SIZE] };
}

/// What the placements of a line mean: of a row, how far from that of the one board the
/// configurations with them are; of a column, which they are in the space.
#[derive(Clone, Copy)]
struct OfLine<T> {
    /// Where the line is in a key; anywhere if it cannot change.
    shift: usize,
    by_placement: [T; PLACEMENTS],
}

/// Room for all that a key may say of a line.
const PLACEMENTS: usize = 16;
const _: () = assert!(MAX_PLACEMENTS <= PLACEMENTS, "there is room");

impl<T: Copy> OfLine<T> {
    /// A line that cannot change.
    fn fixed(of_all: T) -> OfLine<T> {
        OfLine { shift: 0, by_placement: [of_all; PLACEMENTS] }
    }

    #[inline]
    fn of(&self, key: Key) -> T {
        self.by_placement[(key >> self.shift) as usize % PLACEMENTS]
    }
}

impl<'a> Numbers<'a> {
    /// For the family of a board of this signature, which is at `position`.
    pub fn new(blocks: &'a Blocks<'a>, position: &Position, family: &Family) -> Numbers<'a> {
        let configuration = blocks.configuration(position);
        let (mut rows, mut columns) = (ArrayVec::new(), position.columns.map(OfLine::fixed));
        for (number, line) in family.lines.iter().enumerate() {
            let index = usize::from(line.index);
            let ids = line.placements.iter().map(|placement| {
                let vehicles: ArrayVec<_, MAX_SIZE> = line.vehicles_at(placement).collect();
                blocks.space().line().find(&vehicles).expect("the family has a board in the space")
            });
            match line.axis {
                Axis::Vertical => {
                    columns[index].shift = 4 * number;
                    columns[index].by_placement.iter_mut().zip(ids).for_each(|(slot, id)| *slot = id);
                }
                Axis::Horizontal => {
                    let mut away = OfLine { shift: 4 * number, ..OfLine::fixed(0) };
                    for (away, id) in away.by_placement.iter_mut().zip(ids) {
                        let mut with = *position;
                        with.rows[index] = id;
                        *away = blocks.configuration(&with) as isize - configuration as isize;
                    }
                    rows.push(away);
                }
            }
        }
        let [left, right] = [0, blocks.space().size() - 1].map(|column| position.columns[column]);
        let edge_kinds = EdgePair { left, right }.kinds(blocks.space().line());
        let known = RefCell::new(Box::new([OfConfiguration::NONE; KNOWN]));
        Numbers { blocks, configuration, rows, columns, edge_kinds, known }
    }

    /// The number of a board.
    #[inline]
    pub fn of(&self, key: Key) -> u64 {
        let away: isize = self.rows.iter().map(|row| row.of(key)).sum();
        let h = self.configuration.wrapping_add_signed(away);
        let numbered = &mut self.known.borrow_mut()[h % KNOWN];
        if numbered.h != h {
            *numbered = self.numbered(h);
        }
        let line = self.blocks.space().line();
        let mut number = numbered.origin;
        // Columns beyond the board are empty and count nothing.
        for column in 0..MAX_SIZE {
            let digit = line.digit(numbered.masks[column], self.columns[column].of(key));
            number = number.wrapping_add(u64::from(digit) * u64::from(numbered.strides[column]));
        }
        number
    }

    /// How the boards under configuration `h` are numbered.
    #[inline(never)]
    fn numbered(&self, h: usize) -> OfConfiguration {
        let (space, masks) = (self.blocks.space(), self.blocks.edge_masks(h));
        let line = space.line();
        let pairs = masks.pairs_of(line, self.edge_kinds);
        let mut numbered = OfConfiguration {
            h,
            origin: self.blocks.first(h).wrapping_add(pairs.origin as u64),
            ..OfConfiguration::NONE
        };
        let mut add = |column: usize, stride: usize| {
            numbered.masks[column] = self.blocks.mask(h, column);
            numbered.strides[column] = stride as u32;
        };
        add(0, pairs.stride);
        add(space.size() - 1, 1);
        let mut stride = masks.pairs(line);
        for column in space.middle_columns().rev() {
            add(column, stride);
            stride *= line.fitting(self.blocks.mask(h, column));
        }
        numbered
    }
}
