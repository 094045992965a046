//! By whose rules a search goes on and counts.
//!
//! Published counts of nodes differ because programs differ in small things. Each
//! of them is a rule here, so that a table can be made again as its program made
//! it. The default is what `docs/search.md` describes.

use std::fmt;
use std::str::FromStr;

/// The small things in which programs differ.
///
/// ```
/// use tailback::search::{GoalTest, Rules, Ties};
///
/// let rules = Rules { ties: Ties::Oldest, reopens: false, ..Rules::default() };
/// assert_eq!(rules.to_string(), "oldest-first,no-reopening");
/// assert_eq!(Rules::default().goal_test, GoalTest::TakenOut);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// When is a node found to be a goal?
    pub goal_test: GoalTest,
    /// Which of equally good nodes do best-first searches take?
    pub ties: Ties,
    /// Does A* expand a state again when a cheaper way to it turns up?
    pub reopens: bool,
}

/// When a node is found to be a goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum GoalTest {
    /// When it is taken out to be expanded.
    #[default]
    TakenOut,
    /// As soon as it is generated: what its parent would have produced after it
    /// is not.
    Generated,
}

/// Which of equally good nodes comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Ties {
    /// The newest.
    #[default]
    Newest,
    /// The oldest.
    Oldest,
    /// The newest, but a goal only when no other is as good. With a consistent
    /// guide no order takes more nodes, and the count depends on nothing else.
    GoalLast,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { goal_test: GoalTest::default(), ties: Ties::default(), reopens: true }
    }
}

/// One thing that is done another way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// [`GoalTest::Generated`].
    GoalAtGeneration,
    /// [`Ties::Oldest`].
    OldestFirst,
    /// [`Ties::GoalLast`].
    GoalLast,
    /// Expanded states are never expanded again.
    NoReopening,
}

impl Rule {
    /// All of them, with what each says.
    pub const ALL: [(Rule, &'static str, &'static str); 4] = [
        (
            Rule::GoalAtGeneration,
            "goal-at-generation",
            "a goal ends the search as soon as it is generated, not when it is taken out",
        ),
        (Rule::OldestFirst, "oldest-first", "of equally good nodes the oldest is taken, not the newest"),
        (Rule::GoalLast, "goal-last", "a goal is taken only when no other node is as good"),
        (Rule::NoReopening, "no-reopening", "a node that was expanded never is again, however cheap the way"),
    ];

    /// As it is written.
    pub fn name(self) -> &'static str {
        Rule::ALL[self as usize].1
    }

    /// Is it about best-first searches alone?
    pub fn is_of_best_first(self) -> bool {
        self != Rule::GoalAtGeneration
    }
}

/// There is no such rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no rule '{found}'")]
pub struct RuleError {
    /// The text.
    pub found: String,
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        let known = Rule::ALL.into_iter().find(|(_, name, _)| *name == text);
        known.map(|(rule, ..)| rule).ok_or_else(|| RuleError { found: text.to_owned() })
    }
}

impl Rules {
    /// The same with one thing done another way.
    #[must_use]
    pub fn with(self, rule: Rule) -> Rules {
        match rule {
            Rule::GoalAtGeneration => Rules { goal_test: GoalTest::Generated, ..self },
            Rule::OldestFirst => Rules { ties: Ties::Oldest, ..self },
            Rule::GoalLast => Rules { ties: Ties::GoalLast, ..self },
            Rule::NoReopening => Rules { reopens: false, ..self },
        }
    }

    /// What is not as by default.
    pub fn changes(self) -> impl Iterator<Item = Rule> {
        let ties = match self.ties {
            Ties::Newest => None,
            Ties::Oldest => Some(Rule::OldestFirst),
            Ties::GoalLast => Some(Rule::GoalLast),
        };
        let goal = (self.goal_test == GoalTest::Generated).then_some(Rule::GoalAtGeneration);
        [goal, ties, (!self.reopens).then_some(Rule::NoReopening)].into_iter().flatten()
    }

    /// Does a best-first search by these rules prove what it finds? Others may
    /// pass a cheaper way by.
    pub(super) fn are_exact(self) -> bool {
        self.goal_test == GoalTest::TakenOut && self.reopens
    }
}

/// The names of what is not as by default, with commas between.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.changes().map(Rule::name).collect();
        f.pad(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_and_written() {
        for (index, (rule, name, _)) in Rule::ALL.into_iter().enumerate() {
            assert_eq!((rule as usize, rule.name(), name.parse()), (index, name, Ok(rule)));
            assert_eq!(Rules::default().with(rule).to_string(), name);
        }
        assert_eq!(Rules::default().to_string(), "");
        assert!("newest".parse::<Rule>().is_err());
    }
}
