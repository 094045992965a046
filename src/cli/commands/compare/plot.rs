//! The comparison as charts.

use tailback::board::Move;
use tailback::domains::rush_hour::{Comparison, Results};
use tailback::render::bars::{Bar, Bars, Panel, Scale};
use tailback::search::{Report, Verdict};

use super::extent;

pub fn bars(set: &str, comparison: &Comparison, results: &Results) -> Bars {
    let is_cut = |report: &Report<Move>| matches!(report.verdict, Verdict::Stopped { .. });
    let panel = |title: String, scale, value: &dyn Fn(&Report<Move>) -> Option<f64>| Panel {
        title,
        scale,
        bars: results
            .rows
            .iter()
            .map(|row| {
                let reports = row.reports.iter();
                let bar = |report| Some(Bar { value: value(report)?, is_cut: is_cut(report) });
                reports.map(bar).collect()
            })
            .collect(),
        marks: vec![None; results.rows.len()],
    };
    let has_begun = |report: &Report<Move>| report.counts.generated > 0;
    let nodes = panel("Nodes generated (logarithmic)".into(), Scale::Counts, &|report| {
        has_begun(report).then_some(report.counts.generated as f64)
    });
    let seconds = panel("Time (logarithmic)".into(), Scale::Seconds, &|report| {
        has_begun(report).then_some(report.elapsed.as_secs_f64())
    });
    let title = format!("Length of the solution in {}; the line is a shortest one", comparison.metric);
    let lengths =
        panel(title, Scale::Lengths, &|report| report.solution().map(|solution| f64::from(solution.cost)));
    let shortest = results.rows.iter().map(|row| row.distance.map(f64::from)).collect();

    let any_cut = results.rows.iter().flat_map(|row| &row.reports).any(is_cut);
    Bars {
        title: format!("Searches compared: {set}"),
        subtitle: format!(
            "{}{}",
            extent(comparison),
            if any_cut { "; pale bars are searches that were stopped" } else { "" }
        ),
        groups: comparison.puzzles.iter().map(|puzzle| puzzle.name.clone()).collect(),
        series: comparison.methods.iter().map(ToString::to_string).collect(),
        panels: vec![nodes, seconds, Panel { marks: shortest, ..lengths }],
    }
}
