//! Files that are whole or not there.

use std::path::{Path, PathBuf};
use std::{fs, io, process};

use crate::pipeline::rename;

/// A file or folder that is being written, under another name beside its own.
/// It gets its own name in the end, and what had that name before stays until
/// then; if it is dropped before, nothing is left.
///
/// ```
/// use tailback::staged::Staged;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// let staged = Staged::new(&path)?;
/// std::fs::write(staged.part(), "all of it")?;
/// assert!(!path.exists());
/// staged.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "all of it");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    /// None if the path is written to directly.
    part: Option<PathBuf>,
}

impl Staged {
    /// What is to have this name.
    pub fn new(path: &Path) -> io::Result<Staged> {
        let path = match fs::metadata(path) {
            // A pipe, for instance, is nothing that another file could replace.
            Ok(there) if !there.is_file() && !there.is_dir() => {
                return Ok(Staged { path: path.to_owned(), part: None });
            }
            // A link stays one.
            Ok(_) => fs::canonicalize(path)?,
            Err(_) => path.to_owned(),
        };
        let mut part = path.as_os_str().to_owned();
        part.push(format!(".{}.part", process::id()));
        Ok(Staged { path, part: Some(part.into()) })
    }

    /// Where to write.
    pub fn part(&self) -> &Path {
        self.part.as_ref().unwrap_or(&self.path)
    }

    /// Gives it its name.
    pub fn commit(mut self) -> io::Result<()> {
        if let Some(part) = &self.part {
            rename(part, &self.path)?;
            self.part = None;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = if part.is_dir() { fs::remove_dir_all(part) } else { fs::remove_file(part) };
        }
    }
}
