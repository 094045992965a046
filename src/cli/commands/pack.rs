//! `tailback pack`: a graded set of puzzles, ready for an app or for print.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;
use tailback::board::{Board, Metric};
use tailback::catalogue::{Catalogue, Column, Contents, Level, Pack as Wanted};
use tailback::files::Staged;
use tailback::lists::line;
use tailback::progress::{Observer, Progress};
use tailback::render::pages;
use tailback::render::pdf;
use tailback::render::picture::Picture;
use tailback::render::sheet::{self, Tile};
use tailback::render::svg::{Drawing, escape};

use crate::cli::shared::options::{self, PAPERS};
use crate::cli::shared::picture::{Format, SCALE};
use crate::cli::shared::{Failure, Filters, Global, Result, Watch, filters, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback pack --levels 200 --tiers 5 --out pack
  tailback pack --levels 50 --moves 10..30 --vehicles ..10 --out short
  tailback pack --levels 100 --paper letter --title 'Gridlock' --out print

The folder gets pack.json and pack.csv (level, tier, board, moves, solution, …), a
picture of each level, index.html with all of them, and pack.pdf: boards first,
answers at the end. Levels have 3 moves or more, unless --moves says otherwise. The
same options and seed give the same pack.

";

/// Boards on a page of the PDF.
const A_PAGE: usize = 6;
/// The moves of levels, unless somebody says otherwise.
const FROM: &str = "3..";

/// Make a graded set of puzzles: data, pictures, solutions, a page and a PDF
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}{}", filters::HELP))]
pub struct Pack {
    /// How many levels
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=5000))]
    levels: u16,
    /// In how many tiers they come
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    tiers: u16,
    /// The folder to make
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// How many vehicles two levels differ by at the least, less one; 0 forbids the same family only
    #[arg(long, value_name = "N", default_value_t = 1)]
    distinct: u32,
    /// Which of many equally hard puzzles are taken
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// What the pack is called
    #[arg(long, value_name = "TEXT", default_value = "Rush Hour")]
    title: String,
    /// The paper of the PDF
    #[arg(long, default_value = "a4", value_parser = options::one_of(PAPERS))]
    paper: pdf::Paper,
    /// Pictures as SVG or PNG
    #[arg(long, value_enum, default_value = "png")]
    pictures: PictureName,
    #[command(flatten)]
    filters: Filters,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PictureName {
    Svg,
    Png,
}

/// pack.json, and what the command tells.
#[derive(Serialize)]
struct Told {
    title: String,
    catalogue: Contents,
    size: usize,
    seed: u64,
    tiers: usize,
    files: Vec<String>,
    levels: Vec<ToldLevel>,
}

#[derive(Serialize)]
struct ToldLevel {
    level: usize,
    tier: usize,
    id: u64,
    board: String,
    moves: u64,
    steps: u64,
    vehicles: u64,
    solution: Vec<String>,
    picture: String,
}

impl Pack {
    pub fn run(&self, global: &Global) -> Result<()> {
        if self.out.exists() {
            let told = format!("{} is there already: name a new folder", self.out.display());
            return Err(Failure::misused(told));
        }
        Failure::refuse([(
            !pages::is_drawable(&self.title),
            "a PDF has Latin letters only: choose another --title",
        )])?;
        let (catalogue, mut query) = self.filters.ask(global)?;
        if !query.ranges.iter().any(|(column, _)| *column == Column::Moves) {
            // A board that solves itself is no level.
            query.ranges.push((Column::Moves, FROM.parse().expect("it is a range")));
        }
        let wanted = Wanted {
            levels: usize::from(self.levels),
            tiers: usize::from(self.tiers),
            degree: self.distinct,
            seed: self.seed,
        };
        let levels = catalogue.pack(&query, &wanted)?;
        if levels.len() < wanted.levels {
            let found = levels.len();
            return Err(Failure::misused(format!("only {found} puzzles match that are not alike")).advise(
                format!("ask for {found} levels, for other puzzles, or for less difference (--distinct 0)"),
            ));
        }
        let told = self.told(&catalogue, &levels)?;
        self.write(&told)?;
        Ok(output::tell(global, &told, || self.in_words(&told))?)
    }

    fn told(&self, catalogue: &Catalogue, levels: &[Level]) -> Result<Told> {
        let ending = if self.pictures == PictureName::Svg { "svg" } else { "png" };
        let level = |level: &Level| ToldLevel {
            level: level.number,
            tier: level.tier,
            id: level.puzzle.id(),
            board: level.puzzle.board().to_owned(),
            moves: level.puzzle.moves().into(),
            steps: level.puzzle.steps().into(),
            vehicles: level.puzzle.number(Column::Vehicles),
            solution: level.puzzle.solution().split_whitespace().map(str::to_owned).collect(),
            picture: format!("level-{:03}.{ending}", level.number),
        };
        let levels: Vec<ToldLevel> = levels.iter().map(level).collect();
        let plain = ["pack.json", "pack.csv", "index.html", "pack.pdf"].map(str::to_owned);
        Ok(Told {
            title: self.title.clone(),
            catalogue: catalogue.contents(),
            size: catalogue.size(),
            seed: self.seed,
            tiers: levels.last().map_or(0, |level| level.tier),
            files: plain.into_iter().chain(levels.iter().map(|level| level.picture.clone())).collect(),
            levels,
        })
    }

    /// All files, in a folder that has its name when they are there.
    fn write(&self, told: &Told) -> Result<()> {
        interrupt::listen("stopping, and leaving nothing behind; once more to stop at once")?;
        let cannot = |error: std::io::Error| {
            Failure::of(&error).about(format_args!("cannot make {}", self.out.display()))
        };
        let folder = Staged::folder(&self.out).map_err(cannot)?;
        Watch::over(|watch| self.write_into(&folder, told, watch))?;
        folder.commit().map_err(cannot)
    }

    fn write_into(&self, folder: &Staged, told: &Told, watch: &Watch) -> Result<()> {
        let add = |name: &str, bytes: &[u8]| {
            folder.add(name, bytes).map_err(|error| {
                Failure::of(&error).about(format_args!("cannot write {}", self.out.join(name).display()))
            })
        };
        add("pack.json", (output::to_json(told) + "\n").as_bytes())?;
        add("pack.csv", csv(told).as_bytes())?;
        add("index.html", page(told).as_bytes())?;
        let format = if self.pictures == PictureName::Svg { Format::Svg } else { Format::Png };
        let (done, total) = (AtomicU64::new(0), Some(told.levels.len() as u64));
        told.levels.par_iter().try_for_each(|level| {
            if watch.wants_stop() {
                return Err(Failure::interrupted());
            }
            let board = Board::parse(&level.board)?;
            let drawing = Picture { board: &board, title: String::new(), letters: true }.draw();
            add(&level.picture, &format.bytes(&drawing.svg, SCALE)?)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch.advanced(Progress { unit: "levels", done, before: 0, total });
            Ok(())
        })?;
        let drawings = pages(told)?;
        let drawings: Vec<&str> = drawings.iter().map(|drawing| drawing.svg.as_str()).collect();
        let pdf = pdf::document(&self.title, &drawings, Some(self.paper))?;
        add("pack.pdf", &pdf)
    }

    fn in_words(&self, told: &Told) -> String {
        let (Some(first), Some(last)) = (told.levels.first(), told.levels.last()) else {
            return String::new();
        };
        format!(
            "{}: {} levels in {} tiers, from {} to {} moves; open {}\n",
            self.out.display(),
            told.levels.len(),
            told.tiers,
            first.moves,
            last.moves,
            self.out.join("index.html").display()
        )
    }
}

/// One line for each level.
fn csv(told: &Told) -> String {
    let mut text = String::from("level,tier,id,board,moves,steps,vehicles,solution,picture,catalogue\n");
    for level in &told.levels {
        let ToldLevel { level, tier, id, board, moves, steps, vehicles, solution, picture } = level;
        let (solution, catalogue) = (solution.join(" "), told.catalogue.name());
        let values: [&dyn Display; 10] =
            [level, tier, id, board, moves, steps, vehicles, &solution, picture, &catalogue];
        text += &(line(',', values.map(|value| value.to_string())) + "\n");
    }
    text
}

/// The pages of the PDF: the boards of each tier, then the answers.
fn pages(told: &Told) -> Result<Vec<Drawing>> {
    let mut pages = Vec::new();
    for tier in 1..=told.tiers {
        let levels: Vec<&ToldLevel> = told.levels.iter().filter(|level| level.tier == tier).collect();
        let tile = |level: &&ToldLevel| {
            Ok(Tile {
                board: Board::parse(&level.board)?,
                caption: format!("{}. {}", level.level, output::counted(level.moves as u32, Metric::Moves)),
                note: format!("id {}", level.id),
                moved: None,
            })
        };
        let tiles = levels.iter().map(tile).collect::<Result<Vec<Tile>>>()?;
        let title = format!("{}, tier {tier}", told.title);
        pages.extend(pages::of_tiles(&title, &tiles, A_PAGE, true).into_iter().map(|page| page.drawing));
    }
    let answers: Vec<(String, String)> =
        told.levels.iter().map(|level| (format!("{}.", level.level), level.solution.join(" "))).collect();
    pages.extend(sheet::answers("Answers", &answers));
    Ok(pages)
}

/// A page with all pictures.
fn page(told: &Told) -> String {
    let title = escape(&told.title);
    let mut body = String::new();
    for tier in 1..=told.tiers {
        body += &format!("<h2>Tier {tier}</h2>\n<div class=\"levels\">\n");
        for level in told.levels.iter().filter(|level| level.tier == tier) {
            let ToldLevel { level, moves, id, picture, solution, .. } = level;
            body += &format!(
                "<figure><img src=\"{picture}\" alt=\"Level {level}, {moves} moves\" loading=\"lazy\">\
                 <figcaption>{level}. {moves} moves <small>id {id}</small>\
                 <details><summary>solution</summary>{}</details></figcaption></figure>\n",
                solution.join(" ")
            );
        }
        body += "</div>\n";
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<style>\n{}</style>\n<h1>{title}</h1>\n\
         <p>{} levels in {} tiers. <a href=\"pack.pdf\">PDF</a>, <a href=\"pack.json\">JSON</a>, \
         <a href=\"pack.csv\">CSV</a>.</p>\n{body}</html>\n",
        include_str!("pack.css"),
        told.levels.len(),
        told.tiers
    )
}
