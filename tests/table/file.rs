//! The table: every distance right, every damage noticed, every interrupted
//! build finished with the same bytes.

use crate::common;

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use rand::prelude::*;
use rayon::prelude::*;
use tailback::board::{Distance, Metric};
use tailback::catalogue::survey::Surveyor;
use tailback::progress::Progress;
use tailback::space::{Blocks, Position, Rank, SignatureId, Space};
use tailback::table::{
    BuildError, BuildOptions, ByteSource, Counter, Reader, Step, Table, TableError, Unpacker, Verified,
    Verifier, VerifyError, build, file_name,
};

use common::StopAt;
use common::forge::{DATA, HEADER, SLOT, entry, reseal};

fn plan(folder: &Path, size: usize, metric: Metric) -> BuildOptions {
    BuildOptions { checkpoint_every: Duration::from_millis(1), ..BuildOptions::new(folder, size, metric) }
}

/// The bytes of a table.
fn table_bytes(size: usize, metric: Metric) -> &'static [u8] {
    static READ: [[OnceLock<Vec<u8>>; 2]; 2] = [const { [const { OnceLock::new() }; 2] }; 2];
    READ[size - 4][metric as usize]
        .get_or_init(|| std::fs::read(common::tables().join(file_name(size, metric))).unwrap())
}

/// What an observer is told.
fn told(done: u64, boards: u64) -> Progress {
    Progress { unit: "boards", done, before: 0, total: Some(boards) }
}

#[test]
fn full_verification_passes() {
    for size in [4, 5] {
        for metric in [Metric::Moves, Metric::Steps] {
            let table = Table::from_bytes(table_bytes(size, metric)).unwrap();
            let boards = table.header().boards;
            let watch = StopAt::new(u64::MAX);
            let verified = Verifier::new(&table).full(&watch).unwrap();
            assert_eq!(verified.boards, boards);
            assert!(verified.frames > 0);
            assert_eq!(watch.last(), Some(told(boards, boards)));
        }
    }
}

#[test]
fn the_index_knows_ranks() {
    let table = Table::from_bytes(table_bytes(5, Metric::Moves)).unwrap();
    let space = table.space();
    let probe = table.probe();
    for rank in (0..space.boards()).step_by(1013) {
        let position = space.position(Rank(rank)).unwrap();
        assert_eq!(probe.rank(&position).unwrap(), Rank(rank));
    }
}

/// A table whose frames are whole but whose distances are wrong.
#[test]
fn the_law_finds_a_wrong_distance() {
    // The moves table passed off as a steps table: byte 17 is the metric.
    let mut bytes = table_bytes(5, Metric::Moves).to_vec();
    bytes[17] = 1;
    reseal(&mut bytes);
    let table = Table::from_bytes(bytes).unwrap();
    let verifier = Verifier::new(&table);
    assert!(verifier.frames(&()).is_ok());
    let error = verifier.full(&()).unwrap_err();
    assert!(matches!(error, VerifyError::Law { .. }), "{error}");
    let mut probe = table.probe();
    let space = table.space();
    let broken = (0..space.boards())
        .step_by(997)
        .filter(|&r| verifier.board(&mut probe, &space.position(Rank(r)).unwrap()).is_err())
        .count();
    assert!(broken > 100);
}

/// One wrong distance breaks the law, wherever it is.
#[test]
fn the_law_finds_a_single_wrong_distance() {
    let table = Table::from_bytes(table_bytes(4, Metric::Moves)).unwrap();
    let space = table.space();
    let mut unpacker = Unpacker::new(&table);
    let mut right = Vec::new();
    for id in (0..space.signatures()).map(SignatureId) {
        let mut distances = Vec::new();
        unpacker.unpack(id, &Blocks::new(space, id), &mut distances).unwrap();
        right.push(distances);
    }
    let folder = tempfile::tempdir().unwrap();
    let verify = |wrong: Option<(usize, usize, u8)>| {
        common::forge::forge_table(folder.path(), 4, |_, id| {
            let mut distances = right[id.0 as usize].clone();
            if let Some((signature, board, distance)) = wrong
                && signature == id.0 as usize
            {
                distances[board] = distance;
            }
            Some(distances)
        });
        let table = Table::open(folder.path(), 4, Metric::Moves).unwrap();
        Verifier::new(&table).full(&()).unwrap_err()
    };
    // A forged table counts all boards as unsolvable: that is found after the law.
    assert!(matches!(verify(None), VerifyError::Counts));
    let boards = right.iter().enumerate().flat_map(|(id, distances)| {
        let numbered = distances.iter().enumerate();
        numbered.map(move |(board, &distance)| (id, board, distance))
    });
    let mut tried = 0;
    for (id, board, distance) in boards.step_by(41) {
        for wrong in [distance - 1, distance.checked_add(1).unwrap_or(1)] {
            let error = verify(Some((id, board, wrong)));
            assert!(matches!(error, VerifyError::Law { .. }), "{id} {board} {distance} {wrong}: {error}");
            tried += 1;
        }
    }
    assert!(tried > 400, "{tried}");
}

#[test]
fn wrong_counts_are_found() {
    let mut bytes = table_bytes(4, Metric::Moves).to_vec();
    bytes[128] ^= 1;
    reseal(&mut bytes);
    assert!(Table::from_bytes(&bytes[..]).is_err(), "they do not add up");
    // One board less at distance 1 (bytes 136 on), one more at 0: 4592 and 2682.
    bytes[136] -= 1;
    reseal(&mut bytes);
    let table = Table::from_bytes(bytes).unwrap();
    assert!(matches!(Verifier::new(&table).full(&()), Err(VerifyError::Counts)));
}

#[test]
fn a_stopped_check_says_so() {
    let table = Table::from_bytes(table_bytes(5, Metric::Moves)).unwrap();
    let verifier = Verifier::new(&table);
    type Check = fn(&Verifier, &StopAt) -> Result<Verified, VerifyError>;
    let stopped: [(&str, Check); 3] = [
        ("frames", |verifier, stop| verifier.frames(stop)),
        ("full", |verifier, stop| verifier.full(stop)),
        ("sample", |verifier, stop| verifier.sample(u64::MAX, 1, stop)),
    ];
    for (name, check) in stopped {
        let stop = StopAt::new(1000);
        let error = check(&verifier, &stop).expect_err(name);
        assert!(matches!(error, VerifyError::Stopped), "{name}: {error}");
        let Progress { unit, before, total, .. } = stop.last().unwrap();
        let all = if name == "sample" { u64::MAX } else { table.header().boards };
        assert_eq!((unit, before, total), ("boards", 0, Some(all)), "{name}");
    }
}

/// Bytes in memory that are not lent, and a note of every read.
#[derive(Debug)]
struct Noted {
    bytes: &'static [u8],
    reads: Arc<Mutex<Vec<Range<u64>>>>,
}

impl ByteSource for Noted {
    fn length(&self) -> io::Result<u64> {
        self.bytes.length()
    }

    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        self.reads.lock().unwrap().push(range.clone());
        Ok(self.bytes.read(range)?.into_owned().into())
    }
}

/// A table far away: its header, then an index entry, a directory and a frame
/// for each board, and nothing twice.
#[test]
fn a_look_up_is_a_few_small_reads() {
    let bytes = table_bytes(5, Metric::Moves);
    let reads = Arc::new(Mutex::new(Vec::new()));
    let table = Table::from_source(Noted { bytes, reads: reads.clone() }).unwrap();
    assert_eq!(*reads.lock().unwrap(), std::slice::from_ref(&(0..4096)));
    let (space, near) = (table.space(), Table::from_bytes(bytes).unwrap());
    let (mut far, mut near) = (table.probe(), near.probe());
    for rank in (0..space.boards()).step_by(100_003) {
        let position = space.position(Rank(rank)).unwrap();
        far.forget();
        reads.lock().unwrap().clear();
        let distance = far.distance(&position).unwrap();
        assert_eq!(distance, near.distance(&position).unwrap());
        assert_eq!(far.distance(&position).unwrap(), distance);
        let lens: Vec<u64> = reads.lock().unwrap().iter().map(|range| range.end - range.start).collect();
        if distance == Distance::SOLVED {
            assert!(lens.is_empty(), "{lens:?}");
        } else {
            let (_, directory_len) = entry(bytes, space.signature_of(&position).0);
            assert_eq!(lens[..2], [24, directory_len as u64]);
            assert!(lens.len() == 3 && lens[2] < 20_000, "{lens:?}");
        }
        assert_eq!(far.rank(&position).unwrap(), Rank(rank));
    }
    // A file that is cut off is noticed where it is read, if not as a whole.
    let cut = &bytes[..bytes.len() - 24];
    let table = Table::from_source(cut).unwrap();
    let last = space.position(Rank(space.boards() - 1)).unwrap();
    assert!(matches!(table.probe().rank(&last), Err(TableError::Damaged { .. })));
    assert!(matches!(table.whole(), Err(TableError::Damaged { .. })));
}

/// Ranges that somebody else fetches, several boards under way at once, in any order: the
/// answers are those of the file.
#[test]
fn a_reader_goes_on_when_it_has_its_bytes() {
    let bytes = table_bytes(5, Metric::Moves);
    let fetch = |range: Range<u64>| bytes[range.start as usize..range.end as usize].to_vec();
    let mut reader = Reader::new(&fetch(Reader::START)).unwrap();
    assert!(Reader::new(&bytes[..4095]).is_err() && Reader::new(b"").is_err());
    let table = Table::from_bytes(bytes).unwrap();
    let mut probe = table.probe();
    let mut random = rand_pcg::Pcg64::seed_from_u64(5);
    for is_lent in [false, true] {
        let mut waiting = Vec::new();
        for _ in 0..300 {
            let rank = random.random_range(0..table.space().boards());
            let position = table.space().position(Rank(rank)).unwrap();
            let expected = probe.distance(&position).unwrap();
            waiting.push((expected, reader.ask(&position).unwrap()));
        }
        while !waiting.is_empty() {
            let (expected, step) = waiting.swap_remove(random.random_range(0..waiting.len()));
            match step {
                Step::Is(distance) => assert_eq!(distance, expected),
                Step::Wants(question) => {
                    let Range { start, end } = question.range();
                    let given = match is_lent {
                        true => Cow::Borrowed(&bytes[start as usize..end as usize]),
                        false => Cow::Owned(fetch(start..end)),
                    };
                    waiting.push((expected, reader.give(question, given).unwrap()));
                }
            }
        }
        reader.forget();
    }
    // Whatever else arrives is an error, and the next question is answered.
    let position = table.space().position(Rank(5_000_000)).unwrap();
    let expected = probe.distance(&position).unwrap();
    for wrong_at in 0..4 {
        reader.forget();
        let mut step = reader.ask(&position);
        for round in 0..4 {
            step = match step {
                Ok(Step::Wants(question)) => {
                    let mut given = fetch(question.range());
                    match (round == wrong_at, round) {
                        (false, _) => {}
                        (true, 0) => given.clear(),
                        (true, _) => *given.last_mut().unwrap() ^= 1,
                    }
                    reader.give(question, given.into())
                }
                done => done,
            };
        }
        match step {
            Ok(Step::Is(distance)) => assert!(wrong_at == 3 && distance == expected),
            Ok(Step::Wants(question)) => panic!("{question:?}"),
            Err(error) => assert!(matches!(error, TableError::Damaged { .. }), "{error}"),
        }
    }
    // A board of another table.
    let other = Space::of_size(4).unwrap().position(Rank(7)).unwrap();
    for error in [reader.ask(&other).unwrap_err(), probe.rank(&other).unwrap_err()] {
        assert!(matches!(error, TableError::OtherSpace { .. }), "{error}");
    }
}

/// Guards messages about two tables at once: an error knows its file.
#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file_name(4, Metric::Moves));
    let whole = table_bytes(4, Metric::Moves);
    let mut bytes = whole.to_vec();
    bytes[entry(whole, 5).0 + 3] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let table = Table::open(folder.path(), 4, Metric::Moves).unwrap();
    assert_eq!(table.path(), Some(&*path));
    let start = format!("{}: the table is damaged: ", path.display());
    let blocks = Blocks::new(table.space(), SignatureId(5));
    let position = blocks.position(0);
    let mut errors = vec![
        table.probe().distance(&position).unwrap_err(),
        Counter::new(&table).count(SignatureId(5), &blocks).unwrap_err(),
        Unpacker::new(&table).unpack(SignatureId(5), &blocks, &mut Vec::new()).unwrap_err(),
    ];
    bytes[100] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    errors.push(Table::open(folder.path(), 4, Metric::Moves).unwrap_err());
    for error in errors {
        assert!(error.to_string().starts_with(&start), "{error}");
    }
    let unnamed = Table::from_bytes(bytes).unwrap_err().to_string();
    assert!(unnamed.starts_with("the table is damaged: "), "{unnamed}");
}

#[test]
fn every_changed_byte_is_noticed() {
    let whole = table_bytes(4, Metric::Moves);
    let truth = Table::from_bytes(whole).unwrap();
    let space = truth.space();
    // The boards of every signature with their distances.
    let mut boards = vec![Vec::new(); space.signatures() as usize];
    let mut probe = truth.probe();
    for rank in 0..space.boards() {
        let position = space.position(Rank(rank)).unwrap();
        boards[space.signature_of(&position).0 as usize].push((position, probe.distance(&position).unwrap()));
    }
    let records: Vec<u64> = (0..space.signatures()).map(|id| entry(whole, id).0 as u64).collect();
    let noticed: usize = (0..whole.len())
        .into_par_iter()
        .map(|at| {
            let mut bytes = whole.to_vec();
            bytes[at] ^= if at % 3 == 0 { 0xff } else { 1 << (at % 8) };
            let table = match Table::from_bytes(bytes) {
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    return 1;
                }
                Ok(table) => table,
            };
            assert!((DATA..truth.header().index_at as usize).contains(&at), "byte {at} is not checked");
            let error = Verifier::new(&table).frames(&()).expect_err("the byte belongs to a record");
            assert!(error.to_string().contains("damaged"), "{error}");
            // No wrong answer: right, or an error.
            let id = records.partition_point(|&r| r <= at as u64) - 1;
            let mut probe = table.probe();
            let mut errors = 0;
            for (position, expected) in &boards[id] {
                match probe.distance(position) {
                    Ok(found) => assert_eq!(found, *expected),
                    Err(TableError::Damaged { .. }) => errors += 1,
                    Err(other) => panic!("byte {at}: {other}"),
                }
            }
            // Solved boards are answered without reading their record.
            let read = boards[id].iter().any(|b| b.1 != Distance::SOLVED);
            assert_eq!(errors > 0, read, "byte {at}");
            1
        })
        .sum();
    assert_eq!(noticed, whole.len());
}

#[test]
fn random_damage_to_a_larger_table_is_noticed() {
    let whole = table_bytes(5, Metric::Steps);
    let mut random = rand_pcg::Pcg64::seed_from_u64(7);
    for _ in 0..200 {
        let mut bytes = whole.to_vec();
        let at = random.random_range(0..bytes.len());
        bytes[at] = bytes[at].wrapping_add(random.random_range(1..=255));
        let noticed = match Table::from_bytes(bytes) {
            Err(_) => true,
            Ok(table) => Verifier::new(&table).frames(&()).is_err(),
        };
        assert!(noticed, "byte {at}");
    }
}

#[test]
fn every_truncation_is_noticed() {
    let whole = table_bytes(4, Metric::Steps);
    for len in 0..whole.len() {
        let error = Table::from_bytes(&whole[..len]).expect_err("too short");
        let text = error.to_string();
        assert!(text.contains("damaged") || text.contains("not a Tailback table"), "{len}: {text}");
    }
    let mut longer = whole.to_vec();
    longer.push(0);
    assert!(Table::from_bytes(longer).is_err());
}

#[test]
fn other_files_are_told_apart() {
    let error = |bytes: &[u8]| Table::from_bytes(bytes.to_vec()).expect_err("not a table");
    assert!(matches!(error(b""), TableError::Damaged { .. }));
    assert!(matches!(error(b"SQLite format 3\0 and more"), TableError::Foreign { .. }));
    assert!(matches!(error(&[b'x'; 100_000]), TableError::Foreign { .. }));
    for version in [1, 3] {
        let mut other = table_bytes(4, Metric::Moves).to_vec();
        other[8] = version;
        let text = error(&other).to_string();
        assert!(text.contains(&format!("format version {version}, this program reads version 2")), "{text}");
    }
    let mut dictionary = table_bytes(4, Metric::Moves).to_vec();
    dictionary[3000] ^= 1;
    reseal(&mut dictionary);
    assert!(error(&dictionary).to_string().contains("the dictionary of the frames"));
    let mut rules = table_bytes(4, Metric::Moves).to_vec();
    rules[12] = 9;
    reseal(&mut rules);
    assert!(matches!(error(&rules), TableError::Rules { found: 9, .. }));
    let mut size = table_bytes(4, Metric::Moves).to_vec();
    size[16] = 7;
    reseal(&mut size);
    assert!(matches!(error(&size), TableError::Damaged { .. }));
    let mut metric = table_bytes(4, Metric::Moves).to_vec();
    metric[17] = 5;
    reseal(&mut metric);
    assert!(matches!(error(&metric), TableError::Damaged { .. }));
}

#[test]
fn missing_and_misnamed_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Table::open(folder.path(), 5, Metric::Moves).expect_err("nothing there");
    assert!(missing.to_string().contains("5x5-moves.tailback is missing"), "{missing}");
    std::fs::write(folder.path().join(file_name(5, Metric::Moves)), table_bytes(5, Metric::Steps)).unwrap();
    let other = Table::open(folder.path(), 5, Metric::Moves).expect_err("another table");
    assert!(matches!(other, TableError::Other { .. }), "{other}");
    std::fs::write(folder.path().join(file_name(4, Metric::Moves)), b"").unwrap();
    assert!(Table::open(folder.path(), 4, Metric::Moves).is_err());
}

/// Guards programs that ask for a size from outside: they panicked.
#[test]
fn sizes_without_tables_have_none() {
    let folder = tempfile::tempdir().unwrap();
    for size in [0, 3, 8, 9, 300, usize::MAX] {
        for metric in [Metric::Moves, Metric::Steps] {
            let error = Table::open(folder.path(), size, metric).unwrap_err();
            assert!(matches!(error, TableError::Missing { .. }), "{error}");
            assert_eq!(file_name(size, metric), format!("{size}x{size}-{metric}.tailback"));
        }
    }
}

#[test]
fn thread_counts_do_not_matter() {
    for threads in [1, 2, 3, 8] {
        let folder = tempfile::tempdir().unwrap();
        let plan = BuildOptions { threads, ..plan(folder.path(), 5, Metric::Moves) };
        let report = build(&plan, &()).unwrap();
        assert_eq!(std::fs::read(report.path).unwrap(), table_bytes(5, Metric::Moves), "{threads} threads");
    }
}

#[test]
fn interrupted_builds_end_in_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), 5, Metric::Steps);
    let total = Space::of_size(5).unwrap().boards();
    for tenth in 1..10 {
        // Of two threads one may come to the end while the other sleeps.
        let plan = BuildOptions { threads: if tenth <= 5 { 2 } else { 1 }, ..plan.clone() };
        let stop = StopAt::new(total * tenth / 10);
        let error = build(&plan, &stop).expect_err("stopped");
        assert!(matches!(error, BuildError::Stopped), "{error}");
        assert!(!folder.path().join(file_name(5, Metric::Steps)).exists());
    }
    let report = build(&plan, &()).unwrap();
    assert!(report.resumed > total / 2, "it went on: {report:?}");
    assert_eq!(std::fs::read(&report.path).unwrap(), table_bytes(5, Metric::Steps));
    assert!(build(&plan, &()).unwrap().already_built);
}

/// A build that was stopped half way.
fn half_built(folder: &Path) -> (BuildOptions, std::path::PathBuf) {
    let plan = plan(folder, 5, Metric::Moves);
    let stop = StopAt::new(5_000_000);
    build(&BuildOptions { threads: 1, ..plan.clone() }, &stop).expect_err("stopped");
    let part = folder.join(format!("{}.part", file_name(5, Metric::Moves)));
    assert!(part.exists());
    (plan, part)
}

#[test]
fn a_torn_checkpoint_falls_back_to_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    let mut bytes = std::fs::read(&part).unwrap();
    let sequence = |slot: usize| {
        let at = HEADER + slot * SLOT + 56;
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    };
    let newest = if sequence(0) > sequence(1) { 0 } else { 1 };
    assert!(sequence(1 - newest) > 0, "both places are in use");
    bytes[HEADER + newest * SLOT + 1000] ^= 1;
    bytes.extend(b"what a crash left behind");
    std::fs::write(&part, &bytes).unwrap();
    let report = build(&plan, &()).unwrap();
    assert!(report.resumed > 0);
    assert_eq!(std::fs::read(report.path).unwrap(), table_bytes(5, Metric::Moves));
}

/// Guards whatever else has the name of an unfinished build, such as half a
/// download: it was overwritten without a word.
#[test]
fn what_is_no_unfinished_build_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    let begun = std::fs::read(&part).unwrap();
    let finished = table_bytes(5, Metric::Moves);
    let changed = |whole: &[u8], change: fn(&mut [u8])| {
        let mut bytes = whole.to_vec();
        change(&mut bytes);
        reseal(&mut bytes);
        bytes
    };
    let other_level = BuildOptions { level: 12, ..plan.clone() };
    for (name, plan, bytes, says) in [
        ("a text", &plan, b"not ours".to_vec(), "starts with \"not ours\""),
        ("a short file", &plan, b"TAIL".to_vec(), "starts with \"TAIL\""),
        ("zeros", &plan, vec![0; 300_000], "starts with"),
        ("half a table", &plan, finished[..finished.len() / 2].to_vec(), "finished table, but it is damaged"),
        ("its first bytes", &plan, finished[..1000].to_vec(), "ends after 1000 bytes"),
        ("a table", &other_level, finished.to_vec(), "finished table of boards of 5×5 in moves at level 4"),
        ("another table", &plan, table_bytes(5, Metric::Steps).to_vec(), "boards of 5×5 in steps"),
        ("a newer table", &plan, changed(finished, |bytes| bytes[8] = 3), "format version 3, not 2"),
        // Its checkpoints are of that version, too.
        ("a newer build", &plan, changed(&begun[..HEADER], |bytes| bytes[8] = 3), "format version 3, not 2"),
        ("other rules", &plan, changed(&begun[..HEADER], |bytes| bytes[12] = 9), "rules 9, not 1"),
        // As downloads leave it that reserve their room first.
        (
            "a hole",
            &plan,
            changed(finished, |bytes| {
                let middle = bytes.len() / 2;
                bytes[middle..middle + middle / 4].fill(0);
            }),
            "finished table, but it is damaged: the",
        ),
        (
            "no checkpoint is whole",
            &plan,
            changed(&begun, |bytes| {
                bytes[HEADER + 100] ^= 1;
                bytes[HEADER + SLOT + 100] ^= 1;
            }),
            "unfinished build and damaged",
        ),
    ] {
        std::fs::write(&part, &bytes).unwrap();
        let error = build(plan, &()).expect_err(name).to_string();
        assert!(error.starts_with(part.to_str().unwrap()) && error.contains(says), "{name}: {error}");
        assert!(std::fs::read(&part).unwrap() == bytes, "{name} is as it was");
        assert!(!folder.path().join(file_name(5, Metric::Moves)).exists(), "{name}");
    }
}

/// A build that came to no checkpoint has nothing to lose.
#[test]
fn a_build_that_has_stored_nothing_starts_anew() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), 4, Metric::Moves);
    let part = folder.path().join(format!("{}.part", file_name(4, Metric::Moves)));
    let begun = {
        let folder = tempfile::tempdir().unwrap();
        std::fs::read(half_built(folder.path()).1).unwrap()
    };
    let torn = [&begun[..HEADER], &[0; SLOT], &[7; 1000], &[0; SLOT - 1000]].concat();
    for begun in [&[][..], &[0; DATA], &begun[..HEADER], &torn] {
        std::fs::write(&part, begun).unwrap();
        let report = build(&plan, &()).unwrap();
        assert_eq!((report.resumed, report.already_built), (0, false));
        assert_eq!(std::fs::read(&report.path).unwrap(), table_bytes(4, Metric::Moves));
        std::fs::remove_file(report.path).unwrap();
    }
}

/// Guards what links lead to, which was cut, and against waiting for a pipe.
#[cfg(unix)]
#[test]
fn links_and_pipes_in_the_way_are_refused() {
    let name = file_name(4, Metric::Moves);
    for name in [".build.lock".to_owned(), format!("{name}.part")] {
        let folder = tempfile::tempdir().unwrap();
        let (target, path) = (folder.path().join("target"), folder.path().join(&name));
        std::fs::write(&target, "kept").unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        let error = build(&plan(folder.path(), 4, Metric::Moves), &()).expect_err("a link");
        let error = common::with_reasons(&error);
        assert!(error.contains(&name) && error.contains("it is a symbolic link"), "{error}");
        assert_eq!(std::fs::read(&target).unwrap(), b"kept", "{name}");
    }
    for name in [".build.lock".to_owned(), format!("{name}.part"), name] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(&name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = build(&plan(folder.path(), 4, Metric::Moves), &()).expect_err("a pipe");
        let error = common::with_reasons(&error);
        assert!(error.contains(&name) && error.contains("it is a named pipe"), "{error}");
    }
}

/// Sealed by whoever changed them: adding up the counts of the second panicked.
#[test]
fn checkpoints_that_cannot_be_are_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    let begun = std::fs::read(&part).unwrap();
    for (name, at, byte) in [
        ("a sequence without a next", 63, 0xff),
        ("a sum that overflows", 135, 0xff),
        ("a board more", 136, 1),
    ] {
        let mut bytes = begun.clone();
        for slot in bytes[HEADER..DATA].chunks_mut(SLOT) {
            slot[at] = slot[at].wrapping_add(byte);
            let (block, checksum) = slot.split_at_mut(SLOT - 4);
            checksum.copy_from_slice(&crc32fast::hash(block).to_le_bytes());
        }
        std::fs::write(&part, &bytes).unwrap();
        let error = build(&plan, &()).expect_err(name);
        assert!(matches!(&error, BuildError::Table(TableError::DamagedPart { .. })), "{name}: {error}");
        assert!(std::fs::read(&part).unwrap() == bytes, "{name} is as it was");
    }
}

#[test]
fn without_a_checkpoint_a_build_starts_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[HEADER..DATA].fill(0);
    std::fs::write(&part, &bytes).unwrap();
    let report = build(&plan, &()).unwrap();
    assert_eq!(report.resumed, 0);
    assert_eq!(std::fs::read(report.path).unwrap(), table_bytes(5, Metric::Moves));
}

#[test]
fn a_cut_or_foreign_part_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    let whole = std::fs::read(&part).unwrap();
    std::fs::write(&part, &whole[..whole.len() / 2]).unwrap();
    let error = build(&plan, &()).expect_err("half of it is gone");
    assert!(matches!(&error, BuildError::Table(TableError::DamagedPart { .. })), "{error}");
    // Other settings than the build was started with.
    std::fs::write(&part, &whole).unwrap();
    let error = build(&BuildOptions { level: 9, ..plan.clone() }, &()).expect_err("another level");
    assert!(matches!(&error, BuildError::Table(TableError::OtherSettings { .. })), "{error}");
    // An unfinished table is not mistaken for a finished one.
    std::fs::copy(&part, folder.path().join(file_name(5, Metric::Moves))).unwrap();
    let error = Table::open(folder.path(), 5, Metric::Moves).expect_err("unfinished");
    assert!(matches!(error, TableError::Unfinished { .. }), "{error}");
}

#[test]
fn builds_that_cannot_start_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let error = |plan: BuildOptions| build(&plan, &()).expect_err("cannot start").to_string();
    assert!(error(plan(folder.path(), 7, Metric::Moves)).contains("7×7"));
    assert!(error(BuildOptions { level: 99, ..plan(folder.path(), 4, Metric::Moves) }).contains("1 to 19"));
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(error(plan(&file.join("db"), 4, Metric::Moves)).contains("cannot write to"));
    let lock = std::fs::File::create(folder.path().join(".build.lock")).unwrap();
    lock.lock().unwrap();
    assert!(error(plan(folder.path(), 4, Metric::Moves)).contains("another build"));
}

/// A build may be cut off inside its last steps too.
#[test]
fn a_build_cut_off_while_finishing_is_finished_by_the_next() {
    let whole = table_bytes(5, Metric::Moves);
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    build(&plan, &()).unwrap();
    let finished = folder.path().join(file_name(5, Metric::Moves));
    let slots = checkpoint_of_whole_build();
    let index_at = Table::from_bytes(whole).unwrap().header().index_at as usize;
    // Header page, checkpoint places, and how much of the index is there.
    let part_header = || {
        let folder = tempfile::tempdir().unwrap();
        std::fs::read(half_built(folder.path()).1).unwrap()[..HEADER].to_vec()
    };
    let part_header = part_header();
    let torn = [&whole[..2048], &part_header[2048..]].concat();
    for (name, header, slots, len) in [
        ("before the index", &part_header[..], &slots[..], index_at),
        ("inside the index", &part_header[..], &slots[..], index_at + 1000),
        ("after the index", &part_header[..], &slots[..], whole.len()),
        ("a torn header", &torn[..], &slots[..], whole.len()),
        ("after the header", &whole[..HEADER], &slots[..], whole.len()),
        (
            "one checkpoint emptied",
            &whole[..HEADER],
            &[&[0; SLOT][..], &slots[SLOT..]].concat()[..],
            whole.len(),
        ),
        ("the other emptied", &whole[..HEADER], &[&slots[..SLOT], &[0; SLOT][..]].concat()[..], whole.len()),
        ("before the rename", &whole[..HEADER], &[0; 2 * SLOT][..], whole.len()),
    ] {
        std::fs::remove_file(&finished).unwrap();
        std::fs::write(&part, [header, slots, &whole[DATA..len]].concat()).unwrap();
        let report = build(&plan, &()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(report.resumed > 9_000_000, "{name}: {report:?}");
        assert_eq!(std::fs::read(&finished).unwrap(), whole, "{name}");
        assert!(!part.exists(), "{name}");
    }
}

/// The two checkpoint places as they are when all records are written.
fn checkpoint_of_whole_build() -> Vec<u8> {
    let whole = table_bytes(5, Metric::Moves);
    let header = Table::from_bytes(whole).unwrap().header().clone();
    let slot = |sequence: u64| {
        // As the header, but for the magic and bytes 56 to 79.
        let mut slot = whole[..SLOT].to_vec();
        slot[..8].copy_from_slice(b"TAILMARK");
        slot[56..64].copy_from_slice(&sequence.to_le_bytes());
        let records = crc32fast::hash(&whole[DATA..header.index_at as usize]);
        slot[68..72].copy_from_slice(&records.to_le_bytes());
        slot[80..88].fill(0);
        reseal(&mut slot);
        slot
    };
    [slot(8), slot(7)].concat()
}

#[test]
fn damage_to_an_unfinished_build_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    let whole = std::fs::read(&part).unwrap();
    let mut random = rand_pcg::Pcg64::seed_from_u64(5);
    for _ in 0..60 {
        // Behind the records of both checkpoints there is nothing to damage.
        let at = random.random_range(DATA..whole.len() / 2);
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << random.random_range(0..8);
        std::fs::write(&part, bytes).unwrap();
        let error = build(&plan, &()).expect_err("damaged");
        assert!(matches!(&error, BuildError::Table(TableError::DamagedPart { .. })), "byte {at}: {error}");
    }
}

/// Checkpoints of spaces that there are not: the build says that it cannot go on.
#[test]
fn forged_checkpoints_of_no_space_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, part) = half_built(folder.path());
    let whole = std::fs::read(&part).unwrap();
    for (size, walls) in [(0u8, 1u64), (5, 1 << 25), (8, 1), (9, 1), (255, u64::MAX)] {
        let mut bytes = whole.clone();
        for slot in bytes[HEADER..DATA].chunks_exact_mut(SLOT) {
            slot[12] = 2;
            slot[16] = size;
            slot[88..96].copy_from_slice(&walls.to_le_bytes());
            reseal(slot);
        }
        std::fs::write(&part, bytes).unwrap();
        let error = build(&plan, &()).expect_err("forged");
        assert!(matches!(&error, BuildError::Table(TableError::DamagedPart { .. })), "size {size}: {error}");
    }
}

/// Files whose checksums are right but whose contents are nonsense: an error
/// or an answer, never a panic.
#[test]
fn nonsense_with_right_checksums_does_not_panic() {
    let whole = table_bytes(4, Metric::Moves);
    let truth = Table::from_bytes(whole).unwrap();
    let space = truth.space();
    let index_at = truth.header().index_at as usize;
    let mut random = rand_pcg::Pcg64::seed_from_u64(9);
    let positions: Vec<Position> = (0..space.boards()).map(|r| space.position(Rank(r)).unwrap()).collect();
    let mut refused = 0;
    for _ in 0..400 {
        let mut bytes = whole.to_vec();
        // Some bytes of one directory, or of its index entry; then all the
        // checksums above it are made right again.
        let id = random.random_range(0..space.signatures());
        let (record_at, directory_len) = entry(whole, id);
        let directory = record_at..record_at + directory_len;
        let entry_at = index_at + 24 * id as usize;
        for _ in 0..random.random_range(1..4) {
            let at = if random.random_bool(0.8) {
                random.random_range(directory.clone())
            } else {
                entry_at + random.random_range(0..16)
            };
            bytes[at] = if random.random_bool(0.5) { 0xff } else { random.random() };
        }
        let checksum = crc32fast::hash(&bytes[directory]);
        bytes[entry_at + 16..entry_at + 20].copy_from_slice(&checksum.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[index_at..]);
        bytes[68..72].copy_from_slice(&checksum.to_le_bytes());
        reseal(&mut bytes);
        let Ok(table) = Table::from_bytes(&bytes[..]) else { continue };
        let mut probe = table.probe();
        for position in &positions {
            let _ = probe.distance(position);
        }
        let mut surveyor = Surveyor::new(&table);
        let mut counter = Counter::new(&table);
        for id in (0..space.signatures()).map(SignatureId) {
            let _ = surveyor.survey(space, id);
            let blocks = Blocks::new(space, id);
            let _ = counter.count(id, &blocks);
            let wanted = [(Distance::from_byte(1), 0), (Distance::UNSOLVABLE, 7)];
            let _ = counter.select(id, &blocks, &wanted, &mut Vec::new());
        }
        let verifier = Verifier::new(&table);
        refused += usize::from(verifier.frames(&()).is_err());
        assert!(bytes == whole || verifier.full(&()).is_err());
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn a_sample_obeys_the_law() {
    for metric in [Metric::Moves, Metric::Steps] {
        let table = Table::from_bytes(table_bytes(5, metric)).unwrap();
        let watch = StopAt::new(u64::MAX);
        let verified = Verifier::new(&table).sample(3000, 1, &watch).unwrap();
        assert_eq!((verified.boards, watch.last()), (3000, Some(told(3000, 3000))));
    }
}
