//! What is told of a dataset: its name, the manifest, and a few words.

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use tailback::dataset::{About, Counts, FileEntry, LICENCE, Manifest, Recipe, Schema, Totals, Written};
use tailback::retrograde::UNSOLVABLE;
use tailback::table::Header;

use super::files::Files;
use super::{Export, Format};
use crate::cli::shared::options::Global;
use crate::cli::shared::output;

impl Export {
    /// The name and the description, with what the recipe says where the user
    /// says nothing.
    pub fn about(&self, recipe: &Recipe) -> About {
        let metrics: Vec<String> = recipe.metrics.iter().map(ToString::to_string).collect();
        let metrics = metrics.join(" and ");
        let size = recipe.size.map_or(String::new(), |size| format!("{size}x{size} "));
        let name = || format!("Rush Hour {size}in {metrics}");
        let description = || {
            let mut parts = vec![
                format!("{size}Rush Hour boards: {}", recipe.boards.replace(',', ";")),
                format!("h* is exact in {metrics}"),
            ];
            if !recipe.heuristics.is_empty() {
                let columns = recipe.heuristics.iter().enumerate();
                let columns =
                    columns.map(|(index, name)| format!("h{} {}", index + 1, name.replace(',', " ")));
                parts.push(columns.collect::<Vec<_>>().join(" "));
            }
            parts.push(format!("seed {}", recipe.seed));
            parts.push(recipe.builder.clone());
            parts.join("; ")
        };
        About {
            name: self.name.clone().unwrap_or_else(name),
            description: self.description.clone().unwrap_or_else(description),
            facts: recipe.facts(),
        }
    }

    pub fn manifest<'m>(
        &self,
        (about, recipe, schema): (&'m About, &'m Recipe, &Schema),
        totals: &Totals,
        done: &Files<Written>,
        table: Option<&Header>,
    ) -> Manifest<'m> {
        let parts = self.split.iter().flat_map(|split| split.names()).map(|name| Some(name.to_owned()));
        let files = done.names.iter().zip(&done.each).zip(&totals.files).zip(parts.chain([None]));
        let entry = |(((path, written), counts), part): (((&PathBuf, &Written), &Counts), _)| FileEntry {
            file: path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            part,
            rows: counts.rows,
            unsolvable: counts.unsolvable,
            bytes: written.bytes,
            sha256: written.sha256.clone(),
            distances: FileEntry::by_metric(counts, schema),
        };
        // As it was typed, whatever the program is called on this machine.
        let typed = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let command = ["tailback".to_owned()].into_iter().chain(typed).collect();
        Manifest {
            name: &about.name,
            description: &about.description,
            format: self.format.name(),
            recipe,
            command,
            licence: LICENCE,
            rows: totals.files.iter().map(|counts| counts.rows).sum(),
            left_out_unsolvable: totals.left_out,
            population: table.map(|header| header.by_distance().to_vec()),
            population_unsolvable: table.map(|header| header.histogram[usize::from(UNSOLVABLE)]),
            files: files.map(entry).collect(),
        }
    }

    /// Tells people, or programs, what was written. Beside a stream that goes
    /// to standard error: the stream may be standard output.
    pub fn tell(
        &self,
        global: &Global,
        manifest: &Manifest,
        is_stream: bool,
        elapsed: Duration,
    ) -> anyhow::Result<()> {
        let boards = |rows: u64| match rows {
            1 => "1 board".to_owned(),
            rows => format!("{} boards", HumanCount(rows)),
        };
        let hint = if self.format == Format::Rush { "" } else { "; --include-unsolvable keeps them" };
        let left_out = match manifest.left_out_unsolvable {
            0 => String::new(),
            n => format!("{} left out as unsolvable{hint}\n", boards(n)),
        };
        if is_stream {
            if !left_out.is_empty() {
                output::note(&format!("note: {}", left_out.trim_end()));
            }
            return Ok(());
        }
        if global.json {
            return Ok(output::json(manifest)?);
        }
        let folder = self.out.parent().unwrap_or(Path::new(""));
        let mut text = String::new();
        for file in &manifest.files {
            let path = folder.join(&file.file);
            let longest = file.distances.iter().map(|(metric, counts)| {
                format!(", up to {}", output::counted(counts.len().saturating_sub(1) as u32, *metric))
            });
            let longest = if file.rows > file.unsolvable { longest.collect() } else { String::new() };
            text +=
                &format!("{}: {}{longest} ({})\n", path.display(), boards(file.rows), HumanBytes(file.bytes));
        }
        text += &left_out;
        text += &format!("Written in {:.1} s.\n", elapsed.as_secs_f64());
        Ok(output::text(&text)?)
    }
}
