//! A dataset as a folder of planning problems.

use super::output::{Folder, Written};
use super::{ExportError, Row, Schema, pddl};
use crate::board::MIN_SIZE;

/// A folder of planning problems.
pub struct Problems<'a> {
    folder: Folder,
    schema: &'a Schema,
    number: u64,
    /// The size of the largest board.
    size: usize,
}

impl<'a> Problems<'a> {
    pub(super) fn new(folder: Folder, schema: &'a Schema) -> Problems<'a> {
        Problems { folder, schema, number: 0, size: MIN_SIZE }
    }

    pub(super) fn add(&mut self, row: &Row) -> Result<(), ExportError> {
        self.number += 1;
        self.size = self.size.max(row.board.size());
        let name = format!("board-{:07}", self.number);
        let mut notes = vec![format!("board: {}", row.board.text())];
        for (metric, distance) in self.schema.metrics.iter().zip(&row.distances) {
            let distance = distance.map_or("unsolvable".to_owned(), |distance| distance.to_string());
            notes.push(format!("{metric}: {distance}"));
        }
        self.folder.add(&format!("{name}.pddl"), &pddl::problem(&row.board, &name, &notes))
    }

    /// The domains come last: only now is it known how large the boards are.
    pub(super) fn finish(mut self) -> Result<Written, ExportError> {
        for &metric in &self.schema.metrics {
            self.folder.add(&format!("domain-{metric}.pddl"), &pddl::domain(metric, self.size))?;
        }
        Ok(self.folder.finish())
    }
}
