//! The form of the best-known public list: moves, board, boards of the cluster.

use std::fmt::Write;

/// Appends a line. Readers cut it at fixed places, so the moves have two
/// digits.
pub fn push_line(moves: u32, board: &str, cluster_boards: u64, out: &mut String) {
    let cells = board.chars().map(|cell| if cell == '.' { 'o' } else { cell });
    let _ = write!(out, "{moves:02} ");
    out.extend(cells);
    let _ = writeln!(out, " {cluster_boards}");
}
