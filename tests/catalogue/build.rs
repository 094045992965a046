//! Building catalogues: what is in them, and what interruptions do to them.

use crate::columns::{all_puzzles, folder_with_table};
use crate::common;

use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;
use tailback::board::Metric;
use tailback::catalogue::{
    BuildError, BuildOptions, Catalogue, CatalogueError, Column, Puzzle, Query, Range, Rules, Sort, Source,
    build, file_name,
};
use tailback::cluster::DEFAULT_LIMIT;
use tailback::retrograde::{MoveTables, Solver};
use tailback::space::{Blocks, Space, SpaceError, SpaceId, Spaces};
use tailback::table::{self, TableError};

use common::StopAt;

/// A build with checkpoints all the time.
fn with_checkpoints(folder: &Path, size: usize) -> BuildOptions {
    BuildOptions { checkpoint_every: Duration::from_millis(1), ..BuildOptions::new(folder, size) }
}

#[test]
fn thread_counts_do_not_matter() {
    let folder = folder_with_table(5);
    let bytes = |threads| {
        let report = build(&BuildOptions { threads, ..BuildOptions::new(folder.path(), 5) }, &()).unwrap();
        let bytes = std::fs::read(&report.path).unwrap();
        std::fs::remove_file(report.path).unwrap();
        bytes
    };
    let one = bytes(1);
    for threads in [2, 3, 8] {
        assert!(bytes(threads) == one, "{threads} threads write other bytes");
    }
}

#[test]
fn interrupted_builds_end_in_the_same_bytes() {
    let undisturbed = folder_with_table(5);
    build(&BuildOptions::new(undisturbed.path(), 5), &()).unwrap();

    let folder = folder_with_table(5);
    let plan = with_checkpoints(folder.path(), 5);
    let total = Space::of_size(5).unwrap().boards();
    for tenth in 1..10 {
        // Of two threads one may come to the end while the other sleeps.
        let plan = BuildOptions { threads: if tenth <= 5 { 2 } else { 1 }, ..plan.clone() };
        let error = build(&plan, &StopAt::new(total * tenth / 10)).expect_err("stopped");
        assert!(matches!(error, BuildError::Build(table::BuildError::Stopped)), "{error}");
        assert!(matches!(Catalogue::open(folder.path(), 5), Err(CatalogueError::Unfinished { .. })));
    }
    let report = build(&plan, &()).unwrap();
    assert!(report.resumed > total / 2, "it went on: {report:?}");
    assert!(!report.already_built);
    let read = |folder: &Path| std::fs::read(folder.join(file_name(5))).unwrap();
    assert!(read(folder.path()) == read(undisturbed.path()), "other bytes");
    assert_eq!(all_puzzles(folder.path(), 5), all_puzzles(undisturbed.path(), 5));

    let again = build(&plan, &()).unwrap();
    assert!(again.already_built);
    assert_eq!((again.puzzles, again.bytes), (report.puzzles, report.bytes));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "the table, the catalogue and the lock: {left:?}");
}

#[test]
fn a_search_in_memory_ends_in_the_same_bytes() {
    let walled = SpaceId { size: 5, walls: 1 << 8 };
    for space in [SpaceId::of_size(4), SpaceId::of_size(5), walled] {
        let folder = tempfile::tempdir().unwrap();
        table::build(&table::BuildOptions::new(folder.path(), space, Metric::Moves), &()).unwrap();
        let from_table = build(&BuildOptions::new(folder.path(), space), &()).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let plan =
            BuildOptions { source: Source::Search, ..BuildOptions::new(elsewhere.path().join("new"), space) };
        let searched = build(&plan, &()).unwrap();
        assert_eq!(searched.puzzles, from_table.puzzles);
        let [one, other] = [&from_table.path, &searched.path].map(|path| std::fs::read(path).unwrap());
        assert!(one == other, "{space}");
    }
}

#[test]
fn catalogues_of_many_walls_do_not_depend_on_threads_or_interruptions() {
    let spaces = || Spaces::with_walls(5, 0..=1);
    let undisturbed = tempfile::tempdir().unwrap();
    let plan = BuildOptions::new(undisturbed.path(), spaces());
    let report = build(&plan, &()).unwrap();
    assert_eq!(report.boards, spaces().iter().map(|id| Space::of(id).unwrap().boards()).sum::<u64>());
    let folder = tempfile::tempdir().unwrap();
    let plan = BuildOptions {
        checkpoint_every: Duration::from_millis(200),
        ..BuildOptions::new(folder.path(), spaces())
    };
    for (fifth, threads) in [(2, 3), (4, 1)] {
        let error = build(&BuildOptions { threads, ..plan.clone() }, &StopAt::new(report.boards * fifth / 5));
        assert!(matches!(error, Err(BuildError::Build(table::BuildError::Stopped))), "{error:?}");
    }
    assert!(build(&plan, &()).unwrap().resumed > report.boards / 2);
    let read = |folder: &Path| std::fs::read(folder.join(file_name(spaces()))).unwrap();
    assert!(read(folder.path()) == read(undisturbed.path()), "other bytes");

    // What is told of each is what is found out about the board alone.
    let catalogue = Catalogue::open(folder.path(), spaces()).unwrap();
    catalogue.check(&()).unwrap();
    let all = Query { rules: Rules::All, ..Query::default() };
    let mut with_walls = [0; 2];
    for (number, puzzle) in catalogue.select(&all).unwrap().enumerate() {
        let puzzle = puzzle.unwrap();
        let board = puzzle.board().unwrap();
        if number % 40 == 0 {
            assert_eq!(Puzzle::of_cluster(&board, DEFAULT_LIMIT).unwrap().as_ref(), Some(&puzzle));
        }
        assert!(SpaceId::of_board(&board).ids().contains(&puzzle.id()));
        assert_eq!(puzzle.key(Column::Walls), u64::from(board.walls().count_ones()));
        with_walls[board.walls().count_ones() as usize] += 1;
    }
    assert_eq!(with_walls, [2_411, 4_808]);
    for (walls, count) in with_walls.into_iter().enumerate() {
        let walls = Range::from(walls as u64..=walls as u64);
        let query = Query { ranges: vec![(Column::Walls, walls)], ..all.clone() };
        assert_eq!(catalogue.count(&query).unwrap(), count);
    }
    assert_eq!(catalogue.count(&all.clone().of(&catalogue)).unwrap(), with_walls[0], "none, if none is said");

    // It answers for all that it covers, and for nothing else.
    let spaces_of = |wanted: Spaces| Catalogue::covering(folder.path(), wanted).map(|c| c.spaces().clone());
    for wanted in [Spaces::from(5), Spaces::with_walls(5, 1..=1), SpaceId { size: 5, walls: 4 }.into()] {
        assert_eq!(spaces_of(wanted).unwrap(), spaces());
    }
    for missing in [Spaces::with_walls(5, 1..=2), Spaces::with_walls(4, 1..=1)] {
        assert!(matches!(spaces_of(missing), Err(CatalogueError::Missing { .. })));
    }
}

#[test]
fn a_table_is_of_one_space_and_a_wall_leaves_a_way() {
    let folder = tempfile::tempdir().unwrap();
    let plan = BuildOptions {
        source: Source::Table,
        ..BuildOptions::new(folder.path(), Spaces::with_walls(4, 0..=1))
    };
    let error = build(&plan, &()).unwrap_err();
    assert!(matches!(error, BuildError::NoTable(_)), "{error}");
    let closed = SpaceId { size: 4, walls: 1 << 7 };
    let error = build(&BuildOptions::new(folder.path(), closed), &()).unwrap_err();
    assert!(error.to_string().contains("4×4 with a wall on D2 has no board that could be solved"), "{error}");
}

#[test]
fn the_summary_counts_all_clusters() {
    let folder = folder_with_table(5);
    build(&BuildOptions::new(folder.path(), 5), &()).unwrap();
    let catalogue = Catalogue::open(folder.path(), 5).unwrap();
    let totals = catalogue.totals().unwrap();
    let [all, classic, rush] = &totals[..] else { panic!("{totals:?}") };
    assert_eq!((all.clusters, all.solvable_clusters, all.puzzles), (Some(447_331), Some(238_244), 2_411));
    assert_eq!((all.families, all.solvable_families), (Some(299_240), Some(171_137)));
    assert_eq!((classic.clusters, classic.solvable_clusters), (Some(130_299), Some(62_106)));
    assert_eq!((classic.families, classic.solvable_families), (Some(75_030), Some(45_176)));
    assert_eq!((classic.puzzles, rush.puzzles), (1_891, 1_730));
    let lines = catalogue.clusters().unwrap();
    for totals in [all, classic] {
        let of = || lines.iter().filter(|line| line.rules == totals.rules);
        assert_eq!(of().map(|line| line.clusters).sum::<u64>(), totals.clusters.unwrap());
        assert_eq!(of().map(|line| line.puzzles).sum::<u64>(), totals.puzzles);
    }
}

#[test]
fn builds_that_cannot_start_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let missing = build(&BuildOptions::new(folder.path().join("nowhere"), 4), &()).unwrap_err();
    assert!(matches!(missing, BuildError::Table(TableError::Missing { .. })), "{missing}");
    let missing = build(&BuildOptions::new(folder.path(), 4), &()).unwrap_err();
    assert!(missing.to_string().contains("is missing"), "{missing}");
    let size = build(&BuildOptions::new(folder.path(), 8), &()).unwrap_err();
    assert!(matches!(size, BuildError::Build(table::BuildError::NoSpace(SpaceError::Size(8)))), "{size}");

    // A damaged frame is met in the middle of the build.
    let folder = folder_with_table(5);
    let table = folder.path().join(table::file_name(5, Metric::Moves));
    let mut bytes = std::fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&table, &bytes).unwrap();
    let damaged = build(&BuildOptions::new(folder.path(), 5), &()).unwrap_err();
    assert!(matches!(damaged, BuildError::Table(TableError::Damaged { .. })), "{damaged}");
    assert!(!folder.path().join(file_name(5)).exists());

    // A catalogue that is there but damaged is not built over.
    let folder = folder_with_table(4);
    std::fs::write(folder.path().join(file_name(4)), b"no database at all").unwrap();
    let foreign = build(&BuildOptions::new(folder.path(), 4), &()).unwrap_err();
    assert!(matches!(foreign, BuildError::Catalogue(_)), "{foreign}");
    assert!(foreign.to_string().contains(&file_name(4)), "{foreign}");
}

#[test]
fn one_build_at_a_time() {
    let folder = folder_with_table(4);
    let lock = std::fs::File::create(folder.path().join(".build.lock")).unwrap();
    lock.try_lock().unwrap();
    let busy = build(&BuildOptions::new(folder.path(), 4), &()).unwrap_err();
    assert!(matches!(busy, BuildError::Build(table::BuildError::Busy { .. })), "{busy}");
}

/// What a kill at the very end may leave is swept away by the next build.
#[test]
fn leftovers_are_swept() {
    let folder = folder_with_table(4);
    let report = build(&BuildOptions::new(folder.path(), 4), &()).unwrap();
    let bytes = std::fs::read(&report.path).unwrap();
    let path = |end: &str| folder.path().join(format!("{}{end}", file_name(4)));
    let leftovers = [".part", ".part-journal", ".new", ".new-journal"].map(path);
    for leftover in &leftovers {
        std::fs::write(leftover, b"left behind").unwrap();
    }
    assert!(build(&BuildOptions::new(folder.path(), 4), &()).unwrap().already_built);
    assert!(leftovers.iter().all(|leftover| !leftover.exists()));
    assert!(std::fs::read(&report.path).unwrap() == bytes);

    // Half a finished file beside a whole unfinished one: killed in the last step.
    std::fs::remove_file(&report.path).unwrap();
    // Of two threads one may come to the end while the other sleeps.
    let plan = BuildOptions { threads: 1, ..with_checkpoints(folder.path(), 4) };
    build(&plan, &StopAt::new(2_000)).expect_err("stopped");
    std::fs::write(path(".new"), &bytes[..bytes.len() / 2]).unwrap();
    let again = build(&BuildOptions::new(folder.path(), 4), &()).unwrap();
    assert!(again.resumed > 0 && !again.already_built, "{again:?}");
    assert!(std::fs::read(&again.path).unwrap() == bytes);
    assert!(leftovers.iter().all(|leftover| !leftover.exists()));
}

#[test]
fn a_starter_is_not_taken_for_the_whole() {
    let folder = folder_with_table(4);
    build(&BuildOptions::new(folder.path(), 4), &()).unwrap();
    let catalogue = Catalogue::open(folder.path(), 4).unwrap();
    let starter = folder.path().join("starter");
    tailback::catalogue::write_starter(&catalogue, &starter).unwrap();
    std::fs::rename(&starter, folder.path().join(file_name(4))).unwrap();
    let error = build(&BuildOptions::new(folder.path(), 4), &()).unwrap_err();
    assert!(error.to_string().contains("starter"), "{error}");
}

/// A table whose checksums are right and whose distances are not.
#[test]
fn false_distances_do_not_panic() {
    let truth = |blocks: &Blocks| {
        let tables = MoveTables::new(blocks.space(), Metric::Moves);
        let mut distances = Vec::new();
        Solver::new(&tables).solve(blocks, &mut distances);
        distances
    };
    type Change = fn(usize, u8) -> u8;
    let changes: [(Change, bool); 7] = [
        (|_, d| d, true),
        (|_, _| 7, false),
        (|_, _| 0, false),
        (|i, d| if i % 50 == 0 { 0 } else { d }, false),
        (|i, d| if i % 50 == 0 { d.saturating_add(1) } else { d }, false),
        (|_, d| if d == 255 { 9 } else { d }, false),
        (|i, d| if i % 3 == 0 { 255 } else { d }, false),
    ];
    for (index, (change, is_true)) in changes.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        common::forge::forge_table(folder.path(), 4, |blocks, _| {
            Some(truth(blocks).into_iter().enumerate().map(|(i, d)| change(i, d)).collect())
        });
        let built = build(&BuildOptions::new(folder.path(), 4), &());
        match built {
            Ok(report) if is_true => assert_eq!(report.puzzles, 32),
            Ok(report) => assert!(report.puzzles < 32, "change {index}: {report:?}"),
            Err(BuildError::Table(TableError::Damaged { .. })) => assert!(!is_true, "change {index}"),
            Err(error) => panic!("change {index}: {error}"),
        }
    }
}

#[test]
fn changed_counts_are_noticed() {
    let folder = folder_with_table(4);
    build(&BuildOptions::new(folder.path(), 4), &()).unwrap();
    let path = folder.path().join(file_name(4));
    let whole = std::fs::read(&path).unwrap();
    for change in [
        "UPDATE totals SET puzzles = puzzles + 1",
        "UPDATE totals SET families = NULL WHERE rules = 'all'",
        "UPDATE clusters SET clusters = clusters * 2 WHERE longest_moves = 3",
        "UPDATE clusters SET puzzles = 0",
        "DELETE FROM clusters WHERE longest_moves IS NULL",
    ] {
        std::fs::write(&path, &whole).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let opened = Catalogue::open(folder.path(), 4);
        assert!(matches!(opened, Err(CatalogueError::Damaged { .. })), "{change}");
    }
}

/// One bit of every seventh byte: an error, or the same answers.
#[test]
fn no_changed_bit_makes_a_wrong_answer() {
    let folder = folder_with_table(4);
    build(&BuildOptions::new(folder.path(), 4), &()).unwrap();
    let whole = std::fs::read(folder.path().join(file_name(4))).unwrap();
    let ask = |folder: &Path| -> Result<(usize, Vec<Puzzle>), CatalogueError> {
        let catalogue = Catalogue::open(folder, 4)?;
        let ranges = vec![(Column::Moves, Range::from(4..=6)), (Column::Steps, Range::from(5..))];
        let some =
            Query { rules: Rules::All, ranges, sort: vec![Sort::falling(Column::Cars)], ..Query::default() };
        let puzzles = catalogue.select(&some)?.collect::<Result<Vec<Puzzle>, CatalogueError>>()?;
        Ok((catalogue.count(&Query::default())?, puzzles))
    };
    let right = ask(folder.path()).unwrap();
    assert!(right.0 == 32 && right.1.len() > 5, "{right:?}");
    let places: Vec<usize> = (0..whole.len()).step_by(7).collect();
    let errors: usize = places
        .par_chunks(200)
        .map(|places| {
            let folder = tempfile::tempdir().unwrap();
            let mut bytes = whole.clone();
            let mut errors = 0;
            for &at in places {
                bytes[at] ^= 1 << (at / 7 % 8);
                std::fs::write(folder.path().join(file_name(4)), &bytes).unwrap();
                bytes[at] = whole[at];
                match ask(folder.path()) {
                    Ok(answer) => assert_eq!(answer, right, "byte {at}"),
                    Err(_) => errors += 1,
                }
            }
            errors
        })
        .sum();
    assert!(errors > 500, "{errors} of {}", places.len());
}
