//! A chart of how many boards have each distance: bars on a logarithmic
//! scale, since the counts span ten orders of magnitude.

use super::axis::{self, BOTTOM, FAINT_INK, INK, LEFT, RIGHT, labels, line, rungs, short, text};
use super::colour::Colour;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 500.0;
const TOP: f64 = 96.0;
const FLOOR: f64 = HEIGHT - BOTTOM;
const PLOT: f64 = FLOOR - TOP;
/// Near the exit, half way, far: the bars go from one to the next.
const COLOURS: [Colour; 3] = [Colour([46, 160, 134]), Colour([240, 180, 60]), Colour([208, 52, 64])];

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart<'a> {
    /// Above everything.
    pub title: String,
    /// Under the title, smaller.
    pub subtitle: String,
    /// Under the horizontal axis.
    pub x_label: String,
    /// Next to the vertical axis.
    pub y_label: String,
    /// How many boards have each distance.
    pub counts: &'a [u64],
}

impl Chart<'_> {
    /// The chart as an SVG document.
    ///
    /// ```
    /// use tailback::render::chart::Chart;
    ///
    /// let chart = Chart {
    ///     title: "Distances of 4×4 boards".into(),
    ///     subtitle: "1,130 boards".into(),
    ///     x_label: "moves".into(),
    ///     y_label: "boards".into(),
    ///     counts: &[100, 1000, 30],
    /// };
    /// let svg = chart.svg();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    /// assert_eq!(svg.matches("<title>").count(), 3);
    /// ```
    pub fn svg(&self) -> String {
        let mut svg = axis::paper(WIDTH, HEIGHT, &self.title, &self.subtitle);
        let tick = |power| (self.share(10u64.pow(power)), short(power));
        let ticks = (0..=self.most().ilog10()).map(tick).collect();
        rungs(&mut svg, WIDTH - RIGHT, (FLOOR, PLOT), ticks);
        self.bars(&mut svg);
        self.labels(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// The largest count, at least 10 for a scale to speak of.
    fn most(&self) -> u64 {
        self.counts.iter().copied().max().unwrap_or(0).max(10)
    }

    /// The scale begins half a decade below one, so that a single board is
    /// seen, and ends a little above the largest count.
    fn share(&self, count: u64) -> f64 {
        ((count as f64).log10() + 0.5) / ((self.most() as f64).log10() + 0.6)
    }

    fn slot(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.counts.len() as f64
    }

    fn bars(&self, svg: &mut String) {
        let slot = self.slot();
        let last = self.counts.len().saturating_sub(1).max(1);
        for (distance, &count) in self.counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let (x, y) = (LEFT + distance as f64 * slot + slot * 0.1, FLOOR - self.share(count) * PLOT);
            let (width, height, colour) = (slot * 0.8, FLOOR - y, blend(distance as f64 / last as f64));
            *svg += &format!(
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" rx=\"1.5\" \
                 fill=\"{colour}\"><title>{distance}: {count}</title></rect>\n"
            );
        }
        line(svg, (LEFT, FLOOR), (WIDTH - RIGHT, FLOOR), INK);
    }

    fn labels(&self, svg: &mut String) {
        let every = [1, 2, 5, 10, 20, 50].into_iter().find(|&n| self.slot() * n as f64 >= 36.0).unwrap_or(50);
        for distance in (0..self.counts.len()).step_by(every) {
            let x = LEFT + (distance as f64 + 0.5) * self.slot();
            text(svg, (x, FLOOR + 20.0), "middle", FAINT_INK, &distance.to_string());
        }
        labels(svg, WIDTH, (FLOOR, PLOT), [&self.x_label, &self.y_label]);
    }
}

/// The colour at this share of the way.
fn blend(share: f64) -> Colour {
    let at = share * (COLOURS.len() - 1) as f64;
    let from = (at as usize).min(COLOURS.len() - 2);
    COLOURS[from].mixed(COLOURS[from + 1], at - from as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_from_near_to_far() {
        assert_eq!([0.0, 0.5, 1.0].map(|share| blend(share).to_string()), ["#2ea086", "#f0b43c", "#d03440"]);
    }

    #[test]
    fn odd_counts_are_drawn() {
        for counts in [&[][..], &[0], &[1], &[0, 0, 7], &[u64::MAX]] {
            let chart = Chart {
                title: "<&>".into(),
                subtitle: String::new(),
                x_label: String::new(),
                y_label: String::new(),
                counts,
            };
            let svg = chart.svg();
            assert!(svg.contains("&lt;&amp;&gt;") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert_eq!(svg.matches("<title>").count(), counts.iter().filter(|&&n| n > 0).count());
        }
    }
}
