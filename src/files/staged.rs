//! Files that are whole or not there.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io, process};

use super::rename;

/// A file or folder that is being written, under another name beside its own.
/// It gets its own name in the end, and what had that name before stays until
/// then; if it is dropped before, nothing is left.
///
/// ```
/// use tailback::files::Staged;
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
        if is_stream(path) {
            return Ok(Staged { path: path.to_owned(), part: None });
        }
        let path = match fs::exists(path) {
            // A link stays one.
            Ok(true) => fs::canonicalize(path)?,
            _ => path.to_owned(),
        };
        if let Some(folder) =
            path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())
        {
            let told = format!("there is no folder {}: make it first", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, told));
        }
        let mut part = path.as_os_str().to_owned();
        part.push(format!(".{}.part", process::id()));
        let part = PathBuf::from(part);
        parts().push(part.clone());
        Ok(Staged { path, part: Some(part) })
    }

    /// Where to write.
    pub fn part(&self) -> &Path {
        self.part.as_ref().unwrap_or(&self.path)
    }

    /// Gives it its name.
    pub fn commit(mut self) -> io::Result<()> {
        if let Some(part) = &self.part {
            // The bytes come before the name, even if the power fails in between.
            if part.is_file() {
                File::options().write(true).open(part)?.sync_all()?;
            }
            rename(part, &self.path)?;
            parts().retain(|other| other != part);
            self.part = None;
        }
        Ok(())
    }
}

/// Is it there, but nothing that another file could replace, such as a pipe?
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            remove(part);
            parts().retain(|other| other != part);
        }
    }
}

/// What is being written.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn parts() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove(part: &Path) {
    let _ = if part.is_dir() { fs::remove_dir_all(part) } else { fs::remove_file(part) };
}

/// Removes everything that has no name of its own yet: for a program that ends
/// at once, without dropping anything.
pub fn sweep() {
    parts().drain(..).for_each(|part| remove(&part));
}
