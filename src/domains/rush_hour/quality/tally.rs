//! How near a heuristic comes to the exact distance.

use super::pairs::Pairs;
use crate::board::Board;
use crate::search::Value;

/// What is counted of a heuristic, board by board.
///
/// Tallies of parts of a sample can be merged in any order: all sums are whole
/// numbers, and of equally bad boards the one with the lowest number stays.
///
/// ```
/// use tailback::board::Board;
/// use tailback::search::Value;
/// use tailback::domains::rush_hour::quality::Tally;
///
/// let board = Board::parse(".... AA.. .... ....")?;
/// let mut tally = Tally::default();
/// tally.add(0, &board, Value::from(2), Some(1));
/// tally.add(1, &board, Value::from(1), Some(1));
/// tally.add(2, &board, Value::INFINITE, None);
/// assert_eq!((tally.solvable(), tally.exact, tally.over), (2, 1, 1));
/// assert_eq!((tally.unsolvable, tally.proven), (1, 1));
/// assert_eq!(tally.mean_error(), Some(0.5));
/// assert_eq!(tally.worst.unwrap().number, 0);
/// # Ok::<(), tailback::board::BoardError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Solvable boards with the exact distance.
    pub exact: u64,
    /// Solvable boards with a number that is too high.
    pub over: u64,
    /// The board that is most too high.
    pub worst: Option<Miss>,
    /// Solvable boards that are called unsolvable: always an error.
    pub false_proofs: u64,
    /// The first of them.
    pub false_proof: Option<Miss>,
    /// Unsolvable boards.
    pub unsolvable: u64,
    /// Those that are called so.
    pub proven: u64,
    /// Estimate and distance of solvable boards, in thousandths.
    pairs: Pairs,
    absolute: u128,
}

/// A board with a wrong estimate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Miss {
    /// Its number in the sample.
    pub number: u64,
    /// The board.
    pub board: Board,
    /// What the heuristic says.
    pub estimate: Value,
    /// What is true.
    pub distance: u32,
}

impl Miss {
    /// How much too high the estimate is.
    pub fn over(&self) -> Value {
        self.estimate.less(Value::from(self.distance))
    }
}

impl Tally {
    /// Counts a board: its number in the sample, the estimate and the exact
    /// distance, if it is solvable.
    pub fn add(&mut self, number: u64, board: &Board, estimate: Value, distance: Option<u32>) {
        let Some(distance) = distance else {
            self.unsolvable += 1;
            self.proven += u64::from(!estimate.is_finite());
            return;
        };
        let miss = || Miss { number, board: board.clone(), estimate, distance };
        if !estimate.is_finite() {
            self.false_proofs += 1;
            if self.false_proof.as_ref().is_none_or(|first| number < first.number) {
                self.false_proof = Some(miss());
            }
            return;
        }
        let exact = Value::from(distance);
        self.exact += u64::from(estimate == exact);
        self.absolute += u128::from(estimate.less(exact).thousandths() + exact.less(estimate).thousandths());
        self.pairs.add(estimate.thousandths() as i64, exact.thousandths() as i64);
        if estimate > exact {
            self.over += 1;
            let over = estimate.less(exact);
            if self.worst.as_ref().is_none_or(|worst| is_worse((over, number), worst)) {
                self.worst = Some(miss());
            }
        }
    }

    /// Adds what another tally counted on other boards.
    pub fn merge(&mut self, other: Tally) {
        self.exact += other.exact;
        self.over += other.over;
        self.false_proofs += other.false_proofs;
        self.unsolvable += other.unsolvable;
        self.proven += other.proven;
        self.absolute += other.absolute;
        self.pairs.merge(&other.pairs);
        if let Some(miss) = other.worst
            && self.worst.as_ref().is_none_or(|worst| is_worse((miss.over(), miss.number), worst))
        {
            self.worst = Some(miss);
        }
        if let Some(miss) = other.false_proof
            && self.false_proof.as_ref().is_none_or(|first| miss.number < first.number)
        {
            self.false_proof = Some(miss);
        }
    }

    /// Solvable boards.
    pub fn solvable(&self) -> u64 {
        self.pairs.count + self.false_proofs
    }

    /// The mean of the estimate less the distance. This and the next two are
    /// over the solvable boards that have a number; `None` if there are none.
    pub fn mean_error(&self) -> Option<f64> {
        self.pairs.mean_difference().map(|thousandths| thousandths / 1000.0)
    }

    /// The mean of how far the estimate is off, up or down.
    pub fn mean_absolute_error(&self) -> Option<f64> {
        (self.pairs.count > 0).then(|| self.absolute as f64 / 1000.0 / self.pairs.count as f64)
    }

    /// Pearson's correlation of estimate and distance; `None` also if one of
    /// them never changes.
    pub fn correlation(&self) -> Option<f64> {
        self.pairs.correlation()
    }

    /// Does it disprove that the heuristic is never too high?
    pub fn is_ever_too_high(&self) -> bool {
        self.over + self.false_proofs > 0
    }
}

fn is_worse((over, number): (Value, u64), worst: &Miss) -> bool {
    (over, worst.number) > (worst.over(), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ESTIMATES: [(Option<u32>, Option<u32>); 8] = [
        (Some(3), Some(1)),
        (Some(2), Some(2)),
        (None, Some(4)),
        (None, None),
        (Some(5), Some(3)),
        (Some(1), Some(4)),
        (Some(6), None),
        (None, Some(9)),
    ];

    fn tally(numbers: std::ops::Range<usize>) -> Tally {
        let board = Board::parse(".... AA.. .... ....").unwrap();
        let mut tally = Tally::default();
        // From behind: the order must not matter.
        for number in numbers.rev() {
            let (estimate, distance) = ESTIMATES[number];
            let estimate = estimate.map_or(Value::INFINITE, Value::from);
            tally.add(number as u64, &board, estimate, distance);
        }
        tally
    }

    #[test]
    fn counts_and_means() {
        let tally = tally(0..8);
        assert_eq!((tally.solvable(), tally.exact, tally.over), (6, 1, 2));
        assert_eq!((tally.unsolvable, tally.proven, tally.false_proofs), (2, 1, 2));
        // Errors 2, 0, 2, -3.
        assert_eq!(tally.mean_error(), Some(0.25));
        assert_eq!(tally.mean_absolute_error(), Some(1.75));
        assert!(tally.is_ever_too_high());
    }

    #[test]
    fn the_first_of_equally_bad_boards_stays() {
        let tally = tally(0..8);
        let worst = tally.worst.unwrap();
        assert_eq!((worst.number, worst.over()), (0, Value::from(2)));
        assert_eq!(tally.false_proof.unwrap().number, 2);
    }

    #[test]
    fn parts_merge_in_any_order() {
        let whole = tally(0..8);
        for cut in 0..=8 {
            let (mut ahead, mut behind) = (tally(0..cut), tally(cut..8));
            ahead.merge(tally(cut..8));
            behind.merge(tally(0..cut));
            assert_eq!(ahead, whole, "cut at {cut}");
            assert_eq!(behind, whole, "cut at {cut}");
        }
    }
}
