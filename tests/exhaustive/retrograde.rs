//! The backward search: whole row signatures of 6×6.

use rand::prelude::*;
use tailback::board::{Board, Metric};
use tailback::retrograde::{MoveTables, Solver};
use tailback::space::{Blocks, Location, Space};

/// Random row signatures of a size that the oracle can bear.
fn signatures(seed: u64, count: usize) -> Vec<Vec<Vec<usize>>> {
    const KINDS: [&[usize]; 8] = [&[], &[2], &[3], &[2, 2], &[2, 3], &[3, 2], &[3, 3], &[2, 2, 2]];
    const PRIMARY: [&[usize]; 4] = [&[2], &[2, 2], &[3, 2], &[2, 2, 2]];
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let rows: Vec<Vec<usize>> = (0..6)
            .map(|row| {
                (if row == 2 { PRIMARY[random.random_range(0..4)] } else { KINDS[random.random_range(0..8)] })
                    .to_vec()
            })
            .collect();
        // Crowded rows leave few boards.
        let vehicles: usize = rows.iter().map(Vec::len).sum();
        if (8..=11).contains(&vehicles) {
            found.push(rows);
        }
    }
    found
}

#[test]
#[ignore = "takes minutes"]
fn whole_6x6_signatures_equal_the_oracle() {
    let space = Space::of_size(6).unwrap();
    let mut compared = 0;
    for metric in [Metric::Moves, Metric::Steps] {
        let tables = MoveTables::new(&space, metric);
        let mut solver = Solver::new(&tables);
        let mut distances = Vec::new();
        for rows in signatures(20_261_115, 14) {
            let boards = oracle::boards_with_rows(6, Some(&rows));
            if boards.is_empty() || boards.len() > 100_000 {
                continue;
            }
            let count = boards.len();
            let truth = oracle::solve_boards(boards, 6, metric == Metric::Steps);
            let mut signature = None;
            for (code, expected) in truth {
                let board = Board::parse(&oracle::text_of(code, 6)).unwrap();
                let Ok(Location::Inside(position)) = space.locate(&board) else { panic!("{board}") };
                let id = space.signature_of(&position);
                if signature != Some(id) {
                    assert_eq!(signature, None, "one signature at a time");
                    signature = Some(id);
                    let blocks = Blocks::new(&space, id);
                    assert_eq!(blocks.boards() as usize, count);
                    solver.solve(&blocks, &mut distances);
                }
                let number = space.number_in_signature(&position) as usize;
                let found = if board.is_solved() { 0 } else { distances[number] };
                assert_eq!(found, expected, "{metric}\n{board}");
            }
            compared += count;
        }
    }
    assert!(compared > 100_000, "the sample is too small: {compared}");
}
