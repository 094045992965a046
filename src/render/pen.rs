//! Draws a board into an SVG document: what a picture and a sheet share.
//!
//! All lengths are in cells, from the corner of the first cell, until they are
//! written.

use super::colour::{Colour, INK, RED, WHITE};
use super::font::CAPITAL;
use super::svg::Num;
use crate::board::{Axis, Board, Move, Square, Vehicle};

/// The width of the frame around the cells.
pub(super) const FRAME: f64 = 0.16;
/// What stands out of the frame on the right: a gap, and the arrow of the exit.
pub(super) const EXIT: f64 = 0.56;
/// Between a vehicle and the edge of its cells.
const INSET: f64 = 0.07;
/// Half the width of an arrow's head.
const HEAD: f64 = 0.2;
/// The size of a vehicle's letter.
const LETTER: f64 = 0.46;

/// Left, top, width, height.
type Area = [f64; 4];

/// How a board is drawn.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    /// Units a cell.
    pub cell: f64,
    /// Do vehicles bear their letters?
    pub letters: bool,
}

impl Pen {
    /// A board with its first cell at `x`, `y`, in units. The move that led to
    /// it is shown: its vehicle, where it came from, which way.
    ///
    /// The text form of the board goes with it as a description, and every
    /// shape that covers cells bears its letter in the text form as its class.
    pub fn board(self, svg: &mut String, (x, y): (f64, f64), board: &Board, moved: Option<Move>) {
        *svg +=
            &format!("<g transform=\"translate({} {})\">\n<desc>{}</desc>\n", Num(x), Num(y), board.text());
        self.floor(svg, board);
        self.walls(svg, board);
        self.frame(svg, board);
        if let Some(mv) = moved {
            self.trail(svg, board, mv);
        }
        *svg += &format!("<g font-size=\"{}\" text-anchor=\"middle\">\n", self.at(LETTER));
        for index in 0..board.vehicles().len() {
            let is_moved = moved.is_some_and(|mv| usize::from(mv.vehicle) == index);
            self.vehicle(svg, board, index, is_moved);
        }
        *svg += "</g>\n</g>\n";
    }

    /// A length in units.
    fn at(self, cells: f64) -> Num {
        Num(cells * self.cell)
    }

    /// The ground, which goes on through the exit, and the lines between cells.
    fn floor(self, svg: &mut String, board: &Board) {
        let row = f64::from(board.primary().line);
        let (side, top, bottom) = (self.at(board.size() as f64), self.at(row), self.at(row + 1.0));
        *svg += &format!(
            "<path d=\"M0 0H{side}V{top}h{}V{bottom}H{side}V{side}H0z\" fill=\"{}\"/>\n",
            self.at(FRAME),
            WHITE.mixed(INK, 0.05),
        );
        let lines: String = (1..board.size())
            .map(|line| self.at(line as f64))
            .map(|line| format!("M{line} 0V{side}M0 {line}H{side}"))
            .collect();
        let (colour, weight) = (WHITE.mixed(INK, 0.16), self.at(0.022));
        *svg += &format!("<path d=\"{lines}\" stroke=\"{colour}\" stroke-width=\"{weight}\"/>\n");
    }

    /// Dark blocks, hatched, so that none is taken for a vehicle.
    fn walls(self, svg: &mut String, board: &Board) {
        const EDGE: f64 = 0.03;
        const HATCH: f64 = 0.06;
        let size = board.size();
        let walls = (0..size * size).map(Square::new).filter(|square| board.walls() & square.bit() != 0);
        for square in walls {
            let (col, row) = (square.col(size) as f64, square.row(size) as f64);
            let [x, y, side] = [col + EDGE, row + EDGE, 1.0 - 2.0 * EDGE].map(|n| self.at(n));
            let fill = INK.mixed(WHITE, 0.25);
            *svg += &format!(
                "<rect class=\"x\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\"/>\n"
            );
            // On a rising line x + y is the same everywhere.
            let hatch: String = (1..6)
                .map(|line| 2.0 * HATCH + f64::from(line) * (1.0 - 2.0 * HATCH) / 3.0)
                .map(|sum| {
                    let (low, high) = ((sum - 1.0 + HATCH).max(HATCH), (sum - HATCH).min(1.0 - HATCH));
                    let [x1, y1, x2, y2] =
                        [col + low, row + sum - low, col + high, row + sum - high].map(|n| self.at(n));
                    format!("M{x1} {y1}L{x2} {y2}")
                })
                .collect();
            let (colour, weight) = (INK.mixed(WHITE, 0.45), self.at(0.05));
            *svg += &format!("<path d=\"{hatch}\" stroke=\"{colour}\" stroke-width=\"{weight}\"/>\n");
        }
    }

    /// A frame that is open where the primary leaves it, and an arrow there.
    fn frame(self, svg: &mut String, board: &Board) {
        let size = board.size() as f64;
        let row = f64::from(board.primary().line);
        let [near, far, top, bottom] = [-FRAME / 2.0, size + FRAME / 2.0, row, row + 1.0].map(|n| self.at(n));
        *svg += &format!(
            "<path d=\"M{far} {top}V{near}H{near}V{far}H{far}V{bottom}\" fill=\"none\" stroke=\"{INK}\" \
             stroke-width=\"{}\" stroke-linejoin=\"round\"/>\n",
            self.at(FRAME),
        );
        let outside = size + FRAME;
        self.arrow(svg, (outside + 0.08, row + 0.5), (outside + EXIT, row + 0.5), RED);
    }

    /// Where a vehicle was before its move, and an arrow from there.
    fn trail(self, svg: &mut String, board: &Board, mv: Move) {
        let index = usize::from(mv.vehicle);
        let after = board.vehicles()[index];
        let before = Vehicle { start: after.start.wrapping_add_signed(-mv.delta), ..after };
        let colour = Colour::of(board, index);
        let edge = format!(
            "stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{} {}\"",
            colour.mixed(INK, 0.25),
            self.at(0.045),
            self.at(0.14),
            self.at(0.11),
        );
        self.block(svg, &before, WHITE.mixed(colour, 0.25), &edge);

        // The end that follows moves over free ground all the way.
        let (from, to) = if mv.delta > 0 {
            (f64::from(before.start) + 0.25, f64::from(after.start) - 0.02)
        } else {
            (f64::from(before.end()) - 0.25, f64::from(after.end()) + 0.02)
        };
        let line = f64::from(after.line) + 0.5;
        let point = |along| match after.axis {
            Axis::Horizontal => (along, line),
            Axis::Vertical => (line, along),
        };
        self.arrow(svg, point(from), point(to), colour.mixed(INK, 0.45));
    }

    fn vehicle(self, svg: &mut String, board: &Board, index: usize, is_moved: bool) {
        let vehicle = &board.vehicles()[index];
        let letter = vehicle.letter;
        let fill = Colour::of(board, index);
        let (edge, weight) = if is_moved { (INK, 0.09) } else { (fill.mixed(INK, 0.35), 0.035) };
        let weight = self.at(weight);
        let more = format!("class=\"{letter}\" stroke=\"{edge}\" stroke-width=\"{weight}\"");
        self.block(svg, vehicle, fill, &more);
        if self.letters {
            let [left, top, width, height] = area(vehicle);
            let (x, y) = (left + width / 2.0, top + height / 2.0 + LETTER * CAPITAL / 2.0);
            let (x, y, colour) = (self.at(x), self.at(y), fill.letter());
            *svg += &format!("<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{letter}</text>\n");
        }
    }

    /// A rounded block on the cells of a vehicle.
    fn block(self, svg: &mut String, vehicle: &Vehicle, fill: Colour, more: &str) {
        let [x, y, width, height] = area(vehicle).map(|n| self.at(n));
        let round = self.at(0.2);
        *svg += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\" fill=\"{fill}\" {more}/>\n"
        );
    }

    /// An arrow along a row or a column.
    fn arrow(self, svg: &mut String, from: (f64, f64), to: (f64, f64), colour: Colour) {
        let length = (to.0 - from.0).abs().max((to.1 - from.1).abs());
        let (dx, dy) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let (stem, neck) = (0.36 * HEAD, length - 1.3 * HEAD);
        // Along the way and across it.
        let outline = [
            (0.0, -stem),
            (neck, -stem),
            (neck, -HEAD),
            (length, 0.0),
            (neck, HEAD),
            (neck, stem),
            (0.0, stem),
        ];
        let points = outline.map(|(along, across)| {
            let (x, y) = (from.0 + along * dx - across * dy, from.1 + along * dy + across * dx);
            format!("{},{}", self.at(x), self.at(y))
        });
        *svg += &format!(
            "<polygon points=\"{}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"{}\" \
             stroke-linejoin=\"round\"/>\n",
            points.join(" "),
            self.at(0.04),
        );
    }
}

/// What a vehicle covers.
fn area(vehicle: &Vehicle) -> Area {
    let (line, start) = (f64::from(vehicle.line) + INSET, f64::from(vehicle.start) + INSET);
    let (width, length) = (1.0 - 2.0 * INSET, f64::from(vehicle.len) - 2.0 * INSET);
    match vehicle.axis {
        Axis::Horizontal => [start, line, length, width],
        Axis::Vertical => [line, start, width, length],
    }
}
