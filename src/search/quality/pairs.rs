//! Pairs of numbers: their means and how they go together.

/// Sums over pairs of numbers. They are whole numbers, so the same pairs give
/// the same result in whatever order they come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pairs {
    pub count: u64,
    x: i128,
    y: i128,
    xx: i128,
    yy: i128,
    xy: i128,
}

impl Pairs {
    pub fn add(&mut self, x: i64, y: i64) {
        let (x, y) = (i128::from(x), i128::from(y));
        self.merge(&Pairs { count: 1, x, y, xx: x * x, yy: y * y, xy: x * y });
    }

    pub fn merge(&mut self, other: &Pairs) {
        self.count += other.count;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.yy += other.yy;
        self.xy += other.xy;
    }

    /// The mean of the first numbers less the second; `None` without pairs.
    pub fn mean_difference(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.x - self.y) as f64 / self.count as f64)
    }

    /// Pearson's correlation; `None` if the first or the second numbers are
    /// all the same, or too large to tell.
    pub fn correlation(&self) -> Option<f64> {
        let n = i128::from(self.count);
        let spread =
            |ab: i128, a: i128, b: i128| Some(n.checked_mul(ab)?.checked_sub(a.checked_mul(b)?)? as f64);
        let of_x = spread(self.xx, self.x, self.x)?;
        let of_y = spread(self.yy, self.y, self.y)?;
        let together = spread(self.xy, self.x, self.y)?;
        (of_x > 0.0 && of_y > 0.0).then(|| together / (of_x.sqrt() * of_y.sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(i64, i64)]) -> Pairs {
        let mut pairs = Pairs::default();
        list.iter().for_each(|&(x, y)| pairs.add(x, y));
        pairs
    }

    #[test]
    fn correlation_is_that_of_the_textbook() {
        let close = |list: &[(i64, i64)], expected: f64| {
            let found = pairs(list).correlation().unwrap();
            assert!((found - expected).abs() < 1e-12, "{list:?}: {found}");
        };
        close(&[(1, 10), (2, 20), (5, 50)], 1.0);
        close(&[(1, -1), (2, -2), (5, -5)], -1.0);
        // Means 2 and 2: (1·1 + 0·(-1) + 1·0) / √(2·2).
        close(&[(1, 1), (2, 3), (3, 2)], 0.5);
    }

    #[test]
    fn what_never_changes_has_no_correlation() {
        assert_eq!(pairs(&[(0, 1), (0, 2)]).correlation(), None);
        assert_eq!(pairs(&[(1, 7), (2, 7)]).correlation(), None);
        assert_eq!(pairs(&[]).correlation(), None);
        assert_eq!(pairs(&[]).mean_difference(), None);
    }

    #[test]
    fn huge_numbers_do_not_overflow() {
        let mut sum = pairs(&[(u32::MAX.into(), 1); 3]);
        for _ in 0..35 {
            sum.merge(&sum.clone());
        }
        assert_eq!(sum.correlation(), None);
    }
}
