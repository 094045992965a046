//! The census: counts and boards by distance are those of the unpacked table,
//! and damage is noticed.

use crate::common;

use std::fs;
use std::path::PathBuf;

use rayon::prelude::*;
use tailback::board::{Distance, Metric};
use tailback::progress::Progress;
use tailback::space::{Blocks, SignatureId, Space};
use tailback::table::{BuildOptions, Census, Counter, Table, TableError, Unpacker, build};

use common::StopAt;
use common::forge::{self, DATA};

const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];

/// The tables of 4×4 and 5×5 in both metrics.
fn tables() -> impl Iterator<Item = &'static Table> {
    [4, 5].into_iter().flat_map(|size| METRICS.map(|metric| common::table(size, metric)))
}

fn signatures(space: &Space) -> impl Iterator<Item = SignatureId> {
    (0..space.signatures()).map(SignatureId)
}

/// The numbers of a signature's boards by distance, from the unpacked table.
fn by_distance(table: &Table, id: SignatureId, blocks: &Blocks) -> Vec<Vec<u32>> {
    let mut distances = Vec::new();
    Unpacker::new(table).unpack(id, blocks, &mut distances).unwrap();
    distances.resize(blocks.boards() as usize, 0);
    let mut numbers = vec![Vec::new(); 256];
    for (number, &d) in distances.iter().enumerate() {
        numbers[d as usize].push(number as u32);
    }
    numbers
}

/// All boards there are, as they are asked for.
fn everything(numbers: &[Vec<u32>]) -> Vec<(Distance, u32)> {
    let at = |d: u8| (0..numbers[d as usize].len() as u32).map(move |nth| (Distance::from_byte(d), nth));
    (0..=u8::MAX).flat_map(at).collect()
}

#[test]
fn counts_are_those_of_the_unpacked_table() {
    for table in tables() {
        let boards = table.header().boards;
        let watch = StopAt::new(u64::MAX);
        let census = Census::take(table, &watch).unwrap().unwrap();
        assert_eq!(
            watch.last(),
            Some(Progress { unit: "boards", done: boards, before: 0, total: Some(boards) })
        );
        assert_eq!(census.histogram(), table.header().histogram);
        let mut counter = Counter::new(table);
        for id in signatures(table.space()) {
            let blocks = Blocks::new(table.space(), id);
            let numbers = by_distance(table, id, &blocks);
            let expected: Vec<u32> = numbers.iter().map(|n| n.len() as u32).collect();
            assert_eq!(counter.count(id, &blocks).unwrap()[..], expected);
            let (unsolvable, expected) = expected.split_last().unwrap();
            let solvable = census.solvable(id);
            assert_eq!(census.unsolvable(id), *unsolvable);
            assert_eq!(*solvable, expected[..solvable.len()]);
            assert!(expected[solvable.len()..].iter().all(|&n| n == 0));
            assert_ne!(solvable.last(), Some(&0));
        }
    }
}

#[test]
fn every_board_is_found_by_its_distance() {
    for table in tables() {
        let bytes = &fs::read(table.path().unwrap()).unwrap();
        let space = table.space();
        let frames = |id: SignatureId| bytes[forge::entry(bytes, id.0).0 + 8];
        assert!(space.size() == 4 || signatures(space).any(|id| frames(id) > 2), "frames are passed over");
        (0..space.signatures()).into_par_iter().for_each_init(
            || (Counter::new(table), Vec::new()),
            |(counter, found), id| {
                let id = SignatureId(id);
                let blocks = Blocks::new(space, id);
                let numbers = by_distance(table, id, &blocks);
                let all = everything(&numbers);
                counter.select(id, &blocks, &all, found).unwrap();
                assert_eq!(*found, numbers.concat());
                // A few of them, and one alone: most of the frames are skipped.
                let step = if space.size() == 4 { 1 } else { 1 + all.len() / 7 };
                let some: Vec<(Distance, u32)> = all.iter().copied().step_by(step).collect();
                let expected = |&(d, nth): &(Distance, u32)| numbers[usize::from(d.byte())][nth as usize];
                counter.select(id, &blocks, &some, found).unwrap();
                assert_eq!(*found, some.iter().map(expected).collect::<Vec<_>>());
                for wanted in &some {
                    counter.select(id, &blocks, &[*wanted, *wanted], found).unwrap();
                    assert_eq!(*found, [expected(wanted); 2]);
                }
            },
        );
    }
}

#[test]
fn more_than_there_are_is_an_error() {
    for table in tables() {
        let mut counter = Counter::new(table);
        for id in signatures(table.space()).step_by(101) {
            let blocks = Blocks::new(table.space(), id);
            let counts = *counter.count(id, &blocks).unwrap();
            for distance in [0, 1, 2, 30, 254, 255].map(Distance::from_byte) {
                for nth in [counts[usize::from(distance.byte())], u32::MAX] {
                    let error = counter.select(id, &blocks, &[(distance, nth)], &mut Vec::new()).unwrap_err();
                    let expected = format!("no board {nth} at distance {distance}");
                    assert!(error.to_string().contains(&expected), "{error}");
                }
            }
            // Not cut to a byte, where 256 would be 0.
            for distance in [255, 256, u32::MAX].map(Distance::of) {
                assert!(counter.select(id, &blocks, &[(distance, 0)], &mut Vec::new()).is_err());
            }
        }
    }
}

#[test]
fn thread_counts_do_not_matter() {
    let table = tables().last().unwrap();
    let census = |threads| {
        let take = || Census::take(table, &());
        common::with_threads(threads, take).unwrap().unwrap()
    };
    let one = census(1);
    assert_eq!(census(2), one);
    assert_eq!(census(5), one);
}

#[test]
fn a_stop_gives_nothing() {
    let table = tables().last().unwrap();
    let stop = StopAt::new(1_000_000);
    assert_eq!(Census::take(table, &stop).unwrap(), None);
    assert!((1_000_000..table.header().boards).contains(&stop.last().unwrap().done));
}

#[test]
fn every_changed_byte_of_a_record_is_noticed() {
    let truth = common::table(4, Metric::Moves);
    let whole = &fs::read(truth.path().unwrap()).unwrap();
    let space = truth.space();
    let records: Vec<usize> = signatures(space).map(|id| forge::entry(whole, id.0).0).collect();
    (DATA..truth.header().index_at as usize).into_par_iter().for_each(|at| {
        let mut bytes = whole.to_vec();
        bytes[at] ^= if at % 3 == 0 { 0xff } else { 1 << (at % 8) };
        let table = Table::from_bytes(bytes).unwrap();
        let id = SignatureId(records.partition_point(|&r| r <= at) as u32 - 1);
        let blocks = Blocks::new(space, id);
        let all = everything(&by_distance(truth, id, &blocks));
        let mut counter = Counter::new(&table);
        let counted = counter.count(id, &blocks).map(|_| ());
        for result in [counted, counter.select(id, &blocks, &all, &mut Vec::new())] {
            assert!(matches!(result, Err(TableError::Damaged { .. })), "byte {at}: {result:?}");
        }
        assert!(Census::take(&table, &()).is_err(), "byte {at}");
    });
}

/// What the checksums cannot tell: the frames are whole, and wrong.
mod forged {
    use super::*;

    fn census(folder: PathBuf) -> TableError {
        let table = Table::open(&folder, 4, Metric::Moves).unwrap();
        Census::take(&table, &()).unwrap_err()
    }

    #[test]
    fn strips_of_other_lengths() {
        let space = Space::of_size(4).unwrap();
        let strips = |blocks: &Blocks| blocks.first_strip(blocks.unsolved());
        let other = |blocks: &Blocks| {
            signatures(&space).map(|id| Blocks::new(&space, id)).find(|other| {
                strips(other) == strips(blocks) && other.unsolved_boards() != blocks.unsolved_boards()
            })
        };
        let folder = tempfile::tempdir().unwrap();
        forge::forge_strips(folder.path(), 4, |blocks, _| {
            let others = other(blocks);
            let packed = others.as_ref().unwrap_or(blocks);
            forge::strips(packed, &vec![1; packed.unsolved_boards() as usize])
        });
        let error = census(folder.path().into()).to_string();
        assert!(error.contains("wrong length"), "{error}");
    }

    #[test]
    fn unsolved_boards_at_distance_0() {
        let folder = tempfile::tempdir().unwrap();
        common::forge::forge_table(folder.path(), 4, |blocks, _| {
            let mut distances = vec![1; blocks.unsolved_boards() as usize];
            if let Some(last) = distances.last_mut() {
                *last = 0;
            }
            Some(distances)
        });
        let error = census(folder.path().into()).to_string();
        assert!(error.contains("said to be solved"), "{error}");
    }
}

/// The census beside a table: read again as it was taken, and taken anew if the file
/// is damaged or of another table.
#[test]
fn kept_beside_its_table() {
    let folder = tempfile::tempdir().unwrap();
    for metric in [Metric::Moves, Metric::Steps] {
        build(&BuildOptions::new(folder.path(), 4, metric), &()).unwrap();
    }
    let open = |metric| Table::open(folder.path(), 4, metric).unwrap();
    let [moves, steps] = [open(Metric::Moves), open(Metric::Steps)];
    let path = folder.path().join("4x4-moves.tailback.census");
    let taken = Census::take(&moves, &()).unwrap();
    assert_eq!(Census::kept(&moves, &()).unwrap(), taken);
    let whole = fs::read(&path).unwrap();
    // It is read: a watch that stops every counting does not stop it.
    assert_eq!(Census::kept(&moves, &StopAt::new(0)).unwrap(), taken);
    assert_eq!(Census::kept(&steps, &StopAt::new(0)).unwrap(), None, "nothing is kept of the other");

    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Census::kept(&moves, &StopAt::new(0)).unwrap(), None, "byte {at}");
    }
    for len in 0..whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        assert_eq!(Census::kept(&moves, &StopAt::new(0)).unwrap(), None, "{len} bytes");
    }
    assert_eq!(Census::kept(&moves, &()).unwrap(), taken);
    assert_eq!(fs::read(&path).unwrap(), whole);
    Census::kept(&steps, &()).unwrap();
    fs::copy(folder.path().join("4x4-steps.tailback.census"), &path).unwrap();
    assert_eq!(Census::kept(&moves, &()).unwrap(), taken);
    assert_eq!(fs::read(&path).unwrap(), whole);
}
