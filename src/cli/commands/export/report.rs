//! The report of a dataset that was written.

use std::path::Path;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use tailback::dataset::Manifest;

use super::Export;
use crate::shared::{Global, Result, output};

impl Export {
    /// Tells people, or programs, what was written. Beside a stream that goes
    /// to standard error: the stream may be standard output.
    pub fn tell(
        &self,
        global: &Global,
        manifest: &Manifest,
        is_stream: bool,
        elapsed: Duration,
    ) -> Result<()> {
        let boards = |rows: u64| match rows {
            1 => "1 board".to_owned(),
            rows => format!("{} boards", HumanCount(rows)),
        };
        let hint = if self.format.has_unsolvable { "; --include-unsolvable keeps them" } else { "" };
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
