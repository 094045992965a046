//! An independent, naive oracle for the tests: a package that does not depend on the
//! library.
//!
//! The first part works on plain grids of characters, for any board: slow and
//! obviously right. The second part holds *all* boards of the 4×4 or 5×5 space
//! of the table, or of one row signature of a larger one, in one hash map, one number
//! a board, to check whole tables.
//!
//! A board is a text of `size * size` characters, `.` or `o` for empty cells,
//! `x` for walls, and `A` for the primary.

pub mod difficulty;
pub mod heuristics;

use std::collections::{HashMap, VecDeque};

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

/// One way to go on: how it is written, and the board after it.
pub struct Successor {
    pub notation: String,
    pub text: String,
}

/// The text with `.` for every empty cell, without white space.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == 'o' { '.' } else { c }).collect()
}

/// Does the primary touch the right edge?
pub fn is_solved(text: &str, size: usize) -> bool {
    let cells: Vec<char> = text.chars().collect();
    (0..size).any(|row| cells[row * size + size - 1] == 'A')
}

/// All legal slides; only those by one cell if `steps`.
pub fn successors(text: &str, size: usize, steps: bool) -> Vec<Successor> {
    let grid: Vec<char> = plain(text).chars().collect();
    let mut letters: Vec<char> = grid.iter().copied().filter(|&c| c != '.' && c != 'x').collect();
    letters.sort();
    letters.dedup();

    let mut found = Vec::new();
    for letter in letters {
        let cells: Vec<usize> = (0..grid.len()).filter(|&i| grid[i] == letter).collect();
        let horizontal = cells[1] == cells[0] + 1;
        for sign in [-1i32, 1] {
            for distance in 1..=size as i32 {
                if steps && distance > 1 {
                    break;
                }
                // Lift the vehicle and put it down again one cell further.
                let shift = sign * distance;
                let mut after = grid.clone();
                cells.iter().for_each(|&i| after[i] = '.');
                let fits = cells.iter().all(|&i| {
                    let (row, col) = ((i / size) as i32, (i % size) as i32);
                    let (row, col) = if horizontal { (row, col + shift) } else { (row + shift, col) };
                    let inside = (0..size as i32).contains(&row) && (0..size as i32).contains(&col);
                    inside && {
                        let to = row as usize * size + col as usize;
                        let free = after[to] == '.';
                        after[to] = letter;
                        free
                    }
                });
                if !fits {
                    break;
                }
                let text = after.into_iter().collect();
                found.push(Successor { notation: format!("{letter}{shift:+}"), text });
            }
        }
    }
    found
}

/// The fewest moves (or steps) to a solved board; `None` if there is no way.
pub fn distance(text: &str, size: usize, steps: bool) -> Option<u32> {
    let start = plain(text);
    let mut seen = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(board) = queue.pop_front() {
        let depth = seen[&board];
        if is_solved(&board, size) {
            return Some(depth);
        }
        for next in successors(&board, size, steps) {
            if !seen.contains_key(&next.text) {
                seen.insert(next.text.clone(), depth + 1);
                queue.push_back(next.text);
            }
        }
    }
    None
}

/// Every board that can be reached, or `None` if there are more than `limit`.
pub fn cluster(text: &str, size: usize, limit: usize) -> Option<Vec<String>> {
    let mut seen = HashMap::from([(plain(text), ())]);
    let mut list = vec![plain(text)];
    let mut next = 0;
    while next < list.len() {
        for successor in successors(&list[next], size, true) {
            if seen.insert(successor.text.clone(), ()).is_none() {
                list.push(successor.text);
            }
        }
        if list.len() > limit {
            return None;
        }
        next += 1;
    }
    Some(list)
}

/// The distance of every board that can be reached from this one.
pub fn distances_of_cluster(text: &str, size: usize, steps: bool) -> HashMap<String, Option<u32>> {
    let boards = cluster(text, size, usize::MAX).unwrap();
    let mut distances: HashMap<String, Option<u32>> = boards.into_iter().map(|b| (b, None)).collect();
    let mut queue: VecDeque<String> = distances.keys().filter(|b| is_solved(b, size)).cloned().collect();
    for goal in &queue {
        distances.insert(goal.clone(), Some(0));
    }
    // Every move can be undone, so successors are also predecessors.
    while let Some(board) = queue.pop_front() {
        let depth = distances[&board].unwrap();
        for before in successors(&board, size, steps) {
            if distances[&before.text].is_none() {
                distances.insert(before.text.clone(), Some(depth + 1));
                queue.push_back(before.text);
            }
        }
    }
    distances
}

/// How many sequences of moves reach a solved board in the fewest moves.
pub fn optimal_solutions(text: &str, size: usize, steps: bool) -> u128 {
    fn count(
        board: &str,
        size: usize,
        steps: bool,
        distances: &HashMap<String, Option<u32>>,
        known: &mut HashMap<String, u128>,
    ) -> u128 {
        let Some(distance) = distances[board] else { return 0 };
        if distance == 0 {
            return 1;
        }
        if let Some(&count) = known.get(board) {
            return count;
        }
        let mut sum = 0;
        for next in successors(board, size, steps) {
            if distances[&next.text] == Some(distance - 1) {
                sum += count(&next.text, size, steps, distances, known);
            }
        }
        known.insert(board.to_owned(), sum);
        sum
    }
    let distances = distances_of_cluster(text, size, steps);
    count(&plain(text), size, steps, &distances, &mut HashMap::new())
}

// The second part: whole spaces.

/// A board without letters: a digit a cell says what *starts* there. It has three
/// bits; on 7×7, which has no walls here, six values, or a number would not do.
pub type Code = u128;

/// What a digit of a cell counts.
fn weight(cell: usize, size: usize) -> Code {
    if size > 6 { 6u128.pow(cell as u32) } else { 1 << (3 * cell) }
}

/// What starts in a cell.
fn digit(code: Code, cell: usize, size: usize) -> u8 {
    (if size > 6 { code / weight(cell, size) % 6 } else { code >> (3 * cell) & 7 }) as u8
}

/// What starts in a cell that is a wall.
const WALL: u8 = 6;

/// A distance in [`solve_space`] that says: no way to the exit.
pub const UNSOLVABLE: u8 = u8::MAX;

/// What starts in a cell: 0 nothing, 1 and 2 a horizontal car and truck, 3 and
/// 4 a vertical car and truck, 5 the primary, 6 a wall.
#[derive(Clone, Copy)]
struct Piece {
    cell: usize,
    kind: u8,
}

impl Piece {
    fn len(self) -> usize {
        match self.kind {
            2 | 4 => 3,
            6 => 1,
            _ => 2,
        }
    }

    fn stride(self, size: usize) -> usize {
        if self.kind == 3 || self.kind == 4 { size } else { 1 }
    }

    fn cells(self, size: usize) -> impl Iterator<Item = usize> {
        (0..self.len()).map(move |i| self.cell + i * self.stride(size))
    }

    fn code(self, size: usize) -> Code {
        assert!(size <= 6 || self.kind != WALL, "no walls on 7×7");
        Code::from(self.kind) * weight(self.cell, size)
    }

    /// Does it end inside its row or the grid?
    fn fits(self, size: usize) -> bool {
        match self.kind {
            3 | 4 => self.cell / size + self.len() <= size,
            _ => self.cell % size + self.len() <= size,
        }
    }
}

/// The primary's row in the table's space.
pub fn primary_row(size: usize) -> usize {
    (size - 1) / 2
}

/// Every board of the table's space: the primary in its row with nothing on
/// its right, cars and trucks, no walls. 13,146 boards on 4×4 and 10,492,784
/// on 5×5.
pub fn all_boards(size: usize) -> Vec<Code> {
    boards_with(size, &[], None)
}

/// The same, but only boards whose rows hold these lengths in this order, the
/// primary being the last of its row: one row signature.
pub fn boards_with_rows(size: usize, rows: Option<&[Vec<usize>]>) -> Vec<Code> {
    boards_with(size, &[], rows)
}

/// The same with walls on these cells.
pub fn boards_with(size: usize, walls: &[usize], rows: Option<&[Vec<usize>]>) -> Vec<Code> {
    struct Grid<'r> {
        size: usize,
        primary: usize,
        rows: Option<&'r [Vec<usize>]>,
        taken: Vec<bool>,
        lengths: Vec<Vec<usize>>,
        out: Vec<Code>,
    }

    // First what lies in rows, cell by cell, then what stands in columns.
    fn place(grid: &mut Grid, cell: usize, code: Code, in_rows: bool) {
        let size = grid.size;
        if in_rows && cell.is_multiple_of(size) && cell > 0 {
            let row = cell / size - 1;
            if grid.rows.is_some_and(|rows| rows[row] != grid.lengths[row]) {
                return;
            }
        }
        if cell == size * size {
            if in_rows {
                place(grid, 0, code, false);
            } else {
                grid.out.push(code);
            }
            return;
        }
        if in_rows && cell == grid.primary {
            grid.lengths[cell / size].push(2);
            place(grid, cell + 1, code, in_rows);
            grid.lengths[cell / size].pop();
            return;
        }
        place(grid, cell + 1, code, in_rows);
        for kind in if in_rows { [1, 2] } else { [3, 4] } {
            let piece = Piece { cell, kind };
            let right_of_primary = kind <= 2 && cell / size == grid.primary / size && cell > grid.primary;
            if !piece.fits(size) || right_of_primary || piece.cells(size).any(|c| grid.taken[c]) {
                continue;
            }
            piece.cells(size).for_each(|c| grid.taken[c] = true);
            if kind <= 2 {
                grid.lengths[cell / size].push(piece.len());
            }
            place(grid, cell + 1, code + piece.code(size), in_rows);
            if kind <= 2 {
                grid.lengths[cell / size].pop();
            }
            piece.cells(size).for_each(|c| grid.taken[c] = false);
        }
    }

    let mut boards = Vec::new();
    for col in 0..size - 1 {
        let primary = Piece { cell: primary_row(size) * size + col, kind: 5 };
        let mut grid = Grid {
            size,
            primary: primary.cell,
            rows,
            taken: vec![false; size * size],
            lengths: vec![Vec::new(); size],
            out: Vec::new(),
        };
        let end_of_row = (primary_row(size) + 1) * size;
        if walls.iter().any(|wall| (primary.cell..end_of_row).contains(wall)) {
            continue;
        }
        walls.iter().for_each(|&wall| grid.taken[wall] = true);
        primary.cells(size).for_each(|c| grid.taken[c] = true);
        let walls: Code = walls.iter().map(|&cell| Piece { cell, kind: WALL }.code(size)).sum();
        place(&mut grid, 0, primary.code(size) + walls, true);
        boards.append(&mut grid.out);
    }
    boards
}

/// More than the vehicles and walls of a board.
const MOST_PIECES: usize = 32;

fn pieces(code: Code, size: usize) -> ArrayVec<Piece, MOST_PIECES> {
    let mut pieces = ArrayVec::new();
    let mut cell = 0;
    while cell < size * size {
        if size <= 6 {
            // Most cells start nothing.
            let ahead = code >> (3 * cell);
            if ahead == 0 {
                break;
            }
            cell += ahead.trailing_zeros() as usize / 3;
        }
        let kind = digit(code, cell, size);
        if kind != 0 {
            pieces.push(Piece { cell, kind });
        }
        cell += 1;
    }
    pieces
}

/// The cells that some pieces take, a bit a cell.
fn taken(pieces: &[Piece], size: usize) -> u64 {
    pieces.iter().flat_map(|piece| piece.cells(size)).fold(0, |taken, cell| taken | 1 << cell)
}

/// The text of a code: the primary is `A`, the others `B`, `C`, … row by row.
pub fn text_of(code: Code, size: usize) -> String {
    let mut grid = vec!['.'; size * size];
    let mut letters = 'B'..='Z';
    for piece in pieces(code, size) {
        let letter = match piece.kind {
            5 => 'A',
            WALL => '#',
            _ => letters.next().unwrap(),
        };
        piece.cells(size).for_each(|cell| grid[cell] = letter);
    }
    grid.into_iter().collect()
}

/// The code of a text; only cars, trucks, walls and the primary.
pub fn code_of(text: &str) -> Code {
    let grid: Vec<char> = plain(text).chars().collect();
    let size = grid.len().isqrt();
    let mut code = 0;
    for cell in 0..grid.len() {
        let letter = grid[cell];
        if letter == 'x' || letter == '#' {
            code += Piece { cell, kind: WALL }.code(size);
            continue;
        }
        if letter == '.' || grid[..cell].contains(&letter) {
            continue;
        }
        let cells: Vec<usize> = (0..grid.len()).filter(|&i| grid[i] == letter).collect();
        let vertical = cells[1] != cell + 1;
        let kind = match (letter, vertical, cells.len()) {
            ('A', false, 2) => 5,
            (_, false, 2) => 1,
            (_, false, 3) => 2,
            (_, true, 2) => 3,
            (_, true, 3) => 4,
            _ => panic!("no vehicle of the table's space: {letter} in {text}"),
        };
        code += Piece { cell, kind }.code(size);
    }
    code
}

/// The distance of each board; [`UNSOLVABLE`] for none.
pub type Distances = FxHashMap<Code, u8>;

/// The distance of every board of the table's space.
///
/// One breadth-first search from all solved boards; on 5×5 it takes about a
/// quarter of a minute and 0.8 GB.
pub fn solve_space(size: usize, steps: bool) -> Distances {
    solve_boards(all_boards(size), size, steps)
}

/// The distance of every one of these boards, which no move may leave.
pub fn solve_boards(boards: Vec<Code>, size: usize, steps: bool) -> Distances {
    let mut level: Vec<Code> = Vec::new();
    let mut distances = FxHashMap::with_capacity_and_hasher(boards.len(), Default::default());
    let exit = Piece { cell: primary_row(size) * size + size - 2, kind: 5 };
    for code in boards {
        let solved = digit(code, exit.cell, size) == 5;
        distances.insert(code, if solved { 0 } else { UNSOLVABLE });
        if solved {
            level.push(code);
        }
    }

    let mut depth = 0;
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for code in level {
            let pieces = pieces(code, size);
            let taken = taken(&pieces, size);
            for piece in pieces.into_iter().filter(|piece| piece.kind != WALL) {
                let stride = piece.stride(size);
                let position = if stride == 1 { piece.cell % size } else { piece.cell / size };
                let farthest = if steps { 1 } else { size };
                let mut visit = |cell: usize| {
                    let after = code - piece.code(size) + Piece { cell, ..piece }.code(size);
                    let distance = distances.get_mut(&after).expect("a move stays in the space");
                    if *distance == UNSOLVABLE {
                        *distance = depth;
                        next.push(after);
                    }
                };
                for by in 1..=position.min(farthest) {
                    if taken >> (piece.cell - by * stride) & 1 == 1 {
                        break;
                    }
                    visit(piece.cell - by * stride);
                }
                for by in 1..=(size - position - piece.len()).min(farthest) {
                    if taken >> (piece.cell + (piece.len() - 1 + by) * stride) & 1 == 1 {
                        break;
                    }
                    visit(piece.cell + by * stride);
                }
            }
        }
        level = next;
    }
    distances
}

// The third part: clusters and their puzzles.

/// A cluster of the table's space.
pub struct Cluster {
    /// The lengths in every row and every column, as text.
    pub family: String,
    /// How many boards have each distance; empty if unsolvable.
    pub histogram: Vec<u32>,
    pub boards: u32,
    /// The puzzle, if it is minimal.
    pub puzzle: Option<Code>,
    /// The puzzle is the first of all hardest boards.
    pub is_first: bool,
    /// The primary is the only vehicle in its row and no line is full: walls help to
    /// fill a row.
    pub is_classic: bool,
}

/// All boards that moves lead to from this one.
pub fn boards_around(start: Code, size: usize) -> Vec<Code> {
    let mut seen = rustc_hash::FxHashSet::from_iter([start]);
    let mut boards = vec![start];
    let mut next = 0;
    while next < boards.len() {
        for_each_step(boards[next], size, |after| {
            if seen.insert(after) {
                boards.push(after);
            }
        });
        next += 1;
    }
    boards
}

/// The clusters of these boards. Their distances in moves are in one of the maps; so
/// are those of boards with a vehicle or wall less, or they are found one by one.
pub fn clusters(boards: impl Iterator<Item = Code>, distances: &[&Distances], size: usize) -> Vec<Cluster> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut found = Vec::new();
    for start in boards {
        if seen.contains(&start) {
            continue;
        }
        let boards = boards_around(start, size);
        seen.extend(boards.iter().copied());
        found.push(cluster_of(&boards, distances, size));
    }
    found
}

/// The distance of a board in one of these maps, or by a search of its cluster.
fn look_up(distances: &[&Distances], board: Code, size: usize) -> u8 {
    let known = distances.iter().find_map(|map| map.get(&board).copied());
    known.unwrap_or_else(|| solve_boards(boards_around(board, size), size, false)[&board])
}

fn cluster_of(boards: &[Code], distances: &[&Distances], size: usize) -> Cluster {
    let lines = lines(boards[0], size);
    let pieces = pieces(boards[0], size);
    let walls = |row| pieces.iter().filter(|piece| piece.kind == WALL && piece.cell / size == row).count();
    let full = |(line, lengths): (usize, &Vec<usize>)| {
        lengths.iter().sum::<usize>() + if line < size { walls(line) } else { 0 } == size
    };
    let found: Vec<u8> = boards.iter().map(|&board| look_up(distances, board, size)).collect();
    let mut cluster = Cluster {
        family: format!("{lines:?}"),
        histogram: Vec::new(),
        boards: boards.len() as u32,
        puzzle: None,
        is_first: false,
        is_classic: lines[primary_row(size)].len() == 1 && !lines.iter().enumerate().any(full),
    };
    if found[0] == UNSOLVABLE {
        assert!(found.iter().all(|&distance| distance == UNSOLVABLE));
        return cluster;
    }
    let longest = found.iter().copied().max().unwrap();
    cluster.histogram = vec![0; longest as usize + 1];
    for &distance in &found {
        cluster.histogram[distance as usize] += 1;
    }
    let is_hardest = |&(_, &distance): &(&Code, &u8)| distance == longest;
    let mut hardest: Vec<Code> =
        boards.iter().zip(&found).filter(is_hardest).map(|(&board, _)| board).collect();
    hardest.sort_by_key(|&board| board_order(board, size));
    cluster.puzzle = hardest.iter().copied().find(|&board| is_minimal(board, distances, size));
    cluster.is_first = cluster.puzzle == Some(hardest[0]);
    cluster
}

/// The lengths in every row from the top, then in every column from the left.
pub fn lines(code: Code, size: usize) -> Vec<Vec<usize>> {
    let mut lines = vec![Vec::new(); 2 * size];
    // Row by row, so in every line the vehicles come in order.
    for piece in pieces(code, size).into_iter().filter(|piece| piece.kind != WALL) {
        let line = if piece.stride(size) == 1 { piece.cell / size } else { size + piece.cell % size };
        lines[line].push(piece.len());
    }
    lines
}

/// The cells of horizontal vehicles and walls as a number, then those of vertical
/// vehicles.
pub fn board_order(code: Code, size: usize) -> (u64, u64) {
    let mut order = (0, 0);
    for piece in pieces(code, size) {
        let cells = piece.cells(size).fold(0u64, |sum, cell| sum + (1 << cell));
        if piece.stride(size) == 1 {
            order.0 += cells;
        } else {
            order.1 += cells;
        }
    }
    order
}

/// Whether the board is nearer to the exit without any one of its vehicles and
/// walls.
pub fn is_minimal(code: Code, distances: &[&Distances], size: usize) -> bool {
    let own = look_up(distances, code, size);
    // Those that are known first: they are quick.
    let is_known = |board: &Code| distances.iter().any(|map| map.contains_key(board));
    let (known, others): (Vec<Code>, Vec<Code>) = with_one_less(code, size).partition(is_known);
    known.into_iter().chain(others).all(|less| look_up(distances, less, size) < own)
}

/// The board without each one of its vehicles but the primary, and of its walls.
pub fn with_one_less(code: Code, size: usize) -> impl Iterator<Item = Code> {
    let others = pieces(code, size).into_iter().filter(|piece| piece.kind != 5);
    others.map(move |piece| code - piece.code(size))
}

fn for_each_step(code: Code, size: usize, mut found: impl FnMut(Code)) {
    let pieces = pieces(code, size);
    let taken = taken(&pieces, size);
    for piece in pieces.into_iter().filter(|piece| piece.kind != WALL) {
        let stride = piece.stride(size);
        let position = if stride == 1 { piece.cell % size } else { piece.cell / size };
        let mut go = |cell| found(code - piece.code(size) + Piece { cell, ..piece }.code(size));
        if position > 0 && taken >> (piece.cell - stride) & 1 == 0 {
            go(piece.cell - stride);
        }
        if position + piece.len() < size && taken >> (piece.cell + piece.len() * stride) & 1 == 0 {
            go(piece.cell + stride);
        }
    }
}
