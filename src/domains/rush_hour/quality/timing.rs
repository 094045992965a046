//! What a guess costs.

use std::hint::black_box;

use super::Trial;
use crate::board::Board;
use crate::domains::rush_hour::Scene;
use crate::search::quality::{Draw, Sample, Timing, fastest};
use crate::space::Rank;
use crate::table::TableError;

/// Boards to ask about.
const BOARDS: u64 = 4000;

impl Trial<'_> {
    /// Measures the time of one call on the first boards of a sample, on one
    /// thread: the guess alone, for boards that are laid out; for exact
    /// distances a look-up.
    pub fn time(&self, sample: Sample) -> Result<Timing, TableError> {
        let space = self.table.space();
        let mut draws = sample.draws(0..sample.len(space.boards()).min(BOARDS), space.boards());
        // As a search would come by them: not in the order of the table.
        draws.sort_by_key(|draw| draw.number);
        let prepared = |draw: &Draw| {
            let board = space.board(&space.position(Rank(draw.rank)).expect("a rank of the space"));
            let after = self.moved(&board, draw).map(|next| Scene::of(&next));
            (Scene::of(&board), after, board)
        };
        let boards: Vec<(Scene, Option<Scene>, Board)> = draws.iter().map(prepared).collect();
        let mut probe = self.table.probe();
        let mut heuristics = Vec::new();
        for heuristic in self.heuristics {
            heuristics.push(fastest(&boards, |(scene, before, board)| {
                let mut view = self.view(scene, before.as_ref(), board, &mut probe);
                black_box(heuristic.value(&mut view)?);
                Ok(())
            })?);
        }
        let mut conditions = Vec::new();
        for condition in self.conditions {
            conditions.push(fastest(&boards, |(before, after, _)| {
                black_box(after.as_ref().map(|after| condition.holds(before, after)));
                Ok(())
            })?);
        }
        Ok(Timing { heuristics, conditions })
    }
}
