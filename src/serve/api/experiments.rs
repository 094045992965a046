//! Experiments of evolution, for those who have the token of the server's start.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::{Answer, bytes, json, json_body};
use crate::answers::formula_tree;
use crate::board::Metric;
use crate::domains::rush_hour::heuristic;
use crate::evolution::{EXAMPLE, Ended, Record};
use crate::serve::app::App;
use crate::serve::experiments::{Experiments, KnownRun, Overview};
use crate::serve::params::Params;
use crate::serve::refusal::Refusal;

/// Experiments to begin with.
const TEMPLATES: [(&str, &str); 2] = [("cards", include_str!("cards.toml")), ("policy", EXAMPLE)];

#[derive(Serialize)]
struct All {
    experiments: Vec<Overview>,
    templates: Vec<&'static str>,
}

/// Does something with the experiments, if this caller may.
async fn with<T: Send + 'static>(
    app: Arc<App>,
    headers: &HeaderMap,
    work: impl FnOnce(&Experiments) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let forbidden = |text| Err(Refusal::new(StatusCode::FORBIDDEN, "forbidden", text));
    match &app.experiments {
        None => return forbidden("experiments are off: the server has to be started with a folder for them"),
        Some(experiments) if !experiments.admits(headers) => {
            return forbidden(
                "experiments need the token of this start: the server printed it with its address",
            );
        }
        Some(_) => {}
    }
    let done = spawn_blocking(move || work(app.experiments.as_ref().expect("it was looked at"))).await;
    done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

pub async fn all(State(app): State<Arc<App>>, headers: HeaderMap, _: Params) -> Answer {
    let experiments = with(app, &headers, |experiments| experiments.all()).await?;
    Ok(json(&All { experiments, templates: TEMPLATES.map(|(name, _)| name).to_vec() }))
}

#[derive(Serialize)]
struct Template {
    name: &'static str,
    text: &'static str,
}

pub async fn template(State(app): State<Arc<App>>, headers: HeaderMap, params: Params) -> Answer {
    let wanted = params.text("name").to_owned();
    let template = with(app, &headers, move |_| {
        let found = TEMPLATES.into_iter().find(|(name, _)| *name == wanted);
        found.ok_or_else(|| Refusal::unknown(format!("there is no template {wanted}")))
    });
    let (name, text) = template.await?;
    Ok(json(&Template { name, text }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct New {
    name: String,
    text: String,
}

pub async fn begin(State(app): State<Arc<App>>, headers: HeaderMap, _: Params, request: Request) -> Answer {
    with(Arc::clone(&app), &headers, |_| Ok(())).await?;
    // No form of another page can send this kind.
    let is_json = |kind: &str| kind.split(';').next().is_some_and(|kind| kind.trim() == super::JSON);
    if !headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).is_some_and(is_json) {
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "kind",
            "an experiment is sent as application/json",
        ));
    }
    let New { name, text } = json_body(&app, request).await?;
    let begun = with(app, &headers, move |experiments| experiments.begin(&name, text)).await?;
    let mut answer = json(&begun);
    *answer.status_mut() = StatusCode::CREATED;
    Ok(answer)
}

/// One experiment with its curves.
#[derive(Serialize)]
struct One {
    #[serde(flatten)]
    overview: Overview,
    text: String,
    metric: Metric,
    reproducible: bool,
    best_run: Option<u64>,
    curves: Vec<Curve>,
}

#[derive(Serialize)]
struct Curve {
    run: u64,
    ended: Option<Ended>,
    records: Vec<Record>,
}

pub async fn one(State(app): State<Arc<App>>, headers: HeaderMap, params: Params) -> Answer {
    let name = params.text("name").to_owned();
    let one = with(app, &headers, move |experiments| {
        let overview = experiments.overview(&name)?;
        let known = experiments.read(&name, experiments.look(&name)?)?;
        let curve = |run: &Arc<KnownRun>| Curve {
            run: run.summary.run,
            ended: run.summary.ended,
            records: run.records.clone(),
        };
        Ok(One {
            overview,
            text: known.text.clone(),
            metric: known.experiment.metric,
            reproducible: known.experiment.is_reproducible(),
            best_run: known.best().map(|run| run.summary.run),
            curves: known.runs.iter().map(curve).collect(),
        })
    });
    Ok(json(&one.await?))
}

pub async fn best(State(app): State<Arc<App>>, headers: HeaderMap, params: Params) -> Answer {
    let name = params.text("name").to_owned();
    let svg = with(app, &headers, move |experiments| {
        let overview = experiments.overview(&name)?;
        let best = overview.best().ok_or_else(|| Refusal::unknown(format!("{name} has no best one yet")))?;
        let formula = heuristic(best)?;
        Ok(formula_tree(name, "the best individual".to_owned(), &formula).svg())
    });
    Ok(bytes("image/svg+xml", svg.await?))
}

pub async fn pause(State(app): State<Arc<App>>, headers: HeaderMap, params: Params) -> Answer {
    let name = params.text("name").to_owned();
    Ok(json(&with(app, &headers, move |experiments| experiments.pause(&name)).await?))
}

pub async fn resume(State(app): State<Arc<App>>, headers: HeaderMap, params: Params) -> Answer {
    let name = params.text("name").to_owned();
    Ok(json(&with(app, &headers, move |experiments| experiments.resume(&name)).await?))
}
