//! A heuristic of one's own, measured against h\*, the exact distance, on every
//! 4×4 board.
//!
//! ```text
//! cargo run --release --example heuristic
//! ```

use std::error::Error;

use tailback::board::{Board, Metric};
use tailback::space::Rank;
use tailback::table::{BuildOptions, Table, build};

/// The vehicles between the primary and the exit, and the primary itself.
fn blocking(board: &Board) -> u32 {
    let primary = board.primary();
    let ahead = primary.end()..board.size() as u8;
    if ahead.is_empty() {
        return 0;
    }
    1 + ahead.filter(|&col| board.at(primary.square(col, board.size())).is_some()).count() as u32
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    build(&BuildOptions::new(folder.path(), 4, Metric::Moves), &())?;
    let table = Table::open(folder.path(), 4, Metric::Moves)?;
    let space = table.space();
    let mut probe = table.probe();

    let (mut solvable, mut exact, mut too_high, mut short) = (0, 0, 0, 0);
    for position in (0..space.boards()).filter_map(|rank| space.position(Rank(rank))) {
        let Some(distance) = probe.distance(&position)?.known() else { continue };
        let guess = blocking(&space.board(&position));
        solvable += 1;
        exact += u32::from(guess == distance);
        too_high += u32::from(guess > distance);
        short += distance.saturating_sub(guess);
    }
    println!("{solvable} solvable boards");
    println!("exact      {:5.1} %", 100.0 * f64::from(exact) / f64::from(solvable));
    println!("too high   {:5.1} %", 100.0 * f64::from(too_high) / f64::from(solvable));
    println!("too low by {:5.2} moves on average", f64::from(short) / f64::from(solvable));
    assert_eq!(too_high, 0, "every vehicle in the way has to move: the guess is admissible");
    Ok(())
}
