//! The values of measures for every board of a cluster, cached.
//!
//! For puzzles that are searched again and again: a search then looks a state
//! up and works out nothing of it.

use super::Measure;
use crate::board::{Board, Metric};
use crate::cluster::family::{Family, Key};
use crate::cluster::{Bounds, Cluster};
use crate::domains::rush_hour::{Front, Scene};
use crate::search::Value;

/// What some measures say of all boards of one cluster.
#[derive(Debug)]
pub(crate) struct Notes {
    cluster: Cluster,
    measures: Vec<Measure>,
    /// The place of each measure in a row; its number beyond them if it has none.
    places: [u8; Measure::ALL.len()],
    /// A row for each board, a count for each measure.
    counts: Vec<u16>,
}

/// Stands for [`Value::INFINITE`].
const INFINITE: u16 = u16::MAX;

impl Notes {
    /// Caches the values of measures for the cluster of a board, if it is within
    /// the bounds. What is in front of the primary is known without it.
    pub fn new(
        start: &Board,
        family: &Family,
        metric: Metric,
        measures: &[Measure],
        bounds: Bounds,
    ) -> Option<Notes> {
        let front = Front { cells: 0, blockers: 0 };
        let asks_more = |measure: &&Measure| measure.of_front(front).is_none();
        let measures: Vec<Measure> = measures.iter().filter(asks_more).copied().collect();
        let mut places = [u8::MAX; Measure::ALL.len()];
        for (place, &measure) in measures.iter().enumerate() {
            places[measure as usize] = place as u8;
        }
        let cluster = Cluster::explore(start, metric, bounds).ok()?;
        let mut scene = Scene::of(start);
        let mut shown = family.key(start)?;
        let mut counts = Vec::with_capacity(cluster.len() * measures.len());
        for &key in cluster.keys() {
            scene.turn(family, shown, key);
            shown = key;
            for measure in &measures {
                counts.push(count(measure.of(&scene))?);
            }
        }
        Some(Notes { cluster, measures, places, counts })
    }

    /// Where the row of a board starts.
    #[inline]
    pub fn row(&self, key: Key) -> Option<usize> {
        Some(self.cluster.position(key)? * self.measures.len())
    }

    /// What a measure says of the board of this row, if it was asked.
    #[inline]
    pub fn value(&self, row: usize, measure: Measure) -> Option<Value> {
        let place = usize::from(self.places[measure as usize]);
        if place >= self.measures.len() {
            return None;
        }
        Some(match self.counts[row + place] {
            INFINITE => Value::INFINITE,
            count => Value::whole(u32::from(count)),
        })
    }
}

fn count(value: Value) -> Option<u16> {
    if !value.is_finite() {
        return Some(INFINITE);
    }
    let count = u16::try_from(value.thousandths() / Value::ONE.thousandths()).ok()?;
    (count != INFINITE && Value::whole(u32::from(count)) == value).then_some(count)
}
