//! Instances as rows of datasets.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Instance, PuzzleError};
use crate::dataset::{Label, Row, Schema, Subject};
use crate::progress::Observer;

/// Puts its exact distance and the values of heuristics beside each instance. The
/// last actions that conditions ask about are drawn from the seed. If the observer wants
/// to stop, the rest has no row.
pub fn rows(
    instances: &[Arc<dyn Instance>],
    schema: &Schema,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<Row>, PuzzleError> {
    let row = |instance: &Arc<dyn Instance>| {
        let text = instance.text();
        let Some(distance) = instance.distance(observer)? else {
            return Err(PuzzleError::TooLarge { instance: text });
        };
        let values = instance.values(&schema.heuristics, seed, distance);
        let labels =
            schema.heuristics.iter().zip(values).map(|(heuristic, value)| Label::new(heuristic, value));
        Ok(Row {
            subject: Subject::Instance { text, group: instance.group() },
            rank: None,
            distances: [distance].into_iter().collect(),
            last_move: schema.needs_last_move().then(|| instance.last_action(seed)).flatten(),
            labels: labels.collect(),
            extras: Vec::new(),
        })
    };
    instances.par_iter().take_any_while(|_| !observer.wants_stop()).map(row).collect()
}
