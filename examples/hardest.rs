//! The hardest puzzles as pictures: one page of them, and the way out of the
//! hardest.
//!
//! ```text
//! cargo run --release --example hardest -- pictures
//! ```
//!
//! The puzzles come from the starter catalogue, which is part of the library;
//! with `Catalogue::open` it may be a complete one.

use std::error::Error;
use std::path::PathBuf;

use tailback::board::Metric;
use tailback::catalogue::{Catalogue, Column, Query, Sort};
use tailback::cluster::Bounds;
use tailback::probe::Prober;
use tailback::render::png;
use tailback::render::sheet::{Sheet, Tile, solution};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or("pictures".to_owned()));
    std::fs::create_dir_all(&folder)?;

    let catalogue = Catalogue::starter()?;
    let hardest = Query { sort: vec![Sort::falling(Column::Moves)], limit: Some(12), ..Query::default() };
    let mut tiles = Vec::new();
    for puzzle in catalogue.select(&hardest)? {
        let puzzle = puzzle?;
        let caption = format!("{} moves", puzzle.moves());
        tiles.push(Tile { board: puzzle.board()?, caption, note: String::new(), moved: None });
    }
    let first = tiles[0].board.clone();
    let page = Sheet { title: "The hardest puzzles".to_owned(), tiles, room: 0, letters: false }.draw();
    std::fs::write(folder.join("hardest.svg"), &page.svg)?;
    std::fs::write(folder.join("hardest.png"), png::from_svg(&page.svg, 2.0)?)?;

    let answer = Prober::without_tables().session().solve(&first, Metric::Moves, Bounds::default())?;
    let tiles = solution(&first, &answer.solution.expect("puzzles can be solved"))?;
    let way = Sheet { title: format!("{} moves", tiles.len() - 1), tiles, room: 0, letters: true }.draw();
    std::fs::write(folder.join("way.svg"), &way.svg)?;
    println!("hardest.svg, hardest.png and way.svg are in {}", folder.display());
    Ok(())
}
