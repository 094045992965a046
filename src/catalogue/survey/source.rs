//! Where the distances of a survey come from.

use super::minimal::{
    Candidate, Without, keep_needing_rows, keep_needing_rows_by_search, keep_needing_walls,
};
use crate::retrograde::{MoveTables, Solver};
use crate::space::{Blocks, SignatureId, Space};
use crate::table::{Table, TableError, Unpacker};

/// A table of moves, or the search.
pub enum Source<'t> {
    Table(&'t Table, Unpacker<'t>),
    Search(Box<Solver<'t>>),
}

impl<'t> Source<'t> {
    pub fn table(table: &'t Table) -> Source<'t> {
        Source::Table(table, Unpacker::new(table))
    }

    pub fn search(tables: &'t MoveTables<'t>) -> Source<'t> {
        Source::Search(Box::new(Solver::new(tables)))
    }

    /// The distances of the unsolved boards of a signature.
    pub fn distances(
        &mut self,
        id: SignatureId,
        blocks: &Blocks,
        distances: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        match self {
            Source::Table(table, unpacker) => {
                assert_eq!(blocks.space().id(), table.space().id(), "a signature of the table");
                unpacker.unpack(id, blocks, distances)?;
                if distances.contains(&0) {
                    return Err(table.damaged("an unsolved board has distance 0"));
                }
            }
            Source::Search(solver) => {
                solver.solve(blocks, distances);
            }
        }
        Ok(())
    }

    /// Of boards that need all their vertical vehicles, keeps those that are
    /// minimal.
    pub fn keep_minimal(
        &self,
        space: &Space,
        without: &Without,
        candidates: &mut Vec<Candidate>,
    ) -> Result<(), TableError> {
        match self {
            Source::Table(table, _) => keep_needing_rows(table, without, candidates)?,
            Source::Search(_) => keep_needing_rows_by_search(space, candidates),
        }
        keep_needing_walls(space, candidates);
        Ok(())
    }
}
