//! What formulas are made of: the building blocks that a puzzle brings.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::board::Metric;

/// What a building block is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A guess at the distance.
    Guess,
    /// True or false: a question about the action that led to the state.
    Condition,
    /// A number that is no guess at the distance.
    Feature,
    /// What another program takes a guess for, to make its table again.
    Foreign,
    /// The exact distance of a part of the puzzle.
    Pattern,
    /// The exact distance.
    Exact,
    /// A formula of the program's own that goes by a name.
    Evolved,
}

/// What is known of a building block, or of a formula with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Facts {
    /// What it is.
    #[serde(skip)]
    pub kind: Kind,
    /// As it is written.
    pub name: &'static str,
    /// What it counts, or asks.
    pub definition: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Never too high in moves? A condition or a feature is no guess at all.
    pub admissible_in_moves: Option<bool>,
    /// Never too high in steps?
    pub admissible_in_steps: Option<bool>,
}

impl Facts {
    /// Is it known never to be too high in this metric?
    pub fn is_admissible(&self, metric: Metric) -> bool {
        let is_admissible = match metric {
            Metric::Moves => self.admissible_in_moves,
            Metric::Steps => self.admissible_in_steps,
        };
        is_admissible == Some(true)
    }
}

/// A formula that evolution found and that is part of the program.
#[derive(Debug)]
pub struct Evolved {
    /// As it is written.
    pub name: &'static str,
    /// How it was found.
    pub source: &'static str,
    /// The `best.txt` of its experiment: comments, then the formula.
    pub file: &'static str,
}

/// All names that formulas about one puzzle can use.
#[derive(Debug)]
pub struct Vocabulary {
    /// The building blocks.
    pub blocks: &'static [Facts],
    /// Formulas with names.
    pub evolved: &'static [Evolved],
    /// The states that a part of the puzzle may have for a pattern: the usual
    /// limit, and the highest that may be set.
    pub pattern_states: [u32; 2],
    /// Formulas that show a reader how to combine building blocks.
    pub examples: &'static str,
}

impl Vocabulary {
    /// The building blocks of a kind.
    pub fn of_kind(&'static self, kind: Kind) -> impl Iterator<Item = Block> {
        self.all().filter(move |block| block.facts().kind == kind)
    }

    pub(super) fn of_kinds<const N: usize>(&'static self, kinds: [Kind; N]) -> impl Iterator<Item = Block> {
        kinds.into_iter().flat_map(move |kind| self.of_kind(kind))
    }

    fn all(&'static self) -> impl Iterator<Item = Block> {
        (0..self.blocks.len()).map(move |index| Block::new(self, index))
    }

    /// All that are computed from a state and the action before it, without an
    /// exact distance: guesses, then conditions.
    pub fn guesses(&'static self) -> impl Iterator<Item = Block> {
        self.of_kinds([Kind::Guess, Kind::Condition])
    }

    /// Every name that can be read.
    pub fn names(&'static self) -> impl Iterator<Item = &'static str> {
        use Kind::*;
        let blocks = self.of_kinds([Guess, Condition, Feature, Foreign, Pattern, Exact]);
        blocks.map(|block| block.facts().name).chain(self.evolved.iter().map(|evolved| evolved.name))
    }

    /// The building block of this name, without a number.
    pub fn block(&'static self, name: &str) -> Option<Block> {
        self.all().find(|block| block.facts().name == name)
    }
}

/// A building block: an entry of a puzzle's vocabulary.
#[derive(Clone, Copy)]
pub struct Block {
    vocabulary: &'static Vocabulary,
    index: u16,
    states: u32,
}

impl Block {
    /// The one with this index in [`Vocabulary::blocks`]; a pattern is the usual one.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn new(vocabulary: &'static Vocabulary, index: usize) -> Block {
        let states = match vocabulary.blocks[index].kind {
            Kind::Pattern => vocabulary.pattern_states[0],
            _ => 0,
        };
        Block { vocabulary, index: index as u16, states }
    }

    /// The pattern with so many states at most.
    #[must_use]
    pub fn with_states(self, states: u32) -> Block {
        Block { states, ..self }
    }

    /// Its index among the building blocks of its puzzle.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.index)
    }

    /// The most states of a pattern; 0 for all others.
    #[inline]
    pub fn states(self) -> u32 {
        self.states
    }

    /// What is known of it.
    pub fn facts(self) -> &'static Facts {
        &self.vocabulary.blocks[self.index()]
    }

    /// Is it true or false?
    pub fn is_condition(self) -> bool {
        self.facts().kind == Kind::Condition
    }

    /// Is it a building block of this puzzle?
    pub fn is_of(self, vocabulary: &Vocabulary) -> bool {
        std::ptr::eq(self.vocabulary, vocabulary)
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        other.is_of(self.vocabulary) && (self.index, self.states) == (other.index, other.states)
    }
}

impl Eq for Block {}

impl Hash for Block {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.index, self.states).hash(state);
    }
}

/// As formulas write it.
impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.facts().name;
        match *self == Block::new(self.vocabulary, self.index()) {
            true => f.pad(name),
            false => f.pad(&format!("{name}:{}", self.states)),
        }
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
