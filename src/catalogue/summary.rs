//! What is counted of all clusters, whether their puzzles are in the catalogue
//! or not.

use std::ops::AddAssign;

use super::{Puzzle, Rules};
use crate::board::{Distance, Histogram};

/// What is counted of clusters under one set of rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// Families with at least one board.
    pub families: u64,
    /// Families with a solvable cluster.
    pub solvable_families: u64,
    /// Clusters by their longest distance in moves.
    pub clusters: Histogram,
}

impl RuleCounts {
    /// All clusters.
    pub fn all_clusters(&self) -> u64 {
        self.clusters.total()
    }

    /// The clusters whose boards can be solved.
    pub fn solvable_clusters(&self) -> u64 {
        self.clusters.total() - self.clusters.unsolvable()
    }
}

/// The counts of a whole space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Of all clusters.
    pub all: RuleCounts,
    /// Of those whose family is classic.
    pub classic: RuleCounts,
}

/// A line of the table `clusters`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClusterCount {
    /// `all` or `classic`.
    pub rules: Rules,
    /// The distance of the hardest boards.
    pub longest_moves: Distance,
    /// Clusters with this longest distance.
    pub clusters: u64,
    /// Those that are interesting: puzzles in the complete catalogue.
    pub puzzles: u64,
}

/// A line of the table `totals`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// The rule set. For `rush` there are only puzzles: it tells puzzles apart,
    /// not clusters.
    pub rules: Rules,
    /// Families with at least one board.
    pub families: Option<u64>,
    /// Families with a solvable cluster.
    pub solvable_families: Option<u64>,
    /// All clusters.
    pub clusters: Option<u64>,
    /// Clusters whose boards can be solved.
    pub solvable_clusters: Option<u64>,
    /// Interesting clusters: puzzles in the complete catalogue.
    pub puzzles: u64,
}

/// Puzzles by their moves, under each set of rules.
#[derive(Debug, Default)]
pub struct PuzzlesByMoves([Histogram; Rules::ALL.len()]);

impl PuzzlesByMoves {
    /// Counts one puzzle.
    pub fn add(&mut self, puzzle: &Puzzle) {
        for (counts, rules) in self.0.iter_mut().zip(Rules::ALL) {
            let moves = Distance::of(puzzle.moves());
            if moves.fits_byte() {
                counts[moves] += u64::from(rules.has(puzzle));
            }
        }
    }

    /// All puzzles.
    pub fn puzzles(&self) -> u64 {
        self.total(Rules::All)
    }

    /// All puzzles under a set of rules.
    pub fn total(&self, rules: Rules) -> u64 {
        self.0[rules as usize].total()
    }

    /// The puzzles of so many moves under a set of rules.
    pub fn of_moves(&self, rules: Rules, moves: u32) -> u64 {
        self.0[rules as usize].get(Distance::of(moves)).unwrap_or(0)
    }

    /// The moves of the hardest under a set of rules, if there is one.
    pub fn longest(&self, rules: Rules) -> Option<u32> {
        let moves = self.0[rules as usize].by_distance().len().checked_sub(1)?;
        Some(moves as u32)
    }
}

impl AddAssign<&PuzzlesByMoves> for PuzzlesByMoves {
    fn add_assign(&mut self, more: &PuzzlesByMoves) {
        for (counts, more) in self.0.iter_mut().zip(&more.0) {
            *counts += more;
        }
    }
}

impl Summary {
    fn counts(&self, rules: Rules) -> Option<&RuleCounts> {
        match rules {
            Rules::All => Some(&self.all),
            Rules::Classic => Some(&self.classic),
            Rules::Rush => None,
        }
    }

    /// The lines of the table `clusters`, unsolvable ones last.
    pub fn clusters(&self, by_moves: &PuzzlesByMoves) -> Vec<ClusterCount> {
        let mut lines = Vec::new();
        for rules in Rules::ALL {
            let Some(counts) = self.counts(rules) else { continue };
            for (longest_moves, clusters) in counts.clusters.iter() {
                let puzzles = by_moves.0[rules as usize][longest_moves];
                if clusters > 0 || puzzles > 0 {
                    lines.push(ClusterCount { rules, longest_moves, clusters, puzzles });
                }
            }
        }
        lines
    }

    /// The lines of the table `totals`.
    pub fn totals(&self, by_moves: &PuzzlesByMoves) -> Vec<Totals> {
        let line = |rules| {
            let counts = self.counts(rules);
            Totals {
                rules,
                families: counts.map(|c| c.families),
                solvable_families: counts.map(|c| c.solvable_families),
                clusters: counts.map(RuleCounts::all_clusters),
                solvable_clusters: counts.map(RuleCounts::solvable_clusters),
                puzzles: by_moves.total(rules),
            }
        };
        Rules::ALL.map(line).into()
    }
}

impl RuleCounts {
    fn add(&mut self, other: &RuleCounts) {
        self.families += other.families;
        self.solvable_families += other.solvable_families;
        self.clusters += &other.clusters;
    }

    fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        [self.families, self.solvable_families]
            .into_iter()
            .chain(self.clusters.iter().map(|(_, clusters)| clusters))
    }

    fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<RuleCounts> {
        let (families, solvable_families) = (numbers.next()?, numbers.next()?);
        let mut clusters = [0; 256];
        for count in &mut clusters {
            *count = numbers.next()?;
        }
        Some(RuleCounts { families, solvable_families, clusters: Histogram::of_bytes(clusters)? })
    }
}

impl Summary {
    /// The length of all counts as bytes: two numbers and a histogram, twice.
    pub(super) const BYTES: usize = 2 * 8 * (2 + 256);

    /// Adds the counts of other boards, which share no family with these.
    pub fn add(&mut self, other: &Summary) {
        self.all.add(&other.all);
        self.classic.add(&other.classic);
    }

    /// Appends all counts as bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let numbers = self.all.numbers().chain(self.classic.numbers());
        out.extend(numbers.flat_map(u64::to_le_bytes));
    }

    /// Reads them again, if they are as many as there have to be.
    pub(super) fn read(bytes: &[u8]) -> Option<Summary> {
        let (numbers, rest) = bytes.as_chunks();
        let mut numbers = numbers.iter().map(|&number| u64::from_le_bytes(number));
        let all = RuleCounts::from_numbers(&mut numbers)?;
        let classic = RuleCounts::from_numbers(&mut numbers)?;
        (rest.is_empty() && numbers.next().is_none()).then_some(Summary { all, classic })
    }
}

/// A checksum of the tables `clusters` and `totals`.
pub(super) fn checksum(clusters: &[ClusterCount], totals: &[Totals]) -> u32 {
    let mut text = String::new();
    for ClusterCount { rules, longest_moves, clusters, puzzles } in clusters {
        text += &format!("{} {:?} {clusters} {puzzles}\n", rules.name(), longest_moves.known());
    }
    for Totals { rules, families, solvable_families, clusters, solvable_clusters, puzzles } in totals {
        let name = rules.name();
        text += &format!(
            "{name} {families:?} {solvable_families:?} {clusters:?} {solvable_clusters:?} {puzzles}\n"
        );
    }
    crc32fast::hash(text.as_bytes())
}
