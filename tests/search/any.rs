//! Random heuristics for properties, in the shapes that are read from text.

use proptest::prelude::*;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::{Condition, Measure, Pattern};
use tailback::formula::{Heuristic, Test};
use tailback::search::Value;

/// The exact distance.
pub fn perfect() -> Heuristic {
    VOCABULARY.read("perfect").unwrap()
}

/// A weight that can be written.
pub fn any_weight() -> impl Strategy<Value = Value> {
    (0u32..=1000, 0u32..1000).prop_map(|(whole, rest)| {
        let rest = if whole == 1000 { 0 } else { rest };
        format!("{whole}.{rest:03}").parse().unwrap()
    })
}

/// Numbers at which something happens, and any others.
pub fn any_constant() -> impl Strategy<Value = Heuristic> {
    let special = ["0", "0.001", "0.5", "1", "2", "1000"].map(|text| text.parse().unwrap());
    prop_oneof![prop::sample::select(special.to_vec()), any_weight()].prop_map(Heuristic::Constant)
}

pub fn any_measure() -> impl Strategy<Value = Heuristic> {
    prop::sample::select(&Measure::ALL[..]).prop_map(Heuristic::from)
}

pub fn any_condition() -> impl Strategy<Value = Condition> {
    prop::sample::select(&Condition::ALL[..])
}

/// Anything that can be written.
pub fn any_heuristic() -> BoxedStrategy<Heuristic> {
    let pattern =
        prop_oneof![Just(Pattern::USUAL), (1..=Pattern::MOST.boards).prop_map(|boards| Pattern { boards })];
    let leaf = prop_oneof![
        4 => any_measure(),
        2 => any_constant(),
        1 => any_condition().prop_map(Heuristic::from),
        1 => pattern.prop_map(Heuristic::from),
        1 => Just(perfect()),
    ];
    formula(leaf)
}

/// A formula over such leaves.
pub fn formula(leaf: impl Strategy<Value = Heuristic> + 'static) -> BoxedStrategy<Heuristic> {
    leaf.prop_recursive(4, 32, 4, |inner| {
        let weight = prop_oneof![Just(Value::ZERO), Just(Value::ONE), any_weight()];
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| Box::new([a, b]));
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Heuristic::Max),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Heuristic::Min),
            prop::collection::vec((weight, inner.clone()), 1..4).prop_map(|parts| match &parts[..] {
                // The sum of one thing is the thing.
                [(Value::ONE, part)] => part.clone(),
                _ => Heuristic::Sum(parts),
            }),
            pair.clone().prop_map(Heuristic::Minus),
            pair.clone().prop_map(Heuristic::Times),
            pair.clone().prop_map(Heuristic::Over),
            (test(inner.clone()), pair).prop_map(|(test, pair)| Heuristic::If(Box::new((test, *pair)))),
            rules(inner),
        ]
    })
    .boxed()
}

/// Some rules over such numbers.
pub fn rules(number: impl Strategy<Value = Heuristic> + Clone + 'static) -> BoxedStrategy<Heuristic> {
    let rule = (test(number.clone()), number.clone());
    let rules = (prop::collection::vec(rule, 0..4), number);
    rules.prop_map(|(rules, last)| Heuristic::Rules(rules, Box::new(last))).boxed()
}

/// A test of such numbers.
pub fn test(number: impl Strategy<Value = Heuristic> + Clone + 'static) -> BoxedStrategy<Test> {
    let pair = (number.clone(), number).prop_map(|(a, b)| Box::new([a, b]));
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Test::Constant),
        1 => any_condition().prop_map(|condition| Test::Block(condition.into())),
        2 => pair.clone().prop_map(Test::AtMost),
        2 => pair.prop_map(Test::AtLeast),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Test::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Test::Or),
            inner.prop_map(|test| Test::Not(Box::new(test))),
        ]
    })
    .boxed()
}
