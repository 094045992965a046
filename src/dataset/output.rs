//! Where bytes go: counted, with their checksum, under their name in the end.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ExportError;
use crate::files::Staged;

/// A file that is being written, a folder that is being filled, or standard
/// output.
pub struct Output {
    path: PathBuf,
    staged: Option<Staged>,
    /// Of a folder, nothing but its sum.
    out: Box<dyn Write + Send>,
    bytes: u64,
    sha256: Sha256,
}

/// A file that is all written, but does not have its name yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct Written {
    pub(super) staged: Option<Staged>,
    /// Its length.
    pub bytes: u64,
    /// Its checksum, in hexadecimal. Of a folder: that of all its files, one
    /// after the other as they were added.
    pub sha256: String,
}

type StagedWriter = io::Result<(Staged, Box<dyn Write + Send>)>;

impl Output {
    /// A file of this name.
    pub fn file(path: &Path) -> Result<Output, ExportError> {
        Output::of(path, || {
            if path.is_dir() {
                let told = "it is a folder: name a file in it";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, told));
            }
            let staged = Staged::file(path)?;
            let file = staged.open()?;
            Ok((staged, Box::new(BufWriter::with_capacity(1 << 16, file))))
        })
    }

    /// A folder of this name, which must not be there or be empty.
    pub fn folder(path: &Path) -> Result<Output, ExportError> {
        Output::of(path, || {
            if path.is_file() {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a file: name a folder"));
            }
            if fs::exists(path)? && fs::read_dir(path)?.next().is_some() {
                let told = "the folder is there and not empty: name another one, or empty it";
                return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, told));
            }
            Ok((Staged::folder(path)?, Box::new(io::sink())))
        })
    }

    fn of(path: &Path, open: impl FnOnce() -> StagedWriter) -> Result<Output, ExportError> {
        let (staged, out) = open().map_err(|error| ExportError::io(path, error))?;
        Ok(Output { staged: Some(staged), ..Output::stream(path, out) })
    }

    /// Standard output, or something like it.
    pub fn stream(name: impl Into<PathBuf>, out: Box<dyn Write + Send>) -> Output {
        Output { path: name.into(), staged: None, out, bytes: 0, sha256: Sha256::default() }
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes text.
    pub fn append(&mut self, text: &[u8]) -> Result<(), ExportError> {
        self.write_all(text).map_err(|error| ExportError::io(&self.path, error))
    }

    /// Adds a file to a folder.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), ExportError> {
        self.append(text.as_bytes())?;
        let added = self.staged.as_ref().map_or(Ok(()), |staged| staged.add(name, text.as_bytes()));
        added.map_err(|error| ExportError::io(&self.path.join(name), error))
    }

    /// All is written.
    pub fn finish(mut self) -> Result<Written, ExportError> {
        self.out.flush().map_err(|error| ExportError::io(&self.path, error))?;
        let sha256 = self.sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Written { staged: self.staged, bytes: self.bytes, sha256 })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        self.sha256.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
