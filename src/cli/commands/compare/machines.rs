//! The comparison as CSV and JSON.

use serde::Serialize;
use tailback::board::Metric;
use tailback::domains::rush_hour::{Comparison, Results, Row, Totals};

use crate::cli::shared::searched::Searched;

#[derive(Serialize)]
pub struct Json<'r> {
    set: &'r str,
    metric: Metric,
    runs: Vec<Run>,
    results: Vec<Outcome<'r>>,
}

/// A method, and what it took for all puzzles.
#[derive(Serialize)]
struct Run {
    algorithm: String,
    heuristic: Option<String>,
    totals: Sums,
}

#[derive(Serialize)]
struct Sums {
    solved: usize,
    optimal: usize,
    unsolvable: usize,
    stopped: usize,
    generated: u64,
    expanded: u64,
    branching_factor: Option<f64>,
    seconds: f64,
}

/// A puzzle, and what each method took for it.
#[derive(Serialize)]
struct Outcome<'r> {
    puzzle: &'r str,
    board: String,
    solvable: Option<bool>,
    distance: Option<u32>,
    runs: Vec<Searched>,
}

pub fn json<'r>(set: &'r str, comparison: &'r Comparison, results: &'r Results) -> Json<'r> {
    let runs = comparison.methods.iter().zip(&results.totals).map(|(method, totals)| Run {
        algorithm: method.algorithm.to_string(),
        heuristic: method.heuristic.as_ref().map(ToString::to_string),
        totals: Sums::new(totals),
    });
    let results = results.rows.iter().map(|row| Outcome {
        puzzle: &row.puzzle.name,
        board: row.puzzle.board.text(),
        solvable: row.solvable,
        distance: row.distance,
        runs: searches(comparison, row).collect(),
    });
    Json { set, metric: comparison.metric, runs: runs.collect(), results: results.collect() }
}

const CSV: &str = "puzzle,board,metric,solvable,distance,algorithm,heuristic,length,generated,expanded,distinct,\
    stored,branching_factor,proven_optimal,stopped,at_least,seconds";

/// One line for each puzzle and method, under the names of the fields.
pub fn csv(comparison: &Comparison, results: &Results) -> String {
    let mut out = format!("{CSV}\n");
    for row in &results.rows {
        for searched in searches(comparison, row) {
            let fields = [
                quoted(&row.puzzle.name),
                row.puzzle.board.text(),
                comparison.metric.to_string(),
                or_empty(row.solvable),
                or_empty(row.distance),
                searched.algorithm,
                quoted(&searched.heuristic.unwrap_or_default()),
                or_empty(searched.length),
                searched.generated.to_string(),
                searched.expanded.to_string(),
                or_empty(searched.distinct),
                searched.stored.to_string(),
                or_empty(searched.branching_factor),
                searched.proven_optimal.to_string(),
                or_empty(searched.stopped),
                or_empty(searched.at_least),
                searched.seconds.to_string(),
            ];
            out += &fields.join(",");
            out.push('\n');
        }
    }
    out
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// A field as RFC 4180 wants it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn searches<'r>(comparison: &'r Comparison, row: &'r Row) -> impl Iterator<Item = Searched> + 'r {
    comparison.methods.iter().zip(&row.reports).map(|(method, report)| Searched::new(method, report))
}

impl Sums {
    fn new(totals: &Totals) -> Sums {
        Sums {
            solved: totals.solved,
            optimal: totals.optimal,
            unsolvable: totals.unsolvable,
            stopped: totals.stopped,
            generated: totals.generated,
            expanded: totals.expanded,
            branching_factor: totals.branching_factor,
            seconds: totals.elapsed.as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_are_quoted() {
        let all = ["zero", "max(a,b)", "a \"name\"", ""].map(quoted);
        assert_eq!(all, ["zero", "\"max(a,b)\"", "\"a \"\"name\"\"\"", ""]);
    }
}
