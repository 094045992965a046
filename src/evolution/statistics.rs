//! Statistics of a few runs, where nothing is known of how they are spread:
//! medians, quartiles, and whether one sample tends to be larger than another.

use serde::Serialize;

/// The middle of a sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Quartiles {
    /// A quarter of the sample is below.
    pub lower: f64,
    /// Half of the sample is below.
    pub median: f64,
    /// A quarter of the sample is above.
    pub upper: f64,
}

impl Quartiles {
    /// Of a sample; nothing of an empty one. Between two values of the sorted
    /// sample a quartile is interpolated: the share q lies at (n − 1)·q, counted
    /// from 0 (type 7 of Hyndman and Fan, what R and NumPy do if nothing is said).
    ///
    /// ```
    /// use tailback::evolution::Quartiles;
    ///
    /// let four = Quartiles::of(&[4.0, 1.0, 3.0, 2.0]).unwrap();
    /// assert_eq!((four.lower, four.median, four.upper), (1.75, 2.5, 3.25));
    /// ```
    pub fn of(sample: &[f64]) -> Option<Quartiles> {
        let mut sorted = sample.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = last as f64 * share;
            let below = place as usize;
            let above = (below + 1).min(last);
            sorted[below] + (sorted[above] - sorted[below]) * place.fract()
        };
        Some(Quartiles { lower: at(0.25), median: at(0.5), upper: at(0.75) })
    }
}

/// Two samples against each other.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// Mann and Whitney's U: pairs in which the first is larger; equal ones
    /// count half.
    pub u: f64,
    /// How likely such a U, or one farther from the middle, would be if both
    /// were drawn from the same.
    pub p: f64,
    /// The same with Holm's correction for all comparisons that are made; at first, of
    /// one alone.
    pub p_holm: f64,
    /// Vargha and Delaney's A, the share of U in all pairs: how likely the
    /// first is larger. 0.5 is no difference.
    pub a: f64,
}

/// Samples smaller than this are compared exactly, if no two values are equal.
const EXACT: usize = 50;

impl Difference {
    /// Mann and Whitney's test, two-sided: exact for samples of fewer than 50
    /// different values, otherwise by the normal distribution, corrected for
    /// equal values and for continuity (as R's `wilcox.test`). Nothing if a
    /// sample is empty.
    pub fn between(first: &[f64], second: &[f64]) -> Option<Difference> {
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let wins = |a: &f64, b: &f64| f64::from(u8::from(a > b)) + 0.5 * f64::from(u8::from(a == b));
        let u: f64 = first.iter().map(|a| second.iter().map(|b| wins(a, b)).sum::<f64>()).sum();
        let mut all = [first, second].concat();
        all.sort_by(f64::total_cmp);
        let is_small = first.len() < EXACT && second.len() < EXACT;
        let p = match all.windows(2).all(|pair| pair[0] != pair[1]) && is_small {
            true => exact(u, first.len(), second.len()),
            false => approximate(u, first.len(), second.len(), &all),
        };
        Some(Difference { u, p, p_holm: p, a: u / (first.len() * second.len()) as f64 })
    }
}

/// Corrects the differences of many comparisons, so that the chance to call any
/// difference clear that is none stays what one comparison has (Holm 1979): the
/// smallest of n values of p counts n times, the next n − 1 times, and none less than
/// the one before.
pub(super) fn correct(mut differences: Vec<&mut Difference>) {
    differences.sort_by(|a, b| a.p.total_cmp(&b.p));
    let mut times = differences.len() as f64;
    let mut least = 0.0f64;
    for difference in differences {
        least = least.max(times * difference.p).min(1.0);
        difference.p_holm = least;
        times -= 1.0;
    }
}

/// Of all ways to deal n of n + m places to the first sample, the share whose U
/// is at least as far out; both sides.
fn exact(u: f64, n: usize, m: usize) -> f64 {
    // ways[k][s]: to choose k of the places so far with U = s. A chosen place
    // is above all earlier ones that were not chosen.
    let mut ways = vec![vec![0.0; n * m + 1]; n + 1];
    ways[0][0] = 1.0;
    for place in 0..n + m {
        for chosen in (place.saturating_sub(m)..n.min(place + 1)).rev() {
            let above = place - chosen;
            for sum in 0..=chosen * m {
                let found = ways[chosen][sum];
                ways[chosen + 1][sum + above] += found;
            }
        }
    }
    let ways = &ways[n];
    let u = u as usize;
    let all: f64 = ways.iter().sum();
    let low: f64 = ways[..=u].iter().sum();
    let high: f64 = ways[u..].iter().sum();
    (2.0 * low.min(high) / all).min(1.0)
}

fn approximate(u: f64, n: usize, m: usize, sorted: &[f64]) -> f64 {
    let pairs = (n * m) as f64;
    let all = sorted.len() as f64;
    let equal = sorted.chunk_by(|a, b| a == b).map(|equal| equal.len() as f64);
    let lost: f64 = equal.map(|equal| equal.powi(3) - equal).sum();
    let variance = pairs / 12.0 * (all + 1.0 - lost / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let far = ((u - pairs / 2.0).abs() - 0.5).max(0.0);
    (2.0 * beyond(far / variance.sqrt())).min(1.0)
}

/// How likely a normal value lies above z ≥ 0, to twelve digits and more: by the
/// series of the area up to z or, far out, by Laplace's continued fraction.
fn beyond(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 3.0 {
        let mut term = z;
        let mut sum = z;
        for odd in (3..100).step_by(2) {
            term *= z * z / f64::from(odd);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    density / (1..100).rev().fold(z, |rest, step| z + f64::from(step) / rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Chance;

    fn is_near(found: f64, known: f64) {
        assert!((found - known).abs() <= 1e-9 * known.abs().max(1e-3), "{found} and {known}");
    }

    #[test]
    fn quartiles_are_those_of_other_programs() {
        assert_eq!(Quartiles::of(&[]), None);
        let one = Quartiles::of(&[7.0]).unwrap();
        assert_eq!((one.lower, one.median, one.upper), (7.0, 7.0, 7.0));
        // R: quantile(c(2, 4, 4, 5, 7, 9, 11, 12, 13))
        let nine = Quartiles::of(&[13.0, 2.0, 4.0, 4.0, 5.0, 7.0, 9.0, 11.0, 12.0]).unwrap();
        assert_eq!((nine.lower, nine.median, nine.upper), (4.0, 7.0, 11.0));
    }

    /// The examples of R's `wilcox.test` and SciPy's `mannwhitneyu`.
    #[test]
    fn known_tests() {
        let x = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let y = [1.15, 0.88, 0.90, 0.74, 1.21];
        let permeability = Difference::between(&x, &y).unwrap();
        assert_eq!((permeability.u, permeability.a), (35.0, 0.7));
        assert_eq!(format!("{:.4}", permeability.p / 2.0), "0.1272");

        let males = [19.0, 22.0, 16.0, 29.0, 24.0];
        let females = [20.0, 11.0, 17.0, 12.0];
        let age = Difference::between(&males, &females).unwrap();
        assert_eq!(age.u, 17.0);
        is_near(age.p, 1.0 / 9.0);
        let mut all = [&males[..], &females].concat();
        all.sort_by(f64::total_cmp);
        is_near(approximate(17.0, 5, 4, &all), 0.111_346_886_533_140_41);

        // Ozone in New York in May and August, with equal values.
        let may = [
            41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115,
            37,
        ];
        let august = [
            39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118,
            84, 85,
        ];
        let [may, august] = [may, august].map(|days| days.map(f64::from));
        let ozone = Difference::between(&may, &august).unwrap();
        assert_eq!(ozone.u, 127.5);
        assert_eq!(format!("{:.7}", ozone.p), "0.0001208");
    }

    /// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"), and one that is 1 at most
    #[test]
    fn corrected_for_many_comparisons() {
        let corrected = |ps: &[f64]| {
            let mut all: Vec<Difference> =
                ps.iter().map(|&p| Difference { u: 0.0, p, p_holm: p, a: 0.0 }).collect();
            correct(all.iter_mut().collect());
            all.iter().map(|difference| difference.p_holm).collect::<Vec<f64>>()
        };
        for (found, known) in corrected(&[0.01, 0.04, 0.03, 0.005]).into_iter().zip([0.03, 0.06, 0.06, 0.02])
        {
            is_near(found, known);
        }
        assert_eq!(corrected(&[0.9, 0.6]), [1.0, 1.0]);
        assert!(corrected(&[]).is_empty());
    }

    #[test]
    fn extremes() {
        assert_eq!(Difference::between(&[], &[1.0]), None);
        let same = Difference::between(&[1.0, 1.0], &[1.0]).unwrap();
        assert_eq!((same.u, same.p, same.a), (1.0, 1.0, 0.5));
        let apart = Difference::between(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
        assert_eq!((apart.u, apart.a), (0.0, 0.0));
        is_near(apart.p, 0.1);
        let (low, high): (Vec<f64>, Vec<f64>) = (0..200).map(f64::from).partition(|n| *n < 100.0);
        assert!(Difference::between(&low, &high).unwrap().p < 1e-30);
    }

    /// Every way to deal the places, one by one.
    #[test]
    fn exact_is_what_counting_gives() {
        let mut chance = Chance::of(&[5]);
        for (n, m) in [(1, 1), (1, 5), (4, 3), (5, 5), (2, 8), (6, 4)] {
            let mut values: Vec<f64> = (0..n + m).map(f64::from).collect();
            for at in (1..values.len()).rev() {
                values.swap(at, chance.below(at + 1));
            }
            let (first, second) = values.split_at(n as usize);
            let found = Difference::between(first, second).unwrap();
            let us = (0u32..1 << (n + m)).filter(|dealt| dealt.count_ones() == n as u32).map(|dealt| {
                let is_first = |place: &i32| dealt >> place & 1 == 1;
                let below = |place: i32| (0..place).filter(|other| !is_first(other)).count();
                (0..n + m).filter(is_first).map(below).sum::<usize>() as f64
            });
            let us: Vec<f64> = us.collect();
            let share =
                |test: &dyn Fn(f64) -> bool| us.iter().filter(|&&u| test(u)).count() as f64 / us.len() as f64;
            let side = share(&|u| u <= found.u).min(share(&|u| u >= found.u));
            is_near(found.p, (2.0 * side).min(1.0));
        }
    }

    /// R: pnorm(z, lower.tail = FALSE)
    #[test]
    fn the_tail_of_the_normal_distribution() {
        let known = [
            (0.0, 0.5),
            (1.0, 0.158_655_253_931_457_05),
            (1.96, 0.024_997_895_148_220_435),
            (3.0, 0.001_349_898_031_630_094_6),
            (6.0, 9.865_876_450_376_946e-10),
        ];
        for (z, tail) in known {
            assert!((beyond(z) / tail - 1.0).abs() < 1e-9, "{z}: {}", beyond(z));
        }
    }
}
