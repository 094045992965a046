//! What a straight line makes of the building blocks: the measure of everything
//! that is bred.

use super::fitness::Sample;
use crate::formula::Heuristic;
use crate::search::Value;

/// A column that the ones before it explain but for this share of its variance
/// says nothing new.
const TINY: f64 = 1e-9;

/// The largest weight that can be written, in thousandths.
const MOST: f64 = 1e6;

/// The weighted sum of all building blocks, and a constant, whose squared error
/// on a sample is least. Weights are rounded to thousandths; of blocks that
/// depend on each other, such as `distance-blockers` on `distance` and
/// `blockers`, one has no weight.
///
/// Elimination in the matrix of correlations, the column with the largest rest
/// first. Values are small whole numbers, so that squaring them loses nothing.
/// It takes k² steps a board and k³ at the end, for k blocks.
pub fn least_squares(sample: &Sample) -> Heuristic {
    let blocks: Vec<&Heuristic> = sample.columns().blocks().collect();
    let target: Vec<f64> = sample.distances().iter().map(|&distance| f64::from(distance)).collect();
    let value = |block: &Heuristic, board| {
        let value = sample.columns().value(block, board);
        value.expect("it is one of its blocks").as_f64()
    };
    let column = |block: &&Heuristic| (0..sample.len()).map(|board| value(block, board)).collect();
    let columns: Vec<Vec<f64>> = blocks.iter().map(column).collect();
    let (weights, constant) = line(&columns, &target);
    formula(&blocks, &weights, constant)
}

/// Rounded weights of columns, and a constant, for the least squared error.
fn line(columns: &[Vec<f64>], target: &[f64]) -> (Vec<f64>, f64) {
    let mean = |column: &[f64]| column.iter().sum::<f64>() / column.len().max(1) as f64;
    let means: Vec<f64> = columns.iter().map(|column| mean(column)).collect();
    let centred = |column: &[f64], mean: f64| column.iter().map(|value| value - mean).collect::<Vec<f64>>();
    let mut all: Vec<Vec<f64>> =
        columns.iter().zip(&means).map(|(column, &mean)| centred(column, mean)).collect();
    // A column that is always the same has no length; it stays as it is.
    let lengths: Vec<f64> = all.iter().map(|column| dot(column, column).sqrt()).collect();
    for (column, &length) in all.iter_mut().zip(&lengths) {
        column.iter_mut().for_each(|value| *value /= length.max(f64::MIN_POSITIVE.sqrt()));
    }
    let target_mean = mean(target);
    all.push(centred(target, target_mean));

    let mut matrix: Vec<Vec<f64>> =
        all[..columns.len()].iter().map(|row| all.iter().map(|column| dot(row, column)).collect()).collect();
    let solved = eliminate(&mut matrix);
    let round = |weight: f64| (weight * 1000.0).round().clamp(-MOST, MOST) / 1000.0;
    let weights: Vec<f64> = (solved.iter().zip(&lengths))
        .map(|(weight, length)| weight.map_or(0.0, |weight| round(weight / length)))
        .collect();
    // The constant makes good what rounding shifted.
    let constant = target_mean - weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum::<f64>();
    (weights, round(constant))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves symmetric equations, whose right sides are the last column. An unknown
/// that others leave no room for has no solution.
fn eliminate(matrix: &mut [Vec<f64>]) -> Vec<Option<f64>> {
    let mut is_solved = vec![false; matrix.len()];
    loop {
        let open = (0..matrix.len()).filter(|&row| !is_solved[row] && matrix[row][row] > TINY);
        let Some(pivot) = open.max_by(|&a, &b| matrix[a][a].total_cmp(&matrix[b][b])) else { break };
        is_solved[pivot] = true;
        let by = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|value| *value /= by);
        let used = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(number, _)| *number != pivot) {
            let share = row[pivot];
            row.iter_mut().zip(&used).for_each(|(value, used)| *value -= share * used);
        }
    }
    matrix.iter().zip(is_solved).map(|(row, is_solved)| is_solved.then(|| row[row.len() - 1])).collect()
}

/// The weighted sum in the language of formulas, which knows no negative weight.
fn formula(blocks: &[&Heuristic], weights: &[f64], constant: f64) -> Heuristic {
    let value = |weight: f64| Value::from_thousandths((weight.abs() * 1000.0).round() as u32);
    let terms = |sign: f64| {
        let mut terms: Vec<(Value, Heuristic)> = (blocks.iter().zip(weights))
            .filter(|(_, weight)| **weight * sign > 0.0)
            .map(|(block, weight)| (value(*weight), (*block).clone()))
            .collect();
        if constant * sign > 0.0 {
            terms.push((Value::ONE, Heuristic::Constant(value(constant))));
        }
        terms
    };
    let sum = |terms: Vec<(Value, Heuristic)>| match terms.is_empty() {
        true => Heuristic::Constant(Value::ZERO),
        false => Heuristic::Sum(terms).simplified(),
    };
    let (above, below) = (terms(1.0), terms(-1.0));
    if below.is_empty() { sum(above) } else { Heuristic::Minus(Box::new([sum(above), sum(below)])) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::domains::rush_hour::VOCABULARY;
    use crate::formula::Kind;
    use crate::puzzles::{Labelled, PUZZLES, Settings};
    use crate::random::Chance;

    #[test]
    fn planted_weights_are_found() {
        let mut chance = Chance::of(&[8]);
        let mut column = |most: usize| (0..500).map(|_| chance.below(most) as f64).collect::<Vec<f64>>();
        let (a, b, c) = (column(9), column(40), column(3));
        let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        let same = vec![6.0; 500];
        let target: Vec<f64> = (0..500).map(|i| 1.25 * a[i] - 0.5 * b[i] + 3.0 * c[i] + 7.0).collect();
        let (weights, constant) = line(&[a.clone(), b.clone(), c.clone()], &target);
        assert_eq!((weights, constant), (vec![1.25, -0.5, 3.0], 7.0));

        // Columns that say nothing new change nothing.
        let (weights, constant) = line(&[a.clone(), sum.clone(), c.clone(), same, b.clone()], &target);
        for i in 0..500 {
            let found = weights[0] * a[i] + weights[1] * sum[i] + weights[2] * c[i] + weights[4] * b[i];
            assert!((found + constant - target[i]).abs() < 0.05, "{weights:?}, {constant}");
        }
        assert_eq!(weights[3], 0.0);
        assert_eq!(weights.iter().filter(|&&weight| weight == 0.0).count(), 2);
        assert_eq!(line(&[vec![], vec![]], &[]), (vec![0.0, 0.0], 0.0));
    }

    /// Boards by moving about at random; the distances need not be true.
    fn sample(seed: u64, distance: impl Fn(&mut Chance) -> u32) -> Sample {
        let mut board = Board::parse("..B... ..B.CC AAB..D ..EE.D .....D ......").unwrap();
        let mut chance = Chance::of(&[seed]);
        let oracle = PUZZLES[0].open(Settings::default()).unwrap();
        let mut boards = Vec::new();
        for _ in 0..300 {
            let moves = board.moves();
            board.play_unchecked(*chance.pick(&moves));
            let (_, instance) = oracle.read(&board.to_string()).unwrap();
            boards.push(Labelled { instance, distance: distance(&mut chance) });
        }
        let blocks: Vec<Heuristic> =
            VOCABULARY.guesses().chain(VOCABULARY.of_kind(Kind::Feature)).map(Heuristic::from).collect();
        Sample::new(&boards, &blocks, 1, &()).unwrap()
    }

    #[test]
    fn no_single_block_is_better() {
        let sample = sample(3, |chance| chance.below(30) as u32 + 1);
        let line = least_squares(&sample);
        assert_eq!(VOCABULARY.read(&line.to_string()).unwrap(), line);
        let error = sample.squared_error(&line).unwrap();
        for block in sample.columns().blocks() {
            let values: Vec<f64> =
                sample.values(block).unwrap().iter().map(|&v| f64::from(v) / 1e3).collect();
            let distances: Vec<f64> = sample.distances().iter().map(|&d| f64::from(d)).collect();
            let weight = dot(&values, &distances) / dot(&values, &values).max(1e-9);
            let single: f64 =
                values.iter().zip(&distances).map(|(v, d)| (weight * v - d).powi(2)).sum::<f64>() / 300.0;
            assert!(error <= single, "{block}: {error} and {single}");
        }
    }

    #[test]
    fn all_alike_is_a_constant() {
        assert_eq!(least_squares(&sample(4, |_| 12)).to_string(), "12");
    }
}
