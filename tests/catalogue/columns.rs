//! Every column of every puzzle against the oracle.

use crate::common;

use std::path::Path;

use rayon::prelude::*;
use tailback::board::{Board, Metric};
use tailback::catalogue::{BuildOptions, Catalogue, Column, Puzzle, Query, Rules, Sort, Value, build};
use tailback::space::{Location, Rank, Space};
use tailback::table;

/// A folder with the table of moves of a size.
pub fn folder_with_table(size: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let name = table::file_name(size, Metric::Moves);
    std::fs::copy(common::tables().join(&name), folder.path().join(name)).unwrap();
    folder
}

pub fn all_puzzles(folder: &Path, size: usize) -> Vec<Puzzle> {
    let catalogue = Catalogue::open(folder, size).unwrap();
    let query = Query { rules: Rules::All, sort: Vec::<Sort>::new(), ..Query::default() };
    catalogue.select(&query).unwrap().map(|puzzle| puzzle.unwrap()).collect()
}

pub fn compare_all(size: usize, count: u64) {
    let folder = folder_with_table(size);
    let report = build(&BuildOptions::new(folder.path(), size), &()).unwrap();
    assert_eq!(report.puzzles, count);
    let puzzles = all_puzzles(folder.path(), size);
    assert_eq!(puzzles.len() as u64, count);
    assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.id()));
    puzzles.par_iter().for_each(|puzzle| check(puzzle, size));
}

/// Compares one row with naive searches of its cluster. That the right boards
/// of the right clusters are there, `survey.rs` shows.
fn check(puzzle: &Puzzle, size: usize) {
    let text = puzzle.board_text();
    let number = |column: Column| puzzle.number(column) as usize;
    let space = Space::of_size(size).unwrap();
    let board = Board::parse(text).unwrap();
    let Ok(Location::Inside(position)) = space.locate(&board) else { panic!("{text} is outside") };
    assert_eq!(space.rank(&position), Rank(puzzle.id()), "{text}");

    let code = oracle::code_of(text);
    assert_eq!(oracle::text_of(code, size), *text, "letters in reading order");
    let in_moves = oracle::distances_of_cluster(text, size, false);
    let mut histogram = vec![0; puzzle.histogram().len()];
    for distance in in_moves.values() {
        histogram[distance.unwrap() as usize] += 1;
    }
    assert_eq!(puzzle.histogram(), histogram, "{text}");
    assert_eq!(number(Column::ClusterBoards), in_moves.len(), "{text}");
    assert_eq!(puzzle.number(Column::GoalBoards), histogram[0], "{text}");
    assert_eq!(puzzle.number(Column::HardestBoards), histogram[histogram.len() - 1], "{text}");
    assert_eq!(in_moves[text], Some(puzzle.moves()), "{text}");
    assert_eq!(puzzle.moves() as usize, histogram.len() - 1, "{text} is a hardest board");
    assert_eq!(oracle::distance(text, size, true), Some(puzzle.steps()), "{text}");
    let solutions = Value::Whole(oracle::optimal_solutions(text, size, false));
    assert_eq!(*puzzle.value(Column::OptimalSolutions), solutions, "{text}");
    let nearer = oracle::successors(text, size, false);
    let nearer = nearer.iter().filter(|next| in_moves[&next.text] == Some(puzzle.moves() - 1));
    assert_eq!(nearer.count(), number(Column::OptimalFirstMoves), "{text}");

    let solution: Vec<String> = puzzle.solution().split(' ').map(str::to_owned).collect();
    assert_eq!(solution.len() as u32, puzzle.moves());
    let along = oracle::difficulty::along(text, size, &solution, &in_moves);
    for (column, found) in [
        (Column::PossibleMoves, along.possible),
        (Column::MovingVehicles, along.moving),
        (Column::ForcedMoves, along.forced),
        (Column::AwayMoves, along.away),
        (Column::LongestChain, along.chain),
        (Column::DifferentSolutions, oracle::difficulty::different(text, size, &in_moves, 100)),
    ] {
        assert_eq!(number(column), found, "{column} of {text}");
    }

    let lines = oracle::lines(code, size);
    let lengths: Vec<usize> = lines[..size].iter().chain(&lines[size..]).flatten().copied().collect();
    let trucks = lengths.iter().filter(|&&length| length == 3).count();
    assert_eq!(number(Column::Cars), lengths.len() - trucks, "{text}");
    assert_eq!(number(Column::Trucks), trucks, "{text}");
    assert_eq!(number(Column::FreeCells), text.matches('.').count());
    let kinds: [&[usize]; 8] = [&[], &[2], &[3], &[2, 2], &[2, 3], &[3, 2], &[3, 3], &[2, 2, 2]];
    let line_kinds =
        lines.iter().fold(0, |bits, line| bits | 1 << kinds.iter().position(|k| k == line).unwrap());
    assert_eq!(puzzle.number(Column::LineKinds), line_kinds, "{text}");
}
