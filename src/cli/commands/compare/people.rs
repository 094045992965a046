//! The comparison as tables for people.

use std::io::IsTerminal;

use indicatif::HumanCount;
use tailback::domains::rush_hour::Method;
use tailback::search::{MethodTotals, Verdict};

use super::measure::{Measure, NONE};
use super::{Results, Row};
use crate::cli::shared::columns::{Cell, Column, Columns};
use crate::cli::shared::output;

pub fn text(results: &Results, measure: Measure) -> String {
    let width = if std::io::stdout().is_terminal() { output::width() } else { usize::MAX };
    shown(results, measure, |table| table.text(width))
}

pub fn markdown(results: &Results, measure: Measure) -> String {
    shown(results, measure, Columns::markdown)
}

/// Two tables, and what one has to know to read them.
fn shown(results: &Results, measure: Measure, show: impl Fn(&Columns) -> String) -> String {
    let caption = format!("{}, {}: {}", results.set, results.extent(), measure.title());
    let (puzzles, totals) = (puzzles(results, measure), totals(results));
    let notes = notes(results).map_or(String::new(), |notes| format!("\n{notes}\n"));
    format!("{caption}\n\n{}\n{}{notes}", show(&puzzles), show(&totals))
}

/// One row a puzzle, one column a method.
fn puzzles(results: &Results, measure: Measure) -> Columns {
    let column = |head: Vec<String>, cell: &dyn Fn(&Row) -> Cell| Column {
        head,
        cells: results.rows.iter().map(cell).collect(),
        is_words: false,
    };
    let names = column(vec!["puzzle".into()], &|row| row.puzzle.name.clone().into());
    let distances = column(vec![results.metric.to_string()], &|row| distance(row).into());
    let mut columns = vec![Column { is_words: true, ..names }, distances];
    for (index, method) in results.methods.iter().enumerate() {
        columns.push(column(head(method), &|row| Cell {
            text: measure.of(&row.reports[index]),
            suffix: row.excess(index).filter(|&n| n > 0).map_or(String::new(), |n| format!("+{n}")),
        }));
    }
    Columns { keys: 2, columns }
}

fn distance(row: &Row) -> String {
    match (row.solvable, row.distance) {
        (_, Some(distance)) => distance.to_string(),
        (Some(false), _) => "unsolvable".to_owned(),
        _ => NONE.to_owned(),
    }
}

fn head(method: &Method) -> Vec<String> {
    let heuristic = method.heuristic.iter().map(ToString::to_string);
    std::iter::once(method.algorithm.to_string()).chain(heuristic).collect()
}

/// One row a method.
fn totals(results: &Results) -> Columns {
    let column = |name: &str, cell: &dyn Fn(&MethodTotals) -> String| Column {
        head: vec![name.to_owned()],
        cells: results.totals.iter().map(|totals| cell(totals).into()).collect(),
        is_words: false,
    };
    let count = |count: u64| HumanCount(count).to_string();
    let methods = results.methods.iter().map(|method| method.to_string().into()).collect();
    let mut columns = vec![
        Column { head: vec!["all".to_owned()], cells: methods, is_words: true },
        column("solved", &|totals| totals.solved.to_string()),
        column("optimal", &|totals| totals.optimal.to_string()),
        column("stopped", &|totals| totals.stopped.to_string()),
        column("generated", &|totals| count(totals.generated)),
        column("expanded", &|totals| count(totals.expanded)),
        column("branching", &|totals| {
            totals.branching_factor().map_or(NONE.to_owned(), |factor| format!("{factor:.3}"))
        }),
        column("seconds", &|totals| format!("{:.3}", totals.elapsed.as_secs_f64())),
    ];
    if results.totals.iter().any(|totals| totals.unsolvable > 0) {
        columns.insert(3, column("unsolvable", &|totals| totals.unsolvable.to_string()));
    }
    Columns { keys: 1, columns }
}

/// What the marks in the table mean, if there are any.
fn notes(results: &Results) -> Option<String> {
    let methods = 0..results.methods.len();
    let any = |test: &dyn Fn(&Row, usize) -> bool| {
        results.rows.iter().any(|row| methods.clone().any(|method| test(row, method)))
    };
    let mut notes: Vec<String> = results.left_out().into_iter().collect();
    if any(&|row, method| row.excess(method).is_some_and(|n| n > 0)) {
        notes.push(format!("+n: so many {} longer than a shortest solution", results.metric));
    }
    if any(&|row, method| matches!(row.reports[method].verdict, Verdict::Stopped { .. })) {
        notes.push("> or -: stopped before the search knew".to_owned());
    }
    (!notes.is_empty()).then(|| notes.join("; ") + ".")
}
