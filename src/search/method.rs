//! Ways to search: an algorithm, and what guides it.

use std::fmt;

use super::{Algorithm, Blind, Domain, Guide, Limits, Report, Rules, run_by};

/// A way to search: an algorithm, and its heuristic if it takes one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Method<H> {
    /// How it goes on.
    pub algorithm: Algorithm,
    /// What guides it; an algorithm that is not guided ignores it.
    pub heuristic: Option<H>,
}

impl<H: Clone + PartialEq> Method<H> {
    /// Every algorithm with every heuristic, and those that take none once.
    /// Repeated ones are left out.
    pub fn all(algorithms: &[Algorithm], heuristics: &[H]) -> Vec<Method<H>> {
        let mut methods: Vec<Method<H>> = Vec::new();
        for &algorithm in algorithms {
            let guides: Vec<Option<H>> = match algorithm.is_guided() {
                true => heuristics.iter().cloned().map(Some).collect(),
                false => vec![None],
            };
            for heuristic in guides {
                let method = Method { algorithm, heuristic };
                if !methods.contains(&method) {
                    methods.push(method);
                }
            }
        }
        methods
    }
}

impl<H> Method<H> {
    /// Searches a way from `start` to a goal, by the guide that is made of the
    /// heuristic.
    pub fn run<'h, D: Domain, G: Guide<D>>(
        &'h self,
        rules: Rules,
        domain: &D,
        start: D::State,
        guide: impl FnOnce(&'h H) -> Result<G, G::Error>,
        limits: &Limits,
    ) -> Result<Report<D::Action>, G::Error> {
        match &self.heuristic {
            Some(heuristic) => run_by(rules, self.algorithm, domain, start, &mut guide(heuristic)?, limits),
            None => {
                let Ok(report) = run_by(rules, self.algorithm, domain, start, &mut Blind, limits);
                Ok(report)
            }
        }
    }
}

impl<H: fmt::Display> fmt::Display for Method<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.heuristic {
            Some(heuristic) => f.pad(&format!("{} {heuristic}", self.algorithm)),
            None => self.algorithm.fmt(f),
        }
    }
}
