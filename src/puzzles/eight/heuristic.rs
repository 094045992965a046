//! Heuristics for the 8-puzzle.

use super::{State, apart, gap, home, inversions, tiles};
use crate::formula::{Block, Facts, Kind, Vocabulary};
use crate::puzzles::Small;
use crate::search::Value;

/// What is known of a building block that never is too high, or that may be.
const fn facts(
    kind: Kind,
    name: &'static str,
    definition: &'static str,
    source: &'static str,
    admissible: Option<bool>,
) -> Facts {
    Facts { kind, name, definition, source, admissible_in_moves: admissible, admissible_in_steps: admissible }
}

const YES: Option<bool> = Some(true);

static BLOCKS: [Facts; 10] = [
    facts(Kind::Guess, "zero", "nothing: a search without a heuristic", "none", YES),
    facts(Kind::Guess, "misplaced", "tiles that are not at home", "Nilsson 1971", YES),
    facts(
        Kind::Guess,
        "manhattan",
        "rows and columns between each tile and its home",
        "Doran and Michie 1966",
        YES,
    ),
    facts(
        Kind::Guess,
        "linear-conflict",
        "manhattan, and 2 for each tile that has to make way in the row or column where it belongs",
        "Hansson, Mayer and Yung 1992",
        YES,
    ),
    facts(Kind::Guess, "gaschnig", "moves if any tile could jump into the gap", "Gaschnig 1979", YES),
    facts(Kind::Condition, "move-home", "did the last move bring its tile home?", "this project", None),
    facts(
        Kind::Condition,
        "move-nearer",
        "did the last move bring its tile nearer to its home?",
        "this project",
        None,
    ),
    facts(
        Kind::Feature,
        "gap-distance",
        "rows and columns between the gap and its home",
        "this project",
        None,
    ),
    facts(Kind::Feature, "inversions", "pairs of tiles in the wrong order", "this project", None),
    facts(Kind::Exact, "perfect", "the exact distance", "this project", YES),
];

/// The names in formulas about the 8-puzzle.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    blocks: &BLOCKS,
    evolved: &[],
    pattern_states: [0, 0],
    examples: "max(manhattan,gaschnig), manhattan+0.5*misplaced or if(inversions<=2,manhattan,2*misplaced)",
};

/// What a building block says of a state and the one before it.
pub(super) fn value(block: Block, state: &State, before: Option<&State>) -> Value {
    Value::from(match block.index() {
        0 => 0,
        1 => tiles(state).filter(|&(cell, tile)| cell != home(tile)).count() as u32,
        2 => manhattan(state),
        3 => manhattan(state) + 2 * (0..3).map(|line| conflicts(state, line)).sum::<u32>(),
        4 => gaschnig(*state),
        5 => moved(state, before).is_some_and(|(_, after)| after == 0).into(),
        6 => moved(state, before).is_some_and(|(before, after)| after < before).into(),
        7 => apart(gap(state), home(0)),
        8 => inversions(state),
        _ => return super::Tiles.distance(state).into(),
    })
}

fn manhattan(state: &State) -> u32 {
    tiles(state).map(|(cell, tile)| apart(cell, home(tile))).sum()
}

/// How far the tile that the last move moved was from its home, and is.
fn moved(state: &State, before: Option<&State>) -> Option<(u32, u32)> {
    let (start, end) = (gap(state), gap(before?));
    let home = home(state[end]);
    Some((apart(start, home), apart(end, home)))
}

/// Tiles of a row and a column of the same number that have to leave it, so that
/// others that belong there can pass.
fn conflicts(state: &State, line: usize) -> u32 {
    let row: [usize; 3] = std::array::from_fn(|place| line * 3 + place);
    let column: [usize; 3] = std::array::from_fn(|place| place * 3 + line);
    let of = |cells: [usize; 3]| {
        let belong = cells.iter().map(|&cell| state[cell]).filter(|&tile| tile != 0);
        let homes: Vec<usize> = belong.map(home).filter(|home| cells.contains(home)).collect();
        let is_pair = |a: usize, b: usize| homes.get(a) > homes.get(b) && homes.get(b).is_some();
        match [is_pair(0, 1), is_pair(0, 2), is_pair(1, 2)] {
            [false, false, false] => 0,
            [true, true, true] => 2,
            _ => 1,
        }
    };
    of(row) + of(column)
}

fn gaschnig(mut state: State) -> u32 {
    for moves in 0.. {
        let gap = gap(&state);
        let wanted = if gap == home(0) {
            tiles(&state).find(|&(cell, tile)| cell != home(tile)).map(|(cell, _)| cell)
        } else {
            state.iter().position(|&tile| home(tile) == gap)
        };
        let Some(cell) = wanted else { return moves };
        state.swap(gap, cell);
    }
    unreachable!("every other jump brings a tile home")
}
