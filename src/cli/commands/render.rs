//! `tailback render`: boards as pictures.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tailback::board::{Board, Metric};
use tailback::probe::Source;
use tailback::render::font;
use tailback::render::picture::Picture;
use tailback::render::sheet::{self, Sheet, Tile};
use tailback::render::svg::Drawing;

use crate::cli::shared::boards::{Boards, Input};
use crate::cli::shared::picture::{Format, SCALE};
use crate::cli::shared::{Failure, Global, Result, output};

const EXAMPLES: &str = "\
Examples:
  tailback render BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo -o board.png
  tailback render --solution BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo -o way.svg
  tailback render --title 'Two moves' --width 600 '..B. AAB. .... ....' -o small.png
  tailback render --file boards.txt --title 'Ten for the train' -o page.png

Boards are written as for `tailback lookup`. The name of the file says whether
it is SVG or PNG; a dash instead writes SVG to standard output.";

/// The most pixels of a side: a page at 600 dots an inch, and 400 MB of memory.
const LONGEST: u32 = 8192;
/// In characters: a longer title would take more room than the board.
const LONGEST_TITLE: usize = 200;

/// Draw boards as SVG or PNG: one, many on a page, or a whole solution
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Render {
    #[command(flatten)]
    boards: Boards,
    /// The file to draw into, .svg or .png; `-` writes SVG to standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Draw every board of an optimal solution
    #[arg(long)]
    solution: bool,
    /// Text on the picture; without it a solution tells its length
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Draw vehicles without their letters
    #[arg(long)]
    no_letters: bool,
    /// Pixels of a PNG from left to right; default: two for each unit of the SVG
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=i64::from(LONGEST)))]
    width: Option<u32>,
}

/// What was written.
#[derive(Serialize)]
struct Written<'a> {
    file: String,
    format: Format,
    width: u32,
    height: u32,
    boards: usize,
    /// If asked for.
    #[serde(flatten)]
    solution: Option<&'a Solution>,
}

#[derive(Serialize)]
struct Solution {
    metric: Metric,
    distance: u32,
    source: Source,
    #[serde(skip)]
    board: Box<Board>,
}

impl Render {
    pub fn run(&self, global: &Global) -> Result<()> {
        let format = self.format(global)?;
        let (drawing, boards, solution) = self.draw(global)?;
        if let Some(format) = format {
            let scale = self.scale(format, &drawing);
            format.write(&self.output, &drawing.svg, scale)?;
            let pixels = |side: u32| (side as f32 * scale).round() as u32;
            let written = Written {
                file: self.output.display().to_string(),
                format,
                width: pixels(drawing.width),
                height: pixels(drawing.height),
                boards,
                solution: solution.as_ref(),
            };
            if global.json {
                return Ok(output::json(&written)?);
            }
            output::text(&self.in_words(&written))?;
        } else {
            output::text(&drawing.svg)?;
        }
        if let Some(solution) = &solution {
            self.boards.hint(&global.db, &solution.board, solution.source);
        }
        Ok(())
    }

    /// The format of the file; none for standard output.
    fn format(&self, global: &Global) -> Result<Option<Format>, Failure> {
        let to_file = self.output != Path::new("-");
        let format = to_file.then(|| Format::of(&self.output)).transpose()?;
        let title = self.title.as_deref().unwrap_or_default();
        let is_latin = title.chars().all(|c| font::has(c) || c.is_whitespace());
        Failure::refuse([
            (global.json && !to_file, "--json tells of a file, but -o - writes none: name one"),
            (
                self.width.is_some() && format != Some(Format::Png),
                "--width is for PNG files; an SVG has no pixels",
            ),
            (title.chars().count() > LONGEST_TITLE, "--title has at most 200 characters"),
            (
                format == Some(Format::Png) && !is_latin,
                "a PNG has Latin letters only: choose another --title, or write an SVG",
            ),
        ])?;
        Ok(format)
    }

    /// Pixels per unit.
    fn scale(&self, format: Format, drawing: &Drawing) -> f32 {
        match (format, self.width) {
            (Format::Svg, _) => 1.0,
            (Format::Png, Some(width)) => width as f32 / drawing.width as f32,
            (Format::Png, None) => SCALE.min(LONGEST as f32 / drawing.width.max(drawing.height) as f32),
        }
    }

    /// The drawing, how many boards are on it, and the solution if that is asked for.
    fn draw(&self, global: &Global) -> Result<(Drawing, usize, Option<Solution>)> {
        let letters = !self.no_letters;
        let title = self.title.clone();
        let (title, tiles, solution) = match self.boards.input()? {
            Input::One(board) if !self.solution => {
                let picture = Picture { board: &board, title: title.unwrap_or_default(), letters };
                return Ok((picture.draw(), 1, None));
            }
            Input::One(board) => {
                let (tiles, solution) = self.solve(global, board)?;
                let length = || output::counted(solution.distance, solution.metric);
                (title.unwrap_or_else(length), tiles, Some(solution))
            }
            Input::Many(_) if self.solution => {
                return Err(Failure::misused("--solution draws that of one board, not of many"));
            }
            Input::Many(input) => {
                let boards = self.boards.page(input)?;
                let tile = |(index, board)| Tile { board, caption: format!("{}", index + 1), moved: None };
                (title.unwrap_or_default(), boards.into_iter().enumerate().map(tile).collect(), None)
            }
        };
        let sheet = Sheet { title, tiles, letters };
        Ok((sheet.draw(), sheet.tiles.len(), solution))
    }

    fn solve(&self, global: &Global, board: Box<Board>) -> Result<(Vec<Tile>, Solution)> {
        let metric = self.boards.metric;
        let answer = self.boards.options.prober(global).session().solve(&board, metric)?;
        let (Some(distance), Some(moves)) = (answer.distance, answer.solution) else {
            return Err(Failure::failed(
                "the board is unsolvable, so it has no solution to draw; without --solution it is drawn alone",
            ));
        };
        Ok((sheet::solution(&board, &moves)?, Solution { metric, distance, source: answer.source, board }))
    }

    fn in_words(&self, written: &Written) -> String {
        let Written { file, width, height, boards, .. } = written;
        let boards = if *boards == 1 { "1 board".to_owned() } else { format!("{boards} boards") };
        let unit = if written.format == Format::Png { " pixels" } else { "" };
        let mut text = format!("{file}: {boards}, {width}×{height}{unit}\n");
        if let Some(Solution { distance, source, board, .. }) = written.solution {
            text += &self.boards.sentence(board, Some(*distance), *source);
        }
        text
    }
}
