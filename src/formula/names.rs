//! What goes by a name in formulas about one puzzle.

use super::{Evolved, Facts, Heuristic, Kind, Vocabulary};
use crate::board::Metric;

impl Vocabulary {
    /// All that have names, with what is known of them: the exact distance first,
    /// then patterns, guesses, conditions, features, what other programs have, and
    /// what evolution found.
    pub fn listed(&'static self) -> impl Iterator<Item = (Facts, Heuristic)> {
        use Kind::*;
        let blocks = self.of_kinds([Exact, Pattern, Guess, Condition, Feature, Foreign]);
        let blocks = blocks.map(|block| (*block.facts(), Heuristic::Block(block)));
        blocks.chain(
            self.evolved.iter().map(move |evolved| (self.facts_of(evolved), self.heuristic_of(evolved))),
        )
    }

    fn facts_of(&'static self, evolved: &Evolved) -> Facts {
        let heuristic = self.heuristic_of(evolved);
        let is_admissible = |metric| Some(heuristic.is_admissible(metric));
        Facts {
            kind: Kind::Evolved,
            name: evolved.name,
            definition: evolved.formula(),
            source: evolved.source,
            admissible_in_moves: is_admissible(Metric::Moves),
            admissible_in_steps: is_admissible(Metric::Steps),
        }
    }

    fn heuristic_of(&'static self, evolved: &Evolved) -> Heuristic {
        let heuristic = self.read(evolved.formula()).expect("it is part of the program");
        heuristic.named(evolved.name)
    }

    /// What goes by this name.
    pub(super) fn find(&'static self, name: &str) -> Option<Heuristic> {
        let evolved = || self.evolved.iter().find(|evolved| evolved.name == name);
        match self.block(name) {
            Some(block) => Some(Heuristic::Block(block)),
            None => evolved().map(|evolved| self.heuristic_of(evolved)),
        }
    }
}

impl Evolved {
    /// The formula, which comes after the comments.
    fn formula(&self) -> &'static str {
        self.file.lines().last().unwrap_or_default()
    }
}
