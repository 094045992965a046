//! What it means for the distance that a condition holds for a move.

use super::pairs::Pairs;

/// What is counted of a condition, move by move. *Progress* is the distance
/// before the move less the distance after it: positive is nearer to a goal.
///
/// ```
/// use tailback::search::quality::Effect;
///
/// let mut effect = Effect::default();
/// effect.add(true, 5, 4);
/// effect.add(false, 5, 6);
/// assert_eq!(effect.share(), Some(0.5));
/// assert_eq!(effect.progress(true), Some(1.0));
/// assert_eq!(effect.progress(false), Some(-1.0));
/// assert_eq!(effect.correlation(), Some(1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// The progress of moves for which it holds, and for which it does not.
    held: [Sum; 2],
    pairs: Pairs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sum {
    moves: u64,
    progress: i64,
}

impl Effect {
    /// Counts a move between solvable states: whether the condition holds, and the
    /// distances before and after.
    pub fn add(&mut self, holds: bool, before: u32, after: u32) {
        let progress = i64::from(before) - i64::from(after);
        let sum = &mut self.held[usize::from(holds)];
        sum.moves += 1;
        sum.progress += progress;
        self.pairs.add(holds.into(), progress);
    }

    /// Adds what was counted on other moves.
    pub fn merge(&mut self, other: &Effect) {
        for (sum, more) in self.held.iter_mut().zip(other.held) {
            sum.moves += more.moves;
            sum.progress += more.progress;
        }
        self.pairs.merge(&other.pairs);
    }

    /// Moves.
    pub fn moves(&self) -> u64 {
        self.pairs.count
    }

    /// The share of moves for which it holds.
    pub fn share(&self) -> Option<f64> {
        (self.moves() > 0).then(|| self.held[1].moves as f64 / self.moves() as f64)
    }

    /// The mean progress of the moves for which it holds or does not.
    pub fn progress(&self, holds: bool) -> Option<f64> {
        let sum = self.held[usize::from(holds)];
        (sum.moves > 0).then(|| sum.progress as f64 / sum.moves as f64)
    }

    /// Pearson's correlation of the condition with progress.
    pub fn correlation(&self) -> Option<f64> {
        self.pairs.correlation()
    }
}
