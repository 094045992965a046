//! 7×7: there is no table of it, but its boards have numbers, any signature can be
//! searched, and those that fit the memory can be surveyed.

#[path = "../common/code.rs"]
mod code;

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use tailback::board::{Board, Distance, Metric};
use tailback::catalogue::survey::{Scratch, Store, Surveyor};
use tailback::retrograde::{MoveTables, Solver};
use tailback::space::{Blocks, Location, Rank, Ranker, SignatureId, Space, SpaceError, SpaceId, Spaces};
use tailback::table::TableError;

const BOARDS: u64 = 683_673_325_268_506;
const SIGNATURES: u32 = 10_629_366;
/// Signatures of few boards, 6,000 to 31,000, and how many puzzles each has. Most of
/// that size have none.
const PUZZLES: [(u32, usize); 3] = [(4_875_552, 1), (1_368_378, 2), (658_128, 3)];

fn seven() -> std::sync::Arc<Space> {
    Space::of_size(7).unwrap()
}

/// The signature whose rows hold these lengths.
fn signature(space: &Space, rows: &[&[u8]; 7]) -> SignatureId {
    // A row is full where its cars and trucks stand close together.
    let mut text = String::new();
    for (row, lengths) in rows.iter().enumerate() {
        let mut cells = String::new();
        for (number, &len) in lengths.iter().enumerate() {
            let is_primary = row == 3 && number + 1 == lengths.len();
            let letter = if is_primary { 'A' } else { (b'B' + (3 * row + number) as u8) as char };
            cells.extend(std::iter::repeat_n(letter, len as usize));
        }
        text += &format!("{cells:.<7}");
    }
    let board = Board::parse(&text).unwrap();
    let Ok(Location::Inside(position)) = space.locate(&board) else { panic!("{board}") };
    space.signature_of(&position)
}

/// Some signatures of no more than so many boards.
fn small(space: &Space, most: u64, count: usize) -> Vec<SignatureId> {
    let mut random = Pcg64::seed_from_u64(7);
    let ids = std::iter::repeat_with(|| SignatureId(random.random_range(0..SIGNATURES)));
    ids.filter(|&id| {
        // Most have more configurations than that.
        let placements = |lengths: &[u8]| space.line().kinds().iter().position(|kind| kind == lengths);
        let of_row = |lengths| space.line().of_kind(placements(lengths).unwrap() as u8).len() as u64;
        space.row_kinds(id).map(of_row).product::<u64>() <= most && Blocks::new(space, id).boards() <= most
    })
    .take(count)
    .collect()
}

/// What the oracle knows of a signature.
fn solved_by_oracle(space: &Space, id: SignatureId, steps: bool) -> oracle::Distances {
    oracle::solve_boards(oracle::boards_with_rows(7, Some(&row_lengths(space, id))), 7, steps)
}

fn row_lengths(space: &Space, id: SignatureId) -> Vec<Vec<usize>> {
    space.row_kinds(id).map(|kind| kind.iter().map(|&len| len as usize).collect()).collect()
}

#[test]
fn has_the_boards_of_the_design() {
    let space = seven();
    assert_eq!((space.boards(), space.signatures()), (BOARDS, SIGNATURES));
    assert_eq!(space.primary_row(), 3);
    let last = SignatureId(SIGNATURES - 1);
    assert_eq!(space.first_of(SignatureId(0)), 0);
    assert_eq!(space.first_of(last) + Blocks::new(&space, last).boards(), BOARDS);
    assert_eq!(space.signature_at(Rank(BOARDS)), None);
    assert_eq!(space.position(Rank(u64::MAX)), None);
}

#[test]
fn is_in_no_table() {
    let id = SpaceId::of_size(7);
    assert_eq!(id.check(), Err(SpaceError::Size(7)));
    assert_eq!(Space::tabulated(id).unwrap_err(), SpaceError::Size(7));
    let no_ids = SpaceError::NoIds { size: 7, most: 2 };
    assert_eq!(Spaces::with_walls(7, 0..=2).check(), Ok(()));
    assert_eq!(Spaces::with_walls(7, 0..=3).check(), Err(no_ids));
}

#[test]
fn rank_and_position_are_inverse() {
    let space = seven();
    let mut random = Pcg64::seed_from_u64(49);
    let mut ranker = Ranker::new(&space);
    for _ in 0..40 {
        let rank = Rank(random.random_range(0..BOARDS));
        let position = space.position(rank).unwrap();
        assert_eq!((space.rank(&position), ranker.rank(&position)), (rank, rank));
        let board = space.board(&position);
        assert_eq!(space.locate(&board), Ok(Location::Inside(position)), "{board}");
    }
}

fn position_of(space: &Space, board: &Board) -> tailback::space::Position {
    match space.locate(board) {
        Ok(Location::Inside(position)) => position,
        other => panic!("{board}: {other:?}"),
    }
}

#[test]
fn signatures_follow_each_other_without_gaps() {
    let space = seven();
    let mut random = Pcg64::seed_from_u64(11);
    // Any, and where the kinds of many rows change at once.
    let any = (0..12).map(|_| random.random_range(0..SIGNATURES - 1)).collect::<Vec<u32>>();
    for id in any.into_iter().chain((1..9).map(|row| row * 1331 * 6 - 1)) {
        let (id, next) = (SignatureId(id), SignatureId(id + 1));
        let blocks = Blocks::new(&space, id);
        let (first, end) = (space.first_of(id), space.first_of(next));
        assert_eq!(end - first, blocks.boards(), "{id:?}");
        for (rank, of) in [(first, id), (end - 1, id), (end, next)] {
            assert_eq!(space.signature_at(Rank(rank)), Some(of));
            let position = space.position(Rank(rank)).unwrap();
            assert_eq!((space.signature_of(&position), space.rank(&position)), (of, Rank(rank)));
        }
    }
}

/// Larger than 32 bits can number.
#[test]
fn large_signatures_have_numbers_and_no_survey() {
    let space = seven();
    let id = signature(&space, &[&[], &[], &[], &[2], &[], &[], &[]]);
    assert_eq!(id, SignatureId(0));
    let blocks = Blocks::new(&space, id);
    assert!(blocks.boards() > 200_000_000_000 && !blocks.distances_fit());
    let mut random = Pcg64::seed_from_u64(3);
    for _ in 0..1000 {
        let number = random.random_range(0..blocks.boards());
        let position = blocks.position(number);
        assert_eq!((blocks.number(&position), space.number_in_signature(&position)), (number, number));
    }
    let tables = MoveTables::new(&space, Metric::Moves);
    let store = Store::default();
    let survey = Surveyor::by_search(&tables, &store).survey(&space, id).map(drop);
    assert!(matches!(survey, Err(TableError::TooLarge { boards }) if boards == blocks.boards()));
}

fn compare_distances(space: &Space, id: SignatureId, metric: Metric, solver: &mut Solver) -> usize {
    let truth = solved_by_oracle(space, id, metric == Metric::Steps);
    let blocks = Blocks::new(space, id);
    assert_eq!(truth.len() as u64, blocks.boards(), "{id:?}");
    let mut distances = Vec::new();
    let histogram = solver.solve(&blocks, &mut distances).histogram;
    let mut counts = [0u64; 256];
    for number in 0..blocks.boards() {
        let board = space.board(&blocks.position(number));
        let expected = truth[&oracle::code_of(&board.text())];
        // Solved boards come last and have no byte.
        let found = distances.get(number as usize).copied().unwrap_or(Distance::SOLVED.byte());
        assert_eq!(found, expected, "{metric}\n{board}");
        counts[usize::from(found)] += 1;
    }
    assert!(histogram.iter().all(|(distance, count)| counts[usize::from(distance.byte())] == count));
    let longest = counts[1..255].iter().rposition(|&count| count > 0).map_or(0, |longest| longest + 1);
    let counted = solver.count(&blocks, &|| false).expect("nobody stops it");
    let furthest = counted.furthest.map_or(0, |at| truth[&oracle::code_of(&space.board(&at).text())]);
    assert_eq!((counted.histogram, usize::from(furthest)), (histogram, longest), "{id:?}");
    longest
}

#[test]
fn distances_equal_the_oracle() {
    let space = seven();
    for metric in [Metric::Moves, Metric::Steps] {
        let tables = MoveTables::new(&space, metric);
        let mut solver = Solver::new(&tables);
        let mut longest = 0;
        for id in PUZZLES.map(|(id, _)| SignatureId(id)).into_iter().chain(small(&space, 20_000, 3)) {
            longest = longest.max(compare_distances(&space, id, metric, &mut solver));
        }
        assert!(longest > 10, "the sample is too easy: {longest} {metric}");
    }
}

/// Where both edge columns are free, two cars in each have a hundred combinations:
/// more than a word.
#[test]
fn words_that_are_cut_equal_the_oracle() {
    let space = seven();
    let id = signature(&space, &[&[2, 3], &[3, 2], &[2, 3], &[3, 2], &[3, 2], &[3, 2], &[2, 3]]);
    let blocks = Blocks::new(&space, id);
    let h = (0..blocks.unsolved()).find(|&h| blocks.strip_len(h) == 44 * 44).expect("both may be free");
    let mut boards = Vec::new();
    for number in blocks.first(h)..blocks.first(h + 1) {
        let code = oracle::code_of(&space.board(&blocks.position(number)).text());
        let lines = oracle::lines(code, 7);
        if lines[7] == [2, 2] && lines[13] == [2, 2] && !boards.contains(&code) {
            boards.extend(oracle::boards_around(code, 7));
        }
    }
    assert!(boards.len() > 1_000);
    for metric in [Metric::Moves, Metric::Steps] {
        let tables = MoveTables::new(&space, metric);
        let mut distances = Vec::new();
        Solver::new(&tables).solve(&blocks, &mut distances);
        for (code, expected) in oracle::solve_boards(boards.clone(), 7, metric == Metric::Steps) {
            let board = Board::parse(&oracle::text_of(code, 7)).unwrap();
            let number = blocks.number(&position_of(&space, &board)) as usize;
            let found = distances.get(number).copied().unwrap_or(Distance::SOLVED.byte());
            assert_eq!(found, expected, "{metric}\n{board}");
        }
    }
}

/// The furthest board that a sample met (`docs/scale.md`).
#[test]
fn a_board_of_104_moves() {
    let text = "BBCDDEFG.CHHEFG.IIJ.KLAAMJ.KLN.MJOOLNPPPQQRR.SS..";
    let space = seven();
    let position = space.position(Rank(438_480_536_097_531)).unwrap();
    assert_eq!(space.board(&position), Board::parse(text).unwrap());
    let code = oracle::code_of(text);
    let distances = oracle::solve_boards(oracle::boards_around(code, 7), 7, false);
    assert_eq!((distances.len(), distances[&code]), (425_547, 104));
    assert_eq!(distances.values().max(), Some(&104), "none of its cluster is further");
}

#[test]
fn code_and_parts_do_not_matter() {
    let space = seven();
    code::assert_code_and_parts_do_not_matter(&space, &small(&space, 300_000, 4));
}

/// A cluster as both sides tell it: boards, and the longest distance.
type Told = (u32, Option<usize>);

#[test]
fn clusters_and_puzzles_equal_the_oracle() {
    let space = seven();
    let tables = MoveTables::new(&space, Metric::Moves);
    let store = Store::default();
    let (mut surveyor, mut scratch) = (Surveyor::by_search(&tables, &store), Scratch::default());
    for (id, puzzles) in PUZZLES {
        let id = SignatureId(id);
        let distances = solved_by_oracle(&space, id, false);
        let truth = oracle::clusters(distances.keys().copied(), &[&distances], 7);
        let survey = surveyor.survey(&space, id).unwrap();
        let rows: Vec<Vec<u8>> = space.row_kinds(id).map(<[u8]>::to_vec).collect();
        let mut found: BTreeMap<String, Vec<Told>> = BTreeMap::new();
        for cluster in survey.clusters {
            let columns = cluster.family.kinds(7).map(|kind| space.line().kinds()[kind as usize].clone());
            let lines: Vec<Vec<u8>> = rows.iter().cloned().chain(columns).collect();
            let longest = cluster.is_solvable().then_some(cluster.longest as usize);
            found.entry(format!("{lines:?}")).or_default().push((cluster.boards, longest));
        }
        let mut expected: BTreeMap<String, Vec<Told>> = BTreeMap::new();
        for cluster in &truth {
            let told = (cluster.boards, cluster.histogram.len().checked_sub(1));
            expected.entry(cluster.family.clone()).or_default().push(told);
        }
        for list in found.values_mut().chain(expected.values_mut()) {
            list.sort_unstable();
        }
        assert!(found == expected, "the clusters of {id:?} differ");
        let told = |cluster: &oracle::Cluster| {
            (cluster.puzzle.unwrap(), cluster.histogram.clone(), cluster.is_classic, cluster.is_first)
        };
        let mut expected: Vec<_> =
            truth.iter().filter(|cluster| cluster.puzzle.is_some()).map(told).collect();
        let mut found: Vec<_> = survey
            .interesting
            .iter()
            .map(|cluster| {
                let code = oracle::code_of(&space.board(&cluster.puzzle).text());
                (code, cluster.histogram.clone(), cluster.classic, cluster.first)
            })
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert!(found == expected, "the puzzles of {id:?} differ");
        assert_eq!(survey.summary.all.all_clusters(), truth.len() as u64);
        for cluster in &survey.interesting {
            let puzzle = survey.puzzle(cluster, &mut scratch).unwrap();
            assert_eq!(puzzle.id(), space.rank(&cluster.puzzle).0);
            assert_eq!(puzzle.moves() as usize, cluster.histogram.len() - 1);
        }
        assert_eq!(found.len(), puzzles);
    }
}
