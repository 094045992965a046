//! The comparison as charts.

use tailback::render::bars::{Bar, Bars, Panel, Scale};
use tailback::search::{Report, Verdict};

use super::Results;

pub fn bars(results: &Results) -> Bars {
    let is_cut = |report: &Report<()>| matches!(report.verdict, Verdict::Stopped { .. });
    let panel = |title: String, scale, value: &dyn Fn(&Report<()>) -> Option<f64>| Panel {
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
    let has_begun = |report: &Report<()>| report.counts.generated > 0;
    let nodes = panel("Nodes generated (logarithmic)".into(), Scale::Counts, &|report| {
        has_begun(report).then_some(report.counts.generated as f64)
    });
    let seconds = panel("Time (logarithmic)".into(), Scale::Seconds, &|report| {
        has_begun(report).then_some(report.elapsed.as_secs_f64())
    });
    let title = format!("Length of the solution in {}; the line is a shortest one", results.metric);
    let lengths =
        panel(title, Scale::Lengths, &|report| report.solution().map(|solution| f64::from(solution.cost)));
    let shortest = results.rows.iter().map(|row| row.distance.map(f64::from)).collect();

    let any_cut = results.rows.iter().flat_map(|row| &row.reports).any(is_cut);
    Bars {
        title: format!("Searches compared: {}", results.set),
        subtitle: format!(
            "{}{}{}",
            results.extent(),
            results.left_out().map_or(String::new(), |text| format!(": {text}")),
            if any_cut { "; pale bars are searches that were stopped" } else { "" }
        ),
        groups: results.rows.iter().map(|row| row.puzzle.name.clone()).collect(),
        series: results.methods.iter().map(ToString::to_string).collect(),
        panels: vec![nodes, seconds, Panel { marks: shortest, ..lengths }],
    }
}
