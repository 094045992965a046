//! What formulas may be made of, and random ones.

use crate::formula::{Block, Heuristic, Test};
use crate::random::Chance;
use crate::search::Value;

/// What a part of a formula may do with its own parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Function {
    /// Two numbers together.
    #[serde(rename = "+")]
    Plus,
    /// One number less another.
    #[serde(rename = "-")]
    Minus,
    /// The product of two numbers.
    #[serde(rename = "*")]
    Times,
    /// The quotient; 1 if the second is 0.
    #[serde(rename = "/")]
    Over,
    /// The lower of two numbers.
    Min,
    /// The higher of two numbers.
    Max,
    /// One number or another, as a test says.
    If,
    /// Do both tests hold?
    And,
    /// Does one of two tests hold?
    Or,
    /// Does a test not hold?
    Not,
    /// Is a number at most another?
    #[serde(rename = "<=")]
    AtMost,
    /// Is a number at least another?
    #[serde(rename = ">=")]
    AtLeast,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 12] = [
        Function::Plus,
        Function::Minus,
        Function::Times,
        Function::Over,
        Function::Min,
        Function::Max,
        Function::If,
        Function::And,
        Function::Or,
        Function::Not,
        Function::AtMost,
        Function::AtLeast,
    ];

    fn gives_truth(self) -> bool {
        matches!(self, Function::And | Function::Or | Function::Not | Function::AtMost | Function::AtLeast)
    }

    fn needs_truth(self) -> bool {
        matches!(self, Function::If | Function::And | Function::Or | Function::Not)
    }
}

/// What formulas are made of, and how large they may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grammar {
    /// Building blocks that are numbers.
    pub numbers: Vec<Heuristic>,
    /// Building blocks that are truth values.
    pub conditions: Vec<Block>,
    /// What is done with them.
    pub functions: Vec<Function>,
    /// The least and the largest constant, if there are any.
    pub constants: Option<[Value; 2]>,
    /// The most levels of a tree.
    pub depth: usize,
    /// The most parts of a tree.
    pub parts: usize,
}

impl Grammar {
    /// The levels that the smallest truth value has; `None` if there is none.
    pub fn least_truth(&self) -> Option<usize> {
        let compares = |function: &Function| matches!(function, Function::AtMost | Function::AtLeast);
        match () {
            () if !self.conditions.is_empty() => Some(1),
            () if self.functions.iter().any(compares) => Some(2),
            () => None,
        }
    }

    /// The functions that can be the root of a tree of so many levels.
    fn functions_at(&self, depth: usize, truth: bool) -> Vec<Function> {
        let has_truth_below = self.least_truth().is_some_and(|least| least < depth);
        let fits = |function: &Function| {
            function.gives_truth() == truth && (!function.needs_truth() || has_truth_below)
        };
        if depth < 2 { Vec::new() } else { self.functions.iter().copied().filter(fits).collect() }
    }

    /// A random number of at most so many levels, or of just so many on every
    /// branch that allows it.
    pub(crate) fn number(&self, depth: usize, is_full: bool, chance: &mut Chance) -> Heuristic {
        let functions = self.functions_at(depth, false);
        let leaves = self.numbers.len() + usize::from(self.constants.is_some());
        let wants_leaf = !is_full && chance.below(leaves + functions.len()) < leaves;
        if functions.is_empty() || wants_leaf {
            return self.leaf(chance);
        }
        let part = |chance: &mut Chance| self.number(depth - 1, is_full, chance);
        match chance.pick(&functions) {
            Function::Plus => Heuristic::Sum(vec![(Value::ONE, part(chance)), (Value::ONE, part(chance))]),
            Function::Minus => Heuristic::Minus(Box::new([part(chance), part(chance)])),
            Function::Times => Heuristic::Times(Box::new([part(chance), part(chance)])),
            Function::Over => Heuristic::Over(Box::new([part(chance), part(chance)])),
            Function::Min => Heuristic::Min(vec![part(chance), part(chance)]),
            Function::Max => Heuristic::Max(vec![part(chance), part(chance)]),
            Function::If => {
                let test = self.truth(depth - 1, is_full, chance);
                let part = |chance: &mut Chance| self.number(depth - 1, is_full, chance);
                Heuristic::If(Box::new((test, [part(chance), part(chance)])))
            }
            Function::And | Function::Or | Function::Not | Function::AtMost | Function::AtLeast => {
                unreachable!("these give truth values")
            }
        }
    }

    fn leaf(&self, chance: &mut Chance) -> Heuristic {
        match self.constants {
            Some(range) if chance.below(self.numbers.len() + 1) == 0 => constant(range, chance),
            _ => chance.pick(&self.numbers).clone(),
        }
    }

    /// A random truth value of at most so many levels; there must be room for
    /// one.
    pub(crate) fn truth(&self, depth: usize, is_full: bool, chance: &mut Chance) -> Test {
        let functions = self.functions_at(depth, true);
        let leaves = self.conditions.len();
        let wants_leaf = !is_full && leaves > 0 && chance.below(leaves + functions.len()) < leaves;
        if functions.is_empty() || wants_leaf {
            return Test::Block(*chance.pick(&self.conditions));
        }
        let number = |chance: &mut Chance| self.number(depth - 1, is_full, chance);
        let truth = |chance: &mut Chance| self.truth(depth - 1, is_full, chance);
        match chance.pick(&functions) {
            Function::And => Test::And(vec![truth(chance), truth(chance)]),
            Function::Or => Test::Or(vec![truth(chance), truth(chance)]),
            Function::Not => Test::Not(Box::new(truth(chance))),
            Function::AtMost => Test::AtMost(Box::new([number(chance), number(chance)])),
            Function::AtLeast => Test::AtLeast(Box::new([number(chance), number(chance)])),
            Function::Plus
            | Function::Minus
            | Function::Times
            | Function::Over
            | Function::Min
            | Function::Max
            | Function::If => unreachable!("these give numbers"),
        }
    }

    /// Random weights of all numbers.
    pub(crate) fn weights(&self, chance: &mut Chance) -> Heuristic {
        let weight = |chance: &mut Chance| Value::from_thousandths(chance.below(1001) as u32);
        Heuristic::Sum(self.numbers.iter().map(|number| (weight(chance), number.clone())).collect())
    }
}

fn constant([least, most]: [Value; 2], chance: &mut Chance) -> Heuristic {
    let span = most.less(least).thousandths() as usize;
    let above = Value::from_thousandths(chance.below(span + 1) as u32);
    Heuristic::Constant(least.plus(above))
}
