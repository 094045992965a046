//! Where the boards of a dataset come from.

use arrayvec::ArrayVec;

use super::phases::{Phases, Step};
use super::strata::BATCH as STRATA_BATCH;
use super::{Draw, Drawn, ExportError, Given, Item, Row, Schema, Shape, Strata, Stratum, Tables};
use crate::board::{Board, Distance, Metric};
use crate::catalogue::{Catalogue, CatalogueError, Puzzle, Query, Range};
use crate::cluster::{Bounds, Cluster, Relatives};
use crate::probe::Prober;
use crate::progress::Observer;
use crate::space::Rank;
use crate::table::Census;

/// Given boards that are labelled at a time.
const BATCH: usize = 1 << 13;

/// Boards in batches, and what is known of them as a whole. `E` is what can go
/// wrong on the way.
pub struct Source<'s, E> {
    /// How many, if that is known.
    pub total: Option<u64>,
    /// Which boards there are to choose from.
    pub rules: &'static str,
    /// Rows and columns of all boards, if they have the same.
    pub size: Option<usize>,
    /// How they were chosen, in words.
    pub boards: String,
    /// Nanoseconds that it takes to count a table, and to find all boards.
    pub(super) costs: [u64; 2],
    pub(super) next: Box<Next<'s, E>>,
}

/// The next batch; none after the last.
type Next<'s, E> = dyn FnMut(&Phases) -> Option<Result<Vec<Item>, E>> + 's;

/// Why there is no such dataset.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// There are fewer boards than are wanted.
    #[error("there are only {boards} such boards")]
    TooFewBoards {
        /// How many.
        boards: u64,
    },
    /// No board has such a distance.
    #[error("no board has such a distance")]
    NoSuchDistance,
    /// Nobody has counted the boards of a shape, so nothing can be shared out by
    /// how many each distance has.
    #[error("how many boards of a shape each distance has is not known")]
    UncountedShape,
    /// There are fewer puzzles than are wanted, or none.
    #[error("only {matching} puzzles match")]
    TooFewPuzzles {
        /// How many.
        matching: u64,
    },
    /// No board of the cluster can be solved.
    #[error("no board of this cluster can be solved")]
    UnsolvableCluster,
    /// No table has the boards of the family.
    #[error("no table has this board")]
    NoTable,
    /// Boards cannot be found.
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Boards to be drawn from the tables.
#[derive(Clone, Copy)]
pub struct Lot<'t> {
    /// The tables.
    pub tables: Tables<'t>,
    /// How many, and how they are shared among the distances.
    pub wanted: Wanted,
    /// Only boards at these distances in the first metric.
    pub distances: Option<Range>,
    /// Draw boards that cannot be solved as well?
    pub with_unsolvable: bool,
    /// Only boards of this shape. They are looked for among all: the rarer
    /// they are, the longer that takes.
    pub shape: Option<&'t Shape>,
    /// The random seed.
    pub seed: u64,
}

/// How many boards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// So many, all equally likely.
    Count(u64),
    /// So many, shared among the distances by [`Stratum::by_root`].
    ByRoot(u64),
    /// So many at each distance, or all where there are fewer.
    PerDistance(u64),
}

impl<'t> Lot<'t> {
    /// How many boards there are to draw from at each distance that has some.
    pub fn histogram(&self) -> Vec<(Distance, u64)> {
        let is_wanted = |distance: Distance| match distance.known() {
            None => self.with_unsolvable,
            Some(distance) => self.distances.is_none_or(|range| range.contains(distance.into())),
        };
        self.tables
            .histogram()
            .iter()
            .filter(|&(distance, boards)| boards > 0 && is_wanted(distance))
            .collect()
    }

    /// What is drawn at which distances.
    fn strata(&self) -> Result<Vec<Stratum>, SourceError> {
        let histogram = self.histogram();
        let boards = histogram.iter().map(|(_, boards)| boards).sum();
        let distances = || histogram.iter().map(|(distance, _)| *distance).collect();
        match self.wanted {
            _ if boards == 0 => Err(SourceError::NoSuchDistance),
            Wanted::ByRoot(_) if self.shape.is_some() => Err(SourceError::UncountedShape),
            Wanted::PerDistance(wanted) => Ok(Stratum::each(&histogram, wanted)),
            Wanted::Count(wanted) | Wanted::ByRoot(wanted) if wanted > boards => {
                Err(SourceError::TooFewBoards { boards })
            }
            Wanted::ByRoot(wanted) => Ok(Stratum::by_root(&histogram, wanted)),
            Wanted::Count(wanted) => Ok(vec![Stratum { distances: distances(), wanted }]),
        }
    }

    fn in_words(&self) -> String {
        let metric = self.tables.by_metric[0].header().contents.metric;
        let distances = self
            .distances
            .map_or(format!("distances in {metric}"), |range| format!("distances {range} in {metric}"));
        match (self.wanted, self.distances) {
            (Wanted::PerDistance(count), _) => format!("{count} at each of the {distances}, drawn by lot"),
            (Wanted::ByRoot(_), _) => format!(
                "drawn by lot, shared among the {distances} by the square root of how many boards each has"
            ),
            (Wanted::Count(_), Some(_)) => format!("drawn by lot at the {distances}, all equally likely"),
            (Wanted::Count(_), None) => "drawn by lot, all equally likely".to_owned(),
        }
    }

    /// All boards at once, in the order in which they are drawn.
    pub fn drawn(&self, observer: &dyn Observer) -> Result<Vec<Drawn>, SourceError> {
        let mut source = self.source::<ExportError>()?;
        let [count, find] = source.costs;
        let phases = Phases::new(observer, source.total, [count, find, 0]);
        let mut drawn = Vec::new();
        while let Some(batch) = (source.next)(&phases) {
            drawn.extend(batch?.into_iter().filter_map(|item| match item {
                Item::Drawn(board) => Some(board),
                Item::Given(_) | Item::Labelled(_) => None,
            }));
        }
        Ok(drawn)
    }

    /// The boards. A table is counted first, and searched once for every
    /// million of them, if they are drawn by their distances.
    pub fn source<E: From<ExportError>>(&self) -> Result<Source<'t, E>, SourceError> {
        /// Nanoseconds on one core: a board that is counted or passed, one that
        /// is looked up by its rank, a signature of 6×6 that is laid out for it.
        const PASS: f64 = 0.4;
        const LOOK_UP: f64 = 12_000.0;
        const LAY_OUT: f64 = 1_300_000.0;
        // The part of a table that one board is found in: the larger a
        // signature, the more often it is searched.
        const REACH: f64 = 1.0 / 8192.0;

        let Lot { tables, wanted, seed, with_unsolvable, shape, .. } = *self;
        // Of a shape there may be fewer than are wanted, which shows at the end.
        let enough = move |found: u64| match wanted {
            Wanted::Count(count) | Wanted::ByRoot(count) => found == count,
            Wanted::PerDistance(_) => found > 0,
        };
        let end = move |found: u64| {
            (!enough(found)).then(|| Err(ExportError::TooFewBoards { boards: found }.into()))
        };
        let boards = tables.space().boards() as f64;
        let strata = self.strata()?;
        let total: u64 = strata.iter().map(|stratum| stratum.wanted).sum();
        let (costs, next): ([f64; 2], Box<Next<'t, E>>) = match self.wanted {
            Wanted::Count(count) if self.distances.is_none() => {
                let mut draw = Draw::new(tables, count, seed, with_unsolvable).of_shape(shape);
                let next = move |phases: &Phases| match draw.next_batch(&phases.of(Step::Find)) {
                    Some(drawn) => Some(items(drawn)),
                    None => end(draw.found()),
                };
                let laid_out = (count as f64).min(1.0 / REACH);
                ([0.0, LOOK_UP * count as f64 + LAY_OUT * laid_out], Box::new(next))
            }
            _ => {
                let passes = total.div_ceil(STRATA_BATCH as u64) as f64;
                let find = (PASS * boards * passes).min(PASS * boards * REACH * total as f64);
                let mut under_way = None;
                let next = move |phases: &Phases| {
                    if under_way.is_none() {
                        match census(tables, phases) {
                            Ok(census) => {
                                let strata = Strata::new(tables, census, strata.clone(), seed);
                                under_way = Some(strata.of_shape(shape));
                            }
                            Err(error) => return Some(Err(error.into())),
                        }
                    }
                    let under_way = under_way.as_mut()?;
                    match under_way.next_batch(&phases.of(Step::Find)) {
                        Some(drawn) => Some(items(drawn)),
                        None => end(under_way.found()),
                    }
                };
                ([PASS * boards, find], Box::new(next))
            }
        };
        Ok(Source {
            total: Some(total),
            rules: "all",
            size: Some(tables.space().size()),
            boards: self.in_words(),
            costs: costs.map(|cost| cost as u64),
            next,
        })
    }
}

fn census(tables: Tables, phases: &Phases) -> Result<Census, ExportError> {
    let table = tables.by_metric[0];
    let census = Census::kept(table, &phases.of(Step::Count));
    census.map_err(|error| ExportError::of_table(table, error))?.ok_or(ExportError::Stopped)
}

fn items<E: From<ExportError>>(drawn: Result<Vec<Drawn>, ExportError>) -> Result<Vec<Item>, E> {
    Ok(drawn?.into_iter().map(Item::Drawn).collect())
}

impl<'s, E: From<ExportError> + 's> Source<'s, E> {
    /// The puzzles of a catalogue that match a query: `wanted` of them at least
    /// if the query has a limit. The words say what the query asks for.
    pub fn puzzles(
        catalogue: &'s Catalogue,
        query: &Query,
        words: &str,
        schema: &'s Schema,
    ) -> Result<Source<'s, E>, SourceError> {
        let puzzles = catalogue.select(query).map_err(ExportError::from)?;
        let (total, matching) = (puzzles.len(), puzzles.matching() as u64);
        if total == 0 || query.limit.is_some_and(|limit| limit > total) {
            return Err(SourceError::TooFewPuzzles { matching });
        }
        let given = |puzzle: Result<Puzzle, CatalogueError>| {
            let puzzle = puzzle.map_err(ExportError::from)?;
            let distances = schema.metrics.iter().map(|metric| match metric {
                Metric::Moves => Distance::of(puzzle.moves()),
                Metric::Steps => Distance::of(puzzle.steps()),
            });
            let board = puzzle.board().map_err(ExportError::from)?;
            Ok(Given { board, distances: Some(distances.collect()), rank: Some(Rank(puzzle.id())) })
        };
        let which = catalogue.contents().name();
        let order = if query.random.is_some() { "drawn by lot" } else { "by falling moves" };
        Ok(Source {
            total: Some(total as u64),
            rules: query.rules.name(),
            size: Some(catalogue.size()),
            boards: format!("puzzles of the {which} catalogue, {order}: {words}"),
            ..Source::given(puzzles.map(given), String::new())
        })
    }

    /// Every board that can be reached from one, by rising distance, if they are
    /// within the bounds.
    pub fn cluster(
        board: &Board,
        schema: &Schema,
        with_unsolvable: bool,
        bounds: Bounds,
    ) -> Result<Source<'s, E>, SourceError> {
        let mut clusters: ArrayVec<Cluster, 2> = ArrayVec::new();
        for &metric in schema.metrics.iter() {
            let cluster = Cluster::explore(board, metric, bounds);
            clusters.push(cluster.map_err(|error| ExportError::of_cluster(board, metric, error))?);
        }
        if !clusters[0].is_solvable() && !with_unsolvable {
            return Err(SourceError::UnsolvableCluster);
        }
        let (total, size) = (clusters[0].len(), Some(board.size()));
        let words = format!("the whole cluster of {}", board.text());
        let given = move |index: usize| {
            let (board, distance) = clusters[0].nth(index);
            let in_other = |other: &Cluster| {
                other.distance(&board).expect("a cluster has the same boards in all metrics")
            };
            let others = clusters[1..].iter().map(in_other);
            let distances = Some([distance].into_iter().chain(others).collect());
            Ok(Given { distances, ..Given::new(board) })
        };
        let source = Source::given((0..total).map(given), words);
        Ok(Source { total: Some(total as u64), size, ..source })
    }

    /// Every board with the same vehicles in the same lines, if the prober has
    /// a table of them.
    pub fn family(board: &Board, schema: &Schema, prober: &Prober) -> Result<Source<'s, E>, SourceError> {
        for &metric in schema.metrics.iter() {
            let searched = prober.session().needs_search(board, metric);
            if searched.map_err(|error| ExportError::of_cluster(board, metric, error))? {
                return Err(SourceError::NoTable);
            }
        }
        let given = |board| Ok(Given::new(board));
        let words = format!("the whole family of {}", board.text());
        Ok(Source { size: Some(board.size()), ..Source::given(Relatives::of(board).map(given), words) })
    }

    /// Boards that somebody gives, and how they were chosen; an error ends them.
    pub fn given(mut boards: impl Iterator<Item = Result<Given, E>> + 's, words: String) -> Source<'s, E> {
        let next = move |_: &Phases| {
            let item = |given: Result<Given, E>| Ok(Item::Given(Box::new(given?)));
            let batch: Result<Vec<Item>, E> = boards.by_ref().take(BATCH).map(item).collect();
            match &batch {
                Ok(items) if items.is_empty() => None,
                _ => Some(batch),
            }
        };
        Source { total: None, rules: "given", size: None, boards: words, costs: [0; 2], next: Box::new(next) }
    }

    /// Instances of which all is known, and how they were chosen.
    pub fn labelled(rows: Vec<Row>, words: String) -> Source<'s, E> {
        let total = rows.len() as u64;
        let items = rows.into_iter().map(|row| Item::Labelled(Box::new(row))).collect();
        let batch = std::iter::once(Ok(items)).filter(move |_| total > 0);
        Source { total: Some(total), boards: words, ..Source::batches(batch) }
    }

    /// Boards in batches that are made already.
    pub fn batches(mut batches: impl Iterator<Item = Result<Vec<Item>, E>> + 's) -> Source<'s, E> {
        let next = Box::new(move |_: &Phases| batches.next());
        Source { next, ..Source::given(std::iter::empty(), String::new()) }
    }
}
