//! SVG documents: what every picture begins with, and text and numbers as they
//! may stand in it.

use std::fmt;

use super::colour::{INK, WHITE};

/// The font of every document, and those that are nearest to it.
pub(super) const FAMILY: &str = "'DejaVu Sans', Verdana, sans-serif";

/// A finished document and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// In units of the document: pixels, if nobody scales it.
    pub width: u32,
    /// In the same units.
    pub height: u32,
    /// The document.
    pub svg: String,
}

impl Drawing {
    /// White paper of this size, a broken unit made whole, with `content` on it.
    pub(super) fn new(width: f64, height: f64, content: &str) -> Drawing {
        let (width, height) = (width.ceil() as u32, height.ceil() as u32);
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="{FAMILY}" font-weight="700" fill="{INK}">
<rect width="{width}" height="{height}" fill="{WHITE}"/>
{content}</svg>
"#
        );
        Drawing { width, height, svg }
    }
}

/// Text that may stand between tags of SVG or HTML. What XML allows in no
/// document, mostly control characters, is left out.
pub fn escape(text: &str) -> String {
    let text: String = text.chars().filter(|&c| is_xml(c)).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// A number with two decimals at most and no idle zeros.
#[derive(Clone, Copy)]
pub(super) struct Num(pub f64);

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns a negative zero into zero.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let all = [0.0, -0.001, 7.0, 2.5, 1.0 / 3.0, -12.344].map(|n| Num(n).to_string());
        assert_eq!(all, ["0", "0", "7", "2.5", "0.33", "-12.34"]);
    }

    #[test]
    fn text_cannot_break_the_document() {
        assert_eq!(escape("a<b> & \u{1}\u{fffe}\u{0}\u{1f697}"), "a&lt;b&gt; &amp; \u{1f697}");
    }
}
