//! Boards to be searched, and what a heuristic is worth there.

use rayon::prelude::*;

use crate::formula::{Block, Heuristic};
use crate::progress::{Count, Observer};
use crate::puzzles::{Labelled, Method, Prepared, PuzzleError};
use crate::search::{Algorithm, Limits, Report, Rules, Verdict};

/// Boards to be searched by one algorithm within limits.
pub struct Arena {
    puzzles: Vec<Puzzle>,
    algorithm: Algorithm,
    limits: Limits<'static>,
}

struct Puzzle {
    prepared: Box<dyn Prepared>,
    distance: u32,
    /// What the same search takes without a heuristic, up to the limit.
    blind: u64,
}

/// What one search took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The length of the solution; `None` if there is none within the limits.
    pub length: Option<u32>,
    /// Nodes generated.
    pub nodes: u64,
}

/// How HH-Evolver weighs lengths, nodes and unsolved boards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weighing {
    /// Of each move of a solution.
    pub length: f64,
    /// Of each node.
    pub nodes: f64,
    /// Of the share of boards that were not solved.
    pub unsolved: f64,
}

/// So many boards are noted in all clusters together: 0.7 GB with all measures.
const NOTED: usize = 6_000_000;

impl Arena {
    /// Prepares boards: the same search without a heuristic is done once, and
    /// these building blocks are cached for all boards of their clusters. If
    /// the observer wants to stop, that is an error.
    pub fn new(
        boards: &[Labelled],
        blocks: &[Heuristic],
        algorithm: Algorithm,
        limits: Limits<'static>,
        observer: &dyn Observer,
    ) -> Result<Arena, PuzzleError> {
        let limits = Limits { without_distinct: true, ..limits };
        let blocks: Vec<Block> = blocks.iter().flat_map(Heuristic::blocks).collect();
        let states = NOTED / boards.len().max(1);
        let done = Count::new(observer, "boards", boards.len() as u64);
        let blind = Method { algorithm, heuristic: None };
        let prepare = |labelled: &Labelled| {
            if observer.wants_stop() {
                return Err(PuzzleError::Stopped);
            }
            let prepared = labelled.instance.prepared(&blocks, states, observer);
            let blind = prepared.search(&blind, Rules::default(), &limits)?.counts.generated;
            done.add(1);
            Ok(Puzzle { blind, distance: labelled.distance, prepared })
        };
        let puzzles = boards.par_iter().map(prepare).collect::<Result<_, PuzzleError>>()?;
        Ok(Arena { puzzles, algorithm, limits })
    }

    /// How many boards.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Are there no boards?
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// The exact distance of each board.
    pub fn distances(&self) -> impl Iterator<Item = u32> {
        self.puzzles.iter().map(|puzzle| puzzle.distance)
    }

    /// Searches one board.
    pub fn search(&self, heuristic: &Heuristic, board: usize) -> Result<Outcome, PuzzleError> {
        let method = Method { algorithm: self.algorithm, heuristic: Some(heuristic.clone()) };
        let report = self.puzzles[board].prepared.search(&method, Rules::default(), &self.limits)?;
        Ok(Outcome::of(&report))
    }

    /// Searches all boards, one after the other.
    pub fn outcomes(&self, heuristic: &Heuristic) -> Result<Vec<Outcome>, PuzzleError> {
        (0..self.len()).map(|board| self.search(heuristic, board)).collect()
    }

    /// What HH-Evolver makes of a board: lengths and nodes, weighed; the share
    /// of unsolved boards is in the mean of all.
    pub fn cost(&self, outcome: Outcome, weighing: Weighing) -> f64 {
        let length = weighing.length * f64::from(outcome.length.unwrap_or(0));
        let unsolved = if outcome.length.is_none() { weighing.unsolved } else { 0.0 };
        length + weighing.nodes * outcome.nodes as f64 + unsolved
    }

    /// The share of nodes that is *not* saved on a board, against the search
    /// without a heuristic; all of them if it is not solved.
    pub fn not_saved(&self, board: usize, outcome: Outcome) -> f64 {
        match outcome.length {
            Some(_) => outcome.nodes as f64 / self.puzzles[board].blind as f64,
            None => 1.0,
        }
    }
}

impl Outcome {
    fn of<A>(report: &Report<A>) -> Outcome {
        let length = match &report.verdict {
            Verdict::Solved(solution) => Some(solution.cost),
            Verdict::Unsolvable | Verdict::Stopped { .. } => None,
        };
        Outcome { length, nodes: report.counts.generated }
    }
}
