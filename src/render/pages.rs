//! Boards on pages, for print.

use super::font;
use super::picture::Picture;
use super::sheet::{Sheet, Tile};
use super::svg::Drawing;

/// A page, and how many boards are on it.
pub struct Page {
    /// What is on it.
    pub drawing: Drawing,
    /// How many boards.
    pub boards: usize,
}

/// Do PNG and PDF have all letters of a text?
pub fn is_drawable(text: &str) -> bool {
    text.chars().all(|c| font::has(c) || c.is_whitespace())
}

/// Boards on pages, so many on each. One alone is drawn large.
pub fn of_tiles(title: &str, tiles: &[Tile], a_page: usize, letters: bool) -> Vec<Page> {
    let count = tiles.len().div_ceil(a_page);
    let page = |(index, tiles): (usize, &[Tile])| {
        let drawing = match (tiles, a_page) {
            ([tile], 1) => {
                let title = [title, &tile.caption].map(str::to_owned);
                let title = title.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
                Picture { board: &tile.board, title, letters }.draw()
            }
            _ => {
                let title = match count {
                    1 => title.to_owned(),
                    _ if title.is_empty() => format!("Page {} of {count}", index + 1),
                    _ => format!("{title}, page {} of {count}", index + 1),
                };
                let room = if count > 1 { a_page } else { 0 };
                Sheet { title, tiles: tiles.to_vec(), room, letters }.draw()
            }
        };
        Page { drawing, boards: tiles.len() }
    };
    tiles.chunks(a_page).enumerate().map(page).collect()
}
