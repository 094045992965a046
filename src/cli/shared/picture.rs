//! Files with pictures: the format that a name asks for.

use std::path::Path;

use serde::Serialize;
use tailback::render::png::{self, PngError};

use super::exit;

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Svg,
    Png,
}

impl Format {
    pub fn of(path: &Path) -> Result<Format, exit::Usage> {
        match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(exit::Usage("a picture is SVG or PNG: name a file that ends in .svg or .png")),
        }
    }

    /// The bytes of a file, a PNG with `scale` pixels per unit.
    pub fn encode(self, svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
        match self {
            Format::Svg => Ok(svg.as_bytes().to_vec()),
            Format::Png => png::from_svg(svg, scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_format() {
        let format = |name: &str| Format::of(Path::new(name)).ok();
        assert!(format("a.svg") == Some(Format::Svg) && format("b/a.PNG") == Some(Format::Png));
        assert!(["a", "svg", ".svg", "a.gif", "a.svg.gz", ""].iter().all(|name| format(name).is_none()));
    }
}
