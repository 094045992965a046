//! The edge pair: columns 0 and N−1 of a board together.
//!
//! Their combinations are the fastest digit of a board's number: first by the
//! pair of kinds (left, right), then by the left and last by the right
//! placement. Kinds never change, so boards that can reach each other by
//! moves of the edge columns alone are neighbours in this order.

use super::line::{Line, PlacementId};

/// The number of a pair of placements among all pairs that fit the masks.
#[inline]
pub fn pair_digit(line: &Line, masks: (u8, u8), pair: (PlacementId, PlacementId)) -> usize {
    let (left, right) = (line.placement(pair.0).kind, line.placement(pair.1).kind);
    let lefts = line.kind_digits(masks.0, left);
    let rights = line.kind_digits(masks.1, right);
    let at = (line.digit(masks.0, pair.0) as usize, line.digit(masks.1, pair.1) as usize);
    lefts.start * line.fitting(masks.1)
        + lefts.len() * rights.start
        + (at.0 - lefts.start) * rights.len()
        + (at.1 - rights.start)
}

/// The pair of placements with this number: the inverse of [`pair_digit`].
pub fn pair_at(line: &Line, masks: (u8, u8), digit: usize) -> (PlacementId, PlacementId) {
    let all_right = line.fitting(masks.1);
    let left_kind = line.placement(line.fit(masks.0)[digit / all_right]).kind;
    let lefts = line.kind_digits(masks.0, left_kind);
    let rest = digit - lefts.start * all_right;
    let right_kind = line.placement(line.fit(masks.1)[rest / lefts.len()]).kind;
    let rights = line.kind_digits(masks.1, right_kind);
    let rest = rest - lefts.len() * rights.start;
    let (l, r) = (rest / rights.len(), rest % rights.len());
    (line.fit(masks.0)[lefts.start + l], line.fit(masks.1)[rights.start + r])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_numbered_without_gaps() {
        let line = Line::new(6);
        for left in 0..64u8 {
            for right in (0..64u8).step_by(3) {
                let masks = (left, right);
                for digit in 0..line.fitting(left) * line.fitting(right) {
                    assert_eq!(pair_digit(&line, masks, pair_at(&line, masks, digit)), digit);
                }
            }
        }
    }
}
