//! Boards counted by their distances, and the furthest of them.
//!
//! That is what is left of a search whose distances are not kept. So a signature may
//! have any number of boards, and 7×7 can be searched whole. It ends in a small CSV
//! file, a line for each distance:
//!
//! ```text
//! distance,boards,signatures,id,board
//! 21,4,4,500825844,...BxCC.BDE.AADE.F..GGFHH
//! ```
//!
//! `signatures` are those whose furthest boards have this distance; the board is one
//! of these, of the first such signature, if there is one and the distance is not 0.
//! The last line is that of boards that cannot be solved.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use super::log::Log;
use super::{Fault, Plan, Shard, ShardError};
use crate::board::{Distance, Histogram, Metric};
use crate::files::write_whole;
use crate::pipeline::{Jobs, Record, Work, Worked, array};
use crate::progress::{Observer, Progress};
use crate::retrograde::{Furthest, MoveTables, Solver};
use crate::space::{Blocks, SignatureId, Space};
use crate::table::BuildError;

/// The search for all distances in a metric, of which only counts are kept.
pub struct Counting<'s> {
    tables: MoveTables<'s>,
    observer: &'s dyn Observer,
}

/// What comes of a signature.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedSignature {
    histogram: Box<Histogram>,
    /// The number in its signature of one of the furthest boards, unless every board
    /// that can be solved is solved.
    furthest: Option<u64>,
}

/// All boards of some spaces, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedSpaces {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// How many boards have each distance.
    pub histogram: Histogram,
    /// One of the furthest boards of all.
    pub furthest: Option<Furthest>,
}

impl<'s> Counting<'s> {
    /// The spaces of the jobs have the size of this one. A single signature may take
    /// hours: the observer can stop it.
    pub fn new(space: &'s Space, metric: Metric, observer: &'s dyn Observer) -> Counting<'s> {
        Counting { tables: MoveTables::new(space, metric), observer }
    }
}

impl Work for Counting<'_> {
    type Item = CountedSignature;
    type Error = BuildError;

    fn is_stop(error: &BuildError) -> bool {
        matches!(error, BuildError::Stopped)
    }

    fn worker(&self) -> Result<impl FnMut(&Space, SignatureId) -> Worked<Self>, BuildError> {
        let mut solver = Solver::new(&self.tables);
        Ok(move |space: &Space, id: SignatureId| {
            let blocks = Blocks::new(space, id);
            let counted = solver.count(&blocks, &|| self.observer.wants_stop());
            let counted = counted.ok_or(BuildError::Stopped)?;
            let furthest = counted.furthest.map(|position| blocks.number(&position));
            Ok(CountedSignature { histogram: Box::new(counted.histogram), furthest })
        })
    }
}

impl CountedSignature {
    /// What a record needs in a file, about.
    pub const BYTES: u64 = 256;
}

impl Record for CountedSignature {
    fn write(&self, out: &mut Vec<u8>) {
        let distances = self.histogram.by_distance();
        out.extend(self.furthest.unwrap_or(u64::MAX).to_le_bytes());
        out.extend(self.histogram.unsolvable().to_le_bytes());
        out.extend(distances.iter().flat_map(|boards| boards.to_le_bytes()));
    }

    fn read(mut bytes: &[u8]) -> Option<CountedSignature> {
        let mut next = || array(&mut bytes).map(u64::from_le_bytes);
        let furthest = next().map(|number| (number != u64::MAX).then_some(number))?;
        let mut boards = [0; 256];
        boards[usize::from(Distance::UNSOLVABLE.byte())] = next()?;
        for boards in &mut boards[..usize::from(Distance::UNSOLVABLE.byte())] {
            match next() {
                Some(counted) => *boards = counted,
                None => break,
            }
        }
        let counted = CountedSignature { histogram: Box::new(Histogram::of_bytes(boards)?), furthest };
        let is_far =
            counted.histogram.longest() != Distance::SOLVED && counted.histogram.longest().is_solvable();
        (bytes.is_empty() && is_far == furthest.is_some()).then_some(counted)
    }
}

/// What is known of a distance beside its boards.
struct Far {
    signatures: u64,
    /// The first of these signatures, by its job, and the number of a board in it.
    first: (u32, Option<u64>),
}

/// Adds all shards of a plan up, which are whole, and writes the file.
pub fn merge(plan: &Plan, jobs: &Jobs, observer: &dyn Observer) -> Result<CountedSpaces, ShardError> {
    let mut all = Histogram::default();
    let mut far = BTreeMap::<Distance, Far>::new();
    for shard in plan.shards() {
        if observer.wants_stop() {
            return Err(BuildError::Stopped.into());
        }
        let mut left = shard.boards;
        for counted in Log::open(plan, shard)?.results::<CountedSignature>() {
            let (job, counted) = counted?;
            left = left.checked_sub(counted.histogram.total()).ok_or_else(|| damaged(plan, shard))?;
            all += &counted.histogram;
            let first = (job, counted.furthest);
            far.entry(counted.histogram.longest()).or_insert(Far { signatures: 0, first }).signatures += 1;
        }
        if left != 0 {
            return Err(damaged(plan, shard));
        }
        let total = Some(plan.boards());
        observer.advanced(Progress { unit: "boards", done: all.total(), before: 0, total });
    }
    let mut text = String::from("distance,boards,signatures,id,board\n");
    let mut furthest = None;
    for (distance, boards) in all.iter() {
        if distance.known().is_some_and(|known| known as usize >= all.by_distance().len()) {
            continue;
        }
        let far = far.get(&distance);
        let example = far.and_then(|far| example(plan, jobs, far, distance)).transpose()?;
        let signatures = far.map_or(0, |far| far.signatures);
        write!(text, "{distance},{boards},{signatures},").expect("a text takes all");
        match &example {
            Some(Furthest { id, board, .. }) => writeln!(text, "{id},{}", board.text()),
            None => writeln!(text, ","),
        }
        .expect("a text takes all");
        furthest = example.or(furthest);
    }
    let path = plan.product_path();
    write_whole(&path, text.as_bytes()).map_err(|e| ShardError::io(&path, e))?;
    Ok(CountedSpaces { path, bytes: text.len() as u64, histogram: all, furthest })
}

/// The board that is reported for a distance.
fn example(plan: &Plan, jobs: &Jobs, far: &Far, distance: Distance) -> Option<Result<Furthest, ShardError>> {
    let (job, number) = far.first;
    let number = number?;
    let (space, signature) = jobs.get(job);
    let blocks = Blocks::new(&space, signature);
    if number >= blocks.boards() {
        let shard = plan.shards().iter().find(|shard| shard.range().contains(&job));
        return Some(Err(damaged(plan, shard.expect("every job is in one"))));
    }
    let id = space.id().first_id() + space.first_of(signature) + number;
    Some(Ok(Furthest { distance, id, board: space.board(&blocks.position(number)) }))
}

/// A record of a shard cannot be.
fn damaged(plan: &Plan, shard: &Shard) -> ShardError {
    let (path, number) = (plan.shard_path(shard.number), shard.number);
    ShardError::InTheWay { path, number, fault: Fault::Damaged }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_what_was_written() {
        let counted = |boards: &[(u8, u64)], furthest| {
            let mut histogram = Box::new(Histogram::default());
            boards.iter().for_each(|&(distance, boards)| histogram[Distance::from_byte(distance)] = boards);
            CountedSignature { histogram, furthest }
        };
        for record in [
            counted(&[(0, 3)], None),
            counted(&[(255, 7)], None),
            counted(&[(0, 5), (2, 1 << 40), (255, 1)], Some(1 << 39)),
            counted(&[(254, 1)], Some(0)),
        ] {
            let mut bytes = Vec::new();
            record.write(&mut bytes);
            assert_eq!(CountedSignature::read(&bytes), Some(record));
            for len in (0..bytes.len()).filter(|len| len % 8 != 0 || *len < 16) {
                assert_eq!(CountedSignature::read(&bytes[..len]), None, "{len} bytes");
            }
        }
        // A board that is furthest though none is far, none though one is, far too many.
        for record in [
            counted(&[(0, 3)], Some(1)),
            counted(&[(0, 3), (1, 2)], None),
            counted(&[(0, u64::MAX / 2), (1, u64::MAX / 2)], Some(1)),
        ] {
            let mut bytes = Vec::new();
            record.write(&mut bytes);
            assert_eq!(CountedSignature::read(&bytes), None);
        }
    }
}
