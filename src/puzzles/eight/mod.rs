//! The 8-puzzle: eight tiles and a gap on 3×3 cells, to be put in order.
//!
//! Half of the 9! orders can be reached, 181,440 states; the farthest two are 31
//! moves from the goal.

mod heuristic;

use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

use super::small::Ready;
use super::{Action, Oracle, Puzzle, PuzzleError, Settings, Small, Usual};
use crate::board::{Distance, Metric};
use crate::formula::{Block, Vocabulary};
use crate::search::{Domain, Value};

/// Eight tiles have to be put in order.
pub struct Eight;

impl Puzzle for Eight {
    fn name(&self) -> &'static str {
        "eight"
    }

    fn about(&self) -> &'static str {
        "the 8-puzzle: eight tiles and a gap have to be put in order"
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &heuristic::VOCABULARY
    }

    fn metrics(&self) -> &'static [Metric] {
        &[Metric::Moves]
    }

    fn sets(&self) -> &'static [(&'static str, &'static str)] {
        &[("spread", include_str!("spread.tsv"))]
    }

    fn usual(&self, _: Metric) -> Usual {
        Usual { search: "manhattan", compared: "zero,misplaced,manhattan,linear-conflict,perfect" }
    }

    fn hand_made(&self) -> &'static [&'static str] {
        &["max(linear-conflict,gaschnig)", "manhattan+0.5*misplaced"]
    }

    fn open(&self, _: Settings) -> Result<Arc<dyn Oracle>, PuzzleError> {
        Ok(Arc::new(Ready::new(Tiles)))
    }
}

/// The tile of each cell, row by row; 0 is the gap.
type State = [u8; 9];

const GOAL: State = [1, 2, 3, 4, 5, 6, 7, 8, 0];

/// The cell where a tile, or the gap, belongs.
const fn home(tile: u8) -> usize {
    (tile as usize + 8) % 9
}

/// How many rows and columns two cells are apart.
const fn apart(a: usize, b: usize) -> u32 {
    ((a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3)) as u32
}

fn gap(state: &State) -> usize {
    state.iter().position(|&tile| tile == 0).expect("every state has a gap")
}

fn tiles(state: &State) -> impl Iterator<Item = (usize, u8)> + Clone {
    state.iter().copied().enumerate().filter(|&(_, tile)| tile != 0)
}

/// Orders of eight tiles with an even number of inversions.
const EVEN_ORDERS: u64 = 20_160;

/// The tiles as a domain.
struct Tiles;

/// The distances of all states by number.
static DISTANCES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut distances = vec![u8::MAX; Tiles.states() as usize];
    distances[Tiles.number(&GOAL) as usize] = 0;
    let mut level = vec![GOAL];
    for distance in 1.. {
        let mut next = Vec::new();
        for state in level {
            Tiles.for_each_successor(&state, |state, _| {
                let known = &mut distances[Tiles.number(&state) as usize];
                if *known == u8::MAX {
                    *known = distance;
                    next.push(state);
                }
            });
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    distances
});

impl Domain for Tiles {
    type State = State;
    type Action = Action;

    fn is_goal(&self, state: &State) -> bool {
        *state == GOAL
    }

    fn for_each_successor(&self, state: &State, mut visit: impl FnMut(State, NonZeroU32)) {
        let gap = gap(state);
        for cell in (0..9).filter(|&cell| apart(cell, gap) == 1) {
            let mut next = *state;
            next.swap(cell, gap);
            visit(next, NonZeroU32::MIN);
        }
    }

    fn action(&self, from: &State, to: &State) -> Action {
        let (start, end) = (gap(to), gap(from));
        let direction = match (end as i32) - (start as i32) {
            1 => "right",
            -1 => "left",
            3 => "down",
            _ => "up",
        };
        let text = format!("{} {direction}", from[start]);
        Action { words: text.clone(), text }
    }

    fn has_unit_costs(&self) -> bool {
        true
    }
}

impl Small for Tiles {
    const PUZZLE: &'static dyn Puzzle = &Eight;

    fn states(&self) -> u64 {
        9 * EVEN_ORDERS
    }

    /// By the gap, then by the order of the tiles: of two orders that differ in
    /// their last two tiles one is even.
    fn nth(&self, number: u64) -> State {
        let (gap, order) = ((number / EVEN_ORDERS) as usize, number % EVEN_ORDERS * 2);
        let mut left: Vec<u8> = (1..9).collect();
        let (mut rest, mut weight) = (order as usize, 5040);
        let mut state = [0; 9];
        for (place, cell) in (0..9).filter(|&cell| cell != gap).enumerate() {
            state[cell] = left.remove(rest / weight);
            rest %= weight;
            weight /= (7 - place).max(1);
        }
        if !is_even(&state) {
            let mut cells = (0..9).rev().filter(|&cell| cell != gap);
            if let (Some(last), Some(other)) = (cells.next(), cells.next()) {
                state.swap(last, other);
            }
        }
        state
    }

    fn number(&self, state: &State) -> u64 {
        let order = tiles(state).fold(0, |order, (cell, tile)| {
            let place = tiles(state).filter(|(other, _)| *other < cell).count() as u64;
            let smaller = tiles(state).filter(|&(other, before)| other > cell && before < tile).count();
            order * (8 - place) + smaller as u64
        });
        gap(state) as u64 * EVEN_ORDERS + order / 2
    }

    fn distance(&self, state: &State) -> Distance {
        match is_even(state) {
            true => Distance::of(DISTANCES[self.number(state) as usize].into()),
            false => Distance::UNSOLVABLE,
        }
    }

    fn read(&self, text: &str) -> Result<State, String> {
        let is_space = |c: &char| !(c.is_whitespace() || matches!(c, '/' | ',' | '|'));
        let tiles = text.chars().filter(is_space).map(|c| if matches!(c, '.' | '_') { '0' } else { c });
        let tiles: Vec<char> = tiles.collect();
        let mut sorted = tiles.clone();
        sorted.sort_unstable();
        match sorted.iter().copied().eq('0'..='8') {
            true => Ok(std::array::from_fn(|cell| tiles[cell] as u8 - b'0')),
            false => Err(format!(
                "a state of the 8-puzzle has the tiles 1 to 8 and a gap, 0 or a dot, row by row, such as \
                 867254301 or '8 6 7 / 2 5 4 / 3 . 1', not '{text}'"
            )),
        }
    }

    fn text(&self, state: &State) -> String {
        state.iter().map(u8::to_string).collect()
    }

    fn drawing(&self, state: &State) -> String {
        let tile = |&tile: &u8| if tile == 0 { "·".to_owned() } else { tile.to_string() };
        let rows = state.chunks(3).map(|row| row.iter().map(tile).collect::<Vec<_>>().join(" "));
        rows.map(|row| format!("  {row}\n")).collect()
    }

    /// A state and its mirror image at the main diagonal are the same puzzle.
    fn group(&self, state: &State) -> u64 {
        let turned = |cell: usize| cell % 3 * 3 + cell / 3;
        let mirror = std::array::from_fn(|cell| match state[turned(cell)] {
            0 => 0,
            tile => turned(home(tile)) as u8 + 1,
        });
        self.number(state).min(self.number(&mirror))
    }

    fn value(&self, block: Block, state: &State, before: Option<&State>) -> Value {
        heuristic::value(block, state, before)
    }
}

/// Pairs of tiles in the wrong order.
fn inversions(state: &State) -> u32 {
    let smaller = |(cell, tile): (usize, u8)| {
        tiles(state).filter(|&(other, after)| other > cell && after < tile).count() as u32
    };
    tiles(state).map(smaller).sum()
}

/// Can it be put in order? A move changes the number of inversions by an even one.
fn is_even(state: &State) -> bool {
    inversions(state).is_multiple_of(2)
}
