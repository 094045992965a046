//! `tailback render`: boards as pictures.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;
use tailback::answers::written;
use tailback::board::{Board, Metric};
use tailback::cluster::Bounds;
use tailback::probe::{Session, Source};
use tailback::progress::{Observer, Progress};
use tailback::render::pages::{self, Page};
use tailback::render::pdf;
use tailback::render::sheet::{self, Tile};
use tailback::render::svg::Drawing;

use crate::shared::board_reader::NamedBoard;
use crate::shared::boards::{Boards, Input};
use crate::shared::options::{self, PAPERS};
use crate::shared::picture::{self, Format, SCALE};
use crate::shared::{Failure, Global, Result, Watch, output, write_whole};

const EXAMPLES: &str = "\
Examples:
  tailback render BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo -o board.png
  tailback render --solution BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo -o way.svg
  tailback render --title 'Two moves' --width 600 '..B. AAB. .... ....' -o small.png
  tailback hardest --format rush | tailback render - --title Hard -o page.png
  tailback hardest --format rush | tailback render - --caption moves -o %n.png
  tailback hardest --format rush | tailback render - --answers -o booklet.pdf

Boards are written as for `tailback lookup`. The name of the file says whether
it is SVG, PNG or PDF; a dash instead writes SVG to standard output. With %n in
its name there is one file a page.";

/// The most pixels of a side: a page at 600 dots an inch, and 400 MB of memory.
const LONGEST: u32 = 8192;
/// In characters: a longer title would take more room than the board.
const LONGEST_TITLE: usize = 200;
/// Boards on a page of a PDF.
const A_PAGE: usize = 6;
/// In the name of a file: the number of the page.
const NUMBER: &str = "%n";

/// Draw boards as SVG, PNG or PDF: one, many, or a whole solution
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Render {
    #[command(flatten)]
    boards: Boards,
    /// The file to draw into: .svg, .png or .pdf, `-` for SVG to standard output; %n stands for the page
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Draw every board of an optimal solution
    #[arg(long)]
    solution: bool,
    /// Text on the picture [default: the length of a solution]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// What stands above each board, separated by commas [default: number, if there are many on a page]
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', conflicts_with = "solution")]
    caption: Vec<Caption>,
    /// Boards on a page [default: 6 in a PDF, 1 if the name has %n, otherwise all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    a_page: Option<u16>,
    /// Solutions of all boards on pages at the end
    #[arg(long, conflicts_with = "solution")]
    answers: bool,
    /// The paper of a PDF [default: a4]
    #[arg(long, value_parser = options::one_of(PAPERS))]
    paper: Option<pdf::Paper>,
    /// Draw vehicles without their letters
    #[arg(long)]
    no_letters: bool,
    /// Pixels of a PNG from left to right; default: two for each unit of the SVG
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=i64::from(LONGEST)))]
    width: Option<u32>,
}

/// A part of what stands above a board.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Caption {
    /// Its place in the list
    Number,
    /// Its name in the list, or its line
    Name,
    /// Its distance in moves
    Moves,
    /// Its distance in steps
    Steps,
    /// Its number among all boards of its size
    Id,
}

/// A file that was written.
#[derive(Serialize)]
struct Written<'a> {
    file: String,
    format: Format,
    /// In pixels, or in points of 1/72 inch.
    width: u32,
    height: u32,
    boards: usize,
    pages: usize,
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
    /// The same in words.
    #[serde(skip)]
    told: String,
}

impl Render {
    pub fn run(&self, global: &Global) -> Result<()> {
        let format = self.format(global)?;
        let (pages, solution) = self.pages(global, format)?;
        let Some(format) = format else {
            output::text(&pages[0].drawing.svg)?;
            self.hint(global, solution.as_ref());
            return Ok(());
        };
        let written = match format {
            Format::Pdf => vec![self.document(&pages, solution.as_ref())?],
            Format::Svg | Format::Png => self.pictures(format, &pages, solution.as_ref())?,
        };
        for written in &written {
            output::tell(global, written, || in_words(written))?;
        }
        if !global.json {
            self.hint(global, solution.as_ref());
        }
        Ok(())
    }

    fn hint(&self, global: &Global, solution: Option<&Solution>) {
        if let Some(solution) = solution {
            self.boards.hint(&global.db(), &solution.board, solution.source);
        }
    }

    /// The format of the file; none for standard output.
    fn format(&self, global: &Global) -> Result<Option<Format>, Failure> {
        let to_file = self.output != Path::new("-");
        let format = to_file.then(|| picture::format_of(&self.output)).transpose()?;
        let title = self.title.as_deref().unwrap_or_default();
        let is_paged = self.is_numbered() || format == Some(Format::Pdf);
        Failure::refuse([
            (global.json && !to_file, "--json describes a file, but -o - writes none: name one"),
            (
                self.width.is_some() && format != Some(Format::Png),
                "--width is for PNG files; SVG and PDF have no pixels",
            ),
            (self.paper.is_some() && format != Some(Format::Pdf), "--paper is that of a PDF: write one"),
            (
                (self.a_page.is_some() || self.answers) && !is_paged,
                "--a-page and --answers are about many pages: write a PDF, or put %n into the name of the file",
            ),
            (
                self.is_numbered() && format == Some(Format::Pdf),
                "a PDF has all pages in one file: leave %n out of its name",
            ),
            (title.chars().count() > LONGEST_TITLE, "--title has at most 200 characters"),
            (
                matches!(format, Some(Format::Png | Format::Pdf)) && !pages::is_drawable(title),
                "a PNG or a PDF has Latin letters only: choose another --title, or write an SVG",
            ),
        ])?;
        Ok(format)
    }

    fn is_numbered(&self) -> bool {
        self.output.to_string_lossy().contains(NUMBER)
    }

    /// Pixels per unit.
    fn scale(&self, format: Format, drawing: &Drawing) -> f32 {
        match (format, self.width) {
            (Format::Png, Some(width)) => width as f32 / drawing.width as f32,
            (Format::Png, None) => SCALE.min(LONGEST as f32 / drawing.width.max(drawing.height) as f32),
            (Format::Svg | Format::Pdf, _) => 1.0,
        }
    }

    /// What is drawn, and the solution if that is asked for.
    fn pages(&self, global: &Global, format: Option<Format>) -> Result<(Vec<Page>, Option<Solution>)> {
        let letters = !self.no_letters;
        let title = self.title.clone().unwrap_or_default();
        let a_page = |tiles: &[Tile]| match (self.a_page, format) {
            (Some(count), _) => usize::from(count),
            (None, _) if self.is_numbered() => 1,
            (None, Some(Format::Pdf)) => A_PAGE,
            (None, _) => tiles.len(),
        };
        let input = self.boards.input(global)?;
        if self.solution {
            let Input::One(board) = input else {
                return Err(Failure::misused("--solution draws that of one board, not of many"));
            };
            let (tiles, solution) = self.solve(global, board)?;
            let length = || output::counted(solution.distance, solution.metric);
            let title = self.title.clone().unwrap_or_else(length);
            // The way of a solved board is one board, but a way.
            let is_page = !self.is_numbered() && self.a_page.is_none();
            let a_page = if is_page { a_page(&tiles).max(2) } else { a_page(&tiles) };
            return Ok((pages::of_tiles(&title, &tiles, a_page, letters), Some(solution)));
        }
        let is_one = matches!(input, Input::One(_));
        let boards = match input {
            Input::One(board) => {
                vec![NamedBoard { name: String::new(), group: String::new(), board: *board }]
            }
            Input::Many(input) => self.boards.all(global, input)?,
        };
        let (prober, bounds) = (self.boards.options.prober(global), self.boards.options.bounds());
        let mut session = prober.session();
        let is_alone = is_one || (self.is_numbered() && self.a_page.is_none());
        let number = [Caption::Number];
        let caption = if self.caption.is_empty() && !is_alone { &number } else { &self.caption[..] };
        let tile = |(index, NamedBoard { name, board, .. }): (usize, &NamedBoard)| {
            let parts = caption.iter().map(|part| part.of(index + 1, name, board, &mut session, bounds));
            let parts = parts.collect::<Result<Vec<String>>>()?;
            Ok(Tile { board: board.clone(), caption: parts.join(" · "), note: String::new(), moved: None })
        };
        let tiles = boards.iter().enumerate().map(tile).collect::<Result<Vec<Tile>>>()?;
        let lacks_letters = |tile: &Tile| !pages::is_drawable(&tile.caption);
        Failure::refuse([(
            matches!(format, Some(Format::Png | Format::Pdf)) && tiles.iter().any(lacks_letters),
            "a PNG or a PDF has Latin letters only: leave name out of --caption, or write an SVG",
        )])?;
        let mut drawn = pages::of_tiles(&title, &tiles, if is_one { 1 } else { a_page(&tiles) }, letters);
        if self.answers {
            let answers = boards.iter().enumerate().map(|(index, NamedBoard { board, .. })| {
                let solution = session.solve(board, self.boards.metric, bounds)?.solution;
                let answer =
                    solution.map_or("unsolvable".to_owned(), |moves| written(board, &moves).join(" "));
                Ok((format!("{}.", index + 1), answer))
            });
            let answers = sheet::answers("Answers", &answers.collect::<Result<Vec<_>>>()?);
            drawn.extend(answers.into_iter().map(|drawing| Page { drawing, boards: 0 }));
        }
        Ok((drawn, None))
    }

    fn solve(&self, global: &Global, board: Box<Board>) -> Result<(Vec<Tile>, Solution)> {
        let metric = self.boards.metric;
        let (prober, bounds) = (self.boards.options.prober(global), self.boards.options.bounds());
        let mut session = prober.session();
        let answer = session.solve(&board, metric, bounds)?;
        let (Some(distance), Some(moves)) = (answer.distance.known(), answer.solution) else {
            return Err(Failure::failed(
                "the board is unsolvable, so it has no solution to draw; without --solution it is drawn alone",
            ));
        };
        let told = self.boards.sentence(&mut session, &board, (answer.distance, answer.source))?;
        Ok((
            sheet::solution(&board, &moves)?,
            Solution { metric, distance, source: answer.source, board, told },
        ))
    }

    /// Writes a PDF.
    fn document<'s>(&self, pages: &[Page], solution: Option<&'s Solution>) -> Result<Written<'s>> {
        let paper = self.paper.unwrap_or(pdf::Paper::A4);
        let drawings: Vec<&str> = pages.iter().map(|page| page.drawing.svg.as_str()).collect();
        let title = self.title.as_deref().unwrap_or("Rush Hour");
        write_whole(&self.output, &pdf::document(title, &drawings, Some(paper))?)?;
        let (width, height) = paper.size();
        Ok(Written {
            file: self.output.display().to_string(),
            format: Format::Pdf,
            width: width.round() as u32,
            height: height.round() as u32,
            boards: pages.iter().map(|page| page.boards).sum(),
            pages: pages.len(),
            solution,
        })
    }

    /// Writes a picture, or one for each page.
    fn pictures<'s>(
        &self,
        format: Format,
        pages: &[Page],
        solution: Option<&'s Solution>,
    ) -> Result<Vec<Written<'s>>> {
        let digits = pages.len().to_string().len();
        let done = AtomicU64::new(0);
        let write = |watch: &Watch, index: usize, page: &Page| {
            if watch.wants_stop() {
                return Err(Failure::interrupted());
            }
            let number = format!("{:0digits$}", index + 1);
            let path = PathBuf::from(self.output.to_string_lossy().replace(NUMBER, &number));
            let scale = self.scale(format, &page.drawing);
            picture::write(format, &path, &page.drawing.svg, scale)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch.advanced(Progress { unit: "pictures", done, before: 0, total: Some(pages.len() as u64) });
            let pixels = |side: u32| (side as f32 * scale).round() as u32;
            let [width, height] = [page.drawing.width, page.drawing.height].map(pixels);
            let file = path.display().to_string();
            Ok(Written { file, format, width, height, boards: page.boards, pages: 1, solution })
        };
        Watch::over(|watch| {
            pages.par_iter().enumerate().map(|(index, page)| write(watch, index, page)).collect()
        })
    }
}

impl Caption {
    fn of(
        self,
        number: usize,
        name: &str,
        board: &Board,
        session: &mut Session,
        bounds: Bounds,
    ) -> Result<String> {
        let mut distance = |metric| -> Result<String> {
            let (distance, _) = session.distance(board, metric, bounds)?;
            Ok(distance.known().map_or("unsolvable".to_owned(), |known| output::counted(known, metric)))
        };
        Ok(match self {
            Caption::Number => format!("{number}."),
            Caption::Name => name.to_owned(),
            Caption::Moves => distance(Metric::Moves)?,
            Caption::Steps => distance(Metric::Steps)?,
            Caption::Id => session.rank(board)?.map_or("no id".to_owned(), |rank| format!("id {}", rank.0)),
        })
    }
}

fn in_words(written: &Written) -> String {
    let Written { file, width, height, boards, pages, .. } = written;
    let boards = if *boards == 1 { "1 board".to_owned() } else { format!("{boards} boards") };
    let mut text = match written.format {
        Format::Pdf if *pages == 1 => format!("{file}: {boards} on 1 page\n"),
        Format::Pdf => format!("{file}: {boards}, {pages} pages\n"),
        Format::Png => format!("{file}: {boards}, {width}×{height} pixels\n"),
        Format::Svg => format!("{file}: {boards}, {width}×{height}\n"),
    };
    text.extend(written.solution.map(|solution| solution.told.as_str()));
    text
}
