//! The comparison as tables for people, on a terminal or on paper.

use std::io::IsTerminal;

use indicatif::HumanCount;
use tailback::puzzles::Method;
use tailback::search::{MethodTotals, Spread};

use super::groups::Group;
use super::measure::{Measure, NONE};
use super::{Results, Row};
use crate::shared::columns::{self, Cell, Column, Columns};
use crate::shared::output;

pub fn text(results: &Results, view: &View) -> String {
    let width = if std::io::stdout().is_terminal() { output::width() } else { usize::MAX };
    shown(results, view, |table| table.text(width))
}

pub fn markdown(results: &Results, view: &View) -> String {
    shown(results, view, Columns::markdown)
}

/// Tables of `booktabs`, each with its caption.
pub fn latex(results: &Results, view: &View) -> String {
    let caption = format!("{}. {}", view.caption(results), notes(results, view).unwrap_or_default());
    let mut out = String::from("% In the preamble: \\usepackage{booktabs}\n");
    for (caption, table) in [caption, "The same searches, all puzzles together.".to_owned()]
        .into_iter()
        .zip([tables(results, view), vec![totals(results)]])
    {
        out += "\\begin{table}\n  \\centering\n  \\small\n";
        out += &format!("  \\caption{{{}}}\n", columns::latex(caption.trim_end()));
        out += &table.iter().map(Columns::latex).collect::<Vec<_>>().join("\n  \\bigskip\n\n");
        out += "\\end{table}\n";
    }
    out
}

/// What tables show.
pub struct View {
    pub measure: Measure,
    /// Groups instead of single puzzles?
    pub by_group: bool,
}

impl View {
    fn caption(&self, results: &Results) -> String {
        format!("{}, {}: {}", output::printable(&results.set), results.extent(), self.measure.title())
    }
}

/// The tables, and what one has to know to read them.
fn shown(results: &Results, view: &View, show: impl Fn(&Columns) -> String) -> String {
    let all = tables(results, view).into_iter().chain([totals(results)]);
    let tables = all.map(|table| show(&table)).collect::<Vec<_>>().join("\n");
    let notes = notes(results, view).map_or(String::new(), |notes| format!("\n{notes}\n"));
    format!("{}\n\n{tables}{notes}", view.caption(results))
}

/// Of the puzzles, and of their groups.
fn tables(results: &Results, view: &View) -> Vec<Columns> {
    let puzzles = (!view.by_group).then(|| puzzles(results, view.measure));
    let groups = (!results.groups.is_empty()).then(|| groups(results, view.measure));
    puzzles.into_iter().chain(groups).collect()
}

/// One row a group, one column a method: means.
fn groups(results: &Results, measure: Measure) -> Columns {
    let column = |head, cell: &dyn Fn(&Group) -> String| Column::of_rows(head, &results.groups, cell);
    let names = column(vec!["mean of".into()], &|group| group.name.clone());
    let mean = |group: &Group| group.distance().map_or(NONE.to_owned(), |mean| format!("{mean:.1}"));
    let mut columns = vec![
        Column { is_words: true, ..names },
        column(vec!["puzzles".into()], &|group| group.puzzles.to_string()),
        column(vec![results.metric.to_string()], &mean),
    ];
    for (index, method) in results.methods.iter().enumerate() {
        columns.push(column(head(method), &|group| group.means[index].written(measure)));
    }
    Columns { keys: 3, columns }
}

/// One row a puzzle, one column a method.
fn puzzles(results: &Results, measure: Measure) -> Columns {
    let column = |head, cell: &dyn Fn(&Row) -> Cell| Column::of_rows(head, &results.rows, cell);
    let names = column(vec!["puzzle".into()], &|row| row.puzzle.name.clone().into());
    let distances = column(vec![results.metric.to_string()], &|row| distance(row).into());
    let mut columns = vec![Column { is_words: true, ..names }, distances];
    for (index, method) in results.methods.iter().enumerate() {
        columns.push(column(head(method), &|row| Cell {
            text: measure.of(&row.reports[index]),
            suffix: row.excess(index).filter(|&n| n > 0).map_or(String::new(), |n| format!("+{n}"))
                + &spread(results, row, index, measure),
        }));
    }
    Columns { keys: 2, columns }
}

/// The shortest and the longest time of a search that was repeated.
fn spread(results: &Results, row: &Row, index: usize, measure: Measure) -> String {
    let Spread { least, most } = row.spreads[index];
    match results.repeats > 1 && measure == Measure::Seconds {
        true => format!(" [{:.6}, {:.6}]", least.as_secs_f64(), most.as_secs_f64()),
        false => String::new(),
    }
}

fn distance(row: &Row) -> String {
    row.distance.map_or(NONE.to_owned(), |distance| distance.to_string())
}

fn head(method: &Method) -> Vec<String> {
    let heuristic = method.heuristic.iter().map(ToString::to_string);
    std::iter::once(method.algorithm.to_string()).chain(heuristic).collect()
}

/// One row a method.
fn totals(results: &Results) -> Columns {
    let column = |name: &str, cell: &dyn Fn(&MethodTotals) -> String| {
        Column::of_rows(vec![name.to_owned()], &results.totals, cell)
    };
    let count = |count: u64| HumanCount(count).to_string();
    // What stopped searches would have added is not in the sum.
    let more = |totals: &MethodTotals| if totals.stopped > 0 { ">" } else { "" }.to_owned();
    let methods = Column::of_rows(vec!["all".to_owned()], &results.methods, Method::to_string);
    let mut columns = vec![
        Column { is_words: true, ..methods },
        column("solved", &|totals| totals.solved.to_string()),
        column("optimal", &|totals| totals.optimal.to_string()),
        column("stopped", &|totals| totals.stopped.to_string()),
        column("generated", &|totals| more(totals) + &count(totals.generated)),
        column("expanded", &|totals| more(totals) + &count(totals.expanded)),
        column("branching", &|totals| match totals.branching_factor() {
            None => NONE.to_owned(),
            Some(factor) if totals.stopped > 0 => format!("{factor:.3}*"),
            Some(factor) => format!("{factor:.3}"),
        }),
        column("seconds", &|totals| format!("{}{:.3}", more(totals), totals.elapsed.as_secs_f64())),
    ];
    if results.totals.iter().any(|totals| totals.unsolvable > 0) {
        columns.insert(3, column("unsolvable", &|totals| totals.unsolvable.to_string()));
    }
    Columns { keys: 1, columns }
}

/// What the marks in the table mean, if there are any.
fn notes(results: &Results, view: &View) -> Option<String> {
    let methods = 0..results.methods.len();
    let any = |test: &dyn Fn(&Row, usize) -> bool| {
        results.rows.iter().any(|row| methods.clone().any(|method| test(row, method)))
    };
    let mut notes: Vec<String> = results.left_out().into_iter().filter(|_| !view.by_group).collect();
    if !view.by_group && any(&|row, method| row.excess(method).is_some_and(|n| n > 0)) {
        notes.push(format!("+n: so many {} longer than a shortest solution", results.metric));
    }
    if results.repeats > 1 {
        let ends =
            if view.measure == Measure::Seconds { ", in brackets the shortest and the longest" } else { "" };
        notes.push(format!("times: the median of {} runs{ends}", results.repeats));
    }
    if results.totals.iter().any(|totals| totals.stopped > 0) {
        if results.totals.iter().any(|totals| totals.solved > 0) {
            notes.push("*: of the solved puzzles alone".to_owned());
        }
        notes.push("> or -: stopped before the search knew".to_owned());
    }
    (!notes.is_empty()).then(|| notes.join("; ") + ".")
}
