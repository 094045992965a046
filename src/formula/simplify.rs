//! Formulas made shorter, with the same value for every state that can be
//! solved.
//!
//! On a state that cannot, a formula may lose a proof of that: what is left out
//! is not asked, and nothing else is claimed.

use super::number::{self, Number};
use super::{Heuristic, Test};
use crate::search::Value;

impl Heuristic {
    /// The same heuristic, shorter: constants folded, choices that are none
    /// made, parts that say nothing left out.
    #[must_use]
    pub fn simplified(&self) -> Heuristic {
        let simple = |part: &Heuristic| part.simplified();
        match self {
            Heuristic::Max(parts) => extreme(parts, Number::max),
            Heuristic::Min(parts) => extreme(parts, Number::min),
            Heuristic::Sum(parts) => sum(parts),
            Heuristic::Minus(pair) => {
                let [a, b] = pair.each_ref().map(simple);
                match (constant(&a), constant(&b)) {
                    (_, Some(0)) => a,
                    _ if a == b => Heuristic::Constant(Value::ZERO),
                    (Some(x), Some(y)) if fits(number::minus(x, y)) => written(number::minus(x, y)),
                    _ => Heuristic::Minus(Box::new([a, b])),
                }
            }
            Heuristic::Times(pair) => {
                let [a, b] = pair.each_ref().map(simple);
                match (constant(&a), constant(&b)) {
                    (Some(0), _) | (_, Some(0)) => Heuristic::Constant(Value::ZERO),
                    (Some(number::ONE), _) => b,
                    (_, Some(number::ONE)) => a,
                    (Some(x), Some(y)) if fits(number::times(x, y)) => written(number::times(x, y)),
                    _ => Heuristic::Times(Box::new([a, b])),
                }
            }
            Heuristic::Over(pair) => {
                let [a, b] = pair.each_ref().map(simple);
                match (constant(&a), constant(&b)) {
                    (_, Some(0)) => Heuristic::Constant(Value::ONE),
                    (_, Some(number::ONE)) => a,
                    (Some(x), Some(y)) if fits(number::over(x, y)) => written(number::over(x, y)),
                    // What is 0 divided by itself is 1, too.
                    _ if a == b => Heuristic::Constant(Value::ONE),
                    _ => Heuristic::Over(Box::new([a, b])),
                }
            }
            Heuristic::If(choice) => {
                let (test, values) = &**choice;
                let [yes, no] = values.each_ref().map(simple);
                match test.simplified() {
                    Test::Constant(true) => yes,
                    Test::Constant(false) => no,
                    _ if yes == no => yes,
                    Test::Not(test) => Heuristic::If(Box::new((*test, [no, yes]))),
                    test => Heuristic::If(Box::new((test, [yes, no]))),
                }
            }
            Heuristic::Rules(rules, last) => policy(rules, last),
            Heuristic::Named(named) => named.heuristic.simplified(),
            Heuristic::Block(_) | Heuristic::Constant(_) => self.clone(),
        }
    }
}

impl Test {
    /// The same test, shorter.
    #[must_use]
    pub fn simplified(&self) -> Test {
        match self {
            Test::Constant(_) | Test::Block(_) => self.clone(),
            Test::AtMost(pair) => compared(pair, Test::AtMost, |a, b| a <= b),
            Test::AtLeast(pair) => compared(pair, Test::AtLeast, |a, b| a >= b),
            Test::And(tests) => joined(tests, false),
            Test::Or(tests) => joined(tests, true),
            Test::Not(test) => match test.simplified() {
                Test::Constant(always) => Test::Constant(!always),
                Test::Not(test) => *test,
                test => Test::Not(Box::new(test)),
            },
        }
    }
}

fn constant(heuristic: &Heuristic) -> Option<Number> {
    match heuristic {
        Heuristic::Constant(value) => Some(number::of(*value)),
        _ => None,
    }
}

/// Can it be written as a constant?
fn fits(number: Number) -> bool {
    (0..=1000 * number::ONE).contains(&number)
}

fn written(number: Number) -> Heuristic {
    Heuristic::Constant(number::value(number))
}

fn extreme(parts: &[Heuristic], better: fn(Number, Number) -> Number) -> Heuristic {
    let is_max = better(0, 1) == 1;
    let mut simple: Vec<Heuristic> = Vec::new();
    let mut best: Option<Number> = None;
    let mut add = |part: Heuristic| match constant(&part) {
        Some(number) => best = Some(best.map_or(number, |best| better(best, number))),
        None if simple.contains(&part) => {}
        None => simple.push(part),
    };
    for part in parts {
        match part.simplified() {
            Heuristic::Max(inner) if is_max => inner.into_iter().for_each(&mut add),
            Heuristic::Min(inner) if !is_max => inner.into_iter().for_each(&mut add),
            part => add(part),
        }
    }
    simple.extend(best.map(written));
    match simple.len() {
        0 => Heuristic::Constant(Value::ZERO),
        1 => simple.remove(0),
        _ if is_max => Heuristic::Max(simple),
        _ => Heuristic::Min(simple),
    }
}

/// Nothing that is no summand; and up to the first term that may be below 0,
/// one constant at most and each part once.
///
/// Terms that are never below 0 come to the same in any order and with any
/// brackets, even at the limit of all numbers; others may not.
fn sum(parts: &[(Value, Heuristic)]) -> Heuristic {
    let mut terms: Vec<(Value, Heuristic)> = Vec::new();
    let mut is_rising = true;
    for (weight, part) in parts {
        let part = part.simplified();
        let is_nothing = |number| number::times(number::of(*weight), number) == 0;
        if *weight == Value::ZERO || constant(&part).is_some_and(is_nothing) {
            continue;
        }
        let can_fall = !is_never_negative(&part);
        match part {
            Heuristic::Sum(inner)
                if *weight == Value::ONE && (terms.is_empty() || is_rising && !can_fall) =>
            {
                terms.extend(inner);
            }
            part => terms.push((*weight, part)),
        }
        is_rising &= !can_fall;
    }
    let first_fall = terms.iter().position(|(_, part)| !is_never_negative(part));
    let others = terms.split_off(first_fall.unwrap_or(terms.len()));
    let mut simple = gathered(terms);
    simple.extend(others);
    match simple.as_slice() {
        [] => Heuristic::Constant(Value::ZERO),
        [(Value::ONE, _)] => simple.remove(0).1,
        _ => Heuristic::Sum(simple),
    }
}

/// Terms that are never below 0, with the constants among them as one, if it
/// can be written, and building blocks once each.
fn gathered(terms: Vec<(Value, Heuristic)>) -> Vec<(Value, Heuristic)> {
    let constants = terms.iter().filter_map(|(weight, part)| Some((*weight, constant(part)?)));
    let rest = constants
        .fold(0, |rest, (weight, number)| number::plus(rest, number::times(number::of(weight), number)));
    let mut simple: Vec<(Value, Heuristic)> = Vec::new();
    for (weight, part) in terms {
        if fits(rest) && constant(&part).is_some() {
            continue;
        }
        // Whole numbers, so that both products were exact.
        let is_whole = part.is_block();
        let same = simple.iter_mut().find(|(more, other)| {
            is_whole && *other == part && fits(number::plus(number::of(*more), number::of(weight)))
        });
        match same {
            Some((more, _)) => *more = more.plus(weight),
            None => simple.push((weight, part)),
        }
    }
    if fits(rest) && rest != 0 {
        simple.push((Value::ONE, written(rest)));
    }
    simple
}

/// Is it known never to be below 0? Building blocks never are.
fn is_never_negative(heuristic: &Heuristic) -> bool {
    let all = |parts: &[Heuristic]| parts.iter().all(is_never_negative);
    match heuristic {
        Heuristic::Max(parts) => parts.iter().any(is_never_negative),
        Heuristic::Min(parts) => all(parts),
        Heuristic::Sum(parts) => parts.iter().all(|(_, part)| is_never_negative(part)),
        Heuristic::Minus(_) => false,
        Heuristic::Times(pair) | Heuristic::Over(pair) => all(&**pair),
        Heuristic::If(choice) => all(&choice.1),
        Heuristic::Rules(rules, last) => {
            rules.iter().map(|(_, value)| value).chain([&**last]).all(is_never_negative)
        }
        Heuristic::Named(named) => is_never_negative(&named.heuristic),
        Heuristic::Block(_) | Heuristic::Constant(_) => true,
    }
}

/// Rules up to the first that always holds, without those that never do or
/// that an earlier one with the same test forestalls.
fn policy(rules: &[(Test, Heuristic)], last: &Heuristic) -> Heuristic {
    let mut simple: Vec<(Test, Heuristic)> = Vec::new();
    let mut last = last.simplified();
    for (test, value) in rules {
        let value = value.simplified();
        match test.simplified() {
            Test::Constant(false) => {}
            Test::Constant(true) => {
                last = value;
                break;
            }
            test if simple.iter().any(|(earlier, _)| *earlier == test) => {}
            test => simple.push((test, value)),
        }
    }
    while simple.last().is_some_and(|(_, value)| *value == last) {
        simple.pop();
    }
    if simple.is_empty() { last } else { Heuristic::Rules(simple, Box::new(last)) }
}

fn compared(
    pair: &[Heuristic; 2],
    again: fn(Box<[Heuristic; 2]>) -> Test,
    holds: fn(Number, Number) -> bool,
) -> Test {
    let [a, b] = pair.each_ref().map(Heuristic::simplified);
    match (constant(&a), constant(&b)) {
        (Some(a), Some(b)) => Test::Constant(holds(a, b)),
        _ if a == b => Test::Constant(true),
        (Some(0), None) if is_never_negative(&b) && holds(0, 1) => Test::Constant(true),
        (None, Some(0)) if is_never_negative(&a) && holds(1, 0) => Test::Constant(true),
        _ => again(Box::new([a, b])),
    }
}

/// Tests of which one that is `decisive` decides.
fn joined(tests: &[Test], decisive: bool) -> Test {
    let mut simple: Vec<Test> = Vec::new();
    let mut add = |test: Test| {
        if test != Test::Constant(!decisive) && !simple.contains(&test) {
            simple.push(test);
        }
    };
    for test in tests {
        match test.simplified() {
            Test::Or(inner) if decisive => inner.into_iter().for_each(&mut add),
            Test::And(inner) if !decisive => inner.into_iter().for_each(&mut add),
            test => add(test),
        }
    }
    match simple.len() {
        _ if simple.contains(&Test::Constant(decisive)) => Test::Constant(decisive),
        0 => Test::Constant(!decisive),
        1 => simple.remove(0),
        _ if decisive => Test::Or(simple),
        _ => Test::And(simple),
    }
}
