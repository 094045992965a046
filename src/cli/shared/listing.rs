//! Many puzzles, for machines: JSON, CSV, and the form of the public list.

use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use tailback::answers::{Head, PuzzleObject, csv_head, csv_line};
use tailback::catalogue::{Catalogue, Column, Contents, Puzzle, Puzzles, Rules};
use tailback::dataset::rush;

use super::{Failure, Global, Result, interrupt, output};

/// A form for machines.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line of names, then one puzzle a line
    Csv,
    /// One JSON object a line
    Jsonl,
    /// Moves, board and boards of the cluster, as in the best-known public list
    Rush,
}

/// The puzzles, until a signal ends them.
pub fn until_stopped(puzzles: Puzzles) -> impl Iterator<Item = Result<Puzzle>> {
    puzzles.map(|puzzle| match interrupt::is_raised() {
        true => Err(Failure::interrupted().after_answers()),
        false => Ok(puzzle?),
    })
}

/// Prints the puzzles one by one, as they are read.
pub fn print(format: Format, catalogue: &Catalogue, puzzles: Puzzles) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let contents = catalogue.contents();
    match format {
        Format::Csv => writeln!(out, "{}", csv_head())?,
        // Its three columns have no room for it.
        Format::Rush if contents == Contents::Starter => {
            write!(out, "{}", rush::FROM_STARTER)?;
        }
        Format::Rush | Format::Jsonl => {}
    }
    for puzzle in until_stopped(puzzles) {
        let puzzle = puzzle?;
        match format {
            Format::Csv => writeln!(out, "{}", csv_line(&puzzle, contents))?,
            Format::Jsonl => writeln!(out, "{}", output::to_json(&PuzzleObject::new(&puzzle, catalogue)))?,
            Format::Rush => {
                let (mut line, boards) = (String::new(), puzzle.number(Column::ClusterBoards));
                rush::push_line(puzzle.moves(), puzzle.board_text(), boards, &mut line);
                out.write_all(line.as_bytes())?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Prints one object with all puzzles. If one of them cannot be read, the object
/// ends with the error, so that it stays an object.
pub fn print_json(catalogue: &Catalogue, rules: Rules, puzzles: Puzzles) -> Result<()> {
    let head = output::to_json(&Head::new(catalogue, rules));
    let matching = puzzles.matching();
    let mut out = BufWriter::new(io::stdout().lock());
    // Not gathered first: there may be hundreds of thousands.
    write!(out, "{},\"matching\":{matching},\"puzzles\":[", head.trim_end_matches('}'))?;
    let mut error = None;
    for (index, puzzle) in until_stopped(puzzles).enumerate() {
        match puzzle {
            Ok(puzzle) => {
                let comma = if index > 0 { "," } else { "" };
                write!(out, "{comma}{}", output::to_json(&PuzzleObject::new(&puzzle, catalogue)))?;
            }
            Err(bad) => {
                error = Some(bad);
                break;
            }
        }
    }
    write!(out, "]")?;
    if let Some(error) = &error {
        write!(out, ",\"error\":{}", output::to_json(error.text()))?;
    }
    writeln!(out, "}}")?;
    out.flush()?;
    error.map_or(Ok(()), |error| Err(error.after_answers()))
}

/// Prints the puzzles for machines, if that was asked for; otherwise gives them
/// back.
pub fn machines<'c>(
    global: &Global,
    format: Option<Format>,
    catalogue: &'c Catalogue,
    rules: Rules,
    puzzles: Puzzles<'c>,
) -> Result<Option<Puzzles<'c>>> {
    match format {
        Some(format) => print(format, catalogue, puzzles)?,
        None if global.json => print_json(catalogue, rules, puzzles)?,
        None => return Ok(Some(puzzles)),
    }
    Ok(None)
}
