//! The format of the best-known public list: moves, board, boards of the cluster.

use std::fmt::Write;

use super::{Distances, Format, Misfit, Text, Writer};
use crate::board::Metric;
use crate::cluster::{self, Bounds};
use crate::dataset::{ExportError, Row};

/// The format.
pub const FORMAT: Format = Format {
    name: "rush",
    definition: "Moves, board, boards of the cluster",
    extensions: &[],
    distances: Distances::Moves,
    has_id: false,
    has_heuristics: false,
    has_unsolvable: false,
    has_instances: false,
    // A search for each.
    row_cost: 1_000_000,
    writer: Writer::Text(|_| Box::new(Rush)),
    ..Format::ROOMY
};

struct Rush;

impl Text for Rush {
    fn write(&self, rows: &[Row], bounds: Bounds, out: &mut Vec<u8>) -> Result<(), ExportError> {
        let mut lines = String::new();
        for row in rows {
            let moves = row.distances[0].known().ok_or(Misfit::Unsolvable)?;
            let board = row.subject.board().ok_or(Misfit::Instances)?;
            let boards = cluster::size(board, bounds)
                .map_err(|error| ExportError::of_board(board, Metric::Moves, error.into()))?;
            push_line(moves, &board.text(), boards, &mut lines);
        }
        out.extend(lines.as_bytes());
        Ok(())
    }
}

/// What a list begins with that is not of all puzzles: its three columns have no room
/// for it.
pub const FROM_STARTER: &str = "# from the starter catalogue, which has a choice of all puzzles\n";

/// Appends a line. Readers cut it at fixed places, so the moves have two
/// digits.
pub fn push_line(moves: u32, board: &str, cluster_boards: u64, out: &mut String) {
    let _ = writeln!(out, "{moves:02} {} {cluster_boards}", board.replace('.', "o"));
}
