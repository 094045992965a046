//! Clusters and puzzles against the oracle.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use tailback::board::Metric;
use tailback::catalogue::Summary;
use tailback::catalogue::survey::{Store, Surveyor};
use tailback::retrograde::MoveTables;
use tailback::space::{SignatureId, Space, SpaceId};
use tailback::table::Table;

/// A cluster as both sides tell it: boards, and the longest distance.
type Told = (u32, Option<usize>);
/// An interesting cluster: histogram, classic, the puzzle is the first board.
pub type Puzzle = (Vec<u32>, bool, bool);

/// What a survey of some signatures tells.
#[derive(Default)]
pub struct Surveyed {
    clusters: BTreeMap<String, Vec<Told>>,
    pub puzzles: BTreeMap<u128, Puzzle>,
    summary: Summary,
}

pub fn survey(mut surveyor: Surveyor, space: &Space, signatures: impl Iterator<Item = u32>) -> Surveyed {
    let mut found = Surveyed::default();
    for id in signatures {
        let survey = surveyor.survey(space, SignatureId(id)).unwrap();
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
pub fn compare(mut found: Surveyed, truth: &[oracle::Cluster]) {
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

/// Compares all clusters of a size, given the distances of all its boards.
pub fn compare_all(size: usize, distances: &oracle::Distances) {
    let table = common::table(size, Metric::Moves);
    let space = table.space();
    let found = survey(Surveyor::new(table), space, 0..space.signatures());
    if size == 5 {
        // Published facts.
        assert_eq!(found.summary.classic.all_clusters(), 130_299);
        assert_eq!(found.summary.classic.solvable_clusters(), 62_106);
        let classic = || found.puzzles.values().filter(|p| p.1);
        assert_eq!((classic().count(), classic().filter(|p| p.2).count()), (1_891, 1_730));
        let hardest = classic().filter(|p| p.0.len() > 20);
        assert_eq!(hardest.map(|p| p.0.iter().sum()).collect::<Vec<u32>>(), [299, 299]);
    }
    let truth = oracle::clusters(distances.keys().copied(), &[distances], size);
    compare(found, &truth);
    let tables = MoveTables::new(space, Metric::Moves);
    let store = Store::default();
    compare(survey(Surveyor::by_search(&tables, &store), space, 0..space.signatures()), &truth);
}

/// Compares all clusters of a space with walls. Of the distances the first are
/// those of its boards, the others those of boards with a wall less.
pub fn compare_walls(tables: &MoveTables, space: SpaceId, distances: &[&oracle::Distances]) {
    let space = Space::of(space).unwrap();
    // Without the signatures before it what a board needs is searched for.
    let store = Store::default();
    let signatures = || (0..space.signatures()).step_by(11);
    let alone = survey(Surveyor::by_search(tables, &store), &space, signatures());
    let store = Store::default();
    let found = survey(Surveyor::by_search(tables, &store), &space, 0..space.signatures());
    // With tables of fewer walls nothing else is found.
    let store = Store::default();
    let fewer = fewer_walls(space.id());
    let looked_up = survey(Surveyor::by_search(tables, &store).looking_up(&fewer), &space, signatures());
    assert!(looked_up.puzzles == alone.puzzles, "{}", space.id());
    assert!(alone.puzzles.iter().all(|(code, puzzle)| found.puzzles.get(code) == Some(puzzle)));
    let truth = oracle::clusters(distances[0].keys().copied(), distances, space.size());
    assert_eq!(space.boards(), distances[0].len() as u64, "{}", space.id());
    compare(found, &truth);
}

/// The table without walls, and with the first of them alone.
fn fewer_walls(space: SpaceId) -> Vec<Table> {
    let first = space.wall_cells().next().map_or(0, |cell| cell.bit());
    let spaces = [0, first].map(|walls| SpaceId { walls, ..space });
    let fewer = spaces.into_iter().take(space.walls.count_ones() as usize);
    let have_boards = fewer.filter(|&space| Space::of(space).unwrap().boards() > 0);
    have_boards.map(|space| common::table_of(space, Metric::Moves)).collect()
}

/// The distances of all boards of a space with walls.
pub fn solve(space: SpaceId) -> oracle::Distances {
    let walls: Vec<usize> = space.wall_cells().map(|cell| cell.index()).collect();
    oracle::solve_boards(oracle::boards_with(space.size, &walls, None), space.size, false)
}
