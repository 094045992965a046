//! Many puzzles, for machines: JSON, CSV, and the form of the public list.

use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use serde::ser::{Serialize, SerializeMap, Serializer};
use tailback::catalogue::kind_text;
use tailback::catalogue::{Catalogue, Column, Contents, Holds, Puzzle, Puzzles, Rules, Value};
use tailback::dataset::rush;
use tailback::space::Space;

use super::{Failure, Global, Result, output};

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

/// What a column says, as JSON.
pub struct Told<'v> {
    pub column: Column,
    pub value: &'v Value,
    pub size: usize,
}

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.column.about().holds, self.value) {
            (_, Value::None) => serializer.serialize_none(),
            (Holds::Flag, Value::Whole(number)) => serializer.serialize_bool(*number == 1),
            (Holds::LineKinds, Value::Whole(bits)) => kinds(*bits, self.size).serialize(serializer),
            (_, Value::Whole(number)) => output::Count::from(*number).serialize(serializer),
            (_, Value::Real(number)) => serializer.serialize_f64(*number),
            (Holds::Moves, Value::Text(text)) => serializer.collect_seq(text.split_whitespace()),
            (_, Value::Text(text)) => serializer.serialize_str(text),
            (_, Value::Counts(counts)) => counts.serialize(serializer),
        }
    }
}

/// A puzzle as a JSON object.
pub struct Entry<'p> {
    puzzle: &'p Puzzle,
    size: usize,
    contents: Contents,
}

impl<'p> Entry<'p> {
    pub fn new(puzzle: &'p Puzzle, catalogue: &Catalogue) -> Entry<'p> {
        Entry { puzzle, size: catalogue.space().size(), contents: catalogue.contents() }
    }
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for column in Column::shown() {
            let told = Told { column, value: self.puzzle.value(column), size: self.size };
            object.serialize_entry(column.name(), &told)?;
            if column == Column::Id {
                object.serialize_entry("size", &self.size)?;
            }
        }
        object.serialize_entry("catalogue", &self.contents)?;
        object.end()
    }
}

/// The kinds of a bit mask, as text.
pub fn kinds(bits: u128, size: usize) -> Vec<String> {
    let Some(space) = Space::of_size(size) else { return Vec::new() };
    let kinds = space.line().kinds().iter().enumerate();
    kinds.filter(|(number, _)| bits >> number & 1 == 1).map(|(_, lengths)| kind_text(lengths)).collect()
}

/// Prints the puzzles one by one, as they are read.
pub fn print(format: Format, catalogue: &Catalogue, puzzles: Puzzles) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let contents = catalogue.contents();
    match format {
        Format::Csv => writeln!(out, "{},catalogue", csv(Column::name))?,
        // Its three columns have no room for it.
        Format::Rush if contents == Contents::Starter => {
            writeln!(out, "# from the starter catalogue, which has a choice of all puzzles")?;
        }
        Format::Rush | Format::Jsonl => {}
    }
    for puzzle in puzzles {
        let puzzle = puzzle?;
        match format {
            Format::Csv => writeln!(out, "{},{}", csv(|column| puzzle.value(column)), contents.name())?,
            Format::Jsonl => writeln!(out, "{}", output::to_json(&Entry::new(&puzzle, catalogue)))?,
            Format::Rush => {
                let (mut line, boards) = (String::new(), puzzle.number(Column::ClusterBoards));
                rush::push_line(puzzle.moves(), puzzle.board(), boards, &mut line);
                out.write_all(line.as_bytes())?;
            }
        }
    }
    Ok(out.flush()?)
}

/// What a JSON answer begins with.
#[derive(serde::Serialize)]
struct Head {
    catalogue: Contents,
    size: usize,
    rules: Rules,
    matching: usize,
}

/// Prints one object with all puzzles. If one of them cannot be read, the object
/// ends with the error, so that it stays an object.
pub fn print_json(catalogue: &Catalogue, rules: Rules, puzzles: Puzzles) -> Result<()> {
    let head = Head {
        catalogue: catalogue.contents(),
        size: catalogue.space().size(),
        rules,
        matching: puzzles.matching(),
    };
    let head = output::to_json(&head);
    let mut out = BufWriter::new(io::stdout().lock());
    // Not gathered first: there may be hundreds of thousands.
    write!(out, "{},\"puzzles\":[", head.trim_end_matches('}'))?;
    let mut error = None;
    for (index, puzzle) in puzzles.enumerate() {
        match puzzle {
            Ok(puzzle) => {
                let comma = if index > 0 { "," } else { "" };
                write!(out, "{comma}{}", output::to_json(&Entry::new(&puzzle, catalogue)))?;
            }
            Err(bad) => {
                error = Some(Failure::from(bad));
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

/// One line of CSV. No value has a comma or a quotation mark in it.
fn csv<T: ToString>(cell: impl Fn(Column) -> T) -> String {
    Column::shown().map(|column| cell(column).to_string()).collect::<Vec<_>>().join(",")
}
