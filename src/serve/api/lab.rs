//! The laboratory: building blocks of heuristics, and searches of one board.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Request, State};
use serde::{Deserialize, Serialize};

use super::{Answer, json, json_body};
use crate::answers::{BoardAnswer, Searched};
use crate::board::{Distance, Metric};
use crate::cluster::ClusterError;
use crate::domains::rush_hour::{Estimator, Traffic, VOCABULARY, heuristic};
use crate::formula::{self, Facts, Heuristic, Kind};
use crate::probe::ProbeError;
use crate::puzzles::Method;
use crate::search::{Algorithm, Guide, Limits, Report, Rules, Stop};
use crate::serve::app::App;
use crate::serve::limits;
use crate::serve::params::Params;
use crate::serve::refusal::Refusal;

/// The building blocks, and what they say of a board.
#[derive(Serialize)]
struct Blocks {
    /// Of the board, if there is one.
    #[serde(flatten)]
    found: Option<BoardAnswer>,
    heuristics: Vec<Block>,
    algorithms: Vec<Named>,
}

#[derive(Serialize)]
struct Block {
    #[serde(flatten)]
    facts: Facts,
    /// Does it ask about the last move, and not about the board?
    condition: bool,
    /// What it says of the board; none if it proves that there is no way out, or asks
    /// about the last move.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Option<f64>>,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    about: &'static str,
    /// Does it take a heuristic?
    guided: bool,
}

pub async fn heuristics(State(app): State<Arc<App>>, params: Params) -> Answer {
    let algorithms = Algorithm::NAMES.iter().map(|&(name, about)| {
        let guided = name.parse::<Algorithm>().is_ok_and(Algorithm::is_guided);
        Named { name, about, guided }
    });
    let algorithms: Vec<Named> = algorithms.collect();
    let Some(text) = params.get("board") else {
        let heuristics = blocks(None)?;
        return Ok(json(&Blocks { found: None, heuristics, algorithms }));
    };
    let board = app.board(text, params.primary()).await?;
    let metric = params.metric();
    let opened = app.database.now();
    let answer = app.long(move |deadline| {
        let found = opened.ask(|session| {
            let distance = session.distance(&board, metric, deadline.bounds())?;
            BoardAnswer::new(session, &board, metric, distance)
        })?;
        let traffic = Traffic::new(&board, metric);
        let value = |heuristic: &Heuristic| {
            let mut guide = Estimator::new(heuristic, &traffic, opened.prober(), deadline.bounds())?;
            let (value, _) = guide.estimate(&traffic, &traffic.start(), None)?;
            Ok(value.is_finite().then(|| value.as_f64()))
        };
        let heuristics = blocks(Some(&value))?;
        Ok(Blocks { found: Some(found), heuristics, algorithms })
    });
    Ok(json(&answer.await?))
}

/// What a heuristic says of the board; none if it proves that there is no way out.
type Value<'v> = &'v dyn Fn(&Heuristic) -> Result<Option<f64>, ProbeError>;

fn blocks(value: Option<Value>) -> Result<Vec<Block>, ProbeError> {
    let block = |(facts, heuristic): (Facts, Heuristic)| {
        let condition = facts.kind == Kind::Condition;
        let value = value.map(|value| if condition { Ok(None) } else { value(&heuristic) });
        Ok(Block { facts, condition, value: value.transpose()? })
    };
    VOCABULARY.listed().map(block).collect()
}

/// What is to be compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Comparison {
    board: String,
    metric: Option<String>,
    primary: Option<char>,
    algorithms: Vec<String>,
    #[serde(default)]
    heuristics: Vec<String>,
    max_nodes: Option<u64>,
}

/// What came of it.
#[derive(Serialize)]
struct Compared {
    board: String,
    metric: Metric,
    /// None if that is not known.
    solvable: Option<bool>,
    distance: Option<Distance>,
    runs: Vec<Searched>,
    limits: RunLimits,
}

#[derive(Serialize)]
struct RunLimits {
    runs: usize,
    nodes: u64,
    seconds: u64,
}

pub async fn compare(State(app): State<Arc<App>>, _: Params, request: Request) -> Answer {
    let asked: Comparison = json_body(&app, request).await?;
    let metric = super::boards::metric(asked.metric.as_deref())?;
    let board = app.board(&asked.board, asked.primary).await?;
    let methods = methods(&asked)?;
    let nodes = asked.max_nodes.unwrap_or(limits::RUN_NODES).min(limits::RUN_NODES);
    let opened = app.database.now();
    let answer = app.long(move |deadline| {
        // First: what the searches leave of the time may not be enough for it.
        let distance = match opened.prober().session().distance(&board, metric, deadline.bounds()) {
            Ok((distance, _)) => Some(distance),
            Err(ProbeError::Cluster(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let solvable = distance.map(Distance::is_solvable);
        let traffic = Traffic::new(&board, metric);
        let guide = |heuristic| Estimator::new(heuristic, &traffic, opened.prober(), deadline.bounds());
        let mut runs = Vec::new();
        for method in &methods {
            let limits = Limits {
                nodes: Some(nodes),
                time: Some(limits::RUN_TIME.min(deadline.left())),
                memory: Some(limits::RUN_MEMORY),
                ..Limits::default()
            };
            let report = match method.run(Rules::default(), &traffic, traffic.start(), guide, &limits) {
                // What `perfect` or a pattern would need.
                Err(ProbeError::Cluster(ClusterError::Stopped)) => Report::not_begun(Stop::Time),
                Err(ProbeError::Cluster(_)) => Report::not_begun(Stop::Memory),
                report => report?,
            };
            runs.push(Searched::new(method, &report));
        }
        let limits = RunLimits { runs: limits::RUNS, nodes, seconds: limits::RUN_TIME.as_secs() };
        Ok(Compared { board: board.text(), metric, solvable, distance, runs, limits })
    });
    Ok(json(&answer.await?))
}

/// The ways to search that are asked for, if they are not too many and not too large.
fn methods(asked: &Comparison) -> Result<Vec<Method>, Refusal> {
    let most = limits::RUNS;
    let too_many = || Refusal::too_large(format!("at most {most} searches are done at once"));
    if asked.algorithms.len() > most || asked.heuristics.len() > most {
        return Err(too_many());
    }
    if asked.heuristics.iter().any(|text| text.len() > limits::FORMULA) {
        return Err(Refusal::too_large(format!("a heuristic has at most {} characters", limits::FORMULA)));
    }
    let algorithms = asked.algorithms.iter().map(|name| name.parse());
    let algorithms = algorithms.collect::<Result<Vec<Algorithm>, _>>()?;
    let heuristics = asked.heuristics.iter().map(|text| heuristic(text));
    let heuristics = heuristics.collect::<Result<Vec<Heuristic>, _>>()?;
    let blocks = heuristics.iter().flat_map(Heuristic::blocks);
    let patterns = blocks.filter(|block| block.facts().kind == Kind::Pattern).map(formula::Block::states);
    let patterns: BTreeSet<u32> = patterns.collect();
    // They are solved before a search begins, in its time but beyond its nodes.
    if patterns.len() > limits::PATTERNS || patterns.last().is_some_and(|&boards| boards > limits::PATTERN) {
        return Err(Refusal::too_large(format!(
            "a comparison has at most {} patterns of at most {} boards",
            limits::PATTERNS,
            limits::PATTERN
        )));
    }
    if heuristics.is_empty() && algorithms.iter().any(|algorithm| algorithm.is_guided()) {
        return Err(Refusal::unreadable(
            "heuristics: name one at least, such as blocking, for these algorithms",
        ));
    }
    let methods = Method::all(&algorithms, &heuristics);
    match methods.len() {
        0 => Err(Refusal::unreadable("algorithms: name one at least, such as astar")),
        runs if runs > most => Err(too_many()),
        _ => Ok(methods),
    }
}
