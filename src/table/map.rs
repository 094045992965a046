//! The one place that maps files into memory.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use super::TableError;

/// Maps a file for reading.
///
/// The bytes come from the disk when they are first touched. A table is never
/// changed after it got its name, so the map stays what it is. Who overwrites
/// or cuts the file in place while it is mapped may stop the program (the
/// system reports that as a bus error) or change what was checked already.
pub fn map(path: &Path) -> Result<Mmap, TableError> {
    let file = File::open(path).map_err(|e| TableError::io(path, e))?;
    let len = file.metadata().map_err(|e| TableError::io(path, e))?.len();
    if len == 0 {
        return Err(TableError::damaged("the file is empty"));
    }
    // SAFETY: finished tables are written under another name, renamed once and
    // never written again; the doc above says what a careless user can do.
    unsafe { Mmap::map(&file) }.map_err(|e| TableError::io(path, e))
}
