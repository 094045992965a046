//! The work of a build: each signature solved and packed.

use super::format::Directory;
use super::packed::{PackError, Packed, Packer};
use crate::board::{Histogram, Metric};
use crate::memory::empty;
use crate::pipeline::{Budget, DISTANCES, Record, Work, Worked, array, slice};
use crate::retrograde::{MoveTables, Solver};
use crate::space::{Blocks, SignatureId, Space};

/// What comes of a signature.
pub struct Solved {
    pub packed: Packed,
    pub histogram: Box<Histogram>,
}

/// The search for all distances in a metric, packed at a level.
pub struct Solving<'s> {
    tables: MoveTables<'s>,
    level: i32,
    budget: Budget,
}

impl<'s> Solving<'s> {
    /// The spaces of the jobs have the size of this one.
    pub fn new(space: &'s Space, metric: Metric, level: i32) -> Solving<'s> {
        Solving { tables: MoveTables::new(space, metric), level, budget: Budget::new(DISTANCES) }
    }
}

impl Work for Solving<'_> {
    type Item = Solved;
    type Error = PackError;

    fn worker(&self) -> Result<impl FnMut(&Space, SignatureId) -> Worked<Self>, PackError> {
        let mut solver = Solver::new(&self.tables);
        let mut packer = Packer::new(self.level)?;
        let mut distances = Vec::new();
        Ok(move |space: &Space, id: SignatureId| {
            let blocks = Blocks::new(space, id);
            let _held = self.budget.take(blocks.unsolved_boards());
            let histogram = Box::new(solver.solve(&blocks, &mut distances).histogram);
            let packed = packer.pack(id, &blocks, &distances)?;
            empty(&mut distances);
            Ok(Solved { packed, histogram })
        })
    }
}

impl Record for Solved {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.histogram.iter().flat_map(|(_, boards)| boards.to_le_bytes()));
        out.extend((self.packed.directory.len() as u32).to_le_bytes());
        out.extend(&self.packed.directory);
        out.extend(&self.packed.data);
    }

    fn read(mut bytes: &[u8]) -> Option<Solved> {
        let mut boards = [0; 256];
        for boards in &mut boards {
            *boards = u64::from_le_bytes(array(&mut bytes)?);
        }
        let histogram = Box::new(Histogram::of_bytes(boards)?);
        let directory = slice(&mut bytes)?;
        let id = Directory::read(directory)?.signature();
        let packed = Packed { id: SignatureId(id), directory: directory.to_vec(), data: bytes.to_vec() };
        Some(Solved { packed, histogram })
    }
}
