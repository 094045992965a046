//! Puzzles for test catalogues.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rand::prelude::*;
use tailback::board::{Axis, Board, Metric};
use tailback::catalogue::{Column, Puzzle, RuleCounts, Summary, Value, Writer};
use tailback::cluster::{Cluster, DEFAULT_LIMIT};
use tailback::space::{Location, Rank, Space};

/// Every interesting puzzle of 4×4 and the counts of all clusters, explored
/// cluster by cluster.
pub fn four() -> (Vec<Puzzle>, Summary) {
    let space = Space::of_size(4).unwrap();
    let mut seen = vec![false; space.boards() as usize];
    let mut puzzles = Vec::new();
    let mut summary = Summary::default();
    let mut families = [BTreeSet::new(), BTreeSet::new()];
    let mut solvable = [BTreeSet::new(), BTreeSet::new()];
    for rank in 0..space.boards() {
        if seen[rank as usize] {
            continue;
        }
        let board = space.board(&space.position(Rank(rank)).unwrap());
        let cluster = Cluster::explore(&board, Metric::Moves, DEFAULT_LIMIT).unwrap();
        for (board, _) in cluster.boards() {
            let Ok(Location::Inside(position)) = space.locate(&board) else { panic!("it left the space") };
            seen[space.rank(&position).0 as usize] = true;
        }
        let family = family(&board);
        let counts = [Some(&mut summary.all), is_classic(&family).then_some(&mut summary.classic)];
        for (index, counts) in counts.into_iter().enumerate() {
            let Some(counts) = counts else { continue };
            counts.clusters[cluster.depth()] += 1;
            families[index].insert(family.clone());
            if cluster.is_solvable() {
                solvable[index].insert(family.clone());
            }
        }
        puzzles.extend(Puzzle::of_cluster(&board, DEFAULT_LIMIT).unwrap());
    }
    let count = |counts: &mut RuleCounts, index: usize| {
        counts.families = families[index].len() as u64;
        counts.solvable_families = solvable[index].len() as u64;
    };
    count(&mut summary.all, 0);
    count(&mut summary.classic, 1);
    puzzles.sort_by_key(|puzzle| puzzle.id());
    (puzzles, summary)
}

/// Puzzles of some 5×5 clusters.
pub fn five() -> Vec<Puzzle> {
    let space = Space::of_size(5).unwrap();
    let mut puzzles: Vec<Puzzle> = (0..space.boards())
        .step_by(1_999)
        .filter_map(|rank| {
            let board = space.board(&space.position(Rank(rank)).unwrap());
            Puzzle::of_cluster(&board, DEFAULT_LIMIT).unwrap()
        })
        .collect();
    puzzles.sort_by_key(|puzzle| puzzle.id());
    puzzles.dedup_by_key(|puzzle| puzzle.id());
    puzzles
}

/// The lengths in each line, rows first.
fn family(board: &Board) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new(); 2 * board.size()];
    for vehicle in board.vehicles() {
        let first = if vehicle.axis == Axis::Horizontal { 0 } else { board.size() };
        lines[first + usize::from(vehicle.line)].push((vehicle.start, vehicle.len));
    }
    for line in &mut lines {
        line.sort();
    }
    lines.into_iter().map(|line| line.into_iter().map(|(_, len)| len).collect()).collect()
}

fn is_classic(family: &[Vec<u8>]) -> bool {
    let size = family.len() / 2;
    let row = if size == 4 { 1 } else { 2 };
    family[row].len() == 1 && family.iter().all(|line| usize::from(line.iter().sum::<u8>()) < size)
}

/// Rows with the numbers of 6×6 puzzles, but of no real boards.
pub fn made_up(count: usize, seed: u64) -> Vec<Puzzle> {
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut id = 0;
    (0..count)
        .map(|_| {
            id += random.random_range(1..=40_000_000_000 / count as u64);
            let cars = random.random_range(3..=11);
            let trucks = random.random_range(0..=5u32.min((36 - 2 * cars) / 3));
            let moves = (random.random_range(1..=20) + random.random_range(0..=31)) as u32;
            let scale = 2f64.powf(random.random_range(0.0..11.0));
            let histogram: Vec<u64> = (0..=moves)
                .map(|d| 1 + (scale * f64::from(moves - d + 1) / f64::from(d + 1)) as u64)
                .collect();
            let classic = random.random_bool(0.65);
            let vehicles = cars + trucks;
            let letter = |index: u32| char::from(b'A' + index as u8);
            let solution = (0..moves)
                .map(|_| {
                    let sign = if random.random_bool(0.5) { '+' } else { '-' };
                    format!(
                        "{}{sign}{}",
                        letter(random.random_range(0..vehicles)),
                        random.random_range(1..=4)
                    )
                })
                .collect::<Vec<String>>()
                .join(" ");
            let board: String = (0..36).map(|_| letter(random.random_range(0..vehicles))).collect();
            let walls = random.random_range(0..=2u32);
            Puzzle::new(|column| match column {
                Column::Id => id.into(),
                Column::Board => Value::Text(board.clone()),
                Column::Moves => moves.into(),
                Column::Steps => (moves + random.random_range(0..=moves)).into(),
                Column::Cars => cars.into(),
                Column::Trucks => trucks.into(),
                Column::FreeCells => (36 - 2 * cars - 3 * trucks).into(),
                Column::Walls => walls.into(),
                Column::WallCells => Value::Text(["", "A1", "A1 B2"][walls as usize].to_owned()),
                Column::LineKinds => random.random_range(0..256u32).into(),
                Column::ClusterBoards => histogram.iter().sum::<u64>().into(),
                Column::GoalBoards => histogram[0].into(),
                Column::HardestBoards => histogram[moves as usize].into(),
                Column::OptimalSolutions => (2f64.powf(random.random_range(0.0..40.0)) as u64).into(),
                Column::MovingVehicles => random.random_range(1..=vehicles).into(),
                Column::PossibleMoves => {
                    (moves * random.random_range(3..=12) + random.random_range(0..moves)).into()
                }
                Column::Classic => classic.into(),
                Column::Rush => (classic && random.random_bool(0.9)).into(),
                Column::Solution => Value::Text(solution.clone()),
                Column::MovesHistogram => Value::Counts(histogram.clone()),
                _ => random.random_range(1..=6u32).into(),
            })
        })
        .collect()
}

/// Writes a complete catalogue of these puzzles.
pub fn write(folder: &Path, size: usize, puzzles: &[Puzzle], summary: &Summary) -> PathBuf {
    let (mut writer, state) = Writer::open(folder, size).unwrap();
    assert_eq!(state, None);
    writer.add(puzzles).unwrap();
    writer.finish(b"all", summary).unwrap()
}
