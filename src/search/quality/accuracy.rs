//! How near a heuristic comes to the exact distance.

use super::pairs::Pairs;
use crate::board::Distance;
use crate::search::Value;

/// What is counted of a heuristic, puzzle by puzzle.
///
/// Those of parts of a sample can be merged in any order: all sums are whole
/// numbers, and of equally bad puzzles the one with the lowest number stays.
///
/// ```
/// use tailback::board::Distance;
/// use tailback::search::Value;
/// use tailback::search::quality::Accuracy;
///
/// let mut accuracy = Accuracy::default();
/// accuracy.add(0, || "hard".to_owned(), Value::from(2), Distance::of(1));
/// accuracy.add(1, || "easy".to_owned(), Value::from(1), Distance::of(1));
/// accuracy.add(2, || "stuck".to_owned(), Value::INFINITE, Distance::UNSOLVABLE);
/// assert_eq!((accuracy.solvable(), accuracy.exact, accuracy.over), (2, 1, 1));
/// assert_eq!((accuracy.unsolvable, accuracy.proven), (1, 1));
/// assert_eq!(accuracy.mean_error(), Some(0.5));
/// assert_eq!(accuracy.worst.unwrap().puzzle, "hard");
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Accuracy {
    /// Solvable puzzles with the exact distance.
    pub exact: u64,
    /// Solvable puzzles with a number that is too high.
    pub over: u64,
    /// The puzzle that is most too high.
    pub worst: Option<Miss>,
    /// Solvable puzzles that are called unsolvable: always an error.
    pub false_proofs: u64,
    /// The first of them.
    pub false_proof: Option<Miss>,
    /// Unsolvable puzzles.
    pub unsolvable: u64,
    /// Those that are called so.
    pub proven: u64,
    /// Estimate and distance of solvable puzzles, in thousandths.
    pairs: Pairs,
    absolute: u128,
}

/// A puzzle with a wrong estimate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Miss {
    /// Its number in the sample.
    pub number: u64,
    /// The puzzle, as it is written.
    pub puzzle: String,
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

impl Accuracy {
    /// Counts a puzzle: its number in the sample, its text, the estimate and the exact
    /// distance.
    pub fn add(&mut self, number: u64, puzzle: impl FnOnce() -> String, estimate: Value, distance: Distance) {
        let Some(distance) = distance.known() else {
            self.unsolvable += 1;
            self.proven += u64::from(!estimate.is_finite());
            return;
        };
        let miss = || Miss { number, puzzle: puzzle(), estimate, distance };
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

    /// Adds what was counted on other puzzles.
    pub fn merge(&mut self, other: Accuracy) {
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

    /// Solvable puzzles.
    pub fn solvable(&self) -> u64 {
        self.pairs.count + self.false_proofs
    }

    /// The mean of the estimate less the distance. This and the next two are
    /// over the solvable puzzles that have a number; `None` if there are none.
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

    fn accuracy(numbers: std::ops::Range<usize>) -> Accuracy {
        let mut accuracy = Accuracy::default();
        // From behind: the order must not matter.
        for number in numbers.rev() {
            let (estimate, distance) = ESTIMATES[number];
            let estimate = estimate.map_or(Value::INFINITE, Value::from);
            accuracy.add(number as u64, String::new, estimate, distance.into());
        }
        accuracy
    }

    #[test]
    fn counts_and_means() {
        let accuracy = accuracy(0..8);
        assert_eq!((accuracy.solvable(), accuracy.exact, accuracy.over), (6, 1, 2));
        assert_eq!((accuracy.unsolvable, accuracy.proven, accuracy.false_proofs), (2, 1, 2));
        // Errors 2, 0, 2, -3.
        assert_eq!(accuracy.mean_error(), Some(0.25));
        assert_eq!(accuracy.mean_absolute_error(), Some(1.75));
        assert!(accuracy.over + accuracy.false_proofs > 0);
    }

    #[test]
    fn the_first_of_equally_bad_puzzles_stays() {
        let accuracy = accuracy(0..8);
        let worst = accuracy.worst.unwrap();
        assert_eq!((worst.number, worst.over()), (0, Value::from(2)));
        assert_eq!(accuracy.false_proof.unwrap().number, 2);
    }

    #[test]
    fn parts_merge_in_any_order() {
        let whole = accuracy(0..8);
        for cut in 0..=8 {
            let (mut ahead, mut behind) = (accuracy(0..cut), accuracy(cut..8));
            ahead.merge(accuracy(cut..8));
            behind.merge(accuracy(0..cut));
            assert_eq!(ahead, whole, "cut at {cut}");
            assert_eq!(behind, whole, "cut at {cut}");
        }
    }
}
