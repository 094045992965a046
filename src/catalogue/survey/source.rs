//! Where the distances of a survey come from.

use std::sync::Arc;

use super::store::{Found, Store};
use crate::retrograde::{MoveTables, Solver};
use crate::space::{Blocks, MAX_TABULATED, SignatureId, Space};
use crate::table::{Packed, Packer, SignatureProbe, Table, TableError, Unpacker};

/// A table of moves, or the search.
pub enum Source<'t> {
    Table(&'t Table, Unpacker<'t>),
    Search(Box<Searching<'t>>),
}

/// The search, and what it keeps for look-ups.
pub struct Searching<'t> {
    solver: Solver<'t>,
    packer: Packer,
    store: &'t Store,
    /// For signatures that are searched for look-ups alone.
    distances: Vec<u8>,
}

/// A signature to look boards up in.
pub enum Opened<'t> {
    Table(&'t Table, SignatureId),
    Memory(Arc<Packed>),
}

/// What is looked up in memory is soon thrown away: packed fast, not small.
const LEVEL: i32 = 1;

impl<'t> Source<'t> {
    pub fn table(table: &'t Table) -> Source<'t> {
        Source::Table(table, Unpacker::new(table))
    }

    pub fn search(tables: &'t MoveTables<'t>, store: &'t Store) -> Source<'t> {
        let packer = Packer::new(LEVEL).expect("zstd needs nothing but memory");
        Source::Search(Box::new(Searching {
            solver: Solver::new(tables),
            packer,
            store,
            distances: Vec::new(),
        }))
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
            Source::Search(searching) if blocks.space().size() > MAX_TABULATED => {
                // Nobody looks boards up in it.
                searching.solver.solve(blocks, distances);
            }
            Source::Search(searching) => {
                let found = searching.store.get(blocks.space().id(), id);
                searching.solver.solve(blocks, distances);
                if let Found::ToDo(work) = found {
                    work.done(pack(&mut searching.packer, id, blocks, distances));
                }
            }
        }
        Ok(())
    }

    /// A signature to look boards up in.
    pub fn open(&mut self, space: &Space, id: SignatureId) -> Opened<'t> {
        match self {
            Source::Table(table, _) => Opened::Table(table, id),
            Source::Search(searching) => Opened::Memory(searching.open(space, id)),
        }
    }
}

impl Searching<'_> {
    fn open(&mut self, space: &Space, id: SignatureId) -> Arc<Packed> {
        match self.store.get(space.id(), id) {
            Found::Kept(packed) => packed,
            Found::ToDo(work) => {
                let blocks = Blocks::new(space, id);
                self.solver.solve(&blocks, &mut self.distances);
                let packed = pack(&mut self.packer, id, &blocks, &self.distances);
                super::empty(&mut self.distances);
                work.done(packed)
            }
        }
    }
}

fn pack(packer: &mut Packer, id: SignatureId, blocks: &Blocks, distances: &[u8]) -> Packed {
    packer.pack(id, blocks, distances).expect("zstd needs nothing but memory")
}

impl Opened<'_> {
    /// A reader of its boards.
    pub fn probe(&self) -> Result<SignatureProbe<'_>, TableError> {
        match self {
            Opened::Table(table, id) => SignatureProbe::new(table, *id),
            Opened::Memory(packed) => Ok(packed.probe()),
        }
    }
}
