//! Clusters and puzzles against the oracle: every one of 4×4 and 5×5, and
//! whole row signatures of 6×6.

use crate::common;
use crate::oracle;

use std::collections::{BTreeMap, BTreeSet};

use tailback::board::Metric;
use tailback::catalogue::Summary;
use tailback::catalogue::survey::Surveyor;
use tailback::retrograde::{MoveTables, Solver};
use tailback::space::{Blocks, SignatureId, Space};
use tailback::table::{Plan, Table, build};

/// A cluster as both sides tell it: boards, and the longest distance.
type Told = (u32, Option<usize>);
/// An interesting cluster: histogram, classic, the puzzle is the first board.
type Puzzle = (Vec<u32>, bool, bool);

/// What a survey of some signatures tells.
#[derive(Default)]
struct Surveyed {
    clusters: BTreeMap<String, Vec<Told>>,
    puzzles: BTreeMap<u128, Puzzle>,
    summary: Summary,
}

fn survey(table: &Table, signatures: impl Iterator<Item = u32>) -> Surveyed {
    let space = table.space();
    let mut found = Surveyed::default();
    let mut surveyor = Surveyor::new(table);
    for id in signatures {
        let survey = surveyor.survey(SignatureId(id)).unwrap();
        let rows: Vec<Vec<u8>> = space.row_kinds(SignatureId(id)).map(<[u8]>::to_vec).collect();
        for cluster in survey.clusters {
            let columns = cluster.family.kinds(space.size());
            let columns = columns.map(|kind| space.line().kinds()[kind as usize].clone());
            let lines: Vec<Vec<u8>> = rows.iter().cloned().chain(columns).collect();
            let longest = cluster.is_solvable().then_some(cluster.longest as usize);
            found.clusters.entry(format!("{lines:?}")).or_default().push((cluster.boards, longest));
        }
        for interesting in &survey.interesting {
            let code = oracle::code_of(&space.board(&interesting.puzzle).text());
            let puzzle = (interesting.histogram.clone(), interesting.classic, interesting.first);
            assert_eq!(found.puzzles.insert(code, puzzle), None);
        }
        found.summary.add(&survey.summary);
    }
    found
}

/// Compares clusters and puzzles.
fn compare(mut found: Surveyed, truth: &[oracle::Cluster]) {
    let mut clusters: BTreeMap<String, Vec<Told>> = BTreeMap::new();
    let mut puzzles: BTreeMap<u128, Puzzle> = BTreeMap::new();
    for cluster in truth {
        let told = (cluster.boards, cluster.histogram.len().checked_sub(1));
        clusters.entry(cluster.family.clone()).or_default().push(told);
        if let Some(code) = cluster.puzzle {
            puzzles.insert(code, (cluster.histogram.clone(), cluster.is_classic, cluster.is_first));
        }
    }
    for list in clusters.values_mut().chain(found.clusters.values_mut()) {
        list.sort_unstable();
    }
    assert!(found.clusters == clusters, "the clusters differ");
    assert!(found.puzzles == puzzles, "the puzzles differ");

    let summary = &found.summary;
    let classic = || truth.iter().filter(|c| c.is_classic);
    let solvable = |c: &&oracle::Cluster| !c.histogram.is_empty();
    let families =
        |of: Vec<&oracle::Cluster>| of.into_iter().map(|c| &c.family).collect::<BTreeSet<_>>().len() as u64;
    assert_eq!(summary.all.all_clusters(), truth.len() as u64);
    assert_eq!(summary.classic.all_clusters(), classic().count() as u64);
    assert_eq!(summary.classic.solvable_clusters(), classic().filter(solvable).count() as u64);
    assert_eq!(summary.all.families, families(truth.iter().collect()));
    assert_eq!(summary.all.solvable_families, families(truth.iter().filter(solvable).collect()));
    assert_eq!(summary.classic.families, families(classic().collect()));
    assert_eq!(summary.classic.solvable_families, families(classic().filter(solvable).collect()));
    for (longest, (_, count)) in summary.all.clusters.iter().take(51).enumerate() {
        let of_it = truth.iter().filter(|c| c.histogram.len() == longest + 1);
        assert_eq!(count, of_it.count() as u64, "clusters of {longest} moves");
    }
}

#[test]
fn every_cluster_of_4x4_and_5x5_equals_the_oracle() {
    for size in [4, 5] {
        let folder = tempfile::tempdir().unwrap();
        build(&Plan::new(folder.path(), size, Metric::Moves), &()).unwrap();
        let table = Table::open(folder.path(), size, Metric::Moves).unwrap();
        let found = survey(&table, 0..table.space().signatures());
        if size == 5 {
            // Published facts.
            assert_eq!(found.summary.classic.all_clusters(), 130_299);
            assert_eq!(found.summary.classic.solvable_clusters(), 62_106);
            let classic = || found.puzzles.values().filter(|p| p.1);
            assert_eq!((classic().count(), classic().filter(|p| p.2).count()), (1_891, 1_730));
            let hardest = classic().filter(|p| p.0.len() > 20);
            assert_eq!(hardest.map(|p| p.0.iter().sum()).collect::<Vec<u32>>(), [299, 299]);
        }
        let distances = oracle::solve_space(size, false);
        compare(found, &oracle::clusters(distances.keys().copied(), &distances, size));
    }
}

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
        let found = survey(&table, [id_of(&rows)].into_iter());
        puzzles.push(found.puzzles.len());
        let boards = oracle::boards_with_rows(6, Some(&rows));
        let mut distances = oracle::solve_boards(boards.clone(), 6, false);
        for rows in with_one_less(&rows) {
            distances.extend(oracle::solve_boards(oracle::boards_with_rows(6, Some(&rows)), 6, false));
        }
        compare(found, &oracle::clusters(boards.into_iter(), &distances, 6));
    }
    assert_eq!(puzzles, [74, 40, 16, 5, 0]);
}
