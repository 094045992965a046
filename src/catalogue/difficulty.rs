//! What makes a puzzle hard beyond its number of moves, along one shortest
//! solution.

use crate::board::{Board, Move};

/// The columns about a solution, computed move by move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SolutionProfile {
    /// How many vehicles move.
    pub moving_vehicles: u32,
    /// How many moves are possible on its boards, the solved one left out.
    pub possible_moves: u32,
    /// Moves after which the exit looks farther than before: the cells and the
    /// vehicles between the primary and the exit are more.
    pub away_moves: u32,
    /// The most of its moves of which each depends on the one before: they are of
    /// one vehicle, or one passes cells that the other passes, too.
    pub longest_chain: u32,
}

impl SolutionProfile {
    /// Follows a solution.
    pub fn of(board: &Board, solution: &[Move]) -> SolutionProfile {
        let mut board = board.clone();
        let mut moving = 0u32;
        let mut along = SolutionProfile::default();
        // For each move the cells it passes, its vehicle, and the longest chain that
        // it ends.
        let mut moves: Vec<(u64, u8, u32)> = Vec::with_capacity(solution.len());
        for &mv in solution {
            moving |= 1 << mv.vehicle;
            along.possible_moves += board.moves().len() as u32;
            let (before, looks) = (cells(&board, mv.vehicle), looks(&board));
            board.play_unchecked(mv);
            along.away_moves += u32::from(self::looks(&board) > looks);
            let passed = passed(&board, mv) | before;
            let depends =
                |&&(other, vehicle, _): &&(u64, u8, u32)| vehicle == mv.vehicle || other & passed != 0;
            let chain = 1 + moves.iter().filter(depends).map(|&(.., chain)| chain).max().unwrap_or(0);
            along.longest_chain = along.longest_chain.max(chain);
            moves.push((passed, mv.vehicle, chain));
        }
        along.moving_vehicles = moving.count_ones();
        along
    }
}

/// How far the exit looks: the cells and the vehicles in the way of the primary.
fn looks(board: &Board) -> u32 {
    let (size, primary) = (board.size(), board.primary());
    let row = usize::from(primary.line) * size;
    let way = (usize::from(primary.end())..size).map(|col| 1u64 << (row + col)).sum::<u64>();
    let in_way = board.vehicles().iter().filter(|vehicle| vehicle.cells(size) & way != 0);
    way.count_ones() + in_way.count() as u32
}

fn cells(board: &Board, vehicle: u8) -> u64 {
    board.vehicles()[usize::from(vehicle)].cells(board.size())
}

/// All cells that a vehicle covered on its way to where it is now.
fn passed(board: &Board, mv: Move) -> u64 {
    let vehicle = &board.vehicles()[usize::from(mv.vehicle)];
    let back = (1..=mv.delta.unsigned_abs()).map(|step| {
        let delta = step as i8 * -mv.delta.signum();
        let start = vehicle.start.wrapping_add_signed(delta);
        crate::board::Vehicle { start, ..*vehicle }.cells(board.size())
    });
    back.fold(vehicle.cells(board.size()), |all, cells| all | cells)
}
