//! The files of a dataset: one, or one for each part, and the manifest.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tailback::dataset::{ExportError, Form, Manifest, Output, Sheet, Split, Written};

use crate::cli::output;

/// Files that are being written.
pub struct Files<'a> {
    pub sheets: Vec<Sheet<'a>>,
    names: Vec<PathBuf>,
    manifest: Option<PathBuf>,
}

/// Files that are all written, but do not have their names yet.
pub struct Done {
    pub written: Vec<Written>,
    pub names: Vec<PathBuf>,
    manifest: Option<PathBuf>,
}

impl<'a> Files<'a> {
    pub fn open(out: &Path, split: Option<&Split>, form: &Form<'a>) -> Result<Files<'a>, ExportError> {
        if out == Path::new("-") {
            let stdout = Output::stream("standard output", Box::new(io::BufWriter::new(io::stdout())));
            return Ok(Files {
                sheets: vec![form.begin(stdout)?],
                names: vec![out.to_owned()],
                manifest: None,
            });
        }
        let names: Vec<PathBuf> = match split {
            None => vec![out.to_owned()],
            Some(split) => split.names().map(|part| part_of(out, part)).collect(),
        };
        let sheets = names.iter().map(|name| form.open(name)).collect::<Result<_, _>>()?;
        let mut manifest = OsString::from(out);
        manifest.push(".manifest.json");
        Ok(Files { sheets, names, manifest: Some(manifest.into()) })
    }

    pub fn finish(self) -> Result<Done, ExportError> {
        let written = self.sheets.into_iter().map(Sheet::finish).collect::<Result<_, _>>()?;
        Ok(Done { written, names: self.names, manifest: self.manifest })
    }
}

impl Done {
    /// Gives the files their names; the manifest comes last, so that it is
    /// there only if all is.
    pub fn commit(self, manifest: &Manifest) -> anyhow::Result<()> {
        for written in self.written {
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
