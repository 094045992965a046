//! Boards that were there before.

use rustc_hash::FxHashSet;

use crate::board::Shape;

/// Boards that are remembered, so that memory stays small however long a list
/// is: 180 MB.
const MOST: usize = 3_600_000;

/// Finds repeated boards, whatever their letters.
#[derive(Default, Debug)]
pub struct Repeats(FxHashSet<Shape>);

impl Repeats {
    /// Was the board there before?
    pub fn contains(&self, shape: Shape) -> bool {
        self.0.contains(&shape)
    }

    /// Was the board there before? It is from now on. Only the first boards are remembered.
    pub fn is_repeat(&mut self, shape: Shape) -> bool {
        match self.0.len() < MOST {
            true => !self.0.insert(shape),
            false => self.0.contains(&shape),
        }
    }
}
