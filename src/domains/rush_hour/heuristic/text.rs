//! Heuristics as text: names, `max(…)`, and weighted sums.

use std::fmt;
use std::str::FromStr;

use super::{Condition, Facts, Heuristic, Measure, PERFECT};
use crate::search::{Value, ValueError};

/// Combinations within combinations.
const DEEPEST: usize = 20;

impl Heuristic {
    /// Every name that can be read.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Heuristic::named().map(|(name, _)| name)
    }

    fn named() -> impl Iterator<Item = (&'static str, Heuristic)> {
        let all = Heuristic::all().into_iter().chain([Heuristic::Perfect]);
        all.filter_map(|heuristic| Some((heuristic.facts()?.name, heuristic)))
    }

    /// What is known of it, if it is no combination.
    pub fn facts(&self) -> Option<Facts> {
        match self {
            Heuristic::Measure(measure) => Some(measure.facts()),
            Heuristic::Condition(condition) => Some(condition.facts()),
            Heuristic::Perfect => Some(PERFECT),
            Heuristic::Max(_) | Heuristic::Sum(_) => None,
        }
    }

    /// All that are computed from the board, without its exact distance:
    /// measures, then conditions.
    pub fn all() -> Vec<Heuristic> {
        let measures = Measure::ALL.into_iter().map(Heuristic::Measure);
        measures.chain(Condition::ALL.into_iter().map(Heuristic::Condition)).collect()
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Heuristic::Max(parts) => {
                let parts: Vec<String> = parts.iter().map(Heuristic::to_string).collect();
                format!("max({})", parts.join(","))
            }
            Heuristic::Sum(parts) => {
                let part = |(weight, part): &(Value, Heuristic)| match (*weight, part) {
                    (Value::ONE, Heuristic::Sum(_)) => format!("({part})"),
                    (Value::ONE, part) => part.to_string(),
                    (weight, Heuristic::Sum(_)) => format!("{weight}*({part})"),
                    (weight, part) => format!("{weight}*{part}"),
                };
                parts.iter().map(part).collect::<Vec<String>>().join("+")
            }
            named => named.facts().map_or(String::new(), |facts| facts.name.to_owned()),
        };
        f.pad(&text)
    }
}

/// The text is no heuristic.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeuristicError {
    /// There is no such name.
    #[error("there is no heuristic '{found}': the heuristics are {}", .names.join(", "))]
    Unknown {
        /// The name.
        found: String,
        /// Those that there are.
        names: Vec<&'static str>,
    },
    /// A weight is no number.
    #[error(transparent)]
    Weight(#[from] ValueError),
    /// Something else was expected.
    #[error(
        "'{text}': {expected} expected at '{rest}'; combine heuristics as max(blocking,advanced-admissible) or \
         blocking+0.5*distance"
    )]
    Syntax {
        /// The whole text.
        text: String,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        rest: String,
    },
    /// Too many combinations within combinations.
    #[error("combinations of heuristics are at most {DEEPEST} deep")]
    TooDeep,
}

impl FromStr for Heuristic {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<Heuristic, HeuristicError> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut reader = Reader { text: &text, rest: &text, depth: 0 };
        let heuristic = reader.sum()?;
        if !reader.rest.is_empty() {
            return Err(reader.wrong("'+' or the end"));
        }
        Ok(heuristic)
    }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn wrong(&self, expected: &'static str) -> HeuristicError {
        let rest = if self.rest.is_empty() { "the end" } else { self.rest };
        HeuristicError::Syntax { text: self.text.to_owned(), expected, rest: rest.to_owned() }
    }

    fn takes(&mut self, mark: &str) -> bool {
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Takes as long as it may.
    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !test(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> Result<Heuristic, HeuristicError> {
        if self.depth == DEEPEST {
            return Err(HeuristicError::TooDeep);
        }
        self.depth += 1;
        let mut parts = vec![self.weighted()?];
        while self.takes("+") {
            parts.push(self.weighted()?);
        }
        self.depth -= 1;
        match parts.as_slice() {
            [(Value::ONE, _)] => Ok(parts.remove(0).1),
            _ => Ok(Heuristic::Sum(parts)),
        }
    }

    fn weighted(&mut self) -> Result<(Value, Heuristic), HeuristicError> {
        let number = self.take_while(|c| c.is_ascii_digit() || c == '.');
        if number.is_empty() {
            return Ok((Value::ONE, self.part()?));
        }
        let weight = number.parse()?;
        if !self.takes("*") {
            return Err(self.wrong("'*' and a heuristic"));
        }
        Ok((weight, self.part()?))
    }

    fn part(&mut self) -> Result<Heuristic, HeuristicError> {
        if self.takes("(") {
            let inner = self.sum()?;
            return if self.takes(")") { Ok(inner) } else { Err(self.wrong("')'")) };
        }
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if name.is_empty() {
            return Err(self.wrong("a heuristic"));
        }
        if name == "max" && self.takes("(") {
            let mut parts = vec![self.sum()?];
            while self.takes(",") {
                parts.push(self.sum()?);
            }
            return if self.takes(")") { Ok(Heuristic::Max(parts)) } else { Err(self.wrong("',' or ')'")) };
        }
        let named = Heuristic::named().find(|(known, _)| *known == name);
        named.map(|(_, heuristic)| heuristic).ok_or_else(|| HeuristicError::Unknown {
            found: name.to_owned(),
            names: Heuristic::names().collect(),
        })
    }
}
