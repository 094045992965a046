//! The operations of formulas, on [`LANES`] numbers each.

use super::vectors::Vectors;
use super::{Columns, LANES, Lanes, Node, Truth};
use crate::formula::number::{self, Number};

/// All bits of a lane are set where a test holds.
type Mask = [Number; LANES];

/// Lanes whose sums fit into the registers of any machine.
const FEW: usize = 32;

/// One group of boards, and the instructions to work with.
#[derive(Clone, Copy)]
pub(super) struct Group<'c> {
    pub vectors: Vectors,
    pub columns: &'c Columns,
    pub number: usize,
}

impl Group<'_> {
    /// The values of a formula, none below zero.
    pub fn values(self, root: &Node, out: &mut Lanes) {
        self.number_of(root, out);
        self.each(out, |number| number.max(0));
    }

    fn numbers(&self, column: usize) -> &Lanes {
        &self.columns.columns[column].numbers[self.number]
    }

    fn number_of(self, node: &Node, out: &mut Lanes) {
        match node {
            Node::Column(column) => *out = *self.numbers(*column),
            Node::Constant(number) => *out = [*number; LANES],
            Node::Max(parts) => self.fold(parts, out, Number::max),
            Node::Min(parts) => self.fold(parts, out, Number::min),
            Node::Sum(terms) => {
                *out = [0; LANES];
                let mut term = [0; LANES];
                for (weight, part) in terms {
                    self.number_of(part, &mut term);
                    if *weight == number::ONE {
                        self.zip(out, &term, number::plus);
                    } else {
                        self.zip(out, &term, |sum, lane| number::plus(sum, times(*weight, lane)));
                    }
                }
            }
            Node::Weights(weights) => self.weighted(weights, out),
            Node::Minus(pair) => self.both(pair, out, number::minus),
            Node::Times(pair) => self.both(pair, out, times),
            Node::Over(pair) => self.both(pair, out, over),
            Node::If(choice) => {
                let (test, [yes, no]) = &**choice;
                let (mut holds, mut otherwise) = ([0; LANES], [0; LANES]);
                self.truth_of(test, &mut holds);
                self.number_of(yes, out);
                self.number_of(no, &mut otherwise);
                self.vectors.run(
                    #[inline(always)]
                    || {
                        for ((out, otherwise), holds) in out.iter_mut().zip(&otherwise).zip(&holds) {
                            *out = *out & holds | otherwise & !holds;
                        }
                    },
                );
            }
            Node::Rules(rules, last) => self.rules_of(rules, last, out),
        }
    }

    /// A few lanes at a time, so that their sums stay in registers while all
    /// columns are added.
    fn weighted(self, weights: &[(Number, usize)], out: &mut Lanes) {
        let whole = |column: usize| {
            let whole = self.columns.columns[column].whole.as_ref().expect("they were looked at");
            whole[self.number].as_chunks::<FEW>().0
        };
        self.vectors.run(
            #[inline(always)]
            || {
                for (place, out) in out.as_chunks_mut::<FEW>().0.iter_mut().enumerate() {
                    let mut sums = [0; FEW];
                    for &(weight, column) in weights {
                        for (sum, lane) in sums.iter_mut().zip(&whole(column)[place]) {
                            *sum = Number::wrapping_add(*sum, weight.wrapping_mul(*lane));
                        }
                    }
                    *out = sums;
                }
            },
        );
    }

    fn rules_of(self, rules: &[(Truth, Node)], last: &Node, out: &mut Lanes) {
        // The lanes that no rule has decided yet.
        let mut open: Mask = [!0; LANES];
        let (mut holds, mut value) = ([0; LANES], [0; LANES]);
        *out = [0; LANES];
        for (test, rule) in rules {
            self.truth_of(test, &mut holds);
            self.zip(&mut holds, &open, |holds, open| holds & open);
            if self.any(&holds) {
                self.number_of(rule, &mut value);
                self.vectors.run(
                    #[inline(always)]
                    || {
                        let lanes = out.iter_mut().zip(&value).zip(holds.iter().zip(&mut open));
                        for ((out, value), (holds, open)) in lanes {
                            *out |= value & holds;
                            *open &= !holds;
                        }
                    },
                );
                if !self.any(&open) {
                    return;
                }
            }
        }
        self.number_of(last, &mut value);
        self.zip(&mut value, &open, |value, open| value & open);
        self.zip(out, &value, |out, value| out | value);
    }

    /// Where a test holds.
    fn truth_of(self, test: &Truth, out: &mut Mask) {
        match test {
            Truth::Constant(always) => *out = [-Number::from(*always); LANES],
            Truth::Column(column) => {
                self.zip(out, self.numbers(*column), |_, number| -Number::from(number != 0));
            }
            Truth::AtMost(pair) => self.both(pair, out, |a, b| -Number::from(a <= b)),
            Truth::AtLeast(pair) => self.both(pair, out, |a, b| -Number::from(a >= b)),
            Truth::And(tests) => self.join(tests, out, !0, |a, b| a & b),
            Truth::Or(tests) => self.join(tests, out, 0, |a, b| a | b),
            Truth::Not(test) => {
                self.truth_of(test, out);
                self.each(out, |holds| !holds);
            }
        }
    }

    #[inline(always)]
    fn join(
        self,
        tests: &[Truth],
        out: &mut Mask,
        start: Number,
        join: impl Fn(Number, Number) -> Number + Copy,
    ) {
        *out = [start; LANES];
        let mut holds = [0; LANES];
        for test in tests {
            self.truth_of(test, &mut holds);
            self.zip(out, &holds, join);
        }
    }

    /// An operation on two numbers. A second one that is a column or a constant
    /// is taken from where it is.
    #[inline(always)]
    fn both(self, pair: &[Node; 2], out: &mut Lanes, operation: impl Fn(Number, Number) -> Number) {
        self.number_of(&pair[0], out);
        self.second(&pair[1], out, operation);
    }

    #[inline(always)]
    fn second(self, node: &Node, out: &mut Lanes, operation: impl Fn(Number, Number) -> Number) {
        match node {
            Node::Column(column) => self.zip(out, self.numbers(*column), operation),
            Node::Constant(number) => self.each(out, |lane| operation(lane, *number)),
            other => {
                let mut second = [0; LANES];
                self.number_of(other, &mut second);
                self.zip(out, &second, operation);
            }
        }
    }

    #[inline(always)]
    fn fold(self, parts: &[Node], out: &mut Lanes, better: impl Fn(Number, Number) -> Number + Copy) {
        let Some((first, others)) = parts.split_first() else {
            *out = [0; LANES];
            return;
        };
        self.number_of(first, out);
        for part in others {
            self.second(part, out, better);
        }
    }

    #[inline(always)]
    fn zip(self, out: &mut Lanes, other: &Lanes, operation: impl Fn(Number, Number) -> Number) {
        self.vectors.run(
            #[inline(always)]
            || {
                for (out, &other) in out.iter_mut().zip(other) {
                    *out = operation(*out, other);
                }
            },
        );
    }

    #[inline(always)]
    fn each(self, out: &mut Lanes, operation: impl Fn(Number) -> Number) {
        self.vectors.run(
            #[inline(always)]
            || out.iter_mut().for_each(|lane| *lane = operation(*lane)),
        );
    }

    fn any(self, mask: &Mask) -> bool {
        self.vectors.run(
            #[inline(always)]
            || mask.iter().fold(0, |any, lane| any | lane) != 0,
        )
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::rush_hour::VOCABULARY;
    use crate::formula::Kind;
    use crate::formula::columns::Compiled;
    use crate::random::Chance;
    use crate::search::Value;

    #[test]
    fn all_vectors_give_the_same() {
        #[cfg(target_arch = "x86_64")]
        if Vectors::all().len() < 3 {
            use std::io::Write;
            // What tests print is kept from the terminal, what is written to the stream is not.
            let _ = writeln!(std::io::stderr(), "NOT CHECKED: this machine has no AVX2 or no AVX-512");
        }
        let mut chance = Chance::of(&[11]);
        let mut columns = Columns::new(LANES);
        for (name, most) in [("mobile", 12), ("hybrid", 3000), ("blocking", 1_000_000), ("rounds", 1)] {
            let values: Vec<Value> =
                (0..LANES).map(|_| Value::whole(chance.below(most + 1) as u32)).collect();
            columns.add(VOCABULARY.read(name).unwrap(), &values);
        }
        for condition in VOCABULARY.of_kind(Kind::Condition) {
            let values: Vec<Value> = (0..LANES).map(|_| Value::whole(chance.below(2) as u32)).collect();
            columns.add(condition.into(), &values);
        }
        for text in [
            "mobile",
            "0.3*mobile+0.25*rounds",
            "0.3*hybrid+1.5*blocking+(mobile - hybrid)",
            "max(mobile,hybrid*blocking,7.5)",
            "min(hybrid,blocking*blocking,mobile+1)",
            "hybrid/rounds+mobile/hybrid - rounds/blocking",
            "if(mobile<=hybrid and not move-freed,hybrid - mobile,mobile*0.003)",
            "rules(move-to-secluded or rounds>=1 -> 2*hybrid; mobile>=hybrid/100 -> 3; mobile)",
        ] {
            let formula = Compiled::new(&VOCABULARY.read(text).unwrap(), &columns).unwrap();
            let values = |vectors: Vectors| {
                let mut out = [0; LANES];
                Group { vectors, columns: &columns, number: 0 }.values(&formula.root, &mut out);
                out
            };
            let all: Vec<Lanes> = Vectors::all().into_iter().map(values).collect();
            assert!(all.iter().all(|values| *values == all[0]), "{text}");
            assert!(all[0].iter().any(|value| *value != all[0][0]), "{text}");
        }
    }
}
