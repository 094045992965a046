//! The values of formulas: of one board against plain arithmetic, of many at
//! once, and made shorter.

use crate::any::{any_condition, any_constant, any_measure, formula};
use crate::boards::any_board;
use crate::heuristics::{METRICS, all_4x4, some};

use std::sync::LazyLock;

use crate::any::perfect;
use proptest::prelude::*;
use rand::prelude::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use tailback::board::{Board, Distance, Metric};
use tailback::cluster::Cluster;
use tailback::domains::rush_hour::Scene;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::value_of;
use tailback::domains::rush_hour::heuristic::{Condition, Measure, Pattern};
use tailback::formula::columns::{Columns, Compiled, LANES, MissingColumn};
use tailback::formula::{Heuristic, Test};
use tailback::search::Value;

fn read(text: &str) -> Heuristic {
    VOCABULARY.read(text).unwrap()
}

/// Patterns that are solved at once.
const PATTERNS: [Pattern; 2] = [Pattern { boards: 1 }, Pattern { boards: 30 }];

/// Every building block.
fn any_block() -> impl Strategy<Value = Heuristic> {
    prop_oneof![
        10 => any_measure(),
        2 => any_condition().prop_map(Heuristic::from),
        1 => prop::sample::select(&PATTERNS[..]).prop_map(Heuristic::from),
        1 => Just(perfect()),
    ]
}

/// What takes formulas to the limit on either side, and beyond what can be
/// written.
fn any_giant() -> impl Strategy<Value = Heuristic> {
    let giants = ["1000*1000", "blocking*1000*1000", "0 - 1000*1000", "0 - mobile*1000*999.999"].map(read);
    let constants = [1_000_000, 4_000_000].map(|number| Heuristic::Constant(Value::whole(number)));
    prop::sample::select([giants.to_vec(), constants.to_vec()].concat())
}

fn any_formula() -> BoxedStrategy<Heuristic> {
    formula(prop_oneof![6 => any_block(), 3 => any_constant(), 1 => any_giant()])
}

/// Formulas many of whose parts meet the limit.
fn any_large_formula() -> BoxedStrategy<Heuristic> {
    formula(prop_oneof![1 => any_block(), 1 => any_constant(), 2 => any_giant()])
}

/// Formulas as their definitions say, in whole thousandths.
mod plain {
    use super::*;

    const ONE: i128 = 1000;
    const MOST: i128 = 1_000_000 * ONE;

    /// What the building blocks say; `None` proves that there is no solution.
    pub type Known<'k> = &'k dyn Fn(&Heuristic) -> Option<i128>;

    pub fn thousandths(value: Value) -> Option<i128> {
        value.is_finite().then(|| (value.as_f64() * 1000.0).round() as i128)
    }

    fn bounded(number: i128) -> i128 {
        number.clamp(-MOST, MOST)
    }

    /// A fraction without what comes after its third decimal.
    fn cut(numerator: i128, denominator: i128) -> i128 {
        let size = numerator.abs() * ONE / denominator.abs();
        bounded(if (numerator < 0) == (denominator < 0) { size } else { -size })
    }

    /// The value: at least 0.
    pub fn value(heuristic: &Heuristic, known: Known) -> Option<i128> {
        Some(number(heuristic, known)?.max(0))
    }

    fn number(heuristic: &Heuristic, known: Known) -> Option<i128> {
        let of = |part: &Heuristic| number(part, known);
        let all = |parts: &[Heuristic]| parts.iter().map(of).collect::<Option<Vec<i128>>>();
        Some(match heuristic {
            Heuristic::Block(_) => bounded(known(heuristic)?),
            Heuristic::Constant(value) => bounded(thousandths(*value)?),
            Heuristic::Max(parts) => all(parts)?.into_iter().max()?,
            Heuristic::Min(parts) => all(parts)?.into_iter().min()?,
            Heuristic::Sum(parts) => {
                let mut sum = 0;
                for (weight, part) in parts {
                    let weight = thousandths(*weight)?;
                    if weight > 0 {
                        sum = bounded(sum + cut(weight * of(part)?, ONE * ONE));
                    }
                }
                sum
            }
            Heuristic::Minus(pair) => bounded(of(&pair[0])? - of(&pair[1])?),
            Heuristic::Times(pair) => cut(of(&pair[0])? * of(&pair[1])?, ONE * ONE),
            Heuristic::Over(pair) => match (of(&pair[0])?, of(&pair[1])?) {
                (_, 0) => ONE,
                (a, b) => cut(a, b),
            },
            Heuristic::If(choice) => of(&choice.1[usize::from(!holds(&choice.0, known)?)])?,
            Heuristic::Rules(rules, last) => {
                for (test, value) in rules {
                    if holds(test, known)? {
                        return of(value);
                    }
                }
                of(last)?
            }
            Heuristic::Named(_) => unreachable!("nothing is named here"),
        })
    }

    /// Asks no more than it has to, from the left.
    fn holds(test: &Test, known: Known) -> Option<bool> {
        Some(match test {
            Test::Constant(always) => *always,
            Test::Block(condition) => known(&Heuristic::Block(*condition))? > 0,
            Test::AtMost(pair) => number(&pair[0], known)? <= number(&pair[1], known)?,
            Test::AtLeast(pair) => number(&pair[0], known)? >= number(&pair[1], known)?,
            Test::And(tests) => match tests.split_first() {
                None => true,
                Some((first, others)) => holds(first, known)? && holds(&Test::And(others.to_vec()), known)?,
            },
            Test::Or(tests) => match tests.split_first() {
                None => false,
                Some((first, others)) => holds(first, known)? || holds(&Test::Or(others.to_vec()), known)?,
            },
            Test::Not(test) => !holds(test, known)?,
        })
    }
}

/// A board with all that may be asked about it.
struct Known {
    scene: Scene,
    before: Option<Scene>,
    metric: Metric,
    distance: Distance,
}

impl Known {
    fn of(&self, heuristic: &Heuristic) -> Value {
        value_of(heuristic, &self.scene, self.before.as_ref(), self.metric, self.distance)
    }

    fn plainly(&self, heuristic: &Heuristic) -> Value {
        let block = |block: &Heuristic| {
            let Heuristic::Block(asked) = *block else { panic!("{block} is no building block") };
            plain::thousandths(match (Measure::try_from(asked), Condition::try_from(asked)) {
                (Ok(measure), _) => measure.of(&self.scene),
                (_, Ok(condition)) => {
                    let holds =
                        self.before.as_ref().is_some_and(|before| condition.holds(before, &self.scene));
                    Value::from(u32::from(holds))
                }
                _ => self.of(block),
            })
        };
        plain::value(heuristic, &block).map_or(Value::INFINITE, of_thousandths)
    }
}

fn of_thousandths(number: i128) -> Value {
    let (whole, rest) = (number as u32 / 1000, number as u32 % 1000);
    Value::whole(whole).plus(format!("0.{rest:03}").parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn are_those_of_plain_arithmetic(
        heuristic in any_formula(),
        board in any_board(),
        last in any::<prop::sample::Index>(),
        metric in prop::sample::select(&METRICS[..]),
        distance in prop::option::of(prop_oneof![0u32..100, any::<u32>()]),
    ) {
        // Moves can be taken back, so any board that it leads to may be the last one.
        let moves = board.moves();
        let before = (!moves.is_empty()).then(|| Scene::of(&board.apply(*last.get(&moves)).unwrap()));
        let known = Known { scene: Scene::of(&board), before, metric, distance: distance.into() };
        prop_assert_eq!(known.of(&heuristic), known.plainly(&heuristic), "{} of {}", heuristic, board);
    }
}

#[test]
fn are_cut_bounded_and_protected() {
    let board = Board::parse("....AA..........").unwrap();
    let known =
        Known { scene: Scene::of(&board), before: None, metric: Metric::Moves, distance: Distance::of(1) };
    for (text, value) in [
        ("1/3", "0.333"),
        ("2/3*3", "1.998"),
        ("(0 - 2)/3+1", "0.334"),
        ("(0 - 0.001)*0.5+1", "1"),
        ("1/(0 - 3)+1", "0.667"),
        ("5/0", "1"),
        // A weight weighs all that it is multiplied with.
        ("2*distance/0", "2"),
        ("distance*2/0", "1"),
        ("0/0", "1"),
        ("5/(1 - distance/2)", "1"),
        ("zero - 5", "0"),
        ("(zero - 5)*(zero - 5)", "25"),
        ("max(zero - 5,zero - 2)+3", "1"),
        ("min(zero - 5,zero - 2)+6", "1"),
        ("(1000)*1000*1000/1000", "1000"),
        ("(1000)*1000*1000/1000/1000*2", "2"),
        ("(1000*1000+5) - 1000*1000", "0"),
        ("(0 - 1000*1000 - 5)+1000*1000+5", "5"),
        ("1/0.001/0.001/1000", "1000"),
        ("if(1/3<=0.333,7,8)", "7"),
        ("if(zero - 1>=0,7,8)", "8"),
        ("rules(distance<=1 -> 5; distance<=2 -> 6; 7)", "6"),
        ("rules(8)", "8"),
        ("move-freed+if(move-to-secluded,1,2)", "2"),
        ("perfect+pattern:1", "2"),
    ] {
        assert_eq!(known.of(&read(text)), value.parse().unwrap(), "{text}");
        assert_eq!(known.plainly(&read(text)), value.parse().unwrap(), "{text}");
    }
}

/// A building block that proves that there is no solution proves it for the
/// whole formula, wherever it is asked.
#[test]
fn are_infinite_if_a_part_is() {
    let board = Board::parse(".... AA.x .... ....").unwrap();
    let known = Known {
        scene: Scene::of(&board),
        before: None,
        metric: Metric::Moves,
        distance: Distance::UNSOLVABLE,
    };
    let hopeless = ["advanced-admissible", "advanced-distance", "perfect", "pattern:1"];
    for block in hopeless {
        for asks in [
            "X",
            "max(1,X)",
            "min(1,X)",
            "1+X",
            "0.001*X",
            "1 - X",
            "X - X",
            "0*1 - X",
            "zero*X",
            "X*zero",
            "1/X",
            "X/zero",
            "if(X<=1,1,2)",
            "if(1>=X,1,2)",
            "if(not X<=1,1,2)",
            "if(true and X<=1,1,2)",
            "if(false or X<=1,1,2)",
            "if(true,X,2)",
            "if(false,1,X)",
            "rules(X>=1 -> 1; 2)",
            "rules(false -> 1; X)",
            "rules(true -> X; 2)",
        ] {
            let formula = read(&asks.replace('X', block));
            assert_eq!(known.of(&formula), Value::INFINITE, "{formula}");
        }
        for asks_not in [
            "1+0*X",
            "if(true,1,X)",
            "if(false,X,1)",
            "if(false and X<=1,2,1)",
            "if(true or X<=1,1,2)",
            "rules(true -> 1; X>=2 -> X; X)",
            "rules(false -> X; 1)",
        ] {
            let formula = read(&asks_not.replace('X', block));
            assert_eq!(known.of(&formula), Value::ONE, "{formula}");
        }
    }
}

mod columns {
    use super::*;

    /// Boards that can be solved, with the last move of most.
    static BOARDS: LazyLock<Vec<Known>> = LazyLock::new(|| {
        let mut random = Pcg64::seed_from_u64(5);
        let boards = all_4x4().step_by(97).chain(some(5, 900));
        let known = boards.filter_map(|board| {
            let metric = METRICS[random.random_range(0..2)];
            let distance = Cluster::explore(&board, metric, 1_000_000).unwrap().distance(&board);
            let distance = distance.filter(|distance| distance.is_solvable())?;
            let moves = board.moves();
            let last = moves.get(random.random_range(0..10));
            let before = last.map(|&last| Scene::of(&board.apply(last).unwrap()));
            Some(Known { scene: Scene::of(&board), before, metric, distance })
        });
        known.take(2 * LANES + 88).collect()
    });

    fn blocks() -> impl Iterator<Item = Heuristic> {
        let measures = Measure::ALL.map(Heuristic::from).into_iter();
        let conditions = Condition::ALL.map(Heuristic::from);
        measures.chain(conditions).chain(PATTERNS.map(Heuristic::from)).chain([perfect()])
    }

    /// Columns of the first few boards: within a group, to its end, and beyond.
    static COLUMNS: LazyLock<Vec<Columns>> = LazyLock::new(|| {
        let values: Vec<(Heuristic, Vec<Value>)> = blocks()
            .map(|block| (block.clone(), BOARDS.iter().map(|known| known.of(&block)).collect()))
            .collect();
        let counts = [0, 1, LANES - 1, LANES, LANES + 1, 2 * LANES, BOARDS.len()];
        let columns = counts.map(|count| {
            let mut columns = Columns::new(count);
            values.iter().for_each(|(block, values)| columns.add(block.clone(), &values[..count]));
            assert!(columns.blocks().eq(values.iter().map(|(block, _)| block)));
            columns
        });
        columns.to_vec()
    });

    /// The values for all boards, in thousandths.
    fn evaluate(heuristic: &Heuristic, columns: &Columns) -> Vec<i128> {
        let compiled = Compiled::new(heuristic, columns).unwrap();
        let group = |group| {
            let mut values = [0; LANES];
            compiled.evaluate(columns, group, &mut values);
            values
        };
        (0..columns.boards().div_ceil(LANES)).flat_map(group).take(columns.boards()).map(i128::from).collect()
    }

    /// Columns that no board has: fractions, what is just within a bound or
    /// beyond it, and small numbers.
    fn invented(seed: u64) -> (Columns, Vec<Vec<Value>>) {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut columns = Columns::new(LANES + 44);
        let mut rows = vec![Vec::new(); LANES + 44];
        for (number, block) in blocks().enumerate() {
            let is_truth = matches!(block, Heuristic::Block(block) if block.is_condition());
            let mut value = || match number % 4 {
                _ if is_truth => Value::from(random.random_range(0..2)),
                0 => Value::from(random.random_range(0..20)),
                1 => [0, 1, 999, 1000][random.random_range(0..4)].into(),
                2 => format!("{}.{:03}", random.random_range(0..9), random.random_range(0..999))
                    .parse()
                    .unwrap(),
                _ => {
                    [0, 1000, 1001, 999_999, 1_000_000, 1_000_001, u32::MAX][random.random_range(0..7)].into()
                }
            };
            let values: Vec<Value> = rows.iter().map(|_| value()).collect();
            columns.add(block, &values);
            rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
        }
        (columns, rows)
    }

    proptest! {
        #[test]
        fn say_what_is_said_of_each_board(heuristic in any_formula()) {
            let expected: Vec<i128> =
                BOARDS.iter().map(|known| plain::thousandths(known.of(&heuristic)).unwrap()).collect();
            for columns in &*COLUMNS {
                prop_assert_eq!(&evaluate(&heuristic, columns)[..], &expected[..columns.boards()], "{}", heuristic);
            }
        }

        #[test]
        fn say_what_plain_arithmetic_says(heuristic in any_formula(), seed in any::<u64>()) {
            let (columns, rows) = invented(seed);
            let expected = rows.iter().map(|row| {
                let known = |block: &Heuristic| plain::thousandths(row[blocks().position(|b| b == *block).unwrap()]);
                plain::value(&heuristic, &known).unwrap()
            });
            prop_assert_eq!(evaluate(&heuristic, &columns), expected.collect::<Vec<i128>>(), "{}", heuristic);
        }

        /// Many weights, some of them near the limit.
        #[test]
        fn add_up(
            parts in prop::collection::vec((prop_oneof![Just(1), Just(30), 0u32..=1000], any_measure()), 2..8),
            seed in any::<u64>(),
        ) {
            let (columns, rows) = invented(seed);
            let parts = parts.into_iter().map(|(weight, part)| (Value::from(weight), part));
            let sum = Heuristic::Sum(parts.collect());
            let expected = rows.iter().map(|row| {
                let known = |block: &Heuristic| plain::thousandths(row[blocks().position(|b| b == *block).unwrap()]);
                plain::value(&sum, &known).unwrap()
            });
            prop_assert_eq!(evaluate(&sum, &columns), expected.collect::<Vec<i128>>(), "{}", sum);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// The same values, not longer, and nothing is left to do. What could be
        /// written still can.
        #[test]
        fn of_simple_formulas_are_the_same(heuristic in prop_oneof![any_formula(), any_large_formula()]) {
            let simple = heuristic.simplified();
            if let Some(columns) = COLUMNS.last() {
                prop_assert_eq!(evaluate(&simple, columns), evaluate(&heuristic, columns), "{} as {}", heuristic, simple);
            }
            prop_assert!(simple.parts() <= heuristic.parts(), "{} as {}", heuristic, simple);
            prop_assert_eq!(simple.simplified(), simple.clone(), "{}", heuristic);
            if VOCABULARY.read(&heuristic.to_string()) == Ok(heuristic) {
                prop_assert_eq!(VOCABULARY.read(&simple.to_string()), Ok(simple));
            }
        }
    }

    #[test]
    fn that_are_missing_are_named() {
        let mut columns = Columns::new(2);
        columns.add(read("blocking"), &[Value::ONE, Value::ZERO]);
        let missing = |text: &str| Compiled::new(&read(text), &columns).err();
        assert_eq!(missing("blocking+0*distance"), None);
        assert_eq!(missing("blocking+distance"), Some(MissingColumn { block: read("distance") }));
        assert_eq!(missing("if(move-freed,1,2)"), Some(MissingColumn { block: read("move-freed") }));
        assert_eq!(missing("rules(true -> 1; pattern:7)"), Some(MissingColumn { block: read("pattern:7") }));
        assert_eq!(columns.value(&read("blocking"), 0), Some(Value::ONE));
        assert_eq!(columns.value(&read("blocking"), 1), Some(Value::ZERO));
        assert_eq!(columns.value(&read("distance"), 0), None);
    }

    #[test]
    #[should_panic(expected = "perfect calls a board unsolvable")]
    fn have_no_infinity() {
        Columns::new(1).add(perfect(), &[Value::INFINITE]);
    }
}

#[test]
fn simple_formulas() {
    for (text, simple) in [
        ("max(blocking,blocking)", "blocking"),
        ("max(3,blocking,max(2,distance,blocking))", "max(blocking,distance,3)"),
        ("min(3,min(2,blocking))", "min(blocking,2)"),
        ("max(3,2)", "3"),
        ("zero+0*blocking+2+3", "zero+5"),
        ("2*3", "6"),
        ("blocking+distance+0.5*blocking", "1.5*blocking+distance"),
        ("0.5*blocking+0.5*blocking", "blocking"),
        ("600*blocking+600*blocking", "600*blocking+600*blocking"),
        ("0.5*max(blocking,3)+0.5*max(blocking,3)", "0.5*max(blocking,3)+0.5*max(blocking,3)"),
        ("(blocking+1)+(distance+2)", "blocking+distance+3"),
        ("600*1+blocking+600*1", "600*1+blocking+600*1"),
        ("(blocking - 1)+2+distance+3", "(blocking - 1)+2+distance+3"),
        ("2+distance+3+(blocking - 1)", "distance+5+(blocking - 1)"),
        ("(blocking - blocking)+2", "2"),
        ("blocking - 0", "blocking"),
        ("5 - 2", "3"),
        ("2 - 5", "2 - 5"),
        ("blocking*1", "blocking"),
        ("blocking*(1 - 1)", "0"),
        ("(2)*4", "8"),
        ("(1000)*1000", "(1000)*1000"),
        ("blocking/1", "blocking"),
        ("blocking/0", "1"),
        ("blocking/blocking", "1"),
        ("(1)/8", "0.125"),
        ("if(true,1,2)", "1"),
        ("if(not not not move-freed,1,2)", "if(move-freed,2,1)"),
        ("if(move-freed,blocking,blocking)", "blocking"),
        ("if(blocking*2+distance>=0,1,2)", "1"),
        ("if(0<=max(blocking - 3,zero),1,2)", "1"),
        ("if(0<=blocking - 3,1,2)", "if(0<=blocking - 3,1,2)"),
        ("if(0>=blocking,1,2)", "if(0>=blocking,1,2)"),
        ("if(blocking<=blocking and move-freed,1,2)", "if(move-freed,1,2)"),
        ("if(move-freed or move-freed or true,1,2)", "1"),
        ("if((move-freed and mobile<=2) and move-freed,1,2)", "if(move-freed and mobile<=2,1,2)"),
        ("rules(1)", "1"),
        ("rules(false -> 1; move-freed -> 2; move-freed -> 3; 4)", "rules(move-freed -> 2; 4)"),
        ("rules(move-freed -> 2; true -> 3; mobile<=1 -> 4; 5)", "rules(move-freed -> 2; 3)"),
        ("rules(move-freed -> 2; mobile<=1 -> 3; 3)", "rules(move-freed -> 2; 3)"),
        ("rules(mobile<=1 -> 3; 3)", "3"),
    ] {
        assert_eq!(read(text).simplified().to_string(), simple, "{text}");
    }
}

/// A sum in another order can meet the limit elsewhere: these had other values
/// when they were simple.
#[test]
fn sums_at_the_limit_keep_their_order() {
    let board = Board::parse("....AA..........").unwrap();
    let known =
        Known { scene: Scene::of(&board), before: None, metric: Metric::Moves, distance: Distance::of(1) };
    for (text, value) in [
        ("blocking*1000*1000+5+(0 - blocking*1000*1000)", 0),
        ("(0 - blocking*1000*1000)+(blocking*1000*1000+5)", 0),
        ("(0 - blocking*1000*1000)+blocking*1000*1000+5", 5),
        ("5+(0 - blocking*1000*1000)+blocking*1000*1000", 5),
    ] {
        assert_eq!(known.of(&read(text)), Value::from(value), "{text}");
        assert_eq!(known.of(&read(text).simplified()), Value::from(value), "{text}");
    }
}
