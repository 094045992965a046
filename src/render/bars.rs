//! Bars in groups, one colour a series, and several such charts below one
//! another: what searches took, puzzle by puzzle.

use super::axis::{
    self, FAINT_INK, INK, LEFT, LEGEND_ROW, LEGEND_TOP, RIGHT, cut, legend, line, rising, round_step, rungs,
    short, short_number, short_seconds, text,
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
/// The least height of the bars on paper of a chosen size.
const LOWEST: f64 = 40.0;
/// The least room for all groups there.
const TIGHTEST: f64 = 120.0;
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
    /// Width and height of the paper; as much as is needed if nothing is said.
    pub size: Option<(f64, f64)>,
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
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bar {
    /// Its height; must not be negative.
    pub value: f64,
    /// Is the true value larger? Then it is pale.
    pub is_cut: bool,
    /// Between which values it was measured: a thin line.
    pub spread: Option<(f64, f64)>,
}

/// What a bar measures, and how its length grows with that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// What it measures.
    pub unit: Unit,
    /// Is each step of the axis ten times the one before?
    pub is_logarithmic: bool,
}

/// What a bar measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Whole numbers.
    Whole,
    /// Other numbers.
    Fraction,
    /// Seconds.
    Seconds,
}

impl Bars {
    /// The charts as an SVG document.
    ///
    /// ```
    /// use tailback::render::bars::{Bar, Bars, Panel, Scale, Unit};
    ///
    /// let bar = |value| Some(Bar { value, ..Bar::default() });
    /// let nodes = Panel {
    ///     title: "nodes generated".into(),
    ///     scale: Scale { unit: Unit::Whole, is_logarithmic: true },
    ///     bars: vec![vec![bar(11521.0), bar(5616.0)], vec![bar(22741.0), None]],
    ///     marks: vec![None, None],
    /// };
    /// let bars = Bars {
    ///     title: "Two puzzles".into(),
    ///     subtitle: "A*".into(),
    ///     groups: vec!["Jam-1".into(), "Jam-2".into()],
    ///     series: vec!["zero".into(), "blocking".into()],
    ///     panels: vec![nodes],
    ///     size: None,
    /// };
    /// assert_eq!(bars.svg().matches("<title>").count(), 3);
    /// ```
    pub fn svg(&self) -> String {
        let (top, tall) = (self.top(), HEAD + self.tall() + self.foot());
        let height = top + tall * self.panels.len() as f64;
        let mut svg = axis::paper(self.width(), height.ceil(), &self.title, &self.subtitle);
        svg += &legend(&self.series, self.width()).0;
        for (index, panel) in self.panels.iter().enumerate() {
            self.panel(&mut svg, panel, top + tall * index as f64);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The least paper for it that is as broad as was chosen: on less, the height
    /// that was chosen is not kept.
    pub fn least_size(&self) -> (f64, f64) {
        let panel = HEAD + LOWEST + self.foot();
        (LEFT + TIGHTEST + RIGHT, (self.top() + panel * self.panels.len() as f64).ceil())
    }

    /// Above the first chart: the titles and the names of the series.
    fn top(&self) -> f64 {
        LEGEND_TOP + LEGEND_ROW * legend(&self.series, self.width()).1 as f64
    }

    /// The height of the bars of a chart.
    fn tall(&self) -> f64 {
        let Some((_, height)) = self.size else { return PLOT };
        let share = (height - self.top()) / self.panels.len().max(1) as f64;
        (share - HEAD - self.foot()).max(LOWEST)
    }

    fn width(&self) -> f64 {
        if let Some((width, _)) = self.size {
            return width;
        }
        let group = BAR * self.series.len() as f64 + GAP;
        (LEFT + group * self.groups.len() as f64 + RIGHT).clamp(NARROWEST, WIDEST).ceil()
    }

    fn slot(&self) -> f64 {
        (self.width() - LEFT - RIGHT) / self.groups.len().max(1) as f64
    }

    fn panel(&self, svg: &mut String, panel: &Panel, top: f64) {
        let tall = self.tall();
        let (ceiling, floor) = (top + HEAD, top + HEAD + tall);
        let right = self.width() - RIGHT;
        let (title_y, title) = (ceiling - 14.0, escape(&panel.title));
        *svg += &format!(
            "<text x=\"{LEFT}\" y=\"{title_y:.2}\" font-size=\"15\" font-weight=\"700\">{title}</text>\n"
        );
        let slot = self.slot();
        for group in (1..self.groups.len()).step_by(2) {
            let place = format!("x=\"{:.2}\" y=\"{ceiling:.2}\"", LEFT + group as f64 * slot);
            *svg += &format!("<rect {place} width=\"{slot:.2}\" height=\"{tall:.2}\" fill=\"{BAND}\"/>\n");
        }
        let range = panel.range();
        rungs(svg, right, (floor, tall), range.ticks());
        for group in 0..panel.bars.len() {
            self.group(svg, panel, &range, group, floor);
        }
        line(svg, (LEFT, floor), (right, floor), INK);
        self.labels(svg, floor);
    }

    fn group(&self, svg: &mut String, panel: &Panel, range: &Range, group: usize, floor: f64) {
        let (slot, tall) = (self.slot(), self.tall());
        let breadth = (0.8 * slot / self.series.len() as f64).min(BROADEST);
        let all = breadth * self.series.len() as f64;
        let left = LEFT + (group as f64 + 0.5) * slot - all / 2.0;
        for (series, bar) in panel.bars[group].iter().enumerate() {
            let Some(Bar { value, is_cut, spread }) = *bar else { continue };
            let (share, x) = (range.share(value), left + breadth * series as f64);
            let height = share.min(1.0) * tall;
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
                gap(svg, (x, floor - tall + 12.0), breadth);
            }
            if let Some((least, most)) = spread {
                let at = |value| floor - range.share(value).min(1.0) * tall;
                let ends = (at(least), at(most));
                whisker(svg, x + 0.45 * breadth, ends, 0.2 * breadth);
            }
        }
        if let Some(mark) = panel.marks[group] {
            let y = floor - range.share(mark) * tall;
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

/// A thin line from one height to another, with a stroke across at each end.
fn whisker(svg: &mut String, x: f64, (low, high): (f64, f64), reach: f64) {
    line(svg, (x, low), (x, high), INK);
    let reach = reach.min(5.0);
    for y in [low, high] {
        line(svg, (x - reach, y), (x + reach, y), INK);
    }
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
        let bars = || self.bars.iter().flatten().flatten();
        let ends = bars().filter_map(|bar| bar.spread).flat_map(|(least, most)| [least, most]);
        let values = bars().map(|bar| bar.value).chain(ends).chain(self.marks.iter().flatten().copied());
        let values: Vec<f64> = values.collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let scale = self.scale;
        if scale.is_logarithmic {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min).min(most);
            // A little below the least, so that its bar is seen.
            let low = (log(least, scale.unit) - 0.25).floor();
            return Range { scale, low, high: (log(most, scale.unit) + 0.08).max(low + 1.0) };
        }
        let mark = self.marks.iter().flatten().copied().fold(0.0, f64::max);
        let most = if mark > 0.0 { most.min(FLATTEST * mark) } else { most };
        let least = match scale.unit {
            Unit::Whole => 1.0,
            Unit::Fraction => 0.1,
            Unit::Seconds => 1e-5,
        };
        Range { scale, low: 0.0, high: most.max(least) * 1.04 }
    }
}

/// What takes less time is all the same.
const INSTANT: f64 = 2e-6;

/// The logarithm of a value that may be too small to have one.
fn log(value: f64, unit: Unit) -> f64 {
    let least = if unit == Unit::Seconds { INSTANT } else { 0.5 };
    value.max(least).log10()
}

impl Range {
    /// Which share of the axis a value takes; more than 1 if it goes beyond.
    fn share(&self, value: f64) -> f64 {
        self.share_at(if self.scale.is_logarithmic { log(value, self.scale.unit) } else { value })
    }

    fn share_at(&self, at: f64) -> f64 {
        ((at - self.low) / (self.high - self.low)).max(0.0)
    }

    /// The shares to be marked on the axis, and the numbers there.
    fn ticks(&self) -> Vec<(f64, String)> {
        let unit = self.scale.unit;
        if self.scale.is_logarithmic {
            let powers = self.low as i32..=self.high.floor() as i32;
            let name = |power: i32| match unit {
                Unit::Seconds => Some(short_seconds(power)),
                // Less than one is the foot of a bar and no number.
                _ => u32::try_from(power).ok().map(short),
            };
            return powers
                .filter_map(|power| Some((self.share_at(f64::from(power)), name(power)?)))
                .collect();
        }
        let least = if unit == Unit::Whole { 1.0 } else { 0.0 };
        let step = round_step(self.high, 6.0).max(least);
        let name = |number: f64| match unit {
            Unit::Seconds if self.high < 1.0 => format!("{} ms", short_number(number * 1e3)),
            Unit::Seconds => format!("{} s", short_number(number)),
            _ => short_number(number),
        };
        let numbers = (0..=(self.high / step) as u32).map(|n| f64::from(n) * step);
        numbers.map(|number| (self.share_at(number), name(number))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::png;

    const COUNTS: Scale = Scale { unit: Unit::Whole, is_logarithmic: true };
    const LENGTHS: Scale = Scale { unit: Unit::Whole, is_logarithmic: false };
    const TIMES: Scale = Scale { unit: Unit::Seconds, is_logarithmic: true };
    const FACTORS: Scale = Scale { unit: Unit::Fraction, is_logarithmic: false };
    const SCALES: [Scale; 5] =
        [COUNTS, TIMES, LENGTHS, FACTORS, Scale { unit: Unit::Seconds, is_logarithmic: false }];

    fn bars(groups: usize, series: usize, name: &str, value: f64) -> Bars {
        let bar = |n: usize| {
            let spread = n.is_multiple_of(3).then_some((value * n as f64 * 0.5, value * n as f64 * 2.0));
            (n % 7 != 3).then_some(Bar { value: value * n as f64, is_cut: n % 5 == 1, spread })
        };
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
            panels: SCALES.map(panel).into(),
            size: None,
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
            let bars = [10.0, most].map(|value| Some(Bar { value, ..Bar::default() })).to_vec();
            let panel =
                Panel { title: String::new(), scale: LENGTHS, bars: vec![bars], marks: vec![Some(10.0)] };
            let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
            let (title, subtitle) = (String::new(), String::new());
            let (groups, series) = (names(&["a"]), names(&["b", "c"]));
            Bars { title, subtitle, groups, series, panels: vec![panel], size: None }.svg()
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
            let bars = [least, most].map(|value| Some(Bar { value, ..Bar::default() }));
            let panel = Panel { title: String::new(), scale, bars: vec![bars.to_vec()], marks: vec![None] };
            let names: Vec<String> = panel.range().ticks().into_iter().map(|(_, name)| name).collect();
            names.join(" ")
        };
        assert_eq!(ticks(LENGTHS, 0.0, 51.0), "0 10 20 30 40 50");
        assert_eq!(ticks(LENGTHS, 0.0, 3.0), "0 1 2 3");
        assert_eq!(ticks(LENGTHS, 0.0, 0.0), "0 1");
        assert_eq!(ticks(COUNTS, 1.0, 20_000.0), "1 10 100 1K 10K");
        assert_eq!(ticks(COUNTS, 50.0, 50.0), "10 100");
        assert_eq!(ticks(TIMES, 0.00005, 2.0), "0.01 ms 0.1 ms 1 ms 10 ms 100 ms 1 s");
        assert_eq!(ticks(FACTORS, 0.0, 1.4), "0 0.5 1");
        assert_eq!(ticks(SCALES[4], 0.0, 0.011), "0 ms 2 ms 4 ms 6 ms 8 ms 10 ms");
    }

    /// The paper is as large as was asked for, if that is enough.
    #[test]
    fn paper_of_a_chosen_size() {
        for (size, is_enough) in [((1200.0, 1500.0), true), ((700.0, 1400.0), true), ((700.0, 300.0), false)]
        {
            let bars = Bars { size: Some(size), ..bars(40, 5, "Jam-12", 9.0) };
            let (width, height) = bars.least_size();
            assert_eq!(width <= size.0 && height <= size.1, is_enough, "{size:?}: {height}");
            let svg = bars.svg();
            let is_kept = svg.contains(&format!("width=\"{}\" height=\"{}\"", size.0, size.1));
            assert!(is_kept == is_enough && png::is_on_page(&svg));
        }
    }
}
