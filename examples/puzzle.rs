//! A puzzle of one's own, searched with the algorithms of the library: eight
//! tiles and a gap, to be slid into order.
//!
//! ```text
//! cargo run --release --example puzzle
//! ```

use std::convert::Infallible;
use std::num::NonZeroU32;

use tailback::search::{Algorithm, Domain, Guide, Limits, Value, run};

/// Three rows of three tiles; 0 is the gap.
type Tiles = [u8; 9];

const SOLVED: Tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0];
/// One of the two that are farthest from it.
const HARDEST: Tiles = [8, 6, 7, 2, 5, 4, 3, 0, 1];

struct EightPuzzle;

impl Domain for EightPuzzle {
    type State = Tiles;
    /// The tile that slides.
    type Action = u8;

    fn is_goal(&self, tiles: &Tiles) -> bool {
        *tiles == SOLVED
    }

    fn for_each_successor(&self, tiles: &Tiles, mut visit: impl FnMut(Tiles, NonZeroU32)) {
        let gap = gap(tiles);
        for tile in (0..9).filter(|&tile| apart(gap, tile) == 1) {
            let mut next = *tiles;
            next.swap(gap, tile);
            visit(next, NonZeroU32::MIN);
        }
    }

    fn action(&self, from: &Tiles, to: &Tiles) -> u8 {
        from[gap(to)]
    }

    fn has_unit_costs(&self) -> bool {
        true
    }
}

fn gap(tiles: &Tiles) -> usize {
    tiles.iter().position(|&tile| tile == 0).expect("there is a gap")
}

/// Rows and columns between two places.
fn apart(a: usize, b: usize) -> u32 {
    ((a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3)) as u32
}

/// How far the tiles are from their places, all together.
struct Manhattan;

impl Guide<EightPuzzle> for Manhattan {
    type Error = Infallible;
    type Memo = ();

    fn estimate(
        &mut self,
        _: &EightPuzzle,
        tiles: &Tiles,
        _: Option<(&Tiles, ())>,
    ) -> Result<(Value, ()), Infallible> {
        let away = |(place, &tile): (usize, &u8)| match tile {
            0 => 0,
            tile => apart(place, usize::from(tile) - 1),
        };
        Ok((Value::from(tiles.iter().enumerate().map(away).sum::<u32>()), ()))
    }

    fn is_admissible(&self) -> bool {
        true
    }
}

fn main() -> Result<(), Infallible> {
    for name in ["bfs", "astar", "ida", "wastar:2", "greedy"] {
        let algorithm: Algorithm = name.parse().expect("it is one of the names");
        let report = run(algorithm, &EightPuzzle, HARDEST, &mut Manhattan, &Limits::default())?;
        let solution = report.solution().expect("there is a way");
        let proof = if solution.proven_optimal { ", and there is no shorter way" } else { "" };
        println!("{name:9} {:7} nodes expanded: {} moves{proof}", report.counts.expanded, solution.cost);
    }
    Ok(())
}
