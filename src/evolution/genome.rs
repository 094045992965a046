//! Genomes: formulas of a certain shape, and how children come from parents.
//!
//! A genome is a [`Heuristic`] as it is; its [`Shape`] says which operators
//! keep it one.

use std::ops::RangeInclusive;

use super::grammar::Grammar;
use crate::formula::Heuristic;
use crate::formula::{Part, PartMut, Test};
use crate::random::Chance;
use crate::search::Value;

/// How the values of rules are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// A weight for every number, as in HH-Evolver (2013).
    Weights,
    /// Trees, as in the paper of 2010.
    Trees,
}

/// What all genomes of an experiment look like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A weight from 0 to 1 for every number.
    Weights,
    /// One tree.
    Tree,
    /// Rules: tests with values, and a last value.
    Policy {
        /// How many tests.
        rules: usize,
        /// What a value is.
        values: Values,
    },
}

/// How an individual came about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// At random, in the first generation.
    Random,
    /// As its parent is.
    Copy,
    /// A tree with a part of another one.
    Crossover,
    /// A tree with a new part.
    Mutation,
    /// Each weight from one parent or the other.
    Uniform,
    /// Each weight between those of its parents, or a little beyond.
    Blend,
    /// Some weights a little changed.
    Gauss,
    /// Some weights drawn anew.
    Reset,
    /// A policy with a whole rule of another one.
    ExchangeRule,
    /// A policy with a part of a test of another one.
    ExchangeTest,
    /// A policy with a part of a value of another one.
    ExchangeValue,
    /// A policy with a new rule.
    ChangeRule,
    /// A policy with a changed test.
    ChangeTest,
    /// A policy with a changed value.
    ChangeValue,
}

/// Places to try before the parent is taken as it is, if what comes out is too
/// large.
const TRIES: usize = 8;
/// How far beyond its parents a blended weight may lie, in parts of their
/// difference.
const BEYOND: f64 = 0.25;
/// The deviation of a changed weight.
const DEVIATION: f64 = 0.1;

/// Makes genomes of one shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breeder {
    /// What they are made of.
    pub grammar: Grammar,
    /// What they look like.
    pub shape: Shape,
}

impl Breeder {
    /// Number `index` of a first generation. Trees have from two levels to the
    /// most, every other one full: the usual ramp.
    pub(crate) fn random(&self, index: usize, chance: &mut Chance) -> Heuristic {
        match self.shape {
            Shape::Weights => self.grammar.weights(chance),
            Shape::Tree => self.tree(index, chance),
            Shape::Policy { rules, values } => {
                let rules = (0..rules)
                    .map(|rule| (self.test(index + rule, chance), self.value(values, index + rule, chance)));
                let rules = rules.collect();
                Heuristic::Rules(rules, Box::new(self.value(values, index, chance)))
            }
        }
    }

    /// Has a genome that was read the shape of those that are made here? What is written
    /// in short gets its form back.
    pub(crate) fn restore(&self, genome: &mut Heuristic) -> bool {
        let numbers = &self.grammar.numbers;
        let has_truth = self.grammar.least_truth().is_some();
        let is_tree = |tree: &Heuristic| {
            let mut is_tree = true;
            Part::Number(tree).for_each(&mut |part| is_tree &= has_truth || matches!(part, Part::Number(_)));
            is_tree
        };
        let is_weights = |value: &mut Heuristic| {
            // A single weight of 1 is not written.
            if numbers.as_slice() == std::slice::from_ref(value) {
                *value = Heuristic::Sum(vec![(Value::ONE, numbers[0].clone())]);
            }
            matches!(value, Heuristic::Sum(parts) if parts.len() == numbers.len())
        };
        match (self.shape, genome) {
            (Shape::Weights, genome) => is_weights(genome),
            (Shape::Tree, genome) => is_tree(genome),
            (Shape::Policy { values, .. }, Heuristic::Rules(rules, last)) => {
                rules.iter_mut().map(|(_, value)| value).chain([&mut **last]).all(|value| match values {
                    Values::Weights => is_weights(value),
                    Values::Trees => is_tree(value),
                })
            }
            (Shape::Policy { .. }, _) => false,
        }
    }

    /// The levels of the ramp, and whether the tree is a full one.
    fn ramp(&self, index: usize, least: usize) -> (usize, bool) {
        let levels = self.grammar.depth.saturating_sub(least) + 1;
        (least + index / 2 % levels, index.is_multiple_of(2))
    }

    fn tree(&self, index: usize, chance: &mut Chance) -> Heuristic {
        let (depth, is_full) = self.ramp(index, 2.min(self.grammar.depth));
        self.fitting(
            |depth, chance| self.grammar.number(depth, is_full, chance),
            |tree| Part::Number(tree),
            1..=depth,
            chance,
        )
    }

    fn test(&self, index: usize, chance: &mut Chance) -> Test {
        let least = self.grammar.least_truth().expect("an experiment with tests has some");
        let (depth, is_full) = self.ramp(index, least.max(2).min(self.grammar.depth));
        self.fitting(
            |depth, chance| self.grammar.truth(depth, is_full, chance),
            |test| Part::Truth(test),
            least..=depth,
            chance,
        )
    }

    /// Draws until it is small enough, each time a level less.
    fn fitting<T>(
        &self,
        mut draw: impl FnMut(usize, &mut Chance) -> T,
        part: impl Fn(&T) -> Part<'_>,
        depths: RangeInclusive<usize>,
        chance: &mut Chance,
    ) -> T {
        let mut depth = *depths.end();
        loop {
            let drawn = draw(depth, chance);
            if depth <= *depths.start() || self.fits(part(&drawn)) {
                return drawn;
            }
            depth -= 1;
        }
    }

    fn value(&self, values: Values, index: usize, chance: &mut Chance) -> Heuristic {
        match values {
            Values::Weights => self.grammar.weights(chance),
            Values::Trees => self.tree(index, chance),
        }
    }

    /// Is a tree within its limits?
    fn fits(&self, tree: Part<'_>) -> bool {
        tree.parts() <= self.grammar.parts && tree.depth() <= self.grammar.depth
    }

    /// A child of two parents.
    pub(crate) fn cross(
        &self,
        mother: &Heuristic,
        father: &Heuristic,
        chance: &mut Chance,
    ) -> (Heuristic, Operator) {
        let mut child = mother.clone();
        let operator = match (self.shape, &mut child, father) {
            (Shape::Weights, child, father) => cross_weights(child, father, chance),
            (Shape::Tree, child, father) => {
                let has = self.exchange(PartMut::Number(child), Part::Number(father), chance);
                if has { Operator::Crossover } else { Operator::Copy }
            }
            (
                Shape::Policy { values, .. },
                Heuristic::Rules(rules, last),
                Heuristic::Rules(others, other_last),
            ) => {
                // The last value is the value of a rule that always holds.
                let ours = chance.below(rules.len() + 1);
                let theirs = chance.below(others.len() + 1);
                let their_value = others.get(theirs).map_or(&**other_last, |(_, value)| value);
                let (our_test, our_value) = match rules.get_mut(ours) {
                    Some((test, value)) => (Some(test), value),
                    None => (None, &mut **last),
                };
                let their_test = others.get(theirs).map(|(test, _)| test);
                match (chance.below(3), our_test, their_test) {
                    (0, Some(test), Some(other)) => {
                        let has = self.exchange(PartMut::Truth(test), Part::Truth(other), chance);
                        if has { Operator::ExchangeTest } else { Operator::Copy }
                    }
                    (1, test, other) => {
                        if let (Some(test), Some(other)) = (test, other) {
                            test.clone_from(other);
                        }
                        our_value.clone_from(their_value);
                        Operator::ExchangeRule
                    }
                    _ => match values {
                        Values::Weights => {
                            cross_weights(our_value, their_value, chance);
                            Operator::ExchangeValue
                        }
                        Values::Trees => {
                            let has =
                                self.exchange(PartMut::Number(our_value), Part::Number(their_value), chance);
                            if has { Operator::ExchangeValue } else { Operator::Copy }
                        }
                    },
                }
            }
            _ => unreachable!("all genomes have the shape of the experiment"),
        };
        (child, operator)
    }

    /// A changed child of one parent.
    pub(crate) fn mutate(&self, parent: &Heuristic, chance: &mut Chance) -> (Heuristic, Operator) {
        let mut child = parent.clone();
        let operator = match (self.shape, &mut child) {
            (Shape::Weights, child) => mutate_weights(child, chance),
            (Shape::Tree, child) => {
                let has = self.change(PartMut::Number(child), chance);
                if has { Operator::Mutation } else { Operator::Copy }
            }
            (Shape::Policy { values, .. }, Heuristic::Rules(rules, last)) => {
                let rule = chance.below(rules.len() + 1);
                let (test, value) = match rules.get_mut(rule) {
                    Some((test, value)) => (Some(test), value),
                    None => (None, &mut **last),
                };
                match (chance.below(3), test) {
                    (0, Some(test)) => {
                        let has = self.change(PartMut::Truth(test), chance);
                        if has { Operator::ChangeTest } else { Operator::Copy }
                    }
                    (1, test) => {
                        let index = chance.below(2 * self.grammar.depth);
                        if let Some(test) = test {
                            *test = self.test(index, chance);
                        }
                        *value = self.value(values, index, chance);
                        Operator::ChangeRule
                    }
                    _ => match values {
                        Values::Weights => {
                            mutate_weights(value, chance);
                            Operator::ChangeValue
                        }
                        Values::Trees => {
                            let has = self.change(PartMut::Number(value), chance);
                            if has { Operator::ChangeValue } else { Operator::Copy }
                        }
                    },
                }
            }
            _ => unreachable!("all genomes have the shape of the experiment"),
        };
        (child, operator)
    }

    /// Puts a part of another tree in the place of a part of the same type. It
    /// is undone if the tree becomes too large, and another place tried; false
    /// if no place was found.
    fn exchange(&self, mut tree: PartMut<'_>, other: Part<'_>, chance: &mut Chance) -> bool {
        (0..TRIES).any(|_| {
            let gift = nth(other, chance.below(other.parts()));
            let places = count_of_type(tree.shared(), gift);
            if places == 0 {
                return false;
            }
            let place = chance.below(places);
            self.put(&mut tree, place, gift)
        })
    }

    /// Puts a new part in the place of one of the same type.
    fn change(&self, mut tree: PartMut<'_>, chance: &mut Chance) -> bool {
        (0..TRIES).any(|_| {
            let place = chance.below(tree.shared().parts());
            let depth = 1 + chance.below(self.grammar.depth);
            let is_truth = matches!(nth(tree.shared(), place), Part::Truth(_));
            let before = index_of_type(tree.shared(), place);
            match is_truth {
                true => {
                    let least = self.grammar.least_truth().expect("the tree has one");
                    let new = self.grammar.truth(depth.max(least), false, chance);
                    self.put(&mut tree, before, Part::Truth(&new))
                }
                false => {
                    let new = self.grammar.number(depth, false, chance);
                    self.put(&mut tree, before, Part::Number(&new))
                }
            }
        })
    }

    /// Puts a part in the place of the one with this number among those of its
    /// type, if the tree stays within its limits.
    fn put(&self, tree: &mut PartMut<'_>, place: usize, gift: Part<'_>) -> bool {
        let old = replace(tree, place, gift);
        if self.fits(tree.shared()) {
            return true;
        }
        match &old {
            Old::Number(number) => drop(replace(tree, place, Part::Number(number))),
            Old::Truth(test) => drop(replace(tree, place, Part::Truth(test))),
        }
        false
    }
}

enum Old {
    Number(Heuristic),
    Truth(Test),
}

/// Replaces the part with this number among those of the type of the new one.
fn replace(tree: &mut PartMut<'_>, place: usize, new: Part<'_>) -> Old {
    let mut left = place;
    match new {
        Part::Number(new) => {
            let old = tree.reborrow().nth_number(&mut left).expect("the places were counted");
            Old::Number(std::mem::replace(old, new.clone()))
        }
        Part::Truth(new) => {
            let old = tree.reborrow().nth_truth(&mut left).expect("the places were counted");
            Old::Truth(std::mem::replace(old, new.clone()))
        }
    }
}

fn is_same_type(a: Part<'_>, b: Part<'_>) -> bool {
    matches!(a, Part::Truth(_)) == matches!(b, Part::Truth(_))
}

fn count_of_type(tree: Part<'_>, like: Part<'_>) -> usize {
    let mut parts = 0;
    tree.for_each(&mut |part| parts += usize::from(is_same_type(part, like)));
    parts
}

fn nth(tree: Part<'_>, number: usize) -> Part<'_> {
    let (mut left, mut found) = (number, None);
    tree.for_each(&mut |part| {
        if left == 0 && found.is_none() {
            found = Some(part);
        }
        left = left.saturating_sub(1);
    });
    found.expect("the parts were counted")
}

/// How many parts of the same type come before this one.
fn index_of_type(tree: Part<'_>, number: usize) -> usize {
    let this = nth(tree, number);
    let (mut left, mut before) = (number, 0);
    tree.for_each(&mut |part| {
        if left > 0 {
            left -= 1;
            before += usize::from(is_same_type(part, this));
        }
    });
    before
}

fn weights_of(genome: &mut Heuristic) -> &mut Vec<(Value, Heuristic)> {
    match genome {
        Heuristic::Sum(parts) => parts,
        _ => unreachable!("weights are a sum"),
    }
}

/// A weight from 0 to 1, in thousandths.
fn rounded(weight: f64) -> Value {
    Value::from_thousandths((weight.clamp(0.0, 1.0) * 1000.0).round() as u32)
}

fn cross_weights(child: &mut Heuristic, other: &Heuristic, chance: &mut Chance) -> Operator {
    let Heuristic::Sum(others) = other else { unreachable!("weights are a sum") };
    let pairs = weights_of(child).iter_mut().zip(others);
    if chance.happens(0.5) {
        for ((weight, _), (other, _)) in pairs {
            if chance.happens(0.5) {
                *weight = *other;
            }
        }
        return Operator::Uniform;
    }
    for ((weight, _), (other, _)) in pairs {
        let (a, b) = (weight.as_f64(), other.as_f64());
        let at = chance.unit() * (1.0 + 2.0 * BEYOND) - BEYOND;
        *weight = rounded(a + (b - a) * at);
    }
    Operator::Blend
}

/// Each weight with such a chance that one or two change.
fn mutate_weights(child: &mut Heuristic, chance: &mut Chance) -> Operator {
    let is_reset = chance.happens(0.25);
    let parts = weights_of(child);
    let rate = 1.5 / parts.len() as f64;
    let surely = chance.below(parts.len());
    for (index, (weight, _)) in parts.iter_mut().enumerate() {
        if index == surely || chance.happens(rate) {
            *weight = match is_reset {
                true => rounded(chance.unit()),
                false => rounded(weight.as_f64() + DEVIATION * chance.normal()),
            };
        }
    }
    if is_reset { Operator::Reset } else { Operator::Gauss }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domains::rush_hour::VOCABULARY;
    use crate::evolution::Function;
    use crate::formula::{Block, Kind};

    fn blocks(kind: Kind) -> Vec<Block> {
        VOCABULARY.of_kind(kind).collect()
    }

    fn any_breeder() -> impl Strategy<Value = Breeder> {
        let functions: Vec<Function> = Function::ALL.to_vec();
        let shape = prop_oneof![
            Just(Shape::Weights),
            Just(Shape::Tree),
            (1usize..6, prop_oneof![Just(Values::Weights), Just(Values::Trees)])
                .prop_map(|(rules, values)| Shape::Policy { rules, values }),
        ];
        let grammar = (
            prop::sample::subsequence(blocks(Kind::Feature), 1..8),
            prop::sample::subsequence(blocks(Kind::Condition), 0..=2),
            prop::sample::subsequence(functions, 0..=12),
            any::<bool>(),
            1usize..8,
            3usize..40,
        );
        let breeder = (grammar, shape).prop_map(|(grammar, shape)| {
            let (numbers, conditions, functions, has_constants, depth, parts) = grammar;
            let numbers = numbers.into_iter().map(Heuristic::from).collect();
            let constants = has_constants.then_some([Value::ZERO, Value::from(20)]);
            let grammar = Grammar { numbers, conditions, functions, constants, depth, parts };
            Breeder { grammar, shape }
        });
        breeder.prop_filter("rules need tests", |breeder| {
            let least = breeder.grammar.least_truth();
            let has_tests = least == Some(1) || least == Some(2) && breeder.grammar.depth >= 2;
            !matches!(breeder.shape, Shape::Policy { .. }) || has_tests
        })
    }

    /// The trees of a genome that have limits of their own.
    fn trees<'g>(breeder: &Breeder, genome: &'g Heuristic) -> Vec<Part<'g>> {
        match (breeder.shape, genome) {
            (Shape::Weights, _) => Vec::new(),
            (Shape::Tree, tree) => vec![Part::Number(tree)],
            (Shape::Policy { values, .. }, Heuristic::Rules(rules, last)) => {
                let tests = rules.iter().map(|(test, _)| Part::Truth(test));
                let numbers = rules.iter().map(|(_, value)| Part::Number(value)).chain([Part::Number(last)]);
                match values {
                    Values::Weights => tests.collect(),
                    Values::Trees => tests.chain(numbers).collect(),
                }
            }
            _ => panic!("{genome} is no policy"),
        }
    }

    /// The weight vectors of a genome.
    fn vectors<'g>(breeder: &Breeder, genome: &'g Heuristic) -> Vec<&'g Heuristic> {
        match (breeder.shape, genome) {
            (Shape::Weights, genome) => vec![genome],
            (Shape::Policy { values: Values::Weights, .. }, Heuristic::Rules(rules, last)) => {
                rules.iter().map(|(_, value)| value).chain([&**last]).collect()
            }
            _ => Vec::new(),
        }
    }

    fn check(breeder: &Breeder, genome: &Heuristic) -> Result<(), TestCaseError> {
        let grammar = &breeder.grammar;
        for tree in trees(breeder, genome) {
            prop_assert!(tree.depth() <= grammar.depth, "{genome} is too deep");
            prop_assert!(tree.parts() <= grammar.parts, "{genome} is too large");
            let mut is_ours = true;
            tree.for_each(&mut |part| {
                is_ours &= match part {
                    Part::Number(Heuristic::Constant(value)) => {
                        grammar.constants.is_some_and(|[least, most]| (least..=most).contains(value))
                    }
                    Part::Number(number) => !number.is_block() || grammar.numbers.contains(number),
                    Part::Truth(Test::Block(condition)) => grammar.conditions.contains(condition),
                    Part::Truth(test) => !matches!(test, Test::Constant(_)),
                };
            });
            prop_assert!(is_ours, "{genome} has foreign parts");
        }
        for vector in vectors(breeder, genome) {
            let Heuristic::Sum(parts) = vector else { panic!("{vector}") };
            prop_assert!(parts.iter().map(|(_, part)| part).eq(&grammar.numbers));
            prop_assert!(parts.iter().all(|(weight, _)| *weight <= Value::ONE));
        }
        if let (Shape::Policy { rules, .. }, Heuristic::Rules(found, _)) = (breeder.shape, genome) {
            prop_assert_eq!(rules, found.len());
        }
        // What is saved is read back.
        let read: Heuristic = VOCABULARY.read(&genome.to_string()).expect("it was written");
        prop_assert_eq!(&read.to_string(), &genome.to_string());
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        /// Every operator keeps types and limits, generation after generation.
        #[test]
        fn operators_keep_types_and_limits(breeder in any_breeder(), seed in any::<u64>()) {
            let mut chance = Chance::of(&[seed]);
            let mut population: Vec<Heuristic> =
                (0..8).map(|index| breeder.random(index, &mut chance)).collect();
            for genome in &population {
                check(&breeder, genome)?;
            }
            for _ in 0..5 {
                let children = (0..8).map(|_| {
                    let (mother, father) = (chance.pick(&population).clone(), chance.pick(&population).clone());
                    let (child, operator) = match chance.happens(0.5) {
                        true => breeder.cross(&mother, &father, &mut chance),
                        false => breeder.mutate(&mother, &mut chance),
                    };
                    assert!(operator != Operator::Copy || child == mother, "a copy is one");
                    child
                });
                population = children.collect();
                for genome in &population {
                    check(&breeder, genome)?;
                }
            }
        }
    }

    #[test]
    fn every_operator_is_used() {
        let numbers = VOCABULARY.of_kind(Kind::Feature).map(Heuristic::from).collect();
        let functions = Function::ALL.to_vec();
        let constants = Some([Value::ZERO, Value::from(20)]);
        let conditions = blocks(Kind::Condition);
        let grammar = Grammar { numbers, conditions, functions, constants, depth: 4, parts: 30 };
        let mut seen = std::collections::BTreeSet::new();
        for shape in [
            Shape::Weights,
            Shape::Tree,
            Shape::Policy { rules: 5, values: Values::Weights },
            Shape::Policy { rules: 5, values: Values::Trees },
        ] {
            let breeder = Breeder { grammar: grammar.clone(), shape };
            let mut chance = Chance::of(&[1]);
            let parents = [0, 1].map(|index| breeder.random(index, &mut chance));
            for _ in 0..300 {
                let (crossed, how) = breeder.cross(&parents[0], &parents[1], &mut chance);
                let (changed, other) = breeder.mutate(&parents[0], &mut chance);
                seen.extend([(crossed != parents[0]).then_some(format!("{how:?}"))].into_iter().flatten());
                seen.extend([(changed != parents[0]).then_some(format!("{other:?}"))].into_iter().flatten());
            }
        }
        // All but Random and Copy change something.
        assert_eq!(seen.len(), 12, "{seen:?}");
    }
}
