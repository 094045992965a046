//! The quality of heuristics: guesses against exact distances, on a random
//! sample of all boards of a size or on every one.
//!
//! An [`Accuracy`](crate::search::quality::Accuracy) says how near a heuristic comes,
//! and how often it is too high. A condition on the last move is no guess, so of each
//! board one random move is played, and an
//! [`Effect`](crate::search::quality::Effect) says what the condition has to do with
//! coming nearer to the exit.
//!
//! The time is that of reading the table: a board of a 6×6 sample has a frame
//! of its own to be decoded, and another one after its move.

mod timing;

use super::Scene;
use super::heuristic::{Condition, View};
use crate::board::{Board, Metric};
use crate::formula::Heuristic;
use crate::progress::Observer;
use crate::search::Value;
use crate::search::quality::{Draw, Quality, Sample};
use crate::space::{Location, Rank, Ranker};
use crate::table::{Probe, Table, TableError};

/// What is measured, and by which table.
///
/// A condition within a combination needs a last move: that is the taking back
/// of the move which is played for conditions.
pub struct Trial<'a> {
    /// The exact distances.
    pub table: &'a Table,
    /// Guesses to compare with them.
    pub heuristics: &'a [Heuristic],
    /// Conditions to compare with progress.
    pub conditions: &'a [Condition],
}

/// What a thread keeps.
struct Bench<'a> {
    probe: Probe<&'a Table>,
    ranker: Ranker<'a>,
}

impl Trial<'_> {
    /// Counts the boards of every signature of the space. That takes seconds on
    /// 6×6, once; a clock by which the end of [`run`](Trial::run) is foretold
    /// should begin after it.
    pub fn prepare(&self) {
        self.bench().ranker.position(Rank(0));
    }

    /// Measures on a sample. Once the observer wants to stop, what was measured
    /// so far is the result.
    pub fn run(&self, sample: Sample, observer: &dyn Observer) -> Result<Quality, TableError> {
        self.prepare();
        let nothing = Quality::new(self.heuristics.len(), self.conditions.len());
        let boards = self.table.space().boards();
        let add = |bench: &mut Bench<'_>, quality: &mut Quality, draw: &Draw| self.add(quality, bench, draw);
        sample.measured(boards, &nothing, (observer, "boards"), || self.bench(), add)
    }

    fn metric(&self) -> Metric {
        self.table.header().contents.metric
    }

    fn bench(&self) -> Bench<'_> {
        Bench { probe: self.table.probe(), ranker: Ranker::new(self.table.space()) }
    }

    fn add(&self, quality: &mut Quality, bench: &mut Bench<'_>, draw: &Draw) -> Result<(), TableError> {
        let position = bench.ranker.position(Rank(draw.rank)).expect("a rank of the space");
        let distance = bench.probe.distance(&position)?;
        let board = self.table.space().board(&position);
        let scene = Scene::of(&board);
        let next = if self.needs_moves() { self.moved(&board, draw) } else { None };
        let next = next.map(|next| (Scene::of(&next), next));
        for (heuristic, accuracy) in self.heuristics.iter().zip(&mut quality.accuracies) {
            let mut view = self.view(&scene, next.as_ref().map(|(next, _)| next), &board, &mut bench.probe);
            let value = heuristic.value(&mut view)?;
            accuracy.add(draw.number, || board.text(), value, distance);
        }
        // Moves can be taken back: what a solvable board leads to is solvable.
        if let Some(before) = distance.known()
            && !self.conditions.is_empty()
            && let Some((next, board)) = next
            && let Some(after) = self.look_up(&mut bench.probe, &board)?.ceil()
        {
            for (condition, effect) in self.conditions.iter().zip(&mut quality.effects) {
                effect.add(condition.holds(&scene, &next), before, after);
            }
        }
        Ok(())
    }

    fn needs_moves(&self) -> bool {
        !self.conditions.is_empty() || self.heuristics.iter().any(Heuristic::needs_parent)
    }

    /// A board whose exact distance is looked up when it is asked for.
    fn view<'v>(
        &'v self,
        scene: &'v Scene,
        before: Option<&'v Scene>,
        board: &'v Board,
        probe: &'v mut Probe<&Table>,
    ) -> View<'v, impl FnMut() -> Result<Value, TableError>> {
        View { scene, before, metric: self.metric(), distance: move || self.look_up(probe, board) }
    }

    /// The board after one of its moves; `None` if there are none.
    fn moved(&self, board: &Board, draw: &Draw) -> Option<Board> {
        let moves = board.moves_in(self.metric());
        let mut next = board.clone();
        next.play_unchecked(moves[draw.choice(moves.len())?]);
        Some(next)
    }

    /// The distance as a search finds it: by the board, not by its rank.
    fn look_up(&self, probe: &mut Probe<&Table>, board: &Board) -> Result<Value, TableError> {
        let Ok(Location::Inside(position)) = self.table.space().locate(board) else {
            unreachable!("boards of the space stay in it")
        };
        Ok(Value::from(probe.distance(&position)?))
    }
}
