//! The value of a formula for one state.

use super::number::{self, Number};
use super::{Block, Heuristic, Test};
use crate::search::Value;

/// What building blocks say of one state.
pub trait Blocks {
    /// Why an exact distance may be missing.
    type Error;

    /// What this one says: 1 if it is a condition that holds, 0 if it does not;
    /// [`Value::INFINITE`] if it proves that the state cannot be solved.
    fn value(&mut self, block: Block) -> Result<Value, Self::Error>;
}

/// Why there is no number.
enum Halt<E> {
    /// A building block has proof that the state cannot be solved.
    Hopeless,
    Failed(E),
}

type Answer<T, B> = Result<T, Halt<<B as Blocks>::Error>>;

impl Heuristic {
    /// Its value for a state. Whatever is asked on the way may prove that the
    /// state cannot be solved: then the value is infinite.
    #[inline]
    pub fn value<B: Blocks>(&self, blocks: &mut B) -> Result<Value, B::Error> {
        match self.number(blocks) {
            Ok(number) => Ok(number::value(number)),
            Err(Halt::Hopeless) => Ok(Value::INFINITE),
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    fn number<B: Blocks>(&self, blocks: &mut B) -> Answer<Number, B> {
        Ok(match self {
            Heuristic::Block(block) => finite(blocks.value(*block).map_err(Halt::Failed)?)?,
            Heuristic::Constant(value) => number::of(*value),
            Heuristic::Max(parts) => best(parts, blocks, Number::max)?,
            Heuristic::Min(parts) => best(parts, blocks, Number::min)?,
            Heuristic::Sum(parts) => {
                let mut sum = 0;
                // What weighs nothing is not asked.
                for (weight, part) in parts.iter().filter(|(weight, _)| *weight != Value::ZERO) {
                    sum = number::plus(sum, number::times(number::of(*weight), part.number(blocks)?));
                }
                sum
            }
            Heuristic::Minus(pair) => number::minus(pair[0].number(blocks)?, pair[1].number(blocks)?),
            Heuristic::Times(pair) => number::times(pair[0].number(blocks)?, pair[1].number(blocks)?),
            Heuristic::Over(pair) => number::over(pair[0].number(blocks)?, pair[1].number(blocks)?),
            Heuristic::If(choice) => {
                let (test, [yes, no]) = &**choice;
                if test.holds(blocks)? { yes.number(blocks)? } else { no.number(blocks)? }
            }
            Heuristic::Rules(rules, last) => {
                for (test, value) in rules {
                    if test.holds(blocks)? {
                        return value.number(blocks);
                    }
                }
                last.number(blocks)?
            }
            Heuristic::Named(named) => named.heuristic.number(blocks)?,
        })
    }
}

impl Test {
    fn holds<B: Blocks>(&self, blocks: &mut B) -> Answer<bool, B> {
        match self {
            Test::Constant(always) => Ok(*always),
            Test::Block(block) => Ok(blocks.value(*block).map_err(Halt::Failed)? != Value::ZERO),
            Test::AtMost(pair) => Ok(pair[0].number(blocks)? <= pair[1].number(blocks)?),
            Test::AtLeast(pair) => Ok(pair[0].number(blocks)? >= pair[1].number(blocks)?),
            Test::And(tests) => {
                for test in tests {
                    if !test.holds(blocks)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Test::Or(tests) => {
                for test in tests {
                    if test.holds(blocks)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::Not(test) => Ok(!test.holds(blocks)?),
        }
    }
}

fn finite<E>(value: Value) -> Result<Number, Halt<E>> {
    if value.is_finite() { Ok(number::of(value)) } else { Err(Halt::Hopeless) }
}

/// The best of some numbers; 0 if there are none.
fn best<B: Blocks>(
    parts: &[Heuristic],
    blocks: &mut B,
    better: fn(Number, Number) -> Number,
) -> Answer<Number, B> {
    let Some((first, others)) = parts.split_first() else { return Ok(0) };
    let mut best = first.number(blocks)?;
    for part in others {
        best = better(best, part.number(blocks)?);
    }
    Ok(best)
}
