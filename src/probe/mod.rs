//! Answers about any board: from the table where it has the board, by rule
//! where no look-up is needed, by searching the board's cluster otherwise.
//!
//! A [`Prober`] knows a folder of tables and opens each when it is first
//! needed; its clones share them. A [`Session`] owns such a clone and answers one
//! question at a time: it remembers the frames it decoded, so a whole solution
//! costs little more than its first board. Each question says how far a search for
//! its answer may go, and the answer where it came from.
//!
//! ```
//! use tailback::board::{Board, Distance, Metric};
//! use tailback::cluster::Bounds;
//! use tailback::probe::{Prober, Source};
//!
//! let board = Board::parse(
//!     "..B...
//!      ..B.CC
//!      AAB..D
//!      .....D
//!      EE...D
//!      ......",
//! )?;
//! let prober = Prober::without_tables();
//! let answer = prober.session().solve(&board, Metric::Moves, Bounds::default())?;
//! assert_eq!(answer.distance, Distance::of(3));
//! assert_eq!(answer.source, Source::Search);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claim;
mod grade;
mod kept;
mod reason;

use std::collections::hash_map::Entry;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::board::{Board, Distance, Metric, Move};
use crate::cluster::{self, Bounds, Cluster, ClusterError};
use crate::space::position::blocked_by_rule;
use crate::space::{Location, Position, Rank, Space, SpaceId};
use crate::table::{Probe, Table, TableError, file_name};

pub use claim::{Claim, ClaimError, FoundNumbers, Numbers};
pub use grade::{Grade, GradeError, GradedMove, IllegalMove, read_moves};
use kept::Kept;
pub use reason::{Reason, Why};

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The table of the board's size and walls.
    Table,
    /// A rule: a vehicle or wall right of the primary can never leave.
    Rule,
    /// A search of the board's cluster, on the spot.
    Search,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search was too large, or stopped.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
}

/// A board's distance and that of every move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rating {
    /// The distance.
    pub distance: Distance,
    /// Where the answer comes from.
    pub source: Source,
    /// Every legal move with the distance after it, best first.
    pub moves: Vec<(Move, Distance)>,
}

/// A board's distance and one optimal solution.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The distance.
    pub distance: Distance,
    /// Where the answer comes from.
    pub source: Source,
    /// The moves; none if the board cannot be solved.
    pub solution: Option<Vec<Move>>,
}

/// The tables of a folder, opened when they are first needed. A clone is the same
/// prober, for another owner.
#[derive(Debug, Clone, Default)]
pub struct Prober(Arc<Tables>);

/// What a prober has opened.
#[derive(Debug, Default)]
struct Tables {
    folder: Option<PathBuf>,
    /// Tables are mapped. Only [`Prober::mapping`] sets it.
    maps: bool,
    spaces: Kept<SpaceId, Arc<Space>>,
    /// Nothing where the folder has no table.
    tables: Kept<(SpaceId, Metric), Option<Arc<Table>>>,
    /// The walls that some table of the folder is of. There are so many sets of
    /// walls that nothing is kept of those without one.
    walled: OnceLock<Vec<SpaceId>>,
}

impl Prober {
    /// Answers from the tables in a folder, which has to be there, and by search where it
    /// has none.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Prober, TableError> {
        let path = folder.into();
        if path.is_dir() { Ok(Prober::new(path)) } else { Err(TableError::NoFolder { path }) }
    }

    /// The same for a folder that may never be there: then all is searched.
    pub fn new(folder: impl Into<PathBuf>) -> Prober {
        Prober(Arc::new(Tables { folder: Some(folder.into()), ..Tables::default() }))
    }

    /// The same, and tables are mapped into memory instead of read from files: see
    /// [`Table::map`].
    ///
    /// # Safety
    ///
    /// Nobody may change or cut the tables of the folder while this prober, or a
    /// session of it, lives.
    pub unsafe fn mapping(folder: impl Into<PathBuf>) -> Prober {
        Prober(Arc::new(Tables { folder: Some(folder.into()), maps: true, ..Tables::default() }))
    }

    /// Answers by search alone.
    pub fn without_tables() -> Prober {
        Prober::default()
    }

    /// A session for one thread at a time.
    pub fn session(&self) -> Session {
        Session { prober: self.clone(), probes: FxHashMap::default() }
    }

    /// The space with an id, which stays as long as the prober. None if it has
    /// walls and there is no table of it.
    pub fn space(&self, id: SpaceId) -> Option<&Space> {
        if id.walls != 0 && !self.walled().contains(&id) {
            return None;
        }
        self.0.spaces.get_or_make(id, || Space::tabulated(id)).ok().map(|space| &**space)
    }

    /// The spaces with walls that the folder has a table of.
    fn walled(&self) -> &[SpaceId] {
        self.0.walled.get_or_init(|| {
            let tables = self.0.folder.iter().flat_map(|folder| Table::list(folder));
            tables.map(|(space, _)| space).filter(|space| space.walls != 0).collect()
        })
    }

    /// The table for the boards of a space, if the folder has one.
    pub fn table(&self, id: SpaceId, metric: Metric) -> Result<Option<&Arc<Table>>, TableError> {
        let (Some(folder), Some(_)) = (&self.0.folder, self.space(id)) else {
            return Ok(None);
        };
        let opened = || match self.0.maps {
            // SAFETY: whoever called `mapping` promised it.
            true => unsafe { Table::map(folder, id, metric) },
            false => Table::open(folder, id, metric),
        };
        let open = || match opened() {
            Ok(table) => Ok(Some(Arc::new(table))),
            Err(TableError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        };
        Ok(self.0.tables.get_or_make((id, metric), open)?.as_ref())
    }

    /// The table for the boards of a space, which has to be there.
    pub fn required(&self, id: SpaceId, metric: Metric) -> Result<Arc<Table>, TableError> {
        let missing = || {
            let folder = self.0.folder.clone().unwrap_or_default();
            TableError::Missing { path: folder.join(file_name(id, metric)), space: id, metric }
        };
        self.table(id, metric)?.cloned().ok_or_else(missing)
    }
}

/// Where a single board's answer is to be found.
enum AnswerPlace {
    Table(Position),
    Rule,
    Search,
}

/// Answers to one question after another.
///
/// It can be kept anywhere and moved to another thread: it owns its share of the
/// prober. A search for an answer goes as far as the bounds of the question say.
pub struct Session {
    prober: Prober,
    probes: FxHashMap<(SpaceId, Metric), Option<Probe>>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("prober", &self.prober).finish_non_exhaustive()
    }
}

impl Session {
    /// The prober whose tables it asks.
    pub fn prober(&self) -> &Prober {
        &self.prober
    }

    /// The distance of a board and where the answer comes from.
    pub fn distance(
        &mut self,
        board: &Board,
        metric: Metric,
        bounds: Bounds,
    ) -> Result<(Distance, Source), ProbeError> {
        match self.place(board, metric)? {
            AnswerPlace::Rule => Ok((Distance::UNSOLVABLE, Source::Rule)),
            AnswerPlace::Table(position) => Ok((self.look_up(&position, board, metric)?, Source::Table)),
            AnswerPlace::Search => {
                let solution = cluster::solve(board, metric, bounds)?;
                Ok((solution.map(|s| s.distance).into(), Source::Search))
            }
        }
    }

    /// The distance of a board and of every move.
    pub fn rate(&mut self, board: &Board, metric: Metric, bounds: Bounds) -> Result<Rating, ProbeError> {
        match self.place(board, metric)? {
            AnswerPlace::Rule => {
                let after = |&mv: &Move| (mv, Distance::UNSOLVABLE);
                let moves = board.moves_in(metric).iter().map(after).collect();
                Ok(Rating { distance: Distance::UNSOLVABLE, source: Source::Rule, moves })
            }
            AnswerPlace::Table(position) => {
                let distance = self.look_up(&position, board, metric)?;
                let mut moves = Vec::new();
                for &mv in &board.moves_in(metric) {
                    let after = match distance.is_solvable() {
                        true => self.after(board, mv, metric)?,
                        // No move makes an unsolvable board solvable.
                        false => Distance::UNSOLVABLE,
                    };
                    moves.push((mv, after));
                }
                // Unsolvable last; equals stay in the order of the board's moves.
                moves.sort_by_key(|&(_, after)| after);
                Ok(Rating { distance, source: Source::Table, moves })
            }
            AnswerPlace::Search => {
                let rated = cluster::rate(board, metric, bounds)?;
                Ok(Rating { distance: rated.distance, source: Source::Search, moves: rated.moves })
            }
        }
    }

    /// The distance of a board and one optimal solution.
    pub fn solve(&mut self, board: &Board, metric: Metric, bounds: Bounds) -> Result<Answer, ProbeError> {
        match self.place(board, metric)? {
            AnswerPlace::Rule => {
                Ok(Answer { distance: Distance::UNSOLVABLE, source: Source::Rule, solution: None })
            }
            AnswerPlace::Table(position) => {
                let distance = self.look_up(&position, board, metric)?;
                let solution = distance.known().map(|d| self.walk(board, d, metric)).transpose()?;
                Ok(Answer { distance, source: Source::Table, solution })
            }
            AnswerPlace::Search => {
                let solution = cluster::solve(board, metric, bounds)?;
                Ok(Answer {
                    distance: solution.as_ref().map(|s| s.distance).into(),
                    source: Source::Search,
                    solution: solution.map(|s| s.moves),
                })
            }
        }
    }

    /// How many different optimal solutions a board has: sequences of moves
    /// that each lower the distance by one. A solved board has one, the empty
    /// sequence; an unsolvable board has none.
    pub fn optimal_solutions(
        &mut self,
        board: &Board,
        metric: Metric,
        bounds: Bounds,
    ) -> Result<u128, ProbeError> {
        match self.place(board, metric)? {
            AnswerPlace::Rule => Ok(0),
            AnswerPlace::Table(position) => match self.look_up(&position, board, metric)?.known() {
                None => Ok(0),
                Some(distance) => self.count(board, distance, metric, &mut FxHashMap::default()),
            },
            AnswerPlace::Search => {
                let count =
                    || Cluster::explore(board, metric, bounds)?.optimal_solutions(board, bounds.observer);
                Ok(bounds.memory.in_turn(count)?)
            }
        }
    }

    /// The rank of a board in its space, if it has one. Without a table the
    /// first call counts the boards of all signatures. A board with walls has one
    /// only where there is a table.
    pub fn rank(&mut self, board: &Board) -> Result<Option<Rank>, ProbeError> {
        let id = SpaceId::of_board(board);
        let Some(space) = self.prober.space(id) else { return Ok(None) };
        let Ok(Location::Inside(position)) = space.locate(board) else { return Ok(None) };
        // A table that was read already is known to be usable.
        let mut metrics = [Metric::Moves, Metric::Steps];
        metrics.sort_by_key(|&metric| !self.has_open(id, metric));
        for metric in metrics {
            if let Some(probe) = self.probe(id, metric)? {
                return Ok(Some(probe.rank(&position)?));
            }
        }
        Ok(self.prober.space(id).map(|space| space.rank(&position)))
    }

    /// Has this session read from the table of a space before? Opening one takes time.
    pub fn has_open(&self, id: SpaceId, metric: Metric) -> bool {
        matches!(self.probes.get(&(id, metric)), Some(Some(_)))
    }

    /// Does an answer about this board take a search? The same holds for all
    /// boards of its cluster.
    pub fn needs_search(&mut self, board: &Board, metric: Metric) -> Result<bool, ProbeError> {
        Ok(matches!(self.place(board, metric)?, AnswerPlace::Search))
    }

    fn place(&mut self, board: &Board, metric: Metric) -> Result<AnswerPlace, ProbeError> {
        if blocked_by_rule(board) {
            return Ok(AnswerPlace::Rule);
        }
        let located = self.prober.space(SpaceId::of_board(board)).map(|space| space.locate(board));
        if let Some(Ok(Location::Inside(position))) = located
            && self.probe(SpaceId::of_board(board), metric)?.is_some()
        {
            return Ok(AnswerPlace::Table(position));
        }
        Ok(AnswerPlace::Search)
    }

    fn probe(&mut self, id: SpaceId, metric: Metric) -> Result<Option<&mut Probe>, TableError> {
        let probe = match self.probes.entry((id, metric)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.prober.table(id, metric)?.cloned().map(Probe::new)),
        };
        Ok(probe.as_mut())
    }

    fn look_up(
        &mut self,
        position: &Position,
        board: &Board,
        metric: Metric,
    ) -> Result<Distance, ProbeError> {
        let probe = self.probe(SpaceId::of_board(board), metric)?.expect("the place is a table");
        Ok(probe.distance(position)?)
    }

    /// The distance after a move of a board that is in a table.
    fn after(&mut self, board: &Board, mv: Move, metric: Metric) -> Result<Distance, ProbeError> {
        let mut next = board.clone();
        next.play_unchecked(mv);
        let space = self.prober.space(SpaceId::of_board(board)).expect("the board is in a table");
        let Ok(Location::Inside(position)) = space.locate(&next) else {
            unreachable!("no move leaves the space")
        };
        self.look_up(&position, board, metric)
    }

    /// Follows falling distances from a board to a solved one.
    fn walk(&mut self, board: &Board, distance: u32, metric: Metric) -> Result<Vec<Move>, ProbeError> {
        let mut board = board.clone();
        let mut moves: Vec<Move> = Vec::with_capacity(distance as usize);
        for left in (0..distance).rev() {
            let last = moves.last().copied();
            let mut found = None;
            for &mv in &board.moves_in(metric) {
                // Never optimal: the same vehicle twice, or a step back.
                let wasteful = last.is_some_and(|last| match metric {
                    Metric::Moves => mv.vehicle == last.vehicle,
                    Metric::Steps => mv == last.reversed(),
                });
                if wasteful {
                    continue;
                }
                if self.after(&board, mv, metric)? == Distance::of(left) {
                    found = Some(mv);
                    break;
                }
            }
            let mv = found.ok_or_else(|| {
                let what = format!("no move of {} leads to distance {left}", board.text());
                self.impossible(&board, metric, what)
            })?;
            board.play_unchecked(mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    /// The error that what the table says of a board cannot be.
    fn impossible(&self, board: &Board, metric: Metric, what: String) -> ProbeError {
        let error = match self.prober.table(SpaceId::of_board(board), metric) {
            Ok(Some(table)) => table.damaged(what),
            Ok(None) => TableError::damaged(what),
            Err(error) => error,
        };
        error.into()
    }

    fn count(
        &mut self,
        board: &Board,
        distance: u32,
        metric: Metric,
        known: &mut FxHashMap<(u64, u64), u128>,
    ) -> Result<u128, ProbeError> {
        if distance == 0 {
            return Ok(1);
        }
        if let Some(&count) = known.get(&board.order()) {
            return Ok(count);
        }
        let mut sum = 0u128;
        for &mv in &board.moves_in(metric) {
            if self.after(board, mv, metric)? == Distance::of(distance - 1) {
                let mut next = board.clone();
                next.play_unchecked(mv);
                sum = sum.saturating_add(self.count(&next, distance - 1, metric, known)?);
            }
        }
        known.insert(board.order(), sum);
        Ok(sum)
    }
}
