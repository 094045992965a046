//! Clusters and puzzles of whole row signatures of 6×6.

use crate::common;
use crate::survey::{compare, survey};

use std::collections::BTreeSet;

use tailback::board::Metric;
use tailback::catalogue::survey::Surveyor;
use tailback::retrograde::{MoveTables, Solver};
use tailback::space::{Blocks, SignatureId, Space};
use tailback::table::Table;

/// A 6×6 row signature: the lengths in each row.
type Rows = [&'static [usize]; 6];

/// Signatures that the oracle can bear: with many puzzles, with every kind of
/// row, and with the primary alone and behind others.
const SIGNATURES: [Rows; 5] = [
    [&[], &[2, 2], &[2], &[], &[3, 2], &[]],
    [&[2, 2, 2], &[], &[2], &[3], &[], &[2, 3]],
    [&[2, 3], &[], &[2, 2], &[], &[2, 2], &[]],
    [&[3, 3], &[], &[3, 2], &[3], &[], &[2]],
    [&[3], &[2, 2], &[2, 2, 2], &[3, 2], &[2], &[2, 3]],
];

/// The same rows with one horizontal vehicle less, in every way.
fn with_one_less(rows: &[Vec<usize>]) -> BTreeSet<Vec<Vec<usize>>> {
    let mut found = BTreeSet::new();
    for row in 0..6 {
        let removable = if row == 2 { rows[row].len() - 1 } else { rows[row].len() };
        for gone in 0..removable {
            let mut less = rows.to_vec();
            less[row].remove(gone);
            found.insert(less);
        }
    }
    found
}

#[test]
#[ignore = "takes minutes"]
fn whole_6x6_signatures_equal_the_oracle() {
    let space = Space::of_size(6).unwrap();
    let id_of = |rows: &[Vec<usize>]| {
        let is_it = |id: &u32| {
            let kinds = space.row_kinds(SignatureId(*id));
            kinds.zip(rows).all(|(kind, row)| kind.iter().map(|&l| l as usize).eq(row.iter().copied()))
        };
        (0..space.signatures()).find(is_it).expect("a signature of the space")
    };
    let surveyed = SIGNATURES.map(|rows| rows.map(<[usize]>::to_vec));
    let needed: BTreeSet<u32> = surveyed
        .iter()
        .flat_map(|rows| with_one_less(rows).into_iter().chain([rows.to_vec()]))
        .map(|rows| id_of(&rows))
        .collect();

    // A table of these signatures alone.
    let tables = MoveTables::new(&space, Metric::Moves);
    let solve = |blocks: &Blocks, id: SignatureId| {
        needed.contains(&id.0).then(|| {
            let mut distances = Vec::new();
            Solver::new(&tables).solve(blocks, &mut distances);
            distances
        })
    };
    let folder = tempfile::tempdir().unwrap();
    common::forge::forge_table(folder.path(), 6, solve);
    let table = Table::open(folder.path(), 6, Metric::Moves).unwrap();

    let mut puzzles = Vec::new();
    for rows in surveyed {
        let found = survey(Surveyor::new(&table), &space, [id_of(&rows)].into_iter());
        puzzles.push(found.puzzles.len());
        let boards = oracle::boards_with_rows(6, Some(&rows));
        let mut distances = oracle::solve_boards(boards.clone(), 6, false);
        for rows in with_one_less(&rows) {
            distances.extend(oracle::solve_boards(oracle::boards_with_rows(6, Some(&rows)), 6, false));
        }
        compare(found, &oracle::clusters(boards.into_iter(), &[&distances], 6));
    }
    assert_eq!(puzzles, [74, 40, 16, 5, 0]);
}
