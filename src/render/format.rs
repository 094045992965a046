//! The forms in which pictures are stored.

use std::path::Path;

use serde::Serialize;

use super::pdf;
use super::png::{self, PngError};

/// Pixels per unit of a drawing, for print and for sharp screens.
pub const SCALE: f32 = 2.0;

/// How a picture is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// As it is drawn.
    Svg,
    /// Pixels.
    Png,
    /// One page.
    Pdf,
}

impl Format {
    /// The form that the name of a file asks for.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            "pdf" => Some(Format::Pdf),
            _ => None,
        }
    }

    /// A drawing as the bytes of a file; a PNG has so many pixels a unit.
    pub fn bytes(self, svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
        match self {
            Format::Svg => Ok(svg.as_bytes().to_vec()),
            Format::Png => png::from_svg(svg, scale),
            Format::Pdf => pdf::document("", &[svg], None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_format() {
        let format = |name: &str| Format::of(Path::new(name));
        assert_eq!([format("a.svg"), format("b/a.PNG")], [Some(Format::Svg), Some(Format::Png)]);
        assert_eq!(format("a.pdf"), Some(Format::Pdf));
        assert!(["a", "svg", ".svg", "a.gif", "a.svg.gz", ""].iter().all(|name| format(name).is_none()));
    }
}
