//! Many puzzles, for machines: JSON, CSV, and the form of the public list.

use std::io::{self, BufWriter, Write};

use clap::Args;
use tailback::answers::ListForm;
use tailback::catalogue::{Catalogue, Puzzle, Puzzles, Rules};

use super::{Failure, Global, Result, interrupt, options, output};

/// Options of commands that list puzzles.
#[derive(Args)]
pub struct ListArgs {
    /// No two alike: they differ by more than N vehicles (added, removed or shifted) and are of
    /// different families, mirror images included [default N: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub distinct: Option<u32>,
    /// A form for machines
    #[arg(long, value_parser = options::one_of(FORMS), conflicts_with = "json")]
    format: Option<ListForm>,
}

const FORMS: &[(&str, &str, ListForm)] = &[
    ("csv", "A line of names, then one puzzle a line", ListForm::Csv),
    ("jsonl", "One JSON object a line", ListForm::JsonLines),
    ("rush", "Moves, board and boards of the cluster, as in the best-known public list", ListForm::Rush),
];

/// The puzzles, until a signal ends them.
pub fn until_stopped(puzzles: Puzzles) -> impl Iterator<Item = Result<Puzzle>> {
    puzzles.map(|puzzle| match interrupt::is_raised() {
        true => Err(Failure::interrupted().after_answers()),
        false => Ok(puzzle?),
    })
}

impl ListArgs {
    /// The form for machines, if one was asked for.
    pub fn form(&self, global: &Global) -> Option<ListForm> {
        self.format.or(global.json.then_some(ListForm::Json))
    }

    /// Prints the puzzles for machines, if that was asked for; otherwise gives them
    /// back.
    pub fn machines<'c>(
        &self,
        global: &Global,
        catalogue: &'c Catalogue,
        rules: Rules,
        puzzles: Puzzles<'c>,
    ) -> Result<Option<Puzzles<'c>>> {
        let Some(form) = self.form(global) else { return Ok(Some(puzzles)) };
        print(form, catalogue, rules, puzzles).map(|()| None)
    }
}

/// Prints the puzzles one by one, as they are read. If one of them cannot be read, a
/// JSON object ends with the error, so that it stays an object.
fn print(form: ListForm, catalogue: &Catalogue, rules: Rules, puzzles: Puzzles) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    write!(out, "{}", form.start(catalogue, rules, None, puzzles.matching()))?;
    for (index, puzzle) in until_stopped(puzzles).enumerate() {
        match puzzle {
            Ok(puzzle) => write!(out, "{}", form.puzzle(&puzzle, catalogue, index == 0))?,
            Err(error) if form == ListForm::Json => {
                writeln!(out, "],\"error\":{}}}", output::to_json(error.text()))?;
                out.flush()?;
                return Err(error.after_answers());
            }
            Err(error) => return Err(error),
        }
    }
    write!(out, "{}{}", form.end(), if form == ListForm::Json { "\n" } else { "" })?;
    Ok(out.flush()?)
}
