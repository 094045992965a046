//! Checking a table: its bytes, and the law that distances obey.
//!
//! The law: a board is at distance 0 exactly if it is solved; any other is one
//! more than the least distance around it, and unsolvable if all around it
//! are. Numbers that obey it everywhere are the true distances: following the
//! least neighbour leads to a solved board in as many moves as promised, no
//! path is shorter because no step gains more than one, and a set of boards
//! marked unsolvable has no way out.
//!
//! The full check unpacks a signature and compares its blocks: for each the bytewise
//! minimum over all strips that one move of a row leads to, move by move, over its
//! own strips for the middle columns, and within its strips for the edge columns. Strips
//! that are neighbours mostly lead to neighbours, so most of this is on long lists. It
//! shares the numbering of boards with the search, but not its words, masks or levels.

mod signature;

use rayon::prelude::*;

use super::format::{DATA, IndexEntry};
use super::record::Record;
use super::strips::Frame;
use super::{Table, TableError, Unpacker};
use crate::board::{Distance, Histogram, Metric};
use crate::pipeline::{Budget, DISTANCES};
use crate::progress::{Count, Observer};
use crate::random;
use crate::space::{Blocks, Position, Rank, SignatureId, Space};
use signature::{Law, SignatureLaw};

/// What was checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verified {
    /// Frames whose checksum is right and that can be unpacked.
    pub frames: u64,
    /// Boards that obey the law.
    pub boards: u64,
}

/// A table does not hold what it should.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// It cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A board breaks the law.
    #[error("the distance of board {board} is {found}, by the boards around it it should be {expected}")]
    Law {
        /// The board's text.
        board: String,
        /// What the table says.
        found: Distance,
        /// What the law says.
        expected: Distance,
    },
    /// The counts in the header are not those of the boards.
    #[error("the header counts other distances than the frames hold")]
    Counts,
    /// The observer wanted it.
    #[error("stopped")]
    Stopped,
}

/// Checks a table.
pub struct Verifier<'t> {
    table: &'t Table,
    space: &'t Space,
    metric: Metric,
}

impl<'t> Verifier<'t> {
    /// A verifier of this table.
    pub fn new(table: &'t Table) -> Verifier<'t> {
        Verifier { table, space: table.space(), metric: table.header().contents.metric }
    }

    /// Compares the checksums of all frames and unpacks them; checks that the
    /// records follow each other without gaps.
    pub fn frames(&self, observer: &dyn Observer) -> Result<Verified, VerifyError> {
        let new = || (super::strips::decompressor(), Frame::default());
        self.all(observer, new, |(zstd, frame), id, blocks| {
            let record = self.check_directory(id, blocks)?;
            let frames = record.directory().frames();
            for i in 0..frames {
                record.decode(i, zstd, frame)?;
            }
            Ok(Verified { frames: frames as u64, boards: 0 })
        })
    }

    /// Everything [`Verifier::frames`] checks, and the law on every board.
    pub fn full(&self, observer: &dyn Observer) -> Result<Verified, VerifyError> {
        let counts = std::sync::Mutex::new(Histogram::default());
        let budget = Budget::new(DISTANCES);
        let law = Law::new(self.space, self.metric);
        let new = || (Unpacker::new(self.table), SignatureLaw::new(&law), Vec::new());
        let verified = self.all(observer, new, |(unpacker, law, distances), id, blocks| {
            // Less than a byte more for each board of the largest block.
            let _held = budget.take(2 * blocks.unsolved_boards());
            let record = self.check_directory(id, blocks)?;
            unpacker.unpack(id, blocks, distances)?;
            law.check(blocks, distances, observer)?;
            let of_signature = histogram(distances);
            let mut counts = counts.lock().expect("no thread panicked");
            counts[Distance::SOLVED] += blocks.boards() - blocks.unsolved_boards();
            *counts += &of_signature;
            let frames = record.directory().frames() as u64;
            Ok(Verified { frames, boards: blocks.boards() })
        })?;
        if counts.into_inner().expect("no thread panicked") != self.table.header().histogram {
            return Err(VerifyError::Counts);
        }
        Ok(verified)
    }

    /// The law on one board, by look-ups.
    pub fn board(
        &self,
        probe: &mut super::Probe<&super::Table>,
        position: &Position,
    ) -> Result<(), VerifyError> {
        let found = probe.distance(position)?;
        let board = self.space.board(position);
        let mut least = Distance::UNSOLVABLE;
        for mv in board.moves_in(self.metric) {
            let next = board.apply(mv).expect("a legal move");
            let crate::space::Location::Inside(next) = self.space.locate(&next).expect("moves stay inside")
            else {
                unreachable!("moves stay inside")
            };
            least = least.min(probe.distance(&next)?);
        }
        let expected = if board.is_solved() { Distance::SOLVED } else { least.one_more() };
        if found != expected {
            return Err(law(self.space, position, found, expected));
        }
        Ok(())
    }

    /// The law on a random sample of boards, by look-ups. The same seed picks
    /// the same boards.
    pub fn sample(&self, count: u64, seed: u64, observer: &dyn Observer) -> Result<Verified, VerifyError> {
        let boards = self.space.boards();
        let done = Count::new(observer, "boards", count);
        (0..count).into_par_iter().try_for_each_init(
            || self.table.probe(),
            |probe, i| {
                if observer.wants_stop() {
                    return Err(VerifyError::Stopped);
                }
                let rank = Rank(random::draw(seed, i) % boards);
                let position = self.space.position(rank).expect("ranks below the count are boards");
                self.board(probe, &position)?;
                done.add(1);
                Ok(())
            },
        )?;
        Ok(Verified { frames: 0, boards: count })
    }

    /// Checks every signature. Their sizes differ a thousandfold, so the
    /// observer is told of boards.
    /// Each thread has something of its own for its checks.
    fn all<T: Send>(
        &self,
        observer: &dyn Observer,
        new: impl Fn() -> T + Sync + Send,
        check: impl Fn(&mut T, SignatureId, &Blocks) -> Result<Verified, VerifyError> + Sync,
    ) -> Result<Verified, VerifyError> {
        let boards = Count::new(observer, "boards", self.space.boards());
        let checked = |own: &mut T, id| {
            if observer.wants_stop() {
                return Err(VerifyError::Stopped);
            }
            let blocks = Blocks::new(self.space, SignatureId(id));
            let verified = check(own, SignatureId(id), &blocks)?;
            boards.add(blocks.boards());
            Ok(verified)
        };
        let add = |a: Verified, b: Verified| {
            Ok(Verified { frames: a.frames + b.frames, boards: a.boards + b.boards })
        };
        (0..self.space.signatures()).into_par_iter().map_init(new, checked).try_reduce(Verified::default, add)
    }

    /// A signature's record, after checking everything in its directory that
    /// can be computed.
    fn check_directory(&self, id: SignatureId, blocks: &Blocks) -> Result<Record<'t>, VerifyError> {
        let record = Record::orderly(self.table, id, blocks)?;
        let wrong = |what: &str| self.table.damaged(format!("the {what} of signature {} is wrong", id.0));
        let header = self.table.header();
        let IndexEntry { record_at: here, first_rank, .. } = self.table.entry(id)?;
        if first_rank != self.space.sizes()[id.0 as usize].first {
            return Err(wrong("rank").into());
        }
        let next = match id.0 + 1 < header.signatures {
            true => self.table.entry(SignatureId(id.0 + 1))?.record_at,
            false => header.index_at,
        };
        if (id.0 == 0 && here != DATA) || here + record.directory().record_len() != next {
            return Err(wrong("place").into());
        }
        Ok(record)
    }
}

/// Counts bytes; four tables, so that equal neighbours do not wait for each
/// other.
fn histogram(bytes: &[u8]) -> Histogram {
    let mut tables = [[0u32; 256]; 4];
    let (fours, rest) = bytes.as_chunks::<4>();
    for four in fours {
        for (table, &b) in tables.iter_mut().zip(four) {
            table[b as usize] += 1;
        }
    }
    for &b in rest {
        tables[0][b as usize] += 1;
    }
    let boards = std::array::from_fn(|i| tables.iter().map(|t| t[i] as u64).sum());
    Histogram::of_bytes(boards).expect("bytes in memory are fewer")
}

fn law(space: &Space, position: &Position, found: Distance, expected: Distance) -> VerifyError {
    VerifyError::Law { board: space.board(position).text(), found, expected }
}
