//! Boards with their exact distances, and how near formulas come to them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::formula::Heuristic;
use crate::formula::columns::{Columns, Compiled, LANES, MissingColumn, Vectors};
use crate::progress::Observer;
use crate::puzzles::Labelled;
use crate::search::Value;

/// Boards with their exact distances and what building blocks say of them.
#[derive(Clone, Debug)]
pub struct Sample {
    columns: Columns,
    distances: Vec<u32>,
    /// The distances as thousandths, group by group.
    targets: Vec<[i32; LANES]>,
    /// The boards of each family that has several, by their numbers.
    families: Vec<Vec<usize>>,
}

/// A building block that calls a board unsolvable which has a distance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{block} proves that board {number} cannot be solved, but its distance is given as {distance}: {board}"
)]
pub struct FalseDistance {
    /// The building block.
    pub block: Heuristic,
    /// The board's place, from 1.
    pub number: usize,
    /// The board.
    pub board: String,
    /// The distance that was given.
    pub distance: u32,
}

impl Sample {
    /// Asks all building blocks about all boards. Conditions need a last move,
    /// which is drawn from the seed. If the observer wants to stop, the others are not
    /// asked, and the sample is worth nothing.
    pub fn new(
        boards: &[Labelled],
        blocks: &[Heuristic],
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Sample, FalseDistance> {
        let ask = |labelled: &Labelled| match observer.wants_stop() {
            true => vec![Value::ZERO; blocks.len()],
            false => labelled.instance.values(blocks, seed, labelled.distance.into()),
        };
        let rows: Vec<Vec<Value>> = boards.par_iter().map(ask).collect();
        let mut columns = Columns::new(boards.len());
        for (at, block) in blocks.iter().enumerate() {
            let values: Vec<Value> = rows.iter().map(|row| row[at]).collect();
            if let Some(number) = values.iter().position(|value| !value.is_finite()) {
                let Labelled { instance, distance } = &boards[number];
                let (board, distance) = (instance.text(), *distance);
                return Err(FalseDistance { block: block.clone(), number: number + 1, board, distance });
            }
            columns.add(block.clone(), &values);
        }
        let distances: Vec<u32> = boards.iter().map(|labelled| labelled.distance).collect();
        let group = |chunk: &[u32]| {
            let mut targets = [0; LANES];
            for (target, &distance) in targets.iter_mut().zip(chunk) {
                *target = distance as i32 * 1000;
            }
            targets
        };
        let targets = distances.chunks(LANES).map(group).collect();
        Ok(Sample { columns, distances, targets, families: families(boards) })
    }

    /// How many boards.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Are there no boards?
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// What building blocks say of them.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The exact distances.
    pub fn distances(&self) -> &[u32] {
        &self.distances
    }

    /// The mean of the squared errors.
    pub fn squared_error(&self, heuristic: &Heuristic) -> Result<f64, MissingColumn> {
        let formula = Compiled::new(heuristic, &self.columns)?;
        let mut values = [0; LANES];
        // As many sums as vectors have lanes, added up in a fixed order.
        let mut sums = [0.0; 8];
        let vectors = Vectors::widest();
        for (group, targets) in self.targets.iter().enumerate() {
            formula.evaluate(&self.columns, group, &mut values);
            let used = LANES.min(self.len() - group * LANES);
            values[used..].copy_from_slice(&targets[used..]);
            vectors.run(
                #[inline(always)]
                || {
                    for (values, targets) in values.as_chunks::<8>().0.iter().zip(targets.as_chunks::<8>().0)
                    {
                        for lane in 0..8 {
                            let error = f64::from(values[lane] - targets[lane]);
                            sums[lane] += error * error;
                        }
                    }
                },
            );
        }
        Ok(sums.iter().sum::<f64>() / 1e6 / self.len() as f64)
    }

    /// The squared errors of some boards, by their numbers.
    pub fn squared_errors(&self, heuristic: &Heuristic, boards: &[usize]) -> Result<Vec<f64>, MissingColumn> {
        let values = self.values(heuristic)?;
        let error = |&board: &usize| {
            let error = f64::from(values[board]) / 1e3 - f64::from(self.distances[board]);
            error * error
        };
        Ok(boards.iter().map(error).collect())
    }

    /// The share of pairs of boards with different distances that are put in
    /// the wrong order; a pair that is called equal counts half. 0 if there is
    /// no such pair.
    pub fn disorder(&self, heuristic: &Heuristic) -> Result<f64, MissingColumn> {
        let values = self.values(heuristic)?;
        let mut pairs: Vec<(i32, u32)> = values.into_iter().zip(self.distances.iter().copied()).collect();
        pairs.sort_unstable();
        Ok(disorder(&pairs))
    }

    /// The mean over families of the same share, of pairs within the family: a
    /// search compares boards of one puzzle alone. 0 if no family has two boards.
    pub fn disorder_within(&self, heuristic: &Heuristic) -> Result<f64, MissingColumn> {
        let values = self.values(heuristic)?;
        let of_family = |family: &Vec<usize>| {
            let mut pairs: Vec<(i32, u32)> =
                family.iter().map(|&board| (values[board], self.distances[board])).collect();
            pairs.sort_unstable();
            disorder(&pairs)
        };
        let sum: f64 = self.families.iter().map(of_family).sum();
        Ok(if self.families.is_empty() { 0.0 } else { sum / self.families.len() as f64 })
    }

    /// Has a family boards at different distances?
    pub fn has_order_within(&self) -> bool {
        let differ = |family: &Vec<usize>| {
            family.iter().any(|&board| self.distances[board] != self.distances[family[0]])
        };
        self.families.iter().any(differ)
    }

    /// The values for all boards, as thousandths.
    pub fn values(&self, heuristic: &Heuristic) -> Result<Vec<i32>, MissingColumn> {
        let formula = Compiled::new(heuristic, &self.columns)?;
        let mut all = Vec::with_capacity(self.targets.len() * LANES);
        let mut values = [0; LANES];
        for group in 0..self.targets.len() {
            formula.evaluate(&self.columns, group, &mut values);
            all.extend_from_slice(&values);
        }
        all.truncate(self.len());
        Ok(all)
    }
}

fn families(boards: &[Labelled]) -> Vec<Vec<usize>> {
    let mut families: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (number, labelled) in boards.iter().enumerate() {
        families.entry(labelled.instance.group()).or_default().push(number);
    }
    families.into_values().filter(|boards| boards.len() > 1).collect()
}

/// The share of pairs in the wrong order, of values with distances by rising
/// value.
fn disorder(pairs: &[(i32, u32)]) -> f64 {
    let farthest = pairs.iter().map(|pair| pair.1).max().unwrap_or(0) as usize;
    // How many boards at each distance have a lower value.
    let mut lower = vec![0u64; farthest + 1];
    let (mut wrong, mut equal) = (0u64, 0u64);
    for group in pairs.chunk_by(|a, b| a.0 == b.0) {
        for &(_, distance) in group {
            // A farther board should not have a lower value.
            wrong += lower[distance as usize + 1..].iter().sum::<u64>();
        }
        let mut here = vec![0u64; farthest + 1];
        group.iter().for_each(|pair| here[pair.1 as usize] += 1);
        equal += different_pairs(&here);
        lower.iter_mut().zip(here).for_each(|(lower, here)| *lower += here);
    }
    let all = different_pairs(&lower);
    if all == 0 { 0.0 } else { (wrong as f64 + equal as f64 / 2.0) / all as f64 }
}

/// Pairs with different distances, by how many there are of each.
fn different_pairs(counts: &[u64]) -> u64 {
    let all: u64 = counts.iter().sum();
    let squares: u64 = counts.iter().map(|count| count * count).sum();
    (all * all - squares) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disorder_is_counted_pair_by_pair() {
        let naive = |pairs: &[(i32, u32)]| {
            let (mut wrong, mut all) = (0.0, 0.0);
            for (at, a) in pairs.iter().enumerate() {
                for b in &pairs[..at] {
                    if a.1 != b.1 {
                        all += 1.0;
                        wrong += match (a.0.cmp(&b.0), a.1.cmp(&b.1)) {
                            (std::cmp::Ordering::Equal, _) => 0.5,
                            (values, distances) => f64::from(values != distances),
                        };
                    }
                }
            }
            if all == 0.0 { 0.0 } else { wrong / all }
        };
        let mut chance = crate::random::Chance::of(&[3]);
        for size in 0..40 {
            let mut pairs: Vec<(i32, u32)> =
                (0..size).map(|_| (chance.below(9) as i32, chance.below(7) as u32)).collect();
            pairs.sort_unstable();
            assert!((disorder(&pairs) - naive(&pairs)).abs() < 1e-12, "{pairs:?}");
        }
    }
}
