//! Numbers and boards: every board of the small spaces has its own rank, and
//! the ranks have no gaps.

use std::sync::Arc;

use bitvec::vec::BitVec;
use tailback::board::Board;
use tailback::space::{Location, Outside, Rank, Space, SpaceError, SpaceId};

fn inside(space: &Space, text: &str) -> tailback::space::Position {
    let board = Board::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    match space.locate(&board) {
        Ok(Location::Inside(position)) => position,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_4x4_board_has_its_own_rank() {
    let space = Space::of_size(4).unwrap();
    let boards = oracle::all_boards(4);
    assert_eq!(boards.len() as u64, space.boards());
    let mut seen: BitVec = BitVec::repeat(false, boards.len());
    for code in boards {
        let text = oracle::text_of(code, 4);
        let rank = space.rank(&inside(&space, &text));
        assert!(!seen.replace(rank.0 as usize, true), "rank {} twice", rank.0);
        let back = space.board(&space.position(rank).unwrap());
        assert_eq!(oracle::code_of(&back.text()), code);
    }
    assert!(seen.all());
}

#[test]
fn sampled_5x5_boards_of_the_oracle_keep_their_rank() {
    let space = Space::of_size(5).unwrap();
    let boards = oracle::all_boards(5);
    assert_eq!(boards.len() as u64, space.boards());
    for code in boards.into_iter().step_by(211) {
        let position = inside(&space, &oracle::text_of(code, 5));
        let rank = space.rank(&position);
        assert_eq!(space.position(rank), Some(position));
        assert_eq!(oracle::code_of(&space.board(&position).text()), code);
    }
}

#[test]
fn a_position_has_the_order_of_its_board() {
    let walls = 1 << 3 | 1 << 25;
    for (size, walls, every) in [(4, 0, 97), (5, 0, 10_007), (6, 0, 400_000_007), (6, walls, 40_000_007)] {
        let space = Space::of(SpaceId { size, walls }).unwrap();
        for rank in (0..space.boards()).step_by(every) {
            let position = space.position(Rank(rank)).unwrap();
            let board = space.board(&position);
            assert_eq!(space.order(&position), board.order(), "{}", board.text());
        }
    }
}

/// Ranks are quoted in documents: these must never change.
#[test]
fn ranks_stay_what_they_are() {
    let golden = include_str!("../data/ranks.tsv");
    let mut lines = 0;
    for line in golden.lines().filter(|l| !l.starts_with('#')) {
        let (text, rank) = line.split_once('\t').expect("board, tab, rank");
        let board = Board::parse(text).unwrap();
        let space = Space::of_size(board.size()).unwrap();
        let rank = Rank(rank.parse().unwrap());
        assert_eq!(space.rank(&inside(&space, text)), rank, "{text}");
        assert_eq!(
            oracle::code_of(&space.board(&space.position(rank).unwrap()).text()),
            oracle::code_of(text)
        );
        lines += 1;
    }
    assert!(lines >= 40);
}

#[test]
fn mirror_images_share_a_position() {
    let space = Space::of_size(6).unwrap();
    for line in include_str!("../data/ranks.tsv").lines().filter(|l| !l.starts_with('#')) {
        let board = Board::parse(line.split('\t').next().unwrap()).unwrap();
        if board.size() == 6 {
            assert_eq!(space.locate(&board.mirrored()), space.locate(&board));
        }
    }
}

#[test]
fn boards_outside_say_why() {
    let space = Space::of_size(6).unwrap();
    let locate = |text: &str| space.locate(&Board::parse(text).unwrap());
    assert_eq!(locate("............AA..BB.................."), Ok(Location::Blocked));
    assert_eq!(locate("............BBAA..x................."), Err(Outside::Walls));
    assert_eq!(locate("BBBB........AA......................"), Err(Outside::LongVehicle));
    assert_eq!(
        locate("AA.................................."),
        Err(Outside::PrimaryRow { found: 0, expected: 2 })
    );
    assert_eq!(locate("AA.............."), Err(Outside::Size(4)));
    assert!(Space::of_size(8).is_none());
    assert!(Space::of_size(3).is_none());
}

/// Whoever asks gets the same space, with the boards already counted.
#[test]
fn an_id_names_one_space() {
    for (size, boards, signatures) in [(4, 13_146, 128), (5, 10_492_784, 3_888), (6, 40_148_868_698, 131_072)]
    {
        let id = SpaceId::of_size(size);
        let space = Space::of(id).unwrap();
        assert_eq!((space.id(), space.size()), (id, size));
        assert_eq!((space.boards(), space.signatures()), (boards, signatures));
        let others = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(|| Space::of(id).unwrap()));
            threads.map(|thread| thread.join().unwrap())
        });
        for other in others.into_iter().chain(Space::of_size(size)) {
            assert!(Arc::ptr_eq(&space, &other));
        }
        let sizes = space.sizes();
        assert_eq!(sizes.len(), signatures as usize);
        assert!(sizes.windows(2).all(|two| two[0].first + u64::from(two[0].boards) == two[1].first));
    }
}

#[test]
fn ids_without_a_space_say_why() {
    for size in [0, 3, 8, usize::MAX] {
        assert_eq!(Space::of(SpaceId::of_size(size)).unwrap_err(), SpaceError::Size(size));
    }
    let seven = |walls| Space::of(SpaceId { size: 7, walls }).map(|space| space.signatures());
    assert_eq!(seven(0b11), Ok(6 * 11u32.pow(5) * 6), "a row of five cells has six kinds");
    assert_eq!(seven(0b111).unwrap_err(), SpaceError::NoIds { size: 7, most: 2 });
    let walled = Board::parse("x...............AA..................").unwrap();
    assert_eq!(SpaceId::of_board(&walled), SpaceId { size: 6, walls: walled.walls() });
    let six = |walls| Space::of(SpaceId { size: 6, walls });
    assert_eq!(six(1 << 36).unwrap_err(), SpaceError::Walls);
    assert_eq!(six(0x1ff).unwrap_err(), SpaceError::TooManyWalls);
    assert_eq!(six(1 << 17).map(|space| space.signatures()), Ok(0), "the primary cannot get out");
    assert_eq!(Space::of(SpaceId { size: 9, walls: 1 }).unwrap_err(), SpaceError::Size(9));
}
