//! The files of a dataset: one, or one for each part, and the manifest.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tailback::dataset::{ExportError, Form, Format, Manifest, Output, Place, Sheet, Split, Written};
use tailback::staged;

use crate::cli::output;

/// The files, at some point of their way: first each is a place, then a sheet
/// that is being filled, and in the end it is written, but has no name yet.
pub struct Files<T> {
    pub each: Vec<T>,
    pub names: Vec<PathBuf>,
    manifest: Option<PathBuf>,
}

impl Files<Place> {
    /// Makes room for the files, so that a name that cannot be is told before
    /// there is any work.
    pub fn open(out: &Path, split: Option<&Split>, format: Format) -> Result<Files<Place>, ExportError> {
        if out == Path::new("-") {
            let stdout = Output::stream("standard output", Box::new(io::BufWriter::new(io::stdout())));
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
        let manifest = (!staged::is_stream(&out)).then(|| {
            let mut manifest = OsString::from(out);
            manifest.push(".manifest.json");
            manifest.into()
        });
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
    /// Gives the files their names; the manifest comes last, so that it is
    /// there only if all is.
    pub fn commit(self, manifest: &Manifest) -> anyhow::Result<()> {
        for written in self.each {
            written.commit()?;
        }
        let Some(path) = self.manifest else { return Ok(()) };
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        output::file(&path, text.as_bytes())
    }
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
