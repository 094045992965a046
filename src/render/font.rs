//! What pictures are written with, the same on every machine: the fonts are
//! part of the program. They are cut down to what charts and captions need;
//! the bold one has the letters of most European languages, for titles.

use std::fmt::Write;
use std::sync::LazyLock;

use resvg::usvg::roxmltree::{self, Document, Node};
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::svg::Num;

/// Plain and bold.
static FONTS: LazyLock<[Face; 2]> = LazyLock::new(|| {
    let fonts: [&[u8]; 2] =
        [include_bytes!("font/DejaVuSans.ttf"), include_bytes!("font/DejaVuSans-Bold.ttf")];
    fonts.map(|font| Face::parse(font, 0).expect("the font is whole"))
});

/// From one line of a text to the next, in sizes of its letters.
pub(super) const LEADING: f64 = 1.3;

/// The height of a capital letter, in sizes of the letters.
pub(super) const CAPITAL: f64 = 0.73;

/// Can a title have this character in a PNG? An SVG is written with the fonts
/// of whoever looks at it.
///
/// ```
/// use tailback::render::font;
///
/// assert!("Łódź – “51 moves”".chars().all(font::has));
/// assert!(!font::has('車'));
/// ```
pub fn has(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{17f}' | '\u{2009}' | '–' | '—' | '‘' | '’' | '“'..='„' | '…' | '→')
}

/// Bold text in lines no wider than `room`, and the size of its letters:
/// `size`, or less if a single word would be wider.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> (Vec<String>, f64) {
    let words: Vec<(&str, f64)> = text.split_whitespace().map(|word| (word, width(word))).collect();
    let widest = words.iter().map(|&(_, width)| width).fold(0.0, f64::max);
    let size = if widest * size > room { room / widest } else { size };
    let space = width("a a") - width("aa");
    let mut lines: Vec<(String, f64)> = Vec::new();
    for (word, width) in words {
        match lines.last_mut() {
            Some((line, used)) if (*used + space + width) * size <= room => {
                line.push(' ');
                line.push_str(word);
                *used += space + width;
            }
            _ => lines.push((word.to_owned(), width)),
        }
    }
    (lines.into_iter().map(|(line, _)| line).collect(), size)
}

/// The width of bold text, in sizes of its letters. A letter that these fonts
/// lack counts as a wide one.
pub(super) fn width(text: &str) -> f64 {
    let (known, unknown): (String, String) = text.chars().partition(|&c| has(c));
    Outline::of(&known, true).width() + unknown.chars().count() as f64
}

/// The same document with the outlines of its letters in place of its text.
pub(super) fn outlined(svg: &str) -> Result<String, roxmltree::Error> {
    let document = Document::parse(svg)?;
    let mut copy = String::new();
    let mut done = 0;
    for text in document.descendants().filter(|node| node.has_tag_name("text")) {
        copy += &svg[done..text.range().start];
        outline(&mut copy, text);
        done = text.range().end;
    }
    Ok(copy + &svg[done..])
}

fn outline(svg: &mut String, text: Node) {
    let inherited = |name| text.ancestors().find_map(|node| node.attribute(name));
    let number = |value: Option<&str>| value.and_then(|value| value.parse().ok());
    let size: f64 = number(inherited("font-size")).unwrap_or(12.0);
    // As browsers do: white space of any length is one space.
    let words =
        text.text().unwrap_or_default().split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let words = words.collect::<Vec<_>>().join(" ");
    let outline = Outline::of(&words, inherited("font-weight") == Some("700"));
    let before = match inherited("text-anchor") {
        Some("middle") => 0.5,
        Some("end") => 1.0,
        _ => 0.0,
    };
    let x = number(text.attribute("x")).unwrap_or(0.0) - before * size * outline.width();
    let y = number(text.attribute("y")).unwrap_or(0.0);
    let scale = size / Outline::UNITS;
    let transform = text.attribute("transform").unwrap_or_default();
    *svg += &format!("<path transform=\"{transform} translate({x} {y}) scale({scale} -{scale})\" d=\"");
    *svg += &outline.path;
    svg.push('"');
    if let Some(fill) = text.attribute("fill") {
        *svg += &format!(" fill=\"{fill}\"");
    }
    *svg += "/>";
}

/// Letters side by side as a path, in units of the font, upwards.
#[derive(Default)]
struct Outline {
    path: String,
    /// Where the next letter begins.
    x: f32,
}

impl Outline {
    /// In one size of the letters; the same in both fonts.
    const UNITS: f64 = 2048.0;

    fn of(text: &str, bold: bool) -> Outline {
        let mut outline = Outline::default();
        let mut last = None;
        for c in text.chars() {
            // A letter that the font lacks may be in the other one.
            let fonts = [usize::from(bold), usize::from(!bold)];
            let found = fonts.iter().find_map(|&font| Some((font, FONTS[font].glyph_index(c)?)));
            let (font, glyph) = found.unwrap_or((fonts[0], GlyphId(0)));
            let face = &FONTS[font];
            if let Some((_, left)) = last.filter(|&(other, _)| other == font) {
                outline.x += f32::from(kerning(face, left, glyph).unwrap_or(0));
            }
            face.outline_glyph(glyph, &mut outline);
            outline.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
            last = Some((font, glyph));
        }
        outline
    }

    /// In sizes of the letters.
    fn width(&self) -> f64 {
        f64::from(self.x) / Outline::UNITS
    }

    fn push(&mut self, command: char, points: &[(f32, f32)]) {
        self.path.push(command);
        for &(x, y) in points {
            write!(self.path, "{} {} ", Num((self.x + x).into()), Num(y.into()))
                .expect("writing to a string");
        }
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.push('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.push('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.push('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.push('Z', &[]);
    }
}

/// How much nearer than usual two letters stand. The fonts have one table for
/// it, by classes of letters.
fn kerning(face: &Face, left: GlyphId, right: GlyphId) -> Option<i16> {
    let PositioningSubtable::Pair(PairAdjustment::Format2 { coverage, classes, matrix }) =
        face.tables().gpos?.lookups.get(0)?.subtables.get(0)?
    else {
        return None;
    };
    coverage.get(left)?;
    Some(matrix.get((classes.0.get(left), classes.1.get(right)))?.0.x_advance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::png;
    use crate::render::svg::{FAMILY, escape};

    /// Guards against letters that a smaller font would silently lose.
    #[test]
    fn the_bold_font_has_what_it_says() {
        let drawn = |c: char| {
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30" font-family="{FAMILY}" font-size="20" font-weight="700"><text x="4" y="22">{}</text></svg>"#,
                escape(&c.to_string())
            );
            png::from_svg(&svg, 1.0).unwrap()
        };
        let (nothing, unknown) = (drawn(' '), drawn('車'));
        let blank = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{ad}' | '\u{2009}');
        for c in ('\0'..'\u{3000}').filter(|&c| has(c) && !blank(c)) {
            assert!(drawn(c) != nothing && drawn(c) != unknown, "{c:?}");
        }
    }

    #[test]
    fn text_is_wrapped_and_shrunk_to_fit() {
        let (lines, size) = wrapped(" one two\nthree ", 10.0, 1000.0);
        assert_eq!((lines.join("|").as_str(), size), ("one two three", 10.0));
        let room = 10.0 * width("one two") + 0.1;
        assert_eq!(wrapped("one two three", 10.0, room).0, ["one two", "three"]);
        assert_eq!(wrapped("one two three", 10.0, 1.0).0, ["one", "two", "three"]);
        assert_eq!(wrapped(" \n", 10.0, 10.0), (vec![], 10.0));
        for word in ["Donaudampfschifffahrt", "車車車車車車車車", "\u{1}<&>"] {
            let (lines, size) = wrapped(word, 20.0, 50.0);
            assert_eq!(lines, [word]);
            assert!(width(word) * size < 50.001 && size > 1.0, "{word:?}: {size}");
        }
    }
}
