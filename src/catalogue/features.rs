//! All that the catalogue knows of a puzzle, for any board, on the spot.
//!
//! The board's cluster is explored in both metrics. Whether a board is minimal
//! needs the distance without each vehicle and each wall, and two boards that
//! moves connect stay connected when both lose the same vehicle. So one more
//! cluster for each thing to remove answers that for all hardest boards at
//! once, and with it which of them is the puzzle. No table is needed, and
//! nothing is shared with the code that builds the catalogue.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::difficulty::SolutionProfile;
use super::shortest::{MOST_DIFFERENT, number};
use crate::board::{Axis, Board, Distance, Metric, Move, Square};
use crate::cluster::{Bounds, Cluster, ClusterError};
use crate::space::{Location, Position, Space, SpaceId};

/// What is known of a board and its cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features {
    /// The board.
    pub board: Board,
    /// Its rank, if the caller knows it: the first one takes a while.
    pub id: Option<u64>,
    /// Its place in the space of its size, or its mirror image's.
    pub position: Option<Position>,
    /// The fewest moves that solve it.
    pub moves: Distance,
    /// The fewest steps that solve it.
    pub steps: Distance,
    /// The boards of its cluster.
    pub cluster_boards: u64,
    /// How many of them have each distance in moves; empty if unsolvable.
    pub histogram: Vec<u64>,
    /// How many different shortest sequences of moves solve it.
    pub optimal_solutions: u128,
    /// How many of its moves begin one.
    pub optimal_first_moves: u32,
    /// One of them.
    pub solution: Option<Vec<Move>>,
    /// What is told of that solution.
    pub along: SolutionProfile,
    /// How many of its moves are the only one that leads nearer.
    pub forced_moves: u32,
    /// How many shortest solutions differ in more than the order of their moves;
    /// not more than 100.
    pub different_solutions: u32,
    /// No vehicle and no wall can be removed without shortening the solution.
    pub minimal: bool,
    /// No board of the cluster is harder.
    pub hardest: bool,
    /// The puzzle of the cluster, if that is solvable.
    pub puzzle: Option<Board>,
    /// That puzzle is minimal.
    pub interesting: bool,
    /// In the space, the primary alone in its row, and no line full.
    pub classic: bool,
    /// The cluster is classic and interesting, and its first hardest board is
    /// the puzzle.
    pub rush: bool,
}

impl Features {
    /// Explores a board, if its cluster and those with one vehicle or wall
    /// less are within the bounds each.
    ///
    /// ```
    /// use tailback::board::{Board, Distance};
    /// use tailback::catalogue::Features;
    /// use tailback::cluster::DEFAULT_LIMIT;
    ///
    /// // Card 40 of the boxed game.
    /// let board = Board::parse("BCC.D. BEF.DG BEFAAG HHHI.G ..JIKK LLJMM.")?;
    /// let features = Features::of(&board, DEFAULT_LIMIT)?;
    /// assert_eq!((features.moves, features.steps), (Distance::of(51), Distance::of(81)));
    /// assert!(features.classic && features.interesting && features.is_puzzle());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<'b>(board: &Board, bounds: impl Into<Bounds<'b>>) -> Result<Features, ClusterError> {
        let bounds = bounds.into();
        bounds.memory.in_turn(|| Features::explore(board, bounds))
    }

    fn explore(board: &Board, bounds: Bounds) -> Result<Features, ClusterError> {
        let space = Space::tabulated(SpaceId::of_board(board)).ok();
        let position = space.as_ref().and_then(|space| match space.locate(board) {
            Ok(Location::Inside(position)) => Some(position),
            _ => None,
        });
        let cluster = Cluster::explore(board, Metric::Moves, bounds)?;
        let own = |cluster: &Cluster| cluster.distance(board).expect("the board is in its cluster");
        let moves = own(&cluster);
        let steps = own(&Cluster::explore(board, Metric::Steps, bounds)?);
        let hardest = hardest_in_order(&cluster, position.and(space.as_deref()));
        let (minimal, minimal_hardest) = minimal(board, moves, &hardest, cluster.depth(), bounds)?;
        let first_minimal = minimal_hardest.iter().position(|&minimal| minimal);
        let interesting = first_minimal.is_some();
        let classic = position.is_some() && is_classic(board);
        let walked = walk(&cluster, board);
        let (solution, forced_moves) =
            walked.map_or((None, 0), |(solution, forced)| (Some(solution), forced));
        let along = SolutionProfile::of(board, solution.as_deref().unwrap_or_default());
        Ok(Features {
            board: board.clone(),
            id: None,
            position,
            moves,
            steps,
            cluster_boards: cluster.len() as u64,
            histogram: cluster.histogram(),
            optimal_solutions: cluster.optimal_solutions(board, bounds.observer)?,
            optimal_first_moves: first_moves(&cluster, board, moves),
            along,
            forced_moves,
            different_solutions: different(&cluster, board, &mut FxHashMap::default()).len() as u32,
            solution,
            minimal,
            hardest: moves.is_solvable() && moves == cluster.depth(),
            puzzle: hardest.get(first_minimal.unwrap_or(0)).cloned(),
            interesting,
            classic,
            rush: classic && first_minimal == Some(0),
        })
    }

    /// Is the board the puzzle of its cluster?
    pub fn is_puzzle(&self) -> bool {
        self.puzzle.as_ref() == Some(&self.board)
    }

    /// The solution in the board's letters; empty if there is none.
    pub fn notation(&self) -> Vec<String> {
        self.solution.iter().flatten().map(|&mv| self.board.notation(mv)).collect()
    }

    /// The solved boards of the cluster.
    pub fn goal_boards(&self) -> u64 {
        self.histogram.first().copied().unwrap_or(0)
    }

    /// The hardest boards of the cluster.
    pub fn hardest_boards(&self) -> u64 {
        self.histogram.last().copied().unwrap_or(0)
    }
}

/// The hardest boards in board order. A board that is in the space as its
/// mirror image has the order of that image. `space` is none if the boards are
/// in no space.
fn hardest_in_order(cluster: &Cluster, space: Option<&Space>) -> Vec<Board> {
    let mut hardest = cluster.hardest();
    if let Some(space) = space
        && let Some(first) = hardest.first()
        && usize::from(first.primary().line) != space.primary_row()
    {
        hardest.sort_by_key(|board| board.mirrored().order());
    }
    hardest
}

/// Whether a board is minimal, and which of the hardest boards are.
fn minimal(
    board: &Board,
    moves: Distance,
    hardest: &[Board],
    depth: Distance,
    bounds: Bounds,
) -> Result<(bool, Vec<bool>), ClusterError> {
    if !depth.is_solvable() {
        return Ok((false, Vec::new()));
    }
    let mut of_board = true;
    let mut of_hardest = vec![true; hardest.len()];
    let walls = (0..board.size() * board.size()).map(Square::new);
    let removals = (0..board.vehicles().len()).map(Removal::Vehicle).chain(walls.map(Removal::Wall));
    for removal in removals {
        let Some(without) = removal.from(board) else { continue };
        if !of_board && !of_hardest.contains(&true) {
            break;
        }
        let cluster = Cluster::explore(&without, Metric::Moves, bounds)?;
        let shortens = |board: &Board, moves: Distance| {
            let without =
                removal.from(board).expect("all boards of a cluster have the same vehicles and walls");
            cluster.distance(&without).is_some_and(|shorter| shorter < moves)
        };
        of_board &= shortens(board, moves);
        for (minimal, board) in of_hardest.iter_mut().zip(hardest) {
            *minimal = *minimal && shortens(board, depth);
        }
    }
    Ok((of_board, of_hardest))
}

/// Something to take off a board.
#[derive(Clone, Copy)]
enum Removal {
    Vehicle(usize),
    Wall(Square),
}

impl Removal {
    /// The board without it, unless it is the primary or not there.
    fn from(self, board: &Board) -> Option<Board> {
        match self {
            Removal::Vehicle(index) => board.without_vehicle(index),
            Removal::Wall(square) => board.without_wall(square),
        }
    }
}

/// How many moves bring the board nearer to the exit.
fn first_moves(cluster: &Cluster, board: &Board, moves: Distance) -> u32 {
    cluster.rated_moves(board).iter().filter(|(_, after)| *after < moves).count() as u32
}

/// A shortest solution, and how many of its boards have one move only that leads
/// nearer. Of moves as good it takes the primary's first, then those of the other
/// vehicles in the reading order of the first board: the letters do not matter.
fn walk(cluster: &Cluster, board: &Board) -> Option<(Vec<Move>, u32)> {
    let size = board.size();
    let order = |mv: &Move| {
        let vehicle = usize::from(mv.vehicle);
        let first_cell = board.vehicles()[vehicle].cells(size).trailing_zeros();
        (vehicle != board.primary_index(), first_cell)
    };
    let mut now = board.clone();
    let (mut solution, mut forced) = (Vec::new(), 0);
    for left in (0..cluster.distance(board)?.known()?).rev() {
        let rated = cluster.rated_moves(&now);
        let nearer = || rated.iter().filter(|(_, after)| *after == Distance::of(left)).map(|(mv, _)| *mv);
        let mv = nearer().min_by_key(order).expect("one of the moves leads nearer");
        forced += u32::from(nearer().count() == 1);
        now.play_unchecked(mv);
        solution.push(mv);
    }
    Some((solution, forced))
}

/// The shortest solutions of a board, each by the sum of the numbers of its moves,
/// so that their order does not count; the least of them if there are too many.
fn different(cluster: &Cluster, board: &Board, known: &mut FxHashMap<Board, BTreeSet<u64>>) -> BTreeSet<u64> {
    let Some(distance) = cluster.distance(board).and_then(Distance::known) else { return BTreeSet::new() };
    if distance == 0 {
        return BTreeSet::from([0]);
    }
    if let Some(found) = known.get(board) {
        return found.clone();
    }
    let mut found = BTreeSet::new();
    for (mv, after) in cluster.rated_moves(board) {
        if after == Distance::of(distance - 1) {
            let number = number(mv, board.vehicles()[usize::from(mv.vehicle)].start);
            let mut next = board.clone();
            next.play_unchecked(mv);
            found.extend(different(cluster, &next, known).into_iter().map(|sum| sum.wrapping_add(number)));
        }
    }
    while found.len() > MOST_DIFFERENT {
        found.pop_last();
    }
    known.insert(board.clone(), found.clone());
    found
}

/// The primary is the only vehicle in its row and no line is full: no row of
/// vehicles and walls, no column of vehicles.
fn is_classic(board: &Board) -> bool {
    let primary = board.primary();
    let walls_in_row = |row: u8| {
        let cells = board.walls() >> (usize::from(row) * board.size()) & ((1 << board.size()) - 1);
        cells.count_ones() as usize
    };
    let is_alone =
        board.vehicles().iter().filter(|v| (v.axis, v.line) == (primary.axis, primary.line)).count() == 1;
    let is_full = |vehicle: &crate::board::Vehicle| {
        let same_line = board.vehicles().iter().filter(|v| (v.axis, v.line) == (vehicle.axis, vehicle.line));
        let walls = match vehicle.axis {
            Axis::Horizontal => walls_in_row(vehicle.line),
            Axis::Vertical => 0,
        };
        same_line.map(|v| usize::from(v.len)).sum::<usize>() + walls == board.size()
    };
    is_alone && !board.vehicles().iter().any(is_full)
}
