//! The comparison as CSV and JSON, puzzle by puzzle: a set may be long.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;
use tailback::answers::Searched;
use tailback::board::Distance;
use tailback::lists::line;
use tailback::search::MethodTotals;

use super::groups::Group;
use super::measure::Measure;
use super::{Results, Row};
use crate::shared::output::to_json;
use crate::shared::{Failure, output};

/// A method, and what it took for all puzzles.
#[derive(Serialize)]
struct Run<'r> {
    algorithm: String,
    heuristic: Option<String>,
    totals: Sums<'r>,
}

#[derive(Serialize)]
struct Sums<'r> {
    #[serde(flatten)]
    totals: &'r MethodTotals,
    branching_factor: Option<f64>,
    seconds: f64,
}

/// A puzzle, and what each method took for it.
#[derive(Serialize)]
struct Outcome<'r> {
    puzzle: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'r str>,
    board: String,
    solvable: Option<bool>,
    distance: Option<Distance>,
    runs: Vec<Timed>,
}

/// A search, and between which times its runs lie if there were several.
#[derive(Serialize)]
struct Timed {
    #[serde(flatten)]
    searched: Searched,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_most: Option<f64>,
}

/// The means of a group.
#[derive(Serialize)]
struct GroupMeans<'r> {
    group: &'r str,
    puzzles: usize,
    runs: Vec<MethodMeans>,
}

/// The means of a method. If searches were stopped, those of nodes and time are
/// too low, and those of lengths and branching factors are of solved puzzles alone.
#[derive(Serialize)]
struct MethodMeans {
    algorithm: String,
    heuristic: Option<String>,
    stopped: usize,
    means: BTreeMap<String, Option<f64>>,
}

/// Prints what comes out as it comes.
pub struct Printer {
    is_json: bool,
    has_begun: bool,
}

impl Printer {
    /// As JSON one object: a list of the puzzles, then one of the methods, whose
    /// sums are known in the end. As CSV one line for each puzzle and method,
    /// under the names of the fields.
    pub fn new(is_json: bool) -> Printer {
        Printer { is_json, has_begun: false }
    }

    pub fn row(&mut self, results: &Results, row: &Row) -> std::io::Result<()> {
        let has_begun = std::mem::replace(&mut self.has_begun, true);
        output::text(&match (self.is_json, has_begun) {
            (true, false) => {
                let (set, metric) = (to_json(&results.set), to_json(&results.metric));
                let rules = match results.rules.as_str() {
                    "" => String::new(),
                    rules => format!("\"rules\":{},", to_json(&rules)),
                };
                let row = json_row(results, row);
                format!("{{\"set\":{set},\"metric\":{metric},{rules}\"results\":[{row}")
            }
            (true, true) => format!(",{}", json_row(results, row)),
            (false, has_begun) => {
                let rows = csv_rows(results, row);
                let head = rows.first().filter(|_| !has_begun);
                let head = head.map(|fields| line(',', fields.iter().map(|(name, _)| name)) + "\n");
                let lines = rows.iter().map(|fields| line(',', fields.iter().map(|(_, field)| field)) + "\n");
                head.into_iter().chain(lines).collect()
            }
        })
    }

    pub fn finish(self, results: &Results) -> std::io::Result<()> {
        if !self.is_json {
            return Ok(());
        }
        let runs = results.methods.iter().zip(&results.totals).map(|(method, totals)| Run {
            algorithm: method.algorithm.to_string(),
            heuristic: method.heuristic.as_ref().map(ToString::to_string),
            totals: Sums {
                totals,
                branching_factor: totals.branching_factor(),
                seconds: totals.elapsed.as_secs_f64(),
            },
        });
        let groups = match results.groups.is_empty() {
            true => String::new(),
            false => format!(",\"groups\":{}", to_json(&groups(results))),
        };
        output::text(&format!("],\"runs\":{}{groups}}}\n", to_json(&runs.collect::<Vec<_>>())))
    }

    /// Ends an object with an error instead. False says that it has not begun.
    pub fn fail(self, error: &Failure) -> std::io::Result<bool> {
        let is_open = self.is_json && self.has_begun;
        if is_open {
            output::text(&format!("],\"error\":{}}}\n", to_json(&error.text())))?;
        }
        Ok(is_open)
    }
}

fn groups(results: &Results) -> Vec<GroupMeans<'_>> {
    let of = |group: &Group| {
        let runs = results.methods.iter().zip(&group.means).map(|(method, means)| MethodMeans {
            algorithm: method.algorithm.to_string(),
            heuristic: method.heuristic.as_ref().map(ToString::to_string),
            stopped: means.stopped,
            means: Measure::value_variants()
                .iter()
                .map(|&measure| (measure.name(), means.of(measure)))
                .collect(),
        });
        runs.collect()
    };
    let groups = results.groups.iter();
    groups.map(|group| GroupMeans { group: &group.name, puzzles: group.puzzles, runs: of(group) }).collect()
}

fn json_row(results: &Results, row: &Row) -> String {
    to_json(&Outcome {
        puzzle: &row.puzzle.name,
        group: row.puzzle.group.as_deref(),
        board: row.puzzle.puzzle.text(),
        solvable: row.solvable(),
        distance: row.distance,
        runs: searches(results, row).collect(),
    })
}

/// For each method, the fields and their names.
fn csv_rows(results: &Results, row: &Row) -> Vec<Vec<(&'static str, String)>> {
    let row_of = |Timed { searched, seconds_least, seconds_most }: Timed| {
        let mut fields = vec![
            ("puzzle", row.puzzle.name.clone()),
            ("board", row.puzzle.puzzle.text()),
            ("metric", results.metric.to_string()),
            ("solvable", or_empty(row.solvable())),
            ("distance", or_empty(row.distance.and_then(Distance::known))),
            ("algorithm", searched.algorithm),
            ("heuristic", searched.heuristic.unwrap_or_default()),
            ("length", or_empty(searched.length)),
            ("generated", searched.counts.generated.to_string()),
            ("expanded", searched.counts.expanded.to_string()),
            ("distinct", or_empty(searched.counts.distinct)),
            ("stored", searched.counts.stored.to_string()),
            ("branching_factor", or_empty(searched.branching_factor)),
            ("proven_optimal", searched.proven_optimal.to_string()),
            ("stopped", or_empty(searched.stopped)),
            ("at_least", or_empty(searched.at_least)),
            ("seconds", searched.seconds.to_string()),
        ];
        let times = [("seconds_least", seconds_least), ("seconds_most", seconds_most)];
        fields.extend(times.into_iter().filter_map(|(name, time)| Some((name, time?.to_string()))));
        let group = row.puzzle.group.as_deref().unwrap_or_default();
        fields.extend(results.has_groups.then(|| ("group", group.to_owned())));
        fields.extend((!results.rules.is_empty()).then(|| ("rules", results.rules.clone())));
        fields
    };
    searches(results, row).map(row_of).collect()
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn searches(results: &Results, row: &Row) -> impl Iterator<Item = Timed> {
    let of_several = |time: Duration| (results.repeats > 1).then_some(time.as_secs_f64());
    let reports = row.reports.iter().zip(&row.spreads);
    results.methods.iter().zip(reports).map(move |(method, (report, spread))| Timed {
        searched: Searched::new(method, report),
        seconds_least: of_several(spread.least),
        seconds_most: of_several(spread.most),
    })
}
