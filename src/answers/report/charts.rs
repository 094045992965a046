//! The charts of a report.

use super::{labels, methods, name, searched};
use crate::answers::formula_tree;
use crate::evolution::{Aim, ExperimentReport, Kind, Method, Outcome, Quartiles, Record, Report};
use crate::formula::Heuristic;
use crate::render::boxes::{Boxes, Row};
use crate::render::lines::{Lines, Point, Series};

/// The figures of a report.
pub struct Figures {
    /// Of each experiment.
    pub of_each: Vec<OfOne>,
    /// The share of formulas that differ.
    pub diversity: Figure,
    /// The size of formulas.
    pub parts: Figure,
}

/// The figures of one experiment.
pub struct OfOne {
    /// The cost of the best, generation by generation.
    pub cost: Figure,
    /// The nodes of searches, method by method.
    pub nodes: Figure,
    /// The best formula, unless it is a list of rules.
    pub tree: Option<Figure>,
}

/// A drawing, and the name of its files.
pub struct Figure {
    /// Without an ending.
    pub name: String,
    /// The drawing.
    pub svg: String,
}

impl Figures {
    /// Draws all of a report.
    pub fn of(report: &Report) -> Figures {
        let labels = labels(report);
        let of_one = |(number, experiment): (usize, &ExperimentReport)| {
            let label = &labels[number];
            // Only several experiments need a number each.
            let file = |what: &str| match report.experiments.len() {
                1 => what.to_owned(),
                _ => format!("{what}-{}", number + 1),
            };
            let best = experiment.best_run();
            let is_policy = matches!(best.champion.formula, Heuristic::Rules(..));
            let tree = (!is_policy).then(|| {
                let title = format!("The best of {label}");
                let subtitle = format!("run {}, {} parts", best.run, best.champion.formula.parts());
                formula_tree(title, subtitle, &best.champion.formula).svg()
            });
            OfOne {
                cost: Figure { name: file("cost"), svg: cost(experiment, label).svg() },
                nodes: Figure { name: file("nodes"), svg: nodes(experiment, label).svg() },
                tree: tree.map(|svg| Figure { name: file("tree"), svg }),
            }
        };
        let over_all = |name: &str, title: &str, label: &str, value: fn(&Record) -> f64| {
            let line = |(experiment, label): (&ExperimentReport, &String)| {
                series(label.clone(), &experiment.curve(value))
            };
            let lines = Lines {
                title: title.to_owned(),
                subtitle: MIDDLE.to_owned(),
                x_label: "generation".to_owned(),
                y_label: label.to_owned(),
                is_logarithmic: false,
                series: report.experiments.iter().zip(&labels).map(line).collect(),
            };
            Figure { name: name.to_owned(), svg: lines.svg() }
        };
        Figures {
            of_each: report.experiments.iter().enumerate().map(of_one).collect(),
            diversity: over_all("diversity", "Diversity", "share of formulas that differ", |r| r.diversity),
            parts: over_all("parts", "Size of formulas", "mean number of parts", |r| r.parts),
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Figure> {
        let of_each =
            self.of_each.iter().flat_map(|one| [&one.cost, &one.nodes].into_iter().chain(&one.tree));
        of_each.chain([&self.diversity, &self.parts])
    }
}

const MIDDLE: &str = "median of the runs; the band goes from quartile to quartile";

fn series(name: String, curve: &[Quartiles]) -> Series {
    let point = |(generation, at): (usize, &Quartiles)| Point {
        x: generation as f64,
        y: at.median,
        band: Some([at.lower, at.upper]),
    };
    Series { name, points: curve.iter().enumerate().map(point).collect() }
}

fn cost(experiment: &ExperimentReport, label: &str) -> Lines {
    Lines {
        title: format!("Cost of the best formula: {label}"),
        subtitle: MIDDLE.to_owned(),
        x_label: "generation".to_owned(),
        y_label: format!("{} (logarithmic)", cost_name(experiment.aim)),
        is_logarithmic: true,
        series: vec![
            series("training boards".to_owned(), &experiment.curve(|record| record.champion)),
            series("test boards".to_owned(), &experiment.curve(|record| record.test)),
        ],
    }
}

/// What the cost of an aim is.
pub fn cost_name(aim: Aim) -> &'static str {
    match aim {
        Aim::LeastSquares => "mean squared error",
        Aim::Rank => "share of pairs in the wrong order",
        Aim::RankWithin => "share of pairs of a family in the wrong order",
        Aim::Search => "weighted length, nodes and unsolved boards",
        Aim::Saved => "share of nodes that is left",
    }
}

/// What a kind of methods is called.
const KINDS: [(Kind, &str); 5] = [
    (Kind::Evolved, "evolved"),
    (Kind::Block, "building block"),
    (Kind::LeastSquares, "least squares"),
    (Kind::HandMade, "by hand"),
    (Kind::Blind, "blind"),
];

fn nodes(experiment: &ExperimentReport, label: &str) -> Boxes {
    let kind =
        |method: &Method| KINDS.iter().position(|(kind, _)| *kind == method.kind).expect("all are there");
    // The nodes of all boards together are what methods are sorted by.
    let row = |name: String, kind: usize, searches: &[Outcome], nodes: f64| {
        Some((nodes, Row { name, kind, spread: spread(searches)? }))
    };
    let mut rows: Vec<(f64, Row)> = (methods(experiment).into_iter())
        .filter_map(|method| {
            let (name, nodes) = (name(experiment, method), method.scores.nodes as f64);
            row(name, kind(method), &method.searches, nodes)
        })
        .collect();
    let runs = &experiment.runs;
    if runs.len() > 1 {
        let all: Vec<Outcome> = runs.iter().flat_map(|run| run.champion.searches.clone()).collect();
        let (name, kind) = (format!("evolved, all {} runs", runs.len()), kind(&runs[0].champion));
        rows.extend(row(name, kind, &all, experiment.evolved.nodes.median));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    Boxes {
        title: format!("Nodes of a search: {label}"),
        subtitle: format!("{}; fewest in all at the top", searched(experiment)),
        label: "nodes generated on a board (logarithmic): least, quartiles, median, most".to_owned(),
        kinds: KINDS.map(|(_, name)| name.to_owned()).into(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    }
}

/// The least nodes, the quartiles with the median between, the most.
fn spread(searches: &[Outcome]) -> Option<[f64; 5]> {
    let nodes: Vec<f64> = searches.iter().map(|search| search.nodes as f64).collect();
    let Quartiles { lower, median, upper } = Quartiles::of(&nodes)?;
    let least = nodes.iter().copied().reduce(f64::min)?;
    Some([least, lower, median, upper, nodes.iter().copied().reduce(f64::max)?])
}
