//! Rush Hour as a puzzle to search.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use super::heuristic::{Measure, Notes, Pattern, PatternTable};
use super::{Exit, Front, Scene};
use crate::board::{Board, Metric, Move};
use crate::cluster::family::{FROM_NOWHERE, Family, Key, PRIMARY_LINE, Slides, nibble};
use crate::cluster::{Bounds, ClusterError};
use crate::search::Domain;

/// The boards that can be reached from one board, as a puzzle to search.
///
/// A state is one 64-bit key, four bits for the placement of each line, and
/// its successors are a few look-ups (see [`crate::cluster`]).
#[derive(Debug, Clone)]
pub struct Traffic {
    family: Family,
    slides: Slides,
    metric: Metric,
    exit: Exit,
    start: TrafficState,
    /// For each placement of the primary's row: its front without the vehicles
    /// that cross it, and the cells where they would.
    fronts: Vec<(Front, usize)>,
    /// What was solved of it, for all its searches.
    patterns: Arc<Mutex<Solved>>,
    /// The values of measures for its states, if they are cached.
    notes: Option<Arc<Notes>>,
}

/// Patterns, and what is left of the start for each.
type Solved = Vec<(Pattern, Arc<PatternTable>)>;

/// Where all vehicles stand. If the primary has left the board, nobody asks where
/// the others of its row are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TrafficState(Key);

/// The placement of the primary's row when it has left the board: no line has so
/// many.
const OUTSIDE: Key = 15;

impl TrafficState {
    pub(super) fn key(self) -> Key {
        self.0
    }

    /// Has the primary left the board?
    #[inline]
    pub(super) fn is_outside(self) -> bool {
        nibble(self.0, PRIMARY_LINE) as Key == OUTSIDE
    }
}

impl Traffic {
    /// The boards that can be reached from this one.
    pub fn new(board: &Board, metric: Metric) -> Traffic {
        let family = Family::new(board);
        let start = TrafficState(family.key(board).expect("the family is made from it"));
        let fronts = (0..family.lines[PRIMARY_LINE].shape.placements.len())
            .map(|placement| own_front(&family, board, placement))
            .collect();
        Traffic {
            slides: Slides::new(&family, metric),
            family,
            metric,
            exit: Exit::Edge,
            start,
            fronts,
            patterns: Arc::default(),
            notes: None,
        }
    }

    /// Caches the values of measures for all its states, if these are within the
    /// bounds. Its searches then find the same, and sooner.
    #[must_use]
    pub fn with_notes(self, measures: &[Measure], bounds: Bounds) -> Traffic {
        let start = self.board(self.start);
        let notes = Notes::new(&start, &self.family, self.metric, measures, bounds).map(Arc::new);
        Traffic { notes, ..self }
    }

    /// The board that it was made from.
    pub fn start(&self) -> TrafficState {
        self.start
    }

    /// What costs 1.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Where heuristics expect the exit.
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// The board of a state.
    ///
    /// # Panics
    ///
    /// If the primary has left it.
    pub fn board(&self, state: TrafficState) -> Board {
        self.family.board_of(state.0)
    }

    /// The cached values of its states.
    pub(super) fn notes(&self) -> Option<Arc<Notes>> {
        self.notes.clone()
    }

    /// What is left of the start for a pattern, solved: once, at the first call that
    /// the bounds let come to its end.
    pub(super) fn pattern(
        &self,
        pattern: Pattern,
        bounds: Bounds,
    ) -> Result<Arc<PatternTable>, ClusterError> {
        let mut solved = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = solved.iter().find(|(known, _)| *known == pattern) {
            return Ok(Arc::clone(table));
        }
        let board = self.board(self.start);
        let table = PatternTable::new(pattern, &board, &self.family, self.metric, bounds)?;
        let table = Arc::new(table);
        solved.push((pattern, Arc::clone(&table)));
        Ok(table)
    }

    /// What is in front of the primary, without a scene.
    #[inline]
    pub(super) fn front(&self, state: TrafficState) -> Front {
        let (own, cells) = self.fronts[nibble(state.0, PRIMARY_LINE)];
        let crossing = self.slides.crossing(state.0, self.family.lines[PRIMARY_LINE].index) & cells;
        Front { cells: own.cells + self.exit.beyond_edge(), blockers: own.blockers + crossing.count_ones() }
    }

    /// Can the primary leave the board at once?
    fn can_leave(&self, state: TrafficState) -> bool {
        let (own, cells) = self.fronts[nibble(state.0, PRIMARY_LINE)];
        let has_wall_ahead = cells.count_ones() < own.cells;
        let is_near = self.metric == Metric::Moves || own.cells == 0;
        is_near && !has_wall_ahead && self.front(state).blockers == 0
    }

    /// Changes the scene of one state into that of another.
    #[inline]
    pub(super) fn turn(&self, scene: &mut Scene, from: TrafficState, to: TrafficState) {
        scene.turn(&self.family, from.0, to.0);
    }
}

impl Domain for Traffic {
    type State = TrafficState;
    type Action = Move;

    #[inline]
    fn is_goal(&self, state: &TrafficState) -> bool {
        self.family.is_goal(state.0)
    }

    #[inline]
    fn for_each_successor(&self, state: &TrafficState, mut visit: impl FnMut(TrafficState, NonZeroU32)) {
        self.slides.for_each_new(state.0, FROM_NOWHERE, |key, _| visit(TrafficState(key), NonZeroU32::MIN));
    }

    fn action(&self, from: &TrafficState, to: &TrafficState) -> Move {
        self.family.slide_between(from.0, to.0).mv()
    }

    fn has_unit_costs(&self) -> bool {
        true
    }
}

/// The same with the exit outside. It is a puzzle of its own, since the usual one
/// pays for every question in the loop over its successors.
#[derive(Debug, Clone)]
pub struct Leaving {
    traffic: Traffic,
}

impl Leaving {
    /// The boards that can be reached from this one, and the way out.
    pub fn new(board: &Board, metric: Metric) -> Leaving {
        Leaving { traffic: Traffic { exit: Exit::Outside, ..Traffic::new(board, metric) } }
    }

    /// The boards alone. Heuristics that look at them know where the exit is.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

impl Domain for Leaving {
    type State = TrafficState;
    type Action = Move;

    fn is_goal(&self, state: &TrafficState) -> bool {
        state.is_outside()
    }

    fn for_each_successor(&self, state: &TrafficState, mut visit: impl FnMut(TrafficState, NonZeroU32)) {
        self.traffic.for_each_successor(state, &mut visit);
        if self.traffic.can_leave(*state) {
            visit(TrafficState(state.0 | OUTSIDE << (4 * PRIMARY_LINE)), NonZeroU32::MIN);
        }
    }

    fn action(&self, from: &TrafficState, to: &TrafficState) -> Move {
        if !to.is_outside() {
            return self.traffic.action(from, to);
        }
        let vehicle = self.traffic.board(self.traffic.start).primary_index() as u8;
        Move { vehicle, delta: self.traffic.front(*from).cells as i8 }
    }

    fn has_unit_costs(&self) -> bool {
        true
    }
}

/// What is in front of the primary in a placement of its row, but for vehicles
/// of columns; and the cells where one would stand in the way.
fn own_front(family: &Family, board: &Board, placement: usize) -> (Front, usize) {
    let line = &family.lines[PRIMARY_LINE];
    let starts = &line.shape.placements[placement].starts;
    let place = line.vehicles.iter().position(|&vehicle| usize::from(vehicle) == board.primary_index());
    let place = place.expect("the primary is in its line");
    let end = usize::from(starts[place] + board.primary().len);
    let row = board.walls() >> (usize::from(line.index) * board.size()) & ((1 << board.size()) - 1);
    let cells = (end..board.size()).fold(0, |cells, position| cells | 1 << position) & !(row as usize);
    let blockers = (line.vehicles.len() - 1 - place) as u32;
    (Front { cells: (board.size() - end) as u32, blockers }, cells)
}
