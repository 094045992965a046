//! What a table holds.

use std::path::Path;

use serde::Serialize;

use crate::board::Metric;
use crate::table::Header;

/// How many boards have each distance.
#[derive(Serialize)]
#[non_exhaustive]
pub struct TableSummary {
    /// Of the boards.
    pub size: usize,
    /// What a distance counts.
    pub metric: Metric,
    /// All of them.
    pub boards: u64,
    /// Those that can be solved.
    pub solvable: u64,
    /// Those that cannot.
    pub unsolvable: u64,
    /// The greatest distance.
    pub max_distance: usize,
    /// How many boards have each distance, from 0.
    pub histogram: Vec<u64>,
    /// The table.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// Of the file.
    pub bits_per_board: f64,
    /// The program that built it.
    pub builder: String,
    /// If all boards were counted again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recounted_seconds: Option<f64>,
}

impl TableSummary {
    /// What the header of a table says.
    pub fn new(header: &Header, path: &Path) -> TableSummary {
        let unsolvable = header.histogram.unsolvable();
        TableSummary {
            size: header.contents.space.size,
            metric: header.contents.metric,
            boards: header.boards,
            solvable: header.boards - unsolvable,
            unsolvable,
            max_distance: header.histogram.by_distance().len().saturating_sub(1),
            histogram: header.histogram.by_distance().to_vec(),
            file: path.display().to_string(),
            bytes: header.file_len,
            bits_per_board: 8.0 * header.file_len as f64 / header.boards as f64,
            builder: header.builder.clone(),
            recounted_seconds: None,
        }
    }
}
