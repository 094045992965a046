//! Algorithms, heuristics and weights as text.

use proptest::prelude::*;
use tailback::domains::rush_hour::heuristic::{Condition, Measure};
use tailback::domains::rush_hour::{Heuristic, HeuristicError};
use tailback::search::{Algorithm, AlgorithmError, Value, ValueError};

/// A weight that can be written.
fn any_weight() -> impl Strategy<Value = Value> {
    (0u32..=1000, 0u32..1000).prop_map(|(whole, rest)| {
        let rest = if whole == 1000 { 0 } else { rest };
        format!("{whole}.{rest:03}").parse().unwrap()
    })
}

fn any_heuristic() -> impl Strategy<Value = Heuristic> {
    let leaf = prop_oneof![
        prop::sample::select(&Measure::ALL[..]).prop_map(Heuristic::Measure),
        prop::sample::select(&Condition::ALL[..]).prop_map(Heuristic::Condition),
        Just(Heuristic::Perfect),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let weight = prop_oneof![Just(Value::ONE), any_weight()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Heuristic::Max),
            prop::collection::vec((weight, inner), 1..4).prop_map(|parts| match &parts[..] {
                // The sum of one thing is the thing.
                [(Value::ONE, part)] => part.clone(),
                _ => Heuristic::Sum(parts),
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_heuristic_is_read_as_it_is_written(heuristic in any_heuristic()) {
        let text = heuristic.to_string();
        prop_assert_eq!(text.parse(), Ok(heuristic.clone()));
        // Spaces mean nothing.
        let spaced: String = text.chars().flat_map(|c| match c {
            '+' | '*' | '(' | ')' | ',' => vec![' ', c, ' '],
            c => vec![c],
        }).collect();
        prop_assert_eq!(spaced.parse(), Ok(heuristic));
    }

    #[test]
    fn no_text_is_too_strange(text in "[a-z0-9.*+(),é -]{0,40}") {
        if let Ok(heuristic) = text.parse::<Heuristic>() {
            prop_assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
        }
        if let Ok(algorithm) = text.parse::<Algorithm>() {
            prop_assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
    }

    #[test]
    fn a_weight_is_read_as_it_is_written(weight in any_weight()) {
        prop_assert_eq!(weight.to_string().parse(), Ok(weight));
    }

    #[test]
    fn an_algorithm_is_read_as_it_is_written(
        weight in any_weight(),
        name in prop::sample::select(vec!["wastar", "wida", "wida-tt"]),
    ) {
        let algorithm: Algorithm = format!("{name}:{weight}").parse().unwrap();
        prop_assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        prop_assert!(algorithm.is_guided());
    }
}

#[test]
fn names_of_algorithms() {
    for (name, _) in Algorithm::NAMES {
        let algorithm: Algorithm = name.parse().unwrap();
        let expected = if name.starts_with('w') { format!("{name}:2") } else { name.to_owned() };
        assert_eq!(algorithm.to_string(), expected);
        assert_eq!(algorithm.is_guided(), !["bfs", "dfs", "iddfs"].contains(&name));
        assert_eq!(format!("{algorithm:<12}|").len(), 13, "padded like any word");
    }
    assert_eq!("wastar:1".parse(), Ok(Algorithm::A_STAR));
    assert_eq!("wida:1.000".parse(), Ok(Algorithm::IDA_STAR));
    assert_eq!("wida-tt:1".parse::<Algorithm>(), "ida-tt".parse());
}

#[test]
fn no_algorithms() {
    for text in ["", "BFS", "a*", "astar ", "wastar2", "dijkstra", "x:2", "x:y"] {
        let found = text.to_owned();
        assert_eq!(text.parse::<Algorithm>(), Err(AlgorithmError::Unknown { found }), "{text}");
    }
    for text in ["astar:2", "bfs:1", "ida-tt:x"] {
        let found = text.to_owned();
        assert_eq!(text.parse::<Algorithm>(), Err(AlgorithmError::Unweighted { found }), "{text}");
    }
    for text in ["wastar:", "wastar:x", "wida:-1", "wida-tt:1000.001", "wastar:1:2", "wida:1e2"] {
        let (found, weight) = (text.to_owned(), text.split_once(':').unwrap().1);
        let reason = weight.parse::<Value>().unwrap_err();
        assert_eq!(text.parse::<Algorithm>(), Err(AlgorithmError::Weight { found, reason }), "{text}");
    }
    // It was refused with "from 0 to 1000", which it is.
    let error = "wida-tt:1.0001".parse::<Algorithm>().unwrap_err().to_string();
    assert_eq!(error, "'wida-tt:1.0001': a weight has at most three decimals, '1.0001' has more");
    let error = "dijkstra".parse::<Algorithm>().unwrap_err().to_string();
    for (name, _) in Algorithm::NAMES {
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn weights() {
    let value = |text: &str| text.parse::<Value>().unwrap();
    assert_eq!(value("0"), Value::ZERO);
    assert_eq!(value("1.0"), Value::ONE);
    assert_eq!(value("007.250").to_string(), "7.25");
    assert_eq!(value("1000").to_string(), "1000");
    assert_eq!(value("0.001").to_string(), "0.001");
    assert_eq!(value("0.125").times(8.into()), Value::ONE);
    assert_eq!(value("0.5").plus(value("2.25")).as_f64(), 2.75);
    assert_eq!(value("2.001").ceil(), Some(3));
    assert_eq!(Value::INFINITE.ceil(), None);
    assert_eq!(Value::INFINITE.plus(Value::ONE), Value::INFINITE);
    assert_eq!(Value::ZERO.times(Value::INFINITE), Value::INFINITE);
    assert!(Value::from(u32::MAX).is_finite());
    assert!(Value::from(u32::MAX).plus(Value::from(u32::MAX)) < Value::INFINITE);
    for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", " 1", "NaN", "infinite", "1.2.3", "9.é"] {
        let found = text.to_owned();
        assert_eq!(text.parse::<Value>(), Err(ValueError::NoNumber { found }), "{text}");
    }
    for text in ["1.0000", "0.0001", "9999.1234"] {
        let found = text.to_owned();
        assert_eq!(text.parse::<Value>(), Err(ValueError::TooFine { found }), "{text}");
    }
    // From 4294967.296 on, the thousandths were one turn of 32 bits too few.
    for text in [
        "1000.001",
        "1001",
        "4294967.295",
        "4294967.296",
        "4294967.999",
        "4294968",
        "99999999999",
        "18446744073709551.616",
        "99999999999999999999999",
    ] {
        let found = text.to_owned();
        assert_eq!(text.parse::<Value>(), Err(ValueError::TooLarge { found }), "{text}");
    }
    assert!("wastar:4294967.999".parse::<Algorithm>().is_err());
}

#[test]
fn no_heuristics() {
    let error = |text: &str| text.parse::<Heuristic>().unwrap_err();
    for text in ["Blocking", "block", "maximum(zero,zero)", "zero+nothing", "max(zero,-zero)", "min"] {
        let HeuristicError::Unknown { names, .. } = error(text) else { panic!("{text}: {}", error(text)) };
        assert_eq!(names, Heuristic::names().collect::<Vec<&str>>());
        assert!(names.contains(&"advanced-admissible") && names.contains(&"perfect"), "{names:?}");
    }
    for text in [
        "",
        "max(",
        "max()",
        "max(zero",
        "max(zero,)",
        "max(zero))",
        "(zero",
        "zero)",
        "zero+",
        "+zero",
        "zero zero+",
    ] {
        assert!(
            matches!(error(text), HeuristicError::Syntax { .. } | HeuristicError::Unknown { .. }),
            "{text}"
        );
    }
    for text in
        ["2", "2zero", "2*", "2**zero", "zero*2", "max(zero,2)", "(zero)(zero)", "zero,zero", "zero/2"]
    {
        assert!(matches!(error(text), HeuristicError::Syntax { .. }), "{text}: {}", error(text));
        assert!(error(text).to_string().contains("combine heuristics as"), "{}", error(text));
    }
    for text in ["1001*zero", "0.0001*zero", "1.2.3*zero", ".5*zero", "zero+99999999999999999999*zero"] {
        assert!(matches!(error(text), HeuristicError::Weight(_)), "{text}: {}", error(text));
    }
    let nested = |depth: usize| format!("{}zero{}", "max(zero,".repeat(depth), ")".repeat(depth));
    assert!(nested(19).parse::<Heuristic>().is_ok());
    assert_eq!(error(&nested(20)), HeuristicError::TooDeep);
    assert_eq!(error(&"(".repeat(1_000_000)), HeuristicError::TooDeep);
    assert_eq!(
        error("max(zero"),
        HeuristicError::Syntax { text: "max(zero".into(), expected: "',' or ')'", rest: "the end".into() }
    );
}

#[test]
fn combinations() {
    let written = |text: &str| text.parse::<Heuristic>().unwrap().to_string();
    assert_eq!(written(" max( blocking , 0.50 * distance ) "), "max(blocking,0.5*distance)");
    assert_eq!(written("1*zero"), "zero");
    assert_eq!(written("((zero))"), "zero");
    assert_eq!(written("2*(zero+0.5*blocking)"), "2*(zero+0.5*blocking)");
    assert_eq!(written("(zero+blocking)+perfect"), "(zero+blocking)+perfect");
    for name in Heuristic::names() {
        assert_eq!(written(name), name);
    }
}
