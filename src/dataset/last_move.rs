//! The move that is taken to have led to a board.

use crate::board::{Board, Metric, Move};
use crate::random;

/// Conditions ask about the last move, and a board of a dataset has none. Any
/// move of the board can be taken back, so one of them, undone, is a last move
/// that may have been: drawn from the seed and from what stands where, the
/// same for every dataset of that seed. `None` if nothing can move.
///
/// ```
/// use tailback::board::{Board, Metric};
/// use tailback::dataset::last_move;
///
/// let board = Board::parse("..B. AAB. .... ....")?;
/// let last = last_move(&board, Metric::Moves, 0).unwrap();
/// assert!(board.apply(last.reversed()).is_ok());
/// assert_eq!(board.notation(last), "B-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn last_move(board: &Board, metric: Metric, seed: u64) -> Option<Move> {
    let (horizontal, vertical) = board.order();
    let draw = random::draw(random::draw(seed, horizontal), vertical);
    let mut moves = board.moves_in(metric);
    // By what stands where: the order of the letters is the caller's.
    moves.sort_by_key(|mv| {
        let index = usize::from(mv.vehicle);
        let vehicle = &board.vehicles()[index];
        (index != board.primary_index(), vehicle.square(vehicle.start, board.size()).index())
    });
    let choice = random::scaled(draw, moves.len() as u64);
    Some(moves.get(choice as usize)?.reversed())
}
