//! A text is cut into rows of cells.

use super::Unread;
use crate::board::{BoardError, MAX_SIZE, MIN_SIZE};

/// The cells of a board, row by row; signs that are none are still among them.
pub struct Grid {
    pub size: usize,
    pub cells: Vec<char>,
}

/// What stands between rows or cells, and around them.
const GAPS: &str = " \t/,;|│┃║→>\"'`[](){}\u{feff}";
/// What the upper and the lower side of a frame are made of.
const FRAME: &str = "+-=─━═┌┐└┘├┤┬┴┼┏┓┗┛╔╗╚╝╭╮╰╯ \t";

impl Grid {
    pub fn of(text: &str) -> Result<Grid, Unread> {
        if let Some(grid) = Grid::plain(text) {
            return Ok(grid);
        }
        let lines: Vec<Vec<&str>> = text
            .split(['\n', '\r'])
            // As it stands in the source of a program, or where a shell left it.
            .flat_map(|line| line.split("\\n"))
            .filter(|line| !is_frame(line))
            .map(|line| line.split(|c| GAPS.contains(c)).filter(|group| !group.is_empty()).collect())
            .filter(|groups: &Vec<&str>| !groups.is_empty())
            .collect();
        let cells: Vec<char> = lines.iter().flatten().flat_map(|group| group.chars()).collect();
        let Some(size) = (MIN_SIZE..=MAX_SIZE).find(|size| size * size == cells.len()) else {
            return Err(not_square(&lines, cells.len()));
        };
        let grid = Grid { size, cells };
        match broken_row(&lines, size) {
            None => Ok(grid),
            Some((row, found)) => Err(Unread {
                error: BoardError::BrokenRow { size, row: row + 1, found },
                rows: grid.rows().into_iter().take(row + 1).collect(),
            }),
        }
    }

    /// The usual form, which a million lines are in: cells and nothing else.
    fn plain(text: &str) -> Option<Grid> {
        let is_plain = |byte: u8| byte.is_ascii_alphabetic() || byte == b'.';
        let size = (MIN_SIZE..=MAX_SIZE).find(|size| size * size == text.len())?;
        let cells = || text.bytes().map(char::from).collect();
        text.bytes().all(is_plain).then(|| Grid { size, cells: cells() })
    }

    pub fn rows(&self) -> Vec<String> {
        self.cells.chunks(self.size).map(|row| row.iter().collect()).collect()
    }
}

/// Are these whole rows of cells, as many as there are columns?
pub fn is_grid(text: &str) -> bool {
    Grid::of(text).is_ok_and(|grid| grid.cells.iter().all(|&cell| is_sign(cell)))
}

/// How many cells a line has, if it has nothing but cells and gaps.
pub fn signs_of(line: &str) -> Option<usize> {
    let mut signs = line.chars().filter(|&c| !GAPS.contains(c));
    signs.try_fold(0, |count, c| is_sign(c).then_some(count + 1))
}

/// May it be a cell?
pub fn is_sign(c: char) -> bool {
    c.is_ascii_alphabetic() || ".-_0*#".contains(c)
}

/// `+-----+` is, but `------` is a row of empty cells.
pub fn is_frame(line: &str) -> bool {
    line.chars().all(|c| FRAME.contains(c)) && line.chars().any(|c| !"- \t".contains(c))
}

/// The row (from 0) that a gap or a line break is in, and the cells before it. A
/// gap that is no end of a row is a slip that would shift every later cell, unless
/// all cells stand apart.
fn broken_row(lines: &[Vec<&str>], size: usize) -> Option<(usize, usize)> {
    let len = |group: &&str| group.chars().count();
    let are_apart = lines.iter().flatten().all(|group| len(group) == 1);
    let mut before = 0;
    for groups in lines {
        for (place, group) in groups.iter().enumerate() {
            if before % size != 0 && (place == 0 || !are_apart) {
                return Some((before / size, before % size));
            }
            before += len(group);
        }
    }
    None
}

/// What is wrong with so many cells.
fn not_square(lines: &[Vec<&str>], found: usize) -> Unread {
    if found == 0 {
        return Unread { error: BoardError::Empty, rows: Vec::new() };
    }
    let rows: Vec<String> = match lines {
        [groups] => groups.iter().map(|group| (*group).to_owned()).collect(),
        _ => lines.iter().map(|groups| groups.concat()).collect(),
    };
    let lens: Vec<usize> = rows.iter().map(|row| row.chars().count()).collect();
    let times = |len: usize| lens.iter().filter(|&&other| other == len).count();
    let usual = (MIN_SIZE..=MAX_SIZE).max_by_key(|&len| times(len)).unwrap_or(MAX_SIZE);
    let error = match lens.iter().position(|&len| len != usual) {
        // More rows of one length than others: that one is meant.
        Some(row) if 2 * times(usual) > rows.len() => {
            BoardError::RowLength { row: row + 1, found: lens[row], size: usual }
        }
        None if rows.len() > 1 => BoardError::Rows { found: rows.len(), size: usual },
        _ => BoardError::WrongLength { found, stray: stray(&rows) },
    };
    Unread { error, rows }
}

/// The first character that can be no cell.
fn stray(rows: &[String]) -> Option<char> {
    rows.iter().flat_map(|row| row.chars()).find(|&c| !is_sign(c))
}
