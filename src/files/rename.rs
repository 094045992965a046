//! A name that survives a crash.

use std::fs::File;
use std::path::Path;

/// Renames a file and sees to it that the new name reaches the disk.
pub fn rename(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::rename(from, to)?;
    // Not every system lets a folder be opened for that, and then there is
    // nothing to do.
    if let Some(folder) = to.parent()
        && let Ok(folder) = File::open(folder)
    {
        folder.sync_all().ok();
    }
    Ok(())
}
