//! The boards of one family by their numbers in the signature.

use arrayvec::ArrayVec;

use crate::board::Axis;
use crate::cluster::family::{Family, Key, MAX_LINES, MAX_PLACEMENTS, nibble};
use crate::space::edges::{EdgeKinds, EdgePair};
use crate::space::line::PlacementId;
use crate::space::{Blocks, MAX_SIZE, Position};

/// Tells the numbers of the boards of a family, from neighbour to neighbour. Much of a
/// puzzle's time goes into this.
pub struct Numbers<'a> {
    first: Numbered,
    /// What each line of a key is.
    lines: ArrayVec<KeyLine, MAX_LINES>,
    columns: [OfColumn; MAX_SIZE],
    configurations: Configurations<'a>,
}

/// A board's number in the signature, and that of its configuration.
#[derive(Clone, Copy)]
pub struct Numbered {
    /// A signature that can be surveyed has no more than 2^32 boards.
    number: u32,
    configuration: u32,
}

impl Numbered {
    /// The number in the signature.
    #[inline]
    pub fn number(self) -> usize {
        self.number as usize
    }
}

/// A line of a key.
enum KeyLine {
    /// A row: how far from the configuration of the first board those with each of its
    /// placements are.
    Row([i32; PLACEMENTS]),
    /// The column with this number.
    Column(usize),
}

/// What the placements of a column are in the space.
#[derive(Clone, Copy)]
struct OfColumn {
    /// Where the column is in a key; anywhere if it cannot change.
    shift: usize,
    by_placement: [PlacementId; PLACEMENTS],
}

/// Room for all that a key may say of a line.
const PLACEMENTS: usize = 16;
const _: () = assert!(MAX_PLACEMENTS <= PLACEMENTS, "there is room");

impl OfColumn {
    #[inline]
    fn of(&self, key: Key) -> PlacementId {
        self.by_placement[(key >> self.shift) as usize % PLACEMENTS]
    }
}

impl<'a> Numbers<'a> {
    /// For the family of a board of this signature, which is at `position`.
    pub fn new(blocks: &'a Blocks<'a>, position: &Position, family: &Family) -> Numbers<'a> {
        let line = blocks.space().line();
        let configuration = blocks.configuration(position) as u32;
        let mut columns = position.columns.map(|id| OfColumn { shift: 0, by_placement: [id; PLACEMENTS] });
        let mut lines = ArrayVec::new();
        for (number, key_line) in family.lines.iter().enumerate() {
            let index = usize::from(key_line.index);
            let ids = key_line.shape.placements.iter().map(|placement| {
                let vehicles: ArrayVec<_, MAX_SIZE> = key_line.shape.vehicles_at(placement).collect();
                line.find(&vehicles).expect("the family has a board in the space")
            });
            lines.push(match key_line.axis {
                Axis::Vertical => {
                    columns[index].shift = 4 * number;
                    columns[index].by_placement.iter_mut().zip(ids).for_each(|(slot, id)| *slot = id);
                    KeyLine::Column(index)
                }
                Axis::Horizontal => {
                    let mut away = [0; PLACEMENTS];
                    for (away, id) in away.iter_mut().zip(ids) {
                        let mut with = *position;
                        with.rows[index] = id;
                        *away = (blocks.configuration(&with) as u32).wrapping_sub(configuration) as i32;
                    }
                    KeyLine::Row(away)
                }
            });
        }
        let [left, right] = [0, blocks.space().size() - 1].map(|column| position.columns[column]);
        let edge_kinds = EdgePair { left, right }.kinds(line);
        Numbers {
            first: Numbered { number: blocks.number(position) as u32, configuration },
            lines,
            columns,
            configurations: Configurations { blocks, edge_kinds, known: vec![OfConfiguration::NONE; KNOWN] },
        }
    }

    /// The place of the board that the family was made for.
    pub fn first(&self) -> Numbered {
        self.first
    }

    /// The place of a neighbour of a board.
    #[inline]
    pub fn next(&mut self, place: Numbered, from: Key, to: Key) -> Numbered {
        let index = (from ^ to).trailing_zeros() as usize / 4;
        let line = self.configurations.blocks.space().line();
        match &self.lines[index] {
            &KeyLine::Column(column) => {
                let numbered = self.configurations.of(place.configuration);
                let (mask, stride) = (numbered.masks[column], numbered.strides[column]);
                let digit = |key| u32::from(line.digit(mask, self.columns[column].of(key)));
                let further = digit(to).wrapping_sub(digit(from)).wrapping_mul(stride);
                Numbered { number: place.number.wrapping_add(further), ..place }
            }
            KeyLine::Row(away) => {
                let further = away[nibble(to, index)].wrapping_sub(away[nibble(from, index)]);
                let configuration = place.configuration.wrapping_add_signed(further);
                let numbered = self.configurations.of(configuration);
                let mut number = numbered.origin;
                // Columns beyond the board are empty and count nothing.
                for (c, column) in self.columns.iter().enumerate() {
                    let digit = u32::from(line.digit(numbered.masks[c], column.of(to)));
                    number = number.wrapping_add(digit.wrapping_mul(numbered.strides[c]));
                }
                Numbered { number, configuration }
            }
        }
    }
}

/// How the boards of a family are numbered under each configuration.
struct Configurations<'a> {
    blocks: &'a Blocks<'a>,
    edge_kinds: EdgeKinds,
    /// The last that were asked for, each at its number modulo [`KNOWN`].
    known: Vec<OfConfiguration>,
}

/// So many configurations are remembered.
const KNOWN: usize = 512;

/// How the boards of a family under one configuration are numbered.
#[derive(Clone, Copy)]
struct OfConfiguration {
    configuration: u32,
    /// The number that a board would have if the digits of all columns were 0, also
    /// where those are of other kinds; modulo 2^32.
    origin: u32,
    /// What the digit of each column counts.
    strides: [u32; MAX_SIZE],
    masks: [u8; MAX_SIZE],
}

impl OfConfiguration {
    const NONE: OfConfiguration =
        OfConfiguration { configuration: u32::MAX, origin: 0, strides: [0; MAX_SIZE], masks: [0; MAX_SIZE] };
}

impl Configurations<'_> {
    #[inline]
    fn of(&mut self, configuration: u32) -> &OfConfiguration {
        let at = configuration as usize % KNOWN;
        if self.known[at].configuration != configuration {
            self.known[at] = self.work_out(configuration);
        }
        &self.known[at]
    }

    #[inline(never)]
    fn work_out(&self, configuration: u32) -> OfConfiguration {
        let (blocks, space, h) = (self.blocks, self.blocks.space(), configuration as usize);
        let (line, edges) = (space.line(), blocks.edge_masks(h));
        let pairs = edges.pairs_of(line, self.edge_kinds);
        let origin = (blocks.first(h) as u32).wrapping_add(pairs.origin as u32);
        let mut numbered = OfConfiguration { configuration, origin, ..OfConfiguration::NONE };
        let mut add = |column: usize, stride: usize| {
            numbered.masks[column] = blocks.mask(h, column);
            numbered.strides[column] = stride as u32;
        };
        add(0, pairs.stride);
        add(space.size() - 1, 1);
        let mut stride = edges.pairs(line);
        for column in space.middle_columns().rev() {
            add(column, stride);
            stride *= line.fitting(blocks.mask(h, column));
        }
        numbered
    }
}
