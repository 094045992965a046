//! Heuristics read from text: names, numbers, `+ - * /`, `max(…)`, `min(…)`,
//! `if(…)`, `rules(…)`, and tests with `<= >= and or not`.

use super::{Block, Heuristic, Kind, Part, Test, Vocabulary};
use crate::search::{Value, ValueError};

/// Levels of parts, and brackets within brackets.
const DEEPEST: usize = 60;

/// The text is no heuristic.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeuristicError {
    /// There is no such name.
    #[error("there is no heuristic '{found}'{}: the heuristics are {}", hint(.found, .names), .names.join(", "))]
    Unknown {
        /// The name.
        found: String,
        /// Those that there are.
        names: Vec<&'static str>,
    },
    /// A weight is no number.
    #[error(transparent)]
    Weight(#[from] ValueError),
    /// The number of states of a pattern does not fit.
    #[error("{name} has a whole number of states from 1 to {most}, such as {name}:1000, not '{found}'")]
    Pattern {
        /// The name of the pattern.
        name: &'static str,
        /// The largest number.
        most: u32,
        /// What was given.
        found: String,
    },
    /// Something else was expected.
    #[error("'{text}': {expected} expected at '{rest}'; combine heuristics as {examples}")]
    Syntax {
        /// The whole text.
        text: String,
        /// What should be there.
        expected: String,
        /// What is there.
        rest: String,
        /// Formulas that are right.
        examples: &'static str,
    },
    /// Too many combinations within combinations.
    #[error("combinations of heuristics are at most {DEEPEST} deep")]
    TooDeep,
}

/// Advice for a name that looks like a difference.
fn hint(found: &str, names: &[&str]) -> &'static str {
    let is_term = |text: &str| names.contains(&text) || text.bytes().all(|byte| byte.is_ascii_digit());
    let is_minus = |(at, _): (usize, &str)| is_term(&found[..at]) && is_term(&found[at + 1..]);
    if found.match_indices('-').any(is_minus) { " (a minus has a space before it)" } else { "" }
}

impl Vocabulary {
    /// Reads a heuristic.
    pub fn read(&'static self, text: &str) -> Result<Heuristic, HeuristicError> {
        let mut reader = Reader { vocabulary: self, text, rest: text.trim_start(), depth: 0 };
        let heuristic = reader.number()?;
        shallow(Part::Number(&heuristic))?;
        reader.end(heuristic)
    }

    /// Reads a heuristic out of a file, such as the best of an experiment: lines that
    /// begin with `#` are comments.
    pub fn read_commented(&'static self, text: &str) -> Result<Heuristic, HeuristicError> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        self.read(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// Reads a test.
    pub fn read_test(&'static self, text: &str) -> Result<Test, HeuristicError> {
        let mut reader = Reader { vocabulary: self, text, rest: text.trim_start(), depth: 0 };
        let test = reader.truth()?;
        shallow(Part::Truth(&test))?;
        reader.end(test)
    }
}

/// A number or a truth value: where a bracket opens, either may follow.
enum Operand {
    Number(Heuristic),
    Truth(Test),
    /// A condition is both.
    Either(Block),
}

/// Reads a text from the left. Each method takes the space behind what it
/// reads.
struct Reader<'t> {
    vocabulary: &'static Vocabulary,
    text: &'t str,
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn wrong(&self, expected: &str) -> HeuristicError {
        let rest = if self.rest.is_empty() { "the end" } else { self.rest };
        HeuristicError::Syntax {
            text: self.text.trim().to_owned(),
            expected: expected.to_owned(),
            rest: rest.to_owned(),
            examples: self.vocabulary.examples,
        }
    }

    fn no_test(&self) -> HeuristicError {
        // The first guess is that there is nothing to do.
        let guess = self.vocabulary.blocks.iter().filter(|facts| facts.kind == Kind::Guess).nth(1);
        self.wrong(&format!("a test such as {}<=3", guess.map_or("1", |facts| facts.name)))
    }

    /// All of the text was read.
    fn end<T>(&self, read: T) -> Result<T, HeuristicError> {
        if self.rest.is_empty() { Ok(read) } else { Err(self.wrong("the end")) }
    }

    fn takes(&mut self, mark: &str) -> bool {
        let after = self.rest.strip_prefix(mark);
        self.rest = after.map_or(self.rest, str::trim_start);
        after.is_some()
    }

    fn expect(&mut self, mark: &'static str, expected: &'static str) -> Result<(), HeuristicError> {
        if self.takes(mark) { Ok(()) } else { Err(self.wrong(expected)) }
    }

    /// Takes a word such as `and`, which is not the start of a longer one.
    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = self.name_ahead() == word;
        if is_it {
            self.rest = self.rest[word.len()..].trim_start();
        }
        is_it
    }

    /// Takes as long as it may.
    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !test(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        taken
    }

    /// The name that comes next; empty if there is none. A name has letters,
    /// digits, `_`, and `-` between them.
    fn name_ahead(&self) -> &'t str {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !self.rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return "";
        }
        let mut end = 0;
        loop {
            let rest = &self.rest[end..];
            end += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            match self.rest[end..].strip_prefix('-') {
                Some(after) if after.starts_with(is_part) => end += 1,
                _ => return &self.rest[..end],
            }
        }
    }

    fn number(&mut self) -> Result<Heuristic, HeuristicError> {
        let start = self.rest;
        match self.anything()? {
            Operand::Number(number) => Ok(number),
            Operand::Either(condition) => Ok(Heuristic::Block(condition)),
            Operand::Truth(_) => Err(self.back_to(start).wrong("a number")),
        }
    }

    fn truth(&mut self) -> Result<Test, HeuristicError> {
        let start = self.rest;
        match self.anything()? {
            Operand::Truth(test) => Ok(test),
            Operand::Either(condition) => Ok(Test::Block(condition)),
            Operand::Number(_) => Err(self.back_to(start).no_test()),
        }
    }

    fn back_to(&mut self, start: &'t str) -> &Reader<'t> {
        self.rest = start;
        self
    }

    /// Tests with `or` between, or a number.
    fn anything(&mut self) -> Result<Operand, HeuristicError> {
        if self.depth == DEEPEST {
            return Err(HeuristicError::TooDeep);
        }
        self.depth += 1;
        let found =
            self.joined("or", Test::Or, |reader| reader.joined("and", Test::And, |reader| reader.negated()));
        self.depth -= 1;
        found
    }

    /// What stands alone, or several tests with a word between.
    fn joined(
        &mut self,
        word: &str,
        join: fn(Vec<Test>) -> Test,
        mut part: impl FnMut(&mut Reader<'t>) -> Result<Operand, HeuristicError>,
    ) -> Result<Operand, HeuristicError> {
        let mut start = self.rest;
        let mut found = part(self)?;
        let mut tests = Vec::new();
        while self.takes_word(word) {
            tests.push(self.test(found, start)?);
            start = self.rest;
            found = part(self)?;
        }
        if tests.is_empty() {
            return Ok(found);
        }
        tests.push(self.test(found, start)?);
        Ok(Operand::Truth(join(tests)))
    }

    fn test(&mut self, found: Operand, start: &'t str) -> Result<Test, HeuristicError> {
        match found {
            Operand::Truth(test) => Ok(test),
            Operand::Either(condition) => Ok(Test::Block(condition)),
            Operand::Number(_) => Err(self.back_to(start).no_test()),
        }
    }

    fn negated(&mut self) -> Result<Operand, HeuristicError> {
        let mut negations = 0;
        while self.takes_word("not") {
            negations += 1;
            if negations > DEEPEST {
                return Err(HeuristicError::TooDeep);
            }
        }
        let start = self.rest;
        let found = self.compared()?;
        if negations == 0 {
            return Ok(found);
        }
        let mut test = self.test(found, start)?;
        for _ in 0..negations {
            test = Test::Not(Box::new(test));
        }
        shallow(Part::Truth(&test))?;
        Ok(Operand::Truth(test))
    }

    fn compared(&mut self) -> Result<Operand, HeuristicError> {
        let start = self.rest;
        let found = self.sum()?;
        let compare: fn(Box<[Heuristic; 2]>) -> Test = match () {
            () if self.takes("<=") => Test::AtMost,
            () if self.takes(">=") => Test::AtLeast,
            () => return Ok(found),
        };
        let first = self.as_number(found, start)?;
        let start = self.rest;
        let second = self.sum()?;
        let second = self.as_number(second, start)?;
        Ok(Operand::Truth(compare(Box::new([first, second]))))
    }

    fn as_number(&mut self, found: Operand, start: &'t str) -> Result<Heuristic, HeuristicError> {
        match found {
            Operand::Number(number) => Ok(number),
            Operand::Either(condition) => Ok(Heuristic::Block(condition)),
            Operand::Truth(_) => Err(self.back_to(start).wrong("a number")),
        }
    }

    /// Terms with plus and minus between, or what stands alone.
    fn sum(&mut self) -> Result<Operand, HeuristicError> {
        let start = self.rest;
        let (weight, found) = self.term()?;
        if weight == Value::ONE && !self.rest.starts_with('+') && !self.is_at_minus() {
            return Ok(found);
        }
        let mut parts = vec![(weight, self.as_number(found, start)?)];
        loop {
            let is_minus = self.is_at_minus();
            if !self.takes(if is_minus { "-" } else { "+" }) {
                return Ok(Operand::Number(sum_of(parts)));
            }
            let start = self.rest;
            let (weight, found) = self.term()?;
            let part = (weight, self.as_number(found, start)?);
            if is_minus {
                let so_far = Heuristic::Minus(Box::new([sum_of(parts), sum_of(vec![part])]));
                shallow(Part::Number(&so_far))?;
                parts = vec![(Value::ONE, so_far)];
            } else {
                parts.push(part);
            }
        }
    }

    /// A minus, not an arrow.
    fn is_at_minus(&self) -> bool {
        self.rest.starts_with('-') && !self.rest.starts_with("->")
    }

    /// A weight and what it weighs, or a product.
    fn term(&mut self) -> Result<(Value, Operand), HeuristicError> {
        let number = self.take_while(|c| c.is_ascii_digit() || c == '.');
        if number.is_empty() {
            return Ok((Value::ONE, self.product()?));
        }
        let number = number.parse()?;
        if self.takes("*") {
            let start = self.rest;
            let found = self.product()?;
            return Ok((number, Operand::Number(self.as_number(found, start)?)));
        }
        let first = Operand::Number(Heuristic::Constant(number));
        Ok((Value::ONE, self.factors_after(first, self.rest)?))
    }

    fn product(&mut self) -> Result<Operand, HeuristicError> {
        let start = self.rest;
        let first = self.factor()?;
        self.factors_after(first, start)
    }

    fn factors_after(&mut self, first: Operand, start: &'t str) -> Result<Operand, HeuristicError> {
        let mut so_far = first;
        loop {
            let combine: fn(Box<[Heuristic; 2]>) -> Heuristic = match () {
                () if self.takes("*") => Heuristic::Times,
                () if self.takes("/") => Heuristic::Over,
                () => return Ok(so_far),
            };
            let first = self.as_number(so_far, start)?;
            let start = self.rest;
            let second = self.factor()?;
            let second = self.as_number(second, start)?;
            let both = combine(Box::new([first, second]));
            shallow(Part::Number(&both))?;
            so_far = Operand::Number(both);
        }
    }

    fn factor(&mut self) -> Result<Operand, HeuristicError> {
        if self.takes("(") {
            let inner = self.anything()?;
            self.expect(")", "')'")?;
            return Ok(inner);
        }
        let digits = self.take_while(|c| c.is_ascii_digit() || c == '.');
        if !digits.is_empty() {
            return Ok(Operand::Number(Heuristic::Constant(digits.parse()?)));
        }
        let name = self.name_ahead();
        if name.is_empty() {
            return Err(self.wrong("a heuristic"));
        }
        self.rest = self.rest[name.len()..].trim_start();
        let is_call = self.rest.starts_with('(');
        match name {
            "true" => Ok(Operand::Truth(Test::Constant(true))),
            "false" => Ok(Operand::Truth(Test::Constant(false))),
            "max" if is_call => Ok(Operand::Number(Heuristic::Max(self.numbers()?))),
            "min" if is_call => Ok(Operand::Number(Heuristic::Min(self.numbers()?))),
            "if" if is_call => Ok(Operand::Number(self.choice()?)),
            "rules" if is_call => Ok(Operand::Number(self.rules()?)),
            name => match self.vocabulary.find(name) {
                Some(Heuristic::Block(block)) if block.is_condition() => Ok(Operand::Either(block)),
                Some(Heuristic::Block(block)) => {
                    Ok(Operand::Number(Heuristic::Block(self.with_states(block)?)))
                }
                Some(heuristic) => Ok(Operand::Number(heuristic)),
                None => Err(HeuristicError::Unknown {
                    found: name.to_owned(),
                    names: self.vocabulary.names().collect(),
                }),
            },
        }
    }

    /// A pattern may have a number.
    fn with_states(&mut self, block: Block) -> Result<Block, HeuristicError> {
        if block.facts().kind != Kind::Pattern || !self.takes(":") {
            return Ok(block);
        }
        let [_, most] = self.vocabulary.pattern_states;
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(states) if (1..=most).contains(&states) => Ok(block.with_states(states)),
            _ => Err(HeuristicError::Pattern { name: block.facts().name, most, found: digits.to_owned() }),
        }
    }

    fn numbers(&mut self) -> Result<Vec<Heuristic>, HeuristicError> {
        self.expect("(", "'('")?;
        let mut parts = vec![self.number()?];
        while self.takes(",") {
            parts.push(self.number()?);
        }
        self.expect(")", "',' or ')'")?;
        Ok(parts)
    }

    fn choice(&mut self) -> Result<Heuristic, HeuristicError> {
        self.expect("(", "'('")?;
        let test = self.truth()?;
        self.expect(",", "','")?;
        let yes = self.number()?;
        self.expect(",", "','")?;
        let no = self.number()?;
        self.expect(")", "')'")?;
        Ok(Heuristic::If(Box::new((test, [yes, no]))))
    }

    fn rules(&mut self) -> Result<Heuristic, HeuristicError> {
        self.expect("(", "'('")?;
        let mut rules = Vec::new();
        loop {
            let start = self.rest;
            let found = self.anything()?;
            if !self.takes("->") {
                let last = self.as_number(found, start)?;
                self.expect(")", "'->' or ')'")?;
                return Ok(Heuristic::Rules(rules, Box::new(last)));
            }
            let test = self.test(found, start)?;
            rules.push((test, self.number()?));
            self.expect(";", "';' and the next rule, or the last value,")?;
        }
    }
}

/// Operations in a row nest like brackets: without a bound, a long text would
/// be too deep for whoever goes through its parts.
fn shallow(part: Part<'_>) -> Result<(), HeuristicError> {
    if part.depth() <= DEEPEST { Ok(()) } else { Err(HeuristicError::TooDeep) }
}

/// A single part without a weight is that part.
fn sum_of(mut parts: Vec<(Value, Heuristic)>) -> Heuristic {
    match parts.as_slice() {
        [(Value::ONE, _)] => parts.remove(0).1,
        _ => Heuristic::Sum(parts),
    }
}
