//! Is it as chance would have it? The chi-square test.

/// Asserts that a draw without putting back has taken from each cell about as
/// many as it should. `cells` holds what was drawn and what there is.
///
/// The statistic of such a draw of n from N has the chi-square distribution
/// once it is multiplied by (N − 1) / (N − n). It must be neither above the
/// quantile 0.999 nor below the quantile 0.001: a draw can also be too even.
pub fn assert_drawn(cells: &[(u64, u64)], what: &str) {
    let drawn: u64 = cells.iter().map(|cell| cell.0).sum();
    let all: u64 = cells.iter().map(|cell| cell.1).sum();
    let share = drawn as f64 / all as f64;
    let (mut sum, mut used) = (0.0, 0);
    let (mut found, mut there) = (0, 0);
    let mut left = all;
    for cell in cells.iter().filter(|cell| cell.0.max(cell.1) > 0) {
        assert!(cell.0 <= cell.1, "{what}: more were drawn than there are");
        found += cell.0;
        there += cell.1;
        left -= cell.1;
        // The distribution is right where ten or more are expected; a cell
        // with fewer goes with the next, and so does one before a small rest.
        if (there.min(left) as f64) * share < 10.0 && left > 0 {
            continue;
        }
        let expected = there as f64 * share;
        sum += (found as f64 - expected).powi(2) / expected;
        used += 1;
        (found, there) = (0, 0);
    }
    assert!(used > 1, "{what}: too few were drawn to tell");
    let statistic = sum * (all - 1) as f64 / (all - drawn) as f64;
    let bounds = quantile(used - 1, -Z)..quantile(used - 1, Z);
    assert!(bounds.contains(&statistic), "{what}: {statistic} is not in {bounds:?} ({used} cells)");
}

/// The normal distribution is below it 999 times in 1,000.
const Z: f64 = 3.0902;

/// A quantile of the chi-square distribution with these degrees of freedom, by
/// that of the normal distribution (Wilson and Hilferty 1931).
fn quantile(freedom: u32, normal: f64) -> f64 {
    let ninth = 2.0 / (9.0 * f64::from(freedom));
    f64::from(freedom) * (1.0 - ninth + normal * ninth.sqrt()).powi(3)
}

/// Against printed tables.
#[test]
fn quantiles() {
    for (freedom, low, high) in [(10, 1.479, 29.588), (100, 61.918, 149.449)] {
        for (normal, printed) in [(-Z, low), (Z, high)] {
            let found = quantile(freedom, normal);
            assert!((found - printed).abs() < 0.2, "{freedom}: {found} is not {printed}");
        }
    }
}
