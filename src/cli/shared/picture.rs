//! Files with pictures.

use std::path::Path;

pub use tailback::render::{Format, SCALE};

use super::{Failure, Result, write_whole};

/// The format that the name of a file asks for.
pub fn format_of(path: &Path) -> Result<Format> {
    Format::of(path).ok_or_else(|| {
        Failure::misused("a picture is SVG, PNG or PDF: name a file that ends in .svg, .png or .pdf")
    })
}

/// Writes a file, a PNG with `scale` pixels per unit, whole or not at all:
/// what was there stays until all is written.
pub fn write(format: Format, path: &Path, svg: &str, scale: f32) -> Result<()> {
    write_whole(path, &format.bytes(svg, scale)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        for text in ["one", "two"] {
            write(Format::Svg, &path, text, 1.0).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let missing = folder.path().join("no/a.svg");
        assert!(write(Format::Svg, &missing, "", 1.0).unwrap_err().text().starts_with("cannot write "));
        assert!(write(Format::Svg, folder.path(), "", 1.0).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file.svg"), folder.path().join("link.svg"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(Format::Svg, &link, "new", 1.0).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }
}
