//! A name that survives a crash.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Renames a file and sees to it that the new name reaches the disk.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    // Elsewhere a folder cannot be opened for that.
    if cfg!(unix) {
        sync_done(File::open(folder_of(to)).and_then(|folder| folder.sync_all()))?;
    }
    Ok(())
}

/// What became of syncing a folder. Not every file system can, and whoever may write
/// into a folder need not be allowed to read it: then there is nothing to do.
fn sync_done(synced: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    synced.or_else(|error| match error.kind() {
        InvalidInput | PermissionDenied | Unsupported => Ok(()),
        _ => Err(error),
    })
}

/// The file whose name is another's with more at its end.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// The folder of a file. A bare name is in the folder that the program runs in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards the names of files written as `--out boards.csv`: the parent of a
    /// bare name is empty, and an empty path cannot be opened.
    #[test]
    fn a_bare_name_has_a_folder() {
        for (path, folder) in [("boards.csv", "."), ("db/boards.csv", "db"), ("/boards.csv", "/")] {
            assert_eq!(folder_of(Path::new(path)), Path::new(folder));
        }
        assert!(folder_of(Path::new("boards.csv")).is_dir());
    }

    /// Guards a promise: an error of the disk was dropped, and the name with it.
    #[cfg(unix)]
    #[test]
    fn an_error_of_the_disk_is_reported() {
        let of = |number| sync_done(Err(io::Error::from_raw_os_error(number)));
        for (cannot, number) in [("EINVAL", 22), ("EACCES", 13)] {
            assert!(of(number).is_ok(), "{cannot}");
        }
        for (failed, number) in [("EIO", 5), ("ENOSPC", 28), ("EDQUOT", 122)] {
            assert!(of(number).is_err(), "{failed}");
        }
    }
}
