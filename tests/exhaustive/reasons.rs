//! Why boards of 5×5 cannot be solved.

use std::collections::BTreeMap;

use rayon::prelude::*;
use tailback::board::{Board, Distance, Metric};
use tailback::cluster::Bounds;
use tailback::probe::{Prober, Why};
use tailback::space::{Rank, Space};

use crate::common::tables;

/// The first unsolvable board of every family: its reason cannot be solved, but can
/// be without any one of its vehicles, and says so in words that are true.
#[test]
#[ignore = "takes minutes"]
fn of_every_family() {
    let prober = Prober::new(tables());
    let space = Space::of_size(5).unwrap();
    let mut session = prober.session();
    let mut firsts = BTreeMap::new();
    for rank in 0..space.boards() {
        let board = space.board(&space.position(Rank(rank)).unwrap());
        if session.distance(&board, Metric::Moves, Bounds::default()).unwrap().0 == Distance::UNSOLVABLE {
            firsts.entry(board.family()).or_insert(board);
        }
    }
    assert!(firsts.len() > 1000, "{}", firsts.len());

    let boards: Vec<Board> = firsts.into_values().collect();
    let sizes = boards.par_iter().map_init(
        || prober.session(),
        |session, board| {
            let reason = session.reason(board, Bounds::default()).unwrap().expect("it is unsolvable");
            let mut is_solvable = |board: &Board| {
                session.distance(board, Metric::Moves, Bounds::default()).unwrap().0.is_solvable()
            };
            assert!(!is_solvable(&reason.board), "{board}\n\n{}", reason.board);
            for &letter in &reason.vehicles {
                let index = reason.board.find(letter).unwrap();
                let less = reason.board.without_vehicle(index).unwrap();
                assert!(is_solvable(&less), "without {letter}:\n{}", reason.board);
            }
            assert!(reason.is_minimal);
            let cells = reason.board.primary().cells(5);
            if let Why::Covers(square) | Why::Column(square) = reason.why {
                assert_eq!(square.row(5), usize::from(board.primary().line), "{reason}");
                assert_eq!(square.bit() & cells, 0, "{reason}");
            }
            reason.vehicles.len()
        },
    );
    let mut counts = [0; 13];
    sizes.collect::<Vec<_>>().into_iter().for_each(|size| counts[size] += 1);
    assert!(counts[0] == 0 && counts[1] > 0 && counts[3..].iter().any(|&count| count > 0), "{counts:?}");
}
