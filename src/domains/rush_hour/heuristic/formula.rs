//! Heuristics as formulas: numbers and truth values over building blocks.

use super::{Condition, Measure, Pattern};
use crate::board::Metric;
use crate::domains::rush_hour::Front;
use crate::search::Value;

/// A guess how far a board is from the exit: a building block, or a formula
/// over some.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// A number that depends on the board alone.
    Measure(Measure),
    /// 1 if the condition holds for the move that led to the board, else 0.
    Condition(Condition),
    /// The exact distance with some vehicles taken away.
    Pattern(Pattern),
    /// The exact distance.
    Perfect,
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
    /// Does it hold for the move that led to the board?
    Condition(Condition),
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

impl Heuristic {
    /// Is it known never to be too high in this metric? A maximum if all its
    /// parts are, a minimum if one is, a sum if all its parts are and their
    /// weights are 1 together at most, a choice if all that it chooses from is.
    pub fn is_admissible(&self, metric: Metric) -> bool {
        let all = |parts: &[Heuristic]| parts.iter().all(|part| part.is_admissible(metric));
        match self {
            Heuristic::Measure(measure) => measure.is_admissible(metric),
            Heuristic::Pattern(_) | Heuristic::Perfect => true,
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
            Heuristic::Condition(_) | Heuristic::Minus(_) | Heuristic::Times(_) | Heuristic::Over(_) => false,
        }
    }

    /// Is what is in front of the primary enough to know it, but for patterns
    /// and exact distances?
    pub(super) fn needs_front_only(&self) -> bool {
        let front = Front { cells: 0, blockers: 0 };
        let asks_more = |part: &Heuristic| match part {
            Heuristic::Measure(measure) => measure.of_front(front).is_none(),
            _ => false,
        };
        !self.needs_parent() && !self.any(&asks_more)
    }

    /// Does it ask for exact distances?
    pub(super) fn needs_distances(&self) -> bool {
        self.any(&|part| *part == Heuristic::Perfect)
    }

    /// Does it ask for the board before the last move?
    pub fn needs_parent(&self) -> bool {
        let mut found = false;
        Part::Number(self).for_each(&mut |part| {
            let is_condition =
                matches!(part, Part::Number(Heuristic::Condition(_)) | Part::Truth(Test::Condition(_)));
            found |= is_condition;
        });
        found
    }

    /// Is it one of the building blocks?
    pub fn is_block(&self) -> bool {
        matches!(
            self,
            Heuristic::Measure(_) | Heuristic::Condition(_) | Heuristic::Pattern(_) | Heuristic::Perfect
        )
    }

    /// The patterns that it asks for, each once.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        Part::Number(self).for_each(&mut |part| {
            if let Part::Number(&Heuristic::Pattern(pattern)) = part
                && !patterns.contains(&pattern)
            {
                patterns.push(pattern);
            }
        });
        patterns
    }

    /// How many parts it has, itself included.
    pub fn parts(&self) -> usize {
        Part::Number(self).parts()
    }

    /// How many levels of parts it has; 1 for a building block.
    pub fn depth(&self) -> usize {
        Part::Number(self).depth()
    }

    fn any(&self, test: &impl Fn(&Heuristic) -> bool) -> bool {
        let mut found = false;
        Part::Number(self).for_each(&mut |part| {
            if let Part::Number(number) = part {
                found |= test(number);
            }
        });
        found
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
                Heuristic::Measure(_)
                | Heuristic::Condition(_)
                | Heuristic::Pattern(_)
                | Heuristic::Perfect
                | Heuristic::Constant(_) => Vec::new(),
            },
            Truth(test) => match test {
                Test::Constant(_) | Test::Condition(_) => Vec::new(),
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
