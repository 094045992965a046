//! Is what a dataset says of its boards exact?

mod checked;
mod columns;
mod summary;

use std::sync::atomic::{AtomicU64, Ordering};

use super::hh_evolver::{Claimed, Instance};
use super::{Labeller, Schema};
use crate::board::{Board, Distance, Metric};
use crate::cluster::Bounds;
use crate::formula::Heuristic;
use crate::probe::{ProbeError, Session, Source};

pub use self::checked::{Checked, Fault, Number, WrongValue};
pub use self::columns::ColumnError;
pub use self::summary::{Column, LargestError, OtherMetric, Summary};

/// While fewer wrong distances than this took a search in the other metric, the
/// next lines may: what the file was made in is known by then.
const ASIDE: u64 = 100;

/// Checks instances against exact distances and heuristics.
pub struct Audit {
    schema: Schema,
    seed: Option<u64>,
    /// The column of the distances, unless it has a usual name.
    pub distance_column: Option<String>,
    searched_aside: AtomicU64,
}

impl Audit {
    /// An audit of distances in a metric, and of the columns after them if they
    /// are named. Conditions ask about the last move, which only a seed tells.
    pub fn new(metric: Metric, heuristics: &[Heuristic], seed: Option<u64>) -> Audit {
        let schema = Schema {
            metrics: [metric].into_iter().collect(),
            heuristics: heuristics.to_vec(),
            extras: Vec::new(),
        };
        Audit { schema, seed, distance_column: None, searched_aside: AtomicU64::new(0) }
    }

    fn metric(&self) -> Metric {
        self.schema.metrics[0]
    }

    /// Checks the instance of a line, whose board this is.
    pub fn check(
        &self,
        session: &mut Session,
        line: usize,
        (board, instance): (&Board, &Instance),
        bounds: Bounds,
    ) -> Result<Checked, ProbeError> {
        let (found, source) = session.distance(board, self.metric(), bounds)?;
        let (is_other_metric, was_searched) = match (instance.claimed, found.known()) {
            (Claimed::Distance(claimed), Some(found)) if claimed != f64::from(found) => {
                // The count changes between batches only, whatever the threads do.
                let is_early = self.searched_aside.load(Ordering::Relaxed) < ASIDE;
                let may_search = is_early || source == Source::Search;
                // What has no answer there is wrong here all the same.
                self.look_aside(session, board, (claimed, found), may_search, bounds).unwrap_or_default()
            }
            _ => (None, false),
        };
        let fault = Fault::of(instance.claimed, found);
        let wrong_values = self.wrong_values(board, found, &instance.values);
        Ok(Checked {
            line,
            board: board.text(),
            claimed: instance.claimed,
            found,
            agrees: fault.is_none() && wrong_values.is_empty(),
            fault,
            is_other_metric,
            searched_aside: was_searched && source != Source::Search,
            wrong_values,
            source,
            repeated: false,
            shape: board.shape(),
        })
    }

    /// Is a wrong distance the right one in the other metric, if that can be
    /// told? And did that take a search?
    fn look_aside(
        &self,
        session: &mut Session,
        board: &Board,
        (claimed, found): (f64, u32),
        may_search: bool,
        bounds: Bounds,
    ) -> Result<(Option<bool>, bool), ProbeError> {
        let other = other(self.metric());
        // No board takes fewer steps than moves.
        let could_be = match self.metric() {
            Metric::Moves => claimed > f64::from(found),
            Metric::Steps => claimed < f64::from(found),
        };
        if !could_be || claimed.fract() != 0.0 {
            return Ok((Some(false), false));
        }
        if !may_search && session.needs_search(board, other)? {
            return Ok((None, false));
        }
        let (distance, source) = session.distance(board, other, bounds)?;
        Ok((Some(distance.known().map(f64::from) == Some(claimed)), source == Source::Search))
    }

    fn wrong_values(&self, board: &Board, found: Distance, values: &[Option<f64>]) -> Vec<WrongValue> {
        if self.schema.heuristics.is_empty() {
            return Vec::new();
        }
        let labeller = Labeller { schema: &self.schema, seed: self.seed.unwrap_or_default() };
        let row = labeller.row(board.clone(), None, [found].into_iter().collect());
        let columns = self.schema.heuristics.iter().zip(values).zip(row.labels).enumerate();
        columns
            .filter(|(_, ((heuristic, _), _))| self.is_checked(heuristic))
            .filter_map(|(column, ((heuristic, &claimed), label))| {
                WrongValue::of(column, heuristic, claimed, label)
            })
            .collect()
    }

    fn is_checked(&self, heuristic: &Heuristic) -> bool {
        self.seed.is_some() || !heuristic.needs_parent()
    }
}

/// What a dataset may have been made in by mistake.
fn other(metric: Metric) -> Metric {
    match metric {
        Metric::Moves => Metric::Steps,
        Metric::Steps => Metric::Moves,
    }
}
