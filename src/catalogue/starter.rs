//! The starter catalogue: a choice of the complete one, small enough to be part
//! of the program.
//!
//! The hardest thousand classic puzzles, and for every number of moves twenty
//! more: ten classic ones and ten others, from few vehicles to many.

use std::collections::BTreeSet;
use std::path::Path;

use super::finished::{self, Tables};
use super::{Catalogue, CatalogueError, Column, Contents, Puzzle, Query, Rules, Sort};
use crate::files::Staged;

/// How many of the hardest.
const HARDEST: usize = 1_000;
/// How many of each number of moves, classic ones and others alike.
const GRADED: usize = 10;

/// Writes the starter of a complete catalogue, whole or not at all.
pub fn write_starter(from: &Catalogue, path: &Path) -> Result<(), CatalogueError> {
    let ids = chosen(from)?;
    let puzzles = ids.into_iter().map(|id| {
        let puzzle = from.find(id)?;
        puzzle.ok_or_else(|| from.damaged(format!("puzzle {id} has no row")))
    });
    let (clusters, totals) = (from.clusters()?, from.totals()?);
    let io = |error| CatalogueError::io(path, error);
    let staged = Staged::file(path).map_err(io)?;
    let rows = |db: &_| finished::insert(db, staged.part(), puzzles);
    finished::fill(staged.part(), from.spaces(), Contents::Starter, rows, |_| Tables { clusters, totals })?;
    staged.commit().map_err(io)
}

/// The ids of the starter's puzzles.
fn chosen(from: &Catalogue) -> Result<BTreeSet<u64>, CatalogueError> {
    let hardest = Query {
        sort: vec![Sort::falling(Column::Moves), Sort::falling(Column::Steps)],
        limit: Some(HARDEST),
        ..Query::default()
    };
    let mut ids = BTreeSet::new();
    for puzzle in from.select(&hardest)? {
        ids.insert(puzzle?.id());
    }
    let all = Query {
        rules: Rules::All,
        sort: vec![Sort::rising(Column::Moves), Sort::rising(Column::Vehicles)],
        ..Query::default()
    };
    let puzzles = from.select(&all)?.collect::<Result<Vec<Puzzle>, CatalogueError>>()?;
    for grade in puzzles.chunk_by(|a, b| a.moves() == b.moves()) {
        for classic in [true, false] {
            let group: Vec<u64> =
                grade.iter().filter(|p| p.is_classic() == classic).map(|p| p.id()).collect();
            ids.extend(spread(&group, GRADED));
        }
    }
    Ok(ids)
}

/// So many of a list, equally far apart.
fn spread(list: &[u64], count: usize) -> impl Iterator<Item = u64> {
    let count = count.min(list.len());
    (0..count).map(move |i| list[(2 * i + 1) * list.len() / (2 * count)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_no_twins() {
        let list: Vec<u64> = (0..7).collect();
        assert_eq!(spread(&list, 3).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(spread(&list, 7).collect::<Vec<_>>(), list);
        assert_eq!(spread(&list, 9).collect::<Vec<_>>(), list);
        assert_eq!(spread(&[], 3).count(), 0);
    }
}
