//! Looks up a file of boards, one a line: how far each is from the exit, and
//! which move to make.
//!
//! ```text
//! cargo run --release --example lookup -- boards.txt db
//! ```
//!
//! Without a folder of tables every board is searched; without a file there are
//! three boards to show.

use std::error::Error;

use tailback::board::{Board, Metric};
use tailback::cluster::Bounds;
use tailback::probe::Prober;

const BOARDS: &str = "\
BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM
..B.AABx........
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let text = args.next().map_or(Ok(BOARDS.to_owned()), std::fs::read_to_string)?;
    let prober = args.next().map_or(Ok(Prober::without_tables()), Prober::open)?;
    let mut session = prober.session();
    for line in text.lines() {
        let board = Board::parse(line)?;
        let rating = session.rate(&board, Metric::Moves, Bounds::default())?;
        match (rating.distance.known(), rating.moves.first()) {
            (Some(0), _) => println!("{board}\nat the exit\n"),
            (Some(distance), Some(&(best, _))) => {
                println!("{board}\n{distance} moves, the first may be {}\n", board.notation(best));
            }
            _ => println!("{board}\nno way out\n"),
        }
    }
    Ok(())
}
