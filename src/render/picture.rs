//! One board as a picture, good enough to print.

use super::font::{self, LEADING};
use super::pen::Pen;
use super::svg::{Drawing, Num, escape};
use crate::board::Board;

/// Units a cell.
const CELL: f64 = 60.0;
/// Around the cells, with the frame and the arrow of the exit in it.
const MARGIN: f64 = 54.0;
/// Beside the title.
const TITLE_MARGIN: f64 = 30.0;
const TITLE_SIZE: f64 = 26.0;

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture<'a> {
    /// The board.
    pub board: &'a Board,
    /// Under the board, on as many lines as it needs; may be empty.
    pub title: String,
    /// Do vehicles bear their letters?
    pub letters: bool,
}

impl Picture<'_> {
    /// The picture as an SVG document. Every vehicle and every wall bears its
    /// letter in the board's text form as its class.
    ///
    /// ```
    /// use tailback::board::Board;
    /// use tailback::render::picture::Picture;
    ///
    /// let board = Board::parse(
    ///     "..B.
    ///      AAB.
    ///      .x..
    ///      ....",
    /// )?;
    /// let picture = Picture { board: &board, title: "2 moves".into(), letters: true }.draw();
    /// assert!(picture.svg.starts_with("<svg ") && picture.svg.ends_with("</svg>\n"));
    /// for class in ["A", "B", "x"] {
    ///     assert_eq!(picture.svg.matches(&format!("class=\"{class}\"")).count(), 1);
    /// }
    /// # Ok::<(), tailback::board::BoardError>(())
    /// ```
    pub fn draw(&self) -> Drawing {
        let side = self.board.size() as f64 * CELL + 2.0 * MARGIN;
        let mut svg = String::new();
        Pen { cell: CELL, letters: self.letters }.board(&mut svg, (MARGIN, MARGIN), self.board, None);

        let (lines, size) = font::wrapped(&self.title, TITLE_SIZE, side - 2.0 * TITLE_MARGIN);
        let mut height = side;
        for line in &lines {
            let (x, y, size) = (Num(side / 2.0), Num(height), Num(size));
            svg += &format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"middle\">{}</text>\n",
                escape(line)
            );
            height += size.0 * LEADING;
        }
        Drawing::new(side, height, &svg)
    }
}
