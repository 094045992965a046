//! The rules of others, by name.

use std::str::FromStr;

use tailback::puzzles::PUZZLES;
use tailback::search::{Rule, RuleError, Rules};

use crate::shared::CommaList;

/// One thing that is done another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// By the search.
    Search(Rule),
    /// By the puzzle, which has a name for it.
    Puzzle(&'static str),
}

/// The names of what puzzles may do another way, and what each says.
fn variants() -> impl Iterator<Item = (&'static str, &'static str)> {
    PUZZLES.iter().flat_map(|puzzle| puzzle.variants()).copied()
}

/// All names, with what each says.
fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    Rule::ALL.into_iter().map(|(_, name, meaning)| (name, meaning)).chain(variants())
}

/// The names and what they say, for the help.
pub fn help() -> String {
    let lines = all().map(|(name, meaning)| format!("\n  {name:<19} {meaning}"));
    format!("Rules, to count as other programs do:{}", lines.collect::<String>())
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        if let Some((name, _)) = variants().find(|(name, _)| *name == text) {
            return Ok(Choice::Puzzle(name));
        }
        text.parse().map(Choice::Search).map_err(|error: RuleError| {
            let names: Vec<&str> = all().map(|(name, _)| name).collect();
            format!("{error}: the rules are {}", names.join(", "))
        })
    }
}

/// What a list of them comes to: the rules of the search, and those of the puzzle.
pub fn combined(choices: &CommaList<Choice>) -> (Rules, Vec<&'static str>) {
    let (mut rules, mut variants) = (Rules::default(), Vec::new());
    for choice in &choices.0 {
        match *choice {
            Choice::Search(rule) => rules = rules.with(rule),
            Choice::Puzzle(name) if variants.contains(&name) => {}
            Choice::Puzzle(name) => variants.push(name),
        }
    }
    (rules, variants)
}

/// The names of those that are not the usual ones, with commas between.
pub fn written(rules: Rules, variants: &[&'static str]) -> String {
    rules.changes().map(Rule::name).chain(variants.iter().copied()).collect::<Vec<_>>().join(",")
}
