//! The backward search against the oracle: whole row signatures of 6×6.

use crate::oracle;

use rand::prelude::*;
use tailback::board::{Board, Distance, Metric};
use tailback::retrograde::{Code, MoveTables, Solver};
use tailback::space::{Blocks, Location, SignatureId, Space};

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

/// All instructions, and parts so small that every column is cut along.
#[test]
fn code_and_parts_do_not_matter() {
    let mut several_words = false;
    for (size, step) in [(4, 1), (5, 7), (6, 1709)] {
        let space = Space::of_size(size).unwrap();
        for metric in [Metric::Moves, Metric::Steps] {
            let tables = MoveTables::new(&space, metric);
            let solver = || Solver::new(&tables);
            let mut native = solver();
            let mut others =
                [solver().with_code(Code::Bmi2), solver().with_code(Code::Portable), solver().with_parts(64)];
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for id in (0..space.signatures()).step_by(step) {
                let blocks = Blocks::new(&space, SignatureId(id));
                if blocks.boards() > 2_000_000 {
                    continue;
                }
                let counts = native.solve(&blocks, &mut a).clone();
                let unsolvable = a.iter().filter(|&&d| d == Distance::UNSOLVABLE.byte()).count() as u64;
                assert_eq!(unsolvable, counts.unsolvable());
                assert_eq!(counts.total(), blocks.boards() as u64);
                for other in &mut others {
                    assert_eq!(counts, *other.solve(&blocks, &mut b));
                    assert!(a == b, "signature {id} of {size}×{size} in {metric}");
                }
                several_words |= (0..blocks.unsolved()).any(|h| blocks.strip_len(h) > 64);
            }
        }
    }
    assert!(several_words, "no strip of the sample takes more than one word");
}

/// The tables are of one space: a signature of another would get wrong
/// distances without a word.
#[test]
#[should_panic(expected = "a signature of the same space")]
fn a_signature_of_another_space_is_refused() {
    let (four, five) = (Space::of_size(4).unwrap(), Space::of_size(5).unwrap());
    let tables = MoveTables::new(&four, Metric::Moves);
    Solver::new(&tables).solve(&Blocks::new(&five, SignatureId(0)), &mut Vec::new());
}
