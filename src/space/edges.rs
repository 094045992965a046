//! The edge pair: columns 0 and N−1 of a board together.
//!
//! Their combinations are the fastest digit of a board's number: first by the
//! pair of kinds (left, right), then by the left and last by the right
//! placement. Kinds never change, so boards that can reach each other by
//! moves of the edge columns alone are neighbours in this order.

use super::column_mask;
use super::line::{Line, PlacementId};

/// The cells of the two edge columns that rows take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeMasks {
    /// Those of column 0.
    pub left: u8,
    /// Those of column N−1.
    pub right: u8,
}

/// The placements of the two edge columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgePair {
    /// That of column 0.
    pub left: PlacementId,
    /// That of column N−1.
    pub right: PlacementId,
}

impl EdgeMasks {
    /// The masks of the edge columns out of the packed masks of all `size`.
    #[inline]
    pub fn of(taken: u64, size: usize) -> EdgeMasks {
        EdgeMasks { left: column_mask(taken, 0), right: column_mask(taken, size - 1) }
    }

    /// How many pairs fit.
    #[inline]
    pub fn pairs(self, line: &Line) -> usize {
        line.fitting(self.left) * line.fitting(self.right)
    }

    /// The number of a pair among all that fit.
    #[inline]
    pub fn digit(self, line: &Line, pair: EdgePair) -> usize {
        let lefts = line.kind_digits(self.left, line.placement(pair.left).kind);
        let rights = line.kind_digits(self.right, line.placement(pair.right).kind);
        let left = line.digit(self.left, pair.left) as usize - lefts.start;
        let right = line.digit(self.right, pair.right) as usize - rights.start;
        lefts.start * line.fitting(self.right) + lefts.len() * rights.start + left * rights.len() + right
    }

    /// The pair with this number: the inverse of [`EdgeMasks::digit`].
    pub fn pair(self, line: &Line, digit: usize) -> EdgePair {
        let all_right = line.fitting(self.right);
        let left_kind = line.placement(line.fit(self.left)[digit / all_right]).kind;
        let lefts = line.kind_digits(self.left, left_kind);
        let rest = digit - lefts.start * all_right;
        let right_kind = line.placement(line.fit(self.right)[rest / lefts.len()]).kind;
        let rights = line.kind_digits(self.right, right_kind);
        let rest = rest - lefts.len() * rights.start;
        EdgePair {
            left: line.fit(self.left)[lefts.start + rest / rights.len()],
            right: line.fit(self.right)[rights.start + rest % rights.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_numbered_without_gaps() {
        let line = Line::new(6);
        for left in 0..64u8 {
            for right in (0..64u8).step_by(3) {
                let masks = EdgeMasks { left, right };
                for digit in 0..masks.pairs(&line) {
                    assert_eq!(masks.digit(&line, masks.pair(&line, digit)), digit);
                }
            }
        }
    }
}
