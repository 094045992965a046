//! Tables of spaces with walls.

use std::path::Path;

use tailback::board::{Board, Distance, Metric, Square};
use tailback::cluster::Bounds;
use tailback::probe::{Prober, Source};
use tailback::space::{Location, Outside, Rank, Space, SpaceId, Spaces};
use tailback::table::{BuildError, BuildOptions, Table, TableError, Verifier, build, file_name};

/// Builds a table and opens it.
fn table(folder: &Path, space: SpaceId, metric: Metric) -> Table {
    build(&BuildOptions::new(folder, space, metric), &()).unwrap();
    Table::open(folder, space, metric).unwrap()
}

/// All distances of a space, by the oracle.
fn truth(space: SpaceId, metric: Metric) -> oracle::Distances {
    let walls: Vec<usize> = space.wall_cells().map(|cell| cell.index()).collect();
    let boards = oracle::boards_with(space.size, &walls, None);
    oracle::solve_boards(boards, space.size, metric == Metric::Steps)
}

#[test]
fn every_distance_of_4x4_with_up_to_two_walls_equals_the_oracle() {
    let folder = tempfile::tempdir().unwrap();
    for id in Spaces::with_walls(4, 1..=2).iter() {
        let space = Space::of(id).unwrap();
        for metric in [Metric::Moves, Metric::Steps] {
            let truth = truth(id, metric);
            assert_eq!(space.boards(), truth.len() as u64, "{id}");
            if truth.is_empty() {
                let error = build(&BuildOptions::new(folder.path(), id, metric), &()).unwrap_err();
                assert!(matches!(error, BuildError::Closed(_)), "{error}");
                continue;
            }
            let table = table(folder.path(), id, metric);
            let mut probe = table.probe();
            let mut ranks = vec![false; truth.len()];
            for (&code, &expected) in &truth {
                let board = Board::parse(&oracle::text_of(code, 4)).unwrap();
                let Ok(Location::Inside(position)) = space.locate(&board) else { panic!("{board}") };
                assert_eq!(probe.distance(&position).unwrap().byte(), expected, "{metric}\n{board}");
                assert_eq!(oracle::code_of(&space.board(&position).text()), code, "{board}");
                let rank = space.rank(&position);
                assert_eq!(probe.rank(&position).unwrap(), rank);
                assert_eq!(space.position(rank), Some(position), "{board}");
                assert!(!std::mem::replace(&mut ranks[rank.0 as usize], true), "two boards of one rank");
            }
            assert_eq!(space.position(Rank(space.boards())), None);
            Verifier::new(&table).full(&()).unwrap();
        }
    }
}

#[test]
fn boards_find_the_table_of_their_walls_or_of_their_mirror_image() {
    let folder = tempfile::tempdir().unwrap();
    let walls =
        |names: &[&str]| names.iter().fold(0, |walls, name| walls | Square::named(name, 4).unwrap().bit());
    let space = SpaceId { size: 4, walls: walls(&["A1", "C4"]) };
    table(folder.path(), space, Metric::Moves);
    let prober = Prober::new(folder.path());
    let mut session = prober.session();
    let by_search = Prober::without_tables();
    for (code, _) in truth(space, Metric::Moves).into_iter().step_by(17) {
        let board = Board::parse(&oracle::text_of(code, 4)).unwrap();
        let searched = by_search.session().distance(&board, Metric::Moves, Bounds::default()).unwrap().0;
        for board in [board.clone(), board.mirrored()] {
            let found = session.distance(&board, Metric::Moves, Bounds::default()).unwrap();
            assert_eq!(found, (searched, Source::Table), "{board}");
            assert_eq!(SpaceId::of_board(&board), space);
            assert_eq!(session.rate(&board, Metric::Moves, Bounds::default()).unwrap().source, Source::Table);
        }
    }
    // Other walls, another metric, no walls: searched.
    let other = Board::parse("x... AA.. .... ....").unwrap();
    for (board, metric) in
        [(&other, Metric::Moves), (&other.without_wall(Square::new(0)).unwrap(), Metric::Moves)]
    {
        assert_eq!(session.distance(board, metric, Bounds::default()).unwrap().1, Source::Search, "{board}");
        assert_eq!(Space::of(space).unwrap().locate(board), Err(Outside::Walls));
    }
    // A wall in the way is no question to a table.
    let closed = Board::parse("x... AA.x .... ..x.").unwrap();
    let found = session.distance(&closed, Metric::Moves, Bounds::default()).unwrap();
    assert_eq!(found, (Distance::UNSOLVABLE, Source::Rule));
}

#[test]
fn the_walls_of_a_file_are_those_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (SpaceId { size: 4, walls: 1 }, SpaceId { size: 4, walls: 2 });
    table(folder.path(), one, Metric::Moves);
    let path = |space| folder.path().join(file_name(space, Metric::Moves));
    std::fs::copy(path(one), path(other)).unwrap();
    let error = Table::open(folder.path(), other, Metric::Moves).unwrap_err();
    assert!(matches!(error, TableError::Other { .. }), "{error}");
    assert!(error.to_string().contains("a wall on A1"), "{error}");
    std::fs::copy(path(one), path(SpaceId::of_size(4))).unwrap();
    let error = Table::open(folder.path(), 4, Metric::Moves).unwrap_err();
    assert!(matches!(error, TableError::Other { .. }), "{error}");

    // Walls that no board has, and rules that do not fit them.
    let whole = std::fs::read(path(one)).unwrap();
    let sealed = |at: usize, bytes: &[u8]| {
        let mut changed = whole.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        let checksum = crc32fast::hash(&changed[..4092]);
        changed[4092..4096].copy_from_slice(&checksum.to_le_bytes());
        Table::from_bytes(changed).unwrap_err().to_string()
    };
    assert!(sealed(88, &(1u64 << 16).to_le_bytes()).contains("a wall is not on the board"));
    assert!(sealed(88, &0u64.to_le_bytes()).contains("rules 2, this program knows rules 1"));
    assert!(sealed(12, &1u32.to_le_bytes()).contains("rules 1, this program knows rules 2"));
    assert!(sealed(88, &2u64.to_le_bytes()).contains("damaged"));
}
