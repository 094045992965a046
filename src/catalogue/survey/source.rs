//! Where the distances of a survey come from.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::store::{InWork, Lookup, Store};
use crate::board::Distance;
use crate::memory::empty;
use crate::retrograde::{MoveTables, Solver};
use crate::space::{Blocks, MAX_TABULATED, Position, SignatureId, Space};
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
pub enum OpenSignature<'t> {
    Table(&'t Table, SignatureId),
    Memory(Arc<Packed>),
}

/// A search that was made for a survey.
#[derive(Debug, Clone, Copy)]
pub struct Searched {
    /// How long it took.
    pub time: Duration,
    /// One of the furthest boards, and how far it is.
    pub furthest: Option<(Distance, Position)>,
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

    /// The distances of the unsolved boards of a signature, and of the search for them, if
    /// there was one.
    pub fn distances(
        &mut self,
        id: SignatureId,
        blocks: &Blocks,
        distances: &mut Vec<u8>,
    ) -> Result<Option<Searched>, TableError> {
        let searching = match self {
            Source::Search(searching) => searching,
            Source::Table(table, unpacker) => {
                assert_eq!(blocks.space().id(), table.space().id(), "a signature of the table");
                unpacker.unpack(id, blocks, distances)?;
                // Quicker than to look for it byte by byte.
                let least = |distances: &[u8]| distances.iter().fold(u8::MAX, |least, &d| least.min(d));
                if distances.chunks(1 << 12).any(|distances| least(distances) == 0) {
                    return Err(table.damaged("an unsolved board has distance 0"));
                }
                return Ok(None);
            }
        };
        // Nobody looks boards of larger spaces up.
        let work = match blocks.space().size() > MAX_TABULATED {
            true => None,
            false => match searching.store.get(blocks.space().id(), id) {
                Lookup::Missing(work) => Some(work),
                Lookup::Kept(_) => None,
            },
        };
        let begun = Instant::now();
        let counted = searching.solver.solve(blocks, distances);
        let time = begun.elapsed();
        if let Some(work) = work {
            searching.keep(work, id, blocks, distances);
        }
        let furthest = counted.furthest.map(|position| (counted.histogram.longest(), position));
        Ok(Some(Searched { time, furthest }))
    }

    /// A signature to look boards up in, if it is at hand or is worth a search: that
    /// is for the caller to say.
    pub fn open(
        &mut self,
        space: &Space,
        id: SignatureId,
        is_worth_a_search: impl FnOnce(&Blocks) -> bool,
    ) -> Option<OpenSignature<'t>> {
        let searching = match self {
            Source::Table(table, _) => return Some(OpenSignature::Table(table, id)),
            Source::Search(searching) => searching,
        };
        let work = match searching.store.get(space.id(), id) {
            Lookup::Kept(packed) => return Some(OpenSignature::Memory(packed)),
            Lookup::Missing(work) => work,
        };
        let blocks = Blocks::new(space, id);
        if !is_worth_a_search(&blocks) {
            return None;
        }
        let mut distances = std::mem::take(&mut searching.distances);
        searching.solver.solve(&blocks, &mut distances);
        let packed = searching.keep(work, id, &blocks, &distances);
        empty(&mut distances);
        searching.distances = distances;
        Some(OpenSignature::Memory(packed))
    }
}

impl Searching<'_> {
    /// Keeps a signature that was searched.
    fn keep(&mut self, work: InWork, id: SignatureId, blocks: &Blocks, distances: &[u8]) -> Arc<Packed> {
        let packed = self.packer.pack(id, blocks, distances);
        work.done(packed.expect("zstd needs nothing but memory"))
    }
}

impl OpenSignature<'_> {
    /// A reader of its boards.
    pub fn probe(&self) -> Result<SignatureProbe<'_>, TableError> {
        match self {
            OpenSignature::Table(table, id) => SignatureProbe::new(table, *id),
            OpenSignature::Memory(packed) => Ok(packed.probe()),
        }
    }
}
