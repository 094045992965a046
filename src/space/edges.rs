//! The edge pair: columns 0 and N−1 of a board together.
//!
//! Their combinations are the fastest digit of a board's number: first by the
//! pair of kinds (left, right), then by the left and last by the right
//! placement. Kinds never change, so boards that can reach each other by
//! moves of the edge columns alone are neighbours in this order.

use super::column_mask;
use super::line::{KindId, Line, PlacementId};

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

/// The kinds of the two edge columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeKinds {
    /// That of column 0.
    pub left: KindId,
    /// That of column N−1.
    pub right: KindId,
}

/// How the pairs of two kinds are numbered under some masks.
#[derive(Debug, Clone, Copy)]
pub struct PairsOfKinds {
    /// What the number would be if both columns' own digits were 0, also where those are
    /// of other kinds; modulo 2^64.
    pub origin: usize,
    /// What the digit of column 0 counts. That of column N−1 counts 1.
    pub stride: usize,
}

impl EdgePair {
    /// The kinds of the placements.
    #[inline]
    pub fn kinds(self, line: &Line) -> EdgeKinds {
        EdgeKinds { left: line.placement(self.left).kind, right: line.placement(self.right).kind }
    }
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
        let of_left = line.digit(self.left, pair.left) as usize;
        let of_right = line.digit(self.right, pair.right) as usize;
        let PairsOfKinds { origin, stride } = self.pairs_of(line, pair.kinds(line));
        origin.wrapping_add(of_left * stride + of_right)
    }

    /// How the pairs of two kinds that fit are numbered.
    #[inline]
    pub fn pairs_of(self, line: &Line, kinds: EdgeKinds) -> PairsOfKinds {
        let lefts = line.kind_digits(self.left, kinds.left);
        let rights = line.kind_digits(self.right, kinds.right);
        let first = lefts.start * line.fitting(self.right) + lefts.len() * rights.start;
        let stride = rights.len();
        PairsOfKinds { origin: first.wrapping_sub(lefts.start * stride + rights.start), stride }
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
