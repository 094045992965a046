//! The description of a dataset: inside the file where there is room for it, and
//! in a file beside it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::{About, ExportError, FileCounts, Files, Format, Schema, Split, Totals, Written};
use crate::board::Metric;
use crate::files::{Staged, commit_all};
use crate::table::Header;
use crate::table::format::OUR_VERSION;

/// The licence of the data: exact distances are facts, free for everyone.
pub const LICENCE: &str = "CC0-1.0";

/// How a dataset was made.
#[derive(Debug, Clone, Serialize)]
pub struct Recipe {
    /// The puzzle, if it is not Rush Hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<&'static str>,
    /// What the distances count.
    pub metrics: Vec<Metric>,
    /// Rows and columns of the boards, if all have the same.
    pub size: Option<usize>,
    /// Which boards there are to choose from.
    pub rules: &'static str,
    /// How they were chosen.
    pub boards: String,
    /// The letter of the car that has to reach the right edge; none if each board
    /// has its own.
    pub primary: Option<char>,
    /// Decides which boards and which last moves.
    pub seed: u64,
    /// Are boards in it that cannot be solved?
    pub include_unsolvable: bool,
    /// The parts and their weights.
    pub split: Option<String>,
    /// Decides the parts.
    pub split_seed: Option<u64>,
    /// The columns after the distances.
    pub heuristics: Vec<String>,
    /// The program that made it.
    pub builder: String,
}

impl Recipe {
    /// The version of this program, as datasets name it.
    pub fn builder() -> String {
        format!("tailback {OUR_VERSION}")
    }

    /// A name and a description, unless somebody gives others.
    pub fn about(&self, name: Option<&str>, description: Option<&str>) -> About {
        let metrics: Vec<String> = self.metrics.iter().map(ToString::to_string).collect();
        let metrics = metrics.join(" and ");
        let size = self.size.map_or(String::new(), |size| format!("{size}x{size} "));
        let its_name = || match self.puzzle {
            None => format!("Rush Hour {size}in {metrics}"),
            Some(puzzle) => format!("{puzzle} in {metrics}"),
        };
        let boards = self.boards.replace(',', ";");
        let instances = || match self.puzzle {
            None => format!("{size}Rush Hour boards: {boards}"),
            Some(puzzle) => format!("instances of {puzzle}: {boards}"),
        };
        let its_description = || {
            let mut parts = vec![instances(), format!("h* is exact in {metrics}")];
            if !self.heuristics.is_empty() {
                let columns = self.heuristics.iter().enumerate();
                let columns =
                    columns.map(|(index, name)| format!("h{} {}", index + 1, name.replace(',', " ")));
                parts.push(columns.collect::<Vec<_>>().join(" "));
            }
            parts.push(format!("seed {}", self.seed));
            parts.push(self.builder.clone());
            parts.join("; ")
        };
        About {
            name: name.map_or_else(its_name, str::to_owned),
            description: description.map_or_else(its_description, str::to_owned),
            facts: self.facts(),
        }
    }

    /// As texts with names.
    fn facts(&self) -> Vec<(String, String)> {
        let Ok(serde_json::Value::Object(facts)) = serde_json::to_value(self) else {
            unreachable!("a recipe is an object")
        };
        let text = |value: serde_json::Value| match value {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        facts
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, text(value)))
            .collect()
    }
}

/// All that somebody needs to know of a dataset, and to make it again.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Manifest<'a> {
    /// The dataset's name.
    pub name: &'a str,
    /// What is in it.
    pub description: &'a str,
    /// The form of its files.
    pub format: &'static str,
    /// How it was made.
    #[serde(flatten)]
    pub recipe: &'a Recipe,
    /// How the program was called.
    pub command: Vec<String>,
    /// Under which licence the data are.
    pub licence: &'static str,
    /// All rows.
    pub rows: u64,
    /// Boards that were chosen, but cannot be solved.
    pub left_out_unsolvable: u64,
    /// How many boards there are at each distance in the first metric, if
    /// they were drawn from all boards of a table. Divided by the rows: what a row stands for.
    pub population: Option<Vec<u64>>,
    /// How many boards cannot be solved, if they were drawn from a table.
    pub population_unsolvable: Option<u64>,
    /// The files.
    pub files: Vec<FileEntry>,
}

/// A file of a dataset.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FileEntry {
    /// Its name, in the folder of the manifest.
    pub file: String,
    /// The part of the split that it is.
    pub part: Option<String>,
    /// Its rows.
    pub rows: u64,
    /// Those that cannot be solved.
    pub unsolvable: u64,
    /// Its length.
    pub bytes: u64,
    /// Its checksum, in hexadecimal.
    pub sha256: String,
    /// By metric: how many rows have each distance, from 0 on.
    pub distances: BTreeMap<Metric, Vec<u64>>,
}

impl<'a> Manifest<'a> {
    /// Of files that are written. The table is the one that boards were drawn
    /// from.
    pub fn new(
        (format, recipe, about): (&Format, &'a Recipe, &'a About),
        command: Vec<String>,
        (files, totals): (&Files<Written>, &Totals),
        (schema, split): (&Schema, Option<&Split>),
        table: Option<&Header>,
    ) -> Manifest<'a> {
        let parts = split.iter().flat_map(|split| split.names()).map(|name| Some(name.to_owned()));
        let each = files.names.iter().zip(&files.each).zip(&totals.files).zip(parts.chain([None]));
        let entry = |(((path, written), counts), part): (((&PathBuf, &Written), &FileCounts), _)| FileEntry {
            file: path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            part,
            rows: counts.rows,
            unsolvable: counts.unsolvable,
            bytes: written.bytes,
            sha256: written.sha256.clone(),
            distances: schema.metrics.iter().copied().zip(counts.distances.iter().cloned()).collect(),
        };
        Manifest {
            name: &about.name,
            description: &about.description,
            format: format.name,
            recipe,
            command,
            licence: LICENCE,
            rows: totals.files.iter().map(|counts| counts.rows).sum(),
            left_out_unsolvable: totals.left_out,
            population: table.map(|header| header.histogram.by_distance().to_vec()),
            population_unsolvable: table.map(|header| header.histogram.unsolvable()),
            files: each.map(entry).collect(),
        }
    }

    /// The text of its file.
    fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a manifest is plain data") + "\n"
    }
}

impl Files<Written> {
    /// Gives the files their names, or none of them; the manifest comes last, so
    /// that it is there only if all is.
    pub fn commit(self, manifest: &Manifest) -> Result<(), ExportError> {
        let mut staged: Vec<Staged> = self.each.into_iter().filter_map(|written| written.staged).collect();
        if let Some((path, file)) = self.manifest {
            file.write(manifest.text().as_bytes()).map_err(|error| ExportError::Io { path, error })?;
            staged.push(file);
        }
        commit_all(staged).map_err(|(path, error)| ExportError::Io { path, error })
    }
}
