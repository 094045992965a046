//! Sets of instances, and searches of them that are compared.

use std::fmt;
use std::sync::Arc;

use super::{Instance, Oracle, PuzzleError};
use crate::formula::Heuristic;
use crate::probe::ProbeError;
use crate::search::{self, Contest, Limits, Report, Rules, Stop};

/// A way to search.
pub type Method = search::Method<Heuristic>;

/// Instances with names, in order.
pub type PuzzleSet = search::PuzzleSet<Notation>;

/// The text is no set of instances.
pub type SetError = search::SetError<PuzzleError>;

/// How instances are written in sets.
#[derive(Clone)]
pub struct Notation(pub Arc<dyn Oracle>);

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Notation({:?})", self.0.puzzle())
    }
}

impl search::Notation for Notation {
    type Puzzle = Arc<dyn Instance>;
    type Error = PuzzleError;

    fn is_head(&self, line: &str) -> bool {
        let mut columns = line.split('\t');
        columns.next() == Some("name") && matches!(columns.next(), Some("board" | "instance"))
    }

    fn read<'l>(&self, line: &'l str) -> Result<(Option<&'l str>, Arc<dyn Instance>), PuzzleError> {
        self.0.read(line)
    }
}

/// The set of the program with this name.
pub fn named_set(oracle: &Arc<dyn Oracle>, name: &str) -> Result<PuzzleSet, PuzzleError> {
    let sets = oracle.puzzle().sets();
    let Some((_, text)) = sets.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = sets.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return Err(PuzzleError::Text(format!("there is no set '{name}': the sets are {names}")));
    };
    Ok(PuzzleSet::parse(name, *text, Notation(oracle.clone())).expect("it is part of the program"))
}

/// Searches instances for a [`Comparison`](search::Comparison).
#[derive(Clone, Copy, Debug, Default)]
pub struct Bench {
    /// How searches go on and count.
    pub rules: Rules,
}

impl Contest for Bench {
    type Puzzle = Arc<dyn Instance>;
    type Heuristic = Heuristic;
    type Error = PuzzleError;

    fn search(
        &self,
        instance: &Arc<dyn Instance>,
        method: &Method,
        limits: &Limits,
    ) -> Result<Report<()>, PuzzleError> {
        let prepared = instance.prepared(&[], 0, &());
        match prepared.search(method.algorithm, method.heuristic.as_ref(), self.rules, limits) {
            // What `perfect` would need is too large.
            Err(PuzzleError::Probe(ProbeError::Cluster(_))) => Ok(Report::not_begun(Stop::Memory)),
            Err(PuzzleError::Stopped) => Ok(Report::not_begun(Stop::Interrupted)),
            report => report,
        }
    }

    fn distance(&self, instance: &Arc<dyn Instance>) -> Result<Option<Option<u32>>, PuzzleError> {
        match instance.distance(&()) {
            Err(PuzzleError::Stopped) => Ok(None),
            distance => distance,
        }
    }
}
