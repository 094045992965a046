//! Lines over a common axis, with bands around them: how something goes on.

use super::axis::{
    self, BOTTOM, FAINT_INK, INK, LEFT, LEGEND_ROW, LEGEND_TOP, RIGHT, labels, legend, line, rungs, text,
};
use super::colour::Colour;
use super::span::Span;
use super::svg::escape;

const WIDTH: f64 = 960.0;
const PLOT: f64 = 300.0;

/// What to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// Above everything.
    pub title: String,
    /// Under the title, smaller.
    pub subtitle: String,
    /// Under the horizontal axis.
    pub x_label: String,
    /// Next to the vertical axis.
    pub y_label: String,
    /// Does the vertical axis grow by factors?
    pub is_logarithmic: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
}

/// One point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// How far to the right.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// From where to where the band around the line goes.
    pub band: Option<[f64; 2]>,
}

/// The room of the lines, and what is where in it.
struct Plot {
    x: Span,
    y: Span,
    top: f64,
}

impl Plot {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let (across, up) = (self.x.share(x), self.y.share(y));
        (LEFT + across * (WIDTH - LEFT - RIGHT), self.floor() - up * PLOT)
    }

    fn floor(&self) -> f64 {
        self.top + PLOT
    }
}

impl Lines {
    /// The chart as an SVG document.
    ///
    /// ```
    /// use tailback::render::lines::{Lines, Point, Series};
    ///
    /// let costs = [9.0, 4.0, 2.5];
    /// let points = (0..).map(f64::from).zip(costs).map(|(x, y)| Point { x, y, band: Some([y - 1.0, y + 1.0]) });
    /// let lines = Lines {
    ///     title: "Cost".into(),
    ///     subtitle: "three runs".into(),
    ///     x_label: "generation".into(),
    ///     y_label: "cost".into(),
    ///     is_logarithmic: false,
    ///     series: vec![Series { name: "training".into(), points: points.collect() }],
    /// };
    /// let svg = lines.svg();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    /// assert_eq!(svg.matches("<polyline").count(), 1);
    /// ```
    pub fn svg(&self) -> String {
        let names: Vec<String> = self.series.iter().map(|series| series.name.clone()).collect();
        let (legend, rows) = legend(&names, WIDTH);
        let top = LEGEND_TOP + LEGEND_ROW * rows as f64;
        let plot = self.plot(top);
        let mut svg = axis::paper(WIDTH, top + PLOT + BOTTOM, &self.title, &self.subtitle);
        svg += &legend;
        self.axes(&mut svg, &plot);
        for (index, series) in self.series.iter().enumerate() {
            series.draw(&mut svg, &plot, Colour::of_series(index));
        }
        let floor = plot.floor();
        line(&mut svg, (LEFT, floor), (WIDTH - RIGHT, floor), INK);
        svg.push_str("</svg>\n");
        svg
    }

    fn plot(&self, top: f64) -> Plot {
        let points = self.series.iter().flat_map(|series| &series.points);
        let heights = points.clone().flat_map(|point| {
            let [low, high] = point.band.unwrap_or([point.y; 2]);
            [point.y, low, high]
        });
        let y = if self.is_logarithmic { Span::logarithmic(heights) } else { Span::linear(heights) };
        Plot { x: Span::tight(points.map(|point| point.x)), y, top }
    }

    fn axes(&self, svg: &mut String, plot: &Plot) {
        let floor = plot.floor();
        rungs(svg, WIDTH - RIGHT, (floor, PLOT), plot.y.ticks(6.0));
        for (share, name) in plot.x.ticks(10.0) {
            let x = LEFT + share * (WIDTH - LEFT - RIGHT);
            line(svg, (x, floor), (x, floor + 5.0), FAINT_INK);
            text(svg, (x, floor + 20.0), "middle", FAINT_INK, &name);
        }
        labels(svg, WIDTH, (floor, PLOT), [&self.x_label, &self.y_label]);
    }
}

impl Series {
    fn draw(&self, svg: &mut String, plot: &Plot, colour: Colour) {
        let name = escape(&self.name);
        let bands = self.points.iter().filter_map(|point| point.band.map(|[low, high]| (point.x, low, high)));
        let upper = bands.clone().map(|(x, _, high)| plot.at(x, high));
        let lower = bands.map(|(x, low, _)| plot.at(x, low)).collect::<Vec<_>>().into_iter().rev();
        let outline = joined(upper.chain(lower));
        if !outline.is_empty() {
            *svg += &format!("<polygon points=\"{outline}\" fill=\"{colour}\" fill-opacity=\"0.16\"/>\n");
        }
        match self.points.as_slice() {
            // A line of one point would not be seen.
            [point] => {
                let (x, y) = plot.at(point.x, point.y);
                *svg += &format!(
                    "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"4\" fill=\"{colour}\"><title>{name}</title></circle>\n"
                );
            }
            points => {
                let points = joined(points.iter().map(|point| plot.at(point.x, point.y)));
                *svg += &format!(
                    "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" \
                     stroke-linejoin=\"round\"><title>{name}</title></polyline>\n"
                );
            }
        }
    }
}

fn joined(points: impl Iterator<Item = (f64, f64)>) -> String {
    points.map(|(x, y)| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::png;

    fn chart(series: usize, points: usize, height: f64, is_logarithmic: bool) -> Lines {
        let point = |x: usize| {
            let y = height * (x % 7) as f64;
            Point { x: x as f64, y, band: (x % 3 == 1).then_some([y * 0.9, y * 1.2]) }
        };
        let line = |index: usize| Series {
            name: format!("<{index}> & {}", "others ".repeat(20)),
            points: (0..points).map(point).collect(),
        };
        Lines {
            title: "<&> and so on ".repeat(8),
            subtitle: "at length ".repeat(20),
            x_label: "generation".into(),
            y_label: "cost".into(),
            is_logarithmic,
            series: (0..series).map(line).collect(),
        }
    }

    /// Every line is drawn, and nothing leaves the page.
    #[test]
    fn everything_is_on_the_page() {
        for (series, points) in [(0, 0), (1, 0), (1, 1), (2, 2), (3, 100), (20, 5)] {
            for height in [0.0, 1e-9, 0.5, 30.0, 1e9] {
                for is_logarithmic in [false, true] {
                    let svg = chart(series, points, height, is_logarithmic).svg();
                    assert_eq!(svg.matches("<title>").count(), series, "{svg}");
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                    assert!(png::is_on_page(&svg), "{series}, {points}, {height}");
                }
            }
        }
    }

    #[test]
    fn a_higher_value_is_drawn_higher() {
        let plot = chart(1, 10, 5.0, true).plot(100.0);
        assert!(plot.at(0.0, 5.0).1 > plot.at(0.0, 10.0).1);
        assert!(plot.at(0.0, 0.0).1 <= plot.floor());
        assert!(plot.at(0.0, 5.0).0 < plot.at(9.0, 5.0).0);
    }
}
