//! Many puzzles, for machines: JSON, CSV, and the form of the public list.

use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use serde::Serialize;
use tailback::catalogue::kind_text;
use tailback::catalogue::{Catalogue, Contents, Puzzle, Puzzles, Rules};
use tailback::dataset::rush;
use tailback::space::Space;

use super::exit;
use super::options::Global;

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

/// A puzzle as a JSON object.
#[derive(Serialize)]
pub struct Entry<'p> {
    id: u64,
    size: usize,
    board: &'p str,
    moves: u32,
    steps: u32,
    vehicles: u32,
    cars: u32,
    trucks: u32,
    free_cells: u32,
    line_kinds: Vec<String>,
    cluster_boards: u64,
    goal_boards: u32,
    hardest_boards: u32,
    optimal_solutions: u64,
    optimal_first_moves: u32,
    moving_vehicles: u32,
    branching: f64,
    classic: bool,
    rush: bool,
    solution: Vec<&'p str>,
    moves_histogram: &'p [u32],
    catalogue: Contents,
}

impl<'p> Entry<'p> {
    pub fn new(puzzle: &'p Puzzle, catalogue: &Catalogue) -> Entry<'p> {
        Entry {
            id: puzzle.id,
            size: catalogue.space().size(),
            board: &puzzle.board,
            moves: puzzle.moves,
            steps: puzzle.steps,
            vehicles: puzzle.vehicles(),
            cars: puzzle.cars,
            trucks: puzzle.trucks,
            free_cells: puzzle.free_cells,
            line_kinds: kinds(puzzle.line_kinds, catalogue.space()),
            cluster_boards: puzzle.cluster_boards(),
            goal_boards: puzzle.goal_boards(),
            hardest_boards: puzzle.hardest_boards(),
            optimal_solutions: puzzle.optimal_solutions,
            optimal_first_moves: puzzle.optimal_first_moves,
            moving_vehicles: puzzle.moving_vehicles,
            branching: puzzle.branching(),
            classic: puzzle.classic,
            rush: puzzle.rush,
            solution: puzzle.solution.split(' ').collect(),
            moves_histogram: &puzzle.histogram,
            catalogue: catalogue.contents(),
        }
    }
}

/// The kinds of a bit mask, as text.
pub fn kinds(bits: u32, space: &Space) -> Vec<String> {
    let kinds = space.line().kinds().iter().enumerate();
    kinds.filter(|(number, _)| bits >> number & 1 == 1).map(|(_, lengths)| kind_text(lengths)).collect()
}

/// Prints the puzzles one by one, as they are read.
pub fn print(format: Format, catalogue: &Catalogue, puzzles: Puzzles) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if format == Format::Csv {
        writeln!(out, "{CSV}")?;
    }
    for puzzle in puzzles {
        let puzzle = puzzle?;
        match format {
            Format::Csv => writeln!(out, "{}", csv(&puzzle))?,
            Format::Jsonl => writeln!(out, "{}", serde_json::to_string(&Entry::new(&puzzle, catalogue))?)?,
            Format::Rush => {
                let mut line = String::new();
                rush::push_line(puzzle.moves, &puzzle.board, puzzle.cluster_boards(), &mut line);
                out.write_all(line.as_bytes())?;
            }
        }
    }
    Ok(out.flush()?)
}

/// What a JSON answer begins with.
#[derive(Serialize)]
struct Head {
    catalogue: Contents,
    size: usize,
    rules: Rules,
    matching: usize,
}

/// Prints one object with all puzzles. If one of them cannot be read, the object
/// ends with the error, so that it stays an object.
pub fn print_json(catalogue: &Catalogue, rules: Rules, puzzles: Puzzles) -> anyhow::Result<()> {
    let head = Head {
        catalogue: catalogue.contents(),
        size: catalogue.space().size(),
        rules,
        matching: puzzles.matching(),
    };
    let head = serde_json::to_string(&head)?;
    let mut out = BufWriter::new(io::stdout().lock());
    // Not gathered first: there may be hundreds of thousands.
    write!(out, "{},\"puzzles\":[", head.trim_end_matches('}'))?;
    let mut error = None;
    for (index, puzzle) in puzzles.enumerate() {
        match puzzle {
            Ok(puzzle) => {
                let comma = if index > 0 { "," } else { "" };
                write!(out, "{comma}{}", serde_json::to_string(&Entry::new(&puzzle, catalogue))?)?;
            }
            Err(bad) => {
                error = Some(bad.to_string());
                break;
            }
        }
    }
    write!(out, "]")?;
    if let Some(error) = &error {
        write!(out, ",\"error\":{}", serde_json::to_string(error)?)?;
    }
    writeln!(out, "}}")?;
    out.flush()?;
    error.map_or(Ok(()), |error| Err(exit::Batch(error).into()))
}

/// Prints the puzzles for machines, if that was asked for; otherwise gives them
/// back.
pub fn machines<'c>(
    global: &Global,
    format: Option<Format>,
    catalogue: &'c Catalogue,
    rules: Rules,
    puzzles: Puzzles<'c>,
) -> anyhow::Result<Option<Puzzles<'c>>> {
    match format {
        Some(format) => print(format, catalogue, puzzles)?,
        None if global.json => print_json(catalogue, rules, puzzles)?,
        None => return Ok(Some(puzzles)),
    }
    Ok(None)
}

const CSV: &str = "id,board,moves,steps,vehicles,cars,trucks,free_cells,line_kinds,cluster_boards,goal_boards,\
    hardest_boards,optimal_solutions,optimal_first_moves,moving_vehicles,branching,classic,rush,solution,\
    moves_histogram";

/// One line of CSV. No value has a comma or a quotation mark in it.
fn csv(puzzle: &Puzzle) -> String {
    let histogram: Vec<String> = puzzle.histogram.iter().map(u32::to_string).collect();
    [
        puzzle.id.to_string(),
        puzzle.board.clone(),
        puzzle.moves.to_string(),
        puzzle.steps.to_string(),
        puzzle.vehicles().to_string(),
        puzzle.cars.to_string(),
        puzzle.trucks.to_string(),
        puzzle.free_cells.to_string(),
        puzzle.line_kinds.to_string(),
        puzzle.cluster_boards().to_string(),
        puzzle.goal_boards().to_string(),
        puzzle.hardest_boards().to_string(),
        puzzle.optimal_solutions.to_string(),
        puzzle.optimal_first_moves.to_string(),
        puzzle.moving_vehicles.to_string(),
        puzzle.branching().to_string(),
        u8::from(puzzle.classic).to_string(),
        u8::from(puzzle.rush).to_string(),
        puzzle.solution.clone(),
        histogram.join(" "),
    ]
    .join(",")
}
