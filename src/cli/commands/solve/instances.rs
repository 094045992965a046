//! Instances of other puzzles: they are searched, by the exact distance if nothing
//! else is named.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use tailback::answers::Searched;
use tailback::board::{Distance, Metric};
use tailback::puzzles::{Action, Instance, Method};
use tailback::search::{Algorithm, Limits, Report, Rules};

use super::Solve;
use super::search::SearchPlan;
use crate::shared::{Failure, Global, PuzzleSource, Result, heuristics, interrupt, output};

/// An instance with its solution, for machines.
#[derive(Serialize)]
struct Answer {
    puzzle: &'static str,
    name: String,
    instance: String,
    metric: Metric,
    /// None if the search was stopped.
    solvable: Option<bool>,
    /// None if it is not known.
    distance: Option<Distance>,
    solution: Option<Vec<String>>,
    search: Searched,
}

impl Solve {
    /// Solves one instance for people or machines, or a list for machines.
    pub(super) fn instances(&self, global: &Global, plan: Option<SearchPlan>) -> Result<()> {
        let puzzle = self.puzzle.named;
        if self.count {
            return Err(Failure::misused("--count is for boards: leave it out"));
        }
        interrupt::listen(interrupt::WITH_WHAT_IS_KNOWN)?;
        let metric = self.boards.metric;
        let oracle = self.puzzle.open(metric, self.boards.options.settings(global))?;
        let plan = match plan {
            Some(plan) => plan,
            None => {
                let heuristic = Some(heuristics::one(puzzle, "perfect")?);
                SearchPlan { method: Method { algorithm: Algorithm::A_STAR, heuristic }, metric }
            }
        };
        let limits = self.limits.limits()?;
        let source = match (&self.boards.file, self.boards.board.as_deref()) {
            (Some(path), _) => PuzzleSource::File(path.clone()),
            (None, Some("-")) => PuzzleSource::File(Path::new("-").into()),
            (None, text) => {
                let (_, instance) = oracle.read(text.unwrap_or_default())?;
                return self.one(global, &plan, &instance, &limits);
            }
        };
        let set = source.some_puzzles(&oracle, &self.boards.options.reader(global), None)?;
        for named in set.iter() {
            let report = search(&plan, &named.puzzle, &limits)?;
            let answer = self.answered(&plan, (named.name, &named.puzzle), &report);
            output::text(&(output::to_json(&answer) + "\n"))?;
            if interrupt::is_raised() {
                return Err(Failure::interrupted().after_answers());
            }
        }
        Ok(())
    }

    fn one(
        &self,
        global: &Global,
        plan: &SearchPlan,
        instance: &Arc<dyn Instance>,
        limits: &Limits,
    ) -> Result<()> {
        let report = search(plan, instance, limits)?;
        if global.json {
            output::json(&self.answered(plan, (String::new(), instance), &report))?;
        } else {
            let actions = report.solution().map_or(&[][..], |solution| &solution.actions);
            let colour = output::colour();
            output::text(&instance.drawing(colour))?;
            let shown = if self.draw || self.animate { actions.len() } else { 0 };
            for number in 1..=shown {
                let drawing = instance.drawn_after(&actions[..number], colour);
                output::text(&format!("\n{number}. {}\n{drawing}", actions[number - 1].words))?;
            }
            let list = output::listed(actions.iter().map(|action| action.words.clone()));
            let list = if actions.is_empty() { list } else { format!("\n{list}") };
            output::text(&(plan.in_words(&report) + &list))?;
        }
        report.stopped().map_or(Ok(()), |(reason, _)| Err(reason.into()))
    }

    fn answered(
        &self,
        plan: &SearchPlan,
        (name, instance): (String, &Arc<dyn Instance>),
        report: &Report<Action>,
    ) -> Answer {
        let solution = report.solution();
        Answer {
            puzzle: self.puzzle.named.name(),
            name,
            instance: instance.text(),
            metric: self.boards.metric,
            solvable: report.solvable(),
            distance: report.distance(),
            solution: solution
                .map(|solution| solution.actions.iter().map(|action| action.text.clone()).collect()),
            search: Searched::new(&plan.method, report),
        }
    }
}

fn search(plan: &SearchPlan, instance: &Arc<dyn Instance>, limits: &Limits) -> Result<Report<Action>> {
    Ok(instance.solve(&plan.method, Rules::default(), limits)?)
}
