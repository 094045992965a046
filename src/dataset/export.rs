//! From boards to files: in parallel, in order, in little memory.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::formats::Page;
use super::phases::{Phases, Step, UNIT};
use super::shares::{Shares, Uneven};
use super::{
    DataFile, Encoder, ExportError, Files, Given, Item, Labeller, PerMetric, Row, Schema, Source, Split,
    Subject,
};
use crate::board::{Board, Distance, Metric};
use crate::cluster::Bounds;
use crate::probe::{Prober, Session};
use crate::progress::{Observer, Progress};
use crate::space::{Location, Rank, Ranker, Space, SpaceId};

/// Boards that a thread labels at a time.
const SHARE: usize = 1024;
/// Pages that wait for being written: enough for every thread to have one.
const PAGES: usize = 128;

/// So many boards are kept in memory to be dealt out, some 400 MB; more go to
/// parts at random, and then shares hold well enough.
const MOST_DEALT: usize = 4_000_000;

/// How boards become rows, and which rows go where.
pub struct Export<'a> {
    /// Makes rows.
    pub labeller: Labeller<'a>,
    /// Makes bytes of them.
    pub encoder: &'a Encoder<'a>,
    /// Knows distances that nobody else does.
    pub prober: &'a Prober,
    /// How far a search for one of these may go.
    pub bounds: Bounds<'a>,
    /// Keep boards that cannot be solved?
    pub with_unsolvable: bool,
    /// The parts, if there are any.
    pub split: Option<&'a Split>,
    /// Decides the parts.
    pub split_seed: u64,
    /// Are families dealt out so that every distance has its shares? Otherwise they
    /// go by the seed alone, to the same parts in every dataset.
    pub deals_out: bool,
}

/// What went into a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FileCounts {
    /// All rows.
    pub rows: u64,
    /// Those that cannot be solved.
    pub unsolvable: u64,
    /// By metric: how many have each distance.
    pub distances: [Vec<u64>; 2],
}

/// What became of all boards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Totals {
    /// By file.
    pub files: Vec<FileCounts>,
    /// Boards left out because they cannot be solved.
    pub left_out: u64,
    /// Distances whose boards are not shared among the parts as asked for; none if
    /// there were too many boards to deal them out.
    pub uneven: Option<Vec<Uneven>>,
}

/// What a thread keeps.
struct Worker<'p> {
    session: Session,
    ranker: Option<Ranker<'p>>,
}

/// What became of some boards: by file the page and what is in it, and how many
/// boards have no row.
type Share = (Vec<(Page, FileCounts)>, u64);

impl<'a> Export<'a> {
    /// Writes all boards of a source into these files: one, or one for each
    /// part of the split.
    pub fn run<E: From<ExportError> + Send>(
        &self,
        mut source: Source<'_, E>,
        files: &mut Files<DataFile>,
        observer: &dyn Observer,
    ) -> Result<Totals, E> {
        let rows = source.total.unwrap_or(1);
        let [count, find] = source.costs;
        let costs = [count, find, self.encoder.format.cost(rows, self.labeller.schema)];
        let phases = Phases::new(observer, source.total, costs);
        let written = (phases.of(Step::Write), AtomicU64::new(0));
        let is_text = self.encoder.format.is_text();
        // Text is made by the threads; other files take their time over the rows.
        let total = source.total;
        let tell = |boards: usize| {
            let boards = boards as u64;
            let done = written.1.fetch_add(boards, Ordering::Relaxed) + boards;
            written.0.advanced(Progress { unit: UNIT, done, before: 0, total });
        };
        let mut totals = Totals { files: vec![FileCounts::default(); files.each.len()], ..Totals::default() };
        let parts = files.each.len();
        let (first, shares) = self.deal(&mut source, &phases, observer, &mut totals)?;
        let mut first = first.into_iter();
        let mut next = || first.next().map(Ok).or_else(|| (source.next)(&phases));
        while let Some(batch) = next() {
            let batch = batch?;
            if let Some(Item::Given(given)) = batch.first()
                && self.encoder.format.has_id
                && given.rank.is_none()
            {
                // Or every thread that asks for a rank would count all boards.
                let _ = self.prober.space(SpaceId::of_board(&given.board)).map(Space::sizes);
            }
            for pages in batch.chunks(PAGES * SHARE) {
                let shares = pages.par_chunks(SHARE).map_init(
                    || Worker { session: self.prober.session(), ranker: None },
                    |worker, items| {
                        let share = self.share(worker, items, (parts, &shares), observer);
                        if is_text {
                            tell(items.len());
                        }
                        // A search that was stopped knows no other error.
                        share.map_err(|error| match observer.wants_stop() {
                            true => ExportError::Stopped,
                            false => error,
                        })
                    },
                );
                let shares = shares.collect::<Result<Vec<_>, ExportError>>()?;
                for ((pages, left_out), items) in shares.into_iter().zip(pages.chunks(SHARE)) {
                    // Where every row is a file, writing takes long as well.
                    if observer.wants_stop() {
                        return Err(ExportError::Stopped.into());
                    }
                    totals.left_out += left_out;
                    for ((page, its), (file, counts)) in
                        pages.iter().zip(files.each.iter_mut().zip(&mut totals.files))
                    {
                        file.append(page)?;
                        counts.merge(its);
                    }
                    if !is_text {
                        tell(items.len());
                    }
                }
            }
        }
        match observer.wants_stop() {
            true => Err(ExportError::Stopped.into()),
            false => Ok(totals),
        }
    }

    /// The first boards, and what part their families are in: if these are all, they
    /// are dealt out so that every distance has its share.
    fn deal<E: From<ExportError> + Send>(
        &self,
        source: &mut Source<'_, E>,
        phases: &Phases,
        observer: &dyn Observer,
        totals: &mut Totals,
    ) -> Result<(Vec<Vec<Item>>, Shares), E> {
        let Some(split) = self.split.filter(|_| self.deals_out) else { return Ok(Default::default()) };
        let mut batches: Vec<Vec<Item>> = Vec::new();
        let mut boards = 0;
        while let Some(batch) = (source.next)(phases) {
            let batch = batch?;
            boards += batch.len();
            batches.push(batch);
            if boards > MOST_DEALT {
                return Ok((batches, Shares::default()));
            }
        }
        let items: Vec<&Item> = batches.iter().flatten().collect();
        let found = items.par_iter().map_init(
            || Worker { session: self.prober.session(), ranker: None },
            |worker, item| match observer.wants_stop() {
                true => Err(ExportError::Stopped),
                false => self.family_and_distance(worker, item),
            },
        );
        let found = found.collect::<Result<Vec<_>, ExportError>>()?;
        let kept = found.into_iter().filter(|(_, distance)| self.with_unsolvable || distance.is_solvable());
        let (shares, uneven) = Shares::of(split, self.split_seed, kept);
        totals.uneven = Some(uneven);
        Ok((batches, shares))
    }

    fn family_and_distance(
        &self,
        worker: &mut Worker<'a>,
        item: &Item,
    ) -> Result<(u64, Distance), ExportError> {
        match item {
            Item::Drawn(drawn) => {
                let space = self.prober.space(drawn.space).expect("a table has it");
                Ok((space.board(&drawn.position).family(), drawn.distances[0]))
            }
            Item::Given(given) => {
                let distance = match &given.distances {
                    Some(distances) => distances[0],
                    None => {
                        worker.distances(&given.board, &self.labeller.schema.metrics[..1], self.bounds)?[0]
                    }
                };
                Ok((given.board.family(), distance))
            }
            Item::Labelled(row) => Ok((row.subject.group(), row.distances[0])),
        }
    }

    fn share(
        &self,
        worker: &mut Worker<'a>,
        items: &[Item],
        (parts, shares): (usize, &Shares),
        observer: &dyn Observer,
    ) -> Result<Share, ExportError> {
        let mut rows: Vec<(Vec<Row>, FileCounts)> = vec![Default::default(); parts];
        let mut left_out = 0;
        for item in items {
            if observer.wants_stop() {
                return Err(ExportError::Stopped);
            }
            let Some(row) = self.row(worker, item)? else {
                left_out += 1;
                continue;
            };
            let part = self.split.map_or(0, |split| {
                let group = row.subject.group();
                shares.part(group).unwrap_or_else(|| split.part_of(group, self.split_seed))
            });
            rows[part].1.add(&row);
            rows[part].0.push(row);
        }
        let page = |(rows, counts)| Ok((self.encoder.page(rows, self.bounds)?, counts));
        Ok((rows.into_iter().map(page).collect::<Result<_, ExportError>>()?, left_out))
    }

    fn row(&self, worker: &mut Worker<'a>, item: &Item) -> Result<Option<Row>, ExportError> {
        let metrics = &self.labeller.schema.metrics;
        match item {
            Item::Labelled(row) => {
                Ok((self.with_unsolvable || row.distances[0].is_solvable()).then(|| (**row).clone()))
            }
            Item::Drawn(drawn) if !self.with_unsolvable && !drawn.is_solvable() => Ok(None),
            Item::Drawn(drawn) => {
                let space = self.prober.space(drawn.space).expect("a table has it");
                let board = space.board(&drawn.position);
                let row = self.labeller.row(board, Some(drawn.rank), drawn.distances(metrics.len()));
                self.completed(worker, row).map(Some)
            }
            Item::Given(given) => {
                let Given { board, distances, rank } = &**given;
                let distances = match distances {
                    Some(distances) => distances.clone(),
                    None => worker.distances(board, metrics, self.bounds)?,
                };
                if !self.with_unsolvable && !distances[0].is_solvable() {
                    return Ok(None);
                }
                let rank = match rank {
                    None if self.encoder.format.has_id => worker.rank(self.prober, board),
                    rank => *rank,
                };
                self.completed(worker, self.labeller.row(board.clone(), rank, distances)).map(Some)
            }
        }
    }

    /// The row with its extras.
    fn completed(&self, worker: &mut Worker<'a>, mut row: Row) -> Result<Row, ExportError> {
        let Schema { extras, metrics, .. } = self.labeller.schema;
        if let Subject::Board(board) = &row.subject {
            for extra in extras {
                let told = extra.of(board, metrics[0], &mut worker.session, self.bounds);
                row.extras.push(told.map_err(|error| ExportError::of_board(board, metrics[0], error))?);
            }
        }
        Ok(row)
    }
}

impl<'p> Worker<'p> {
    fn distances(
        &mut self,
        board: &Board,
        metrics: &[Metric],
        bounds: Bounds,
    ) -> Result<PerMetric<Distance>, ExportError> {
        let distance = |&metric: &Metric| {
            let found = self.session.distance(board, metric, bounds);
            let (distance, _) = found.map_err(|error| ExportError::of_board(board, metric, error))?;
            Ok(distance)
        };
        metrics.iter().map(distance).collect()
    }

    fn rank(&mut self, prober: &'p Prober, board: &Board) -> Option<Rank> {
        let space = prober.space(SpaceId::of_board(board))?;
        let Ok(Location::Inside(position)) = space.locate(board) else { return None };
        let ranker = self.ranker.take().filter(|ranker| ranker.space().id() == space.id());
        Some(self.ranker.insert(ranker.unwrap_or_else(|| Ranker::new(space))).rank(&position))
    }
}

impl FileCounts {
    fn add(&mut self, row: &Row) {
        self.rows += 1;
        self.unsolvable += u64::from(!row.distances[0].is_solvable());
        for (metric, distance) in row.distances.iter().enumerate() {
            if let Some(distance) = distance.known() {
                add_at(&mut self.distances[metric], distance as usize, 1);
            }
        }
    }

    fn merge(&mut self, other: &FileCounts) {
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
