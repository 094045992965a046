//! A dataset as a folder of planning problems.

use super::{domain, problem};
use crate::board::{MIN_SIZE, Metric};
use crate::dataset::formats::{Format, Rows, Writer};
use crate::dataset::{ExportError, Misfit, Output, Row, Written};

/// The format.
pub const FORMAT: Format = Format {
    name: "pddl",
    definition: "A folder with a planning problem for each board",
    extensions: &[],
    has_id: false,
    has_heuristics: false,
    has_instances: false,
    is_folder: true,
    row_cost: 100_000,
    writer: Writer::Rows(|folder, schema, _| {
        let metrics = schema.metrics.to_vec();
        Ok(Box::new(Problems { folder, metrics, number: 0, size: MIN_SIZE }))
    }),
    ..Format::ROOMY
};

/// Writes planning problems. The checksum is that of the problems by their
/// numbers, then of the domains by their names.
struct Problems {
    folder: Output,
    metrics: Vec<Metric>,
    number: u64,
    /// The size of the largest board.
    size: usize,
}

impl Rows for Problems {
    fn append(&mut self, rows: &[Row]) -> Result<(), ExportError> {
        for row in rows {
            self.number += 1;
            let board = row.subject.board().ok_or(Misfit::Instances)?;
            self.size = self.size.max(board.size());
            let name = format!("board-{:07}", self.number);
            let mut notes = vec![format!("board: {}", board.text())];
            for (metric, distance) in self.metrics.iter().zip(row.distances.iter()) {
                notes.push(format!("{metric}: {distance}"));
            }
            self.folder.add(&format!("{name}.pddl"), &problem(board, &name, &notes))?;
        }
        Ok(())
    }

    /// The domains come last: only now is it known how large the boards are.
    fn finish(mut self: Box<Self>) -> Result<Written, ExportError> {
        self.metrics.sort_by_key(Metric::to_string);
        for metric in self.metrics {
            self.folder.add(&format!("domain-{metric}.pddl"), &domain(metric, self.size))?;
        }
        self.folder.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use sha2::{Digest, Sha256};

    use super::*;
    use crate::board::{Board, Distance};
    use crate::dataset::Subject;

    /// Guards against a checksum that depended on the order in which the
    /// metrics were named, and one of another order than documented from ten
    /// million boards on.
    #[test]
    fn the_checksum_is_that_of_the_files_by_number() {
        let row = Row {
            subject: Subject::Board(Board::parse("..B. AAB. .... ....").unwrap()),
            rank: None,
            distances: [2, 3].map(Distance::of).into_iter().collect(),
            last_move: None,
            labels: Vec::new(),
            extras: Vec::new(),
        };
        for (metrics, number) in
            [([Metric::Moves, Metric::Steps], 0), ([Metric::Steps, Metric::Moves], 9_999_997)]
        {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("problems");
            let mut problems = Problems {
                folder: Output::folder(&path).unwrap(),
                metrics: metrics.to_vec(),
                number,
                size: MIN_SIZE,
            };
            problems.append(&vec![row.clone(); 4]).unwrap();
            let written = Box::new(problems).finish().unwrap();
            let sum = written.sha256.clone();
            written.staged.unwrap().commit().unwrap();
            let boards = (number + 1..number + 5).map(|number| format!("board-{number:07}"));
            let mut hash = Sha256::new();
            for name in boards.chain(["domain-moves".to_owned(), "domain-steps".to_owned()]) {
                hash.update(fs::read(path.join(name + ".pddl")).unwrap());
            }
            let expected: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(sum, expected, "{metrics:?} from {number}");
        }
    }
}
