//! Instances of other puzzles than Rush Hour: drawn, or those of a file.

use std::path::PathBuf;
use std::sync::Arc;

use tailback::dataset::{ExportError, Misfit, Schema, Source};
use tailback::puzzles::{Count, Draw, Instance, Oracle, rows};

use super::Export;
use crate::shared::{Failure, Global, PuzzleSource, Result, Watch, interrupt};

/// Where instances come from.
pub enum Which {
    Drawn(Count),
    File(PathBuf),
}

impl Export {
    /// Which instances are asked for.
    pub(super) fn which_instances(&self, global: &Global) -> Result<(Arc<dyn Oracle>, Which)> {
        let name = self.puzzle.named.name();
        let is_of_boards = self.filters.are_used()
            || self.filters.size.is_some()
            || self.whole_cluster.is_some()
            || self.whole_family.is_some()
            || self.per_distance_weighted
            || !self.with.is_empty()
            || self.options.no_table
            || self.options.limit.is_some();
        if is_of_boards {
            return Err(Failure::misused(format!(
                "{name} is drawn with --count, --per-distance and --distance, or read with --from FILE: leave \
                 the options for boards out"
            )));
        }
        if !self.format.has_instances {
            return Err(self.advice_on(Misfit::Instances));
        }
        let which = match (self.count, self.per_distance, &self.from) {
            (None, None, Some(path)) if self.distance.is_none() => Which::File(path.clone()),
            (Some(count), _, None) => Which::Drawn(Count::All(count)),
            (_, Some(count), None) => Which::Drawn(Count::PerDistance(count)),
            (None, None, None) => {
                return Err(Failure::misused(
                    "which instances? say --count N, --per-distance N or --from FILE",
                ));
            }
            _ => {
                return Err(Failure::misused(
                    "--count and --distance draw instances, and a file is taken whole: leave one of them out",
                ));
            }
        };
        let &[metric] = &self.metric.0[..] else {
            return Err(Failure::misused(format!("{name} has distances in one metric: leave --metric out")));
        };
        Ok((self.puzzle.open(metric, self.options.settings(global))?, which))
    }

    /// The instances with all that is said of them.
    pub(super) fn instances<'s>(
        &self,
        global: &Global,
        (oracle, which): (&Arc<dyn Oracle>, &Which),
        schema: &Schema,
    ) -> Result<Source<'s, Failure>> {
        let (instances, words): (Vec<Arc<dyn Instance>>, String) = match which {
            Which::Drawn(count) => {
                let draw = Draw {
                    count: *count,
                    size: None,
                    distances: self.distance,
                    seed: self.seed,
                    most: usize::MAX,
                };
                let at = self.distance.map_or(String::new(), |range| format!(" at distances {range}"));
                let words = match count {
                    Count::All(_) => format!("drawn at random{at}, all equally likely"),
                    Count::PerDistance(count) => format!("{count} at each distance{at}, drawn at random"),
                };
                let drawn = Watch::over(|watch| oracle.draw(&draw, watch))?;
                (drawn.into_iter().map(|labelled| labelled.instance).collect(), words)
            }
            Which::File(path) => {
                let source = PuzzleSource::File(path.clone());
                let set = source.some_puzzles(oracle, &self.options.reader(global), None)?;
                let words = format!("the instances of {}", path.display());
                (set.iter().map(|named| named.puzzle.clone()).collect(), words)
            }
        };
        let rows = Watch::over(|watch| rows(&instances, schema, self.seed, watch))?;
        match interrupt::is_raised() {
            true => Err(ExportError::Stopped.into()),
            false => Ok(Source::labelled(rows, words)),
        }
    }
}
