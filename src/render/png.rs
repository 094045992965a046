//! SVG to PNG, the same on every machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;

use super::font;

/// Why an SVG could not be turned into a PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// It is not an SVG, or it has no area.
    #[error("the picture cannot be drawn: {0}")]
    Svg(String),
    /// The pixels could not be packed.
    #[error("the picture cannot be stored as PNG: {0}")]
    Encode(String),
}

/// Draws an SVG of this room at `scale` pixels per unit. (Of other documents
/// only the shapes: text has more to it than is told here.)
pub fn from_svg(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let tree = tree(svg)?;
    let size = tree.size();
    let (width, height) = ((size.width() * scale).round() as u32, (size.height() * scale).round() as u32);
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| PngError::Svg(format!("{width}×{height} is no size")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| PngError::Encode(e.to_string()))
}

/// The shapes of a document, its letters among them.
pub(super) fn tree(svg: &str) -> Result<usvg::Tree, PngError> {
    let svg = font::outlined(svg).map_err(|e| PngError::Svg(e.to_string()))?;
    usvg::Tree::from_str(&svg, &usvg::Options::default()).map_err(|e| PngError::Svg(e.to_string()))
}

/// Does nothing of a document leave its page?
#[cfg(test)]
pub(super) fn is_on_page(svg: &str) -> bool {
    let tree = tree(svg).unwrap();
    let (all, page) = (tree.root().abs_stroke_bounding_box(), tree.size());
    let is_inside = all.left() >= 0.0 && all.top() >= 0.0;
    is_inside && all.right() <= page.width() && all.bottom() <= page.height()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards against text that silently vanishes where no fonts are installed.
    #[test]
    fn text_leaves_ink() {
        let svg = |text: &str| {
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20" font-family="sans-serif">{text}</svg>"#
            )
        };
        let empty = from_svg(&svg(""), 1.0).unwrap();
        for weight in ["400", "700"] {
            let text = format!(r#"<text x="2" y="15" font-weight="{weight}">6×6, 1K</text>"#);
            let drawn = from_svg(&svg(&text), 1.0).unwrap();
            assert!(drawn.len() > empty.len() + 100, "{} and {} bytes", drawn.len(), empty.len());
        }
    }

    #[test]
    fn nonsense_is_an_error() {
        assert!(matches!(from_svg("no picture", 1.0), Err(PngError::Svg(_))));
    }
}
