//! Files with pictures: the format that a name asks for, and writing that never
//! leaves half a file.

use std::path::Path;
use std::{fs, io};

use anyhow::anyhow;
use serde::Serialize;
use tailback::render::png::{self, PngError};
use tailback::staged::Staged;

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

/// Writes a file whole or not at all: what was there stays until all is written.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let staged = Staged::new(path)?;
        fs::write(staged.part(), bytes)?;
        staged.commit()
    };
    write().map_err(|error: io::Error| anyhow!("cannot write {}: {error}", path.display()))
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

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        for text in ["one", "two"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let missing = folder.path().join("no/a.svg");
        assert!(write(&missing, b"").unwrap_err().to_string().starts_with("cannot write "));
        assert!(write(folder.path(), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file.svg"), folder.path().join("link.svg"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }
}
