//! Formulas that were bred and are part of the program.
//!
//! Each is the `best.txt` of an experiment of `docs/experiments`, byte for byte;
//! `docs/evolution.md` has the command that breeds it again.

use super::{Facts, Heuristic, Named};
use crate::board::Metric;

struct Evolved {
    name: &'static str,
    source: &'static str,
    file: &'static str,
}

const EVOLVED: [Evolved; 2] = [
    Evolved {
        name: "evolved-6x6",
        source: "this project, bred by docs/experiments/6x6-tree.toml",
        file: include_str!("evolved-6x6.txt"),
    },
    Evolved {
        name: "evolved-8x8",
        source: "this project, bred by docs/experiments/8x8-tree.toml",
        file: include_str!("evolved-8x8.txt"),
    },
];

impl Evolved {
    /// The formula, which comes after the comments.
    fn formula(&self) -> &'static str {
        self.file.lines().last().unwrap_or_default()
    }

    fn heuristic(&self) -> Heuristic {
        let heuristic = self.formula().parse().expect("it is part of the program");
        Heuristic::Named(Box::new(Named { name: self.name.to_owned(), heuristic }))
    }
}

/// The names of all.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    EVOLVED.iter().map(|evolved| evolved.name)
}

/// The one with this name.
pub(super) fn find(name: &str) -> Option<Heuristic> {
    Some(EVOLVED.iter().find(|evolved| evolved.name == name)?.heuristic())
}

/// What is known of the one with this name.
pub(super) fn facts(named: &Named) -> Option<Facts> {
    let evolved = EVOLVED.iter().find(|evolved| evolved.name == named.name)?;
    let is_admissible = |metric| Some(named.heuristic.is_admissible(metric));
    Some(Facts {
        name: evolved.name,
        definition: evolved.formula(),
        source: evolved.source,
        admissible_in_moves: is_admissible(Metric::Moves),
        admissible_in_steps: is_admissible(Metric::Steps),
    })
}

impl Heuristic {
    /// Those that were bred and are part of the program.
    pub fn evolved() -> Vec<Heuristic> {
        EVOLVED.iter().map(Evolved::heuristic).collect()
    }
}
