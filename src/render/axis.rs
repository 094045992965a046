//! What charts share: their paper, lines, text, and how numbers are written on
//! an axis.

use super::colour::Colour;
use super::font;
use super::svg::{FAMILY, Num, escape};

pub(super) const INK: &str = "#1f2933";
pub(super) const FAINT_INK: &str = "#66727f";
pub(super) const GRID: &str = "#e4e8ec";
/// From the left edge to the vertical axis and the title.
pub(super) const LEFT: f64 = 78.0;
/// From the end of the horizontal axis to the right edge.
pub(super) const RIGHT: f64 = 32.0;
/// From the top to the legend, and from row to row of it.
pub(super) const LEGEND_TOP: f64 = 98.0;
pub(super) const LEGEND_ROW: f64 = 22.0;
/// From a horizontal axis to the lower edge, with the label of the axis between.
pub(super) const BOTTOM: f64 = 62.0;
/// How many letters of a name it shows.
const LEGEND_LETTERS: usize = 60;

/// White paper of this size, with a title and a smaller one under it, whose
/// letters are small enough to fit. The document is still to be ended.
pub(super) fn paper(width: f64, height: f64, title: &str, subtitle: &str) -> String {
    let size = |text: &str, most: f64| Num(most.min((width - LEFT) / font::width(text).max(1.0)));
    let (large, small) = (size(title, 22.0), size(subtitle, 14.0));
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="{FAMILY}" font-size="13" fill="{INK}">
<rect width="{width}" height="{height}" fill="#ffffff"/>
<text x="{LEFT}" y="42" font-size="{large}" font-weight="700">{}</text>
<text x="{LEFT}" y="68" font-size="{small}" fill="{FAINT_INK}">{}</text>
"##,
        escape(title),
        escape(subtitle),
    )
}

pub(super) fn line(svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
    let ends = format!("x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"");
    *svg += &format!("<line {ends} stroke=\"{colour}\"/>\n");
}

/// Lines across a chart at shares of its height, each with its number.
pub(super) fn rungs(svg: &mut String, right: f64, (floor, tall): (f64, f64), ticks: Vec<(f64, String)>) {
    for (share, name) in ticks {
        let y = floor - share * tall;
        line(svg, (LEFT, y), (right, y), GRID);
        text(svg, (LEFT - 10.0, y + 4.5), "end", FAINT_INK, &name);
    }
}

/// The labels of the axes of a chart on paper of this width.
pub(super) fn labels(svg: &mut String, width: f64, (floor, tall): (f64, f64), [x, y]: [&str; 2]) {
    text(svg, ((LEFT + width - RIGHT) / 2.0, floor + BOTTOM - 16.0), "middle", INK, x);
    rising(svg, (22.0, floor - tall / 2.0), 90, "middle", INK, y);
}

pub(super) fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, colour: &str, text: &str) {
    let place = format!("x=\"{x:.2}\" y=\"{y:.2}\"");
    placed(svg, &place, anchor, colour, text);
}

/// Text that rises by so many degrees.
pub(super) fn rising(
    svg: &mut String,
    (x, y): (f64, f64),
    degrees: u32,
    anchor: &str,
    colour: &str,
    text: &str,
) {
    let place = format!("transform=\"translate({x:.2} {y:.2}) rotate(-{degrees})\"");
    placed(svg, &place, anchor, colour, text);
}

fn placed(svg: &mut String, place: &str, anchor: &str, colour: &str, text: &str) {
    let text = escape(text);
    *svg += &format!("<text {place} text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>\n");
}

/// The names of series beside their colours on paper of this width, and how
/// many rows they take.
pub(super) fn legend(names: &[String], width: f64) -> (String, usize) {
    let (mut svg, mut rows, mut x) = (String::new(), 1, LEFT);
    for (index, name) in names.iter().enumerate() {
        let name = cut(name, LEGEND_LETTERS);
        // Bold letters are broader than those of the legend.
        let room = 20.0 + 13.0 * font::width(&name) + 14.0;
        if x + room > width && x > LEFT {
            (rows, x) = (rows + 1, LEFT);
        }
        let y = LEGEND_TOP + LEGEND_ROW * (rows - 1) as f64;
        let (place, colour) = (format!("x=\"{x:.2}\" y=\"{:.2}\"", y - 10.5), Colour::of_series(index));
        svg += &format!("<rect {place} width=\"12\" height=\"12\" rx=\"2\" fill=\"{colour}\"/>\n");
        text(&mut svg, (x + 19.0, y), "start", INK, &name);
        x += room;
    }
    (svg, rows)
}

/// The first so many letters of a long name.
pub(super) fn cut(name: &str, letters: usize) -> String {
    match name.chars().count() > letters {
        true => name.chars().take(letters - 3).chain("...".chars()).collect(),
        false => name.to_owned(),
    }
}

/// The least of 1, 2, 5, 10, 20, … and of 0.5, 0.2, 0.1, … that so much room has
/// at most so many of.
pub(super) fn round_step(room: f64, most: f64) -> f64 {
    let first = (room / most).log10().floor() as i32;
    let steps = (first..).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    steps.into_iter().find(|step| room / step <= most).expect("they grow")
}

/// A power of ten as people write it on an axis: 1, 10, 100, 1K, …, 10G.
pub(super) fn short(power: u32) -> String {
    short_number(10f64.powi(power as i32))
}

/// A number as people write it on an axis: 0.05, 20, 1.5K; a tiny one as 2e-7.
pub(super) fn short_number(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-3 {
        return format!("{number:.1e}").replace(".0e", "e");
    }
    const UNITS: [&str; 7] = ["", "K", "M", "G", "T", "P", "E"];
    // The logarithm of a power of ten may be a little too low.
    let unit = ((number.max(1.0).log10() + 1e-9) as usize / 3).min(UNITS.len() - 1);
    let digits = number / 1000f64.powi(unit as i32);
    format!("{}{}", (digits * 1e9).round() / 1e9 + 0.0, UNITS[unit])
}

/// A power of ten in seconds as people write it on an axis: 0.1 ms, 1 ms, …, 1 s.
pub(super) fn short_seconds(power: i32) -> String {
    if power < 0 { format!("{} ms", 10f64.powi(power + 3)) } else { format!("{} s", 10f64.powi(power)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [(51.0, 6.0), (6.0, 6.0), (6.1, 6.0), (0.03, 6.0), (29.0, 10.0), (1e7, 5.0)];
        let found = steps.map(|(room, most)| (round_step(room, most) * 1e6).round() / 1e6);
        assert_eq!(found, [10.0, 1.0, 2.0, 0.005, 5.0, 2e6]);
    }

    #[test]
    fn powers_are_short() {
        let all: Vec<String> = (0..11).map(short).collect();
        assert_eq!(all, ["1", "10", "100", "1K", "10K", "100K", "1M", "10M", "100M", "1G", "10G"]);
        assert_eq!(
            [0.0, 0.05, 0.1 + 0.2, 20.0, 1500.0].map(short_number),
            ["0", "0.05", "0.3", "20", "1.5K"]
        );
        let all: Vec<String> = (-6..3).map(short_seconds).collect();
        assert_eq!(all, ["0.001 ms", "0.01 ms", "0.1 ms", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"]);
    }
}
