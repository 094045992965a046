//! The files of a dataset: one, or one for each part, and the manifest.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tailback::dataset::{ExportError, Form, Format, Manifest, Output, Place, Sheet, Split, Written};
use tailback::files::{self, Staged};

use crate::cli::shared::output::STDOUT;

/// The files, at some point of their way: first each is a place, then a sheet
/// that is being filled, and in the end it is written, but has no name yet.
pub struct Files<T> {
    pub each: Vec<T>,
    pub names: Vec<PathBuf>,
    /// None beside a stream.
    manifest: Option<Manifested>,
}

/// The manifest, before it is there.
struct Manifested {
    path: PathBuf,
    staged: Staged,
}

impl Files<Place> {
    /// Makes room for the files, so that a name that cannot be is told before
    /// there is any work.
    pub fn open(out: &Path, split: Option<&Split>, format: Format) -> Result<Files<Place>, ExportError> {
        if is_stdout(out) {
            let stdout = Output::stream(STDOUT, Box::new(io::BufWriter::new(io::stdout())));
            return Ok(Files {
                each: vec![Place::File(stdout)],
                names: vec![out.to_owned()],
                manifest: None,
            });
        }
        let out = match format {
            // What comes after a slash at the end would be in the folder.
            Format::Pddl => out.components().collect(),
            _ => out.to_owned(),
        };
        let names: Vec<PathBuf> = match split {
            None => vec![out.clone()],
            Some(split) => split.names().map(|part| part_of(&out, part)).collect(),
        };
        let each = names.iter().map(|name| format.open(name)).collect::<Result<_, _>>()?;
        // There is nothing beside a pipe.
        let manifest = if files::is_stream(&out) { None } else { Some(Manifested::beside(&out)?) };
        Ok(Files { each, names, manifest })
    }

    pub fn begin<'a>(self, form: &Form<'a>) -> Result<Files<Sheet<'a>>, ExportError> {
        self.map(|place| form.begin(place))
    }
}

impl Files<Sheet<'_>> {
    pub fn finish(self) -> Result<Files<Written>, ExportError> {
        self.map(Sheet::finish)
    }
}

impl<T> Files<T> {
    fn map<U>(self, next: impl FnMut(T) -> Result<U, ExportError>) -> Result<Files<U>, ExportError> {
        let each = self.each.into_iter().map(next).collect::<Result<_, _>>()?;
        Ok(Files { each, names: self.names, manifest: self.manifest })
    }
}

impl Files<Written> {
    /// Is it no file that got a name?
    pub fn is_stream(&self) -> bool {
        self.manifest.is_none()
    }

    /// Gives the files their names; the manifest comes last, so that it is
    /// there only if all is. An old one would be untrue from the first file on.
    pub fn commit(self, manifest: &Manifest) -> anyhow::Result<()> {
        if let Some(manifested) = &self.manifest {
            let text = serde_json::to_string_pretty(manifest)? + "\n";
            let write = || {
                fs::write(manifested.staged.part(), text)?;
                match fs::remove_file(&manifested.path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                    _ => Ok(()),
                }
            };
            write().map_err(|error| manifested.failed(error))?;
        }
        for written in self.each {
            written.commit()?;
        }
        match self.manifest {
            Some(Manifested { path, staged }) => {
                Ok(staged.commit().map_err(|error| ExportError::Io { path, error })?)
            }
            None => Ok(()),
        }
    }
}

impl Manifested {
    fn beside(out: &Path) -> Result<Manifested, ExportError> {
        let mut path = OsString::from(out);
        path.push(".manifest.json");
        let path = PathBuf::from(path);
        let open = || {
            if path.is_dir() {
                let told = "the manifest goes there, and it is a folder: name another file with --out";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, told));
            }
            Staged::new(&path)
        };
        match open() {
            Ok(staged) => Ok(Manifested { path, staged }),
            Err(error) => Err(ExportError::Io { path, error }),
        }
    }

    fn failed(&self, error: io::Error) -> ExportError {
        ExportError::Io { path: self.path.clone(), error }
    }
}

/// Is it standard output, under one of its names?
pub fn is_stdout(out: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| out == Path::new(name))
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
