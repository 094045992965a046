//! Heuristics as formulas: numbers and truth values over building blocks.

use super::{Block, Kind};
use crate::board::Metric;
use crate::search::Value;

/// A guess how far a state is from a goal: a building block, or a formula over
/// some.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// What a building block says; 1 if it is a condition that holds, else 0.
    Block(Block),
    /// Always the same number.
    Constant(Value),
    /// The highest of several.
    Max(Vec<Heuristic>),
    /// The lowest of several.
    Min(Vec<Heuristic>),
    /// The sum of several, each with its weight.
    Sum(Vec<(Value, Heuristic)>),
    /// The first less the second.
    Minus(Box<[Heuristic; 2]>),
    /// The product.
    Times(Box<[Heuristic; 2]>),
    /// The first divided by the second; 1 if the second is 0.
    Over(Box<[Heuristic; 2]>),
    /// The first number if the test holds, else the second.
    If(Box<(Test, [Heuristic; 2])>),
    /// The value of the first rule whose test holds, or the last value.
    Rules(Vec<(Test, Heuristic)>, Box<Heuristic>),
    /// A formula that goes by a name.
    Named(Box<Named>),
}

/// A formula that goes by a name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Named {
    /// How it is written.
    pub name: String,
    /// What it stands for.
    pub heuristic: Heuristic,
}

/// True or false.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// Always the same.
    Constant(bool),
    /// Does the condition hold for the action that led to the state?
    Block(Block),
    /// Is the first number at most the second?
    AtMost(Box<[Heuristic; 2]>),
    /// Is the first number at least the second?
    AtLeast(Box<[Heuristic; 2]>),
    /// Do all hold?
    And(Vec<Test>),
    /// Does one of them hold?
    Or(Vec<Test>),
    /// Does it not hold?
    Not(Box<Test>),
}

/// A part of a formula.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A number.
    Number(&'a Heuristic),
    /// A truth value.
    Truth(&'a Test),
}

impl<B: Into<Block>> From<B> for Heuristic {
    fn from(block: B) -> Heuristic {
        Heuristic::Block(block.into())
    }
}

impl Heuristic {
    /// Is it known never to be too high in this metric? A maximum if all its
    /// parts are, a minimum if one is, a sum if all its parts are and their
    /// weights are 1 together at most, a choice if all that it chooses from is.
    pub fn is_admissible(&self, metric: Metric) -> bool {
        let all = |parts: &[Heuristic]| parts.iter().all(|part| part.is_admissible(metric));
        match self {
            Heuristic::Block(block) => block.facts().is_admissible(metric),
            Heuristic::Constant(value) => *value == Value::ZERO,
            Heuristic::Max(parts) => all(parts),
            // All are at least 0 in the end: what is below 0 counts as 0.
            Heuristic::Min(parts) => parts.iter().any(|part| part.is_admissible(metric)),
            Heuristic::Sum(parts) => {
                let weights = parts.iter().fold(Value::ZERO, |sum, (weight, _)| sum.plus(*weight));
                weights <= Value::ONE && parts.iter().all(|(_, part)| part.is_admissible(metric))
            }
            Heuristic::If(choice) => all(&choice.1),
            Heuristic::Rules(rules, last) => {
                let mut values = rules.iter().map(|(_, value)| value).chain([&**last]);
                values.all(|value| value.is_admissible(metric))
            }
            Heuristic::Named(named) => named.heuristic.is_admissible(metric),
            Heuristic::Minus(_) | Heuristic::Times(_) | Heuristic::Over(_) => false,
        }
    }

    /// Does it ask for the action that led to the state?
    pub fn needs_parent(&self) -> bool {
        self.blocks().into_iter().any(Block::is_condition)
    }

    /// Does it ask for the exact distance?
    pub fn needs_distances(&self) -> bool {
        self.blocks().iter().any(|block| block.facts().kind == Kind::Exact)
    }

    /// The building blocks that it asks, each once.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        Part::Number(self).for_each(&mut |part| {
            if let Part::Number(&Heuristic::Block(block)) | Part::Truth(&Test::Block(block)) = part
                && !blocks.contains(&block)
            {
                blocks.push(block);
            }
        });
        blocks
    }

    /// Is it the guess that is always 0, which every puzzle calls `zero`?
    pub fn is_zero(&self) -> bool {
        matches!(self, Heuristic::Block(block) if block.facts().name == "zero")
    }

    /// Is it one of the building blocks?
    pub fn is_block(&self) -> bool {
        matches!(self, Heuristic::Block(_))
    }

    /// The same under a name.
    #[must_use]
    pub fn named(self, name: &str) -> Heuristic {
        Heuristic::Named(Box::new(Named { name: name.to_owned(), heuristic: self }))
    }

    /// How many parts it has, itself included.
    pub fn parts(&self) -> usize {
        Part::Number(self).parts()
    }

    /// How many levels of parts it has; 1 for a building block.
    pub fn depth(&self) -> usize {
        Part::Number(self).depth()
    }
}

/// The parts of a part in the order in which they are written, to look at or
/// to change.
macro_rules! children {
    ($part:expr, $iter:ident $(, $mutable:tt)?) => {
        match $part {
            Number(number) => match number {
                Heuristic::Max(parts) | Heuristic::Min(parts) => parts.$iter().map(Number).collect(),
                Heuristic::Sum(parts) => parts.$iter().map(|(_, part)| Number(part)).collect(),
                Heuristic::Minus(pair) | Heuristic::Times(pair) | Heuristic::Over(pair) => {
                    pair.$iter().map(Number).collect()
                }
                Heuristic::If(choice) => {
                    let (test, [yes, no]) = & $($mutable)? **choice;
                    vec![Truth(test), Number(yes), Number(no)]
                }
                Heuristic::Rules(rules, last) => {
                    let rules = rules.$iter().flat_map(|(test, value)| [Truth(test), Number(value)]);
                    rules.chain([Number(last)]).collect()
                }
                Heuristic::Named(named) => vec![Number(& $($mutable)? named.heuristic)],
                Heuristic::Block(_) | Heuristic::Constant(_) => Vec::new(),
            },
            Truth(test) => match test {
                Test::Constant(_) | Test::Block(_) => Vec::new(),
                Test::AtMost(pair) | Test::AtLeast(pair) => pair.$iter().map(Number).collect(),
                Test::And(tests) | Test::Or(tests) => tests.$iter().map(Truth).collect(),
                Test::Not(test) => vec![Truth(test)],
            },
        }
    };
}

impl<'a> Part<'a> {
    /// Its own parts, in the order in which they are written.
    pub fn children(self) -> Vec<Part<'a>> {
        use Part::{Number, Truth};
        children!(self, iter)
    }

    /// Itself and all parts of parts, each before its own.
    pub fn for_each(self, visit: &mut impl FnMut(Part<'a>)) {
        visit(self);
        self.children().into_iter().for_each(|part| part.for_each(visit));
    }

    /// How many parts it has, itself included.
    pub fn parts(self) -> usize {
        let mut parts = 0;
        self.for_each(&mut |_| parts += 1);
        parts
    }

    /// How many levels it has.
    pub fn depth(self) -> usize {
        1 + self.children().into_iter().map(Part::depth).max().unwrap_or(0)
    }
}

/// A part of a formula that can be changed.
#[derive(Debug)]
pub enum PartMut<'a> {
    /// A number.
    Number(&'a mut Heuristic),
    /// A truth value.
    Truth(&'a mut Test),
}

impl<'a> PartMut<'a> {
    /// The same, to look at.
    pub fn shared(&self) -> Part<'_> {
        match self {
            PartMut::Number(number) => Part::Number(number),
            PartMut::Truth(test) => Part::Truth(test),
        }
    }

    /// The same, for a while.
    pub fn reborrow(&mut self) -> PartMut<'_> {
        match self {
            PartMut::Number(number) => PartMut::Number(number),
            PartMut::Truth(test) => PartMut::Truth(test),
        }
    }

    fn children(self) -> Vec<PartMut<'a>> {
        use PartMut::{Number, Truth};
        children!(self, iter_mut, mut)
    }

    /// The number with this place among all numbers within, itself included,
    /// in the order of [`Part::for_each`]. `left` counts down.
    pub fn nth_number(self, left: &mut usize) -> Option<&'a mut Heuristic> {
        match self {
            PartMut::Number(number) if *left == 0 => return Some(number),
            PartMut::Number(_) => *left -= 1,
            PartMut::Truth(_) => {}
        }
        self.children().into_iter().find_map(|part| part.nth_number(left))
    }

    /// The truth value with this place among all truth values within.
    pub fn nth_truth(self, left: &mut usize) -> Option<&'a mut Test> {
        match self {
            PartMut::Truth(test) if *left == 0 => return Some(test),
            PartMut::Truth(_) => *left -= 1,
            PartMut::Number(_) => {}
        }
        self.children().into_iter().find_map(|part| part.nth_truth(left))
    }
}
