//! Files with pictures: the format that a name asks for.

use std::path::Path;

use serde::Serialize;
use tailback::render::{pdf, png};

use super::{Failure, Result, write_whole};

/// Pixels per unit of a drawing, for print and for sharp screens.
pub const SCALE: f32 = 2.0;

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Svg,
    Png,
    Pdf,
}

impl Format {
    pub fn of(path: &Path) -> Result<Format> {
        match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            Some("pdf") => Ok(Format::Pdf),
            _ => Err(Failure::misused(
                "a picture is SVG, PNG or PDF: name a file that ends in .svg, .png or .pdf",
            )),
        }
    }

    /// Writes a file, a PNG with `scale` pixels per unit, whole or not at all:
    /// what was there stays until all is written.
    pub fn write(self, path: &Path, svg: &str, scale: f32) -> Result<()> {
        write_whole(path, &self.bytes(svg, scale)?)
    }

    /// A picture as the bytes of a file.
    pub fn bytes(self, svg: &str, scale: f32) -> Result<Vec<u8>> {
        Ok(match self {
            Format::Svg => svg.as_bytes().to_vec(),
            Format::Png => png::from_svg(svg, scale)?,
            Format::Pdf => pdf::document("", &[svg], None)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_name_tells_the_format() {
        let format = |name: &str| Format::of(Path::new(name)).ok();
        assert!(format("a.svg") == Some(Format::Svg) && format("b/a.PNG") == Some(Format::Png));
        assert!(format("a.pdf") == Some(Format::Pdf));
        assert!(["a", "svg", ".svg", "a.gif", "a.svg.gz", ""].iter().all(|name| format(name).is_none()));
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        for text in ["one", "two"] {
            Format::Svg.write(&path, text, 1.0).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let missing = folder.path().join("no/a.svg");
        assert!(Format::Svg.write(&missing, "", 1.0).unwrap_err().text().starts_with("cannot write "));
        assert!(Format::Svg.write(folder.path(), "", 1.0).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file.svg"), folder.path().join("link.svg"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Format::Svg.write(&link, "new", 1.0).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }
}
