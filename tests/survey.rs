//! Clusters and puzzles against the oracle: every one of 4×4 and 5×5, and
//! whole row signatures of 6×6.

mod oracle;

use std::collections::BTreeMap;

use tailback::board::Metric;
use tailback::catalogue::Summary;
use tailback::catalogue::survey::Surveyor;
use tailback::space::{SignatureId, Space};
use tailback::table::{Plan, Table, build};

/// A cluster as both sides tell it: boards, and the longest distance.
type Told = (u32, Option<usize>);
/// An interesting cluster: histogram, classic, the puzzle is the first board.
type Puzzle = (Vec<u32>, bool, bool);

#[test]
fn every_cluster_of_4x4_and_5x5_equals_the_oracle() {
    for size in [4, 5] {
        let folder = tempfile::tempdir().unwrap();
        build(&Plan::new(folder.path(), size, Metric::Moves), &()).unwrap();
        let table = Table::open(folder.path(), size, Metric::Moves).unwrap();
        let space = Space::of_size(size).unwrap();

        let mut clusters: BTreeMap<String, Vec<Told>> = BTreeMap::new();
        let mut puzzles: BTreeMap<u128, Puzzle> = BTreeMap::new();
        let mut summary = Summary::default();
        let mut surveyor = Surveyor::new(&table);
        for id in 0..space.signatures() {
            let survey = surveyor.survey(SignatureId(id)).unwrap();
            let rows: Vec<Vec<u8>> = space.row_kinds(SignatureId(id)).map(<[u8]>::to_vec).collect();
            for cluster in survey.clusters {
                let columns = cluster.family.kinds(size).map(|k| space.line().kinds()[k as usize].clone());
                let lines: Vec<Vec<u8>> = rows.iter().cloned().chain(columns).collect();
                let longest = cluster.is_solvable().then_some(cluster.longest as usize);
                clusters.entry(format!("{lines:?}")).or_default().push((cluster.boards, longest));
            }
            for found in &survey.interesting {
                let code = oracle::code_of(&space.board(&found.puzzle).text());
                let puzzle = (found.histogram.clone(), found.classic, found.first);
                assert_eq!(puzzles.insert(code, puzzle), None);
            }
            summary.add(&survey.summary);
        }

        let truth = oracle::clusters(&oracle::solve_space(size, false), size);
        let mut true_clusters: BTreeMap<String, Vec<Told>> = BTreeMap::new();
        let mut true_puzzles: BTreeMap<u128, Puzzle> = BTreeMap::new();
        for cluster in &truth {
            let told = (cluster.boards, cluster.histogram.len().checked_sub(1));
            true_clusters.entry(cluster.family.clone()).or_default().push(told);
            if let Some(code) = cluster.puzzle {
                let puzzle = (cluster.histogram.clone(), cluster.is_classic, cluster.is_first);
                true_puzzles.insert(code, puzzle);
            }
        }
        for list in clusters.values_mut().chain(true_clusters.values_mut()) {
            list.sort_unstable();
        }
        assert!(clusters == true_clusters, "the clusters of {size}×{size} differ");
        assert!(puzzles == true_puzzles, "the puzzles of {size}×{size} differ");

        let classic = || truth.iter().filter(|c| c.is_classic);
        let solvable = |c: &&oracle::Cluster| !c.histogram.is_empty();
        let families = |of: Vec<&oracle::Cluster>| {
            of.into_iter().map(|c| &c.family).collect::<std::collections::BTreeSet<_>>().len() as u64
        };
        assert_eq!(summary.all.all_clusters(), truth.len() as u64);
        assert_eq!(summary.classic.all_clusters(), classic().count() as u64);
        assert_eq!(summary.classic.solvable_clusters(), classic().filter(solvable).count() as u64);
        assert_eq!(summary.all.families, families(truth.iter().collect()));
        assert_eq!(summary.all.solvable_families, families(truth.iter().filter(solvable).collect()));
        assert_eq!(summary.classic.families, families(classic().collect()));
        assert_eq!(summary.classic.solvable_families, families(classic().filter(solvable).collect()));
        for (longest, &count) in summary.all.clusters[..=50].iter().enumerate() {
            let of_it = truth.iter().filter(|c| c.histogram.len() == longest + 1);
            assert_eq!(count, of_it.count() as u64, "clusters of {longest} moves");
        }

        if size == 5 {
            // Published facts.
            assert_eq!(summary.classic.all_clusters(), 130_299);
            assert_eq!(summary.classic.solvable_clusters(), 62_106);
            assert_eq!(puzzles.values().filter(|p| p.1).count(), 1_891);
            assert_eq!(puzzles.values().filter(|p| p.1 && p.2).count(), 1_730);
            let hardest = puzzles.values().filter(|p| p.1 && p.0.len() > 20);
            let sizes: Vec<u32> = hardest.map(|p| p.0.iter().sum()).collect();
            assert_eq!(sizes, [299, 299]);
        }
    }
}
