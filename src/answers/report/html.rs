//! A report as one page that needs nothing else: no script, no other file.

use super::charts::{Figure, Figures, OfOne, cost_name};
use super::{against_blind, blind_note, grouped, labels, methods, name, percent, rows, searched};
use crate::evolution::{
    Compared, Difference, Ended, ExperimentReport, Kind, Method, Quartiles, Report, RunReport,
};
use crate::formula::{Heuristic, Test};
use crate::render::svg::escape;

const STYLE: &str = include_str!("page.css");

/// Below this p is called a difference.
const CLEAR: f64 = 0.05;

/// The page, with these figures in it.
pub fn page(report: &Report, figures: &Figures) -> String {
    let labels = labels(report);
    let title = escape(&format!("What came of {}", labels.join(", ")));
    let mut body = format!("<h1>{title}</h1>\n");
    let is_new = report.experiments.iter().all(|experiment| experiment.seen_boards == 0);
    body += &format!(
        "<p>Heuristics were bred to guess how far a board is from its solution. This page compares the best \
         of each run with what needs no breeding{}.</p>\n",
        if is_new { ", on boards that nothing was bred on" } else { "" }
    );
    for ((experiment, figures), label) in report.experiments.iter().zip(&figures.of_each).zip(&labels) {
        body += &format!("<h2>{}</h2>\n", escape(label));
        body += &section(experiment, figures);
    }
    body += "<h2>How the runs went</h2>\n";
    body += &figure(
        &figures.diversity,
        "How many formulas of a generation differ. Near 0 nearly all are copies of each other, and only \
         mutations bring something new.",
    );
    body += &figure(
        &figures.parts,
        "How large formulas are. If size grows while the cost on test boards does not fall, they learn the \
         training boards by heart.",
    );
    if !report.comparisons.is_empty() {
        body += &comparisons(report, &labels);
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn section(experiment: &ExperimentReport, figures: &OfOne) -> String {
    let mut out = format!(
        "<p>{} {} in <code>{}</code>, bred on {} boards for a low cost: {}. {}.</p>\n",
        experiment.runs.len(),
        if experiment.runs.len() == 1 { "run" } else { "runs" },
        escape(&experiment.folder.display().to_string()),
        grouped(experiment.training_boards as u64),
        costs(experiment),
        escape(&searched(experiment)),
    );
    out += &format!("<p>{}</p>\n", escape(&verdict(experiment)));

    out += "<h3>Methods, fewest nodes first</h3>\n";
    out += &methods_table(experiment);
    out += &blind_note(experiment).map_or(String::new(), |note| format!("<p class=\"note\">{note}</p>\n"));
    out += MEANING;
    out += &figure(
        &figures.nodes,
        "Each row is a method: the box holds the middle half of the boards, the dark line in it is the median, \
         the thin line goes from the easiest board to the hardest. Farther left is better; one mark on the axis \
         is a factor.",
    );
    out += &figure(
        &figures.cost,
        "The best formula so far, generation by generation. Where the line of the test boards stays above that \
         of the training boards, formulas fit boards they know better than new ones.",
    );

    out += &best(experiment, figures);
    out += "<h3>The runs</h3>\n";
    out += &runs_table(experiment);
    out += "<h3>Settings</h3>\n";
    let settings =
        experiment.settings.iter().map(|(what, value)| (false, vec![(*what).to_owned(), value.clone()]));
    out += &table(&["setting", "value"], 2, settings);
    out += &formulas(experiment);
    out
}

/// What was asked of the generations.
fn costs(experiment: &ExperimentReport) -> String {
    let all: f64 = experiment.aims.iter().map(|(_, chance)| chance).sum();
    let told = experiment.aims.iter().map(|(aim, chance)| match experiment.aims.len() {
        1 => cost_name(*aim).to_owned(),
        _ => format!("{} (in {} of the generations)", cost_name(*aim), percent(chance / all)),
    });
    let told = told.collect::<Vec<String>>().join(", ");
    match experiment.aims.len() {
        1 => told,
        _ => format!("{told}; the best are chosen, and costs told, by the first"),
    }
}

/// The answer in a few words.
fn verdict(experiment: &ExperimentReport) -> String {
    let (runs, evolved) = (experiment.runs.len(), &experiment.evolved);
    let who = if runs == 1 {
        "The best of the run".to_owned()
    } else {
        format!("The best of {runs} runs, in the median,")
    };
    let length = evolved.length.map_or(String::new(), |length| {
        format!(" Its solutions are {:.3} times as long as the shortest ones.", length.median)
    });
    let other = experiment.baselines.iter().min_by_key(|method| method.scores.nodes);
    let other = other.map_or(String::new(), |other| {
        format!(
            " Of what needs no breeding, {} needs fewest nodes: {} of a blind search.",
            name(experiment, other),
            against_blind(experiment, other.scores.against_blind)
        )
    });
    format!(
        "{who} needs {} of the nodes of a blind search and solves {} of the boards.{length}{other}",
        against_blind(experiment, evolved.against_blind.median),
        percent(evolved.solved.median)
    )
}

const HEADS: [&str; 7] = [
    "method",
    "squared error",
    "disorder",
    "nodes",
    "nodes against blind",
    "solved",
    "length against shortest",
];

const MEANING: &str = "<details>\n<summary>What the columns mean</summary>\n<dl>\n\
<dt>squared error</dt>\n<dd>The mean of the squared differences between guess and exact distance, over all test \
boards.</dd>\n\
<dt>disorder</dt>\n<dd>Of all pairs of test boards with different distances, the share that the method puts in the \
wrong order; a pair it calls equal counts half. Blind guessing has 50%.</dd>\n\
<dt>nodes</dt>\n<dd>Boards generated by all searches together; a search that was stopped counts up to its limit.</dd>\n\
<dt>nodes against blind</dt>\n<dd>The same as a share of what the algorithm needs without a heuristic.</dd>\n\
<dt>solved</dt>\n<dd>The share of searches that found a solution within the limit.</dd>\n\
<dt>length against shortest</dt>\n<dd>The solutions found, added up, against the shortest ones of the same \
boards.</dd>\n\
<dt>evolved, median</dt>\n<dd>The median of the runs, each column for itself, and the quartiles in brackets.</dd>\n\
<dt>by hand</dt>\n<dd>The best of a few combinations that people would try. It was chosen by these very searches, \
which flatters it a little.</dd>\n\
<dt>least squares</dt>\n<dd>The weighted sum of all building blocks with the least squared error on the training \
boards.</dd>\n</dl>\n</details>\n";

fn methods_table(experiment: &ExperimentReport) -> String {
    let with_quartiles = |quartiles: Quartiles, told: &dyn Fn(f64) -> String| {
        let Quartiles { lower, median, upper } = quartiles;
        format!("{} ({}–{})", told(median), told(lower), told(upper))
    };
    let rows = rows(experiment, &with_quartiles);
    table(&HEADS, 1, rows.into_iter().map(|(kind, row)| (kind == Kind::Evolved, row.into())))
}

fn runs_table(experiment: &ExperimentReport) -> String {
    let heads = [
        "run",
        "state",
        "generations",
        "formulas judged",
        "seconds",
        "training cost",
        "test cost",
        "nodes",
        "nodes against blind",
        "solved",
        "parts",
    ];
    let cells = |run: &RunReport| {
        let (scores, last) = (&run.champion.scores, run.records.last());
        vec![
            run.run.to_string(),
            state(run.ended).to_owned(),
            run.records.len().to_string(),
            last.map_or(String::new(), |last| grouped(last.evaluations)),
            last.map_or(String::new(), |last| format!("{:.1}", last.seconds)),
            format!("{:.4}", run.cost),
            format!("{:.4}", run.test_cost),
            grouped(scores.nodes),
            against_blind(experiment, scores.against_blind),
            percent(scores.solved),
            run.champion.formula.parts().to_string(),
        ]
    };
    table(&heads, 0, experiment.runs.iter().map(|run| (run.run == experiment.best, cells(run))))
}

fn state(ended: Option<Ended>) -> &'static str {
    match ended {
        Some(Ended::Generations) => "all generations",
        Some(Ended::Evaluations) => "all evaluations",
        Some(Ended::Seconds) => "out of time",
        Some(Ended::Target) => "good enough",
        Some(Ended::Stale) => "nothing better came",
        None => "not ended",
    }
}

fn best(experiment: &ExperimentReport, figures: &OfOne) -> String {
    let run = experiment.best_run();
    let formula = &run.champion.formula;
    let mut out = format!(
        "<h3>The best formula</h3>\n<p>Of run {}: the one that costs least in training, simplified: the \
         same value on every board.</p>\n",
        run.run
    );
    if let Heuristic::Rules(rules, last) = formula {
        out += &rules_table(rules, last);
    }
    if let Some(tree) = &figures.tree {
        out += &format!(
            "<figure><div class=\"chart tree\">\n{}</div>\n<figcaption>Each part has its own parts on its right; \
             leaves are building blocks and constants.</figcaption></figure>\n",
            tree.svg
        );
    }
    out +=
        &format!("<p>As a formula:</p>\n<code class=\"formula\">{}</code>\n", escape(&formula.to_string()));
    out
}

fn rules_table(rules: &[(Test, Heuristic)], last: &Heuristic) -> String {
    let code = |text: String| format!("<td class=\"words\"><code>{}</code></td>", escape(&text));
    let row = |(number, (test, value)): (usize, &(Test, Heuristic))| {
        format!("<tr><td>{}</td>{}{}</tr>\n", number + 1, code(test.to_string()), code(value.to_string()))
    };
    let rows: String = rules.iter().enumerate().map(row).collect();
    let last = code(last.to_string());
    format!(
        "<p>The first rule whose test holds gives the guess.</p>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th>rule</th><th class=\"words\">when</th><th class=\"words\">then the guess is</th></tr>\
         </thead>\n<tbody>\n{rows}<tr><td></td><td class=\"words\">otherwise</td>{last}</tr>\n</tbody>\n\
         </table></div>\n"
    )
}

/// What can be copied.
fn formulas(experiment: &ExperimentReport) -> String {
    let others = methods(experiment).into_iter().filter(|method| method.kind == Kind::LeastSquares);
    let runs = experiment.runs.iter().map(|run| &run.champion);
    let item = |method: &Method| {
        format!(
            "<dt>{}</dt>\n<dd><code>{}</code></dd>\n",
            escape(&method.name),
            escape(&method.formula.to_string())
        )
    };
    let items: String = others.chain(runs).map(item).collect();
    format!("<details>\n<summary>All formulas</summary>\n<dl>\n{items}</dl>\n</details>\n")
}

fn figure(figure: &Figure, caption: &str) -> String {
    format!(
        "<figure><div class=\"chart\">\n{}</div>\n<figcaption>{caption}</figcaption></figure>\n",
        figure.svg
    )
}

fn comparisons(report: &Report, labels: &[String]) -> String {
    let heads = ["first", "second", "by", "p", "p (Holm)", "A", "verdict"];
    let row = |compared: &Compared, by: &str, difference: Option<Difference>| {
        let (first, second) = (labels[compared.first].clone(), labels[compared.second].clone());
        let [p, p_holm, a, verdict] = match difference {
            None => ["-", "-", "-", "not comparable: other boards, aims or searches"].map(str::to_owned),
            Some(Difference { p, p_holm, a, .. }) => {
                let lower = if a < 0.5 { &first } else { &second };
                let is_clear = p_holm < CLEAR;
                let verdict =
                    if is_clear { format!("{lower} is lower") } else { "no clear difference".to_owned() };
                [probability(p), probability(p_holm), format!("{a:.3}"), verdict]
            }
        };
        (false, vec![first, second, by.to_owned(), p, p_holm, a, verdict])
    };
    let rows = report.comparisons.iter().flat_map(|compared| {
        [row(compared, "test cost", compared.test_cost), row(compared, "nodes", compared.nodes)]
    });
    let mut out = "<h2>Experiments against each other</h2>\n".to_owned();
    out += &table(&heads, 3, rows);
    out += "<p class=\"note\">Run by run, by Mann and Whitney’s test: p is how likely a difference at least as \
            large would be if both bred equally well, and A (Vargha and Delaney) how likely a run of the first has \
            the higher cost or the more nodes than one of the second; 0.5 is no difference. With fewer than four \
            runs each, no p can be below 0.05. Of many comparisons some are below it by chance, so the verdict goes by \
            p with Holm’s correction for all rows of this table.</p>\n";
    out
}

/// No p is 0.
fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// A table whose first columns have words, and the others numbers. Rows may be
/// marked.
fn table(heads: &[&str], words: usize, rows: impl Iterator<Item = (bool, Vec<String>)>) -> String {
    let cell = |tag: &str, place: usize, text: &str| {
        let class = if place < words { " class=\"words\"" } else { "" };
        format!("<{tag}{class}>{}</{tag}>", escape(text))
    };
    let head: String = heads.iter().enumerate().map(|(place, text)| cell("th", place, text)).collect();
    let rows: String = rows
        .map(|(is_ours, cells)| {
            let class = if is_ours { " class=\"ours\"" } else { "" };
            let cells: String =
                cells.iter().enumerate().map(|(place, text)| cell("td", place, text)).collect();
            format!("<tr{class}>{cells}</tr>\n")
        })
        .collect();
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::rush_hour::VOCABULARY;

    #[test]
    fn no_probability_is_nothing() {
        assert_eq!([0.00009, 0.0001, 0.05].map(probability), ["< 0.0001", "0.0001", "0.0500"]);
    }

    #[test]
    fn rules_are_told_one_by_one() {
        let formula = "rules(blocking<=2 and not move-freed -> 0.5*distance; 7<=hybrid -> 1; hybrid)";
        let Heuristic::Rules(rules, last) = VOCABULARY.read(formula).unwrap() else { panic!("it has rules") };
        let table = rules_table(&rules, &last);
        assert_eq!(table.matches("<tr>").count(), 4);
        for cell in ["blocking&lt;=2 and not move-freed", "0.5*distance", "7&lt;=hybrid", "hybrid"] {
            assert!(table.contains(&format!("<td class=\"words\"><code>{cell}</code></td>")), "{table}");
        }
    }
}
