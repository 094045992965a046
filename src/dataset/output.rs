//! Where bytes go: counted, with their checksum, under their name in the end.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ExportError;
use crate::files::{self, Staged};

/// Where a file of a dataset goes.
pub enum Target {
    /// A file, or standard output.
    File(Output),
    /// A folder.
    Folder(Folder),
}

/// A file that is being written, or standard output.
pub struct Output {
    path: PathBuf,
    staged: Option<Staged>,
    out: Box<dyn Write + Send>,
    sum: Sum,
}

/// How many bytes went out, and what they were.
#[derive(Default)]
struct Sum {
    bytes: u64,
    sha256: Sha256,
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.sha256.update(bytes);
    }

    fn written(self, staged: Option<Staged>) -> Written {
        let sha256 = self.sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Written { staged, bytes: self.bytes, sha256 }
    }
}

/// A file that is all written, but does not have its name yet.
#[derive(Debug)]
pub struct Written {
    pub(super) staged: Option<Staged>,
    /// Its length.
    pub bytes: u64,
    /// Its checksum, in hexadecimal. Of a folder: that of all its files, one
    /// after the other as they were added.
    pub sha256: String,
}

impl Written {
    /// Gives it its name.
    pub fn commit(self) -> Result<(), ExportError> {
        commit_all(self.staged.into_iter().collect())
    }
}

/// Gives all files their names, or none.
pub(super) fn commit_all(staged: Vec<Staged>) -> Result<(), ExportError> {
    files::commit_all(staged).map_err(|(path, error)| ExportError::Io { path, error })
}

impl Output {
    /// A file of this name.
    pub fn file(path: &Path) -> Result<Output, ExportError> {
        let open = || {
            if path.is_dir() {
                let told = "it is a folder: name a file in it";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, told));
            }
            let staged = Staged::new(path)?;
            let file = staged.create()?;
            Ok((staged, file))
        };
        let (staged, file) = open().map_err(|error| ExportError::io(path, error))?;
        let out = Box::new(BufWriter::with_capacity(1 << 16, file));
        Ok(Output { path: path.to_owned(), staged: Some(staged), out, sum: Sum::default() })
    }

    /// Standard output, or something like it.
    pub fn stream(name: &str, out: Box<dyn Write + Send>) -> Output {
        Output { path: name.into(), staged: None, out, sum: Sum::default() }
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes text.
    pub fn append(&mut self, text: &[u8]) -> Result<(), ExportError> {
        self.write_all(text).map_err(|error| ExportError::io(&self.path, error))
    }

    /// All is written.
    pub fn finish(mut self) -> Result<Written, ExportError> {
        self.out.flush().map_err(|error| ExportError::io(&self.path, error))?;
        Ok(self.sum.written(self.staged))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A folder that is being filled.
pub struct Folder {
    path: PathBuf,
    staged: Staged,
    sum: Sum,
}

impl Folder {
    /// A folder of this name, which must not be there or be empty.
    pub fn new(path: &Path) -> Result<Folder, ExportError> {
        let open = || {
            if path.is_file() {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a file: name a folder"));
            }
            if fs::exists(path)? && fs::read_dir(path)?.next().is_some() {
                let told = "the folder is there and not empty: name another one, or empty it";
                return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, told));
            }
            let staged = Staged::new(path)?;
            staged.create_dir()?;
            Ok(staged)
        };
        let staged = open().map_err(|error| ExportError::io(path, error))?;
        Ok(Folder { path: path.to_owned(), staged, sum: Sum::default() })
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), ExportError> {
        self.sum.add(text.as_bytes());
        let added = self.staged.add(name, text.as_bytes());
        added.map_err(|error| ExportError::io(&self.path.join(name), error))
    }

    /// All is written.
    pub fn finish(self) -> Written {
        self.sum.written(Some(self.staged))
    }
}
