//! The comparison as charts.

use tailback::render::bars::{Bar, Bars, Panel, Scale, Unit};
use tailback::search::{Report, Spread};

use super::measure::{Means, Measure, is_stopped};
use super::{Results, Row};

/// How charts look.
pub struct Look {
    /// What they show, from top to bottom.
    pub panels: Vec<Measure>,
    /// Instead of the name of the set.
    pub title: Option<String>,
    pub size: Option<(f64, f64)>,
    /// Logarithmic, or not? What suits a measure if nothing is said.
    pub is_logarithmic: Option<bool>,
    /// Groups instead of single puzzles?
    pub by_group: bool,
}

pub fn bars(results: &Results, look: &Look) -> Bars {
    let rows = || results.rows.iter();
    let panels: Vec<Panel> = look.panels.iter().map(|&measure| panel(results, look, measure)).collect();
    let any_cut = panels.iter().flat_map(|panel| panel.bars.iter().flatten().flatten()).any(|bar| bar.is_cut);
    let stopped = match any_cut {
        true if look.by_group => "; pale bars hold searches that were stopped",
        true => "; pale bars are searches that were stopped",
        false => "",
    };
    let left_out = results.left_out().filter(|_| !look.by_group);
    Bars {
        title: look.title.clone().unwrap_or_else(|| format!("Searches compared: {}", results.set)),
        subtitle: format!(
            "{}{}{}{stopped}",
            results.extent(),
            if look.by_group { ", means of groups" } else { "" },
            left_out.map_or(String::new(), |text| format!(": {text}")),
        ),
        groups: match look.by_group {
            true => results.groups.iter().map(|group| group.name.clone()).collect(),
            false => rows().map(|row| row.puzzle.name.clone()).collect(),
        },
        series: results.methods.iter().map(ToString::to_string).collect(),
        panels,
        size: look.size,
    }
}

fn panel(results: &Results, look: &Look, measure: Measure) -> Panel {
    let scale = Scale {
        unit: match measure {
            Measure::Seconds => Unit::Seconds,
            Measure::Branching => Unit::Fraction,
            _ => Unit::Whole,
        },
        is_logarithmic: look
            .is_logarithmic
            .unwrap_or(!matches!(measure, Measure::Length | Measure::Branching)),
    };
    let bars = match look.by_group {
        true => of_groups(results, measure),
        false => of_puzzles(results, measure),
    };
    let marks = match (measure, look.by_group) {
        (Measure::Length, true) => results.groups.iter().map(|group| group.distance()).collect(),
        (Measure::Length, false) => {
            results.rows.iter().map(|row| row.distance?.known().map(f64::from)).collect()
        }
        _ => vec![None; bars.len()],
    };
    Panel { title: title(results, measure, scale), scale, bars, marks }
}

fn title(results: &Results, measure: Measure, scale: Scale) -> String {
    let name = match measure {
        Measure::Length => {
            format!("Length of the solution in {}; the line is a shortest one", results.metric)
        }
        Measure::Seconds if is_repeated(results, measure) => {
            format!(
                "Time, median of {} runs; the line goes from the shortest to the longest",
                results.repeats
            )
        }
        Measure::Seconds => "Time".to_owned(),
        measure => {
            let (first, others) = measure.title().split_at(1);
            first.to_uppercase() + others
        }
    };
    if scale.is_logarithmic { format!("{name} (logarithmic)") } else { name }
}

/// Are the times of several runs shown?
fn is_repeated(results: &Results, measure: Measure) -> bool {
    results.repeats > 1 && measure == Measure::Seconds
}

fn of_puzzles(results: &Results, measure: Measure) -> Vec<Vec<Option<Bar>>> {
    let bar = |(report, &Spread { least, most }): (&Report<()>, &Spread)| {
        let spread = is_repeated(results, measure).then_some((least.as_secs_f64(), most.as_secs_f64()));
        Some(Bar { value: measure.value(report)?, is_cut: is_stopped(report), spread })
    };
    let bars = |row: &Row| row.reports.iter().zip(&row.spreads).map(bar).collect();
    results.rows.iter().map(bars).collect()
}

fn of_groups(results: &Results, measure: Measure) -> Vec<Vec<Option<Bar>>> {
    let bar = |means: &Means| {
        let spread = is_repeated(results, measure).then(|| means.spread());
        Some(Bar { value: means.of(measure)?, is_cut: means.stopped > 0, spread })
    };
    results.groups.iter().map(|group| group.means.iter().map(bar).collect()).collect()
}
