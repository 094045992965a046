//! The names in formulas about Rush Hour.

use super::measure::{PATTERN, PERFECT};
use super::{Condition, Measure, Pattern};
use crate::formula::{Block, Evolved, Facts, Heuristic, HeuristicError, Vocabulary};

const MEASURES: usize = Measure::ALL.len();
const CONDITIONS: usize = Condition::ALL.len();

/// Measures, then conditions, then patterns and the exact distance.
static BLOCKS: [Facts; MEASURES + CONDITIONS + 2] = {
    let mut blocks = [PERFECT; MEASURES + CONDITIONS + 2];
    let mut index = 0;
    while index < MEASURES {
        blocks[index] = Measure::ALL[index].facts();
        index += 1;
    }
    while index < MEASURES + CONDITIONS {
        blocks[index] = Condition::ALL[index - MEASURES].facts();
        index += 1;
    }
    blocks[index] = PATTERN;
    blocks
};

/// The names in formulas about Rush Hour.
///
/// The evolved formulas are each the `best.txt` of an experiment of
/// `docs/experiments`, byte for byte; `docs/evolution.md` has the command that
/// breeds it again.
pub static VOCABULARY: Vocabulary = Vocabulary {
    blocks: &BLOCKS,
    evolved: &[
        Evolved {
            name: "evolved-6x6",
            source: "this project, bred by docs/experiments/6x6-tree.toml",
            file: include_str!("evolved-6x6.txt"),
        },
        Evolved {
            name: "evolved-8x8",
            source: "this project, bred by docs/experiments/8x8-tree.toml",
            file: include_str!("evolved-8x8.txt"),
        },
    ],
    pattern_states: [Pattern::USUAL.boards, Pattern::MOST.boards],
    examples: "max(blocking,advanced-admissible), blocking+0.5*distance or if(mobile<=3,hybrid,advanced)",
};

/// Reads a heuristic for Rush Hour.
pub fn heuristic(text: &str) -> Result<Heuristic, HeuristicError> {
    VOCABULARY.read(text)
}

/// What a building block asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::domains::rush_hour) enum Question {
    Measure(Measure),
    Condition(Condition),
    Pattern(Pattern),
    Perfect,
}

impl Question {
    #[inline]
    pub fn of(block: Block) -> Question {
        debug_assert!(block.is_of(&VOCABULARY), "{block} is a building block of another puzzle");
        match block.index() {
            index if index < MEASURES => Question::Measure(Measure::ALL[index]),
            index if index < MEASURES + CONDITIONS => Question::Condition(Condition::ALL[index - MEASURES]),
            index if index == MEASURES + CONDITIONS => Question::Pattern(Pattern { boards: block.states() }),
            _ => Question::Perfect,
        }
    }
}

impl From<Measure> for Block {
    fn from(measure: Measure) -> Block {
        Block::new(&VOCABULARY, measure as usize)
    }
}

impl From<Condition> for Block {
    fn from(condition: Condition) -> Block {
        Block::new(&VOCABULARY, MEASURES + condition as usize)
    }
}

impl From<Pattern> for Block {
    fn from(pattern: Pattern) -> Block {
        Block::new(&VOCABULARY, MEASURES + CONDITIONS).with_states(pattern.boards)
    }
}

/// Fails for what is no measure.
impl TryFrom<Block> for Measure {
    type Error = Block;

    fn try_from(block: Block) -> Result<Measure, Block> {
        match Question::of(block) {
            Question::Measure(measure) => Ok(measure),
            _ => Err(block),
        }
    }
}

/// Fails for what is no condition.
impl TryFrom<Block> for Condition {
    type Error = Block;

    fn try_from(block: Block) -> Result<Condition, Block> {
        match Question::of(block) {
            Question::Condition(condition) => Ok(condition),
            _ => Err(block),
        }
    }
}
