//! The groups of a set: what searches take on average.

use tailback::board::Distance;

use super::Row;
use super::measure::Means;

/// Puzzles of the same group.
pub struct Group {
    pub name: String,
    pub puzzles: usize,
    /// The shortest solutions: their sum, and how many are known.
    lengths: (f64, usize),
    /// By method.
    pub means: Vec<Means>,
}

impl Group {
    /// The mean length of shortest solutions.
    pub fn distance(&self) -> Option<f64> {
        let (sum, count) = self.lengths;
        (count > 0).then(|| sum / count as f64)
    }
}

/// Adds what came out for a puzzle to its group. Groups come in the order of their
/// first puzzles.
pub fn add(groups: &mut Vec<Group>, row: &Row) {
    let Some(name) = &row.puzzle.group else { return };
    let place = groups.iter().position(|group| group.name == *name).unwrap_or_else(|| {
        let means = vec![Means::default(); row.reports.len()];
        groups.push(Group { name: name.clone(), puzzles: 0, lengths: (0.0, 0), means });
        groups.len() - 1
    });
    let group = &mut groups[place];
    group.puzzles += 1;
    if let Some(distance) = row.distance.and_then(Distance::known) {
        group.lengths = (group.lengths.0 + f64::from(distance), group.lengths.1 + 1);
    }
    let searches = row.reports.iter().zip(&row.spreads);
    group.means.iter_mut().zip(searches).for_each(|(means, (report, &spread))| means.add(report, spread));
}
