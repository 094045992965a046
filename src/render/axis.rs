//! What charts share: their paper, lines, text, and how numbers are written on
//! an axis.

use super::svg::{FAMILY, escape};

pub(super) const INK: &str = "#1f2933";
pub(super) const FAINT_INK: &str = "#66727f";
pub(super) const GRID: &str = "#e4e8ec";
/// From the left edge to the vertical axis and the title.
pub(super) const LEFT: f64 = 78.0;
/// From the end of the horizontal axis to the right edge.
pub(super) const RIGHT: f64 = 32.0;

/// White paper of this size, with a title and a smaller one under it. The
/// document is still to be ended.
pub(super) fn paper(width: f64, height: f64, title: &str, subtitle: &str) -> String {
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="{FAMILY}" font-size="13" fill="{INK}">
<rect width="{width}" height="{height}" fill="#ffffff"/>
<text x="{LEFT}" y="42" font-size="22" font-weight="700">{}</text>
<text x="{LEFT}" y="68" font-size="14" fill="{FAINT_INK}">{}</text>
"##,
        escape(title),
        escape(subtitle),
    )
}

pub(super) fn line(svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
    let ends = format!("x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"");
    *svg += &format!("<line {ends} stroke=\"{colour}\"/>\n");
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

/// A power of ten as people write it on an axis: 1, 10, 100, 1K, …, 10G.
pub(super) fn short(power: u32) -> String {
    const UNITS: [&str; 7] = ["", "K", "M", "G", "T", "P", "E"];
    format!("{}{}", 10u32.pow(power % 3), UNITS[(power / 3) as usize])
}

/// A power of ten in seconds as people write it on an axis: 0.1 ms, 1 ms, …, 1 s.
pub(super) fn short_seconds(power: i32) -> String {
    if power < 0 { format!("{} ms", 10f64.powi(power + 3)) } else { format!("{} s", 10f64.powi(power)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_short() {
        let all: Vec<String> = (0..11).map(short).collect();
        assert_eq!(all, ["1", "10", "100", "1K", "10K", "100K", "1M", "10M", "100M", "1G", "10G"]);
        let all: Vec<String> = (-6..3).map(short_seconds).collect();
        assert_eq!(all, ["0.001 ms", "0.01 ms", "0.1 ms", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"]);
    }
}
