//! Graded sets of puzzles: levels that rise in difficulty, no two alike.

use super::{Catalogue, CatalogueError, Column, Puzzle, Query};
use crate::board::Distinct;

/// What a pack is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pack {
    /// How many levels.
    pub levels: usize,
    /// In how many tiers they come, as equal as can be.
    pub tiers: usize,
    /// No two levels are alike to this degree: see [`Distinct`].
    pub degree: u32,
    /// Which of many equally hard puzzles are taken.
    pub seed: u64,
}

/// A level of a pack.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Level {
    /// From 1.
    pub number: usize,
    /// From 1.
    pub tier: usize,
    /// The puzzle.
    pub puzzle: Puzzle,
}

impl Catalogue {
    /// The levels of a pack, out of the puzzles that match: from the least to the
    /// most moves that they have, in steps as equal as can be. Gives fewer levels if
    /// there are not so many puzzles that are not alike.
    pub fn pack(&self, query: &Query, pack: &Pack) -> Result<Vec<Level>, CatalogueError> {
        let drawn = Query { random: Some(pack.seed), sort: Vec::new(), limit: None, ..query.clone() };
        let (indexes, _) = self.chosen(&drawn, None)?;
        let moves = self.keys(Column::Moves, &indexes)?;
        let mut by_moves: Vec<Vec<u32>> = Vec::new();
        for (&index, &moves) in indexes.iter().zip(&moves) {
            let moves = moves as usize;
            by_moves.resize(by_moves.len().max(moves + 1), Vec::new());
            by_moves[moves].push(index);
        }
        // Taken from the end.
        by_moves.iter_mut().for_each(|indexes| indexes.reverse());
        let Some(least) = by_moves.iter().position(|indexes| !indexes.is_empty()) else {
            return Ok(Vec::new());
        };
        let most = by_moves.len() - 1;

        // The hardest are the fewest, so they come first.
        let mut distinct = Distinct::new(pack.degree);
        let mut chosen = Vec::new();
        let mut at_most = most;
        for level in (0..pack.levels).rev() {
            let wanted = least + ((most - least) * level + pack.levels / 2) / (pack.levels - 1).max(1);
            at_most = at_most.min(wanted);
            let found = loop {
                match by_moves[at_most].pop() {
                    Some(index) => {
                        let id = self.keys(Column::Id, &[index])?[0];
                        if distinct.admits(&self.board_of(id)?) {
                            break Some(index);
                        }
                    }
                    None if at_most == least => break None,
                    None => at_most -= 1,
                }
            };
            let Some(index) = found else { break };
            chosen.push(index);
        }

        let ids = self.keys(Column::Id, &chosen)?;
        let mut puzzles = Vec::with_capacity(ids.len());
        for id in ids {
            puzzles.push(self.find(id)?.ok_or_else(|| self.damaged(format!("puzzle {id} has no row")))?);
        }
        puzzles.sort_by_key(|puzzle| (puzzle.moves(), puzzle.steps(), puzzle.id()));
        let count = puzzles.len();
        let tier = |index: usize| 1 + index * pack.tiers.min(count) / count;
        let level = |(index, puzzle)| Level { number: index + 1, tier: tier(index), puzzle };
        Ok(puzzles.into_iter().enumerate().map(level).collect())
    }
}
