//! Where the distances of a survey come from.

use std::sync::Arc;

use super::store::{Found, InWork, Store};
use crate::memory::empty;
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
        let distances = Vec::new();
        Source::Search(Box::new(Searching { solver: Solver::new(tables), packer, store, distances }))
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
                // Quicker than to look for it byte by byte.
                let least = |distances: &[u8]| distances.iter().fold(u8::MAX, |least, &d| least.min(d));
                if distances.chunks(1 << 12).any(|distances| least(distances) == 0) {
                    return Err(table.damaged("an unsolved board has distance 0"));
                }
            }
            Source::Search(searching) if blocks.space().size() > MAX_TABULATED => {
                // Nobody looks boards up in it.
                searching.solver.solve(blocks, distances);
            }
            Source::Search(searching) => match searching.store.get(blocks.space().id(), id) {
                Found::Missing(missing) => {
                    let work = missing.begin();
                    searching.search(work, id, blocks, distances);
                }
                Found::Kept(_) => {
                    searching.solver.solve(blocks, distances);
                }
            },
        }
        Ok(())
    }

    /// A signature to look boards up in, if it is at hand or is worth a search: that
    /// is for the caller to say.
    pub fn open(
        &mut self,
        space: &Space,
        id: SignatureId,
        is_worth_a_search: impl FnOnce(&Blocks) -> bool,
    ) -> Option<Opened<'t>> {
        let searching = match self {
            Source::Table(table, _) => return Some(Opened::Table(table, id)),
            Source::Search(searching) => searching,
        };
        let missing = match searching.store.get(space.id(), id) {
            Found::Kept(packed) => return Some(Opened::Memory(packed)),
            Found::Missing(missing) => missing,
        };
        let blocks = Blocks::new(space, id);
        let work = is_worth_a_search(&blocks).then(|| missing.begin())?;
        let mut distances = std::mem::take(&mut searching.distances);
        let packed = searching.search(work, id, &blocks, &mut distances);
        empty(&mut distances);
        searching.distances = distances;
        Some(Opened::Memory(packed))
    }
}

impl Searching<'_> {
    /// Searches a signature and keeps it.
    fn search(
        &mut self,
        work: InWork,
        id: SignatureId,
        blocks: &Blocks,
        distances: &mut Vec<u8>,
    ) -> Arc<Packed> {
        self.solver.solve(blocks, distances);
        let packed = self.packer.pack(id, blocks, distances);
        work.done(packed.expect("zstd needs nothing but memory"))
    }
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
