//! Everything that goes by a name.

use super::{Condition, Facts, Heuristic, Measure, PATTERN, PERFECT, Pattern, evolved};

/// Every name that can be read.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    blocks().map(|(name, _)| name).chain(evolved::names())
}

fn blocks() -> impl Iterator<Item = (&'static str, Heuristic)> {
    let blocks = Heuristic::all().into_iter().chain(Heuristic::features()).chain(Heuristic::foreign());
    let all = blocks.chain([Heuristic::Pattern(Pattern::USUAL), Heuristic::Perfect]);
    all.filter_map(|heuristic| Some((heuristic.facts()?.name, heuristic)))
}

impl Heuristic {
    /// Every name that can be read.
    pub fn names() -> impl Iterator<Item = &'static str> {
        names()
    }

    /// The one with this name.
    pub(super) fn find(name: &str) -> Option<Heuristic> {
        let block = blocks().find(|(known, _)| *known == name).map(|(_, heuristic)| heuristic);
        block.or_else(|| evolved::find(name))
    }

    /// What is known of it, if it is a building block or part of the program.
    pub fn facts(&self) -> Option<Facts> {
        match self {
            Heuristic::Measure(measure) => Some(measure.facts()),
            Heuristic::Condition(condition) => Some(condition.facts()),
            Heuristic::Pattern(_) => Some(PATTERN),
            Heuristic::Perfect => Some(PERFECT),
            Heuristic::Named(named) => evolved::facts(named),
            _ => None,
        }
    }

    /// All that there is to tell of: the exact distance, patterns, guesses,
    /// conditions, features, what other programs have, and what was bred.
    pub fn listed() -> impl Iterator<Item = Heuristic> {
        [Heuristic::Perfect, Heuristic::Pattern(Pattern::USUAL)]
            .into_iter()
            .chain(Heuristic::all())
            .chain(Heuristic::features())
            .chain(Heuristic::foreign())
            .chain(Heuristic::evolved())
    }

    /// All that are computed from the board, without its exact distance or
    /// that of a part of it: guesses, then conditions.
    pub fn all() -> Vec<Heuristic> {
        let is_ours = |measure: &Measure| !measure.is_feature() && !measure.is_foreign();
        let guesses = Measure::ALL.into_iter().filter(is_ours);
        let conditions = Condition::ALL.into_iter().map(Heuristic::Condition);
        guesses.map(Heuristic::Measure).chain(conditions).collect()
    }

    /// The features of a board, for formulas.
    pub fn features() -> Vec<Heuristic> {
        Measure::ALL.into_iter().filter(|measure| measure.is_feature()).map(Heuristic::Measure).collect()
    }

    /// What other programs take some of these for.
    pub fn foreign() -> Vec<Heuristic> {
        Measure::ALL.into_iter().filter(|measure| measure.is_foreign()).map(Heuristic::Measure).collect()
    }
}
