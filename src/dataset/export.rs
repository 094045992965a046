//! From boards to files: in parallel, in order, in little memory.

use std::sync::atomic::{AtomicBool, Ordering};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::{ExportError, Form, Given, Item, Labeller, Page, Row, Sheet, Split};
use crate::board::{Board, Metric};
use crate::probe::{Prober, Session};
use crate::space::{Location, Rank, Ranker, Space, SpaceId};

/// Boards that a thread labels at a time.
const SHARE: usize = 1024;
/// Pages that wait for being written: enough for every thread to have one.
const PAGES: usize = 128;

/// How boards become rows, and which rows go where.
pub struct Export<'a> {
    /// Makes rows.
    pub labeller: Labeller<'a>,
    /// Makes pages.
    pub form: &'a Form<'a>,
    /// Knows distances that nobody else does.
    pub prober: &'a Prober,
    /// Keep boards that cannot be solved?
    pub with_unsolvable: bool,
    /// The parts, if there are any.
    pub split: Option<&'a Split>,
    /// Decides the parts.
    pub split_seed: u64,
    /// Raised to stop.
    pub stop: &'a AtomicBool,
}

/// What went into a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// All rows.
    pub rows: u64,
    /// Those that cannot be solved.
    pub unsolvable: u64,
    /// By metric: how many have each distance.
    pub distances: [Vec<u64>; 2],
}

/// What became of all boards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Totals {
    /// By file.
    pub files: Vec<Counts>,
    /// Boards left out because they cannot be solved.
    pub left_out: u64,
}

/// What a thread keeps.
struct Worker<'p> {
    session: Session<'p>,
    ranker: Option<Ranker<'p>>,
}

/// Some rows of a file.
struct Part {
    page: Page,
    counts: Counts,
}

impl<'a> Export<'a> {
    /// Writes all boards, which come in batches, into these files: one, or one
    /// for each part of the split. Calls `advanced` with the number of boards
    /// done.
    pub fn run<E: From<ExportError> + Send>(
        &self,
        batches: impl Iterator<Item = Result<Vec<Item>, E>>,
        sheets: &mut [Sheet],
        advanced: impl Fn(u64) + Sync,
    ) -> Result<Totals, E> {
        let mut totals = Totals { files: vec![Counts::default(); sheets.len()], left_out: 0 };
        let files = sheets.len();
        for batch in batches {
            let batch = batch?;
            if let Some(Item::Given(given)) = batch.first()
                && self.form.has_rank()
            {
                // Or every thread that asks for a rank would count all boards.
                let _ = self.prober.space(SpaceId::of_board(&given.board)).map(Space::sizes);
            }
            for pages in batch.chunks(PAGES * SHARE) {
                let shares = pages.par_chunks(SHARE).map_init(
                    || Worker { session: self.prober.session(), ranker: None },
                    |worker, share| {
                        let parts = self.parts(worker, share, files);
                        advanced(share.len() as u64);
                        parts
                    },
                );
                for (parts, left_out) in shares.collect::<Result<Vec<_>, ExportError>>()? {
                    // Where every row is a file, writing takes long as well.
                    if self.stop.load(Ordering::Relaxed) {
                        return Err(ExportError::Stopped.into());
                    }
                    totals.left_out += left_out;
                    for ((part, sheet), counts) in parts.iter().zip(&mut *sheets).zip(&mut totals.files) {
                        sheet.append(&part.page)?;
                        counts.merge(&part.counts);
                    }
                }
            }
        }
        match self.stop.load(Ordering::Relaxed) {
            true => Err(ExportError::Stopped.into()),
            false => Ok(totals),
        }
    }

    /// The rows of some boards, by file, and how many boards have none.
    fn parts(
        &self,
        worker: &mut Worker<'a>,
        share: &[Item],
        files: usize,
    ) -> Result<(Vec<Part>, u64), ExportError> {
        let mut parts: Vec<Part> =
            (0..files).map(|_| Part { page: self.form.page(), counts: Counts::default() }).collect();
        let mut left_out = 0;
        for item in share {
            if self.stop.load(Ordering::Relaxed) {
                return Err(ExportError::Stopped);
            }
            let Some(row) = self.row(worker, item)? else {
                left_out += 1;
                continue;
            };
            let part = self.split.map_or(0, |split| split.part(&row.board, self.split_seed));
            parts[part].counts.add(&row);
            self.form.add(row, &mut parts[part].page)?;
        }
        Ok((parts, left_out))
    }

    fn row(&self, worker: &mut Worker<'a>, item: &Item) -> Result<Option<Row>, ExportError> {
        let metrics = &self.labeller.schema.metrics;
        match item {
            Item::Drawn(drawn) if !self.with_unsolvable && !drawn.is_solvable() => Ok(None),
            Item::Drawn(drawn) => {
                let space = self.prober.space(drawn.space).expect("a table has it");
                let board = space.board(&drawn.position);
                Ok(Some(self.labeller.row(board, Some(drawn.rank), drawn.distances(metrics.len()))))
            }
            Item::Given(given) => {
                let Given { board, distances } = &**given;
                let distances = match distances {
                    Some(distances) => distances.clone(),
                    None => worker.distances(board, metrics)?,
                };
                if !self.with_unsolvable && distances[0].is_none() {
                    return Ok(None);
                }
                let rank = if self.form.has_rank() { worker.rank(self.prober, board) } else { None };
                Ok(Some(self.labeller.row(board.clone(), rank, distances)))
            }
        }
    }
}

impl<'p> Worker<'p> {
    fn distances(
        &mut self,
        board: &Board,
        metrics: &[Metric],
    ) -> Result<ArrayVec<Option<u32>, 2>, ExportError> {
        let mut distances = ArrayVec::new();
        for &metric in metrics {
            let found = self.session.distance(board, metric);
            let (distance, _) = found.map_err(|error| ExportError::of_board(board, metric, error))?;
            distances.push(distance);
        }
        Ok(distances)
    }

    fn rank(&mut self, prober: &'p Prober, board: &Board) -> Option<Rank> {
        let space = prober.space(SpaceId::of_board(board)).ok()?;
        let Ok(Location::Inside(position)) = space.locate(board) else { return None };
        let ranker = self.ranker.take().filter(|ranker| ranker.space().id() == space.id());
        Some(self.ranker.insert(ranker.unwrap_or_else(|| Ranker::new(space))).rank(&position))
    }
}

impl Counts {
    fn add(&mut self, row: &Row) {
        self.rows += 1;
        self.unsolvable += u64::from(row.distances[0].is_none());
        for (metric, distance) in row.distances.iter().enumerate() {
            if let Some(distance) = distance {
                add_at(&mut self.distances[metric], *distance as usize, 1);
            }
        }
    }

    fn merge(&mut self, other: &Counts) {
        self.rows += other.rows;
        self.unsolvable += other.unsolvable;
        for (metric, counts) in other.distances.iter().enumerate() {
            for (distance, &rows) in counts.iter().enumerate() {
                add_at(&mut self.distances[metric], distance, rows);
            }
        }
    }
}

fn add_at(counts: &mut Vec<u64>, index: usize, rows: u64) {
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += rows;
}
