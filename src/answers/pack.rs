//! A pack of puzzles as a folder: data, a picture of each level, a page and a PDF.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use crate::board::{Board, BoardError};
use crate::catalogue::{Catalogue, Column, Contents, Level};
use crate::files::Staged;
use crate::lists::line;
use crate::progress::{Observer, Progress};
use crate::render::pdf::{self, Paper};
use crate::render::picture::Picture;
use crate::render::png::PngError;
use crate::render::sheet::{self, Tile};
use crate::render::svg::{Drawing, escape};
use crate::render::{Format, SCALE, pages};

/// Boards on a page of the PDF.
const A_PAGE: usize = 6;

/// What stands in `pack.json`.
#[derive(Debug, Serialize)]
pub struct PackFolder {
    title: String,
    catalogue: Contents,
    size: usize,
    seed: u64,
    /// How many tiers there are.
    pub tiers: usize,
    files: Vec<String>,
    /// From the easiest on.
    pub levels: Vec<PackLevel>,
}

/// A level of a pack.
#[derive(Debug, Serialize)]
pub struct PackLevel {
    level: usize,
    tier: usize,
    id: u64,
    board: String,
    /// Its distance.
    pub moves: u64,
    steps: u64,
    vehicles: u64,
    solution: Vec<String>,
    picture: String,
}

/// Why there is no folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A file cannot be written.
    #[error("cannot write {}", .path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] PngError),
    /// A puzzle is no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Stopped,
}

impl PackFolder {
    /// Of levels of a catalogue.
    pub fn new(
        title: &str,
        catalogue: &Catalogue,
        seed: u64,
        levels: &[Level],
        pictures: Format,
    ) -> PackFolder {
        let ending = if pictures == Format::Svg { "svg" } else { "png" };
        let level = |level: &Level| PackLevel {
            level: level.number,
            tier: level.tier,
            id: level.puzzle.id(),
            board: level.puzzle.board_text().to_owned(),
            moves: level.puzzle.moves().into(),
            steps: level.puzzle.steps().into(),
            vehicles: level.puzzle.number(Column::Vehicles),
            solution: level.puzzle.solution().split_whitespace().map(str::to_owned).collect(),
            picture: format!("level-{:03}.{ending}", level.number),
        };
        let levels: Vec<PackLevel> = levels.iter().map(level).collect();
        let plain = ["pack.json", "pack.csv", "index.html", "pack.pdf"].map(str::to_owned);
        PackFolder {
            title: title.to_owned(),
            catalogue: catalogue.contents(),
            size: catalogue.size(),
            seed,
            tiers: levels.last().map_or(0, |level| level.tier),
            files: plain.into_iter().chain(levels.iter().map(|level| level.picture.clone())).collect(),
            levels,
        }
    }

    /// Writes all files, into a folder that has its name when they are there.
    pub fn write(
        &self,
        out: &Path,
        pictures: Format,
        paper: Paper,
        observer: &dyn Observer,
    ) -> Result<(), PackError> {
        let io = |path: PathBuf| move |source| PackError::Io { path, source };
        let folder = Staged::folder(out).map_err(io(out.to_owned()))?;
        let add = |name: &str, bytes: &[u8]| folder.add(name, bytes).map_err(io(out.join(name)));
        let json = serde_json::to_string(self).expect("a pack is plain data") + "\n";
        add("pack.json", json.as_bytes())?;
        add("pack.csv", csv(self).as_bytes())?;
        add("index.html", page(self).as_bytes())?;
        let (done, total) = (AtomicU64::new(0), Some(self.levels.len() as u64));
        self.levels.par_iter().try_for_each(|level| {
            if observer.wants_stop() {
                return Err(PackError::Stopped);
            }
            let board = Board::parse(&level.board)?;
            let drawing = Picture { board: &board, title: String::new(), letters: true }.draw();
            add(&level.picture, &pictures.bytes(&drawing.svg, SCALE)?)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            observer.advanced(Progress { unit: "levels", done, before: 0, total });
            Ok(())
        })?;
        let drawings = drawings(self)?;
        let drawings: Vec<&str> = drawings.iter().map(|drawing| drawing.svg.as_str()).collect();
        add("pack.pdf", &pdf::document(&self.title, &drawings, Some(paper))?)?;
        folder.commit().map_err(io(out.to_owned()))
    }
}

fn counted(moves: u64) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// One line for each level.
fn csv(pack: &PackFolder) -> String {
    let mut text = String::from("level,tier,id,board,moves,steps,vehicles,solution,picture,catalogue\n");
    for level in &pack.levels {
        let PackLevel { level, tier, id, board, moves, steps, vehicles, solution, picture } = level;
        let (solution, catalogue) = (solution.join(" "), pack.catalogue.name());
        let values: [&dyn Display; 10] =
            [level, tier, id, board, moves, steps, vehicles, &solution, picture, &catalogue];
        text += &(line(',', values.map(|value| value.to_string())) + "\n");
    }
    text
}

/// The pages of the PDF: the boards of each tier, then the answers.
fn drawings(pack: &PackFolder) -> Result<Vec<Drawing>, BoardError> {
    let mut pages = Vec::new();
    for tier in 1..=pack.tiers {
        let levels: Vec<&PackLevel> = pack.levels.iter().filter(|level| level.tier == tier).collect();
        let tile = |level: &&PackLevel| {
            Ok(Tile {
                board: Board::parse(&level.board)?,
                caption: format!("{}. {}", level.level, counted(level.moves)),
                note: format!("id {}", level.id),
                moved: None,
            })
        };
        let tiles = levels.iter().map(tile).collect::<Result<Vec<Tile>, BoardError>>()?;
        let title = format!("{}, tier {tier}", pack.title);
        pages.extend(pages::of_tiles(&title, &tiles, A_PAGE, true).into_iter().map(|page| page.drawing));
    }
    let answers: Vec<(String, String)> =
        pack.levels.iter().map(|level| (format!("{}.", level.level), level.solution.join(" "))).collect();
    pages.extend(sheet::answers("Answers", &answers));
    Ok(pages)
}

/// A page with all pictures.
fn page(pack: &PackFolder) -> String {
    let title = escape(&pack.title);
    let mut body = String::new();
    for tier in 1..=pack.tiers {
        body += &format!("<h2>Tier {tier}</h2>\n<div class=\"levels\">\n");
        for level in pack.levels.iter().filter(|level| level.tier == tier) {
            let PackLevel { level, moves, id, picture, solution, .. } = level;
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
        pack.levels.len(),
        pack.tiers
    )
}
