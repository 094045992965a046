//! Formulas over many boards at once.
//!
//! A building block is a column of numbers, one a board. A formula is worked
//! out for [`LANES`] boards at a time, operation by operation: the loops are
//! over plain arrays, and the compiler makes vector instructions of them. The
//! numbers are those of [`Heuristic::of`], bit by bit.

use super::number::{self, Number};
use super::{Heuristic, Test};
use crate::search::Value;

/// Boards at a time: an array of them is 1 KiB, so that what a formula needs
/// at once stays in the nearest cache.
pub const LANES: usize = 256;

type Lanes = [Number; LANES];
/// All bits of a lane are set where a test holds.
type Mask = [Number; LANES];

/// The largest whole number whose product with any weight fits.
const LARGEST_WHOLE: Number = 1000;

/// What building blocks say of some boards.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    boards: usize,
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    block: Heuristic,
    /// Thousandths, in groups of lanes; the last ones may be unused.
    numbers: Vec<Lanes>,
    /// The same as whole numbers, if they are.
    whole: Option<Vec<Lanes>>,
    /// The largest of them.
    most: Number,
}

/// A building block that has no column.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no column of {block}")]
pub struct MissingColumn {
    /// The one that is missing.
    pub block: Heuristic,
}

impl Columns {
    /// No column yet, for so many boards.
    pub fn new(boards: usize) -> Columns {
        Columns { boards, columns: Vec::new() }
    }

    /// How many boards there are.
    pub fn boards(&self) -> usize {
        self.boards
    }

    /// The building blocks, in the order in which they came.
    pub fn blocks(&self) -> impl Iterator<Item = &Heuristic> {
        self.columns.iter().map(|column| &column.block)
    }

    /// Adds what a building block says of each board; all must be finite.
    ///
    /// # Panics
    ///
    /// If there are more or fewer numbers than boards, or one is infinite.
    pub fn add(&mut self, block: Heuristic, values: &[Value]) {
        assert_eq!(values.len(), self.boards, "one number a board");
        assert!(values.iter().all(|value| value.is_finite()), "{block} calls a board unsolvable");
        let numbers: Vec<Number> = values.iter().map(|&value| number::of(value)).collect();
        let is_whole = |&number: &Number| number % number::ONE == 0 && number / number::ONE <= LARGEST_WHOLE;
        let whole = numbers
            .iter()
            .all(is_whole)
            .then(|| grouped(&numbers.iter().map(|number| number / number::ONE).collect::<Vec<Number>>()));
        let most = numbers.iter().copied().max().unwrap_or(0);
        self.columns.push(Column { block, numbers: grouped(&numbers), whole, most });
    }

    /// The number of groups of boards.
    pub fn groups(&self) -> usize {
        self.boards.div_ceil(LANES)
    }

    /// The value of one building block for a board.
    pub fn value(&self, block: &Heuristic, board: usize) -> Option<Value> {
        let column = self.columns.iter().find(|column| column.block == *block)?;
        Some(number::value(column.numbers[board / LANES][board % LANES]))
    }

    fn find(&self, block: &Heuristic) -> Result<usize, MissingColumn> {
        let found = self.columns.iter().position(|column| column.block == *block);
        found.ok_or_else(|| MissingColumn { block: block.clone() })
    }
}

fn grouped(numbers: &[Number]) -> Vec<Lanes> {
    numbers
        .chunks(LANES)
        .map(|chunk| {
            let mut lanes = [0; LANES];
            lanes[..chunk.len()].copy_from_slice(chunk);
            lanes
        })
        .collect()
}

/// A formula whose building blocks are columns.
#[derive(Clone, Debug)]
pub struct Compiled {
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Column(usize),
    Constant(Number),
    Max(Vec<Node>),
    Min(Vec<Node>),
    Sum(Vec<(Number, Node)>),
    /// Weights of whole columns, whose sum never reaches the limit.
    Weights(Vec<(Number, usize)>),
    Minus(Box<[Node; 2]>),
    Times(Box<[Node; 2]>),
    Over(Box<[Node; 2]>),
    If(Box<(Truth, [Node; 2])>),
    Rules(Vec<(Truth, Node)>, Box<Node>),
}

#[derive(Clone, Debug)]
enum Truth {
    Constant(bool),
    Column(usize),
    AtMost(Box<[Node; 2]>),
    AtLeast(Box<[Node; 2]>),
    And(Vec<Truth>),
    Or(Vec<Truth>),
    Not(Box<Truth>),
}

impl Compiled {
    /// Finds the columns of a formula.
    pub fn new(heuristic: &Heuristic, columns: &Columns) -> Result<Compiled, MissingColumn> {
        Ok(Compiled { root: node(heuristic, columns)? })
    }

    /// The values for one group of boards, as thousandths of at least 0. Lanes
    /// beyond the last board have some value or other.
    pub fn evaluate(&self, columns: &Columns, group: usize, out: &mut [i32; LANES]) {
        number_of(&self.root, columns, group, out);
        out.iter_mut().for_each(|number| *number = (*number).max(0));
    }

    /// Which rule gives the value, for one group of boards: 0 for the first,
    /// their number for the last value. All 0 for what has no rules.
    pub fn fired(&self, columns: &Columns, group: usize) -> [usize; LANES] {
        let Node::Rules(rules, _) = &self.root else { return [0; LANES] };
        let mut fired = [rules.len(); LANES];
        for (number, (test, _)) in rules.iter().enumerate().rev() {
            let mut holds = [0; LANES];
            truth_of(test, columns, group, &mut holds);
            for (fired, holds) in fired.iter_mut().zip(holds) {
                *fired = if holds != 0 { number } else { *fired };
            }
        }
        fired
    }
}

fn node(heuristic: &Heuristic, columns: &Columns) -> Result<Node, MissingColumn> {
    let all =
        |parts: &[Heuristic]| parts.iter().map(|part| node(part, columns)).collect::<Result<Vec<_>, _>>();
    let both = |pair: &[Heuristic; 2]| Ok(Box::new([node(&pair[0], columns)?, node(&pair[1], columns)?]));
    Ok(match heuristic {
        Heuristic::Measure(_) | Heuristic::Condition(_) | Heuristic::Pattern(_) | Heuristic::Perfect => {
            Node::Column(columns.find(heuristic)?)
        }
        Heuristic::Constant(value) => Node::Constant(number::of(*value)),
        Heuristic::Max(parts) => Node::Max(all(parts)?),
        Heuristic::Min(parts) => Node::Min(all(parts)?),
        Heuristic::Sum(parts) => {
            let mut terms = Vec::with_capacity(parts.len());
            for (weight, part) in parts.iter().filter(|(weight, _)| *weight != Value::ZERO) {
                terms.push((number::of(*weight), node(part, columns)?));
            }
            weights(&terms, columns).unwrap_or(Node::Sum(terms))
        }
        Heuristic::Minus(pair) => Node::Minus(both(pair)?),
        Heuristic::Times(pair) => Node::Times(both(pair)?),
        Heuristic::Over(pair) => Node::Over(both(pair)?),
        Heuristic::If(choice) => {
            let (test, values) = &**choice;
            Node::If(Box::new((truth(test, columns)?, *both(values)?)))
        }
        Heuristic::Rules(rules, last) => {
            let rules = rules.iter().map(|(test, value)| Ok((truth(test, columns)?, node(value, columns)?)));
            Node::Rules(rules.collect::<Result<_, _>>()?, Box::new(node(last, columns)?))
        }
        Heuristic::Named(named) => node(&named.heuristic, columns)?,
    })
}

/// A sum of whole columns that cannot reach the limit.
fn weights(terms: &[(Number, Node)], columns: &Columns) -> Option<Node> {
    let mut most = 0i64;
    let mut weights = Vec::with_capacity(terms.len());
    for (weight, part) in terms {
        let Node::Column(column) = part else { return None };
        columns.columns[*column].whole.as_ref()?;
        most += i64::from(*weight) * i64::from(columns.columns[*column].most / number::ONE);
        weights.push((*weight, *column));
    }
    (most <= i64::from(number::MOST)).then_some(Node::Weights(weights))
}

fn truth(test: &Test, columns: &Columns) -> Result<Truth, MissingColumn> {
    let all = |tests: &[Test]| tests.iter().map(|test| truth(test, columns)).collect::<Result<Vec<_>, _>>();
    let both = |pair: &[Heuristic; 2]| Ok(Box::new([node(&pair[0], columns)?, node(&pair[1], columns)?]));
    Ok(match test {
        Test::Constant(always) => Truth::Constant(*always),
        Test::Condition(condition) => Truth::Column(columns.find(&Heuristic::Condition(*condition))?),
        Test::AtMost(pair) => Truth::AtMost(both(pair)?),
        Test::AtLeast(pair) => Truth::AtLeast(both(pair)?),
        Test::And(tests) => Truth::And(all(tests)?),
        Test::Or(tests) => Truth::Or(all(tests)?),
        Test::Not(test) => Truth::Not(Box::new(truth(test, columns)?)),
    })
}

fn number_of(node: &Node, columns: &Columns, group: usize, out: &mut Lanes) {
    match node {
        Node::Column(column) => *out = columns.columns[*column].numbers[group],
        Node::Constant(number) => *out = [*number; LANES],
        Node::Max(parts) => fold(parts, columns, group, out, Number::max),
        Node::Min(parts) => fold(parts, columns, group, out, Number::min),
        Node::Sum(terms) => {
            *out = [0; LANES];
            let mut term = [0; LANES];
            for (weight, part) in terms {
                number_of(part, columns, group, &mut term);
                if *weight != number::ONE {
                    term.iter_mut().for_each(|lane| *lane = times(*weight, *lane));
                }
                zip(out, &term, number::plus);
            }
        }
        Node::Weights(weights) => {
            *out = [0; LANES];
            for &(weight, column) in weights {
                let whole = &columns.columns[column].whole.as_ref().expect("they were looked at")[group];
                zip(out, whole, |sum, lane| sum.wrapping_add(weight.wrapping_mul(lane)));
            }
        }
        Node::Minus(pair) => both(pair, columns, group, out, number::minus),
        Node::Times(pair) => both(pair, columns, group, out, times),
        Node::Over(pair) => both(pair, columns, group, out, over),
        Node::If(choice) => {
            let (test, [yes, no]) = &**choice;
            let (mut holds, mut otherwise) = ([0; LANES], [0; LANES]);
            truth_of(test, columns, group, &mut holds);
            number_of(yes, columns, group, out);
            number_of(no, columns, group, &mut otherwise);
            for ((out, otherwise), holds) in out.iter_mut().zip(otherwise).zip(holds) {
                *out = *out & holds | otherwise & !holds;
            }
        }
        Node::Rules(rules, last) => rules_of(rules, last, columns, group, out),
    }
}

fn rules_of(rules: &[(Truth, Node)], last: &Node, columns: &Columns, group: usize, out: &mut Lanes) {
    // The lanes that no rule has decided yet.
    let mut open: Mask = [!0; LANES];
    let (mut holds, mut value) = ([0; LANES], [0; LANES]);
    *out = [0; LANES];
    for (test, rule) in rules {
        truth_of(test, columns, group, &mut holds);
        zip(&mut holds, &open, |holds, open| holds & open);
        if any(&holds) {
            number_of(rule, columns, group, &mut value);
            for ((out, value), (holds, open)) in out.iter_mut().zip(&value).zip(holds.iter().zip(&mut open)) {
                *out |= value & holds;
                *open &= !holds;
            }
            if !any(&open) {
                return;
            }
        }
    }
    number_of(last, columns, group, &mut value);
    for ((out, value), open) in out.iter_mut().zip(&value).zip(&open) {
        *out |= value & open;
    }
}

fn truth_of(test: &Truth, columns: &Columns, group: usize, out: &mut Mask) {
    let joined = |tests: &[Truth], out: &mut Mask, start: Number, join: fn(Number, Number) -> Number| {
        *out = [start; LANES];
        let mut holds = [0; LANES];
        for test in tests {
            truth_of(test, columns, group, &mut holds);
            zip(out, &holds, join);
        }
    };
    match test {
        Truth::Constant(always) => *out = [-Number::from(*always); LANES],
        Truth::Column(column) => {
            let numbers = &columns.columns[*column].numbers[group];
            zip(out, numbers, |_, number| -Number::from(number != 0));
        }
        Truth::AtMost(pair) => both(pair, columns, group, out, |a, b| -Number::from(a <= b)),
        Truth::AtLeast(pair) => both(pair, columns, group, out, |a, b| -Number::from(a >= b)),
        Truth::And(tests) => joined(tests, out, !0, |a, b| a & b),
        Truth::Or(tests) => joined(tests, out, 0, |a, b| a | b),
        Truth::Not(test) => {
            truth_of(test, columns, group, out);
            out.iter_mut().for_each(|lane| *lane = !*lane);
        }
    }
}

#[inline(always)]
fn zip(out: &mut Lanes, other: &Lanes, operation: impl Fn(Number, Number) -> Number) {
    for (out, &other) in out.iter_mut().zip(other) {
        *out = operation(*out, other);
    }
}

/// An operation on two numbers. A second one that is a column or a constant
/// is taken from where it is.
#[inline(always)]
fn both(
    pair: &[Node; 2],
    columns: &Columns,
    group: usize,
    out: &mut Lanes,
    operation: impl Fn(Number, Number) -> Number,
) {
    number_of(&pair[0], columns, group, out);
    match &pair[1] {
        Node::Column(column) => zip(out, &columns.columns[*column].numbers[group], operation),
        Node::Constant(number) => out.iter_mut().for_each(|lane| *lane = operation(*lane, *number)),
        other => {
            let mut second = [0; LANES];
            number_of(other, columns, group, &mut second);
            zip(out, &second, operation);
        }
    }
}

fn fold(
    parts: &[Node],
    columns: &Columns,
    group: usize,
    out: &mut Lanes,
    better: fn(Number, Number) -> Number,
) {
    let Some((first, others)) = parts.split_first() else {
        *out = [0; LANES];
        return;
    };
    number_of(first, columns, group, out);
    let mut other = [0; LANES];
    for part in others {
        number_of(part, columns, group, &mut other);
        zip(out, &other, better);
    }
}

fn any(mask: &Mask) -> bool {
    mask.iter().fold(0, |any, lane| any | lane) != 0
}

/// [`number::times`] in floating point, which has vector instructions for it.
/// A product that is not exact in 53 bits is far beyond the limit; of any
/// other, the quotient is off by less than the thousandth that it could be
/// below a whole number.
#[inline(always)]
fn times(a: Number, b: Number) -> Number {
    cut(f64::from(a) * f64::from(b) / f64::from(number::ONE))
}

/// [`number::over`] in floating point. The quotient of whole numbers below
/// 2⁵³ is cut off right: if it is no whole number, it is farther from one than
/// the rounding, because it is at least 1/b away and the rounding less than
/// 2⁻⁵³ · 10¹²/b.
#[inline(always)]
fn over(a: Number, b: Number) -> Number {
    let quotient = cut(f64::from(a) * f64::from(number::ONE) / f64::from(b));
    if b == 0 { number::ONE } else { quotient }
}

#[inline(always)]
fn cut(number: f64) -> Number {
    let most = f64::from(number::MOST);
    number.clamp(-most, most) as Number
}
