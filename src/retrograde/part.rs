//! Parts of a signature that are searched one after another.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::moves::MoveTables;
use crate::space::line::KindId;
use crate::space::{Blocks, MAX_SIZE, Space};

/// The boards of a signature whose middle columns nearest to the exit have
/// given kinds. No move leaves a part.
///
/// Columns are fixed from the right, because a column near the exit decides
/// most about a part.
#[derive(Debug)]
pub struct Part<'b> {
    pub(super) blocks: &'b Blocks<'b>,
    /// The unsolved configurations that have boards in this part.
    pub(super) configurations: Vec<u32>,
    kinds: ArrayVec<KindId, MAX_SIZE>,
}

impl<'b> Part<'b> {
    /// All unsolved boards of a signature.
    pub fn whole(blocks: &'b Blocks<'b>) -> Part<'b> {
        Part { blocks, configurations: (0..blocks.unsolved() as u32).collect(), kinds: ArrayVec::new() }
    }

    /// The middle column that is fixed next, unless all are.
    pub fn next_column(&self) -> Option<usize> {
        self.space().middle_columns().rev().nth(self.kinds.len())
    }

    /// The part of this one in which the next column has a kind.
    pub fn cut(&self, column: usize, kind: KindId) -> Part<'b> {
        let line = self.space().line();
        let has_boards = |&h: &u32| !line.kind_digits(self.blocks.mask(h as usize, column), kind).is_empty();
        let mut kinds = self.kinds.clone();
        kinds.push(kind);
        let configurations = self.configurations.iter().copied().filter(has_boards).collect();
        Part { blocks: self.blocks, configurations, kinds }
    }

    /// The digits that a middle column may have under configuration `h`.
    pub fn digits(&self, h: usize, column: usize) -> Range<usize> {
        let line = self.space().line();
        let mask = self.blocks.mask(h, column);
        match self.kinds.get(self.space().size() - 2 - column) {
            Some(&kind) => line.kind_digits(mask, kind),
            None => 0..line.fitting(mask),
        }
    }

    /// How many words the part has at most.
    pub fn words(&self, tables: &MoveTables) -> usize {
        let words_of = |&h: &u32| {
            let h = h as usize;
            let strips: usize = self.space().middle_columns().map(|c| self.digits(h, c).len()).product();
            strips * tables.edge_words.layout(self.blocks.edge_masks(h)).len()
        };
        self.configurations.iter().map(words_of).sum()
    }

    fn space(&self) -> &'b Space {
        self.blocks.space()
    }
}
