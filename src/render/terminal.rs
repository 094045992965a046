//! Boards and bars for a terminal.

use crate::board::{Board, Square};

/// Background colours of the vehicles (256-colour palette), by letter order.
const PALETTE: [u8; 12] = [75, 114, 179, 140, 73, 208, 110, 150, 181, 67, 186, 133];
const PRIMARY: &str = "\x1b[1;97;48;5;160m";
const WALL: &str = "\x1b[97;48;5;240m";
const FAINT: &str = "\x1b[38;5;244m";
const RESET: &str = "\x1b[0m";

/// Draws a board in a frame that is open where the primary leaves it. Every
/// line, the last one too, ends with a line break.
///
/// ```
/// use tailback::board::Board;
/// use tailback::render::terminal;
///
/// let board = Board::parse("..B. AAB. .x.. ....")?;
/// let drawing = "\
/// ┌─────────┐
/// │ . . B . │
/// │ A A B .  →
/// │ . x . . │
/// │ . . . . │
/// └─────────┘
/// ";
/// assert_eq!(terminal::board(&board, false), drawing);
/// # Ok::<(), tailback::board::BoardError>(())
/// ```
pub fn board(board: &Board, colour: bool) -> String {
    let size = board.size();
    let edge = "─".repeat(if colour { 3 * size } else { 2 * size + 1 });
    let mut out = format!("┌{edge}┐\n");
    for row in 0..size {
        out.push('│');
        for col in 0..size {
            out.push_str(&cell(board, Square::at(row, col, size), colour));
        }
        if !colour {
            out.push(' ');
        }
        out.push_str(if row == usize::from(board.primary().line) { " →\n" } else { "│\n" });
    }
    out + &format!("└{edge}┘\n")
}

fn cell(board: &Board, square: Square, colour: bool) -> String {
    let found = board.at(square);
    if !colour {
        return format!(" {}", found.unwrap_or('.'));
    }
    match found {
        None => format!("{FAINT} · {RESET}"),
        Some('x') => format!("{WALL} x {RESET}"),
        Some(letter) if letter == board.primary().letter => format!("{PRIMARY} {letter} {RESET}"),
        Some(letter) => {
            let index = board.find(letter).expect("the letter stands on the board");
            format!("\x1b[30;48;5;{}m {letter} {RESET}", PALETTE[index % PALETTE.len()])
        }
    }
}

/// Puts drawings beside one another, as many in a row as fit the width, with
/// an empty line between rows.
///
/// ```
/// use tailback::render::terminal;
///
/// let drawings = ["┌─┐\n└─┘\n1\n", "┌─┐\n└─┘\n2\n", "┌─┐\n└─┘\n3\n"].map(String::from);
/// let text = "\
/// ┌─┐  ┌─┐
/// └─┘  └─┘
/// 1    2
///
/// ┌─┐
/// └─┘
/// 3
/// ";
/// assert_eq!(terminal::side_by_side(&drawings, 10), text);
/// ```
pub fn side_by_side(drawings: &[String], width: usize) -> String {
    const GAP: usize = 2;
    let widest = drawings.iter().flat_map(|drawing| drawing.lines()).map(visible).max().unwrap_or(0);
    let in_a_row = ((width + GAP) / (widest + GAP)).max(1);
    let mut out = String::new();
    for (index, row) in drawings.chunks(in_a_row).enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let height = row.iter().map(|drawing| drawing.lines().count()).max().unwrap_or(0);
        for at in 0..height {
            let mut line = String::new();
            for drawing in row {
                let part = drawing.lines().nth(at).unwrap_or_default();
                line += part;
                line += &" ".repeat(widest + GAP - visible(part));
            }
            out += line.trim_end();
            out.push('\n');
        }
    }
    out
}

/// The characters of a line that are seen: colours are not.
fn visible(line: &str) -> usize {
    let mut seen = 0;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => drop(chars.by_ref().find(|&c| c == 'm')),
            _ => seen += 1,
        }
    }
    seen
}

/// A bar of `share` (0 to 1) of `width` characters, in steps of an eighth.
///
/// ```
/// assert_eq!(tailback::render::terminal::bar(0.5, 5), "██▌");
/// ```
pub fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (8 * width) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// Height of a bar on a logarithmic scale from 0 for none to 1 for `most`; a
/// count of one is still seen.
pub fn log_share(count: u64, most: u64) -> f64 {
    let height = |n: u64| ((n as f64) + 1.0).ln();
    height(count) / height(most.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_paints_every_vehicle_and_resets() {
        let board = Board::parse("..B. AAB. .x.. ....").unwrap();
        let drawing = super::board(&board, true);
        assert!(drawing.contains("\x1b[1;97;48;5;160m A \x1b[0m"));
        assert!(drawing.contains(" B \x1b[0m"));
        assert!(drawing.contains(" x \x1b[0m"));
        assert_eq!(drawing.matches("\x1b[0m").count(), 16);
    }

    #[test]
    fn colours_take_no_room() {
        let board = Board::parse("..B. AAB. .x.. ....").unwrap();
        let drawing = super::board(&board, true);
        let both = side_by_side(&[drawing.clone(), drawing.clone()], 80);
        // The row with the arrow, 15 characters, is the widest; two more are the gap.
        let widths: Vec<usize> = both.lines().map(visible).collect();
        assert_eq!(widths, [31, 31, 32, 31, 31, 31], "{both}");
        assert_eq!(side_by_side(&[drawing.clone(), drawing], 5).lines().count(), 13);
    }

    #[test]
    fn bars_grow_with_the_count() {
        assert_eq!(bar(0.0, 10), "");
        assert_eq!(bar(1.0, 3), "███");
        assert_eq!(log_share(0, 100), 0.0);
        assert_eq!(log_share(100, 100), 1.0);
        assert!(log_share(1, 1_000_000_000) > 0.0);
    }
}
