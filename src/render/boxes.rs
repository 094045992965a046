//! How far the values of several samples are spread: a box from quartile to
//! quartile with the median in it, and a line from the least to the largest,
//! on a logarithmic scale.

use super::axis::{
    self, BOTTOM, FAINT_INK, GRID, INK, LEGEND_ROW, LEGEND_TOP, RIGHT, cut, legend, line, text,
};
use super::colour::Colour;
use super::font;
use super::span::Span;
use super::svg::escape;

const WIDTH: f64 = 960.0;
/// From row to row, and the height of a box.
const ROW: f64 = 25.0;
const BOX: f64 = 13.0;
/// Left of the names, and right of them.
const MARGIN: f64 = 24.0;
const GAP: f64 = 12.0;
/// How many letters of a name are shown.
const LETTERS: usize = 36;

/// What to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes {
    /// Above everything.
    pub title: String,
    /// Under the title, smaller.
    pub subtitle: String,
    /// Under the axis.
    pub label: String,
    /// What kinds of samples there are, each of which has a colour.
    pub kinds: Vec<String>,
    /// The samples, from top to bottom.
    pub rows: Vec<Row>,
}

/// One sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Beside it.
    pub name: String,
    /// The place of its kind.
    pub kind: usize,
    /// The least value, the quartiles with the median between them, the largest.
    pub spread: [f64; 5],
}

impl Boxes {
    /// The chart as an SVG document.
    ///
    /// ```
    /// use tailback::render::boxes::{Boxes, Row};
    ///
    /// let boxes = Boxes {
    ///     title: "Nodes".into(),
    ///     subtitle: "50 boards".into(),
    ///     label: "nodes".into(),
    ///     kinds: vec!["blind".into()],
    ///     rows: vec![Row { name: "blind".into(), kind: 0, spread: [3.0, 50.0, 180.0, 900.0, 20_000.0] }],
    /// };
    /// assert_eq!(boxes.svg().matches("<title>").count(), 1);
    /// ```
    pub fn svg(&self) -> String {
        let (legend, rows) = legend(&self.kinds, WIDTH);
        let top = LEGEND_TOP + LEGEND_ROW * rows as f64;
        let floor = top + ROW * self.rows.len() as f64;
        let mut svg = axis::paper(WIDTH, floor + BOTTOM, &self.title, &self.subtitle);
        svg += &legend;
        let span = Span::logarithmic(self.rows.iter().flat_map(|row| row.spread));
        for (share, name) in span.ticks(8.0) {
            let x = self.at(share);
            line(&mut svg, (x, top), (x, floor), GRID);
            text(&mut svg, (x, floor + 20.0), "middle", FAINT_INK, &name);
        }
        for (index, row) in self.rows.iter().enumerate() {
            self.row(&mut svg, row, &span, top + ROW * (index as f64 + 0.5));
        }
        line(&mut svg, (self.left(), floor), (WIDTH - RIGHT, floor), INK);
        text(
            &mut svg,
            ((self.left() + WIDTH - RIGHT) / 2.0, floor + BOTTOM - 16.0),
            "middle",
            INK,
            &self.label,
        );
        svg.push_str("</svg>\n");
        svg
    }

    /// Where the axis begins, right of the names. Bold letters are broader than
    /// theirs.
    fn left(&self) -> f64 {
        let widest = self.rows.iter().map(|row| font::width(&cut(&row.name, LETTERS))).fold(0.0, f64::max);
        MARGIN + (13.0 * widest).min(WIDTH / 2.0) + GAP
    }

    fn at(&self, share: f64) -> f64 {
        self.left() + share * (WIDTH - RIGHT - self.left())
    }

    fn row(&self, svg: &mut String, row: &Row, span: &Span, y: f64) {
        let colour = Colour::of_series(row.kind);
        let [least, lower, median, upper, most] = row.spread.map(|value| self.at(span.share(value)));
        text(svg, (self.left() - GAP, y + 4.5), "end", INK, &cut(&row.name, LETTERS));
        line(svg, (least, y), (most, y), &colour.to_string());
        for end in [least, most] {
            line(svg, (end, y - BOX / 4.0), (end, y + BOX / 4.0), &colour.to_string());
        }
        let (top, width) = (y - BOX / 2.0, (upper - lower).max(1.0));
        *svg += &format!(
            "<rect x=\"{lower:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{BOX}\" rx=\"2\" \
             fill=\"{colour}\"><title>{}: median {}, quartiles {} and {}, from {} to {}</title></rect>\n",
            escape(&row.name),
            row.spread[2],
            row.spread[1],
            row.spread[3],
            row.spread[0],
            row.spread[4],
        );
        let (x, top, bottom) = (median, y - BOX / 2.0 - 2.0, y + BOX / 2.0 + 2.0);
        *svg += &format!(
            "<line x1=\"{x:.2}\" y1=\"{top:.2}\" x2=\"{x:.2}\" y2=\"{bottom:.2}\" stroke=\"{INK}\" \
             stroke-width=\"2.4\"/>\n"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::png;

    #[test]
    fn everything_is_on_the_page() {
        let long = "max(advanced-admissible,0.5*distance)+blocking+blockers+free-cells";
        for (count, factor) in [(0, 1.0), (1, 0.0), (1, 1.0), (30, 3.0), (30, 1e9)] {
            for name in ["a", "<&>", long] {
                let row = |index: usize| Row {
                    name: name.into(),
                    kind: index % 5,
                    spread: [0.0, 1.0, 2.0, 3.0, 4.0].map(|place| place * factor * index as f64),
                };
                let boxes = Boxes {
                    title: "Boxes".into(),
                    subtitle: String::new(),
                    label: "nodes".into(),
                    kinds: (0..5).map(|kind| format!("kind {kind}")).collect(),
                    rows: (0..count).map(row).collect(),
                };
                let svg = boxes.svg();
                assert_eq!(svg.matches("<title>").count(), count);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert!(png::is_on_page(&svg), "{count}, {name}");
            }
        }
    }
}
