//! A name that survives a crash.

use std::fs::File;
use std::path::{Path, PathBuf};

/// Renames a file and sees to it that the new name reaches the disk.
pub fn rename(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::rename(from, to)?;
    // Not every system lets a folder be opened for that, and then there is
    // nothing to do.
    if let Ok(folder) = File::open(folder_of(to)) {
        folder.sync_all().ok();
    }
    Ok(())
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
}
