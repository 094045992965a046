//! The boards of one family by their numbers in the signature.

use arrayvec::ArrayVec;

use crate::board::Axis;
use crate::cluster::family::{Family, Key, MAX_PLACEMENTS, nibble};
use crate::space::line::PlacementId;
use crate::space::{Blocks, MAX_SIZE, Position};

/// Tells the number of a board of a family by its key.
pub struct Numbers<'a> {
    blocks: &'a Blocks<'a>,
    /// The configuration of one board, and the placements of its columns.
    configuration: usize,
    fixed: [PlacementId; MAX_SIZE],
    rows: ArrayVec<Row, MAX_SIZE>,
    columns: ArrayVec<Column, MAX_SIZE>,
}

/// A row that can change.
struct Row {
    /// Its line in the family.
    line: usize,
    /// How far from that of the one board the configurations with its placements are.
    away: [isize; MAX_PLACEMENTS],
}

/// A column that can change.
struct Column {
    line: usize,
    column: usize,
    ids: [PlacementId; MAX_PLACEMENTS],
}

impl<'a> Numbers<'a> {
    /// For the family of a board of this signature, which is at `position`.
    pub fn new(blocks: &'a Blocks<'a>, position: &Position, family: &Family) -> Numbers<'a> {
        let configuration = blocks.configuration(position);
        let (mut rows, mut columns) = (ArrayVec::new(), ArrayVec::new());
        for (number, line) in family.lines.iter().enumerate() {
            let mut ids = [0; MAX_PLACEMENTS];
            for (id, placement) in ids.iter_mut().zip(&line.placements) {
                let vehicles: ArrayVec<_, MAX_SIZE> = line.vehicles_at(placement).collect();
                *id = blocks.space().line().find(&vehicles).expect("the family has a board in the space");
            }
            let index = usize::from(line.index);
            match line.axis {
                Axis::Vertical => columns.push(Column { line: number, column: index, ids }),
                Axis::Horizontal => {
                    let mut away = [0; MAX_PLACEMENTS];
                    for (away, &id) in away.iter_mut().zip(&ids[..line.placements.len()]) {
                        let mut with = *position;
                        with.rows[index] = id;
                        *away = blocks.configuration(&with) as isize - configuration as isize;
                    }
                    rows.push(Row { line: number, away });
                }
            }
        }
        Numbers { blocks, configuration, fixed: position.columns, rows, columns }
    }

    /// The number of a board.
    #[inline]
    pub fn of(&self, key: Key) -> u64 {
        let away: isize = self.rows.iter().map(|row| row.away[nibble(key, row.line)]).sum();
        let mut columns = self.fixed;
        for Column { line, column, ids } in &self.columns {
            columns[*column] = ids[nibble(key, *line)];
        }
        self.blocks.number_of_columns(self.configuration.wrapping_add_signed(away), &columns)
    }
}
