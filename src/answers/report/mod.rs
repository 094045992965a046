//! What came of experiments, for people: tables, charts, and a page that has both.

mod charts;
mod html;

pub use charts::{Figure, Figures};
pub use html::page;

use crate::evolution::{ExperimentReport, Kind, Method, Quartiles, Report};

/// What the experiments are called; with their folders, if two share a name.
pub fn labels(report: &Report) -> Vec<String> {
    let all = &report.experiments;
    let is_shared = |name: &str| all.iter().filter(|experiment| experiment.name == name).count() > 1;
    let label = |experiment: &ExperimentReport| match is_shared(&experiment.name) {
        true => format!("{} ({})", experiment.name, experiment.folder.display()),
        false => experiment.name.clone(),
    };
    all.iter().map(label).collect()
}

/// On what methods are compared.
pub fn searched(experiment: &ExperimentReport) -> String {
    let ExperimentReport { set, test_boards, seen_boards, searched_boards, algorithm, node_limit, .. } =
        experiment;
    let (boards, searched) = (grouped(*test_boards as u64), grouped(*searched_boards as u64));
    let mut text = match set {
        None => format!("{boards} test boards, {searched} of them searched by {algorithm}"),
        Some(set) => format!("{boards} boards of {set}, searched by {algorithm}"),
    };
    if let Some(most) = node_limit {
        text += &format!(", each with {} nodes at most", grouped(*most));
    }
    if *seen_boards > 0 {
        text += &format!("; {} have the family of a training board", grouped(*seen_boards as u64));
    }
    text
}

/// The heads of tables of methods.
pub const HEADS: [&str; 7] = ["method", "sq. error", "disorder", "nodes", "of blind", "solved", "length"];

/// A row of a table of methods.
pub type Row = [String; HEADS.len()];
/// Formats the quartiles of several runs, each number by the function.
pub type Middle<'m> = &'m dyn Fn(Quartiles, &dyn Fn(f64) -> String) -> String;

/// The methods of an experiment, fewest nodes first; the best of the runs among
/// them, and the middle of all runs if there are several.
pub fn rows(experiment: &ExperimentReport, middle: Middle) -> Vec<(Kind, Row)> {
    let row = |method: &Method| (method.kind, row(experiment, method));
    let mut rows: Vec<(f64, (Kind, Row))> =
        methods(experiment).into_iter().map(|method| (method.scores.nodes as f64, row(method))).collect();
    if experiment.runs.len() > 1 {
        rows.push((experiment.evolved.nodes.median, (Kind::Evolved, middle_row(experiment, middle))));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What needs no breeding, and the best of the runs.
fn methods(experiment: &ExperimentReport) -> Vec<&Method> {
    experiment.baselines.iter().chain([&experiment.best_run().champion]).collect()
}

/// What a method is called in tables and charts.
fn name(experiment: &ExperimentReport, method: &Method) -> String {
    match method.kind {
        Kind::HandMade => format!("by hand: {}", method.name),
        Kind::Evolved => format!("evolved, best (run {})", experiment.best_run().run),
        Kind::Blind | Kind::Block | Kind::LeastSquares => method.name.clone(),
    }
}

fn row(experiment: &ExperimentReport, method: &Method) -> Row {
    let scores = &method.scores;
    [
        name(experiment, method),
        decimals(scores.squared_error),
        percent(scores.disorder),
        whole(scores.nodes as f64),
        against_blind(experiment, scores.against_blind),
        percent(scores.solved),
        scores.length.map_or("-".to_owned(), decimals),
    ]
}

fn middle_row(experiment: &ExperimentReport, middle: Middle) -> Row {
    let evolved = &experiment.evolved;
    [
        format!("evolved, median of {} runs", experiment.runs.len()),
        middle(evolved.squared_error, &decimals),
        middle(evolved.disorder, &percent),
        middle(evolved.nodes, &whole),
        middle(evolved.against_blind, &|share| against_blind(experiment, share)),
        middle(evolved.solved, &percent),
        evolved.length.map_or("-".to_owned(), |length| middle(length, &decimals)),
    ]
}

/// A share of the nodes of the blind searches, with a mark if that is not all of them.
fn against_blind(experiment: &ExperimentReport, share: f64) -> String {
    format!("{}{}", percent(share), if experiment.blind_stopped > 0 { "†" } else { "" })
}

/// What the mark means, if there is one.
pub fn blind_note(experiment: &ExperimentReport) -> Option<String> {
    let ExperimentReport { blind_stopped, searched_boards, .. } = experiment;
    (*blind_stopped > 0).then(|| {
        format!(
            "† {blind_stopped} of {searched_boards} blind searches were stopped and count with their nodes up to \
             there: the true share is smaller, unless the method was stopped, too."
        )
    })
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}

fn decimals(number: f64) -> String {
    if number < 10_000.0 { format!("{number:.3}") } else { whole(number) }
}

fn whole(number: f64) -> String {
    grouped(number.round() as u64)
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
