//! Many boards on one page, for instance those of a solution.

use std::f64::consts::SQRT_2;

use super::font::{self, CAPITAL, LEADING};
use super::pen::{EXIT, FRAME, Pen};
use super::svg::{Drawing, Num, escape};
use crate::board::{Board, MIN_SIZE, Move, MoveError};

/// Units a cell.
const CELL: f64 = 24.0;
/// Around the boards.
const MARGIN: f64 = 44.0;
/// Between the cells of one board and those of the next in a row: their
/// frames, an arrow, and as much again as the arrow takes.
const GAP: f64 = 2.0 * (FRAME + EXIT) * CELL;
/// Above the cells of a board: its frame and its caption.
const HEAD: f64 = 26.0;
/// Under the cells of a board.
const FOOT: f64 = 26.0;
const CAPTION_SIZE: f64 = 15.0;
const NOTE_SIZE: f64 = 11.0;
/// The size of a title's letters, less on a narrow page.
const TITLE_SIZE: f64 = 30.0;
/// Between the title and the boards.
const TITLE_FOOT: f64 = 18.0;

/// One board of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// The board.
    pub board: Board,
    /// Above the board: a word or two.
    pub caption: String,
    /// Under the board, in small letters; may be empty.
    pub note: String,
    /// The move that led to the board, to be shown on it.
    pub moved: Option<Move>,
}

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Above everything, on as many lines as it needs; may be empty.
    pub title: String,
    /// The boards, row by row.
    pub tiles: Vec<Tile>,
    /// For how many boards there is room at least, so that all pages of a book are
    /// alike.
    pub room: usize,
    /// Do vehicles bear their letters?
    pub letters: bool,
}

impl Sheet {
    /// The sheet as an SVG document, about as high and wide as common paper,
    /// upright or not.
    ///
    /// ```
    /// use tailback::board::{Board, Metric};
    /// use tailback::cluster::Bounds;
    /// use tailback::probe::Prober;
    /// use tailback::render::sheet::{Sheet, solution};
    ///
    /// let board = Board::parse(
    ///     "..B.
    ///      AAB.
    ///      ....
    ///      ....",
    /// )?;
    /// let answer = Prober::without_tables().session().solve(&board, Metric::Moves, Bounds::default())?;
    /// let tiles = solution(&board, &answer.solution.unwrap())?;
    /// let captions: Vec<&str> = tiles.iter().map(|tile| tile.caption.as_str()).collect();
    /// assert_eq!(captions, ["start", "1. B+2", "2. A+2"]);
    ///
    /// let sheet = Sheet { title: "2 moves".into(), tiles, room: 0, letters: true }.draw();
    /// assert_eq!(sheet.svg.matches("class=\"B\"").count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw(&self) -> Drawing {
        let columns = self.columns();
        let (width, mut height) = self.extent(columns);
        let mut svg = String::new();

        // Frames, captions and the title begin at the same line.
        let left = MARGIN - FRAME * CELL;
        let (lines, size) = font::wrapped(
            &self.title,
            (width / 30.0).clamp(0.6 * TITLE_SIZE, TITLE_SIZE),
            width - 2.0 * left,
        );
        let mut top = MARGIN;
        for line in &lines {
            text(&mut svg, (left, top + CAPITAL * size), size, line);
            top += LEADING * size;
        }
        if !lines.is_empty() {
            top += TITLE_FOOT;
        }
        height += top - MARGIN;

        let pen = Pen { cell: CELL, letters: self.letters };
        let side = self.side();
        for (index, tile) in self.tiles.iter().enumerate() {
            let x = MARGIN + (index % columns) as f64 * (side + GAP);
            let y = top + (index / columns) as f64 * (HEAD + side + FOOT) + HEAD;
            text(&mut svg, (x - FRAME * CELL, y - 0.7 * CAPTION_SIZE), CAPTION_SIZE, &tile.caption);
            pen.board(&mut svg, (x, y), &tile.board, tile.moved);
            let under = y + (tile.board.size() as f64 + FRAME) * CELL;
            if !tile.note.is_empty() {
                text(&mut svg, (x - FRAME * CELL, under + 1.2 * NOTE_SIZE), NOTE_SIZE, &tile.note);
            }
        }
        Drawing::new(width, height, &svg)
    }

    /// The cells of the largest board, in units.
    fn side(&self) -> f64 {
        self.tiles.iter().map(|tile| tile.board.size()).max().unwrap_or(MIN_SIZE) as f64 * CELL
    }

    fn places(&self) -> usize {
        self.tiles.len().max(self.room)
    }

    /// Width and height without a title.
    fn extent(&self, columns: usize) -> (f64, f64) {
        let rows = self.places().div_ceil(columns);
        (
            columns as f64 * (self.side() + GAP) - GAP + 2.0 * MARGIN,
            rows as f64 * (HEAD + self.side() + FOOT) - FOOT + 2.0 * MARGIN,
        )
    }

    /// The number of columns that makes the boards largest on paper; of equals
    /// rather upright and with few empty places.
    fn columns(&self) -> usize {
        let count = self.places();
        let badness = |columns: usize| {
            let (width, height) = self.extent(columns);
            // A title mostly has one line.
            let height = height + if self.title.is_empty() { 0.0 } else { TITLE_SIZE + TITLE_FOOT };
            // How wide upright paper has to be, and how high paper across.
            let upright = width.max(height / SQRT_2);
            let across = height.max(width / SQRT_2);
            let empty = columns * count.div_ceil(columns) - count;
            upright.min(1.05 * across) * (1.0 + 0.25 * empty as f64 / count as f64)
        };
        (1..=count).min_by(|&a, &b| badness(a).total_cmp(&badness(b))).unwrap_or(1)
    }
}

/// The boards of a solution: the first, then one after each move.
pub fn solution(board: &Board, moves: &[Move]) -> Result<Vec<Tile>, MoveError> {
    let mut tiles =
        vec![Tile { board: board.clone(), caption: "start".into(), note: String::new(), moved: None }];
    let mut board = board.clone();
    for (index, &mv) in moves.iter().enumerate() {
        board = board.apply(mv)?;
        let caption = format!("{}. {}", index + 1, board.notation(mv));
        tiles.push(Tile { board: board.clone(), caption, note: String::new(), moved: Some(mv) });
    }
    Ok(tiles)
}

/// Lines of answers on pages: what each is to, and the answer.
pub fn answers(title: &str, answers: &[(String, String)]) -> Vec<Drawing> {
    // About the size of common paper, in units.
    const WIDTH: f64 = 1000.0;
    const HEIGHT: f64 = 1414.0;
    const SIZE: f64 = 15.0;
    const COLUMN: f64 = 50.0;
    let (left, right) = (MARGIN + COLUMN, WIDTH - MARGIN);
    let head = MARGIN + TITLE_SIZE + TITLE_FOOT;
    let mut pages = Vec::new();
    let mut svg = String::new();
    let mut y = head;
    let end = |svg: &mut String| {
        let mut page = String::new();
        text(&mut page, (MARGIN, MARGIN + CAPITAL * TITLE_SIZE), TITLE_SIZE, title);
        Drawing::new(WIDTH, HEIGHT, &(page + &std::mem::take(svg)))
    };
    for (name, answer) in answers {
        let (lines, size) = font::wrapped(answer, SIZE, right - left);
        let height = lines.len() as f64 * LEADING * size;
        if y + height > HEIGHT - MARGIN && y > head {
            pages.push(end(&mut svg));
            y = head;
        }
        text(&mut svg, (MARGIN, y + size), SIZE, name);
        for line in &lines {
            text(&mut svg, (left, y + size), size, line);
            y += LEADING * size;
        }
        y += 0.4 * SIZE;
    }
    if !svg.is_empty() {
        pages.push(end(&mut svg));
    }
    pages
}

fn text(svg: &mut String, (x, y): (f64, f64), size: f64, text: &str) {
    let (x, y, size) = (Num(x), Num(y), Num(size));
    *svg += &format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>\n", escape(text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::picture::Picture;
    use crate::render::png;

    /// Nothing is clipped: neither shapes nor text stick out of the page, and
    /// captions end before the next board begins.
    #[test]
    fn everything_is_on_the_page() {
        let board = |size: usize, row: usize| {
            let cells: String = (0..size)
                .map(|r| if r == row { "AA" } else { ".." }.to_owned() + &"x".repeat(size - 2))
                .collect();
            Board::parse(&cells).unwrap()
        };
        let titles = [
            "",
            "51 moves",
            "A title of quite a lot of words that take more than one line",
            "Donaudampfschifffahrtsgesellschaftskapitän",
        ];
        for title in titles {
            for (size, row) in [(4, 0), (4, 3), (8, 0), (8, 7)] {
                let board = board(size, row);
                let tile = Tile {
                    board: board.clone(),
                    caption: "100. W+6".into(),
                    note: "id 40000000000".into(),
                    moved: None,
                };
                let mut drawings = vec![Picture { board: &board, title: title.into(), letters: true }.draw()];
                for count in [1, 2, 52] {
                    let tiles = vec![tile.clone(); count];
                    drawings.push(Sheet { title: title.into(), tiles, room: 0, letters: true }.draw());
                }
                for drawing in drawings {
                    let tree = png::tree(&drawing.svg).unwrap();
                    let all = tree.root().abs_stroke_bounding_box();
                    let page = (0.0, 0.0, drawing.width as f32, drawing.height as f32);
                    assert_eq!((all.left(), all.top(), all.right(), all.bottom()), page, "{title}");
                }
            }
        }
        let (_, size) = font::wrapped("1000.-W+6", CAPTION_SIZE, MIN_SIZE as f64 * CELL + GAP);
        assert_eq!(size, CAPTION_SIZE);
    }
}
