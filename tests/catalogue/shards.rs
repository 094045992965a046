//! Builds in shards: the same bytes as of one machine, whatever happens to the
//! shards on the way, and a clear no where they are not all there.

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rand::{Rng, SeedableRng};
use tailback::board::Metric;
use tailback::catalogue::{self, Rules};
use tailback::shards::{
    Fault, Merged, Plan, Product, PuzzlesSoFar, Run, Shard, ShardError, State, Status, merge,
};
use tailback::space::{Rank, Space, SpaceId, Spaces};
use tailback::table::{self, BuildError};

use common::StopAt;

const SHARDS: u32 = 7;

fn plan(folder: &Path, product: Product) -> Plan {
    let plan = Plan::new(folder.join("some.plan"), product, SHARDS, &()).unwrap();
    plan.write().unwrap();
    plan
}

fn puzzles() -> Product {
    Product::Catalogue(Spaces::with_walls(4, 0..=2))
}

/// Does all shards, with a number of threads each.
fn run_all(plan: &Plan) {
    for shard in plan.shards() {
        let run = Run { threads: 1 + shard.number as usize % 3, ..Run::new(plan, shard.number) };
        run.run(&()).unwrap();
    }
}

fn states(plan: &Plan) -> Vec<State> {
    Status::of(plan, true, &()).unwrap().states
}

/// What is wrong with each shard that cannot be merged.
fn faults(plan: &Plan) -> Vec<(u32, Fault)> {
    match merge(plan, &()) {
        Err(ShardError::Incomplete { faults, shards: SHARDS }) => faults,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_merged_table_has_the_bytes_of_one_machine() {
    for (space, metric, level) in
        [(SpaceId::of_size(5), Metric::Steps, 3), (SpaceId { size: 5, walls: 1 << 7 }, Metric::Moves, 6)]
    {
        let folder = tempfile::tempdir().unwrap();
        let alone = table::BuildOptions {
            level,
            ..table::BuildOptions::new(folder.path().join("one"), space, metric)
        };
        let report = table::build(&alone, &()).unwrap();
        let plan = plan(folder.path(), Product::Table { space, metric, level });
        run_all(&plan);
        let Ok(Merged::Table(merged)) = merge(&plan, &()) else { panic!("it is a table") };
        assert_eq!((merged.boards, merged.bytes, merged.level), (report.boards, report.bytes, level));
        assert!(fs::read(merged.path).unwrap() == fs::read(report.path).unwrap());
        let Ok(Merged::Table(again)) = merge(&plan, &()) else { panic!("it is a table") };
        assert!(again.already_built);
    }
}

#[test]
fn a_merged_catalogue_has_the_bytes_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    for spaces in [Spaces::with_walls(4, 0..=2), Spaces::from(5)] {
        let alone = catalogue::BuildOptions {
            source: catalogue::Source::Search,
            ..catalogue::BuildOptions::new(folder.path().join("one"), spaces.clone())
        };
        let report = catalogue::build(&alone, &()).unwrap();
        let plan = Plan::new(folder.path().join("a.plan"), Product::Catalogue(spaces), SHARDS, &()).unwrap();
        run_all(&plan);
        // One that is stopped goes on.
        let stopped = merge(&plan, &StopAt::new(plan.boards() / 2));
        assert!(matches!(stopped, Err(ShardError::Build(BuildError::Stopped))), "{stopped:?}");
        let Ok(Merged::Catalogue(merged)) = merge(&plan, &()) else { panic!("it is a catalogue") };
        assert!(merged.resumed > 0, "{merged:?}");
        assert_eq!(merged.puzzles, report.puzzles);
        assert!(fs::read(merged.path).unwrap() == fs::read(report.path).unwrap());
        fs::remove_dir_all(plan.folder()).unwrap();
    }
}

/// A line of a file of counts: boards, signatures, and the number and text of a board.
type Line = (u64, u64, Option<(u64, String)>);

/// The lines of a file of counts by their distances.
fn counts(path: &Path) -> BTreeMap<String, Line> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("distance,boards,signatures,id,board"));
    let line = |line: &str| {
        let [distance, boards, signatures, id, board] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let example = (!id.is_empty()).then(|| (id.parse().unwrap(), board.to_owned()));
        (distance.to_owned(), (boards.parse().unwrap(), signatures.parse().unwrap(), example))
    };
    lines.map(line).collect()
}

#[test]
fn counts_equal_the_oracle() {
    for (spaces, metric) in [
        (Spaces::with_walls(4, 0..=2), Metric::Moves),
        (Spaces::with_walls(4, 0..=1), Metric::Steps),
        (Spaces::from(SpaceId { size: 5, walls: 1 << 8 }), Metric::Moves),
    ] {
        let size = spaces.size();
        let is_steps = metric == Metric::Steps;
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), Product::Counts { spaces: spaces.clone(), metric });
        run_all(&plan);
        let Ok(Merged::Counts(merged)) = merge(&plan, &()) else { panic!("they are counts") };
        let found = counts(&merged.path);

        let mut expected = BTreeMap::<String, u64>::from([("unsolvable".to_owned(), 0)]);
        for id in spaces.iter() {
            let walls: Vec<usize> = id.wall_cells().map(|cell| cell.index()).collect();
            let boards = oracle::boards_with(size, &walls, None);
            for distance in oracle::solve_boards(boards, size, is_steps).into_values() {
                let name = match distance {
                    oracle::UNSOLVABLE => "unsolvable".to_owned(),
                    known => known.to_string(),
                };
                *expected.entry(name).or_default() += 1;
            }
        }
        let boards = |(distance, line): (&String, &Line)| (distance.clone(), line.0);
        assert_eq!(found.iter().map(boards).collect::<BTreeMap<_, _>>(), expected, "{spaces} in {metric}");
        assert_eq!(merged.histogram.total(), plan.boards());

        // Every signature is at its longest distance, and so is the board that is told.
        assert_eq!(found.values().map(|line| line.1).sum::<u64>(), u64::from(plan.jobs()));
        for (distance, (_, signatures, example)) in &found {
            assert_eq!(example.is_some(), *signatures > 0 && distance.as_str() > "0", "{distance}");
            let Some((id, board)) = example else { continue };
            assert_eq!(oracle::distance(board, size, is_steps).unwrap().to_string(), *distance, "{board}");
            let space = Space::of(SpaceId::of_id(size, *id)).unwrap();
            let position = space.position(Rank(id - space.id().first_id())).unwrap();
            assert_eq!(space.board(&position).text(), *board);
        }
        let furthest = merged.furthest.unwrap();
        assert_eq!(found[&furthest.distance.to_string()].2, Some((furthest.id, furthest.board.text())));
        let longest = expected.keys().filter_map(|distance| distance.parse::<u32>().ok()).max();
        assert_eq!(furthest.distance.known(), longest);

        // Cut otherwise, and interrupted, they have the same bytes.
        let one = Plan::new(folder.path().join("one/a.plan"), plan.product().clone(), 1, &()).unwrap();
        let run = Run { threads: 3, checkpoint_every: Duration::ZERO, ..Run::new(&one, 1) };
        let stopped = run.run(&StopAt::new(plan.boards() / 2));
        assert!(matches!(stopped, Err(ShardError::Build(BuildError::Stopped))), "{stopped:?}");
        assert!(run.run(&()).unwrap().resumed > 0);
        let Ok(Merged::Counts(of_one)) = merge(&one, &()) else { panic!("they are counts") };
        assert!(fs::read(of_one.path).unwrap() == fs::read(merged.path).unwrap());
    }
}

#[test]
fn shards_are_about_equal_and_all_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let product = Product::Catalogue(Spaces::with_walls(5, 0..=1));
    let plan = Plan::new(folder.path().join("a.plan"), product, 40, &()).unwrap();
    let mut next = 0;
    for (shard, number) in plan.shards().iter().zip(1..) {
        assert_eq!((shard.number, shard.first), (number, next));
        assert!(shard.jobs > 0);
        next = shard.range().end;
    }
    assert_eq!(plan.jobs(), next);
    assert_eq!(plan.shards().iter().map(|shard| shard.boards).sum::<u64>(), plan.boards());
    assert!(shares(&plan).all(|share| share < 2.0));
    let alone = plan_of(&folder, Product::Catalogue(Spaces::from(5)), 4);
    let even: Vec<f64> = shares(&alone).collect();
    assert!(even.iter().all(|share| (0.9..1.1).contains(share)), "{even:?}");
    // A signature a shard is the most.
    let four = || Product::Table { space: SpaceId::of_size(4), metric: Metric::Moves, level: 6 };
    let most = plan_of(&folder, four(), 1).jobs();
    assert!(plan_of(&folder, four(), most).shards().iter().all(|shard| shard.jobs == 1));
    for shards in [0, most + 1] {
        let error = Plan::new(folder.path().join("a.plan"), four(), shards, &()).unwrap_err();
        assert!(matches!(error, ShardError::TooMany { .. }), "{error}");
    }
}

/// How many boards each shard has, for one of a shard of equal ones.
fn shares(plan: &Plan) -> impl Iterator<Item = f64> {
    let equal = plan.boards() as f64 / plan.shards().len() as f64;
    plan.shards().iter().map(move |shard| shard.boards as f64 / equal)
}

#[test]
fn few_shards_begin_where_spaces_do() {
    let folder = tempfile::tempdir().unwrap();
    let spaces = Spaces::with_walls(5, 1..=2);
    let plan = plan_of(&folder, Product::Catalogue(spaces.clone()), 40);
    let mut starts = vec![0];
    for id in spaces.iter() {
        starts.push(starts[starts.len() - 1] + Space::of(id).unwrap().signatures());
    }
    for shard in plan.shards() {
        assert!(starts.contains(&shard.first), "{shard:?}");
    }
    assert!(shares(&plan).all(|share| (0.5..1.5).contains(&share)));
}

fn plan_of(folder: &tempfile::TempDir, product: Product, shards: u32) -> Plan {
    Plan::new(folder.path().join("b.plan"), product, shards, &()).unwrap()
}

#[test]
fn interrupted_and_damaged_shards_end_in_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), puzzles());
    let run = Run { threads: 1, checkpoint_every: Duration::ZERO, ..Run::new(&plan, 3) };
    let done = run.run(&()).unwrap();
    assert_eq!((done.resumed, done.already_built), (0, false));
    let whole = fs::read(&done.path).unwrap();
    assert!(run.run(&()).unwrap().already_built);

    // Stopped in the middle.
    fs::remove_file(&done.path).unwrap();
    let stopped = run.run(&StopAt::new(done.boards / 2));
    assert!(matches!(stopped, Err(ShardError::Build(BuildError::Stopped))), "{stopped:?}");
    let part = done.path.with_extension("shard.part");
    assert!(matches!(states(&plan)[2], State::Interrupted { jobs: 1.. }), "{:?}", states(&plan)[2]);
    let half = fs::read(&part).unwrap();
    assert!(run.run(&()).unwrap().resumed > 0);
    assert!(fs::read(&done.path).unwrap() == whole);
    assert!(!part.exists());

    // What a crash may leave of a file on some disks: its length, and nothing in it.
    for (kept, zeros) in [(0, 50), (0, 5_000), (half.len(), 5_000), (whole.len() - 8, 8)] {
        fs::remove_file(&done.path).unwrap();
        fs::write(&part, [&whole[..kept], &vec![0; zeros][..]].concat()).unwrap();
        assert!(matches!(states(&plan)[2], State::Interrupted { .. }), "{:?}", states(&plan)[2]);
        run.run(&()).unwrap();
        assert!(fs::read(&done.path).unwrap() == whole, "{kept} bytes and zeros");
    }

    // Cut off or damaged anywhere: what is whole is kept, the rest done again.
    let mut random = rand_pcg::Pcg64::seed_from_u64(14);
    for _ in 0..12 {
        fs::remove_file(&done.path).unwrap();
        let mut bytes = half.clone();
        let at = random.random_range(0..bytes.len());
        // With other lines at its start it would be somebody else's.
        if at < 100 || random.random() {
            bytes.truncate(at);
        } else {
            bytes[at] ^= 1 << random.random_range(0..8);
        }
        fs::write(&part, bytes).unwrap();
        run.run(&()).unwrap();
        assert!(fs::read(&done.path).unwrap() == whole, "byte {at}");
    }
    // A finished one likewise.
    for _ in 0..12 {
        let mut bytes = whole.clone();
        let at = random.random_range(100..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..8);
        fs::write(&done.path, bytes).unwrap();
        assert_eq!(states(&plan)[2], State::Unusable(Fault::Damaged), "byte {at}");
        run.run(&()).unwrap();
        assert!(fs::read(&done.path).unwrap() == whole, "byte {at}");
    }
}

/// Every byte of the lines, and of the end.
#[test]
fn merging_refuses_what_is_not_whole() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), puzzles());
    assert_eq!(faults(&plan), (1..=SHARDS).map(|number| (number, Fault::Missing)).collect::<Vec<_>>());
    run_all(&plan);
    let path = |number| plan.shard_path(number);
    let whole = fs::read(path(4)).unwrap();
    for at in (0..120).chain(whole.len() - 8..whole.len()) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(path(4), bytes).unwrap();
        assert!(matches!(faults(&plan)[..], [(4, _)]), "byte {at}");
    }
    for len in [0, 1, 90, 200, whole.len() - 1] {
        fs::write(path(4), &whole[..len]).unwrap();
        assert_eq!(faults(&plan), [(4, Fault::Damaged)], "{len} bytes");
    }
    fs::write(path(4), [&whole[..], b"\0"].concat()).unwrap();
    assert_eq!(faults(&plan), [(4, Fault::Damaged)], "one byte more");

    fs::remove_file(path(4)).unwrap();
    assert_eq!(faults(&plan), [(4, Fault::Missing)]);
    // There twice, under the name of another.
    fs::copy(path(5), path(4)).unwrap();
    assert_eq!(faults(&plan), [(4, Fault::OtherShard("5".to_owned()))]);
    // By an older version.
    let builder = concat!("builder ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();
    let at = whole.windows(builder.len()).position(|bytes| bytes == builder).unwrap();
    let mut older = [&whole[..at], b"builder 0.0.9\n", &whole[at + builder.len()..whole.len() - 8]].concat();
    let checksum = crc32fast::hash(&older);
    older.extend([255; 4]);
    older.extend(checksum.to_le_bytes());
    fs::write(path(4), older).unwrap();
    assert_eq!(faults(&plan), [(4, Fault::Version("0.0.9".to_owned()))]);
    // Of another plan, with the same jobs.
    let level = |level| Product::Table { space: SpaceId::of_size(4), metric: Metric::Moves, level };
    let other = Plan::new(folder.path().join("other.plan"), level(3), SHARDS, &()).unwrap();
    Run::new(&other, 4).run(&()).unwrap();
    fs::copy(other.shard_path(4), path(4)).unwrap();
    assert_eq!(faults(&plan), [(4, Fault::OtherPlan)]);
    // What is not ours is not written over.
    let in_the_way = Run::new(&plan, 4).run(&()).unwrap_err();
    assert!(matches!(in_the_way, ShardError::InTheWay { fault: Fault::OtherPlan, .. }), "{in_the_way}");
    assert!(matches!(&states(&plan)[3], State::Unusable(Fault::OtherPlan)));
    fs::write(path(4), "something else\n".repeat(20)).unwrap();
    assert_eq!(faults(&plan), [(4, Fault::NoShard)]);
    Run::new(&plan, 4).run(&()).unwrap_err();
    assert!(!plan.product_path().exists(), "nothing was written");

    fs::write(path(4), whole).unwrap();
    merge(&plan, &()).unwrap();
    let status = Status::of(&plan, true, &()).unwrap();
    assert!(status.merged && status.states.iter().all(|state| *state == State::Done));
    assert_eq!((status.boards, status.eta), (plan.boards(), None));
}

/// The bytes of a shard with another first result, and right checksums.
fn forged(whole: &[u8], first_job: u32, result: &[u8]) -> Vec<u8> {
    let record = whole.windows(2).position(|bytes| bytes == b"\n\n").unwrap() + 2;
    let (mut bytes, old) = (whole[..record].to_vec(), &whole[record..whole.len() - 8]);
    let old_len = u32::from_le_bytes(*old.first_chunk().unwrap()) as usize;
    let compressed = zstd::bulk::compress(result, 1).unwrap();
    let checksum = crc32fast::hash(&[&first_job.to_le_bytes()[..], &compressed].concat());
    bytes.extend((compressed.len() as u32).to_le_bytes());
    bytes.extend(checksum.to_le_bytes());
    bytes.extend(compressed);
    bytes.extend(&old[8 + old_len..]);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend([255; 4]);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Guards what is said of a shard whose checksums are right and whose results are none: it
/// was done by its status, built already for a build, and a merge broke off. Zeros were
/// puzzles without any value, which took 35 times the memory of their bytes.
#[test]
fn results_that_cannot_be_are_damage_for_everybody() {
    let metric = Metric::Moves;
    for product in [
        Product::Catalogue(Spaces::with_walls(4, 0..=1)),
        Product::Table { space: SpaceId::of_size(4), metric, level: 3 },
        Product::Counts { spaces: 4.into(), metric },
    ] {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), product);
        run_all(&plan);
        let (path, shard) = (plan.shard_path(3), plan.shards()[2]);
        let whole = fs::read(&path).unwrap();
        for result in [&b""[..], b"nonsense", &[0; 50_000]] {
            fs::write(&path, forged(&whole, shard.first, result)).unwrap();
            assert_eq!(states(&plan)[2], State::Unusable(Fault::Damaged), "{}", plan.product());
            assert_eq!(faults(&plan), [(3, Fault::Damaged)]);
            let done = Run::new(&plan, 3).run(&()).unwrap();
            assert!(!done.already_built && fs::read(&path).unwrap() == whole);
        }
    }
}

/// Guards a projection where enough is there: a shard that has boards without walls and
/// with one was compared with none of the others.
#[test]
fn a_shard_with_two_numbers_of_walls_is_split() {
    let folder = tempfile::tempdir().unwrap();
    let without_walls = Space::of_size(4).unwrap().signatures();
    let has_both = |shard: &&Shard| (shard.first + 1..shard.range().end).contains(&without_walls);
    let plans = (40..200).map(|n| plan_of(&folder, Product::Catalogue(Spaces::with_walls(4, 0..=1)), n));
    let (plan, both) = plans
        .into_iter()
        .find_map(|plan| {
            plan.shards().iter().find(has_both).map(|shard| shard.number).map(|both| (plan.clone(), both))
        })
        .expect("some cut has both");
    let projected = || {
        let so_far = PuzzlesSoFar::of(&plan, &()).unwrap().expect("it is a catalogue");
        so_far.projected(Rules::All)
    };
    let others: Vec<u32> = plan.shards().iter().map(|shard| shard.number).filter(|&n| n != both).collect();
    for &number in &others {
        Run::new(&plan, number).run(&()).unwrap();
    }
    let about = projected().expect("two of each number of walls are done");
    Run::new(&plan, both).run(&()).unwrap();
    let all = projected().expect("all are done");
    assert_eq!(all.error, 0.0);
    assert!(about.error > 0.0 && (about.puzzles - all.puzzles).abs() <= about.error, "{about:?} {all:?}");
    // What is done of it counts for both.
    fs::remove_file(plan.shard_path(others[0])).unwrap();
    assert!(projected().is_some());
}

#[test]
fn a_changed_plan_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), puzzles());
    assert_eq!(Plan::read(plan.path()).unwrap(), plan);
    plan.write().unwrap();
    let text = fs::read_to_string(plan.path()).unwrap();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        fs::write(plan.path(), bytes).unwrap();
        let error = Plan::read(plan.path()).unwrap_err();
        assert!(
            matches!(error, ShardError::ChangedPlan { .. } | ShardError::NoPlan { .. }),
            "byte {at}: {error}"
        );
        assert!(matches!(plan.write(), Err(ShardError::OtherPlan { .. })), "it is not lost");
    }
    for text in [
        &text[..text.len() / 2],
        "",
        "tailback plan 2\n",
        &text.replace("spaces 4x4", "spaces 9x9"),
        // As if made for another program: jobs that there are not, rightly signed.
        &signed(&text.replace("\nboards ", "\nboards 1")),
        &signed(&text.replace("shards 7", "shards 8")),
        &signed(&text.replace("shard 2 ", "shard 3 ")),
        &signed(&text[..text.find("shard 1 ").unwrap()].replace("shards 7", "shards 0")),
        &signed(&text.replace("4x4-walls-0-2", "9x9")),
    ] {
        fs::write(plan.path(), text).unwrap();
        let refused = Plan::read(plan.path()).and_then(|plan| Run::new(&plan, 1).run(&()).map(drop));
        let error = refused.unwrap_err();
        assert!(
            matches!(error, ShardError::ChangedPlan { .. } | ShardError::NoPlan { .. }),
            "{text}: {error}"
        );
    }
    fs::remove_file(plan.path()).unwrap();
    assert!(matches!(Plan::read(plan.path()), Err(ShardError::NoSuchPlan { .. })));
}

/// A plan with the right checksum.
fn signed(text: &str) -> String {
    let lines = &text[..text.find("checksum").unwrap_or(text.len())];
    format!("{lines}checksum {:08x}\n", crc32fast::hash(lines.as_bytes()))
}

#[test]
fn one_process_at_a_time_is_at_a_shard() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), puzzles());
    for number in [0, SHARDS + 1, u32::MAX] {
        let error = Run::new(&plan, number).run(&()).unwrap_err();
        assert!(matches!(error, ShardError::NoShard { shards: SHARDS, .. }), "{error}");
    }
    fs::create_dir_all(plan.folder()).unwrap();
    let part = plan.shard_path(2).with_extension("shard.part");
    let held = fs::File::create(&part).unwrap();
    held.lock().unwrap();
    let error = Run::new(&plan, 2).run(&()).unwrap_err();
    assert!(matches!(error, ShardError::Busy { number: 2 }), "{error}");
    assert_eq!(states(&plan)[1], State::Running { jobs: 0 });
    drop(held);
    assert_eq!(states(&plan)[1], State::Interrupted { jobs: 0 });
    Run::new(&plan, 2).run(&()).unwrap();
    // Why one failed is told until it is done.
    fs::create_dir(plan.shard_path(3)).unwrap();
    let error = Run::new(&plan, 3).run(&()).unwrap_err();
    fs::remove_dir(plan.shard_path(3)).unwrap();
    let State::Failed(reason) = &states(&plan)[2] else { panic!("{error}") };
    assert!(reason.contains("it is a folder"), "{reason}");
    // One that is begun again is interrupted, whatever it was before.
    let slow = Run { threads: 1, checkpoint_every: Duration::ZERO, ..Run::new(&plan, 3) };
    slow.run(&StopAt::new(1)).unwrap_err();
    assert!(matches!(states(&plan)[2], State::Interrupted { .. }), "{:?}", states(&plan)[2]);
    slow.run(&()).unwrap();
    let done = |state: &State| *state == State::Done;
    assert_eq!(Status::of(&plan, true, &()).unwrap().numbers(done), [2, 3]);
    assert_eq!(fs::read_dir(plan.folder()).unwrap().count(), 2);
}
