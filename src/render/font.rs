//! What pictures are written with, the same on every machine: the fonts are
//! part of the program. They are cut down to what charts and captions need;
//! the bold one has the letters of most European languages, for titles.

use std::sync::{Arc, LazyLock};

use resvg::usvg::{self, Node, fontdb};

use super::svg::{FAMILY, escape};

const FONTS: [&[u8]; 2] = [include_bytes!("font/DejaVuSans.ttf"), include_bytes!("font/DejaVuSans-Bold.ttf")];

/// From one line of a text to the next, in sizes of its letters.
pub(super) const LEADING: f64 = 1.3;

/// The height of a capital letter, in sizes of the letters.
pub(super) const CAPITAL: f64 = 0.73;

static DATABASE: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for font in FONTS {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// How to read an SVG with these fonts.
pub(super) fn options() -> usvg::Options<'static> {
    usvg::Options { fontdb: DATABASE.clone(), ..usvg::Options::default() }
}

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
    // Any size will do; a large one keeps more digits.
    const SIZE: f64 = 100.0;
    let (known, unknown): (String, String) = text.chars().partition(|&c| has(c));
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" font-family="{FAMILY}" font-size="{SIZE}" font-weight="700"><text>{}</text></svg>"#,
        escape(&known)
    );
    let tree = usvg::Tree::from_str(&svg, &options()).expect("the document is well-formed");
    let width = tree.root().children().iter().find_map(|node| match node {
        Node::Text(text) => Some(f64::from(text.bounding_box().width())),
        _ => None,
    });
    width.unwrap_or(0.0) / SIZE + unknown.chars().count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::png;

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
