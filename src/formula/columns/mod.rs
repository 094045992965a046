//! Formulas over many states at once.
//!
//! A building block is a column of numbers, one a state. A formula is evaluated
//! for [`LANES`] states at a time, operation by operation: the loops are over
//! plain arrays, and the compiler makes vector instructions of them, the widest
//! that the machine has. The numbers are those of [`Heuristic::value`], bit by
//! bit.

mod lanes;
mod vectors;

pub use vectors::Vectors;

use lanes::Group;

use super::number::{self, Number};
use super::{Heuristic, Test};
use crate::search::Value;

/// Boards at a time: an array of them is 1 KiB, so that what a formula needs
/// at once stays in the nearest cache.
pub const LANES: usize = 256;

type Lanes = [Number; LANES];

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
        Group { vectors: Vectors::widest(), columns, number: group }.values(&self.root, out);
    }
}

fn node(heuristic: &Heuristic, columns: &Columns) -> Result<Node, MissingColumn> {
    let all =
        |parts: &[Heuristic]| parts.iter().map(|part| node(part, columns)).collect::<Result<Vec<_>, _>>();
    let both = |pair: &[Heuristic; 2]| Ok(Box::new([node(&pair[0], columns)?, node(&pair[1], columns)?]));
    Ok(match heuristic {
        Heuristic::Block(_) => Node::Column(columns.find(heuristic)?),
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
        Test::Block(block) => Truth::Column(columns.find(&Heuristic::Block(*block))?),
        Test::AtMost(pair) => Truth::AtMost(both(pair)?),
        Test::AtLeast(pair) => Truth::AtLeast(both(pair)?),
        Test::And(tests) => Truth::And(all(tests)?),
        Test::Or(tests) => Truth::Or(all(tests)?),
        Test::Not(test) => Truth::Not(Box::new(truth(test, columns)?)),
    })
}
