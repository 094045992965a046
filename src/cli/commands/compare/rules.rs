//! The rules of others, by name.

use std::str::FromStr;

use tailback::domains::rush_hour::Exit;
use tailback::search::{Rule, RuleError, Rules};

use crate::cli::shared::CommaList;

/// One thing that is done another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// By the search.
    Search(Rule),
    /// By the puzzle: the exit is outside.
    Exit,
}

const EXIT: &str = "the primary has to leave the board: one cell further than its edge";

/// All names, with what each says.
fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_searches = Rule::ALL.into_iter().map(|(_, name, meaning)| (name, meaning));
    of_searches.chain([(Exit::OUTSIDE, EXIT)])
}

/// The names and what they say, for the help.
pub fn help() -> String {
    let lines = all().map(|(name, meaning)| format!("\n  {name:<19} {meaning}"));
    format!("Rules, to count as other programs do:{}", lines.collect::<String>())
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        if text == Exit::OUTSIDE {
            return Ok(Choice::Exit);
        }
        text.parse().map(Choice::Search).map_err(|error: RuleError| {
            let names: Vec<&str> = all().map(|(name, _)| name).collect();
            format!("{error}: the rules are {}", names.join(", "))
        })
    }
}

/// What a list of them comes to.
pub fn combined(choices: &CommaList<Choice>) -> (Rules, Exit) {
    let both = (Rules::default(), Exit::default());
    choices.0.iter().fold(both, |(rules, exit), choice| match choice {
        Choice::Search(rule) => (rules.with(*rule), exit),
        Choice::Exit => (rules, Exit::Outside),
    })
}

/// The names of those that are not the usual ones, with commas between.
pub fn written(rules: Rules, exit: Exit) -> String {
    let exit = (exit == Exit::Outside).then_some(Exit::OUTSIDE);
    rules.changes().map(Rule::name).chain(exit).collect::<Vec<_>>().join(",")
}
