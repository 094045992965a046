//! Bars in groups, one colour a series, and several such charts below one
//! another: what searches took, puzzle by puzzle.

use super::axis::{
    self, FAINT_INK, GRID, INK, LEFT, LEGEND_ROW, LEGEND_TOP, RIGHT, cut, legend, line, rising, round_step,
    short, short_seconds, text,
};
use super::colour::Colour;
use super::svg::escape;

const NARROWEST: f64 = 960.0;
const WIDEST: f64 = 2400.0;
/// What a bar, and the gap between groups, would like to have.
const BAR: f64 = 5.0;
const GAP: f64 = 7.0;
/// The broadest bar.
const BROADEST: f64 = 44.0;
/// Above the bars of a chart, with its title; the bars; and under the labels.
const HEAD: f64 = 44.0;
const PLOT: f64 = 190.0;
const FOOT: f64 = 18.0;
/// The size of the names of groups, how many letters of one are shown, and the
/// room that a letter takes at most on average.
const LABEL: f64 = 11.0;
const LETTERS: usize = 18;
const LETTER: f64 = 0.64 * LABEL;
/// Groups narrower than this leave some names out.
const DENSEST: f64 = 13.0;
/// A bar of more than so many times the highest mark would flatten all others:
/// it is cut off.
const FLATTEST: f64 = 3.0;
/// Every other group has a darker ground, so that the eye stays in its column.
const BAND: &str = "#f5f7f9";

/// What to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// Above everything.
    pub title: String,
    /// Under the title, smaller.
    pub subtitle: String,
    /// The names of the groups, from left to right.
    pub groups: Vec<String>,
    /// The names of the series, each of which has a bar in every group.
    pub series: Vec<String>,
    /// The charts, from top to bottom.
    pub panels: Vec<Panel>,
}

/// One chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// How long a bar is.
    pub scale: Scale,
    /// The bars: a list for each group, with one for each series.
    pub bars: Vec<Vec<Option<Bar>>>,
    /// A line across a group, to compare its bars with.
    pub marks: Vec<Option<f64>>,
}

/// One bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Its height; must not be negative.
    pub value: f64,
    /// Is the true value larger? Then it is pale.
    pub is_cut: bool,
}

/// What a bar measures, and how its length grows with that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Numbers, logarithmic.
    Counts,
    /// Seconds, logarithmic.
    Seconds,
    /// Numbers, linear.
    Lengths,
}

impl Bars {
    /// The charts as an SVG document.
    ///
    /// ```
    /// use tailback::render::bars::{Bar, Bars, Panel, Scale};
    ///
    /// let bar = |value| Some(Bar { value, is_cut: false });
    /// let nodes = Panel {
    ///     title: "nodes generated".into(),
    ///     scale: Scale::Counts,
    ///     bars: vec![vec![bar(11521.0), bar(5616.0)], vec![bar(22741.0), None]],
    ///     marks: vec![None, None],
    /// };
    /// let bars = Bars {
    ///     title: "Two puzzles".into(),
    ///     subtitle: "A*".into(),
    ///     groups: vec!["Jam-1".into(), "Jam-2".into()],
    ///     series: vec!["zero".into(), "blocking".into()],
    ///     panels: vec![nodes],
    /// };
    /// assert_eq!(bars.svg().matches("<title>").count(), 3);
    /// ```
    pub fn svg(&self) -> String {
        let (legend, rows) = legend(&self.series, self.width());
        let top = LEGEND_TOP + LEGEND_ROW * rows as f64;
        let height = top + (HEAD + PLOT + self.foot()) * self.panels.len() as f64;
        let mut svg = axis::paper(self.width(), height.ceil(), &self.title, &self.subtitle);
        svg += &legend;
        for (index, panel) in self.panels.iter().enumerate() {
            self.panel(&mut svg, panel, top + (HEAD + PLOT + self.foot()) * index as f64);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn width(&self) -> f64 {
        let group = BAR * self.series.len() as f64 + GAP;
        (LEFT + group * self.groups.len() as f64 + RIGHT).clamp(NARROWEST, WIDEST).ceil()
    }

    fn slot(&self) -> f64 {
        (self.width() - LEFT - RIGHT) / self.groups.len().max(1) as f64
    }

    fn panel(&self, svg: &mut String, panel: &Panel, top: f64) {
        let (ceiling, floor) = (top + HEAD, top + HEAD + PLOT);
        let right = self.width() - RIGHT;
        let (title_y, title) = (ceiling - 14.0, escape(&panel.title));
        *svg += &format!(
            "<text x=\"{LEFT}\" y=\"{title_y:.2}\" font-size=\"15\" font-weight=\"700\">{title}</text>\n"
        );
        let slot = self.slot();
        for group in (1..self.groups.len()).step_by(2) {
            let place = format!("x=\"{:.2}\" y=\"{ceiling:.2}\"", LEFT + group as f64 * slot);
            *svg += &format!("<rect {place} width=\"{slot:.2}\" height=\"{PLOT}\" fill=\"{BAND}\"/>\n");
        }
        let range = panel.range();
        for (share, name) in range.ticks() {
            let y = floor - share * PLOT;
            line(svg, (LEFT, y), (right, y), GRID);
            text(svg, (LEFT - 10.0, y + 4.5), "end", FAINT_INK, &name);
        }
        for group in 0..panel.bars.len() {
            self.group(svg, panel, &range, group, floor);
        }
        line(svg, (LEFT, floor), (right, floor), INK);
        self.labels(svg, floor);
    }

    fn group(&self, svg: &mut String, panel: &Panel, range: &Range, group: usize, floor: f64) {
        let slot = self.slot();
        let breadth = (0.8 * slot / self.series.len() as f64).min(BROADEST);
        let all = breadth * self.series.len() as f64;
        let left = LEFT + (group as f64 + 0.5) * slot - all / 2.0;
        for (series, bar) in panel.bars[group].iter().enumerate() {
            let Some(Bar { value, is_cut }) = *bar else { continue };
            let (share, x) = (range.share(value), left + breadth * series as f64);
            let height = share.min(1.0) * PLOT;
            let (pale, more) = if is_cut { (" fill-opacity=\"0.35\"", "more than ") } else { ("", "") };
            *svg += &format!(
                "<rect x=\"{x:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\" fill=\"{}\"{pale}>\
                 <title>{}, {}: {more}{value}</title></rect>\n",
                floor - height,
                breadth * if breadth > 3.0 { 0.9 } else { 1.0 },
                Colour::of_series(series),
                escape(&self.groups[group]),
                escape(&self.series[series]),
            );
            if share > 1.0 {
                gap(svg, (x, floor - PLOT + 12.0), breadth);
            }
        }
        if let Some(mark) = panel.marks[group] {
            let y = floor - range.share(mark) * PLOT;
            let more = (0.04 * slot).min(6.0);
            line(svg, (left - more, y), (left + all + more, y), INK);
        }
    }

    fn labels(&self, svg: &mut String, floor: f64) {
        let slot = self.slot();
        let every = (DENSEST / slot).ceil().max(1.0) as usize;
        *svg += &format!("<g font-size=\"{LABEL}\">\n");
        for (index, name) in self.groups.iter().enumerate().step_by(every) {
            let x = LEFT + (index as f64 + 0.5) * slot;
            match self.are_labels_flat() {
                true => text(svg, (x, floor + 18.0), "middle", FAINT_INK, &cut(name, LETTERS)),
                false => rising(svg, (x + 4.0, floor + 12.0), 60, "end", FAINT_INK, &cut(name, LETTERS)),
            }
        }
        svg.push_str("</g>\n");
    }

    fn longest_label(&self) -> f64 {
        let letters = self.groups.iter().map(|name| cut(name, LETTERS).chars().count()).max().unwrap_or(0);
        letters as f64 * LETTER
    }

    fn are_labels_flat(&self) -> bool {
        self.longest_label() + LABEL <= self.slot()
    }

    /// Under the bars: the names of the groups.
    fn foot(&self) -> f64 {
        let labels = if self.are_labels_flat() { 18.0 } else { 12.0 + 0.87 * self.longest_label() };
        labels + FOOT
    }
}

/// A slanting gap across a bar, as a sign that it is longer than it is drawn.
fn gap(svg: &mut String, (x, y): (f64, f64), breadth: f64) {
    let (right, rise) = (x + breadth, (0.4 * breadth).clamp(2.0, 8.0));
    let (high, low) = (y - rise, y + 4.0);
    let outline = format!("M{x:.2} {y:.2}L{right:.2} {high:.2}v4L{x:.2} {low:.2}z");
    *svg += &format!("<path d=\"{outline}\" fill=\"#ffffff\"/>\n");
}

/// From which value to which an axis goes; of a logarithmic one the powers of
/// ten.
struct Range {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Panel {
    fn range(&self) -> Range {
        let bars = self.bars.iter().flatten().flatten().map(|bar| bar.value);
        let values = || bars.clone().chain(self.marks.iter().flatten().copied());
        let most = values().fold(0.0, f64::max);
        let scale = self.scale;
        match scale {
            Scale::Lengths => {
                let mark = self.marks.iter().flatten().copied().fold(0.0, f64::max);
                let most = if mark > 0.0 { most.min(FLATTEST * mark) } else { most };
                Range { scale, low: 0.0, high: most.max(1.0) * 1.04 }
            }
            Scale::Counts | Scale::Seconds => {
                let least = values().fold(f64::INFINITY, f64::min).min(most);
                // A little below the least, so that its bar is seen.
                let low = (log(least, scale) - 0.25).floor();
                Range { scale, low, high: (log(most, scale) + 0.08).max(low + 1.0) }
            }
        }
    }
}

/// The logarithm of a value that may be too small to have one. What takes less
/// than two microseconds is all the same.
fn log(value: f64, scale: Scale) -> f64 {
    let least = if scale == Scale::Seconds { 2e-6 } else { 0.5 };
    value.max(least).log10()
}

impl Range {
    /// Which share of the axis a value takes; more than 1 if it goes beyond.
    fn share(&self, value: f64) -> f64 {
        self.share_at(if self.scale == Scale::Lengths { value } else { log(value, self.scale) })
    }

    fn share_at(&self, at: f64) -> f64 {
        ((at - self.low) / (self.high - self.low)).max(0.0)
    }

    /// The shares to be marked on the axis, and the numbers there.
    fn ticks(&self) -> Vec<(f64, String)> {
        if self.scale == Scale::Lengths {
            let step = round_step(self.high, 6.0).max(1.0);
            let numbers = (0..=(self.high / step) as u32).map(|n| f64::from(n) * step);
            return numbers.map(|number| (self.share_at(number), number.to_string())).collect();
        }
        let powers = self.low as i32..=self.high.floor() as i32;
        let name = |power: i32| match self.scale {
            Scale::Seconds => Some(short_seconds(power)),
            // Less than one is the foot of a bar and no number.
            _ => u32::try_from(power).ok().map(short),
        };
        powers.filter_map(|power| Some((self.share_at(f64::from(power)), name(power)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::png;

    fn bars(groups: usize, series: usize, name: &str, value: f64) -> Bars {
        let bar = |n: usize| (n % 7 != 3).then_some(Bar { value: value * n as f64, is_cut: n % 5 == 1 });
        let panel = |scale| Panel {
            title: "<&>".into(),
            scale,
            bars: (0..groups).map(|g| (0..series).map(|s| bar(g * series + s)).collect()).collect(),
            marks: vec![Some(value); groups],
        };
        Bars {
            title: "Bars".into(),
            subtitle: String::new(),
            groups: vec![name.into(); groups],
            series: vec![name.into(); series],
            panels: [Scale::Counts, Scale::Seconds, Scale::Lengths].map(panel).into(),
        }
    }

    /// Every bar is drawn, and nothing leaves the page, however many there are
    /// and however long their names.
    #[test]
    fn everything_is_on_the_page() {
        let long = "max(advanced-admissible,0.5*distance)";
        for (groups, series) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3), (40, 5), (7, 20), (1000, 2)] {
            for name in ["1", "Jam-12", long] {
                for value in [0.0, 1e-9, 0.5, 1.0, 9.99, 1e4, 1e16] {
                    let bars = bars(groups, series, name, value);
                    let svg = bars.svg();
                    let drawn = svg.matches("<title>").count();
                    let given = bars.panels.iter().flat_map(|panel| panel.bars.iter().flatten().flatten());
                    assert_eq!(drawn, given.count());
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                    if value == 1.0 {
                        assert!(png::is_on_page(&svg), "{groups}, {series}, {name}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_bar_that_would_flatten_all_others_is_cut_off() {
        let svg = |most: f64| {
            let bars = [10.0, most].map(|value| Some(Bar { value, is_cut: false })).to_vec();
            let panel = Panel {
                title: String::new(),
                scale: Scale::Lengths,
                bars: vec![bars],
                marks: vec![Some(10.0)],
            };
            let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
            let (title, subtitle) = (String::new(), String::new());
            Bars { title, subtitle, groups: names(&["a"]), series: names(&["b", "c"]), panels: vec![panel] }
                .svg()
        };
        assert!(!svg(30.0).contains("<path"));
        assert_eq!(svg(10_000.0).matches("<path").count(), 1);
        assert!(
            svg(10_000.0).contains("<title>a, c: 10000</title>") && !svg(10_000.0).contains(">100</text>")
        );
    }

    #[test]
    fn axes_have_round_numbers() {
        let ticks = |scale, least: f64, most: f64| {
            let bars = [least, most].map(|value| Some(Bar { value, is_cut: false }));
            let panel = Panel { title: String::new(), scale, bars: vec![bars.to_vec()], marks: vec![None] };
            let names: Vec<String> = panel.range().ticks().into_iter().map(|(_, name)| name).collect();
            names.join(" ")
        };
        assert_eq!(ticks(Scale::Lengths, 0.0, 51.0), "0 10 20 30 40 50");
        assert_eq!(ticks(Scale::Lengths, 0.0, 3.0), "0 1 2 3");
        assert_eq!(ticks(Scale::Lengths, 0.0, 0.0), "0 1");
        assert_eq!(ticks(Scale::Counts, 1.0, 20_000.0), "1 10 100 1K 10K");
        assert_eq!(ticks(Scale::Counts, 50.0, 50.0), "10 100");
        assert_eq!(ticks(Scale::Seconds, 0.00005, 2.0), "0.01 ms 0.1 ms 1 ms 10 ms 100 ms 1 s");
    }
}
