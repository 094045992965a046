//! The files of a dataset: one, or one for each part, and the manifest.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::{DataFile, Encoder, ExportError, Format, Output, Split, Written};
use crate::files::{self, Staged};

/// The files, at some point of their way: first each is a target, then it is
/// being filled, and in the end it is written, but has no name yet.
pub struct Files<T> {
    pub(super) each: Vec<T>,
    pub(super) names: Vec<PathBuf>,
    /// None beside a stream.
    pub(super) manifest: Option<(PathBuf, Staged)>,
}

impl Files<Output> {
    /// Makes room for the files, so that a name that cannot be is told before
    /// there is any work.
    pub fn open(out: &Path, split: Option<&Split>, format: &Format) -> Result<Files<Output>, ExportError> {
        let out = match format.is_folder {
            // What comes after a slash at the end would be in the folder.
            true => out.components().collect(),
            false => out.to_owned(),
        };
        let names: Vec<PathBuf> = match split {
            None => vec![out.clone()],
            Some(split) => split.names().map(|part| part_of(&out, part)).collect(),
        };
        let each = names.iter().map(|name| format.open(name)).collect::<Result<_, _>>()?;
        // There is nothing beside a pipe.
        let manifest = if files::is_stream(&out) { None } else { Some(manifest(&out)?) };
        Ok(Files { each, names, manifest })
    }

    /// Standard output, or something like it.
    pub fn stream(out: Output) -> Files<Output> {
        Files { names: vec![out.path().to_owned()], each: vec![out], manifest: None }
    }

    /// Writes what stands before the rows.
    pub fn begin(self, encoder: &Encoder) -> Result<Files<DataFile>, ExportError> {
        self.map(|out| encoder.begin(out))
    }
}

impl Files<DataFile> {
    /// All rows are written.
    pub fn finish(self) -> Result<Files<Written>, ExportError> {
        self.map(DataFile::finish)
    }
}

impl<T> Files<T> {
    fn map<U>(self, next: impl FnMut(T) -> Result<U, ExportError>) -> Result<Files<U>, ExportError> {
        let each = self.each.into_iter().map(next).collect::<Result<_, _>>()?;
        Ok(Files { each, names: self.names, manifest: self.manifest })
    }
}

impl Files<Written> {
    /// Is it no file that gets a name?
    pub fn is_stream(&self) -> bool {
        self.manifest.is_none()
    }
}

/// Makes room for the manifest.
fn manifest(out: &Path) -> Result<(PathBuf, Staged), ExportError> {
    let path = files::beside(out, ".manifest.json");
    let staged = match path.is_dir() {
        true => {
            let told = "the manifest goes there, and it is a folder: name another file";
            Err(io::Error::new(io::ErrorKind::IsADirectory, told))
        }
        false => Staged::file(&path),
    };
    staged.map(|staged| (path.clone(), staged)).map_err(|error| ExportError::io(&path, error))
}

/// `boards.csv` becomes `boards.train.csv`.
fn part_of(out: &Path, part: &str) -> PathBuf {
    let mut name = out.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{part}"));
    if let Some(extension) = out.extension() {
        name.push(".");
        name.push(extension);
    }
    out.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_of_their_own() {
        let name = |out: &str| part_of(Path::new(out), "train").display().to_string();
        assert_eq!(name("boards.csv"), "boards.train.csv");
        assert_eq!(name("data/boards"), "data/boards.train");
        assert_eq!(name("a.b.csv"), "a.b.train.csv");
    }
}
