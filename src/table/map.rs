//! The one place that maps files into memory.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::source::{ByteSource, lend};
use crate::files;

/// A file that is mapped into memory: its bytes are lent, and come from the
/// disk when they are first touched.
#[derive(Debug)]
pub struct MappedFile {
    bytes: Mmap,
    path: PathBuf,
}

impl MappedFile {
    /// Maps a file.
    ///
    /// # Safety
    ///
    /// While it is mapped nobody, in this process or another, may change the
    /// file or cut it: bytes that are lent would change, and touching those that
    /// are gone ends the process with a bus error. Tailback itself never writes
    /// to a finished table; it may be renamed, deleted or replaced.
    pub unsafe fn open(path: &Path) -> io::Result<MappedFile> {
        let file = files::open_regular(path)?;
        // SAFETY: the caller promises that the file stays as it is.
        let bytes = unsafe { Mmap::map(&file) }?;
        Ok(MappedFile { bytes, path: path.to_owned() })
    }
}

impl ByteSource for MappedFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        lend(&self.bytes, range)
    }

    fn name(&self) -> Option<&Path> {
        Some(&self.path)
    }
}
