//! Where the bytes of a table come from.
//!
//! A table asks for four small ranges: its header, then for a look-up an entry
//! of the index, a directory and a frame. So it can be read from whatever gives
//! ranges of bytes.

use std::borrow::Cow;
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::files;

/// Gives ranges of bytes that do not change.
///
/// ```
/// use tailback::table::ByteSource;
///
/// let bytes = b"0123456789".to_vec();
/// assert_eq!(*ByteSource::read(&bytes, 3..6)?, *b"345");
/// assert!(ByteSource::read(&bytes, 3..11).is_err(), "all of it or an error");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ByteSource: Debug + Send + Sync {
    /// How many bytes there are.
    fn length(&self) -> io::Result<u64>;

    /// The bytes of a range, all of them: lent if they are in memory. An end
    /// behind the last byte is [`io::ErrorKind::UnexpectedEof`].
    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>>;

    /// What errors call it: the path of a file.
    fn name(&self) -> Option<&Path> {
        None
    }
}

impl ByteSource for Vec<u8> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        lend(self, range)
    }
}

impl ByteSource for &[u8] {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        lend(self, range)
    }
}

/// A range of bytes in memory.
pub(super) fn lend(bytes: &[u8], range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
    let here = |at: u64| usize::try_from(at).ok();
    let lent = here(range.start).zip(here(range.end)).and_then(|(start, end)| bytes.get(start..end));
    lent.map(Cow::Borrowed).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// A file that is read range by range.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    path: PathBuf,
}

impl FileSource {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<FileSource> {
        Ok(FileSource { file: files::open_regular(path)?, path: path.to_owned() })
    }
}

impl ByteSource for FileSource {
    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let mut bytes = vec![0; range.end.saturating_sub(range.start) as usize];
        read_exact_at(&self.file, &mut bytes, range.start)?;
        Ok(bytes.into())
    }

    fn name(&self) -> Option<&Path> {
        Some(&self.path)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => (bytes, at) = (&mut bytes[read..], at + read as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::MappedFile;

    /// Every source gives the same bytes, and none where there are none.
    #[test]
    fn sources_agree() {
        let bytes: Vec<u8> = (0..=255).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, &bytes).unwrap();
        // SAFETY: nobody else knows the file.
        let map = unsafe { MappedFile::open(&path) }.unwrap();
        let file = FileSource::open(&path).unwrap();
        assert_eq!((file.name(), map.name()), (Some(&*path), Some(&*path)));
        let static_bytes: &'static [u8] = bytes.clone().leak();
        for source in [&bytes as &dyn ByteSource, &static_bytes, &file, &map] {
            assert_eq!(source.length().unwrap(), 256);
            for range in [0..256, 0..0, 256..256, 17..99] {
                let expected = &bytes[range.start as usize..range.end as usize];
                assert_eq!(*source.read(range).unwrap(), *expected, "{source:?}");
            }
            for range in [0..257, 256..257, 1000..1001] {
                let error = source.read(range).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{source:?}");
            }
        }
    }
}
