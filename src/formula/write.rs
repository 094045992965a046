//! Heuristics written as text, which [reads](super::Vocabulary::read) back to the
//! same heuristic.

use std::fmt::{self, Formatter};

use super::{Heuristic, Test};
use crate::search::Value;

/// The precedence of a number's text: what has a lower one than its place asks
/// for stands in brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    /// Terms with plus and minus between.
    Sum,
    /// A weight and a product.
    Weighted,
    /// Factors with times and over between.
    Product,
    /// One thing.
    Whole,
}

/// The precedence of a truth value's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TestPrecedence {
    Or,
    And,
    Whole,
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text, Precedence::Sum)?;
        f.pad(&text)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text, TestPrecedence::Or)?;
        f.pad(&text)
    }
}

impl Heuristic {
    fn precedence(&self) -> Precedence {
        match self {
            Heuristic::Sum(parts) => match parts.as_slice() {
                [(weight, _)] if *weight != Value::ONE => Precedence::Weighted,
                _ => Precedence::Sum,
            },
            Heuristic::Minus(_) => Precedence::Sum,
            Heuristic::Times(_) | Heuristic::Over(_) => Precedence::Product,
            _ => Precedence::Whole,
        }
    }

    fn write(&self, out: &mut impl fmt::Write, place: Precedence) -> fmt::Result {
        if self.precedence() < place {
            out.write_char('(')?;
            self.write(out, Precedence::Sum)?;
            return out.write_char(')');
        }
        match self {
            Heuristic::Block(block) => write!(out, "{block}"),
            Heuristic::Constant(value) => write!(out, "{value}"),
            Heuristic::Max(parts) => list(out, "max", parts),
            Heuristic::Min(parts) => list(out, "min", parts),
            Heuristic::Sum(parts) => {
                for (number, (weight, part)) in parts.iter().enumerate() {
                    if number > 0 {
                        out.write_char('+')?;
                    }
                    match *weight {
                        // A single part without a weight is that part.
                        Value::ONE if parts.len() == 1 => part.write(out, place)?,
                        Value::ONE => part.write_term(out)?,
                        weight => {
                            write!(out, "{weight}*")?;
                            part.write(out, Precedence::Product)?;
                        }
                    }
                }
                Ok(())
            }
            Heuristic::Minus(pair) => {
                pair[0].write(out, Precedence::Sum)?;
                out.write_str(" - ")?;
                pair[1].write(out, Precedence::Weighted)
            }
            Heuristic::Times(pair) => product(out, pair, '*'),
            Heuristic::Over(pair) => product(out, pair, '/'),
            Heuristic::If(choice) => {
                let (test, [yes, no]) = &**choice;
                write!(out, "if({test},{yes},{no})")
            }
            Heuristic::Rules(rules, last) => {
                out.write_str("rules(")?;
                for (test, value) in rules {
                    write!(out, "{test} -> {value}; ")?;
                }
                write!(out, "{last})")
            }
            Heuristic::Named(named) => out.write_str(&named.name),
        }
    }

    /// As a term of a sum whose weight is 1: a weight of its own would be taken
    /// for that of the term.
    fn write_term(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let place =
            if self.precedence() == Precedence::Weighted { Precedence::Whole } else { Precedence::Weighted };
        self.write(out, place)
    }
}

/// A number in front of a product would be taken for its weight.
fn product(out: &mut impl fmt::Write, pair: &[Heuristic; 2], mark: char) -> fmt::Result {
    match &pair[0] {
        Heuristic::Constant(value) => write!(out, "({value})")?,
        first => first.write(out, Precedence::Product)?,
    }
    out.write_char(mark)?;
    pair[1].write(out, Precedence::Whole)
}

fn list(out: &mut impl fmt::Write, name: &str, parts: &[Heuristic]) -> fmt::Result {
    write!(out, "{name}(")?;
    for (number, part) in parts.iter().enumerate() {
        write!(out, "{}{part}", if number > 0 { "," } else { "" })?;
    }
    out.write_char(')')
}

impl Test {
    fn precedence(&self) -> TestPrecedence {
        match self {
            Test::Or(_) => TestPrecedence::Or,
            Test::And(_) => TestPrecedence::And,
            _ => TestPrecedence::Whole,
        }
    }

    fn write(&self, out: &mut impl fmt::Write, place: TestPrecedence) -> fmt::Result {
        if self.precedence() < place {
            out.write_char('(')?;
            self.write(out, TestPrecedence::Or)?;
            return out.write_char(')');
        }
        let joined = |out: &mut _, tests: &[Test], mark: &str, place: TestPrecedence| {
            for (number, test) in tests.iter().enumerate() {
                if number > 0 {
                    fmt::Write::write_str(out, mark)?;
                }
                test.write(out, place)?;
            }
            Ok(())
        };
        match self {
            Test::Constant(always) => write!(out, "{always}"),
            Test::Block(block) => write!(out, "{block}"),
            Test::AtMost(pair) => write!(out, "{}<={}", pair[0], pair[1]),
            Test::AtLeast(pair) => write!(out, "{}>={}", pair[0], pair[1]),
            Test::And(tests) => joined(out, tests, " and ", TestPrecedence::Whole),
            Test::Or(tests) => joined(out, tests, " or ", TestPrecedence::And),
            Test::Not(test) => {
                out.write_str("not ")?;
                match **test {
                    Test::AtMost(_) | Test::AtLeast(_) => write!(out, "({test})"),
                    _ => test.write(out, TestPrecedence::Whole),
                }
            }
        }
    }
}
