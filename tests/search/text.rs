//! Algorithms, heuristics and weights as text.

use crate::any::{any_heuristic, any_weight, test};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::{Measure, Pattern};
use tailback::formula::{Heuristic, HeuristicError};
use tailback::search::{Algorithm, AlgorithmError, Value, ValueError};

/// Words and marks of heuristics in any order, so that many can be read.
fn any_marks() -> impl Strategy<Value = String> {
    let words = "max( min( if( rules( ( ) ) , ; -> + - * / <= >= and or not true false pattern :20 blocking \
                 blockers-2 move-freed perfect mobile 0 1 2.5 1000";
    let word = prop::sample::select(words.split_whitespace().collect::<Vec<&str>>());
    let words = prop::collection::vec((word, prop_oneof![Just(" "), Just("")]), 0..16);
    words.prop_map(|words| words.into_iter().flat_map(|(word, space)| [word, space]).collect())
}

/// What is read is written so that it reads back the same.
fn reads_back(text: &str) -> bool {
    let number = VOCABULARY.read(text);
    if let Ok(heuristic) = &number {
        assert_eq!(VOCABULARY.read(&heuristic.to_string()).as_ref(), Ok(heuristic), "{text}");
    }
    let test = VOCABULARY.read_test(text);
    if let Ok(test) = &test {
        assert_eq!(VOCABULARY.read_test(&test.to_string()).as_ref(), Ok(test), "{text}");
    }
    number.is_ok() || test.is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_heuristic_is_read_as_it_is_written(heuristic in any_heuristic()) {
        let text = heuristic.to_string();
        prop_assert_eq!(VOCABULARY.read(&text), Ok(heuristic.clone()));
        prop_assert_eq!(VOCABULARY.read(&spaced(&text)), Ok(heuristic));
    }

    #[test]
    fn a_test_is_read_as_it_is_written(test in test(any_heuristic())) {
        let text = test.to_string();
        prop_assert_eq!(VOCABULARY.read_test(&text), Ok(test.clone()));
        prop_assert_eq!(VOCABULARY.read_test(&spaced(&text)), Ok(test));
    }

    #[test]
    fn no_text_is_too_strange(text in "[a-z0-9.*+/(),;:<=>é -]{0,40}") {
        reads_back(&text);
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
    for (typed, name) in [("BFS", "bfs"), ("a*", "astar"), ("astar ", "astar"), ("WA*:3", "wastar:3")] {
        assert_eq!(typed.parse::<Algorithm>(), name.parse(), "{typed}");
    }
}

#[test]
fn no_algorithms() {
    for text in ["", "**", "a**", "wastar2", "dijkstra", "x:2", "x:y"] {
        let found = text.to_owned();
        let error = text.parse::<Algorithm>().unwrap_err();
        assert!(matches!(error, AlgorithmError::Unknown { found: typed, .. } if typed == found), "{text}");
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

/// Spaces around marks mean nothing.
fn spaced(text: &str) -> String {
    let mut spaced = text.replace(' ', "\n \t");
    for mark in ["+", "*", "/", "(", ")", ",", ";", ":", "<=", ">=", "->"] {
        spaced = spaced.replace(mark, &format!(" {mark}  "));
    }
    spaced
}

#[test]
fn words_and_marks_in_any_order() {
    let mut runner = TestRunner::deterministic();
    let texts = any_marks();
    let is_read = |_: &i32| reads_back(&texts.new_tree(&mut runner).unwrap().current());
    let read = (0..50_000).filter(is_read).count();
    assert!(read > 1000, "{read} of them say something");
}

#[test]
fn no_names() {
    for (text, name) in [
        ("Blocking", "Blocking"),
        ("block", "block"),
        ("maximum(zero,zero)", "maximum"),
        ("zero+nothing", "nothing"),
        ("max", "max"),
        ("min*2", "min"),
        ("if", "if"),
        ("rules", "rules"),
        ("and", "and"),
        ("patterns:20", "patterns"),
        ("free cells", "free"),
        ("advanced- admissible", "admissible"),
        ("_", "_"),
    ] {
        let names = VOCABULARY.names().collect();
        let found = name.to_owned();
        assert_eq!(error(text), HeuristicError::Unknown { found, names }, "{text}");
        assert!(!error(text).to_string().contains("minus"), "{}", error(text));
    }
    let names: Vec<&str> = VOCABULARY.names().collect();
    for name in ["advanced-admissible", "perfect", "pattern", "move-freed", "blockers-2"] {
        assert!(names.contains(&name), "{names:?}");
    }
    // A minus needs a space: names have some in them.
    for name in ["blocking-distance", "advanced-admissible-blockers-2", "blocking-2", "size-0"] {
        let expected = format!("there is no heuristic '{name}' (a minus has a space before it): ");
        let error = error(&format!("max(zero,{name}.5)")).to_string();
        assert!(error.starts_with(&expected), "{error}");
    }
    let minus = VOCABULARY.read("blocking -distance").unwrap();
    let [blocking, distance] = [Measure::Blocking, Measure::Distance].map(Heuristic::from);
    assert_eq!(minus, Heuristic::Minus(Box::new([blocking, distance])));
    assert_eq!(VOCABULARY.read("distance-blockers"), Ok(Heuristic::from(Measure::DistanceBlockers)));
}

fn error(text: &str) -> HeuristicError {
    VOCABULARY.read(text).unwrap_err()
}

#[test]
fn no_heuristics() {
    for (text, expected, rest) in [
        ("", "a heuristic", "the end"),
        ("max(", "a heuristic", "the end"),
        ("max()", "a heuristic", ")"),
        ("max(zero", "',' or ')'", "the end"),
        ("min(zero;zero)", "',' or ')'", ";zero)"),
        ("max(zero,)", "a heuristic", ")"),
        ("max(zero))", "the end", ")"),
        ("(zero", "')'", "the end"),
        ("zero)", "the end", ")"),
        ("zero+", "a heuristic", "the end"),
        ("zero - ", "a heuristic", "the end"),
        ("+zero", "a heuristic", "+zero"),
        ("max(zero,-zero)", "a heuristic", "-zero)"),
        ("zero zero", "the end", "zero"),
        ("2zero", "the end", "zero"),
        ("2 3", "the end", "3"),
        ("2*", "a heuristic", "the end"),
        ("2**zero", "a heuristic", "*zero"),
        ("(zero)(zero)", "the end", "(zero)"),
        ("zero,zero", "the end", ",zero"),
        ("zero=2", "the end", "=2"),
        ("zero:2", "the end", ":2"),
        ("zero -> 2", "the end", "-> 2"),
        ("not", "a heuristic", "the end"),
        ("if(move-freed,1)", "','", ")"),
        ("if(move-freed,1,2,3)", "')'", ",3)"),
        ("if(zero<1,1,2)", "a test such as blockers<=3", "zero<1,1,2)"),
        ("if(0<=zero<=1,1,2)", "','", "<=1,1,2)"),
        ("rules()", "a heuristic", ")"),
        ("rules(move-freed -> 1)", "';' and the next rule, or the last value,", ")"),
        ("rules(move-freed -> 1; 2; 3)", "'->' or ')'", "; 3)"),
        ("rules(move-freed -> 1;)", "a heuristic", ")"),
        // A number where a test should be.
        ("if(blocking,1,2)", "a test such as blockers<=3", "blocking,1,2)"),
        ("if(not 1,1,2)", "a test such as blockers<=3", "1,1,2)"),
        ("if(true and 2*zero,1,2)", "a test such as blockers<=3", "2*zero,1,2)"),
        ("if(zero or true,1,2)", "a test such as blockers<=3", "zero or true,1,2)"),
        ("rules(3 -> 1; 2)", "a test such as blockers<=3", "3 -> 1; 2)"),
        // A test where a number should be.
        ("true", "a number", "true"),
        ("not move-freed", "a number", "not move-freed"),
        ("blocking<=3", "a number", "blocking<=3"),
        ("max(1,2>=3)", "a number", "2>=3)"),
        ("1+(move-freed and true)", "a number", "(move-freed and true)"),
        ("true*2", "a number", "true*2"),
        ("2*false", "a number", "false"),
        ("zero - (1<=2)", "a number", "(1<=2)"),
        ("if(true<=1,1,2)", "a number", "true<=1,1,2)"),
        ("if(true,1<=2,2)", "a number", "1<=2,2)"),
        ("rules(true; 2)", "a number", "true; 2)"),
        ("rules(true -> false; 2)", "a number", "false; 2)"),
    ] {
        let (expected, rest) = (expected.to_owned(), rest.to_owned());
        let text = text.trim().to_owned();
        assert_eq!(
            error(&text),
            HeuristicError::Syntax { text: text.clone(), expected, rest, examples: VOCABULARY.examples }
        );
        assert!(error(&text).to_string().contains("combine heuristics as"), "{}", error(&text));
    }
    assert!(VOCABULARY.read_test("blocking+1").unwrap_err().to_string().contains("a test such as"));
    assert!(VOCABULARY.read_test("true true").unwrap_err().to_string().contains("the end expected"));
    for text in ["1001*zero", "0.0001", "1.2.3*zero", "max(zero,.5)", "zero+99999999999999999999*zero"] {
        assert!(matches!(error(text), HeuristicError::Weight(_)), "{text}: {}", error(text));
    }
    for found in ["", "0", "000", "1000001", "9999999", "99999999999999999999"] {
        let text = format!("pattern:{found}+zero");
        assert_eq!(
            error(&text),
            HeuristicError::Pattern { name: "pattern", most: 1_000_000, found: found.to_owned() }
        );
        assert!(error(&text).to_string().contains("from 1 to 1000000"), "{}", error(&text));
    }
}

#[test]
fn too_deep() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}zero{}", open.repeat(depth), close.repeat(depth));
    // Brackets, and operations in a row, which nest as well: a long row was too
    // deep for the stack.
    for (open, close) in [
        ("max(zero,", ")"),
        ("(", ")"),
        ("if(true,1,", ")"),
        ("rules(true->1;", ")"),
        ("", " - zero"),
        ("", "*2"),
        ("", "/2"),
    ] {
        let deepest: Heuristic = VOCABULARY.read(&nested(open, close, 59)).unwrap();
        assert_eq!(deepest.depth(), if open == "(" { 1 } else { 60 });
        assert!(reads_back(&deepest.to_string()));
        for depth in [60, 61, 1_000_000] {
            assert_eq!(error(&nested(open, close, depth)), HeuristicError::TooDeep, "{open} {close}");
        }
    }
    let negated = |times: usize| VOCABULARY.read_test(&format!("{}true", "not ".repeat(times)));
    assert!(negated(59).is_ok());
    for times in [60, 61, 1_000_000] {
        assert_eq!(negated(times), Err(HeuristicError::TooDeep));
    }
    // Each of them is shallow enough, but not all together.
    let row = format!("zero{}", "*2".repeat(40));
    assert_eq!(error(&format!("({row} - 1)/3{}", " - zero".repeat(20))), HeuristicError::TooDeep);
    assert_eq!(error(&format!("{}{row}{}", "max(".repeat(30), ")".repeat(30))), HeuristicError::TooDeep);
    // A long sum is not deep.
    let sum: Heuristic = VOCABULARY.read(&format!("zero{}", "+zero".repeat(10_000))).unwrap();
    assert_eq!(sum.depth(), 2);
}

#[test]
fn combinations() {
    let written = |text: &str| VOCABULARY.read(text).unwrap().to_string();
    assert_eq!(written(" max( blocking , 0.50 * distance ) "), "max(blocking,0.5*distance)");
    assert_eq!(written("1*zero"), "zero");
    assert_eq!(written("((zero))"), "zero");
    assert_eq!(written("2*(zero+0.5*blocking)"), "2*(zero+0.5*blocking)");
    assert_eq!(written("(zero+blocking)+perfect"), "(zero+blocking)+perfect");
    assert_eq!(written("02.50"), "2.5");
    assert_eq!(written("zero * 2 / 3"), "zero*2/3");
    assert_eq!(written("zero*(2/3)"), "zero*((2)/3)");
    assert_eq!(written("2*zero*3"), "2*zero*3");
    assert_eq!(written("(2)*zero"), "(2)*zero");
    assert_eq!(written("max (zero,2)"), "max(zero,2)");
    assert_eq!(written("zero -(1 -2) -3+4"), "(zero - (1 - 2) - 3)+4");
    assert_eq!(written("if((zero<=1),(2),((3)))"), "if(zero<=1,2,3)");
    assert_eq!(
        written("if(not zero<=1 and(true or(move-freed))or not(not false),1,0)"),
        "if(not (zero<=1) and (true or move-freed) or not not false,1,0)"
    );
    assert_eq!(
        written("rules(move-freed->1;mobile>=2->mobile -0;3)"),
        "rules(move-freed -> 1; mobile>=2 -> mobile - 0; 3)"
    );
    // A condition is a number or a test, as it is needed.
    assert_eq!(written("if(move-freed,move-freed*1,0)"), "if(move-freed,move-freed*1,0)");
    assert_eq!(written("pattern:10000"), "pattern");
    assert_eq!(written("pattern:0100"), "pattern:100");
    assert_eq!(VOCABULARY.read("pattern"), Ok(Heuristic::from(Pattern { boards: 10_000 })));
    for name in VOCABULARY.names() {
        assert_eq!(written(name), name);
    }
    // Padded like any word.
    assert_eq!(format!("{:>8}|", VOCABULARY.read("zero+1").unwrap()), "  zero+1|");
}
